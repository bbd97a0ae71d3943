//! `tests/in_processes`, which runs the tests that draw.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::files::root;

/// A program of tests, as far as the runner asks, which prints dots as several of them do: seven
/// tests, of which one prints a word, one fails where `FAILS` names it, and the last waits for a
/// file where `WAITS` names one, a minute at most.
const PROGRAM: &str = r#"#!/bin/sh
if [ "$1" = --list ]; then
    for test in a b c d e f g; do echo "$test: test"; done
    echo "speed: benchmark"
    exit
fi
shift 4
printf "\nrunning $# tests\n"
failed=0
for test; do
    printf .
    [ "$test" = e ] && printf "\na word of e\n"
    [ "$test" = "$FAILS" ] && failed=1
    if [ "$test" = g ] && [ "$WAITS" ]; then
        for time in $(seq 600); do [ -e "$WAITS" ] || sleep 0.1; done
    fi
done
printf "\n\n.test result: ok. $(($# - failed)) passed; $failed failed; 0 ignored; 0 measured; 0 filtered out\n\n"
exit $failed
"#;

/// The runner with a program of tests in a folder.
fn runner(folder: &Path) -> Command {
    let deps = folder.join("deps");
    std::fs::create_dir(&deps).unwrap();
    let program: PathBuf = deps.join("device-0123");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(root().join("tests/in_processes"));
    command.arg(&program).env("SIGN_OF_LIFE_SECONDS", "1");
    command
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn tests_in_processes_show_a_sign_of_life_while_one_of_them_runs() {
    let folder = tempfile::tempdir().unwrap();
    let waits = folder.path().join("go");
    let mut command = runner(folder.path());
    let mut child = command.env("WAITS", &waits).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let (mut said, begun) = (String::new(), Instant::now());
    while !said.contains("\n6 of 7 tests after ") && begun.elapsed() < Duration::from_secs(50) {
        assert!(out.read_line(&mut said).unwrap() > 0, "{said}");
    }
    std::fs::write(&waits, "").unwrap();
    out.read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    for line in ["\n6 of 7 tests after ", "\na word of e\n", "\nrunning 7 tests in "] {
        assert!(said.contains(line), "no `{line}`: {said}");
    }
    assert!(said.ends_with("\ntest result: ok. 7 passed; 0 failed; 0 ignored\n\n"), "{said}");
    assert!(said.lines().all(|line| !line.starts_with('.')), "no dots: {said}");
}

#[test]
fn a_failure_in_a_process_fails_them_all() {
    let folder = tempfile::tempdir().unwrap();
    let ran = runner(folder.path()).env("FAILS", "c").output().unwrap();
    let text = text(&ran);
    assert!(!ran.status.success(), "{text}");
    for line in ["\nexit code 1 of the tests c d\n", "result: FAILED. 6 passed; 1 failed"] {
        assert!(text.contains(line), "no `{line}`: {text}");
    }
}
