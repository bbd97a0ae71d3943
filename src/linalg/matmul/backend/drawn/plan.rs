//! The plan of a drawn multiplication: plain arithmetic, no GL.

use crate::data::pack::TexelLayout;
use crate::gl::Abilities;
use crate::shader::Reads;
use crate::stream::Order;
use crate::{Extent, NoMemory, Rectangle, Shape};

use crate::linalg::matmul::backend::Operands;
use crate::linalg::matmul::{
    Cell, Cover, Dimension, Error, Mapping, Method, OperandReads, Options, Remedy, Request, Result,
    Tile,
};

/// The layout of operands and result, the fragments, and their loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) method: Method,
    pub(super) a: TexelLayout,
    pub(super) b: TexelLayout,
    pub(super) c: TexelLayout,
    /// Fragments along x and y.
    pub(super) fragments: Extent,
    /// Steps along k.
    pub(super) steps: u32,
    pub(super) unroll: u32,
    pub(super) passes: u32,
    pub(super) cell: Cell,
    pub(super) mapping: Mapping,
    pub(super) reads: OperandReads,
    pub(super) coverage: Coverage,
    /// The rows and columns of a product as it is stored in a batch.
    pub(super) stored: Shape,
    /// The uniform of the same name, if there are several products.
    pub(super) batch: Option<[i32; 2]>,
    /// Texels of A and of B that a fragment fetches in a step.
    fetches: (usize, usize),
}

/// The primitives that cover C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coverage {
    Quad,
    Triangle,
    /// Quads of this number of fragments.
    Tiles(Extent, Order),
}

/// The elements in a texel of each matrix, rows by columns, and the steps of k in a texel.
struct Texels {
    a: (usize, usize),
    b: (usize, usize),
    c: (usize, usize),
    along: usize,
    /// Columns of A in a step, for CP.
    columns: usize,
    fetches: (usize, usize),
}

fn texels(method: Method, cell: Cell) -> Texels {
    let one = |cell, fetches| Texels { a: cell, b: cell, c: cell, along: 1, columns: 1, fetches };
    let (tall, wide) = method.block().map_or((0, 0), |(rows, cols)| (rows / 4, cols / 4));
    match (method, cell) {
        (Method::Element, Cell::Four) => {
            Texels { a: (1, 4), b: (4, 1), along: 4, ..one((1, 1), (1, 1)) }
        }
        (Method::Element, _) => one((1, 1), (1, 1)),
        (Method::Cp, _) => Texels { along: 4, columns: 4, ..one((4, 1), (4, 1)) },
        (Method::Sp, _) => Texels { along: 2, ..one((2, 2), (1, 1)) },
        (Method::Block4x4, Cell::Square) => Texels { along: 2, ..one((2, 2), (2, 2)) },
        _ => Texels { a: (4, 1), ..one((1, 4), (tall, wide)) },
    }
}

