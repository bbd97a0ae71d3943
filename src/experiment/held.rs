//! Half precision that was asked for where nothing has it.

use super::planned::Plan;
use super::setup::Setup;
use super::{Error, Precision};

/// Refuses half precision for what a compute shader writes under the name of the input.
pub(super) fn must_fit(plan: &Plan, setup: &Setup) -> Result<(), Error> {
    let asked = |name: &String| {
        setup.precisions.iter().any(|(known, asked)| known == name && *asked == Precision::Half)
    };
    let begun = plan.outputs.iter().filter_map(|output| setup.inputs.get(output.initial?));
    match begun.map(|(name, _)| name).find(|name| asked(name)) {
        Some(name) => Err(Error::NotHalf { input: name.clone() }),
        None => Ok(()),
    }
}
