//! Signals: whenever they come, the command ends in order, and says by its exit code which it was.

use std::collections::BTreeMap;
use std::fs::{File, read_to_string};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::{scope, sleep};
use std::time::Duration;

use crate::common::{is_thorough, mesa};
use crate::runner::{Folder, Run, Running, Signal, data, finish, npy, root, singles};
use quadrille::Context;
use quadrille::data::SplitMix64;
use quadrille::io::npy as arrays;

const ENDLESS: &str = "jacobi --stencil poisson5:128 --tolerance 0 --iterations 1000000000";
const COUNT: &str = "uniform sampler2D x;
layout(location = 0) out float y;
layout(location = 1) out float z;
void main() { y = READ(x, TEXEL).r + 1.0; z = y; }";

/// Every command; some of them end within the first second, so that signals meet their ends.
fn commands() -> Vec<String> {
    let model = data("sat/uf250-02.cnf");
    let endless = data("sat/sgen1_unsat_57_0.cnf");
    let root = root().display().to_string();
    let mut commands = vec![
        format!("{ENDLESS} --output x.npy --json"),
        "jacobi --stencil heat9:64 --picture x.png".into(),
        "run count.frag --input x=a.npy --iterate 1000000000 --feedback y=x --output y=y.npy"
            .into(),
        "run count.frag --input x=a.npy --output y=y.png".into(),
        "matmul a.npy a.npy --check --output c.npy".into(),
        "matmul a.npy a.npy --method block16x8 --json".into(),
        format!("sat {endless} --flips 1000000000000 --json"),
        format!("sat {model}"),
        format!(
            "vp {root}/crates/vector-machine/programs/exponents.vp --input v.npy --output y.npy"
        ),
        "reproduce --quick --output r".into(),
        "reproduce --quick --only device-proofs --output r --json".into(),
    ];
    commands.extend(["doctor", "doctor --json", "card", "card --json", "tune"].map(String::from));
    for bench in ["device", "jacobi", "matmul", "primitives", "sat", "stream", "vector"] {
        commands.push(format!("bench {bench} --json"));
    }
    commands
}

fn folder() -> Folder {
    let folder = Folder::new();
    let numbers: Vec<f32> = (0..128 * 128).map(|i| i as f32 / 1e4).collect();
    folder.write("a.npy", npy("<f4", false, "(128, 128)", &singles(&numbers)));
    folder.write("v.npy", npy("<f4", false, "(16384,)", &singles(&numbers)));
    folder.write("count.frag", COUNT);
    folder
}

/// One or two signals some time within the first second, or half of it; how it ended.
fn interrupted(arguments: &str, random: &mut SplitMix64) -> String {
    let folder = folder();
    let file = |name| File::create(folder.file(name)).unwrap();
    let mut command = folder.command(arguments);
    let mut child = Running::start(command.stdout(file("out")).stderr(file("err")));
    let latest = if is_thorough() { 1000 } else { 500 };
    sleep(Duration::from_millis(random.below(latest)));
    let twice = random.below(3) == 0;
    child.send(Signal::SIGINT);
    if twice {
        sleep(Duration::from_millis(random.below(200)));
        child.send(Signal::SIGINT);
    }
    let status = child.ends_within(Duration::from_secs(120));
    let (out, err) = ["out", "err"].map(|name| read_to_string(folder.file(name)).unwrap()).into();
    let status = status.unwrap_or_else(|| panic!("{arguments} does not end: {out}\n{err}"));
    let what = format!("{arguments}: {status}\n{out}\n{err}");
    for words in ["bug in quadrille", "EGL Api", "double free", "LLVM ERROR", "free():", "munmap"] {
        assert!(!err.contains(words), "{what}");
    }
    if arguments.contains("--json") && !out.is_empty() && !twice {
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{what}");
    }
    for array in folder.names().iter().filter(|name| name.ends_with(".npy")) {
        assert!(arrays::read(folder.file(array)).is_ok(), "{array}: {what}");
    }
    match (status.code(), status.signal()) {
        (Some(130), _) => "130".into(),
        // Its own, the work being done: a model, a card, a product.
        (Some(code @ (0 | 10)), _) => format!("its own {code}"),
        (_, Some(signal)) if signal == Signal::SIGINT as i32 && !err.contains("error") => {
            "the signal, before it is heard".into()
        }
        _ => panic!("{what}"),
    }
}