impl Plan {
    /// Plans products C = A B, those of a batch as one of all A's below each other by all B's
    /// beside each other, of which the blocks on the diagonal are computed. The shapes fit, and
    /// none of their dimensions is 0. A fragment makes at most `iterations` of its loop along k in
    /// a pass, where there is a limit.
    pub(super) fn new(
        method: Method,
        options: &Options,
        Operands { count, a, b, .. }: Operands,
        abilities: &Abilities,
        iterations: Option<u32>,
    ) -> Result<Plan> {
        let one = method == Method::Element;
        let cell = options.cell.unwrap_or(if one { Cell::One } else { Cell::Four });
        let mapping = options.mapping.unwrap_or(MAPPING);
        let reads = options.reads.unwrap_or(READS);
        let Texels { a: in_a, b: in_b, c: in_c, along, columns, fetches } = texels(method, cell);
        let (rows, cols) = method.block().unwrap_or((1, 1));
        let padding = mapping.padding as usize;
        let one = Shape::new(a.rows, b.cols);
        let stored = TexelLayout::new(one, 1, 1).rounded_up_to(rows, cols).padded_shape;
        let (a, b, shape) = match count {
            1 => (a, b, one),
            _ => (
                Shape::new(stored.rows.saturating_mul(count), a.cols),
                Shape::new(b.rows, stored.cols.saturating_mul(count)),
                Shape::new(stored.rows.saturating_mul(count), stored.cols),
            ),
        };
        let batch = [(stored.rows / rows) as i32, (stored.cols / in_b.1) as i32];
        let whole_c = TexelLayout::new(shape, in_c.0, in_c.1).rounded_up_to(rows, cols);
        let c = match method.stores() {
            true => whole_c,
            false => whole_c.interleaved_over(rows / in_c.0, cols / in_c.1),
        };
        let steps = u32::try_from(a.cols.div_ceil(along)).unwrap_or(u32::MAX);
        let fragments = extent(shape, rows, cols);
        let plan = Plan {
            method,
            a: TexelLayout::new(a, in_a.0, in_a.1)
                .rounded_up_to(rows, along.max(columns))
                .transposed(mapping.a_transposed)
                .padded(padding)
                .cut(mapping.strips as usize),
            b: TexelLayout::new(b, in_b.0, in_b.1)
                .rounded_up_to(along, cols)
                .transposed(mapping.b_transposed)
                .padded(padding)
                .cut(mapping.strips as usize),
            c,
            fragments,
            steps,
            unroll: options.unroll.unwrap_or(unroll(method)).min(steps),
            passes: options.passes.unwrap_or(1).min(steps),
            cell,
            mapping,
            reads,
            coverage: coverage(method, options, one)?,
            stored,
            batch: (count > 1).then_some(batch),
            fetches,
        };
        plan.must_not_cross_strips(columns)?;
        let plan = if options.mapping.is_none() { plan.padded_if_it_fits(abilities) } else { plan };
        plan.must_fit(abilities)?;
        iterations.map_or(Ok(plan), |most| plan.in_iterations(most))
    }

    /// Fails where a trip of the loop would read across the end of a strip.
    fn must_not_cross_strips(&self, columns: usize) -> Result<()> {
        let strips = self.mapping.strips;
        let trip = self.unroll * columns as u32;
        let one_trip = self.steps.saturating_mul(columns as u32) <= strips;
        match strips == 0 || one_trip || strips.is_multiple_of(trip.max(1)) {
            true => Ok(()),
            false => Err(Error::Invalid {
                what: "strips",
                got: strips.to_string(),
                expected: "a multiple of the texels that a trip of the loop along k reads: of unroll, and for cp of 4 unroll",
            }),
        }
    }

    /// Returns the plan with enough passes for loops of at most `most` iterations; fails for
    /// methods with a single pass.
    fn in_iterations(self, most: u32) -> Result<Plan> {
        let passes = self.passes.max(passes(self.steps, self.unroll, most));
        if passes == 1 || self.method.has_passes() {
            return Ok(Plan { passes, ..self });
        }
        let steps = self.steps;
        let iterations = steps / self.unroll + steps % self.unroll;
        let by = (steps.div_ceil(most) + 1).next_power_of_two();
        Err(self.exceeds(Request::Loop { iterations, steps }, most, Remedy::Unroll { by }))
    }

    /// Drops the default padding if the matrices do not fit with it.
    fn padded_if_it_fits(self, abilities: &Abilities) -> Plan {
        let fits =
            |cells: TexelLayout| cells.texture_size().0 <= abilities.max_texture_size as usize;
        if fits(self.a) && fits(self.b) {
            return self;
        }
        let mapping = Mapping { padding: 0, ..self.mapping };
        Plan { mapping, a: self.a.padded(0), b: self.b.padded(0), ..self }
    }

