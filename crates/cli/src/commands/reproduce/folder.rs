//! The folder of a report and its files.

use crate::prelude::*;
use std::fs;
use std::io::Write;

use anyhow::Context as _;

use quadrille::{Place, io};
use quadrille_papers::Outcome;
use quadrille_papers::render;

pub(super) struct Folder(PathBuf);

const PAGE: &str = "report.html";
const JSON: &str = "report.json";
const PARTS: &str = "parts";
const FIGURES: &str = "figures";
const NUMBERS: &str = "numbers";

impl Folder {
    /// Creates the folder, and refuses, before any work, files that could not be written after it.
    pub(super) fn make(path: &Path) -> Result<Folder, io::Error> {
        for name in [PARTS, FIGURES, NUMBERS] {
            let folder = path.join(name);
            fs::create_dir_all(&folder).map_err(|reason| {
                let place = Place::file(path.display().to_string());
                io::Error::Write { place, reason }
            })?;
            output::check_folder(&folder.join("any"))?;
        }
        output::check_folder(&path.join(PAGE))?;
        output::check_folder(&path.join(JSON))?;
        Ok(Folder(path.to_owned()))
    }

    pub(super) fn parts(&self) -> PathBuf {
        self.0.join(PARTS)
    }

    pub(super) fn page(&self) -> PathBuf {
        self.0.join(PAGE)
    }

    /// Writes all files but the parts, which studies write.
    pub(super) fn write(&self, outcome: &Outcome) -> anyhow::Result<()> {
        let parts = || outcome.parts().map(|(_, part)| part);
        for table in parts().flat_map(|part| &part.tables) {
            self.write_numbers(&table.id, &render::csv::of_table(table)?)?;
        }
        for figure in parts().flat_map(|part| &part.figures) {
            self.write_numbers(&figure.id, &render::csv::of_figure(figure)?)?;
            // The page shows the error of a figure that cannot be drawn.
            if let Ok(svg) = quadrille_lab::chart::svg(figure) {
                self.write_file(&format!("{FIGURES}/{}.svg", figure.id), svg.as_bytes())?;
            }
        }
        let json = serde_json::to_vec_pretty(&render::json(outcome));
        self.write_file(JSON, &json.context("cannot make JSON of the report")?)?;
        self.write_file(PAGE, render::page(outcome).as_bytes())
    }

    fn write_numbers(&self, id: &str, csv: &[u8]) -> anyhow::Result<()> {
        self.write_file(&format!("{NUMBERS}/{id}.csv"), csv)
    }

    /// An error here is a failure of the work; the arguments were checked before.
    fn write_file(&self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let written = quadrille::io::write_whole(&self.0.join(name), |file| file.write_all(bytes));
        Ok(written.map_err(|error| Failure::Work { text: error.to_string() })?)
    }
}