/// QUADRILLE_INTERRUPTS says how many, QUADRILLE_SEED which. The first half of the commands, unless
/// it is to be thorough.
#[test]
fn an_interrupt_at_any_time_ends_any_command_in_order() {
    let variable = |name, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (count, seed) = (variable("QUADRILLE_INTERRUPTS", 11), variable("QUADRILLE_SEED", 1));
    let (commands, ends) = (commands(), Mutex::new(BTreeMap::<String, u64>::new()));
    const AT_ONCE: u64 = 4;
    scope(|scope| {
        for worker in 0..AT_ONCE {
            let (commands, ends) = (&commands, &ends);
            scope.spawn(move || {
                let mut random = SplitMix64::new(seed * AT_ONCE + worker);
                for i in (worker..count).step_by(AT_ONCE as usize) {
                    let end = interrupted(&commands[i as usize % commands.len()], &mut random);
                    *ends.lock().unwrap().entry(end).or_default() += 1;
                }
            });
        }
    });
    let ends = ends.into_inner().unwrap();
    println!("{count} interrupts: {ends:?}");
    assert_eq!(ends.values().sum::<u64>(), count);
    assert!(ends.contains_key("130"), "no interrupt met a command at work: {ends:?}");
}

/// Sends signals to an endless solve until one of them met its loop.
fn solve_stopped(send: impl Fn(&Running)) -> (Folder, Run) {
    for wait in [1, 3, 9, 27].map(Duration::from_secs) {
        let folder = Folder::new();
        let child = folder.start(&format!("{ENDLESS} --output x.npy --json"));
        sleep(wait);
        send(&child);
        let run = finish(child);
        if !run.err.is_empty() {
            return (folder, run);
        }
    }
    panic!("the loop was never reached")
}

#[test]
fn the_exit_code_and_the_message_tell_the_signal() {
    let told = |signal: Signal, code, words: &str| {
        let (folder, run) = solve_stopped(|child| child.send(signal));
        let run = run.ended(code);
        run.says(&format!("error: stopped by {words} after "));
        assert_eq!(run.json()["stopped"], true);
        assert_eq!(arrays::read(folder.file("x.npy")).unwrap().shape, [128 * 128]);
    };
    told(Signal::SIGTERM, 143, "SIGTERM");
    told(Signal::SIGHUP, 129, "SIGHUP");
    told(Signal::SIGINT, 130, "Ctrl-C");
}

/// `timeout` sends its signal twice; what was computed is kept all the same.
#[test]
fn signals_that_come_together_are_one() {
    let (folder, run) = solve_stopped(|child| {
        child.send(Signal::SIGTERM);
        sleep(Duration::from_millis(5));
        child.send(Signal::SIGTERM);
    });
    run.ended(143).says("stopped by SIGTERM after ");
    assert!(folder.file("x.npy").exists());
}

/// `nohup` and shells' background jobs start a command with signals ignored, and they stay so.
#[test]
fn what_is_ignored_at_the_start_stays_ignored() {
    for (name, signal) in [("HUP", Signal::SIGHUP), ("INT", Signal::SIGINT)] {
        let folder = Folder::new();
        let command = folder.command(ENDLESS);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("trap '' {name}; exec \"$0\" \"$@\""));
        shell.arg(command.get_program()).args(command.get_args()).current_dir(folder.path());
        shell.env("QUADRILLE_DEVICE", "llvmpipe").stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = Running::start(&mut shell);
        // It listens by then, and if it does not, the test holds as well.
        sleep(Duration::from_millis(700));
        child.send(signal);
        assert_eq!(child.ends_within(Duration::from_millis(500)), None, "SIG{name} ended it");
        child.send(Signal::SIGTERM);
        let status = child.ends_within(Duration::from_secs(60)).unwrap();
        assert!(status.code() == Some(143) || status.signal() == Some(15), "{status}");
    }
}

