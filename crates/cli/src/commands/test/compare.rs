//! Devices compared: where a test's outcomes or distances differ, the operations of its shader that
//! do.

use std::ffi::OsStr;

use quadrille_run::RunFile;
use quadrille_run::testing::file::Tested;
use quadrille_run::testing::outcome::{Case, Exactness, Explanation, Outcome, explain};

use super::child;
use super::find::Named;
use super::places::Place;
use crate::prelude::*;

/// The explanations of all tests that fail on some of the devices and not on others, or are not
/// equally far off.
pub(super) fn explanations(
    tests: &[Named],
    places: &[Place],
    cases: &[Case],
) -> anyhow::Result<Vec<Explanation>> {
    let mut all = Vec::new();
    for named in tests.iter().filter(|named| differs(&named.name, cases)) {
        let Ok(test) = &named.test else { continue };
        let mut devices: Vec<(String, Vec<Exactness>)> = Vec::new();
        for place in places {
            let Ok(device) = &place.device else { continue };
            if interrupt::pressed() || devices.iter().any(|(known, _)| known == device) {
                continue;
            }
            if let Some(exactness) = exactness(&test.tested, place)? {
                devices.push((device.clone(), exactness));
            }
        }
        all.extend(explain(&named.name, &devices));
    }
    Ok(all)
}

/// The accuracy of the operations of all of a test's shaders on a device.
fn exactness(tested: &Tested, place: &Place) -> anyhow::Result<Option<Vec<Exactness>>> {
    let shaders: Vec<PathBuf> = match tested {
        Tested::Shader(shader) => vec![shader.clone()],
        Tested::Run(run) => RunFile::read(run)?.shaders().map(Path::to_owned).collect(),
    };
    let mut all: Vec<Exactness> = Vec::new();
    for shader in shaders {
        let words = [shader.as_os_str(), OsStr::new("--accuracy")];
        let Some(found) = child::accuracy(&place.selection, &words)? else { return Ok(None) };
        for one in found {
            let same = |other: &Exactness| {
                (&other.operation, &other.range) == (&one.operation, &one.range)
            };
            if !all.iter().any(same) {
                all.push(one);
            }
        }
    }
    Ok(Some(all))
}

/// Whether a test that fails somewhere has several distances.
fn differs(name: &str, cases: &[Case]) -> bool {
    let computed = |case: &&Case| {
        case.name == name && matches!(case.outcome, Outcome::Pass | Outcome::Fail | Outcome::Known)
    };
    let distances: Vec<String> = cases.iter().filter(computed).map(Case::distance).collect();
    let wrong = cases.iter().any(|case| case.name == name && case.outcome != Outcome::Pass);
    wrong && distances.windows(2).any(|pair| pair[0] != pair[1])
}