    /// Returns the bytes that the fragments fetch of both operands.
    pub(super) fn fetched_bytes(&self, number: usize) -> u64 {
        let (from_a, from_b) = self.fetches;
        let numbers = from_a * self.a.lanes() + from_b * self.b.lanes();
        (self.fragments.texels() * self.steps as usize * numbers * number) as u64
    }

    /// Returns the steps of each pass, the last one exclusive.
    pub(super) fn slices(&self) -> Vec<(i32, i32)> {
        let each = self.steps.div_ceil(self.passes).max(1);
        // A strip ends where a trip does.
        let each = if self.mapping.strips > 0 { each.next_multiple_of(self.unroll) } else { each };
        let slice = |from: u32| (from as i32, (from + each).min(self.steps) as i32);
        (0..self.steps).step_by(each as usize).map(slice).collect()
    }

    /// Returns all options of the plan.
    pub(super) fn options(&self) -> Options {
        let (rows, cols) = self.method.block().unwrap_or((1, 1));
        let mut options = Options::from(self.method);
        options.unroll = Some(self.unroll);
        options.passes = (self.passes > 1).then_some(self.passes);
        options.cell =
            matches!(self.method, Method::Element | Method::Block4x4).then_some(self.cell);
        options.mapping = Some(self.mapping);
        options.reads = Some(self.reads);
        match self.coverage {
            Coverage::Quad => options.cover = Some(Cover::Quad),
            Coverage::Triangle => options.cover = Some(Cover::Triangle),
            Coverage::Tiles(fragments, order) => {
                let (width, height) =
                    (fragments.width * cols as u32, fragments.height * rows as u32);
                (options.tile, options.order) = (Some(Tile { width, height }), Some(order));
            }
        }
        options
    }

    /// Fails for textures that exceed the limit of the device.
    fn must_fit(&self, abilities: &Abilities) -> Result<()> {
        let limit = abilities.max_texture_size;
        let textures = match (self.reads, self.method.stores()) {
            (OperandReads::Buffer, _) => vec![],
            (_, true) => vec![('A', self.a), ('B', self.b)],
            _ => vec![('A', self.a), ('B', self.b), ('C', self.c)],
        };
        for (matrix, cells) in textures {
            let (width, height) = cells.texture_size();
            if width.max(height) > limit as usize {
                let request = Request::Texture { matrix, shape: cells.shape, width, height };
                if cells.strips > 0 {
                    return Err(self.exceeds(request, limit, Remedy::Parts));
                }
                let in_row = most(limit, cells, !cells.transposed);
                let in_column = most(limit, cells, cells.transposed);
                return Err(self.exceeds(request, limit, Remedy::Elements { in_row, in_column }));
            }
        }
        let extent = self.fragments;
        if extent.width.max(extent.height) > limit {
            return Err(self.exceeds(Request::Target { extent }, limit, Remedy::Parts));
        }
        self.must_fit_buffers(abilities)
    }

    /// Fails for buffers that exceed the limit of a storage block.
    fn must_fit_buffers(&self, abilities: &Abilities) -> Result<()> {
        let limit = abilities.compute.map_or(0, |limits| limits.max_block_bytes);
        let buffers = match (self.reads, self.method.stores()) {
            (OperandReads::Buffer, _) => vec![('A', self.a), ('B', self.b), ('C', self.c)],
            (_, true) => vec![('C', self.c)],
            _ => vec![],
        };
        for (matrix, cells) in buffers {
            let bytes = (cells.numbers() as u64).saturating_mul(4);
            if bytes > limit.into() {
                let request = Request::Buffer { matrix, shape: cells.shape, bytes };
                return Err(self.exceeds(request, limit, Remedy::PartsOrTargets));
            }
        }
        Ok(())
    }

    fn exceeds(&self, request: Request, limit: u32, remedy: Remedy) -> Error {
        Error::Limit { method: self.method, request, limit: limit.into(), remedy }
    }

