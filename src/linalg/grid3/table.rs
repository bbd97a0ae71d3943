//! Numbers that depend on the kind of a point alone, as `glsl/include/kinds.glsl` finds them.

use crate::Extent;
use crate::data::grid3::kinds::{Alike, Kinds};
use crate::gl::{Context, Value};
use crate::linalg::nine_banded::Error;

use super::Grid;

/// Some numbers of each kind of points.
pub(super) struct Table {
    pub(super) texture: Grid,
    /// The numbers of the first point, those inside and the last of lines that are inside.
    pub(super) inner: Value,
    pub(super) border: usize,
}

impl Table {
    /// Makes a table of some numbers of what each kind has.
    pub(super) fn new<T: Alike, const N: usize>(
        context: &Context,
        kinds: &Kinds<T>,
        numbers: impl Fn(&T) -> [f32; N],
    ) -> Result<Table, Error> {
        let across = 2 * kinds.border() + 1;
        let mut texels: Vec<[f32; 4]> = Vec::new();
        for line in kinds.lines() {
            let line: Vec<[f32; N]> = line.iter().map(&numbers).collect();
            for number in 0..N {
                match across {
                    1 => texels.push([line[0][number]; 4]),
                    3 => texels.push([line[0][number], line[1][number], line[2][number], 0.0]),
                    _ => texels.extend(line.iter().map(|of_kind| [of_kind[number], 0.0, 0.0, 0.0])),
                }
            }
        }
        let width = if across > 3 { N * across } else { N };
        let extent = Extent::new(width as u32, (across * across) as u32);
        let line: Vec<[f32; N]> = kinds.line_inside().iter().map(&numbers).collect();
        let ends = if across == 3 { [0, 1, 2] } else { [across / 2; 3] };
        let inner = (0..N).map(|number| ends.map(|kind| line[kind][number])).collect();
        let texture = context.texture(extent, &texels)?;
        Ok(Table { texture, inner: Value::Vec3s(inner), border: kinds.border() })
    }

    /// Returns whether there are several kinds at each end of an axis.
    pub(super) fn is_wide(&self) -> bool {
        self.border > 1
    }
}
