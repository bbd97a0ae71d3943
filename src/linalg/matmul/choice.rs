//! Which method, where the user leaves it open.

use crate::Shape;
use crate::data::Number;
use crate::gl::Abilities;
use crate::stream::choice;

use super::{Method, Wish};

/// What the multiply of floats is called among the tuned choices.
pub const OPERATION: &str = "matmul";

/// The method that a wish names, or else the one that was tuned for this device at about this size,
/// or else what is usually best on such a device. The options that the wish names stay.
pub(super) fn choose<T: Number>(
    wish: Wish,
    a: Shape,
    b: Shape,
    abilities: &Abilities,
) -> (Wish, Method) {
    if let Some(method) = wish.method {
        return (wish, method);
    }
    let tuned = if T::IS_FLOAT { tuned(a, b, abilities) } else { None };
    let method = || by_device::<T>(a, b, abilities);
    let (chosen, method) = tuned.unwrap_or_else(|| (Wish::default(), method()));
    (wish.over(chosen, method), method)
}

/// What was tuned, where this quadrille and this context can still run it.
fn tuned(a: Shape, b: Shape, abilities: &Abilities) -> Option<(Wish, Method)> {
    let entry = choice::tuned(abilities, OPERATION, size(a, b))?;
    let wish: Wish = entry.choice.parse().ok()?;
    let method = wish.method?;
    wish.must_suit(method).ok()?;
    method.must_run_on(abilities).ok()?;
    Some((wish, method))
}

/// The side of the square matrices whose product takes as much arithmetic.
fn size(a: Shape, b: Shape) -> usize {
    (a.rows as f64 * a.cols as f64 * b.cols as f64).cbrt().round() as usize
}

/// Up to this size a software renderer takes longer to draw anything than a core to multiply.
const SMALL: usize = 64;

/// What is usually best on such a device (docs/measured.md).
fn by_device<T: Number>(a: Shape, b: Shape, abilities: &Abilities) -> Method {
    let runs = |method: &Method| method.lacks(abilities).is_none();
    let small = size(a, b) <= SMALL;
    let order: &[Method] = match (T::IS_FLOAT, abilities.software) {
        (_, true) if small => &[],
        (true, true) => &[Method::Block16x8, Method::Block8x4, Method::Block4x4, Method::Sp],
        (true, false) => &[Method::ComputeBlocked, Method::Block8x4, Method::Block4x4, Method::Sp],
        (false, true) => &[],
        (false, false) => &[Method::ComputeShared, Method::Element],
    };
    order.iter().copied().find(runs).unwrap_or(Method::Serial)
}

impl Wish {
    /// This wish, and what it leaves open as another has it, unless the two contradict.
    fn over(self, other: Wish, method: Method) -> Wish {
        let geometry = self.tile.is_some() || self.triangle;
        let geometry = if geometry { self } else { other };
        Wish {
            method: Some(method),
            unroll: self.unroll.or(other.unroll),
            passes: self.passes.or(other.passes),
            tile: geometry.tile,
            order: self.order.or(geometry.order),
            triangle: geometry.triangle,
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

    #[test]
    fn named_options_stay_and_the_rest_is_as_tuned() {
        let wish: Wish = "auto unroll=2 tile=16".parse().unwrap();
        let tuned: Wish = "sp unroll=8 triangle reads=fetch".parse().unwrap();
        let expected: Wish = "sp unroll=2 tile=16x16 reads=fetch".parse().unwrap();
        assert_eq!(wish.over(tuned, Method::Sp), expected);
    }

    #[test]
    fn the_size_is_that_of_as_much_work() {
        assert_eq!(size(Shape::new(64, 64), Shape::new(64, 64)), 64);
        assert_eq!(size(Shape::new(1, 1000), Shape::new(1000, 1000)), 100);
        assert_eq!(size(Shape::new(0, 3), Shape::new(3, 4)), 0);
    }
}
