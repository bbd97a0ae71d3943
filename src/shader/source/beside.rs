//! A text in the folder of another.

use std::path::Path;

use super::folders::{Search, parent};
use super::stage::Stage;
use super::{Home, Source, text};
use crate::shader::Error;

impl Source {
    /// Reads the shader of another stage that lies beside the file of this one, under its name with
    /// one of these endings.
    ///
    /// # Errors
    /// [`Error::Read`] for what is no regular file of the folder: errors quote the text.
    #[doc(hidden)]
    pub fn beside(&self, stage: Stage, endings: &[&str]) -> Result<Option<Source>, Error> {
        let Home::Disk(path) = &self.home else { return Ok(None) };
        for ending in endings {
            let beside = path.with_extension(ending);
            let Some(wanted) = beside.file_name() else { continue };
            let file = beside.display().to_string();
            let real = match self.folders.search(parent(path), Path::new(wanted)) {
                Search::Nowhere => continue,
                Search::File { real, .. } if real.is_file() => real,
                Search::File { .. } | Search::Outside => return Err(not_beside(file, stage)),
            };
            let text = text::read(&real, &file, None)?;
            return Ok(Some(Source::new(stage, Home::Disk(beside), file, text)));
        }
        Ok(None)
    }
}

fn not_beside(file: String, stage: Stage) -> Error {
    let reason = format!(
        "expected the {stage} shader of the pair as a regular file, and no link out of its folder"
    );
    Error::Read { file, from: None, reason: std::io::Error::other(reason) }
}
