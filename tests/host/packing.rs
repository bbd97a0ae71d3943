//! How numbers lie in texels: plain arithmetic, over shapes.

use proptest::prelude::*;
use quadrille::internal::pack::{Rows, channel, interleave};

proptest! {
    #[test]
    fn every_number_lies_in_its_row_and_the_rest_is_padding(
        n in 0_usize..300, width in 1_usize..40, lanes in prop::sample::select(vec![1_usize, 2, 4])
    ) {
        let rows = Rows::new(width, lanes);
        let numbers: Vec<f32> = (0..n).map(|i| i as f32 + 1.0).collect();
        let packed = rows.pack(&numbers, -7.0).unwrap();
        let stride = rows.texels() * lanes;
        prop_assert_eq!(packed.len(), stride * rows.rows(n));
        prop_assert!(stride >= width && stride < width + lanes);
        let mut seen = 0;
        for (i, number) in packed.iter().enumerate() {
            let (row, column) = (i / stride, i % stride);
            let index = row * width + column;
            if column < width && index < n {
                prop_assert_eq!(*number, numbers[index]);
                seen += 1;
            } else {
                prop_assert_eq!(*number, -7.0, "padding at row {}, column {}", row, column);
            }
        }
        prop_assert_eq!(seen, n);
        prop_assert_eq!(rows.unpack(&packed, n).unwrap(), numbers);
        prop_assert_eq!(rows.last_lane(), (width + lanes - 1) % lanes);
    }

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