    /// Returns the tiles, if there are.
    pub(super) fn tiles(&self) -> Result<Option<Vec<Rectangle>>, NoMemory> {
        match self.coverage {
            Coverage::Tiles(tile, order) => {
                crate::stream::cover(self.fragments, tile, order).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Returns the fewest passes whose loops take at most `most` iterations: one for `unroll` steps,
/// and one for each step of the remainder.
fn passes(steps: u32, unroll: u32, most: u32) -> u32 {
    let whole = most.saturating_sub(unroll.saturating_sub(1)).max(1);
    steps.div_ceil(whole.saturating_mul(unroll.max(1)))
}

/// Elements along a row (or a column) that a texture of this side holds.
fn most(limit: u32, cells: TexelLayout, rows_along_x: bool) -> usize {
    let along_row = cells.cell.1 * cells.interleaved.1;
    let along_column = cells.cell.0 * cells.interleaved.0;
    let elements = if rows_along_x != cells.transposed { along_row } else { along_column };
    let padding = if rows_along_x { cells.padding } else { 0 };
    (limit as usize).saturating_sub(padding) * elements
}

fn extent(shape: Shape, rows: usize, cols: usize) -> Extent {
    TexelLayout::new(shape, rows, cols).extent()
}

fn coverage(method: Method, options: &Options, c: Shape) -> Result<Coverage> {
    let Some(tile) = options.tile else {
        return Ok(match options.cover.unwrap_or(COVER) {
            Cover::Quad => Coverage::Quad,
            Cover::Triangle => Coverage::Triangle,
        });
    };
    let (rows, cols) = method.block().unwrap_or((1, 1));
    let (width, height) = (tile.width as usize, tile.height as usize);
    let lengths = [(width, c.cols, Dimension::Row), (height, c.rows, Dimension::Column)];
    for (length, size, dimension) in lengths {
        if size % length != 0 {
            return Err(Error::Tile { tile, dimension, size });
        }
    }
    if width % cols != 0 || height % rows != 0 {
        return Err(Error::TileOfFragments { method, tile, rows, cols });
    }
    let fragments = Extent::new(tile.width / cols as u32, tile.height / rows as u32);
    Ok(Coverage::Tiles(fragments, options.order.unwrap_or(Order::Rows)))
}

/// The defaults: both operands read along x, rows that are no power of two wide, and texels
/// sampled. They are the best or within 2 % of it for every method, on a software renderer and on
/// an NVIDIA GPU (docs/measured.md).
const MAPPING: Mapping = Mapping::DEFAULT;
const READS: OperandReads = OperandReads::Texture(Reads::Sample);
/// No fragment is worked out twice: 3 % for the largest blocks on a GPU.
const COVER: Cover = Cover::Triangle;

/// Blocks use what one trip fetched for one pair of rows after the other, so that longer trips pay,
/// until a GPU's registers end: the two largest lose up to half there with other numbers of steps.
fn unroll(method: Method) -> u32 {
    match method {
        Method::Block4x4 | Method::Block8x4 => 8,
        Method::Block8x8 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn loops_of_a_pass_are_as_short_as_they_must_be() {
        for most in [1, 2, 7, 100, 32767] {
            for unroll in [1, 2, 3, 4, 128, 1023] {
                for steps in [1, 6, 99, 100, 101, 16384, 300_000] {
                    let each = steps_of_one(steps, passes(steps, unroll, most));
                    let iterations = each / unroll + each % unroll;
                    let fits = most >= unroll;
                    assert!(iterations <= most || !fits, "{most}, {unroll}, {steps}");
                }
            }
        }
        assert_eq!([passes(99, 1, 100), passes(100, 1, 100), passes(101, 1, 100)], [1, 1, 2]);
        assert_eq!([passes(388, 4, 100), passes(389, 4, 100)], [1, 2]);
    }

    /// Returns the steps of a pass, as `Plan::slices` distributes them.
    fn steps_of_one(steps: u32, passes: u32) -> u32 {
        steps.div_ceil(passes)
    }
}
