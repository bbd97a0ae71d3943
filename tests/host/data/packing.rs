//! The packing of numbers into texels: plain arithmetic, over shapes.

use proptest::prelude::*;
use quadrille::internal::pack::{channel, interleave};

proptest! {
    #[test]
    fn interleaved_slices_come_apart_again(length in 0_usize..50, count in 1_usize..5) {
        let slices: Vec<Vec<f32>> =
            (0..count).map(|c| (0..length).map(|i| (100 * c + i) as f32).collect()).collect();
        let borrowed: Vec<&[f32]> = slices.iter().map(Vec::as_slice).collect();
        let mixed = interleave(&borrowed).unwrap();
        prop_assert_eq!(mixed.len(), length * count);
        for (c, slice) in slices.iter().enumerate() {
            prop_assert_eq!(&channel(&mixed, count, c).unwrap(), slice);
        }
        if length > 1 && count > 1 {
            prop_assert_ne!(channel(&mixed, count, 0).unwrap(), channel(&mixed, count, 1).unwrap());
        }
    }
}
