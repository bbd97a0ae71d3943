//! Reads the outputs of an experiment, after checking that no loop was ended early and no read was
//! too far.

use quadrille::data::{Field, ValuesMut};
use quadrille::gl::{self, AnyTexture, Class};

use crate::error::StateError;
use crate::execute::state::Output;
use crate::execute::store::Store;
use crate::{Experiment, Result};

impl Experiment {
    /// Returns an output's newest texture, whose first row is y = 0, with the default sampling.
    /// Before the first step only outputs that feed back have one: their inputs.
    ///
    /// # Errors
    /// Those of [`read`](Experiment::read).
    pub fn texture(&self, output: &str) -> Result<&dyn AnyTexture> {
        self.must_be_whole()?;
        let (_, store) = self.newest(output)?;
        let texture = store.texture();
        let texture = texture.ok_or_else(|| StateError::NoTexture { output: output.to_owned() })?;
        quadrille::internal::gl::sample(texture, gl::Sampling::default())?;
        Ok(texture)
    }

    /// Reads the numbers of an output. Before the first step only outputs that feed back have any.
    ///
    /// # Errors
    /// An unknown name; [`StateError::NotYet`](crate::error::StateError) before the first step;
    /// [`LimitError::LoopsEnded`](crate::error::LimitError) if the device ended a loop early in any
    /// step so far, which is noticed on devices with a
    /// [`loop_budget`](quadrille::Context::loop_budget);
    /// [`LimitError::TooFar`](crate::error::LimitError) if a shader read beyond the
    /// [halo](crate::Setup::halo) of panels; errors of the device.
    pub fn read(&self, output: &str) -> Result<Field> {
        self.must_be_whole()?;
        let (output, store) = self.newest(output)?;
        Ok(store.read(output.channels(), self.flips)?.as_line(output.line))
    }

    /// Reads the numbers of an output, row by row, into a slice of the same type and length.
    ///
    /// # Errors
    /// [`StateError::Values`](crate::error::StateError) for another length,
    /// [`StateError::ValuesType`](crate::error::StateError) for another type, and as
    /// [`read`](Experiment::read).
    pub fn read_into(&self, output: &str, into: ValuesMut<'_>) -> Result<()> {
        self.must_be_whole()?;
        let (output, store) = self.newest(output)?;
        let (expected, channels) =
            (output.extent().texels() * output.channels(), output.channels());
        let fits = |got: usize| match got == expected {
            true => Ok(()),
            false => {
                Err(StateError::Values { name: format!("output `{}`", output.name), expected, got }
                    .into())
            }
        };
        match (store.class(), into) {
            (Class::Float, ValuesMut::F32(into)) => {
                fits(into.len()).and_then(|()| store.read_into(channels, into, self.flips))
            }
            (Class::Int, ValuesMut::I32(into)) => {
                fits(into.len()).and_then(|()| store.read_into(channels, into, self.flips))
            }
            (Class::Uint, ValuesMut::U32(into)) => {
                fits(into.len()).and_then(|()| store.read_into(channels, into, self.flips))
            }
            (class, _) => Err(StateError::ValuesType { output: output.name.clone(), class }.into()),
        }
    }

    pub(crate) fn must_be_whole(&self) -> Result<()> {
        self.passes.iter().try_for_each(|pass| pass.must_be_whole(self.iteration, self.flips))
    }

    fn newest(&self, name: &str) -> Result<(&Output, &Store)> {
        let Some(output) = self.outputs.iter().find(|output| output.name == name) else {
            let has = self.outputs.iter().map(|output| output.name.clone()).collect();
            return Err(self.no_such("output", name, has));
        };
        if let Some(input) = output.becomes.and_then(|index| self.inputs.get(index)) {
            return Ok((output, &input.store));
        }
        match self.iteration {
            0 if !output.keeps => Err(StateError::NotYet { output: name.to_owned() }.into()),
            _ => Ok((output, &output.store)),
        }
    }
}
