//! Sequences of frames where an output becomes the input.

use super::Error;
use super::planned::Plan;
use super::setup::Setup;

/// Refuses a sequence for what a step reads as the step before left it.
pub(super) fn must_fit(plan: &Plan, setup: &Setup) -> Result<(), Error> {
    for (input, _) in &setup.frames {
        let is = |given: usize| setup.inputs.get(given).is_some_and(|(name, _)| name == input);
        let fed = plan.outputs.iter().find(|output| {
            let becomes = output.becomes.and_then(|index| plan.inputs.get(index));
            becomes.is_some_and(|read| is(read.given)) || output.initial.is_some_and(is)
        });
        if let Some(output) = fed {
            let (input, output) = (input.clone(), output.name.clone());
            return Err(Error::FedFrames { input, output });
        }
    }
    Ok(())
}
