//! `tests/in_processes`, which runs the tests that draw.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

/// A program of tests, as far as the runner asks: seven tests, of which one prints, and one fails where `FAILS` names it.
const PROGRAM: &str = r#"#!/bin/sh
if [ "$1" = --list ]; then
    for test in a b c d e f g; do echo "$test: test"; done
    echo "speed: benchmark"
    exit
fi
shift 4
echo "running $# tests"
failed=0
for test; do
    sleep 0.3
    [ "$test" = e ] && echo "a word of e"
    [ "$test" = "$FAILS" ] && failed=1
done
echo
echo "test result: ok. $(($# - failed)) passed; $failed failed; 0 ignored; 0 measured; 0 filtered out"
exit $failed
"#;

fn ran(period: &str, fails: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let deps = folder.path().join("deps");
    std::fs::create_dir(&deps).unwrap();
    let program = deps.join("device-0123");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let runner = concat!(env!("CARGO_MANIFEST_DIR"), "/in_processes");
    let mut command = Command::new(runner);
    command.arg(&program).env("SIGN_OF_LIFE_SECONDS", period).env("FAILS", fails);
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn tests_in_processes_show_a_sign_of_life_and_one_result() {
    let ran = ran("0.1", "");
    let text = text(&ran);
    assert!(ran.status.success() && ran.stderr.is_empty(), "{text}");
    let signs = text.lines().filter(|line| line.contains(" of 7 tests after ")).count();
    assert!(signs >= 1, "{text}");
    for line in ["running 7 tests in ", "a word of e\n", "result: ok. 7 passed; 0 failed"] {
        assert!(text.contains(line), "no {line}: {text}");
    }
}

#[test]
fn tests_in_processes_do_not_wait_for_the_next_sign_of_life() {
    let begun = std::time::Instant::now();
    let ran = ran("1000", "");
    assert!(begun.elapsed().as_secs() < 100 && !text(&ran).contains("tests after"));
}

#[test]
fn a_failure_in_a_process_fails_them_all() {
    let ran = ran("0.1", "c");
    let text = text(&ran);
    assert!(!ran.status.success(), "{text}");
    for line in ["exit code 1 of the tests c d\n", "result: FAILED. 6 passed; 1 failed"] {
        assert!(text.contains(line), "no {line}: {text}");
    }
}
