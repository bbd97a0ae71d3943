//! Histograms by compute shaders: work groups count in shared memory.

use std::marker::PhantomData;

use crate::Extent;
use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::{Group, Setup};
use crate::stream::launch::Program;

use super::super::kit::store::{self, Store};
use super::super::kit::with_numbers;
use super::super::number::Number;
use super::bins::Bins;

/// The invocations of a work group, where the device allows them: few groups, which have much shared
/// memory each.
const GROUP: Group = Group::new(32, 32);
/// The counts of a work group: 32 KiB of shared memory.
pub(super) const ROOM: usize = 8192;
/// The most copies of each count.
const COPIES: usize = 16;
/// The most work groups: each adds all its counts to the result.
const GROUPS: u32 = 256;

pub(super) struct AtomicHistogram<T: Number> {
    context: Context,
    room: usize,
    program: Program,
    store: Store,
    number: PhantomData<T>,
}

/// Returns the copies of each count that have room, at most [`COPIES`]: a power of two.
fn copies(bins: usize, room: usize) -> usize {
    1 << (room / bins).clamp(1, COPIES).ilog2()
}

/// Returns the work groups over a panel: down all its rows or as many as [`GROUPS`], across as many
/// as then are left.
fn groups(group: Group, extent: Extent) -> [u32; 3] {
    let [across, down, _] = group.cover(extent);
    let across = across.min(GROUPS.isqrt());
    [across, down.min(GROUPS / across), 1]
}

pub(super) fn source<T: Number>(range: bool, room: usize) -> Result<Source> {
    sized::<T>(range, room, GROUP)
}

fn sized<T: Number>(range: bool, room: usize, group: Group) -> Result<Source> {
    let source = Source::library(Stage::Compute, "histogram/count.comp")?.define(T::DEFINE, 1);
    Ok(group.define(Bins::define(range, source)).define("ROOM", room))
}

impl<T: Number> AtomicHistogram<T> {
    pub(super) fn new(context: &Context, range: bool) -> Result<AtomicHistogram<T>> {
        let limits = context.abilities().compute;
        let bytes = limits.map_or(0, |limits| limits.shared_bytes) as usize;
        let room = ROOM.min(bytes / size_of::<u32>()).max(1);
        let square = store::square(context, GROUP);
        let text = sized::<T>(range, room, square)?;
        let program = Program::new(context, Setup::Compute(square), text)?;
        let store = Store::of_numbers::<u32>(context)?;
        Ok(AtomicHistogram { context: context.clone(), room, program, store, number: PhantomData })
    }

    pub(super) fn run(&self, bins: &Bins, x: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let count = bins.count();
        let mut counts = self.context.buffer(&vec![[0_u32; 4]; count.div_ceil(4)])?;
        let square = store::square(&self.context, GROUP);
        for (panel, length) in x.panels() {
            let extent = panel.extent();
            for first in (0..count).step_by(self.room) {
                let of_part = self.room.min(count - first);
                let launch = with_numbers(bins.bind(self.program.launch()), panel, length);
                let launch = launch.uniform("part", [first as u32, of_part as u32]);
                let launch = launch.uniform("copies", copies(of_part, self.room) as u32);
                launch.buffer_mut("Counts", &mut counts).run(groups(square, extent))?;
            }
        }
        let mut result = DeviceVector::uninit(&self.context, count)?;
        self.store.run_all(&counts, &mut result)?;
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most texels of an invocation: a software renderer ends longer loops early.
    const TEXELS: u32 = 1 << 14;

    #[test]
    fn counts_have_as_many_copies_as_there_is_room_for() {
        assert_eq!([256, 512, 513, 1000, 8192].map(|bins| copies(bins, ROOM)), [16, 16, 8, 8, 1]);
    }

    #[test]
    fn a_panel_has_some_groups_and_an_invocation_few_texels() {
        for side in [1, 15, 16, 17, 1000, 8192] {
            let [across, down, _] = groups(GROUP, Extent::new(side, side));
            assert!(across * down <= GROUPS && across * down > 0);
            let each = |groups: u32| side.div_ceil(GROUP.x).div_ceil(groups);
            assert!(each(across) * each(down) <= TEXELS, "{side}");
        }
    }
}
