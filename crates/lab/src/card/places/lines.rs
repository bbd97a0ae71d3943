//! The texels that lines cover along the first and the last column: through the centres of texels
//! and along their left sides, up and down.

use quadrille::gl::Blend;
use quadrille::stream::{Geometry, Kernel, LineDirection};

use super::strips::shown;
use crate::card::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coverage {
    pub line: &'static str,
    /// Whether lines go from bottom to top, or from top to bottom.
    pub upward: bool,
    /// The number of lines that were drawn: the first and the last column at several extents.
    pub lines: usize,
    /// The number of lines that cover each texel of their column once and no other.
    pub exact: usize,
    /// Texels of the columns that were not covered, over all lines.
    pub missed: usize,
    /// Texels that were covered more than once; nothing where floats do not blend.
    pub doubled: Option<usize>,
    /// Texels of other columns that were covered.
    pub strays: usize,
    /// The first extent and column where a line was not exact.
    pub first_wrong: Option<String>,
}

const EXTENTS: [(u32, u32); 8] =
    [(1, 1), (2, 2), (3, 5), (17, 13), (3, 1000), (1000, 3), (127, 129), (1023, 1025)];

/// The lines that are drawn, and their shift from the centres of texels.
const PLACES: [(&str, f32); 2] =
    [("through the centres of texels", 0.0), ("along the left sides of texels", -0.5)];

pub(crate) fn source() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Vertex, "card/line.vert")?)
}

pub fn measure(context: &Context) -> Result<Vec<Coverage>> {
    let one = crate::shaders::source(Stage::Fragment, "probe/one.frag")?;
    let kernel = Kernel::new(context, &source()?, &one, Reads::Fetch)?;
    let blends = context.abilities().float_blending;
    let mut rows = Vec::new();
    for (line, shift) in PLACES {
        for heading in LineDirection::ALL {
            let mut row = Coverage::new(line, heading == LineDirection::Up, blends);
            for (width, height) in EXTENTS {
                let extent = Extent::new(width, height);
                let mut columns = vec![0, width - 1];
                columns.dedup();
                for column in columns {
                    let counts = draw(context, &kernel, extent, column, shift, heading)?;
                    row.add(extent, column, &counts);
                }
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

fn draw(
    context: &Context,
    kernel: &Kernel,
    extent: Extent,
    column: u32,
    shift: f32,
    heading: LineDirection,
) -> Result<Vec<f32>> {
    let blend = if context.abilities().float_blending { Blend::Add } else { Blend::Replace };
    let mut counts = context.uninit::<f32>(extent)?;
    counts.fill(0.0)?;
    let pass = kernel.pass().uniform("shift", shift).over(Geometry::Line(column, heading));
    pass.blend(blend).draw(&mut counts)?;
    Ok(counts.read()?)
}

impl Coverage {
    fn new(line: &'static str, upward: bool, blends: bool) -> Coverage {
        Coverage { line, upward, doubled: blends.then_some(0), ..Coverage::default() }
    }

    /// Counts a line that should cover this column.
    fn add(&mut self, extent: Extent, column: u32, counts: &[f32]) {
        let (mut missed, mut doubled, mut strays) = (0, 0, 0);
        for (place, count) in counts.iter().enumerate() {
            let wanted = place % extent.width as usize == column as usize;
            missed += usize::from(wanted && *count == 0.0);
            doubled += usize::from(wanted && *count > 1.0);
            strays += usize::from(!wanted && *count != 0.0);
        }
        self.lines += 1;
        self.missed += missed;
        self.strays += strays;
        self.doubled = self.doubled.map(|before| before + doubled);
        if missed + doubled + strays == 0 {
            self.exact += 1;
        } else {
            self.first_wrong.get_or_insert(format!("column {column} of {}", shown(extent)));
        }
    }

    /// Whether it is beside the centres of texels.
    pub fn is_shifted(&self) -> bool {
        self.line != PLACES[0].0
    }

    pub fn is_exact(&self) -> bool {
        self.exact == self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_doubles_and_strays_are_counted() {
        let extent = Extent::new(2, 3);
        let after = |counts: [f32; 6]| {
            let mut row = Coverage::new("test", true, true);
            row.add(extent, 1, &counts);
            row
        };
        assert!(after([0.0, 1.0, 0.0, 1.0, 0.0, 1.0]).is_exact());
        assert_eq!(after([0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).missed, 1);
        assert_eq!(after([0.0, 1.0, 0.0, 2.0, 0.0, 1.0]).doubled, Some(1));
        let stray = after([1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!((stray.strays, stray.missed, stray.exact), (3, 3, 0));
        assert_eq!(stray.first_wrong.as_deref(), Some("column 1 of 2 x 3"));
    }
}
