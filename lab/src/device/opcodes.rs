//! Built-in functions: how many of them in a second.

use crate::names::named;
use quadrille::gl::Context;
use quadrille::shader::Source;
use quadrille::stream;

use super::super::Error;
use super::arithmetic::{extent, spread};
use super::row::Engine;
use super::subject::{Subject, Unit};
use super::work::{Expected, Given, Start, Work, source};

/// A built-in function, by GPUBench's name of its opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    Rcp,
    Rsq,
    Exp2,
    Log2,
    Sin,
    Cos,
}

/// Numbers that one texel holds.
const NUMBERS: f64 = 16.0;
/// Links of a chain in one trip.
const LINKS: u32 = 4;

named!(pub(super) Opcode {
    Rcp => "RCP",
    Rsq => "RSQ",
    Exp2 => "EXP2",
    Log2 => "LOG2",
    Sin => "SIN",
    Cos => "COS",
});

impl Opcode {
    fn function(self) -> &'static str {
        match self {
            Opcode::Rcp => "reciprocal",
            Opcode::Rsq => "inversesqrt",
            Opcode::Exp2 => "exp2",
            Opcode::Log2 => "log2",
            Opcode::Sin => "sin",
            Opcode::Cos => "cos",
        }
    }

    /// Its expression on the accuracy card.
    pub(super) fn expression(self) -> &'static str {
        match self {
            Opcode::Rcp => "1 / a",
            Opcode::Rsq => "inversesqrt(a)",
            Opcode::Exp2 => "exp2(a)",
            Opcode::Log2 => "log2(a)",
            Opcode::Sin => "sin(a)",
            Opcode::Cos => "cos(a)",
        }
    }

    /// In f64.
    fn of(self, x: f64) -> f64 {
        match self {
            Opcode::Rcp => 1.0 / x,
            Opcode::Rsq => 1.0 / x.sqrt(),
            Opcode::Exp2 => x.exp2(),
            Opcode::Log2 => x.log2(),
            Opcode::Sin => x.sin(),
            Opcode::Cos => x.cos(),
        }
    }

    /// How fast it changes there.
    fn slope(self, x: f64) -> f64 {
        let slope = match self {
            Opcode::Rcp => 1.0 / (x * x),
            Opcode::Rsq => 0.5 * x.powf(-1.5),
            Opcode::Exp2 => std::f64::consts::LN_2 * x.exp2(),
            Opcode::Log2 => 1.0 / (x * std::f64::consts::LN_2),
            Opcode::Sin => x.cos(),
            Opcode::Cos => x.sin(),
        };
        slope.abs()
    }

    /// How far off a device may be and still be called right: GLSL leaves it open, Vulkan asks for
    /// 2.5 units of RCP, 2 of RSQ, 3 + 2 |x| of EXP2, and 2^-11 of SIN and COS.
    pub(super) fn allowed(self, value: f64) -> f64 {
        match self {
            Opcode::Rcp | Opcode::Rsq => value.abs() * 0.5_f64.powi(20),
            Opcode::Exp2 | Opcode::Log2 => value.abs().max(1.0) * 0.5_f64.powi(16),
            Opcode::Sin | Opcode::Cos => 0.5_f64.powi(11),
        }
    }

    /// Where the shift begins and ends, so that chains neither grow nor meet a pole.
    fn shifts(self) -> (f32, f32) {
        match self {
            Opcode::Rcp | Opcode::Rsq => (1.0, 2.0),
            Opcode::Exp2 => (-2.0, -1.5),
            Opcode::Log2 => (3.0, 4.0),
            Opcode::Sin => (1.0, 2.0),
            Opcode::Cos => (-0.9, 0.0),
        }
    }

    pub(super) fn source(self, engine: Engine) -> Result<Source, stream::Error> {
        Ok(source(engine)?.define("WORK_OPCODE", 1).define("FUNCTION", self.function()))
    }

    pub(super) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let texels = extent(context).texels() as f64;
        let calls = texels * NUMBERS * f64::from(LINKS * trips(context));
        let make = move |context: &Context| self.work(context, engine);
        Subject::new("opcode", engine, self.name(), Unit::Calls, calls, make)
    }

    pub(super) fn work(self, context: &Context, engine: Engine) -> Result<Work, Error> {
        let trips = trips(context);
        let (shift, growth) = self.shift_and_growth(trips);
        let given = Given::default()
            .uniform("trips", trips as i32)
            .uniform("shift", [shift; 4])
            .uniform("growth", [growth; 4]);
        let start = Start { extent: extent(context), texel: spread };
        let twin = Box::new(move |_, old: [f32; 4]| old.map(|start| self.twin(start, trips)));
        let source = self.source(engine)?;
        Work::new(context, source, context.abilities().reads(), start, given, twin)
    }

    fn shift_and_growth(self, trips: u32) -> (f32, f32) {
        let (first, last) = self.shifts();
        (first, (last - first) / trips as f32)
    }

    /// The mean of the chains, and the mean of how far they may be off: an error goes on by the
    /// function's slope, and every link adds what the function and its argument's rounding may.
    fn twin(self, start: f32, trips: u32) -> Expected {
        let chains =
            [0.0, 0.25, 0.5, 0.75].map(|apart| self.chain(f64::from(start) + apart, trips));
        let mean = |part: fn(&Expected) -> f64| chains.iter().map(part).sum::<f64>() / 4.0;
        (mean(|chain| chain.0), mean(|chain| chain.1))
    }

    fn chain(self, first: f64, trips: u32) -> Expected {
        let (shift, growth) = self.shift_and_growth(trips);
        let (mut x, mut off) = (first, 0.0);
        for trip in 0..trips {
            let c = f64::from(shift) + f64::from(trip) * f64::from(growth);
            for _ in 0..LINKS {
                let argument = x + c;
                let rounding = 0.5_f64.powi(20) * (x.abs() + c.abs());
                x = self.of(argument);
                off = 1.1 * self.slope(argument) * (off + rounding) + self.allowed(x);
            }
        }
        (x, off)
    }
}

/// Trips of a step: a software renderer takes long for one.
pub(super) fn trips(context: &Context) -> u32 {
    if context.abilities().software { 2 } else { 64 }
}
