//! Rows in reverse order, for shaders that have y = 0 at the bottom.

/// Reverses the order of rows of this many numbers.
pub(crate) fn reverse<T>(numbers: &mut [T], row: usize) {
    let rows = numbers.len() / row.max(1);
    for upper in 0..rows / 2 {
        let (above, below) = numbers.split_at_mut((rows - 1 - upper) * row);
        above[upper * row..][..row].swap_with_slice(&mut below[..row]);
    }
}

#[cfg(test)]
mod tests {
    use super::reverse;

    #[test]
    fn rows_change_places_and_stay_whole() {
        for (row, before, after) in [
            (2, vec![1, 2, 3, 4, 5, 6], vec![5, 6, 3, 4, 1, 2]),
            (3, vec![1, 2, 3, 4, 5, 6], vec![4, 5, 6, 1, 2, 3]),
            (6, vec![1, 2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]),
            (1, vec![1, 2, 3], vec![3, 2, 1]),
            (4, vec![], vec![]),
        ] {
            let mut numbers = before;
            reverse(&mut numbers, row);
            assert_eq!(numbers, after, "{row}");
        }
    }
}
