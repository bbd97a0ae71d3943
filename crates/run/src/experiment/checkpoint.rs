//! The state of an experiment in a file, from which another process continues with the same bits.

mod facts;

use std::path::Path;

use crate::execute::state::{Input, Output};
use crate::execute::store::Store;
use crate::experiment::checkpoint::facts::{array, facts};
use crate::{Experiment, Result};
use quadrille::internal::checkpoint::{self, Array, Head, Opened};
use quadrille::memory;

/// The kind of state in the files.
const OF: &str = "experiment";

impl Experiment {
    /// Writes the state: the numbers of the outputs and the number of the step, with the facts that
    /// distinguish other experiments. The file is written whole or not at all.
    ///
    /// ```
    /// # use quadrille::{Context, Source, data::Field};
    /// # use quadrille_run::{Experiment, Setup};
    /// # let context = Context::headless()?;
    /// # let folder = std::env::temp_dir().join("quadrille-save-doc");
    /// # std::fs::create_dir_all(&folder)?;
    /// # let file = folder.join("more.checkpoint");
    /// # let source = Source::fragment("more.frag", "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }");
    /// let make = || -> Result<Experiment, Box<dyn std::error::Error>> {
    ///     let setup = Setup::new().input("x", Field::line(vec![0.0_f32])?).feedback("y", "x");
    ///     Ok(Experiment::new(&context, &source, setup)?)
    /// };
    /// let mut experiment = make()?;
    /// experiment.advance(1000, &mut ())?;
    /// experiment.save(&file)?;
    ///
    /// let mut again = make()?;
    /// again.load(&file)?;
    /// assert_eq!(again.iteration(), 1000);
    /// assert_eq!(again.read("y")?, Field::line(vec![1000.0_f32])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Experiment::read); [`io::Error::Write`](quadrille::io::Error::Write), where an
    /// older file stays.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.must_be_whole()?;
        let held = || held(&self.inputs, &self.outputs, self.iteration);
        let arrays = held().map(|(output, store)| array(output, store)).collect();
        let head = Head::new(facts(self)?, self.iteration, arrays, ());
        let words = held().map(|(output, store)| store.words(output.channels()));
        checkpoint::write(path.as_ref(), OF, &head, words).map(drop)
    }

    /// Loads the state that an experiment of the same shaders, uniforms, inputs and sizes
    /// [saved](Experiment::save). After an error the experiment is unchanged, except after an error
    /// of the device.
    ///
    /// # Errors
    /// [`io::Error::OtherCheckpoint`](quadrille::io::Error::OtherCheckpoint) with all that differs,
    /// and the others of files of [`io`](quadrille::io::Error); errors of the device.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let mut opened = Opened::<()>::open(path, OF)?;
        opened.head.must_be_of(&facts(self)?, path, OF)?;
        let iteration = opened.head.iteration;
        let expected: Vec<Array> = held(&self.inputs, &self.outputs, iteration)
            .map(|(output, store)| array(output, store))
            .collect();
        opened.must_have(&expected)?;
        let mut arrays = Vec::new();
        for array in &expected {
            let mut words: Vec<u32> = memory::zeroed(array.numbers())?;
            opened.read(bytemuck::cast_slice_mut(&mut words))?;
            arrays.push(words);
        }
        opened.finish()?;
        self.restart()?;
        let mut arrays = arrays.iter();
        for output in &mut self.outputs {
            let keeps = output.keeps;
            let store = match output.becomes.and_then(|index| self.inputs.get_mut(index)) {
                Some(input) => {
                    input.written = true;
                    &mut input.store
                }
                None if iteration > 0 || keeps => {
                    output.first.iter_mut().for_each(|first| first.written = true);
                    &mut output.store
                }
                None => continue,
            };
            arrays.next().map_or(Ok(()), |words| store.set_words(words))?;
        }
        self.iteration = iteration;
        Ok(())
    }
}

/// Yields the outputs that hold numbers after this number of steps. Before the first step these are the
/// ones that it reads.
fn held<'a>(
    inputs: &'a [Input],
    outputs: &'a [Output],
    iteration: u64,
) -> impl Iterator<Item = (&'a Output, &'a Store)> {
    outputs.iter().filter_map(move |output| {
        match output.becomes.and_then(|index| inputs.get(index)) {
            Some(input) => Some((output, &input.store)),
            None => (iteration > 0 || output.keeps).then_some((output, &output.store)),
        }
    })
}
