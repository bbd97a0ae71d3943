//! The terminal behind a launcher, which hands on what ranks say through pipes.

use console::Term;

/// The terminal of the launcher's standard error, for a rank on its computer whose own goes to the
/// launcher.
#[cfg(unix)]
pub(crate) fn terminal() -> Option<Term> {
    use std::fs::File;
    use std::io::{IsTerminal, stderr};
    super::launched().filter(|_| !stderr().is_terminal())?;
    let path = format!("/proc/{}/fd/2", std::os::unix::process::parent_id());
    let file = File::options().read(true).write(true).open(path).ok()?;
    let terminal = file.is_terminal().then_some(file)?;
    Some(Term::read_write_pair(terminal.try_clone().ok()?, terminal))
}

/// Windows shows no process the console of another.
#[cfg(not(unix))]
pub(crate) fn terminal() -> Option<Term> {
    None
}
