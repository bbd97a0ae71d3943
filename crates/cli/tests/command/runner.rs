//! Runs the command in a folder of its own and looks at all that it leaves.
#![allow(unreachable_pub, reason = "the parts of a test are private to it")]

mod running;

use std::process::{Command, Stdio};

use crate::common::is_thorough;
pub use crate::files::{Folder, data, doubles, npy, root, singles};
pub use running::{Running, Signal};
use serde_json::Value;

/// The outcome of a run.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Folder {
    /// The command with these arguments, separated by spaces, on the software renderer.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = program();
        command.current_dir(self.path()).args(arguments.split_whitespace());
        command.env("QUADRILLE_DEVICE", "llvmpipe");
        // What was tuned on this machine is no part of a test.
        command.env("QUADRILLE_CACHE", self.file("cache"));
        // Set where these tests run in CI; it forbids some of what they test.
        command.env_remove("CI");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start(&self, arguments: &str) -> Running {
        Running::start(&mut self.command(arguments))
    }

    pub fn run(&self, arguments: &str) -> Run {
        finish(self.start(arguments))
    }
}

/// The command as it was built with these tests, or as QUADRILLE_COMMAND says it, a program and what
/// it runs: `wine64 quadrille.exe`.
fn program() -> Command {
    let named = std::env::var("QUADRILLE_COMMAND").unwrap_or_default();
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(env!("CARGO_BIN_EXE_quadrille")));
    command.args(words);
    command
}

/// Returns the loop budget of the device that the command takes; versions of Mesa differ.
pub fn loop_budget() -> Option<u32> {
    quadrille::Context::headless().unwrap().loop_budget().unwrap()
}

/// A path as the command writes it, which may be one for Windows: see [`program`].
pub fn path(path: &str) -> String {
    let windows = std::env::var("QUADRILLE_COMMAND").is_ok_and(|named| named.ends_with(".exe"));
    if windows || cfg!(windows) { path.replace('/', "\\") } else { path.into() }
}

/// A command that a document shows: as it stands with `QUADRILLE_THOROUGH=1`, else with a hundred
/// iterations for four thousand, which take seconds.
pub fn brief(command: &str) -> String {
    let fewer = if is_thorough() { "--iterate 4000" } else { "--iterate 100" };
    command.replace("--iterate 4000", fewer)
}

/// Waits for a run to end. Whatever it says, it says without control characters: these are pipes.
pub fn finish(child: impl Into<Running>) -> Run {
    let output = child.into().output();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let run =
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    for text in [&run.out, &run.err] {
        let control = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(control, None, "{text}");
    }
    run
}

impl Run {
    /// The run, which must have ended with this code.
    #[track_caller]
    pub fn ended(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    /// Standard output, which must be one JSON object and nothing else.
    #[track_caller]
    pub fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err));
        assert!(value.is_object());
        value
    }

    #[track_caller]
    pub fn says(&self, text: &str) {
        assert!(self.err.contains(text), "expected `{text}` in: {}", self.err);
    }
}
