//! `--timeout`: the work runs in a process of its own, which is ended at the limit. Nothing else
//! ends a shader that does not return.

#[cfg(unix)]
mod lock;

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::Context as _;

use super::checkpoints::advice;
use crate::prelude::*;
use crate::process::child::{Guarded, apart, signal_of};

/// Does what the command line says in another process, and ends it at the limit.
pub(super) fn run(limit: Duration, checkpoint: Option<&Path>) -> anyhow::Result<()> {
    let file = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
    // Where the system does not end the work with this process by itself.
    #[cfg(unix)]
    lock::hold(file.as_file())?;
    let mut child = Guarded::start(&mut command(file.path())?)?;
    let ended = interrupt::watched(|| child.wait(limit))?;
    drop(child);
    let far = Reached::read(file.as_file());
    let code = match ended {
        Some(status) => match how(status) {
            None => status.code().unwrap_or_default(),
            Some(how) => {
                let text = format!("the process of the work {how}, {}", far.text(checkpoint));
                return Err(Failure::Work { text }.into());
            }
        },
        None => {
            let text = format!(
                "--timeout {}: the time is over, {}",
                limit.as_secs_f64(),
                far.text(checkpoint)
            );
            return Err(Failure::Work { text }.into());
        }
    };
    drop(file);
    // It has said all.
    if code == 0 { Ok(()) } else { interrupt::end(u8::try_from(code).unwrap_or(1)) }
}

/// How a process ended that did not end by itself: by a signal, or on Windows by an exception, whose
/// codes are negative.
fn how(status: ExitStatus) -> Option<String> {
    match (signal_of(status), status.code()) {
        (Some(signal), _) => Some(format!("ended by signal {signal}")),
        (_, Some(code)) if code < 0 => Some(format!("ended by exception {code:#010X}")),
        _ => None,
    }
}

/// Makes the command that does the work: this one with the same arguments, and `--isolated`. A
/// terminal's Ctrl-C comes to this process alone, which passes it on.
fn command(file: &Path) -> anyhow::Result<Command> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let mut words = std::env::args_os().skip(1);
    let mut command = Command::new(program);
    command.args(words.next()).arg("--isolated").arg(file).args(words);
    apart(&mut command);
    Ok(command)
}

/// Writes the progress of the work for the process that watches it.
pub(super) struct ProgressWriter {
    file: Option<File>,
}

/// The progress of the work. In the file each number is one more, since there are zeros at first.
struct Reached {
    steps: Option<u64>,
    checkpoint: Option<u64>,
    all: Option<u64>,
}

impl ProgressWriter {
    /// Opens the file of the process that watches; without one, nothing is written.
    pub(super) fn of(file: Option<&Path>) -> anyhow::Result<ProgressWriter> {
        let Some(path) = file else {
            return Ok(ProgressWriter { file: None });
        };
        let file = OpenOptions::new().write(true).open(path);
        let file = file.context("--isolated: the process that watches has ended")?;
        #[cfg(unix)]
        lock::end_with_the_parent(file.try_clone()?, path.to_owned())?;
        Ok(ProgressWriter { file: Some(file) })
    }

    /// Writes the number of steps done.
    pub(super) fn steps(&self, count: u64) {
        self.write(0, count);
    }

    /// Writes the number of steps to do in all.
    pub(super) fn all(&self, count: u64) {
        self.write(2, count);
    }

    /// There is a checkpoint of this step.
    pub(super) fn checkpoint(&self, step: u64) {
        self.write(1, step);
    }

    fn write(&self, place: u64, number: u64) {
        if let Some(mut file) = self.file.as_ref() {
            // Where it fails, the message of a timeout says less.
            let at = file.seek(SeekFrom::Start(8 * place));
            let _ = at.and_then(|_| file.write_all(&(number + 1).to_le_bytes()));
        }
    }
}

impl Reached {
    fn read(mut file: &File) -> Reached {
        let mut number = |place: u64| {
            let mut bytes = [0; 8];
            file.seek(SeekFrom::Start(8 * place)).ok()?;
            file.read_exact(&mut bytes).ok()?;
            u64::from_le_bytes(bytes).checked_sub(1)
        };
        Reached { steps: number(0), checkpoint: number(1), all: number(2) }
    }

    fn text(&self, checkpoint: Option<&Path>) -> String {
        let mut text = match (self.steps, self.all) {
            (None, _) => {
                "before the first step, while inputs were read and the shader was compiled".into()
            }
            (Some(steps), None) => format!("in step {}", steps + 1),
            (Some(steps), Some(all)) if steps < all => format!("in step {} of {all}", steps + 1),
            (Some(steps), _) => format!("after step {steps}, while results were written"),
        };
        if let (Some(step), Some(file)) = (self.checkpoint, checkpoint) {
            text += &format!("; {}", advice(file, step));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_heard() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let heard = || {
            let Reached { steps, checkpoint, .. } = Reached::read(file.as_file());
            (steps, checkpoint)
        };
        assert_eq!(heard(), (None, None));
        let progress = ProgressWriter { file: Some(file.reopen().unwrap()) };
        progress.checkpoint(7);
        assert_eq!(heard(), (None, Some(7)));
        progress.steps(0);
        assert_eq!(heard(), (Some(0), Some(7)));
        progress.steps(300);
        assert_eq!(heard(), (Some(300), Some(7)));
        progress.all(400);
        assert_eq!(Reached::read(file.as_file()).all, Some(400));
    }
}
