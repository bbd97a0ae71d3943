//! What uninitialized textures and buffers hold where a test asks for it: on some drivers new ones are zeros, and those
//! that are used again seldom hold what would show that they are read before they are written.

use half::f16;

use crate::gl::{Context, Format, Result};
use crate::memory::{self, NoMemory};

/// The environment variable that poisons the contexts of a process, by a number such as `nan`, `inf` or `1e38`.
const VARIABLE: &str = "QUADRILLE_POISON";

/// Returns what the environment asks for.
pub(crate) fn asked() -> Option<f32> {
    std::env::var(VARIABLE).ok()?.parse().ok()
}

/// Fills textures and buffers of the context with a number from now on, before they are first used or used again.
pub fn poison(context: &Context, with: Option<f32>) {
    context.shared.poison.set(with);
}

/// Returns the bytes of a poisoned texture of this many texels; `None` where nothing is poisoned.
pub(crate) fn texels(context: &Context, format: Format, count: usize) -> Result<Option<Vec<u8>>> {
    let Some(number) = context.shared.poison.get() else { return Ok(None) };
    let half = f16::from_f32(number).to_bits();
    let unit = match (format.is_float(), format.is_half()) {
        (true, _) => number.to_bits(),
        (_, true) => (u32::from(half) << 16) | u32::from(half),
        _ => OF_INTEGERS,
    };
    Ok(Some(repeated(unit, count * format.bytes)?))
}

/// Returns the bytes of a poisoned buffer.
pub(crate) fn bytes(context: &Context, count: usize) -> Result<Option<Vec<u8>>> {
    let Some(number) = context.shared.poison.get() else { return Ok(None) };
    Ok(Some(repeated(number.to_bits(), count)?))
}

/// Neither small nor the same in each byte of a number.
const OF_INTEGERS: u32 = 0xa5c3_96e7;

fn repeated(unit: u32, count: usize) -> Result<Vec<u8>, NoMemory> {
    memory::collected(count, unit.to_ne_bytes().into_iter().cycle().take(count))
}
