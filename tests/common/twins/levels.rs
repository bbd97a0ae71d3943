//! The levels of a texture in double precision: each texel is the mean of the part of the level
//! before that it covers.

use quadrille::Extent;

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
