//! The origin of expected numbers.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use quadrille::gl::Context;
use quadrille::io::date::today;

/// The conditions under which expected numbers were computed, which is written beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The renderer.
    pub device: String,
    /// The API and its version.
    pub api: String,
    /// The driver's version text.
    pub driver: String,
    /// The name of the processor.
    pub cpu: String,
    /// The day.
    pub date: String,
    /// The version of this package.
    pub quadrille: String,
}

impl Provenance {
    /// Returns the path of the record of a file of expected numbers: `sobel.edges.npy.json` beside
    /// `sobel.edges.npy`.
    pub fn path(file: &Path) -> PathBuf {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".json");
        file.with_file_name(name)
    }

    /// Reads the record beside a file of expected numbers; `None` where there is no such record.
    pub fn beside(file: &Path) -> Option<Provenance> {
        serde_json::from_str(&std::fs::read_to_string(Provenance::path(file)).ok()?).ok()
    }

    /// Returns the device, the API, the CPU and the date in a line.
    pub fn text(&self) -> String {
        let Provenance { device, api, cpu, date, .. } = self;
        format!("{device}, {api}, {cpu}, {date}")
    }

    /// Makes the record of numbers that a context computes today. `cpu` is the name of the
    /// processor.
    pub fn here(context: &Context, cpu: String) -> Provenance {
        let abilities = context.abilities();
        Provenance {
            device: abilities.renderer.clone(),
            api: abilities.api_text(),
            driver: abilities.version_text.clone(),
            cpu,
            date: today(),
            quadrille: env!("CARGO_PKG_VERSION").into(),
        }
    }
}
