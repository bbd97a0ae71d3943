//! Built-in functions: how many of them in a second.

use std::f64::consts::LN_2;

use super::arithmetic::{extent, spread};
use super::prelude::*;

/// A built-in function, by GPUBench's name of its opcode.
#[derive(Clone, Copy)]
pub(crate) struct Opcode {
    pub(crate) name: &'static str,
    function: &'static str,
    of: fn(f64) -> f64,
    /// The slope of the function there.
    slope: fn(f64) -> f64,
    /// The error up to which a device is still called right.
    pub(crate) allowed: fn(f64) -> f64,
    /// The begin and the end of the shift, chosen so that chains neither grow nor meet a pole.
    shifts: [f32; 2],
}

/// Numbers that one texel holds.
const NUMBERS: f64 = 16.0;
/// Links of a chain in one trip.
const LINKS: u32 = 4;

const fn opcode(
    name: &'static str,
    function: &'static str,
    of: fn(f64) -> f64,
    slope: fn(f64) -> f64,
    allowed: fn(f64) -> f64,
    shifts: [f32; 2],
) -> Opcode {
    Opcode { name, function, of, slope, allowed, shifts }
}

// GLSL leaves open how far off they are, Vulkan asks for 2.5 units of RCP, 2 of RSQ, 3 + 2 |x| of
// EXP2, and 2^-11 of SIN and COS.
fn few_units(value: f64) -> f64 {
    value.abs() * 0.5_f64.powi(20)
}

fn more_units(value: f64) -> f64 {
    value.abs().max(1.0) * 0.5_f64.powi(16)
}

fn of_angles(_: f64) -> f64 {
    0.5_f64.powi(11)
}

impl Opcode {
    pub(crate) const ALL: [Opcode; 6] = [
        opcode("RCP", "reciprocal", |x| 1.0 / x, |x| 1.0 / (x * x), few_units, [1.0, 2.0]),
        opcode(
            "RSQ",
            "inversesqrt",
            |x| 1.0 / x.sqrt(),
            |x| 0.5 * x.powf(-1.5),
            few_units,
            [1.0, 2.0],
        ),
        opcode("EXP2", "exp2", f64::exp2, |x| LN_2 * x.exp2(), more_units, [-2.0, -1.5]),
        opcode("LOG2", "log2", f64::log2, |x| 1.0 / (x * LN_2), more_units, [3.0, 4.0]),
        opcode("SIN", "sin", f64::sin, f64::cos, of_angles, [1.0, 2.0]),
        opcode("COS", "cos", f64::cos, f64::sin, of_angles, [-0.9, 0.0]),
    ];

    /// The expression of the opcode on the accuracy card.
    pub(crate) fn expression(self) -> String {
        if self.name == "RCP" { "1 / a".into() } else { format!("{}(a)", self.function) }
    }

    pub(crate) fn source(self, engine: Engine) -> Result<Source, stream::Error> {
        Ok(source(engine)?.define("WORK_OPCODE", 1).define("FUNCTION", self.function))
    }

    pub(crate) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let texels = extent(context).texels() as f64;
        let calls = texels * NUMBERS * f64::from(LINKS * trips(context));
        let make = move |context: &Context| self.work(context, engine);
        Subject::new("opcode", engine, self.name, Unit::Calls, calls, make)
    }

    pub(crate) fn work(self, context: &Context, engine: Engine) -> Result<Work> {
        let trips = trips(context);
        let (shift, growth) = self.shift_and_growth(trips);
        let given = Inputs::default()
            .uniform("trips", trips as i32)
            .uniform("shift", [shift; 4])
            .uniform("growth", [growth; 4]);
        let start = Start { extent: extent(context), texel: spread };
        let twin = Box::new(move |_, old: [f32; 4]| old.map(|start| self.twin(start, trips)));
        let source = self.source(engine)?;
        Work::new(context, source, context.abilities().reads(), start, given, twin)
    }

    fn shift_and_growth(self, trips: u32) -> (f32, f32) {
        let [first, last] = self.shifts;
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
                x = (self.of)(argument);
                off = 1.1 * (self.slope)(argument).abs() * (off + rounding) + (self.allowed)(x);
            }
        }
        (x, off)
    }
}

/// Trips of a step: a software renderer takes long for one.
pub(crate) fn trips(context: &Context) -> u32 {
    if context.abilities().software { 2 } else { 64 }
}
