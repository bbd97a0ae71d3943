//! Numbers that depend on the kind of a point alone, as `glsl/include/kinds.glsl` finds them.

use crate::Extent;
use crate::data::grid3::kinds::{Alike, Kinds};
use crate::gl::{Buffer, Value};
use crate::linalg::nine_banded::Result;
use crate::memory;
use crate::stream::Engine;
use crate::stream::launch::{Launch, Programs};

use super::Grid;
use super::programs::Variant;

/// Some numbers of each kind of points.
pub(super) struct Table {
    lookup: Lookup,
    /// The numbers of the first point, those inside and the last of lines that are inside.
    inner: Value,
    pub(super) border: usize,
}

/// Where programs find the numbers of a kind: each engine where it reads them fast.
enum Lookup {
    Texture(Grid),
    Buffer(Buffer<f32>),
}

impl Table {
    /// Makes a table of some numbers of what each kind has.
    pub(super) fn new<T: Alike, const N: usize>(
        programs: &Programs<Variant>,
        kinds: &Kinds<T>,
        numbers: impl Fn(&T) -> [f32; N],
    ) -> Result<Table> {
        let across = 2 * kinds.border() + 1;
        let of_line = |line: &[T]| line.iter().map(&numbers).collect::<Vec<[f32; N]>>();
        let lines = kinds.lines().map(of_line);
        let lookup = match programs.engine() {
            Engine::Fragment => Lookup::Texture(texture(programs, lines, across)?),
            Engine::Compute => {
                // The numbers of the kinds along x beside each other.
                let of_line = |line: Vec<[f32; N]>| {
                    (0..N).flat_map(move |k| line.clone().into_iter().map(move |kind| kind[k]))
                };
                let numbers: Vec<f32> = lines.flat_map(of_line).collect();
                Lookup::Buffer(programs.context().buffer(&numbers)?)
            }
        };
        let line = of_line(kinds.line_inside());
        let ends = if across == 3 { [0, 1, 2] } else { [across / 2; 3] };
        let inner = (0..N).map(|number| ends.map(|kind| line[kind][number])).collect();
        Ok(Table { lookup, inner: Value::Vec3s(inner), border: kinds.border() })
    }

    /// Gives the numbers to a program; where it is for lines inside, theirs.
    pub(super) fn bind<'a>(&'a self, launch: Launch<'a>, inner: bool) -> Launch<'a> {
        let border = self.border as i32;
        match &self.lookup {
            _ if inner => launch.uniform("inner", self.inner.clone()),
            Lookup::Texture(texture) => launch.input("kinds", texture).uniform("border", border),
            Lookup::Buffer(numbers) => launch.buffer("Kinds", numbers).uniform("border", border),
        }
    }

    /// Returns whether there are several kinds at each end of an axis.
    pub(super) fn is_wide(&self) -> bool {
        self.border > 1
    }
}

/// Returns a texture with a row for each kind of lines.
fn texture<const N: usize>(
    programs: &Programs<Variant>,
    lines: impl Iterator<Item = Vec<[f32; N]>>,
    across: usize,
) -> Result<Grid> {
    let width = if across > 3 { N * across } else { N };
    let extent = Extent::new(width as u32, (across * across) as u32);
    let mut texels: Vec<[f32; 4]> = memory::with_room(extent.texels())?;
    for line in lines {
        for number in 0..N {
            match across {
                1 => texels.push([line[0][number]; 4]),
                3 => texels.push([line[0][number], line[1][number], line[2][number], 0.0]),
                _ => texels.extend(line.iter().map(|of_kind| [of_kind[number], 0.0, 0.0, 0.0])),
            }
        }
    }
    Ok(programs.context().texture(extent, &texels)?)
}
