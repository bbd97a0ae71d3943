//! Packing of numbers into texels: arithmetic on slices, without OpenGL.

mod texel_layout;

pub(crate) use texel_layout::TexelLayout;

use crate::memory::{self, NoMemory};

/// Interleaves slices of one length: the first item of each, then the second of each, and so on.
pub fn interleave<T: Copy + Default>(slices: &[&[T]]) -> Result<Vec<T>, NoMemory> {
    let length = slices.iter().map(|slice| slice.len()).min().unwrap_or(0);
    let mut mixed = memory::filled(T::default(), length * slices.len())?;
    for (channel, slice) in slices.iter().enumerate() {
        for (slot, item) in mixed.iter_mut().skip(channel).step_by(slices.len()).zip(*slice) {
            *slot = *item;
        }
    }
    Ok(mixed)
}

/// Slices of one length, in rows of `width` items, side by side: the first row of each, then the
/// second of each.
pub fn abreast<T: Copy>(slices: &[&[T]], width: usize) -> Result<Vec<T>, NoMemory> {
    let (width, length) = (width.max(1), slices.iter().map(|slice| slice.len()).min().unwrap_or(0));
    let mut joined = memory::with_room(length * slices.len())?;
    for start in (0..length).step_by(width) {
        let row = start..length.min(start + width);
        slices
            .iter()
            .filter_map(|slice| slice.get(row.clone()))
            .for_each(|row| joined.extend_from_slice(row));
    }
    Ok(joined)
}

/// Extracts one of the interleaved slices.
pub fn channel(mixed: &[f32], channels: usize, channel: usize) -> Result<Vec<f32>, NoMemory> {
    let numbers = mixed.iter().skip(channel).step_by(channels.max(1));
    memory::collected(numbers.len(), numbers.copied())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_side_by_side() {
        assert_eq!(abreast(&[&[1, 2, 3, 4], &[5, 6, 7, 8]], 2).unwrap(), [1, 2, 5, 6, 3, 4, 7, 8]);
        assert!(abreast::<u8>(&[], 2).unwrap().is_empty());
    }

    #[test]
    fn channels_come_back() {
        let mixed = interleave(&[&[1.0_f32, 2.0], &[3.0, 4.0], &[5.0, 6.0]]).unwrap();
        assert_eq!(mixed, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        assert_eq!(channel(&mixed, 3, 1).unwrap(), [3.0, 4.0]);
    }
}
