//! The inverse of the coarsest matrix, by which a cycle ends without a wait.

use crate::{Extent, memory};

use crate::linalg::multigrid::programs::{LevelPrograms, texels};
use crate::linalg::multigrid::{Grid, Result};

/// Returns the inverse of the last level's matrix of these points, as `glsl/multigrid/direct.frag` reads it.
pub(crate) fn direct(
    programs: &LevelPrograms,
    points: (usize, usize),
    inverse: &[f64],
) -> Result<Grid> {
    let size = texels(points);
    let count = points.0 * points.1;
    let index = |texel: usize, lane: usize| {
        let (x, y) = (4 * (texel % size.width as usize) + lane, texel / size.width as usize);
        (x < points.0).then_some(y * points.0 + x)
    };
    let texels = size.texels();
    let mut numbers = memory::zeroed::<[f32; 4]>(4 * texels * texels)?;
    for (at, four) in numbers.iter_mut().enumerate() {
        let (row, column) = (at / (4 * texels), at % (4 * texels));
        for (lane, number) in four.iter_mut().enumerate() {
            if let (Some(row), Some(column)) = (index(row, lane), index(column / 4, column % 4)) {
                *number = inverse[row * count + column] as f32;
            }
        }
    }
    let side = texels as u32;
    Ok(programs.context().texture(Extent::new(4 * side, side), &numbers)?)
}
