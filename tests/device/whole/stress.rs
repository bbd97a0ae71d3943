//! Random steps on several contexts and threads, each compared with a model on the host, texel by
//! texel; and a long run of one pass.
//!
//! `QUADRILLE_STRESS_SECONDS` is how long the random steps take, 4 unless it is set: half of it in
//! one thread, half in three. `QUADRILLE_STRESS_SEED` is the first seed, 1 unless it is set: a
//! failure names the seed that shows it at once.
#![allow(dead_code, unreachable_pub, reason = "the parts of a test are private to it")]

mod device;
mod model;
mod operation;
mod outcome;
mod soak;
mod texture;
mod world;

use device::Device;
use model::Model;
use operation::{Operation, operations};
use outcome::Outcome;
use std::fmt;
use std::time::{Duration, Instant};

/// Steps from one seed, before all is dropped and counted.
const STEPS: usize = 1500;

/// A mistake made on purpose, after a step: what the test must find.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// One texel of one texture of the model is another.
    Texel { step: usize },
    /// The device leaves out a step.
    LeftOut { step: usize },
    /// A texture is never deleted.
    Leak { step: usize },
}

/// The step at which the device and the model differ.
#[derive(Debug)]
struct Failure {
    seed: u64,
    /// How many steps were applied, the last of which shows it.
    prefix: usize,
    what: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { seed, prefix, what } = self;
        writeln!(f, "seed {seed} fails after {prefix} steps: {what}\nthe last of them:")?;
        let steps: Vec<Operation> = operations(*seed).take(*prefix).collect();
        for (index, step) in steps.iter().enumerate().skip(prefix.saturating_sub(12)) {
            writeln!(f, "{index:6} {step:?}")?;
        }
        write!(f, "again: QUADRILLE_STRESS_SEED={seed} cargo test --test stress")
    }
}

/// Counts of the work done.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    seeds: u64,
    steps: u64,
    refused: u64,
    passes: u64,
}

/// Applies the steps of a seed. With `closely` every texture is compared after every step.
fn run(seed: u64, steps: usize, closely: bool, fault: Option<Fault>) -> Result<Counts, Failure> {
    let (mut model, mut device) = (Model::default(), Device::default());
    let mut counts = Counts { seeds: 1, ..Counts::default() };
    let failure = |prefix, what| Failure { seed, prefix, what };
    for (index, operation) in operations(seed).take(steps).enumerate() {
        let expected = model.apply(operation);
        let got = match fault {
            Some(Fault::LeftOut { step }) if step == index => expected.clone(),
            _ => device.apply(operation),
        };
        match fault {
            Some(Fault::Texel { step }) if step == index => model.textures[0].texels[0] += 1,
            Some(Fault::Leak { step }) if step == index => {
                model.textures.swap_remove(device.leak());
            }
            _ => {}
        }
        counts.steps += 1;
        counts.refused += u64::from(matches!(expected, Outcome::Refused(_)));
        if got != expected {
            return Err(failure(index + 1, format!("expected {expected:?}, got {got:?}")));
        }
        if closely {
            compare(&model, &device).map_err(|what| failure(index + 1, what))?;
        }
    }
    compare(&model, &device).map_err(|what| failure(steps, what))?;
    counts.passes = device.passes;
    device.end(seed).map_err(|what| failure(steps, what))?;
    Ok(counts)
}

fn compare(model: &Model, device: &Device) -> Result<(), String> {
    let got = device.texels().map_err(|outcome| format!("{outcome:?}"))?;
    let expected: Vec<&[i32]> =
        model.textures.iter().map(|texture| texture.texels.as_slice()).collect();
    difference(&got, &expected).map_or(Ok(()), Err)
}

/// Says where textures differ.
fn difference(got: &[Vec<i32>], expected: &[&[i32]]) -> Option<String> {
    if got.len() != expected.len() {
        return Some(format!("expected {} textures, got {}", expected.len(), got.len()));
    }
    let index = (0..got.len()).find(|&index| got[index] != expected[index])?;
    let (got, expected) = (&got[index], expected[index]);
    let at = (0..expected.len()).find(|&at| got.get(at) != Some(&expected[at]));
    Some(match at {
        Some(at) => {
            let (want, got) = (expected[at], got.get(at));
            format!("texture {index}, texel {at}: expected {want}, got {got:?}")
        }
        None => format!("texture {index}: expected {} texels, got {}", expected.len(), got.len()),
    })
}

