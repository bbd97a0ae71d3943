//! The scan of the totals of work groups, in parts.

use std::cell::RefCell;

use crate::gl::buffer::later::Later;
use crate::gl::{Buffer, Context};
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::{Group, Setup};
use crate::stream::launch::Program;

use super::super::number::{Number, Operation};
use super::variant::ScanVariant;

/// Work groups: invocations, and the totals of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Groups {
    pub(super) size: usize,
    pub(super) per: usize,
}

/// The groups where the device allows them. On a software renderer each barrier takes long.
pub(super) const HARDWARE: Groups = Groups { size: 256, per: 4 };
const SOFTWARE: Groups = Groups { size: 16, per: 64 };

/// Scans totals in place.
pub(in super::super) struct Middle<T: Number> {
    groups: Groups,
    sums: Program,
    scan: Program,
    room: RefCell<Room<T>>,
}

/// The sums of parts, and what stands before the totals and what behind them, by turns.
struct Room<T: Number> {
    sums: Buffer<T>,
    have_starts: Buffer<u32>,
    carry: Buffer<T>,
    /// The place in the carry of what stands before the next totals.
    turn: usize,
}

/// The totals of work groups, and where segments start in them.
pub(in super::super) struct Totals<'a, T: Number> {
    pub(crate) numbers: &'a mut Buffer<T>,
    pub(crate) count: usize,
    pub(crate) has_starts: Option<&'a Buffer<u32>>,
}

impl Groups {
    /// Returns those that suit a device.
    pub(super) fn of(context: &Context) -> Groups {
        let usual = if context.abilities().software { SOFTWARE } else { HARDWARE };
        let most = context.abilities().compute.map_or(1, |limits| limits.max_invocations) as usize;
        Groups { size: 1 << usual.size.min(most).max(1).ilog2(), ..usual }
    }

    /// Returns the number of groups, and so of parts, of this many totals.
    fn parts(self, count: usize) -> usize {
        count.div_ceil(self.size * self.per).max(1)
    }

    /// Returns the roundings that a number goes through at most: in its part, through the sums of
    /// the parts, and behind them.
    pub(super) fn chain(self, count: usize) -> usize {
        let rows = 2 * side(self.size);
        (self.per + rows) + (self.parts(count).div_ceil(self.size) + rows) + 2 + 2 * self.per
    }
}

fn source<T: Number>(path: &'static str, variant: ScanVariant, groups: Groups) -> Result<Source> {
    let source = variant.define::<T>(Source::library(Stage::Compute, path)?);
    let source = source.define("GROUP", groups.size).define("PER", groups.per);
    Ok(source.define("SIDE", side(groups.size)))
}

pub(super) fn sources<T: Number>(variant: ScanVariant) -> Result<[Source; 2]> {
    let of = |path| source::<T>(path, variant, HARDWARE);
    Ok([of("scan/sums.comp")?, of("scan/groups.comp")?])
}

/// Returns the invocations of a row of include/scan_group.glsl, for groups of a power of two.
pub(in super::super) fn side(size: usize) -> usize {
    1 << size.ilog2().div_ceil(2)
}

impl<T: Number> Middle<T> {
    /// Creates the scan of sums.
    pub(crate) fn of_sums(context: &Context) -> Result<Middle<T>> {
        Middle::new(context, ScanVariant { operation: Operation::Sum, ..ScanVariant::default() })
    }

    pub(super) fn new(context: &Context, variant: ScanVariant) -> Result<Middle<T>> {
        let groups = Groups::of(context);
        let setup = Setup::Compute(Group::new(groups.size as u32, 1));
        let program = |path| Program::new(context, setup, source::<T>(path, variant, groups)?);
        let room = Room {
            sums: context.uninit_buffer(1)?,
            have_starts: context.uninit_buffer(1)?,
            carry: context.uninit_buffer(2)?,
            turn: 0,
        };
        let (sums, scan) = (program("scan/sums.comp")?, program("scan/groups.comp")?);
        Ok(Middle { groups, sums, scan, room: RefCell::new(room) })
    }

    /// Replaces each total by what stands before it: where it `continues`, behind the totals of the
    /// last time.
    pub(crate) fn run(&self, continues: bool, totals: Totals<'_, T>) -> Result<()> {
        let Totals { numbers, count, has_starts } = totals;
        let parts = self.groups.parts(count);
        let mut room = self.room.borrow_mut();
        if room.sums.len() < parts {
            let context = room.sums.context();
            room.sums = context.uninit_buffer(parts)?;
            room.have_starts = context.uninit_buffer(parts)?;
        }
        let Room { sums, have_starts, carry, turn } = &mut *room;
        let launch = self.sums.launch().uniform("count", count as i32);
        let launch = launch.buffer("Totals", numbers).buffer_mut("Sums", sums);
        match has_starts {
            Some(starts) => launch
                .buffer("HasStarts", starts)
                .buffer_mut("SumsHaveStarts", have_starts)
                .run(groups(parts))?,
            None => launch.run(groups(parts))?,
        }
        let launch = self.scan.launch().uniform("count", count as i32);
        let launch = launch.uniform("continues", continues).uniform("from", *turn as i32);
        let launch = launch.buffer_mut("Totals", numbers);
        let launch = launch.buffer("Sums", sums).buffer_mut("Carry", carry);
        let launch = match has_starts {
            Some(starts) => {
                launch.buffer("HasStarts", starts).buffer("SumsHaveStarts", have_starts)
            }
            None => launch,
        };
        *turn = 1 - *turn;
        launch.run(groups(parts))
    }

    /// Starts to read what all totals have come to.
    pub(crate) fn total(&self) -> Result<Later<T>> {
        let room = self.room.borrow();
        Ok(room.carry.read_later(room.turn)?)
    }
}

fn groups(parts: usize) -> [u32; 3] {
    [parts as u32, 1, 1]
}
