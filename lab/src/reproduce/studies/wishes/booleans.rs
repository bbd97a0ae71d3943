//! Logical operations: a Boolean as a bit, and as a float.

use super::super::prelude::*;

use super::{Measurement, Request};
use crate::bench::sat;
use crate::bench::sat::{FEWEST, Plan};
use quadrille::Extent;
use quadrille::data::SplitMix64;
use quadrille::gl::Texture;
use quadrille::shader::{Source, Stage};
use quadrille::stream::Kernel;

pub(super) const BOOLEANS: Request = Request {
    wish: "logical Boolean operations",
    answer: "Integers and all bitwise operations in shaders, and integer textures: 128 Booleans in a texel. \
             quadrille's search of many candidates for models of formulas keeps each Boolean of a candidate in a bit.",
    measure,
};

pub(super) fn sources() -> Result<Vec<Source>, quadrille::stream::Error> {
    Ok(vec![source(false)?, source(true)?])
}

fn source(floats: bool) -> Result<Source, quadrille::stream::Error> {
    let file = if floats { "probe/booleans_as_floats.frag" } else { "probe/booleans.frag" };
    Ok(crate::shaders::source(Stage::Fragment, file)?)
}

/// Booleans in a texel: bits, and floats.
const BITS: usize = 128;

/// Two vectors of the same Booleans in both forms, and textures for the results.
struct Booleans {
    bits: [Texture<[u32; 4]>; 3],
    floats: [Texture<[f32; 4]>; 3],
    kernels: [Kernel; 2],
    expected: Vec<[u32; 4]>,
}

/// The number of times that a run does it.
const TIMES: usize = 4;

fn measure(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let mut booleans = Booleans::new(lab)?;
    let mut either = |way: usize| -> Result<Duration, Error> {
        let work = || (0..TIMES).try_for_each(|_| booleans.either(way));
        Ok(Clock::of(context).time(context, work)?.1)
    };
    let Some(times) = interleaved(lab, [0.5, 5.0], &mut either)? else { return Ok(None) };
    must_hold("an exclusive or of Booleans", booleans.is_right()?)?;
    let count = booleans.expected.len() * BITS;
    let rate = many(lab)?;
    if lab.stopped() {
        return Ok(None);
    }
    let buys = words(count, &times, &rate);
    let names = ["exclusive or, a bit each", "exclusive or, a float each"];
    Ok(Some(Measurement::new(buys, &names, &times)))
}

fn words(count: usize, times: &[Summary; 2], many: &str) -> String {
    let [bits, floats] = times.map(|time| time.median_ms / TIMES as f64);
    format!(
        "the exclusive or of two vectors of {count} Booleans takes {} ms as bits and {} ms as floats, {} times as \
         long; {many}",
        short(bits),
        short(floats),
        short(floats / bits.max(1e-9))
    )
}

impl Booleans {
    fn new(lab: &Lab<'_>) -> Result<Booleans, Error> {
        let context = lab.context;
        // Floats take 32 texels for one of bits.
        let extent = Extent::new(64, lab.scale.pick(32, 256));
        let wide = Extent::new(8 * extent.width, 4 * extent.height);
        let mut random = SplitMix64::new(lab.seed);
        let mut numbers = || -> Vec<[u32; 4]> {
            let mut next = || (random.next() >> 32) as u32;
            (0..extent.texels()).map(|_| [next(), next(), next(), next()]).collect()
        };
        let (a, b) = (numbers(), numbers());
        let or = |(a, b): (&[u32; 4], &[u32; 4])| [0, 1, 2, 3].map(|i| a[i] ^ b[i]);
        let expected = a.iter().zip(&b).map(or).collect();
        let bits =
            [context.texture(extent, &a)?, context.texture(extent, &b)?, context.uninit(extent)?];
        let texture = |numbers: &[[u32; 4]]| context.texture(wide, &as_floats(numbers));
        let floats = [texture(&a)?, texture(&b)?, context.uninit(wide)?];
        let reads = context.abilities().reads();
        let kernel = |floats| Kernel::from_fragment(context, &source(floats)?, reads);
        Ok(Booleans { bits, floats, kernels: [kernel(false)?, kernel(true)?], expected })
    }

    /// Replaces one operand: x or y or y again is x, so that after an even number all is as it was,
    /// and no pass can be left out.
    fn either(&mut self, way: usize) -> Result<(), Error> {
        let kernel = &self.kernels[way];
        if way == 0 {
            let [a, b, result] = &mut self.bits;
            kernel.pass().input("a", &*a).input("b", &*b).draw(result)?;
            std::mem::swap(a, result);
        } else {
            let [a, b, result] = &mut self.floats;
            kernel.pass().input("a", &*a).input("b", &*b).draw(result)?;
            std::mem::swap(a, result);
        }
        Ok(())
    }

    /// Once more: an odd number of times.
    fn is_right(&mut self) -> Result<bool, Error> {
        self.either(0)?;
        self.either(1)?;
        let (bits, floats) = (self.bits[0].read()?, self.floats[0].read()?);
        Ok(bits == self.expected && floats == as_floats(&self.expected))
    }
}

fn as_floats(numbers: &[[u32; 4]]) -> Vec<[f32; 4]> {
    let bits = numbers.iter().flatten().flat_map(|word| (0..32).map(move |bit| word >> bit & 1));
    let bits: Vec<f32> = bits.map(|bit| bit as f32).collect();
    bits.as_chunks::<4>().0.to_vec()
}

/// Clause evaluations a second of many candidates, a bit each, and of one at a time.
fn many(lab: &mut Lab<'_>) -> Result<String, Error> {
    let context = lab.context;
    let plan = Plan {
        clauses: vec![FEWEST],
        iterations: lab.scale.pick(50, 500),
        runs: 1,
        candidates: Some(lab.scale.pick(512, 2048)),
        steps: lab.scale.pick(32, 256),
    };
    let table = sat::run(context, &plan, &mut lab.observer())?;
    let Some(many) = table.many.first() else { return Ok("no search ran".into()) };
    must_hold("the walk of many candidates", many.right)?;
    Ok(format!(
        "a search of {} candidates evaluates {} clauses a second, {} times as many as the paper's search of one, \
         which keeps its assignment in floats",
        many.candidates,
        short(many.rate),
        short(many.rate / many.one[0].max(1e-9))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Scale;

    #[test]
    fn a_bit_and_a_pass_more_or_less_are_noticed() {
        let context = Context::headless().unwrap();
        let mut nobody = ();
        let lab = Lab::new(&context, Scale::Quick, 1, Duration::ZERO, &mut nobody);
        let mut booleans = Booleans::new(&lab).unwrap();
        // Each look is a pass more, and every other pass brings the operand back.
        let mut looks = |flipped: u32| {
            booleans.expected[7][2] ^= flipped;
            [(); 2].map(|()| booleans.is_right().unwrap())
        };
        assert_eq!(looks(0), [true, false]);
        assert_eq!(looks(1 << 31), [false, false]);
        assert_eq!(looks(1 << 31), [true, false]);
    }
}
