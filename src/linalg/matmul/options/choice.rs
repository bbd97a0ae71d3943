//! The choice of a method.

use crate::data::Number;
use crate::gl::{Abilities, Context};

use crate::linalg::matmul::backend::Operands;
use crate::linalg::matmul::{Method, Options};

/// The name of the product of floats among the tuned choices.
pub const OPERATION: &str = "matmul";

/// Returns the options to try, best first: the method if it is set; otherwise the one that was
/// tuned for this device at about this size, and then those that are usually best on such a device.
/// All other options that are set stay, so a method without one of them is skipped.
pub(crate) fn choices<T: Number>(
    options: Options,
    operands: Operands,
    context: &Context,
) -> (Options, Vec<Options>) {
    if options.method.is_some() {
        return (options, Vec::new());
    }
    let abilities = context.abilities();
    let tuned = if T::IS_FLOAT { tuned(size(operands), context) } else { None };
    let usual =
        by_device::<T>(size(operands), abilities).iter().map(|method| Options::from(*method));
    let suits = |options: &Options| {
        let suits = |method| options.must_suit(method).is_ok() && method.lacks(abilities).is_none();
        options.method.is_some_and(suits)
    };
    let all = tuned.into_iter().chain(usual).map(|chosen| options.over(chosen));
    let mut suited = all.filter(suits);
    // If none suits, the error of the last resort says why.
    let first = suited.next().unwrap_or_else(|| options.over(Method::Serial.into()));
    (first, suited.collect())
}

/// Returns the tuned options, if this version of quadrille can parse them.
fn tuned(size: usize, context: &Context) -> Option<Options> {
    context.tuned(OPERATION, size)?.choice.parse().ok()
}

/// Returns the side of square matrices whose product takes as many operations.
fn size(Operands { count, a, b, .. }: Operands) -> usize {
    (count as f64 * a.rows as f64 * a.cols as f64 * b.cols as f64).cbrt().round() as usize
}

/// The size up to which one core multiplies faster than a software renderer draws.
const SMALL: usize = 64;

/// Returns the methods that are usually the fastest on such a device, fastest first
/// (docs/measured.md).
fn by_device<T: Number>(size: usize, abilities: &Abilities) -> &'static [Method] {
    use Method::{
        Block4x4, Block8x4, Block16x8, ComputeBlocked, ComputeShared, Element, Serial, Sp,
    };
    match (T::IS_FLOAT, abilities.software) {
        (true, true) if size <= SMALL => &[Serial, Block8x4, Block4x4, Sp],
        (true, true) => &[Block16x8, Block8x4, Block4x4, Sp, Serial],
        (true, false) => &[ComputeBlocked, Block8x4, Block4x4, Sp, Serial],
        (false, true) => &[Serial, Element],
        (false, false) => &[ComputeShared, Element, Serial],
    }
}

impl Options {
    /// Takes the options that are not set from `other`, unless the two contradict each other.
    fn over(self, other: Options) -> Options {
        let geometry = self.tile.is_some() || self.cover.is_some();
        let geometry = if geometry { self } else { other };
        Options {
            method: self.method.or(other.method),
            unroll: self.unroll.or(other.unroll),
            passes: self.passes.or(other.passes),
            split: self.split.or(other.split),
            tile: geometry.tile,
            order: self.order.or(geometry.order),
            cover: geometry.cover,
            mapping: self.mapping.or(other.mapping),
            cell: self.cell.or(other.cell),
            reads: self.reads.or(other.reads),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn named_options_stay_and_the_rest_is_as_tuned() {
        let options: Options = "auto unroll=2 tile=16".parse().unwrap();
        let tuned: Options = "sp unroll=8 cover=quad reads=fetch".parse().unwrap();
        let expected: Options = "sp unroll=2 tile=16x16 reads=fetch".parse().unwrap();
        assert_eq!(options.over(tuned), expected);
    }

    #[test]
    fn a_usual_method_comes_with_no_option() {
        let options: Options = "auto padding=3".parse().unwrap();
        let expected: Options = "block8x4 padding=3".parse().unwrap();
        assert_eq!(options.over(Method::Block8x4.into()), expected);
    }

    #[test]
    fn the_size_is_that_of_as_much_work() {
        let size = |count, m, k, n| {
            size(Operands { count, ..Operands::of_one(Shape::new(m, k), Shape::new(k, n)) })
        };
        assert_eq!(size(1, 64, 64, 64), 64);
        assert_eq!(size(1, 1, 1000, 1000), 100);
        assert_eq!(size(1000, 8, 8, 8), 80);
        assert_eq!(size(1, 0, 3, 4), 0);
    }
}
