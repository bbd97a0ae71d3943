//! What a pass reads: inputs, what earlier passes wrote, or what its own repetition before wrote.

use super::Error;
use super::planned::{Again, From};
use super::state::{Input, Output};
use super::store::Store;

/// What there is before a pass runs, once more or for the first time in a step.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) inputs: &'a [Input],
    /// Of earlier passes.
    pub(super) outputs: &'a [Output],
    /// What the repetition before wrote.
    pub(super) again: &'a [(Again, Store)],
    pub(super) repetition: u32,
}

impl<'a> Before<'a> {
    /// What is read under a name.
    pub(super) fn store(&self, name: &str, from: From) -> &'a Store {
        let again = self.again.iter().find(|(again, _)| again.reader == name);
        match (again.filter(|_| self.repetition > 0), from) {
            (Some((_, before)), _) => before,
            (None, From::Input(index)) => &self.inputs[index].store,
            (None, From::Output(index)) => &self.outputs[index].store,
        }
    }

    /// A fragment that discards, and an invocation that stores nothing, leave their cell: it keeps the value of the repetition
    /// before, or of the step before. The outputs are those from an index on.
    pub(super) fn keep<'b>(
        &self,
        reads: impl Iterator<Item = &'b (String, From)> + Clone,
        outputs: &mut [Output],
        first: usize,
    ) -> Result<(), Error> {
        for (index, output) in (first..).zip(outputs) {
            let again = self.again.iter().find(|(again, _)| again.output == index);
            let read =
                again.and_then(|(again, _)| reads.clone().find(|(name, _)| *name == again.reader));
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
