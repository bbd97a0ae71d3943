//! Packing of numbers into texels: arithmetic on slices, without OpenGL.

mod texel_layout;

pub(crate) use texel_layout::TexelLayout;

use crate::memory::{self, NoMemory};

/// The layout of a vector in rows of `width` numbers. Each row begins a new row of texels, `lanes` consecutive
/// numbers share a texel, and the rest of the last texel is padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rows {
    width: usize,
    lanes: usize,
}

impl Rows {
    /// Rows of `width` numbers, `lanes` to a texel; both at least 1.
    pub fn new(width: usize, lanes: usize) -> Rows {
        Rows { width: width.max(1), lanes: lanes.max(1) }
    }

    /// The number of elements in a texel.
    pub fn lanes(self) -> usize {
        self.lanes
    }

    /// The number of texels in a row.
    pub fn texels(self) -> usize {
        self.width.div_ceil(self.lanes)
    }

    /// The number of rows for `n` numbers, at least one.
    pub fn rows(self, n: usize) -> usize {
        n.div_ceil(self.width).max(1)
    }

    /// The lane of a row's last number in its last texel.
    pub fn last_lane(self) -> usize {
        (self.width - 1) % self.lanes
    }

    /// Packs numbers, and fills the rest with `padding`.
    pub fn pack(self, numbers: &[f32], padding: f32) -> Result<Vec<f32>, NoMemory> {
        let stride = self.texels() * self.lanes;
        let mut packed = memory::filled(padding, stride * self.rows(numbers.len()))?;
        for (row, place) in numbers.chunks(self.width).zip(packed.chunks_mut(stride)) {
            for (number, slot) in row.iter().zip(place) {
                *slot = *number;
            }
        }
        Ok(packed)
    }

    /// Unpacks the first `n` numbers.
    pub fn unpack(self, packed: &[f32], n: usize) -> Result<Vec<f32>, NoMemory> {
        let stride = self.texels() * self.lanes;
        let rows = packed.chunks(stride).flat_map(|row| row.iter().take(self.width));
        memory::collected(n, rows.copied())
    }
}

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

/// Slices of one length, in rows of `width` items, side by side: the first row of each, then the second of each.
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
    fn rows_are_padded_to_whole_texels() {
        let rows = Rows::new(5, 4);
        let numbers: Vec<f32> = (1..=7).map(|i| i as f32).collect();
        let packed = rows.pack(&numbers, 0.0).unwrap();
        let expected =
            [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 6.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(packed, expected);
        assert_eq!(rows.unpack(&packed, 7).unwrap(), numbers);
        assert_eq!((rows.texels(), rows.rows(7), rows.last_lane()), (2, 2, 0));
    }

    #[test]
    fn packing_comes_back_at_every_size() {
        for width in 1..10 {
            for lanes in [1, 2, 4] {
                for n in 0..30 {
                    let rows = Rows::new(width, lanes);
                    let numbers: Vec<f32> = (0..n).map(|i| i as f32 + 1.0).collect();
                    let packed = rows.pack(&numbers, -1.0).unwrap();
                    assert_eq!(rows.unpack(&packed, n).unwrap(), numbers);
                }
            }
        }
    }

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
