//! Numbers of buffers as panels of vectors, by a compute shader: work groups are square, as textures
//! are stored.

use crate::Extent;
use crate::gl::{Buffer, Context, Element, Texel, Texture};
use crate::grid::{DeviceVector, Lane, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::group::{Group, Setup};
use crate::stream::launch::Program;
use crate::stream::{Engine, Result};

use super::super::number::Number;
use super::key::Key;

/// The texels that an invocation writes: with one each a device writes two thirds as fast.
const PER: u32 = 8;

pub(crate) struct Store {
    group: Group,
    program: Program,
}

/// Returns the shader of numbers of this type.
pub(crate) fn of_numbers<T: Number>(group: Group) -> Result<Source> {
    let source = Source::library(Stage::Compute, "parts/store.comp")?.define(T::DEFINE, 1);
    Ok(group.define(source).define("PER", PER))
}

/// Returns the shader of keys of numbers.
pub(crate) fn of_keys(key: Key, group: Group) -> Result<Source> {
    let source = key.define(Source::library(Stage::Compute, "parts/store.comp")?);
    Ok(group.define(source).define("PER", PER).define("KEYS", 1))
}

/// Returns the most texels that a buffer of the device holds.
pub(crate) fn most_texels(context: &Context) -> usize {
    let limits = context.abilities().compute.unwrap_or_default();
    limits.max_block_bytes as usize / size_of::<[u32; 4]>()
}

impl Store {
    /// The invocations of a work group along each side, where the device allows them.
    pub(crate) const GROUP: Group = Group::new(16, 16);

    /// Stores numbers as they are.
    pub(crate) fn of_numbers<T: Number>(context: &Context) -> Result<Store> {
        Store::new(context, of_numbers::<T>)
    }

    /// Stores the numbers of keys.
    pub(crate) fn of_keys(context: &Context, key: Key) -> Result<Store> {
        Store::new(context, |group| of_keys(key, group))
    }

    fn new(context: &Context, source: impl Fn(Group) -> Result<Source>) -> Result<Store> {
        let group = square(context, Store::GROUP);
        Ok(Store { group, program: Program::new(context, Setup::Compute(group), source(group)?)? })
    }

    /// Writes all of a vector, whose numbers are those of the buffer from its start.
    pub(crate) fn run_all<Q: Element, T: Lane>(
        &self,
        numbers: &Buffer<Q>,
        vector: &mut DeviceVector<T>,
    ) -> Result<()> {
        let mut start = 0;
        for (panel, length) in vector.panels_mut() {
            let rows = [0, panel.extent().height];
            self.run(numbers, -start, rows, (&mut *panel, length))?;
            start += length.div_ceil(4) as i32;
        }
        Ok(())
    }

    /// Writes rows of a panel with `length` numbers: the texel `start` of the panel is the first of
    /// the buffer, or if that is less than 0, the panel's first stands behind so many.
    pub(crate) fn run<Q: Element, P: Texel>(
        &self,
        numbers: &Buffer<Q>,
        start: i32,
        rows: [u32; 2],
        (panel, length): (&mut Texture<P>, usize),
    ) -> Result<()> {
        let extent = panel.extent();
        let width = extent.width.div_ceil(PER);
        let cover = self.group.cover(Extent::new(width, rows[1] - rows[0]));
        let launch = self.program.launch().buffer("Numbers", numbers).uniform("start", start);
        let launch = launch.uniform("shift", row_shift(extent));
        let launch = launch.uniform("length_of_panel", length as i32);
        let launch = launch.uniform("rows", rows.map(|row| row as i32));
        launch.groups(cover).write("panel", panel)
    }
}

/// Returns square groups, or the largest below that the device allows.
pub(crate) fn square(context: &Context, wanted: Group) -> Group {
    let side = Engine::group_side(context, wanted.x);
    Group::new(side, side)
}
