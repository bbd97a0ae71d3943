//! How ranks shared the work, in a report.

use serde::Serialize;

use quadrille::cluster::Partition;

use super::Devices;

/// The JSON object; its text for people says the same.
#[derive(Serialize)]
pub(crate) struct Shares {
    count: usize,
    columns: usize,
    rows: usize,
    /// The steps between exchanges.
    halo: usize,
    devices: Devices,
}

impl Shares {
    pub(crate) fn of(partition: &Partition, devices: Devices) -> Shares {
        let [columns, rows] = partition.across();
        Shares { count: partition.ranks(), columns, rows, halo: partition.halo().steps, devices }
    }

    pub(crate) fn text(&self) -> String {
        let Shares { columns, rows, halo, .. } = self;
        let steps = if *halo == 1 { "at each step".into() } else { format!("every {halo} steps") };
        format!("{columns} x {rows}, messages {steps}")
    }
}
