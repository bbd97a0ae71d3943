//! Exact sums of integers.

use crate::gl::{Context, Texel, Texture};
use crate::shader::{Source, Stage};

use super::super::Result;

/// Integers whose sums are exact.
pub trait Countable: Texel {
    #[doc(hidden)]
    const DEFINE: &'static str;
}

impl Countable for u8 {
    const DEFINE: &'static str = "FROM_BYTES";
}

impl Countable for i32 {
    const DEFINE: &'static str = "FROM_INTEGERS";
}

/// The define of every stage after the first, which reads limbs.
const LIMBS: &str = "FROM_LIMBS";
/// Texels a side that a stage folds into one.
const SIDE: u32 = 16;
/// Two stages add 65536 numbers, whose upper halves just fit in 32 bits; the host adds the rest.
const STAGES: usize = 2;

/// Returns the exact sum of all texels.
///
/// A 32-bit sum would overflow, so each value is split into two limbs: the lower 16 bits, and the
/// rest with its sign. After two stages of 16 x 16 a partial sum has at most 65536 values, so its
/// upper limb stays below 2^31; the host adds the partial sums as 64-bit integers.
///
/// ```
/// use quadrille::{Context, Extent, stream::reduce::sum_exactly};
/// let context = Context::headless()?;
/// let x = context.texture(Extent::new(2, 2), &[i32::MAX; 4])?;
/// assert_eq!(sum_exactly(&context, &x)?, 4 * i64::from(i32::MAX));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Errors of the device, and those of a texture that lives in another context.
pub fn sum_exactly<T: Countable>(context: &Context, texture: &Texture<T>) -> Result<i64> {
    let mut limbs = stage(context, T::DEFINE, texture)?;
    for _ in 1..STAGES {
        limbs = stage(context, LIMBS, &limbs)?;
    }
    let value = |[high, low]: [i32; 2]| (i64::from(high) << 16) + i64::from(low);
    Ok(limbs.read()?.into_iter().map(value).sum())
}

/// Returns every shader of this module.
pub(super) fn sources() -> Result<Vec<Source>> {
    [u8::DEFINE, i32::DEFINE, LIMBS].into_iter().map(source).collect()
}

fn source(define: &str) -> Result<Source> {
    let source = Source::library(Stage::Fragment, "reduce/limbs.frag")?;
    Ok(source.define(define, 1).define("FOLD", SIDE))
}

fn stage<T: Texel>(
    context: &Context,
    define: &str,
    from: &Texture<T>,
) -> Result<Texture<[i32; 2]>> {
    let kernel = context.kernel(source(define)?)?;
    let extent = from.extent();
    let smaller = crate::Extent::new(extent.width.div_ceil(SIDE), extent.height.div_ceil(SIDE));
    let mut to = context.uninit(smaller)?;
    kernel.pass().input("x", from).draw(&mut to)?;
    Ok(to)
}
