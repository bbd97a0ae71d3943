//! Runs that are broken off and go on: checkpoints, and time limits.

use std::fs::{self, File};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

use super::refused;
use crate::runner::{Folder, Run, Running, Signal, finish, npy, singles};

/// Whatever is lost of a state, or is done twice, shows in all later ones.
const MIX: &str = "uniform sampler2D x;
uniform sampler2D y;
uniform float factor;
uniform int iteration;
layout(location = 0) out vec3 next;
layout(location = 1) out float other;
void main() {
    vec3 old = READ(x, TEXEL).rgb;
    next = fract(old.gbr * factor + READ(y, TEXEL).r + float(iteration) * 0.001);
    other = old.r - old.b;
}
";

/// A shader that never returns where nothing ends its loop, which begins at a step.
const ENDLESS: &str = "uniform sampler2D x;
uniform int iteration;
uniform int from;
out float y;
void main() {
    float sum = READ(x, TEXEL).r;
    int step = iteration >= from ? 0 : 1;
    for (int i = 0; i < 1; i += step) { sum += 1.0; }
    y = sum;
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mix.frag", MIX);
    folder.write("endless.frag", ENDLESS);
    folder.write("y.npy", npy("<f4", false, "(5, 7)", &singles(&[0.125; 35])));
    folder
}

const INPUTS: &str =
    "--input x=random:7x5x3 --input y=y.npy --uniform factor=1.7 --feedback next=x";
const OUTPUTS: &str = "--output next=next.npy --output other=other.npy";

fn results(folder: &Folder) -> [Vec<u8>; 2] {
    ["next.npy", "other.npy"].map(|name| fs::read(folder.file(name)).unwrap())
}

/// The results of a run without a break.
fn whole(folder: &Folder, steps: u64) -> [Vec<u8>; 2] {
    folder.run(&format!("run mix.frag {INPUTS} {OUTPUTS} --iterate {steps}")).ended(0);
    let whole = results(folder);
    for name in ["next.npy", "other.npy"] {
        fs::remove_file(folder.file(name)).unwrap();
    }
    whole
}

