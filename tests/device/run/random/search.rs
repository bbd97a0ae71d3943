//! Looks for cases that fail, and for the smallest of those like them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::cases::{Choices, bytes};

/// How many smaller cases are tried where one is wrong.
const TRIES: usize = 1500;

/// The fault of a case, and its text.
#[derive(Debug)]
pub struct Wrong {
    pub what: String,
    pub text: String,
}

/// Makes a case from choices and compares what both sides compute.
pub type Check<'a> = dyn FnMut(&mut Choices<'_>) -> Result<(), Wrong> + 'a;

/// Checks the cases of seed after seed, until the time is up, and returns how many there were.
pub fn search(first: u64, time: Duration, check: &mut Check<'_>) -> u64 {
    let (start, mut seed) = (Instant::now(), first);
    while start.elapsed() < time || seed == first {
        if let Err(failure) = check_seed(seed, TRIES, check) {
            panic!("{failure}");
        }
        seed += 1;
    }
    seed - first
}

/// Shows that a mistake made on purpose is found, and returns what is said after this number of tries to
/// make the case smaller.
pub fn found(tries: usize, check: &mut Check<'_>) -> String {
    let found = (1..100).find_map(|seed| check_seed(seed, tries, check).err());
    found.unwrap_or_else(|| panic!("the fault is not found"))
}

/// Checks the case of a seed, and tries so many smaller ones where it fails.
fn check_seed(seed: u64, tries: usize, check: &mut Check<'_>) -> Result<(), String> {
    let bytes = bytes(seed);
    let Err(wrong) = caught(&bytes, check) else { return Ok(()) };
    let Wrong { what, text } = shortened(bytes, wrong, tries, check);
    Err(format!(
        "seed {seed}: {what}\nThe smallest case found that is wrong:\n{text}\n\
         again: QUADRILLE_RANDOM_SEED={seed} QUADRILLE_RANDOM_SECONDS=1 cargo test --test device random::"
    ))
}

/// A panic is a failure like another.
fn caught(bytes: &[u8], check: &mut Check<'_>) -> Result<(), Wrong> {
    let case = AssertUnwindSafe(|| check(&mut Choices::new(bytes)));
    catch_unwind(case).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Wrong { what: text.unwrap_or_else(|| "a panic".into()), text: String::new() })
    })
}

/// Leaves out bytes, and lets others be 0, as long as the case is wrong: then choices fall on what
/// is simplest, or are none.
fn shortened(
    mut bytes: Vec<u8>,
    mut wrong: Wrong,
    mut tries: usize,
    check: &mut Check<'_>,
) -> Wrong {
    let mut is_wrong = |tried: &[u8], wrong: &mut Wrong| {
        tries = tries.saturating_sub(1);
        if tries == 0 {
            return false;
        }
        match caught(tried, check) {
            Err(found) if found.text.len() <= wrong.text.len() => {
                *wrong = found;
                true
            }
            _ => false,
        }
    };
    // What stands behind the last choice is never read.
    while !bytes.is_empty() && is_wrong(&bytes[..bytes.len() / 2], &mut wrong) {
        bytes.truncate(bytes.len() / 2);
    }
    loop {
        let before = bytes.clone();
        for length in [64, 16, 4, 1] {
            let mut at = 0;
            while at < bytes.len() {
                let end = (at + length).min(bytes.len());
                let without = [&bytes[..at], &bytes[end..]].concat();
                if is_wrong(&without, &mut wrong) {
                    bytes = without;
                    continue;
                }
                let mut zero = bytes.clone();
                zero[at..end].fill(0);
                if zero != bytes && is_wrong(&zero, &mut wrong) {
                    bytes = zero;
                }
                at = end;
            }
        }
        if bytes == before {
            return wrong;
        }
    }
}
