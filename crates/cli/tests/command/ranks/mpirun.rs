//! The command, started by `mpirun`.

use std::process::{Command, Stdio};

use nix::unistd::Pid;

use crate::runner::{Folder, Run, Running};

/// Several ranks of the command with these arguments, on the software renderer. The launcher says
/// nothing of its own.
pub(super) fn mpirun(folder: &Folder, ranks: usize, arguments: &str) -> Command {
    let one = folder.command(arguments);
    let mut command = Command::new("mpirun");
    command.args(["--quiet", "--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    command.arg(one.get_program()).args(one.get_args());
    command.current_dir(folder.path());
    for (name, value) in one.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // Tests may run as root.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A run that said this, and no other error.
#[track_caller]
pub(super) fn one_error(run: &Run, text: &str) {
    run.says(text);
    assert_eq!(run.err.matches("error: ").count(), 1, "{}", run.err);
    assert_eq!(run.out, "");
}

/// The ranks of a launcher: its children.
pub(super) fn ranks(launcher: &Running) -> Vec<Pid> {
    let path = format!("/proc/{0}/task/{0}/children", launcher.id());
    let children = std::fs::read_to_string(path).unwrap_or_default();
    children.split_whitespace().map(|pid| Pid::from_raw(pid.parse().unwrap())).collect()
}

/// The state of a process and its name, as the system has them: nothing of one that there is not.
pub(super) fn state(rank: Pid) -> String {
    let status = std::fs::read_to_string(format!("/proc/{rank}/status")).unwrap_or_default();
    let wanted =
        status.lines().filter(|line| line.starts_with("Name:") || line.starts_with("State:"));
    wanted.collect::<Vec<_>>().join(" ")
}
