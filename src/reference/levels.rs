//! The levels of a texture in double precision: each texel is the mean of the part of the level
//! before that it covers.

use crate::Extent;

/// Returns the level behind one of this extent, of one channel, with its extent.
pub fn halved(before: &[f64], extent: Extent) -> (Vec<f64>, Extent) {
    let next = Extent::new((extent.width / 2).max(1), (extent.height / 2).max(1));
    let mut means = Vec::with_capacity(next.texels());
    for y in 0..next.height {
        for x in 0..next.width {
            let mut mean = 0.0;
            for v in 0..extent.height {
                for u in 0..extent.width {
                    let part = covered(x, u, extent.width, next.width)
                        * covered(y, v, extent.height, next.height);
                    if part > 0.0 {
                        mean += part * before[(v * extent.width + u) as usize];
                    }
                }
            }
            means.push(mean);
        }
    }
    (means, next)
}

/// Returns which part of texel `to` of an axis of `tos` texels is covered by texel `from` of an
/// axis of the same length that has `froms`.
fn covered(to: u32, from: u32, froms: u32, tos: u32) -> f64 {
    // Positions in units in which both kinds of texels have whole edges.
    let edges = |index: u32, width: u32| (i64::from(index * width), i64::from((index + 1) * width));
    let ((first, last), (start, end)) = (edges(to, froms), edges(from, tos));
    let common = (last.min(end) - first.max(start)).max(0);
    common as f64 / f64::from(froms)
}

/// Returns level 0 and all that follow.
pub fn levels(texels: &[f64], extent: Extent) -> Vec<(Vec<f64>, Extent)> {
    let mut levels = vec![(texels.to_vec(), extent)];
    while let Some((last, extent)) = levels.last().filter(|(last, _)| last.len() > 1) {
        let next = halved(last, *extent);
        levels.push(next);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_made_of_means_and_the_last_is_that_of_all() {
        let even = halved(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], Extent::new(4, 2));
        assert_eq!(even, (vec![3.5, 5.5], Extent::new(2, 1)));
        // Each of two covers two and a half of five.
        let odd = halved(&[1.0, 2.0, 3.0, 4.0, 5.0], Extent::new(5, 1));
        let wanted = [(1.0 + 2.0 + 1.5) / 2.5, (1.5 + 4.0 + 5.0) / 2.5];
        assert!(odd.0.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() < 1e-15));
        for extent in [Extent::new(7, 13), Extent::new(1, 9), Extent::new(17, 3)] {
            let texels: Vec<f64> = (0..extent.texels()).map(|i| (i * i % 31) as f64).collect();
            let mean = texels.iter().sum::<f64>() / texels.len() as f64;
            let all = levels(&texels, extent);
            let sides = extent.width.max(extent.height);
            assert_eq!(all.len() as u32, sides.ilog2() + 1);
            assert!((all.last().map_or(0.0, |(last, _)| last[0]) - mean).abs() < 1e-12);
        }
    }
}