#[test]
fn a_texel_that_differs_is_missing_or_too_many_is_named() {
    let expected: [&[i32]; 3] = [&[1], &[2, 3, 4], &[]];
    let right = expected.map(<[i32]>::to_vec);
    assert_eq!(difference(&right, &expected), None);
    for (texture, texel) in [(0, 0), (1, 0), (1, 1), (1, 2)] {
        let mut wrong = right.clone();
        wrong[texture][texel] += 1;
        let said = difference(&wrong, &expected).unwrap();
        assert!(said.starts_with(&format!("texture {texture}, texel {texel}: ")), "{said}");
        wrong[texture].truncate(texel);
        assert!(difference(&wrong, &expected).is_some());
    }
    for texture in 0..3 {
        let mut wrong = right.clone();
        wrong[texture].push(0);
        assert!(difference(&wrong, &expected).is_some(), "a texel more in {texture}");
    }
    assert!(difference(&right[..2], &expected).is_some());
    assert!(difference(&right, &expected[..2]).is_some());
}

/// Applies the steps of a seed, and finds the fewest that fail where any do.
fn run_or_shorten(seed: u64, fault: Option<Fault>) -> Result<Counts, Failure> {
    run(seed, STEPS, false, fault).map_err(|failure| {
        let shorter = run(seed, failure.prefix, true, fault);
        shorter.err().unwrap_or(failure)
    })
}

/// Takes seed after seed until the time is up.
fn stress(first: u64, seeds_apart: u64, time: Duration) -> Counts {
    let start = Instant::now();
    let mut counts = Counts::default();
    while start.elapsed() < time {
        let seed = first + counts.seeds * seeds_apart;
        let more = run_or_shorten(seed, None).unwrap_or_else(|failure| panic!("{failure}"));
        counts.seeds += 1;
        counts.steps += more.steps;
        counts.refused += more.refused;
        counts.passes += more.passes;
    }
    counts
}

fn variable(name: &str, default: u64) -> u64 {
    let text = std::env::var(name);
    text.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}: no number")))
}

#[test]
fn random_steps_agree_with_the_model_in_one_thread_and_in_three() {
    let time = Duration::from_secs(variable("QUADRILLE_STRESS_SECONDS", 4)) / 2;
    let seed = variable("QUADRILLE_STRESS_SEED", 1);
    eprintln!("from seed {seed}");
    eprintln!("one thread: {:?}", stress(seed, 1, time));
    let threads = [0, 1, 2]
        .map(|thread| std::thread::spawn(move || stress(seed + (1 << 32) + thread, 3, time)));
    for thread in threads {
        let counts = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        eprintln!("one of three: {counts:?}");
    }
}

#[test]
fn a_planted_fault_is_found_and_its_step_is_named() {
    let changes = |operation: &Operation| matches!(operation, Operation::Fill(..));
    let filled = operations(1).take(600).enumerate().skip(300).find(|(_, step)| changes(step));
    let step = filled.unwrap().0;
    for fault in [Fault::Texel { step }, Fault::LeftOut { step }] {
        // At the latest when all textures are compared; the fewest steps end with the faulty one.
        assert!(run(1, STEPS, false, Some(fault)).is_err(), "{fault:?}");
        let failure = run_or_shorten(1, Some(fault)).unwrap_err();
        assert_eq!(failure.prefix, step + 1, "{fault:?}: {failure}");
        assert!(failure.to_string().contains("Fill"), "{failure}");
    }
    // At the last step: a context that is dropped before the end takes all that is in it with it.
    let leak = run(1, STEPS, false, Some(Fault::Leak { step: STEPS - 1 })).unwrap_err();
    assert!(leak.what.contains("objects left"), "{leak}");
}
