//! What a test may name: files of one folder, or any.

use std::ffi::OsStr;

use quadrille::Place;
use quadrille::internal::Folder;
use quadrille_run::io::description;
use quadrille_run::testing::TestFile;
use quadrille_run::testing::file::Error;

use crate::prelude::*;

/// The option by which tests may name any file.
pub(super) const ALLOW_OUTSIDE: &str = "--allow-outside";

/// The option by which a test that is named itself is one that was found in a folder.
const FOUND_IN: &str = "--found-in";

/// The files that a test may name.
#[derive(Clone, Default)]
pub(super) struct Rights {
    /// The folder of the arguments in which it was found.
    pub(super) folder: Option<PathBuf>,
    /// Whether it may name any.
    pub(super) outside: bool,
}

impl Rights {
    /// Gives them to a test.
    pub(super) fn given(&self, test: TestFile) -> TestFile {
        let test = match &self.folder {
            Some(folder) => test.found_in(folder),
            None => test,
        };
        if self.outside { test.allow_outside() } else { test }
    }

    /// The same as arguments for a test that is named itself, as far as it needs them.
    pub(super) fn words(&self, test: &Path) -> impl Iterator<Item = &OsStr> {
        let own = Folder::of_description(test, None);
        let is_more =
            |folder: &&PathBuf| !own.is(&Folder::of_description(test, Some(folder.as_path())));
        let folder = self.folder.iter().filter(is_more).collect::<Vec<_>>();
        let folder =
            folder.into_iter().flat_map(|folder| [OsStr::new(FOUND_IN), folder.as_os_str()]);
        folder.chain(self.outside.then_some(OsStr::new(ALLOW_OUTSIDE)))
    }

    /// Refuses a link that was found in a folder and leads out of it: errors quote a description.
    pub(super) fn must_allow(&self, path: &Path) -> Result<(), Error> {
        let folder = || Folder::of_description(path, self.folder.as_deref());
        if self.outside || folder().holds(path) {
            return Ok(());
        }
        let place = Place::file(path.display().to_string());
        let reason = format!("it is a link out of its folder; {ALLOW_OUTSIDE} follows it");
        Err(description::Error::Read { place, reason: std::io::Error::other(reason) }.into())
    }
}

/// A text of an error, with the option that lets a description name the file that is refused.
pub(super) fn advised(text: String, error: &dyn quadrille::Failure) -> String {
    match error.find() {
        Some(description::Error::Outside { .. }) => format!("{text}; {ALLOW_OUTSIDE} lets it"),
        _ => text,
    }
}
