//! Sorts by compute shaders: for each digit of 8 bits the keys of each work group's part are counted,
//! the counts scanned, and keys and values moved.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem;
use std::rc::Rc;

use crate::gl::{Buffer, Context};
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::group::Group;
use crate::stream::{ComputeKernel, Dispatch, Error};

use super::super::kit::kept::Kept;
use super::super::kit::key::Key;
use super::super::kit::store::{self, Store};
use super::super::number::Number;
use super::super::scan::{Middle, Totals, side};
use super::sorted::{Moved, Sorted, Task, too_large};

/// The work groups: invocations, the keys of each in a tile, and the places in which neighbours count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Groups {
    size: usize,
    per: usize,
    copies: usize,
}

/// The groups of hardware, the best first. Where the keys of an invocation are odd in number, those
/// that 32 invocations read at a time are in different banks of shared memory.
const HARDWARE: [Groups; 3] = [
    Groups { size: 256, per: 15, copies: 8 },
    Groups { size: 128, per: 15, copies: 8 },
    Groups { size: 128, per: 7, copies: 2 },
];
/// On a software renderer each barrier takes long.
const SOFTWARE: [Groups; 2] =
    [Groups { size: 8, per: 512, copies: 1 }, Groups { size: 8, per: 256, copies: 1 }];

/// Groups keep a device at work from this number on; more only make more counts.
const ENOUGH: usize = 2048;
/// The most keys of an invocation: llvmpipe ends the loops of one after 65535 rounds.
const KEYS: usize = 4096;
const DIGITS: usize = 256;
const DIGIT_BITS: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    /// From a panel to keys, or to bits.
    Load(Key),
    Count,
    Scatter(Moves),
}

/// What a pass moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Moves {
    /// Whether the keys are wanted afterwards.
    keys: bool,
    payload: Payload,
}

/// What moves along with the keys in one pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Payload {
    Nothing,
    /// Each key's place, which is not read.
    Places,
    Values,
}

pub(super) struct Dispatched<T: Number> {
    context: Context,
    key: Key,
    kernels: Kept<(Step, Groups), ComputeKernel>,
    stores: Kept<Key, Store>,
    middle: Middle<u32>,
    room: RefCell<Option<Room>>,
    number: PhantomData<T>,
}

/// Buffers for keys, values and counts, which are kept for the next sort.
struct Room {
    keys: Pair,
    values: Option<Pair>,
    counts: Buffer<u32>,
}

/// An array and the one that the next pass writes.
struct Pair {
    from: Buffer<[u32; 4]>,
    to: Buffer<[u32; 4]>,
}

/// How an array is divided among groups.
#[derive(Clone, Copy)]
struct Division {
    of: Groups,
    count: usize,
    groups: usize,
    tiles: usize,
}

/// A digit of the keys: its lowest bit, and its greatest value.
#[derive(Clone, Copy)]
struct Digit {
    shift: u32,
    mask: u32,
}

impl Groups {
    /// Returns the groups that suit a device.
    fn of(context: &Context, values: bool) -> Groups {
        let fits = |groups: &&Groups| {
            let limits = context.abilities().compute;
            limits.is_some_and(|limits| {
                limits.shared_bytes as usize >= groups.shared_bytes(values)
                    && limits.max_invocations as usize >= groups.size
            })
        };
        let wanted: &[Groups] = if context.abilities().software { &SOFTWARE } else { &HARDWARE };
        let [.., smallest] = HARDWARE;
        wanted.iter().find(fits).copied().unwrap_or(smallest)
    }

    /// Returns the shared memory of a scatter.
    fn shared_bytes(self, values: bool) -> usize {
        let items = if values { 2 } else { 1 };
        let counts = 8 * self.size;
        let scan = self.size + self.size / side(self.size);
        size_of::<u32>() * (items * self.tile() + counts + counts / 32 + DIGITS + scan)
    }

    fn tile(self) -> usize {
        self.size * self.per
    }

    fn divide(self, count: usize) -> Division {
        let of_all = count.div_ceil(self.tile()).max(1);
        let tiles = of_all.div_ceil(ENOUGH).min(KEYS / self.per);
        Division { of: self, count, groups: of_all.div_ceil(tiles), tiles }
    }

