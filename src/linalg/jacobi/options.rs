//! The options of the iteration as data.

use super::{Error, Result, Stop, Variant};
use crate::options::{self, Entry, FrontEnd, Kind, OptionSpec, Specified};

/// The variant of the solver, and when it stops.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// What runs.
    pub variant: Variant,
    /// The relative residual at which it stops; 0 for a fixed number of iterations.
    pub tolerance: f64,
    /// The most iterations.
    pub iterations: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options { variant: Variant::default(), tolerance: 1e-5, iterations: None }
    }
}

impl Options {
    /// Returns when to stop, after `done` iterations of an earlier run.
    ///
    /// # Errors
    /// [`Error::NoEnd`] for the tolerance 0 without a number of iterations.
    pub fn stop(&self, done: u64) -> Result<Stop> {
        let most = self.iterations.map(|most| most.saturating_sub(done));
        match (self.tolerance > 0.0, most) {
            (true, Some(most)) => Ok(Stop::residual(self.tolerance).at_most(most)),
            (true, None) => Ok(Stop::residual(self.tolerance)),
            (false, Some(exactly)) => Ok(Stop::iterations(exactly)),
            (false, None) => Err(Error::NoEnd),
        }
    }
}

const LAYOUTS: Kind = Kind::Name(&[
    ("red", "one unknown per texel; bands packed in the channels of three textures"),
    ("separate", "one unknown per texel; a texture for each band"),
    ("packed", "four consecutive unknowns per texel"),
    (
        "rgba",
        "four systems at once, of one matrix: of four right-hand sides; of one, it alone decides when to stop, and three others are \
         made from random solutions",
    ),
]);

const STAGES: Kind = Kind::Name(&[
    ("generic", "one shader, which finds neighbours with `floor`"),
    ("reciprocal", "the host computes the reciprocals of the diagonal"),
    ("boundary", "the interior is drawn as a quad, the two boundaries as lines"),
    ("neighbours", "the vertex shader computes the positions of neighbours"),
    ("compute", "one compute shader, if the device supports them"),
]);

const READS: Kind = Kind::Name(&[("fetch", "texelFetch"), ("sample", "textureLod at the centre")]);

/// `jacobi` repeats the paper; in Python and the browser `solve` has the method.
const LACKING: &[(FrontEnd, &str)] = &[
    (FrontEnd::RunFile, "run files describe shaders"),
    (FrontEnd::Python, "`solve` has the method jacobi"),
    (FrontEnd::Browser, "`solve` has the method jacobi"),
];

impl Specified for Options {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "tolerance",
            Kind::Number,
            "1e-5",
            "Stop when the 2-norm of b - A x is at most this times that of b; with 0, run exactly the number of iterations",
        )
        .lacking(LACKING),
        OptionSpec::new(
            "iterations",
            Kind::Integer { least: 0 },
            "",
            "The maximum number of iterations; by default 10000000",
        )
        .lacking(LACKING),
        OptionSpec::new(
            "layout",
            LAYOUTS,
            "",
            "The layout of values in textures; by default the fastest for the device",
        )
        .lacking(LACKING),
        OptionSpec::new(
            "stage",
            STAGES,
            "",
            "The optimizations of the step; each includes those above it; by default the fastest for the device",
        )
        .lacking(LACKING),
        OptionSpec::new(
            "reads",
            READS,
            "",
            "How shaders read texels; by default the faster way for the device",
        )
        .lacking(LACKING),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), options::Error> {
        match option.name {
            "tolerance" => self.tolerance = option.number(value)?,
            "iterations" => self.iterations = Some(option.integer(value)?),
            "layout" => self.variant.layout = Some(option.parsed(value)?),
            "stage" => self.variant.optimization = Some(option.parsed(value)?),
            "reads" => self.variant.reads = Some(option.parsed(value)?),
            _ => {}
        }
        Ok(())
    }
}
