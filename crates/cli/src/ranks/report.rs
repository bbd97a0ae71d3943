//! The shares of ranks in the work, for a report.

use serde::Serialize;

use quadrille::cluster::Partition;

use super::Devices;

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(crate) struct Shares {
    count: usize,
    columns: usize,
    rows: usize,
    /// The steps between exchanges on a grid; null for a product.
    halo: Option<usize>,
    devices: Devices,
}

impl Shares {
    pub(crate) fn of(partition: &Partition, devices: Devices) -> Shares {
        let [columns, rows] = partition.across();
        let halo = Some(partition.halo().steps);
        Shares { count: partition.ranks(), columns, rows, halo, devices }
    }

    pub(crate) fn of_product([columns, rows]: [usize; 2], devices: Devices) -> Shares {
        Shares { count: columns * rows, columns, rows, halo: None, devices }
    }

    pub(crate) fn text(&self) -> String {
        let Shares { columns, rows, halo, .. } = self;
        let steps = match halo {
            None => String::new(),
            Some(1) => ", messages at each step".into(),
            Some(steps) => format!(", messages every {steps} steps"),
        };
        format!("{columns} x {rows}{steps}")
    }
}