#[test]
fn a_second_press_ends_a_command_that_opens_an_output() {
    let folder = folder();
    let mode = nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR;
    nix::unistd::mkfifo(&folder.file("never-read.npy"), mode).unwrap();
    let outputs = "--output y=first.npy --output z=never-read.npy";
    let mut child = folder.start(&format!("run count.frag --input x=a.npy {outputs}"));
    while !folder.file("first.npy").exists() {
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(200));
    child.send(Signal::SIGINT);
    // The first waits for what is being written.
    assert_eq!(child.ends_within(Duration::from_millis(500)), None);
    child.send(Signal::SIGINT);
    let status = child.ends_within(Duration::from_secs(5)).unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(arrays::read(folder.file("first.npy")).is_ok());
}

/// A shader that never ends where a renderer ends no loop by itself: softpipe is one.
const FOREVER: &str = "uniform float stop; out float y;
void main() { float x = 0.0; while (stop < 1.0) { x = fract(x * 1.7 + 0.3); } y = x; }";

/// A command that is in a pass which does not return, on softpipe.
fn in_a_pass(folder: &Folder, arguments: &str) -> Running {
    folder.write("forever.frag", FOREVER);
    let text = "[pass.p]\nshader = \"forever.frag\"\nuniform.stop = 0\nsize = [8, 8]\n";
    folder.write("forever.run.toml", text);
    let mut command = folder.command(arguments);
    let file = |name| File::create(folder.file(name)).unwrap();
    command.env("QUADRILLE_DEVICE", "").env("GALLIUM_DRIVER", "softpipe");
    let mut child = Running::start(command.stdout(file("out")).stderr(file("err")));
    // What comes before the pass takes less.
    while processor_time(child.id()) < Duration::from_secs(1) {
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(50));
    }
    child
}

/// What a process and those that it has started have computed for, their threads together.
fn processor_time(id: u32) -> Duration {
    // A process may end meanwhile.
    let stat = read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap());
    let own = Duration::from_millis(10 * ticks.sum::<u64>());
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let started = threads.filter_map(|thread| read_to_string(thread.path().join("children")).ok());
    let started: Vec<u32> = started
        .flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect();
    started.into_iter().map(processor_time).fold(own, |sum, time| sum + time)
}

/// Each of which takes a core until it is ended.
fn in_passes() -> impl Iterator<Item = &'static str> {
    IN_A_PASS.into_iter().take(if is_thorough() { IN_A_PASS.len() } else { 1 })
}

const IN_A_PASS: [&str; 3] = [
    "run forever.frag --uniform stop=0 --size 8x8 --output y=y.npy --json",
    "run forever.run.toml --output p.y=y.npy --json",
    "run forever.frag --uniform stop=0 --size 8x8 --timeout 600 --json",
];

/// In threads, since each takes as long as a command may take to stop.
#[test]
fn a_pass_that_does_not_return_is_given_up_after_ten_seconds() {
    let signals = [
        (Signal::SIGTERM, 143, "SIGTERM"),
        (Signal::SIGINT, 130, "Ctrl-C"),
        (Signal::SIGHUP, 129, "SIGHUP"),
    ];
    let given_up = |arguments: &str, (signal, code, name): (Signal, i32, &str)| {
        let folder = Folder::new();
        let mut child = in_a_pass(&folder, arguments);
        child.send(signal);
        let early = child.ends_within(Duration::from_secs(8));
        assert_eq!(early, None, "{arguments}: {}", read_to_string(folder.file("err")).unwrap());
        let status = child.ends_within(Duration::from_secs(12)).unwrap();
        let [out, err] = ["out", "err"].map(|name| read_to_string(folder.file(name)).unwrap());
        assert_eq!(status.code(), Some(code), "{arguments}: {err}");
        let words = format!(
            "error: stopped by {name}: a pass, or the reader of a pipe, did not return for 10 s"
        );
        assert_eq!(err.matches(&words).count(), 1, "{err}");
        assert_eq!(out, "");
        let left = ["err", "forever.frag", "forever.run.toml", "out"];
        assert!(
            folder.names().iter().all(|name| left.contains(&name.as_str())),
            "{:?}",
            folder.names()
        );
    };
    scope(|scope| {
        for (arguments, signal) in in_passes().zip(signals) {
            scope.spawn(move || given_up(arguments, signal));
        }
    });
}