    fn define(self, source: Source) -> Source {
        source.define("GROUP", self.size).define("PER", self.per)
    }
}

fn source(step: Step, groups: Groups, square: Group) -> Result<Source, Error> {
    let library = |path| Source::library(Stage::Compute, path);
    Ok(match step {
        Step::Load(key) => square.define(key.define(library("sort/load.comp")?)),
        Step::Count => groups.define(library("sort/count.comp")?).define("COPIES", groups.copies),
        Step::Scatter(Moves { keys, payload }) => {
            let source = groups.define(library("sort/scatter.comp")?);
            let source = source.define("SIDE", side(groups.size));
            let values = payload != Payload::Nothing;
            let defines =
                [("KEYS", keys), ("VALUES", values), ("PLACES", payload == Payload::Places)];
            let wanted = defines.into_iter().filter(|(_, wanted)| *wanted);
            wanted.fold(source, |source, (define, _)| source.define(define, 1))
        }
    })
}

/// Returns the shaders of this module that do not depend on the numbers, in every variant.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let scatter = |keys, payload| Step::Scatter(Moves { keys, payload });
    let moving = [Payload::Places, Payload::Values].into_iter();
    let moving = moving.flat_map(|payload| [scatter(true, payload), scatter(false, payload)]);
    let all = moving.chain([Step::Count, scatter(true, Payload::Nothing)]);
    all.map(|step| source(step, HARDWARE[0], Store::GROUP)).collect()
}

/// Returns the shaders from and to these keys.
pub(super) fn conversions(key: Key) -> Result<[Source; 2], Error> {
    Ok([source(Step::Load(key), HARDWARE[0], Store::GROUP)?, store::of_keys(key, Store::GROUP)?])
}

impl<T: Number> Dispatched<T> {
    pub(super) fn new(context: &Context, key: Key) -> Result<Dispatched<T>, Error> {
        let (kernels, stores, room) = Default::default();
        let (context, middle) = (context.clone(), Middle::of_sums(context)?);
        Ok(Dispatched { context, key, kernels, stores, middle, room, number: PhantomData })
    }

    pub(super) fn run<V: Number>(&self, task: Task<'_, T, V>) -> Result<Sorted<T, V>, Error> {
        let values = !matches!(task.moved, Moved::Nothing);
        let division = Groups::of(&self.context, values).divide(task.x.len());
        let mut room = self.room.borrow_mut();
        let room = self.room(&mut room, division, values)?;
        self.load(self.key, task.x, &mut room.keys.from)?;
        if let (Moved::Values(values), Some(room)) = (task.moved, &mut room.values) {
            self.load(Key::bits::<V>(), values, &mut room.from)?;
        }
        for shift in (0..task.bits).step_by(DIGIT_BITS as usize) {
            let mask = (1 << DIGIT_BITS.min(task.bits - shift)) - 1;
            let payload = match task.moved {
                Moved::Nothing => Payload::Nothing,
                Moved::Places if shift == 0 => Payload::Places,
                Moved::Places | Moved::Values(_) => Payload::Values,
            };
            let keys = task.keys || shift + DIGIT_BITS < task.bits;
            self.pass(Digit { shift, mask }, Moves { keys, payload }, division, room)?;
        }
        let keys = task.keys.then(|| self.vector(self.key, &room.keys, division.count));
        let values = room.values.as_ref();
        let values = values.map(|room| self.vector(Key::bits::<V>(), room, division.count));
        Ok((keys.transpose()?, values.transpose()?))
    }

    /// Sorts by a digit.
    fn pass(
        &self,
        digit: Digit,
        moves: Moves,
        division: Division,
        room: &mut Room,
    ) -> Result<(), Error> {
        let Room { keys, values, counts } = room;
        let kernel = self.kernel(Step::Count, division.of)?;
        let dispatch = kernel.dispatch().buffer("Keys", &keys.from).buffer_mut("Counts", counts);
        division.bind(dispatch, digit).run(division.groups())?;
        let count = DIGITS * division.groups;
        self.middle.run(false, Totals { numbers: counts, count, has_starts: None })?;
        let kernel = self.kernel(Step::Scatter(moves), division.of)?;
        let mut dispatch = kernel.dispatch().buffer("Keys", &keys.from).buffer("Places", counts);
        if moves.keys {
            dispatch = dispatch.buffer_mut("SortedKeys", &mut keys.to);
        }
        if let Some(Pair { from, to }) = values {
            dispatch = dispatch.buffer_mut("SortedValues", to);
            if moves.payload == Payload::Values {
                dispatch = dispatch.buffer("Values", from);
            }
        }
        division.bind(dispatch, digit).run(division.groups())?;
        keys.turn();
        values.iter_mut().for_each(Pair::turn);
        Ok(())
    }

