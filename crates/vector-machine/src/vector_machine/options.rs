//! The options of a function over vectors as data, and the function that they make of a program.

use quadrille::gl::Context;
use quadrille::options::{self, Entry, Kind, OptionSpec, Specified};

use super::{DFunction, Error, Fold, Machine, Processor, Profile, Program, Result, Semantics};

/// The options of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Whether the program is GLSL, whatever its name.
    pub glsl: bool,
    /// The engine; `None` for the best of the device.
    pub engine: Option<Processor>,
    /// The limits and the precision of the instruction set.
    pub profile: Profile,
    /// Whether the results of all invocations are summed to a number.
    pub reduce: bool,
    /// What sums them; `None` for the device.
    pub fold: Option<Fold>,
    /// The number that stands for those that the last invocation of a sum lacks.
    pub padding: Option<f32>,
    /// Whether the results are unsigned bytes.
    pub bytes: bool,
}

impl Options {
    /// Returns the engine, on a context where it needs one.
    ///
    /// # Errors
    /// Those of `context`, and of [`Machine::with`].
    pub fn machine<E: From<Error>>(
        &self,
        context: impl FnOnce() -> Result<Context, E>,
    ) -> Result<Machine, E> {
        Ok(match self.engine {
            Some(Processor::Simulator) => Machine::simulator(),
            Some(engine) => Machine::new(&context()?).with(engine)?,
            None => Machine::new(&context()?),
        })
    }

    /// Returns the semantics of a function of so many vectors.
    ///
    /// # Errors
    /// [`Error::Vectors`] unless there are one to three; [`Error::NoSum`] and [`Error::BytesOfSum`] for options that contradict each other.
    pub fn semantics(&self, vectors: usize) -> Result<Semantics> {
        let of_sum = [("fold", self.fold.is_some()), ("padding", self.padding.is_some())];
        if self.reduce && self.bytes {
            return Err(Error::BytesOfSum);
        }
        if let Some((option, _)) = of_sum.iter().find(|(_, set)| *set && !self.reduce) {
            return Err(Error::NoSum { option });
        }
        Semantics::of(vectors, self.reduce).ok_or(Error::Vectors { got: vectors })
    }

    /// Returns the function of a program over so many vectors.
    ///
    /// # Errors
    /// Those of [`semantics`](Self::semantics) and of [`Program::function`].
    pub fn function(
        &self,
        program: &Program,
        machine: &Machine,
        vectors: usize,
    ) -> Result<DFunction> {
        let mut function = program.function(machine, self.semantics(vectors)?)?;
        if let Some(padding) = self.padding {
            function.set_padding(padding);
        }
        function.set_fold(self.fold.unwrap_or_default());
        Ok(function)
    }
}

const ENGINES: Kind = Kind::Name(&[
    (
        "attributes",
        "the vertex stage, a point for each quad, whose inputs are vertex attributes: as in 2002",
    ),
    ("vertex", "the vertex stage likewise, which fetches its inputs from textures"),
    ("feedback", "the vertex stage, which fetches its inputs, its results straight to memory"),
    ("fragment", "the fragment stage, a quad drawn over all texels"),
    ("compute", "a compute shader, where the device has them"),
    ("simulator", "the host, strictly by the specification, without any device"),
]);

const PROFILES: Kind = Kind::Name(&[
    (
        "modern",
        "full precision, 4096 temporaries, 4096 constants and 1 MiB of text, as far as the device has room for them",
    ),
    (
        "period",
        "a GeForce4's 12 temporaries, 96 constants and 128 instructions, EXP and LOG within 2^-11, results through 8-bit pixels",
    ),
]);

const FOLDS: Kind = Kind::Name(&[
    ("host", "the host, in double precision"),
    (
        "device",
        "passes that fold many numbers into one, and the host the last few; taken where none is named",
    ),
    (
        "blending",
        "the device's rasterizer, in single precision and in an order of its own: the least exact, and not the same from device to \
         device",
    ),
]);

impl Specified for Options {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new("glsl", Kind::Flag, "false", "The program is GLSL, whatever its name"),
        OptionSpec::new(
            "engine",
            ENGINES,
            "",
            "The engine that computes; by default compute on hardware that has it, else fragment",
        ),
        OptionSpec::new(
            "profile",
            PROFILES,
            "modern",
            "The limits and the precision of the instructions",
        ),
        OptionSpec::new(
            "reduce",
            Kind::Flag,
            "false",
            "Sum what the invocations give to one number",
        ),
        OptionSpec::new("fold", FOLDS, "", "Where partial results are summed, with reduce"),
        OptionSpec::new(
            "padding",
            Kind::Single,
            "",
            "The number that stands for those that the last invocation of a sum lacks, with reduce",
        ),
        OptionSpec::new(
            "bytes",
            Kind::Flag,
            "false",
            "Give unsigned bytes: rounded, and clamped to 0 to 255; not with reduce",
        ),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), options::Error> {
        match option.name {
            "glsl" => self.glsl = option.flag(value)?,
            "engine" => self.engine = Some(option.parsed(value)?),
            "profile" => self.profile = option.parsed(value)?,
            "reduce" => self.reduce = option.flag(value)?,
            "fold" => self.fold = Some(option.parsed(value)?),
            "padding" => self.padding = Some(option.single(value)?),
            "bytes" => self.bytes = option.flag(value)?,
            _ => {}
        }
        Ok(())
    }
}
