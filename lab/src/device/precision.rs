//! How exact built-in functions are: against f64, in units in the last place of the exact result.

use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::internal::reference::{Comparison, compare, largest};
use quadrille::shader::Source;
use quadrille::stream::{self, Kernel};

use super::super::Error;
use super::super::card::units_off;
use super::opcodes::Opcode;
use super::row::Engine;
use super::work::source;

/// A function on a range of arguments, to be compared with f64 in units in the last place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) opcode: Opcode,
    pub(super) name: &'static str,
    low: f64,
    high: f64,
    /// Whether arguments are spread by their logarithm.
    geometric: bool,
}

impl Range {
    pub(super) fn all() -> Vec<Range> {
        let even = |opcode, name, low, high| Range { opcode, name, low, high, geometric: false };
        let wide = |opcode, name, low, high| Range { opcode, name, low, high, geometric: true };
        let (pi, far) = (std::f64::consts::PI, 100.0 * std::f64::consts::PI);
        let (small, large) = (0.5_f64.powi(60), 2.0_f64.powi(60));
        vec![
            even(Opcode::Rcp, "[1, 2]", 1.0, 2.0),
            wide(Opcode::Rcp, "[2^-60, 2^60]", small, large),
            even(Opcode::Rsq, "[1, 4]", 1.0, 4.0),
            wide(Opcode::Rsq, "[2^-60, 2^60]", small, large),
            even(Opcode::Exp2, "[0, 1]", 0.0, 1.0),
            even(Opcode::Exp2, "[-60, 60]", -60.0, 60.0),
            even(Opcode::Log2, "[2, 4]", 2.0, 4.0),
            wide(Opcode::Log2, "[2^-60, 2^60]", small, large),
            even(Opcode::Sin, "[-pi, pi]", -pi, pi),
            even(Opcode::Sin, "[-100 pi, 100 pi]", -far, far),
            even(Opcode::Cos, "[-pi, pi]", -pi, pi),
            even(Opcode::Cos, "[-100 pi, 100 pi]", -far, far),
        ]
    }

    /// Arguments, four to a texel.
    pub(super) fn arguments(self, extent: Extent) -> Vec<[f32; 4]> {
        let count = extent.texels() * 4;
        let at = |i: usize| {
            let part = i as f64 / (count - 1) as f64;
            match self.geometric {
                true => self.low * (self.high / self.low).powf(part),
                false => self.low + (self.high - self.low) * part,
            }
        };
        let texel = |i: usize| [0, 1, 2, 3].map(|channel| at(4 * i + channel) as f32);
        (0..extent.texels()).map(texel).collect()
    }
}

/// The largest and the mean error in units in the last place, and whether it is as exact as GLSL's
/// successors ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Precision {
    pub(super) largest: f64,
    pub(super) mean: f64,
    pub(super) comparison: Comparison,
}

/// 2^18 arguments.
const EXTENT: Extent = Extent { width: 256, height: 256 };

pub(super) fn value_source(opcode: Opcode) -> Result<Source, stream::Error> {
    let source = source(Engine::Fragment)?.define("WORK_VALUE", 1);
    Ok(source.define("FUNCTION", opcode.function()))
}

/// Has the device compute the function of all arguments, and compares.
pub(super) fn measure(context: &Context, range: Range) -> Result<Precision, Error> {
    let arguments = range.arguments(EXTENT);
    let kernel =
        Kernel::from_fragment(context, &value_source(range.opcode)?, context.abilities().reads())?;
    let input = context.texture(EXTENT, &arguments)?;
    let mut output = context.uninit::<[f32; 4]>(EXTENT)?;
    kernel.pass().input("old", &input).draw(&mut output)?;
    Ok(range.compare(&arguments, &output.read()?))
}

impl Range {
    fn compare(self, arguments: &[[f32; 4]], got: &[[f32; 4]]) -> Precision {
        let got = got.as_flattened();
        let exact = || arguments.as_flattened().iter().map(|x| self.opcode.of(f64::from(*x)));
        let errors = || got.iter().zip(exact()).map(|(got, exact)| units_off(*got, exact, 0.0));
        let expected = exact().map(|exact| (exact, self.opcode.allowed(exact)));
        Precision {
            largest: largest(errors()),
            mean: errors().sum::<f64>() / got.len().max(1) as f64,
            comparison: compare(got.iter().copied(), expected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_off_is_seen() {
        let range = Range::all()[0];
        let extent = Extent::new(4, 4);
        let arguments = range.arguments(extent);
        let right: Vec<[f32; 4]> = arguments.iter().map(|x| x.map(|x| 1.0 / x)).collect();
        let fine = range.compare(&arguments, &right);
        assert!(fine.comparison.is_right() && fine.largest <= 0.5 && fine.mean > 0.0, "{fine:?}");
        let mut wrong = right;
        wrong[7][2] *= 1.0 + 1e-5;
        let off = range.compare(&arguments, &wrong);
        assert!(!off.comparison.is_right() && off.largest > 50.0, "{off:?}");
        assert!(!range.compare(&arguments, &wrong[1..]).comparison.is_right());
    }

    #[test]
    fn a_result_that_is_twice_its_bound_away_is_seen_in_every_range() {
        let extent = Extent::new(4, 4);
        for range in Range::all() {
            let arguments = range.arguments(extent);
            let exact = |x: f32| range.opcode.of(f64::from(x));
            let right: Vec<[f32; 4]> =
                arguments.iter().map(|x| x.map(|x| exact(x) as f32)).collect();
            assert!(range.compare(&arguments, &right).comparison.is_right(), "{range:?}");
            for (at, channel) in (0..16).flat_map(|at| [0, 1, 2, 3].map(|channel| (at, channel))) {
                let exact = exact(arguments[at][channel]);
                let bound = range.opcode.allowed(exact);
                for wrong in [exact + 2.0 * bound, exact - 2.0 * bound, f64::NAN, f64::INFINITY] {
                    let mut got = right.clone();
                    got[at][channel] = wrong as f32;
                    let seen = !range.compare(&arguments, &got).comparison.is_right();
                    assert!(seen, "{wrong}, not {exact}, of {range:?}");
                }
            }
        }
    }
}
