//! The experiment that a description is of.

use quadrille::data::Values;
use quadrille::gl::Context;
use quadrille::shader::Source;
use quadrille::{Extent, Place, memory};

use crate::dialect::Dialects;
use crate::error::InputError;
use crate::io::description;
use crate::run_file::RunFile;
use crate::run_file::buffer::{Buffer, First};
use crate::run_file::pass::Pass;
use crate::setup::array::{self, Array};
use crate::setup::scale::Size;
use crate::{Error, Experiment, Origin, PassSetup, Result, Setup};

impl RunFile {
    /// Reads or makes the numbers of all inputs, and those that buffers begin with: first those of
    /// files and of rules, of which one generator fills the random ones.
    ///
    /// # Errors
    /// As [`arrays`](crate::arrays()); a buffer whose size is not known; a file that is not there.
    pub fn arrays(&self) -> Result<Vec<Array>> {
        self.must_be_whole()?;
        let inputs = self.settings.inputs.iter().map(|(name, origin)| (name.as_str(), origin));
        let begun = self.buffers.iter().filter_map(|buffer| match &buffer.first {
            First::Array(origin) => Some((buffer.name.as_str(), origin)),
            First::Texel(_) => None,
        });
        let seed = self.settings.seed.unwrap_or(1);
        let mut arrays = array::arrays(inputs.chain(begun), seed)?;
        for buffer in &self.buffers {
            if let First::Texel(texel) = &buffer.first {
                let extent = self.extent_of(buffer, &arrays)?;
                memory::must_have(extent.texels().saturating_mul(4 * size_of::<f32>()))?;
                let fitting =
                    [Values::I32(Vec::new()), Values::U32(Vec::new()), Values::F32(Vec::new())];
                let field = fitting.iter().find_map(|like| texel.repeated(extent, like));
                let Some(field) = field else { continue };
                arrays.push(Array { from: texel.to_string(), ..Array::new(&buffer.name, field) });
            }
        }
        Ok(arrays)
    }

    fn extent_of(&self, buffer: &Buffer, arrays: &[Array]) -> Result<Extent> {
        let unknown = |reason: String| {
            let place = Place::file(self.path.display().to_string());
            Error::Description(description::Error::Unfit { place, reason })
        };
        let whole = || {
            self.settings.size.ok_or_else(|| {
                unknown(format!(
                    "the size of buffer `{}` is unknown: expected `size` there or at the top of the file",
                    buffer.name
                ))
            })
        };
        let scale = match &buffer.size {
            None => return whole(),
            Some(Size::Extent(extent)) => return Ok(*extent),
            Some(Size::Scale(scale)) => scale,
        };
        if scale.name() == "size" {
            return Ok(scale.applied(whole()?));
        }
        match arrays.iter().find(|array| array.name == scale.name()) {
            Some(array) => Ok(scale.applied(array.layout.extent)),
            None => Err(unknown(format!(
                "the size of buffer `{}` is that of `{}`, which is not known before it",
                buffer.name,
                scale.name()
            ))),
        }
    }

    /// Returns the setup of these arrays.
    pub fn setup(&self, arrays: Vec<Array>) -> Setup {
        let mut settings = self.settings.clone();
        let fed = self.buffers.iter().map(|buffer| (buffer.from.clone(), buffer.name.clone()));
        settings.feedback.splice(..0, fed);
        let setup = Setup::of(settings, arrays);
        match self.is_random() {
            true => setup.fact("seed", self.settings.seed.unwrap_or(1).to_string()),
            false => setup,
        }
    }

    /// Returns whether any array has random numbers.
    fn is_random(&self) -> bool {
        let inputs = self.settings.inputs.iter().map(|(_, origin)| origin);
        let begun = self.buffers.iter().filter_map(|buffer| match &buffer.first {
            First::Array(origin) => Some(origin),
            First::Texel(_) => None,
        });
        inputs.chain(begun).any(Origin::is_random)
    }

    /// Returns the number of steps: the number that is set, else one for each frame of the
    /// sequences among these arrays, else one.
    ///
    /// # Errors
    /// [`InputError::NoFrame`] for more steps than a sequence has frames; [`InputError::Lengths`] for
    /// sequences of different lengths where no number is set.
    pub fn steps(&self, arrays: &[Array]) -> Result<u64> {
        let sequences = || arrays.iter().filter_map(|array| Some((array, array.frames.as_ref()?)));
        let lengths = || sequences().map(|(_, frames)| frames.count());
        let (least, most) = (lengths().min(), lengths().max());
        let steps = match self.settings.iterate {
            None if least < most => {
                let each = sequences().map(|(array, frames)| (array.name.clone(), frames.count()));
                return Err(InputError::Lengths { inputs: each.collect() }.into());
            }
            asked => asked.or(least).unwrap_or(1),
        };
        sequences().try_for_each(|(array, frames)| frames.must_have(&array.name, steps))?;
        Ok(steps)
    }

    /// Returns the experiment of this setup, before its first step.
    ///
    /// # Errors
    /// As [`Experiment::from_passes`]; a file that is not there.
    pub fn experiment(&self, context: &Context, setup: Setup) -> Result<Experiment> {
        self.experiment_of(context, &self.passes()?, setup)
    }

    /// Returns the experiment of this setup and of its [passes](RunFile::passes), which were read
    /// before.
    ///
    /// # Errors
    /// As [`Experiment::from_passes`].
    pub fn experiment_of(
        &self,
        context: &Context,
        passes: &[PassSetup],
        setup: Setup,
    ) -> Result<Experiment> {
        self.must_be_whole()?;
        Experiment::assemble(context, passes, setup)
    }

    /// Returns the passes, with their shaders read from files.
    ///
    /// # Errors
    /// [`Error::Stream`]; a file that is not there.
    pub fn passes(&self) -> Result<Vec<PassSetup>> {
        self.must_have(|key| key.ends_with(".shader"))?;
        let told = |source| Ok(self.settings.source(source)?.recognised());
        let pass = |pass: &Pass| Ok(pass.with(pass.source.program()?.map::<Error>(told)?));
        self.passes.iter().map(pass).collect()
    }

    /// Returns the shaders of the passes, read from their files.
    ///
    /// # Errors
    /// As [`passes`](RunFile::passes).
    pub fn sources(&self) -> Result<Vec<Source>> {
        Ok(self.passes()?.into_iter().filter_map(|pass| pass.source().cloned()).collect())
    }
}
