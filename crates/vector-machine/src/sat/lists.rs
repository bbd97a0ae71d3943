//! Lists of numbers of any length in texels of four.

use quadrille::memory::{self, NoMemory};

/// Lists as texels: three numbers each, 0 where there is none, and the index of the texel that goes
/// on with the list, or 0. List `i` begins at texel `i`; continuations follow all the beginnings.
/// So a list of up to three numbers, as most are, is one fetch.
pub(super) fn linked<L: IntoIterator<Item = i32>>(
    lists: impl ExactSizeIterator<Item = L>,
) -> Result<Vec<[i32; 4]>, NoMemory> {
    let mut texels: Vec<[i32; 4]> = memory::zeroed(lists.len())?;
    for (head, list) in lists.enumerate() {
        let (mut here, mut filled) = (head, 0);
        for number in list {
            if filled == 3 {
                texels[here][3] = texels.len() as i32;
                (here, filled) = (texels.len(), 0);
                memory::push(&mut texels, [0; 4])?;
            }
            texels[here][filled] = number;
            filled += 1;
        }
    }
    Ok(texels)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::linked;

    #[test]
    fn long_lists_go_on_behind_the_beginnings() {
        let lists = [vec![1, 2, 3], vec![], vec![1, 2, 3, 4], vec![5; 7], vec![9]];
        let texels = linked(lists.into_iter()).unwrap();
        let expected = [
            [1, 2, 3, 0],
            [0, 0, 0, 0],
            [1, 2, 3, 5],
            [5, 5, 5, 6],
            [9, 0, 0, 0],
            [4, 0, 0, 0],
            [5, 5, 5, 7],
            [5, 0, 0, 0],
        ];
        assert_eq!(texels, expected);
        assert!(linked(std::iter::empty::<[i32; 0]>()).unwrap().is_empty());
    }
}
