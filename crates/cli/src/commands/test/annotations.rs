//! What is not as expected as workflow commands, which GitHub shows at lines of a change.

use quadrille_run::testing::file::ENDING;
use quadrille_run::testing::outcome::Case;

use crate::prelude::*;
use quadrille::visible;

/// Prints a command for each test that is not as expected.
pub(super) fn say(cases: &[Case]) -> anyhow::Result<()> {
    let workspace = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let root = workspace.and_then(|folder| folder.canonicalize().ok());
    let wrong = cases.iter().filter(|case| case.outcome.is_wrong());
    let lines: Vec<String> = wrong.map(|case| command(case, root.as_deref())).collect();
    if lines.is_empty() { Ok(()) } else { output::say_as_it_is(&lines.join("\n")) }
}

/// A command at the place of a failure, or else at the first line of the test.
fn command(case: &Case, root: Option<&Path>) -> String {
    let test = format!("{}{ENDING}", case.name);
    let (file, line, column) = match &case.place {
        Some(place) => (place.file.as_str(), place.line.unwrap_or(1), place.column),
        None => (test.as_str(), 1, None),
    };
    let file = property(&within(root, file));
    let column = column.map(|column| format!(",col={column}")).unwrap_or_default();
    let title = property(&format!("{} of {}", case.outcome.name(), case.name));
    let again = format!("again: {}", case.command);
    let text = message(&[case.reasons.join("\n"), again].join("\n"));
    format!("::error file={file},line={line}{column},title={title}::{text}")
}

/// A file as seen from the repository's root, wherever in it the tests are run, with the slashes of
/// repositories.
fn within(root: Option<&Path>, file: &str) -> String {
    let file = Path::new(file);
    let inside = || Some(file.canonicalize().ok()?.strip_prefix(root?).ok()?.to_owned());
    let text = inside().unwrap_or_else(|| file.to_owned()).display().to_string();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// A text that is one line, as GitHub wants it.
fn message(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same, without what separates properties.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
