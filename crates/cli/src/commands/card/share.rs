//! The file about a device that a person attaches to a report, without what names the person.

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::Value;

use quadrille::io::write_whole;
use quadrille::shader::Api;
use quadrille_lab::card::{Card, Engine, Section};
use quadrille_lab::matmul::{self, Contender, Group, Plan};
use quadrille_lab::survey::{Found, Host, Private};

use crate::output::progress::with_bar;
use crate::prelude::*;
use crate::process::child::Guarded;

/// The name of the file where none is given.
pub(super) const NAME: &str = "quadrille-card.json";

/// Products of matrices, from a loop on the host to the largest blocks on the device.
const LADDER: [&str; 7] =
    ["serial", "element", "sp", "block4x4", "block8x4", "block16x8", "compute-blocked"];
/// The side of their matrices: small enough for an interpreter of shaders.
const SIDE: usize = 256;
const RUNS: usize = 9;
/// The most time of a first answer.
const FIRST_ANSWER: Duration = Duration::from_secs(120);

/// Variables that choose a driver or its way to work. Those with paths are not among them.
const VARIABLES: [&str; 10] = [
    "GALLIUM_DRIVER",
    "GALLIVM_DEBUG",
    "GALLIVM_PERF",
    "LIBGL_ALWAYS_SOFTWARE",
    "LP_NATIVE_VECTOR_WIDTH",
    "LP_NUM_THREADS",
    "MESA_GL_VERSION_OVERRIDE",
    "MESA_GLES_VERSION_OVERRIDE",
    "MESA_LOADER_DRIVER_OVERRIDE",
    "ZINK_DEBUG",
];

#[derive(Serialize)]
struct Shared<'a> {
    /// What systems and drivers say of themselves.
    about: Value,
    loop_budget: Option<u32>,
    /// Of fragment shaders; a sentence names what others do otherwise.
    accuracy: Vec<LargestError<'a>>,
    verdicts: &'a [Section],
    ladder: Vec<Rung>,
    first_answer: FirstAnswer,
}

#[derive(Serialize)]
struct About {
    host: Host,
    environment: BTreeMap<&'static str, String>,
    found: Found,
}

#[derive(Serialize)]
struct LargestError<'a> {
    operation: &'a str,
    range: &'a str,
    /// Nothing where it is not finite.
    max_ulps: f64,
    kept: Option<bool>,
}

#[derive(Serialize)]
struct Rung {
    method: &'static str,
    n: usize,
    gflops: f64,
    /// The interquartile range of the runs, of their median.
    spread: f64,
    right: bool,
}

#[derive(Serialize)]
struct FirstAnswer {
    command: String,
    /// From its start to its end, with nothing cached; nothing where it failed or took too
    /// long.
    seconds: Option<f64>,
}

/// Measures what the card lacks and writes the file.
pub(super) fn write(
    path: &Path,
    context: &Context,
    card: &Card,
    verdicts: &[Section],
) -> anyhow::Result<()> {
    let shared = Shared {
        about: about(context)?,
        loop_budget: card.loop_budget,
        accuracy: largest_errors(card),
        verdicts,
        ladder: ladder(context)?,
        first_answer: first_answer(context)?,
    };
    let json = serde_json::to_string_pretty(&shared)? + "\n";
    interrupt::writing(|| write_whole(path, |file| file.write_all(json.as_bytes())))?;
    output::note(&format!("note: {} is for a report of this device", path.display()));
    Ok(())
}

fn about(context: &Context) -> anyhow::Result<Value> {
    let set = VARIABLES.iter().filter_map(|name| Some((*name, env::var(name).ok()?)));
    let (host, found) = (Host::here(), Found::of(context));
    let mut about = serde_json::to_value(About { host, environment: set.collect(), found })?;
    Private::here().hide(&mut about);
    Ok(about)
}

fn largest_errors(card: &Card) -> Vec<LargestError<'_>> {
    let rows = card.accuracy.iter().filter(|row| row.engine == Engine::Fragment);
    let largest = rows.map(|row| LargestError {
        operation: row.operation,
        range: row.range,
        max_ulps: three_digits(row.max_ulps),
        kept: row.kept,
    });
    largest.collect()
}

fn three_digits(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

fn ladder(context: &Context) -> anyhow::Result<Vec<Rung>> {
    let contenders =
        LADDER.iter().map(|name| name.parse()).collect::<Result<Vec<Contender>, _>>()?;
    let plan = Plan { groups: vec![Group { n: SIDE, contenders }], runs: Some(RUNS) };
    let table = with_bar("ladder", |bar| matmul::run::<f32>(context, &plan, bar))?;
    if table.stopped {
        return Err(interrupt::stopped("; no file is written").into());
    }
    let rungs = table.rows.iter().map(|row| Rung {
        method: row.contender.name(),
        n: row.n,
        gflops: three_digits(row.gflops()),
        spread: three_digits(row.summary.relative_spread()),
        right: row.comparison.is_right(),
    });
    Ok(rungs.collect())
}

/// Solves a system in a process of its own, on the same device, whose driver finds an empty cache.
fn first_answer(context: &Context) -> anyhow::Result<FirstAnswer> {
    let words = ["solve", "--stencil", "poisson5:127"];
    let empty = tempfile::tempdir().context("cannot make a folder for an empty cache")?;
    let mut command = Command::new(env::current_exe().context("cannot find this program's file")?);
    let api = match context.abilities().api {
        Api::Gl => "gl",
        Api::Gles => "gles",
    };
    command.args(words).args(["--api", api]);
    if let Some(device) = context.device() {
        command.args(["--device", &device.index.to_string()]);
    }
    // Mesa's cache, NVIDIA's, and that of what was tuned.
    for name in ["MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH", "QUADRILLE_CACHE"] {
        command.env(name, empty.path());
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let ended = Guarded::start(&mut command)?.wait(FIRST_ANSWER)?;
    let seconds = three_digits(begin.elapsed().as_secs_f64());
    if interrupt::pressed() {
        return Err(interrupt::stopped("; no file is written").into());
    }
    let command = format!("quadrille {}", words.join(" "));
    let why = match ended {
        Some(status) if status.success() => {
            return Ok(FirstAnswer { command, seconds: Some(seconds) });
        }
        Some(_) => "fails on this device".to_owned(),
        None => format!("is not done after {} s on this device", FIRST_ANSWER.as_secs()),
    };
    output::note(&format!("note: `{command}` {why}; the file has no time of it"));
    Ok(FirstAnswer { command, seconds: None })
}