#[test]
fn a_second_signal_ends_a_pass_that_does_not_return_at_once() {
    scope(|scope| {
        for arguments in in_passes() {
            scope.spawn(move || {
                let folder = Folder::new();
                let mut child = in_a_pass(&folder, arguments);
                child.send(Signal::SIGTERM);
                assert_eq!(child.ends_within(Duration::from_millis(300)), None);
                child.send(Signal::SIGTERM);
                let status = child.ends_within(Duration::from_secs(3)).unwrap();
                assert_eq!(status.code(), Some(143));
                assert_eq!(read_to_string(folder.file("out")).unwrap(), "");
            });
        }
    });
}

/// A pipe that nobody reads is waited for as long, and the temporary file of another output goes.
#[test]
fn a_pipe_that_nobody_reads_is_given_up_after_ten_seconds() {
    let folder = folder();
    let mode = nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR;
    nix::unistd::mkfifo(&folder.file("never-read.npy"), mode).unwrap();
    let mut child = folder
        .start("run count.frag --input x=a.npy --output y=first.npy --output z=never-read.npy");
    while !folder.file("first.npy").exists() {
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(200));
    child.send(Signal::SIGTERM);
    assert_eq!(child.ends_within(Duration::from_secs(8)), None);
    let status = child.ends_within(Duration::from_secs(10)).unwrap();
    assert_eq!(status.code(), Some(143));
    assert!(arrays::read(folder.file("first.npy")).is_ok());
    assert!(!folder.names().iter().any(|name| name.starts_with(".quadrille-")));
}

/// A run of a shader that the driver's cache does not have.
fn compiled(folder: &Folder, arguments: &str) -> Run {
    let mut command = folder.command(arguments);
    finish(Running::start(command.env("MESA_SHADER_CACHE_DISABLE", "true")))
}

/// Mesa divides constants by the processor's own instruction, which ends the process where a
/// quotient does not exist. Another driver may compute something.
#[test]
fn a_shader_that_crashes_its_driver_is_named_before() {
    let folder = Folder::new();
    for operator in ["/", "%"] {
        let text = format!("out int z; void main() {{ z = (-2147483647 - 1) {operator} -1; }}");
        folder.write("crash.frag", text);
        let run = compiled(&folder, "run crash.frag --size 1x1");
        match run.code {
            Some(code) => assert_eq!(code, 0, "{}", run.err),
            None => run.says("error: the driver crashed while it compiled crash.frag"),
        }
    }
}

/// Compilers descend an expression by recursion, further than a usual stack goes; that of Mesa 25 descends further than
/// the one that they get here, which ends the process after half a minute.
#[test]
fn an_expression_of_many_terms_compiles() {
    let folder = Folder::new();
    let is_new = mesa(&Context::headless().unwrap()) > Some((22, 3));
    let terms = if is_new { 2_000 } else { 20_000 };
    let text = format!("out float y; void main() {{ y = 0.0{}; }}", " + 1.0".repeat(terms));
    folder.write("long.frag", text);
    let run = compiled(&folder, "run long.frag --size 1x1").ended(0);
    assert!(run.out.contains(&format!("{terms} to {terms}")), "{}", run.out);
}