fn wait_for(folder: &Folder, child: &mut Running, name: &str) {
    let begun = Instant::now();
    while !folder.names().iter().any(|there| there == name) {
        assert!(child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_killed_run_goes_on_with_the_same_bits() {
    let folder = folder();
    let steps = 2_000;
    let whole = whole(&folder, steps);
    let run = format!(
        "run mix.frag {INPUTS} {OUTPUTS} --iterate {steps} --checkpoint c --checkpoint-every 7"
    );
    let mut child = folder.start(&run);
    wait_for(&folder, &mut child, "c");
    let mut kills = 0;
    loop {
        sleep(Duration::from_millis(40 + 17 * kills));
        if child.try_wait().unwrap().is_some() || kills == 6 {
            break;
        }
        child.send(Signal::SIGKILL);
        child.wait().unwrap();
        kills += 1;
        child = folder.start(&format!("{run} --resume c"));
        sleep(Duration::from_millis(150));
    }
    assert!(kills > 0, "nothing was killed");
    finish(child).ended(0).says("note: goes on from step ");
    assert_eq!(results(&folder), whole, "after {kills} kills");
}

#[test]
fn a_run_that_ended_can_be_longer_and_a_stopped_one_keeps_its_last_step() {
    let folder = folder();
    let whole = whole(&folder, 50);
    let run = format!("run mix.frag {INPUTS} {OUTPUTS} --checkpoint c --checkpoint-every 1000");
    folder.run(&format!("{run} --iterate 20")).ended(0);
    folder
        .run(&format!("{run} --iterate 50 --resume c"))
        .ended(0)
        .says("goes on from step 20 of 50");
    assert_eq!(results(&folder), whole);
    // There is nothing to do, and what was done is written again.
    fs::remove_file(folder.file("next.npy")).unwrap();
    folder.run(&format!("run mix.frag {INPUTS} {OUTPUTS} --iterate 50 --resume c")).ended(0);
    assert_eq!(results(&folder), whole);
    refused(
        &folder,
        &format!("mix.frag {INPUTS} --iterate 49 --resume c"),
        &["step 50", "--iterate 49"],
    );

    let endless = run.replace("--checkpoint c", "--checkpoint d");
    let mut child = folder.start(&format!("{endless} --iterate 1000000000"));
    wait_for(&folder, &mut child, "d");
    child.send(Signal::SIGINT);
    let run = finish(child).ended(130);
    let after = run.err.split("after ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let last: u64 = after.parse().unwrap();
    let stopped = results(&folder);
    let again = folder.run(&format!("run mix.frag {INPUTS} {OUTPUTS} --iterate {last} --resume d"));
    again.ended(0).says(&format!("from step {last} of {last}"));
    assert_eq!(results(&folder), stopped);
}

#[test]
fn frames_go_on_with_their_numbers() {
    let folder = folder();
    let run = format!("run mix.frag {INPUTS} --output other=f-%d.npy --every 5 --checkpoint c");
    folder.run(&format!("{run} --iterate 12")).ended(0);
    folder.run(&format!("{run} --iterate 21 --resume c")).ended(0).says("from step 12 of 21");
    let frames =
        [5, 10, 15, 20].map(|step| fs::read(folder.file(&format!("f-{step}.npy"))).unwrap());
    let run = format!("run mix.frag {INPUTS} --output other=g-%d.npy --every 5 --iterate 21");
    folder.run(&run).ended(0);
    assert_eq!(
        frames,
        [5, 10, 15, 20].map(|step| fs::read(folder.file(&format!("g-{step}.npy"))).unwrap())
    );
}

#[test]
fn a_sequence_goes_on_with_the_frame_of_the_step() {
    let folder = folder();
    for number in 3..=12_u8 {
        let numbers = [f32::from(number) / 16.0; 35];
        folder.write(&format!("y-{number}.npy"), npy("<f4", false, "(5, 7)", &singles(&numbers)));
    }
    let inputs = INPUTS.replace("y.npy", "y-%d.npy");
    folder.run(&format!("run mix.frag {inputs} {OUTPUTS}")).ended(0);
    let whole = results(&folder);
    let run = format!("run mix.frag {inputs} {OUTPUTS} --checkpoint c --checkpoint-every 4");
    folder.run(&format!("{run} --iterate 6")).ended(0);
    folder.run(&format!("{run} --resume c")).ended(0).says("from step 6 of 10");
    assert_eq!(results(&folder), whole);
}

#[test]
fn the_checkpoint_of_another_run_or_a_damaged_one_is_refused() {
    let folder = folder();
    let run = format!("mix.frag {INPUTS} --iterate 9");
    folder.run(&format!("run {run} --checkpoint c --checkpoint-every 4")).ended(0);
    let resumed = format!("{run} --resume c");
    folder.write("other.frag", MIX.replace("0.001", "0.002"));
    for (wrong, right, part) in [
        ("other.frag", "mix.frag", "digest of the shader: expected "),
        ("--seed 2 --feedback", "--feedback", "seed: expected 2, got 1"),
    ] {
        let other = resumed.replacen(right, wrong, 1);
        refused(&folder, &other, &["c: the checkpoint is of another experiment", part]);
    }
    refused(&folder, &format!("{run} --resume none"), &["none: cannot read it"]);
    let mut bytes = fs::read(folder.file("c")).unwrap();
    let last = bytes.len() - 10;
    bytes[last] ^= 1;
    fs::write(folder.file("c"), &bytes).unwrap();
    refused(&folder, &resumed, &["c: expected numbers with the checksum"]);
}

#[test]
fn flags_of_checkpoints_that_cannot_be_are_refused() {
    let folder = folder();
    let run = format!("mix.frag {INPUTS} --iterate 9");
    refused(&folder, &format!("{run} --checkpoint c"), &["--checkpoint c", "--checkpoint-every K"]);
    refused(&folder, &format!("{run} --checkpoint-every 4"), &["--checkpoint <FILE>"]);
    refused(
        &folder,
        &format!("{run} --checkpoint c --checkpoint-every 0"),
        &["--checkpoint-every"],
    );
    refused(&folder, &format!("{run} --checkpoint no/c --every 3"), &["no/c", "folder"]);
    refused(
        &folder,
        &format!("{run} --checkpoint y.npy --every 3"),
        &["y.npy: the file is there already", "--resume y.npy"],
    );
    refused(&folder, &format!("{run} --resume c --save-test t"), &["--resume", "--save-test"]);
    for seconds in ["0", "-1", "x", "inf", "nan"] {
        refused(&folder, &format!("{run} --timeout={seconds}"), &["--timeout", "seconds"]);
    }
    refused(&folder, &format!("{run} --timeout 5 --view"), &["--timeout", "--view"]);
}

/// Runs on a renderer that does not end loops.
fn softpipe(folder: &Folder, arguments: &str) -> Command {
    let mut command = folder.command(arguments);
    command.env("GALLIUM_DRIVER", "softpipe").env("QUADRILLE_DEVICE", "softpipe");
    command
}

fn run_on_softpipe(folder: &Folder, arguments: &str) -> Run {
    finish(Running::start(&mut softpipe(folder, arguments)))
}

/// How many processes work in a folder.
fn at_work(folder: &Folder) -> usize {
    let there = |entry: &fs::DirEntry| fs::read_link(entry.path().join("cwd")).ok();
    let all = fs::read_dir("/proc").unwrap().flatten();
    all.filter_map(|entry| there(&entry)).filter(|cwd| cwd == folder.path()).count()
}

#[test]
fn an_endless_shader_ends_at_its_limit_and_what_was_written_stays() {
    let folder = folder();
    let run = "run endless.frag --input x=zeros:3x2 --feedback y=x --iterate 100 --uniform from=20 \
               --output y=y-%d.npy --every 4 --checkpoint c --checkpoint-every 8 --timeout 4";
    let begun = Instant::now();
    let run = run_on_softpipe(&folder, run).ended(1);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    for part in
        ["--timeout 4", "in step 2", "of 100", "c has the state after step 16", "--resume c"]
    {
        run.says(part);
    }
    assert_eq!(run.out, "");
    assert_eq!(at_work(&folder), 0);
    for step in [4, 8, 12, 16] {
        let numbers = super::floats(&folder, &format!("y-{step}.npy")).1;
        assert_eq!(numbers, [step as f32; 6]);
    }
    assert!(!folder.names().contains(&"y-24.npy".into()));
    let on = "run endless.frag --input x=zeros:3x2 --feedback y=x --iterate 18 --uniform from=20 --resume c";
    run_on_softpipe(&folder, on).ended(0).says("from step 16 of 18");
}

#[test]
fn a_run_within_its_limit_is_as_without_one() {
    let folder = folder();
    let whole = whole(&folder, 30);
    let run = format!("run mix.frag {INPUTS} {OUTPUTS} --iterate 30 --timeout 60");
    let limited = folder.run(&run).ended(0);
    assert_eq!(results(&folder), whole);
    let free = folder.run(&run.replace("--timeout 60", "")).ended(0);
    assert_eq!((limited.out, limited.err), (free.out, free.err));
    let mistake = folder.run(&format!("{run} --output none=a.npy")).ended(2);
    mistake.says("the shader has no output `none`");
    assert_eq!(mistake.err.matches("error").count(), 1, "{}", mistake.err);
}

#[test]
fn an_interrupt_reaches_the_work_and_its_end_is_that_of_the_command() {
    let folder = folder();
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let name = format!("c{code}");
        let run = format!(
            "run mix.frag {INPUTS} {OUTPUTS} --iterate 1000000000 --timeout 60 --checkpoint {name} --checkpoint-every 5"
        );
        let mut child = folder.start(&run);
        wait_for(&folder, &mut child, &name);
        child.send(signal);
        finish(child).ended(code).says("that state was kept");
        results(&folder);
        assert_eq!(at_work(&folder), 0);
    }
}

#[test]
fn the_work_ends_with_the_process_that_watches_it() {
    let folder = folder();
    let run = "run endless.frag --input x=zeros:3x2 --feedback y=x --iterate 100 --uniform from=2 --output y=y-%d.npy --timeout 600";
    let mut child = Running::start(&mut softpipe(&folder, run));
    wait_for(&folder, &mut child, "y-1.npy");
    assert_eq!(at_work(&folder), 2);
    child.send(Signal::SIGKILL);
    child.wait().unwrap();
    let begun = Instant::now();
    while at_work(&folder) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the work goes on");
        sleep(Duration::from_millis(10));
    }
}

/// The worker asks for the lock of the file that its parent holds, so that it sees the end of a
/// parent at any time, also before it could look.
#[test]
fn the_process_of_the_work_ends_with_the_one_that_watches_it() {
    let folder = folder();
    let limit = Duration::from_secs(20);
    let worker = format!("run --isolated watched mix.frag {INPUTS} --iterate 1000000000");
    let watched = File::create(folder.file("watched")).unwrap();
    flock(&watched, FlockOperation::LockExclusive).unwrap();
    let mut child = folder.start(&worker);
    // It computes while the lock is held.
    let begun = Instant::now();
    while fs::metadata(folder.file("watched")).unwrap().len() == 0 {
        assert!(begun.elapsed() < limit && child.try_wait().unwrap().is_none(), "it tells nothing");
        sleep(Duration::from_millis(20));
    }
    drop(watched);
    finish(child).ended(1);
    assert!(!folder.file("watched").exists(), "what a killed parent leaves is removed");

    // The parent has ended before the worker began.
    File::create(folder.file("watched")).unwrap();
    finish(folder.start(&worker)).ended(1);
}