    /// Fills a buffer from a vector.
    fn load<V: Number>(
        &self,
        key: Key,
        from: &DeviceVector<V>,
        to: &mut Buffer<[u32; 4]>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Load(key), HARDWARE[0])?;
        let square = store::square(&self.context, Store::GROUP);
        let mut start = 0;
        for (panel, length) in from.panels() {
            let extent = panel.extent();
            let dispatch = kernel.dispatch().input("numbers", panel).uniform("start", start);
            let dispatch = dispatch.uniform("shift", row_shift(extent));
            let dispatch = dispatch.uniform("length_of_panel", length as i32);
            dispatch.buffer_mut("Keys", to).run(square.cover(extent))?;
            start += length.div_ceil(4) as i32;
        }
        Ok(())
    }

    /// Returns a vector of the numbers of a buffer.
    fn vector<V: Number>(
        &self,
        key: Key,
        pair: &Pair,
        length: usize,
    ) -> Result<DeviceVector<V>, Error> {
        let store = self.stores.get_or(key, || Store::of_keys(&self.context, key))?;
        let mut vector = DeviceVector::uninit(&self.context, length)?;
        let mut start = 0;
        for (panel, length) in vector.panels_mut() {
            let rows = [0, panel.extent().height];
            store.run(&pair.from, -start, rows, (&mut *panel, length))?;
            start += length.div_ceil(4) as i32;
        }
        Ok(vector)
    }

    fn kernel(&self, step: Step, groups: Groups) -> Result<Rc<ComputeKernel>, Error> {
        let square = store::square(&self.context, Store::GROUP);
        let source = || source(step, groups, square);
        self.kernels.get_or((step, groups), || self.context.compute_kernel(source()?))
    }

    /// Returns buffers for arrays of this length, those of the last sort if they are about as large.
    fn room<'a>(
        &self,
        kept: &'a mut Option<Room>,
        division: Division,
        values: bool,
    ) -> Result<&'a mut Room, Error> {
        let texels = division.count.div_ceil(4).max(1);
        let limits = self.context.abilities().compute;
        let most = limits.map_or(0, |limits| u64::from(limits.max_block_bytes));
        if (texels * size_of::<[u32; 4]>()) as u64 > most {
            return Err(too_large(division.count, most / size_of::<u32>() as u64).into());
        }
        let fits = |room: &Room| {
            (texels..=2 * texels).contains(&room.keys.from.len())
                && room.counts.len() >= DIGITS * division.groups
                && room.values.is_some() == values
        };
        Ok(match kept.take().filter(fits) {
            Some(room) => kept.insert(room),
            None => kept.insert(Room {
                keys: Pair::uninit(&self.context, texels)?,
                values: values.then(|| Pair::uninit(&self.context, texels)).transpose()?,
                counts: self.context.uninit_buffer(DIGITS * division.groups)?,
            }),
        })
    }
}

impl Division {
    fn bind(self, dispatch: Dispatch<'_>, digit: Digit) -> Dispatch<'_> {
        let dispatch = dispatch.uniform("count", self.count as i32);
        let dispatch = dispatch.uniform("tiles", self.tiles as i32);
        dispatch.uniform("shift", digit.shift as i32).uniform("mask", digit.mask)
    }

    fn groups(self) -> [u32; 3] {
        [self.groups as u32, 1, 1]
    }
}

impl Pair {
    fn uninit(context: &Context, texels: usize) -> Result<Pair, Error> {
        Ok(Pair { from: context.uninit_buffer(texels)?, to: context.uninit_buffer(texels)? })
    }

    fn turn(&mut self) {
        mem::swap(&mut self.from, &mut self.to);
    }
}
