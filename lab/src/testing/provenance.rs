//! The origin of expected numbers.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use quadrille::gl::Context;
use quadrille::io::date::today;

use super::super::api_text;
use crate::survey::cpu;

/// The conditions under which expected numbers were computed, which is written beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    pub device: String,
    pub api: String,
    /// The driver's version text.
    pub driver: String,
    pub cpu: String,
    pub date: String,
    pub quadrille: String,
}

impl Provenance {
    /// The path of the record of a file of expected numbers: `sobel.edges.npy.json` beside
    /// `sobel.edges.npy`.
    pub fn path(file: &Path) -> PathBuf {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(".json");
        file.with_file_name(name)
    }

    /// The record beside a file of expected numbers; `None` where there is no such record.
    pub fn beside(file: &Path) -> Option<Provenance> {
        serde_json::from_str(&std::fs::read_to_string(Provenance::path(file)).ok()?).ok()
    }

    /// The device, the API, the CPU and the date, in a sentence.
    pub fn text(&self) -> String {
        let Provenance { device, api, cpu, date, .. } = self;
        format!("{device}, {api}, {cpu}, {date}")
    }

    pub fn here(context: &Context) -> Provenance {
        let abilities = context.abilities();
        Provenance {
            device: abilities.renderer.clone(),
            api: api_text(abilities),
            driver: abilities.version_text.clone(),
            cpu: cpu::name(),
            date: today(),
            quadrille: env!("CARGO_PKG_VERSION").into(),
        }
    }
}
