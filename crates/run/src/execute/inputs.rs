//! The arrays that a pass reads: inputs, outputs of earlier passes, or its own output of the
//! previous repetition.

use crate::Result;
use crate::execute::state::{Input, Output};
use crate::execute::store::Store;
use crate::plan::ir::{Feedback, ReadFrom};

/// The arrays that exist before a pass runs, be it for the first time in a step or repeated.
#[derive(Clone, Copy)]
pub(crate) struct PassInputs<'a> {
    pub(crate) inputs: &'a [Input],
    /// The outputs of earlier passes.
    pub(crate) outputs: &'a [Output],
    /// The outputs of the previous repetition.
    pub(crate) feedback: &'a [(Feedback, Store)],
    pub(crate) repetition: u32,
}

impl<'a> PassInputs<'a> {
    /// Returns the array that a sampler reads.
    pub(crate) fn store(&self, name: &str, from: ReadFrom) -> &'a Store {
        let feedback = self.feedback.iter().find(|(feedback, _)| feedback.reader == name);
        match (feedback.filter(|_| self.repetition > 0), from) {
            (Some((_, before)), _) => before,
            (None, ReadFrom::Input(index)) => &self.inputs[index].store,
            (None, ReadFrom::Output(index)) => &self.outputs[index].store,
        }
    }

    /// Copies the previous values into the outputs from an index on: a fragment that discards, and
    /// an invocation that stores nothing, leave their cell as it was in the previous repetition, or
    /// in the previous step.
    pub(crate) fn keep<'b>(
        &self,
        reads: impl Iterator<Item = &'b (String, ReadFrom)> + Clone,
        outputs: &mut [Output],
        first: usize,
    ) -> Result<()> {
        for (index, output) in (first..).zip(outputs) {
            let feedback = self.feedback.iter().find(|(feedback, _)| feedback.output == index);
            let read = feedback
                .and_then(|(feedback, _)| reads.clone().find(|(name, _)| *name == feedback.reader));
            let becomes = output.becomes.filter(|_| self.repetition == 0);
            match (read, becomes.and_then(|index| self.inputs.get(index))) {
                (Some((name, from)), _) => output.store.copy_from(self.store(name, *from))?,
                (None, Some(input)) => output.store.copy_from(&input.store)?,
                (None, None) => {}
            }
        }
        Ok(())
    }
}
