//! Devices compared: where a test's outcomes or distances differ, the operations of its shader that do.

use std::ffi::OsStr;

use quadrille_lab::testing::{Entry, Exactness, Explanation, Outcome, explain};

use super::super::prelude::*;
use super::child;
use super::find::Named;
use super::places::Place;

/// The explanations of all tests that fail on some of the devices and not on others, or are not equally far off.
pub(super) fn explanations(
    tests: &[Named],
    places: &[Place],
    entries: &[Entry],
) -> anyhow::Result<Vec<Explanation>> {
    let mut all = Vec::new();
    for named in tests.iter().filter(|named| differs(&named.name, entries)) {
        let Ok(test) = &named.test else { continue };
        let mut devices: Vec<(String, Vec<Exactness>)> = Vec::new();
        for place in places {
            let Ok(device) = &place.device else { continue };
            if interrupt::pressed() || devices.iter().any(|(known, _)| known == device) {
                continue;
            }
            let words = [test.shader.as_os_str(), OsStr::new("--accuracy")];
            if let Some(exactness) = child::accuracy(&place.asked, &words)? {
                devices.push((device.clone(), exactness));
            }
        }
        all.extend(explain(&named.name, &devices));
    }
    Ok(all)
}

/// Whether a test that fails somewhere has several distances.
fn differs(name: &str, entries: &[Entry]) -> bool {
    let computed = |entry: &&Entry| {
        entry.name == name
            && matches!(entry.outcome, Outcome::Pass | Outcome::Fail | Outcome::Known)
    };
    let distances: Vec<String> = entries.iter().filter(computed).map(Entry::distance).collect();
    let wrong = entries.iter().any(|entry| entry.name == name && entry.outcome != Outcome::Pass);
    wrong && distances.windows(2).any(|pair| pair[0] != pair[1])
}
