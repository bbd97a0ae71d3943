//! Sorts by compute shaders: for each digit of 8 bits the keys of each work group's part are counted,
//! the counts scanned, and keys and values moved.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use crate::gl::{Buffer, Context};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::{Group, Setup};
use crate::stream::kept::{Kept, made_unless};
use crate::stream::launch::{Launch, Program, Programs};

use super::super::kit::key::Key;
use super::super::kit::store::{self, Store};
use super::super::kit::with_numbers;
use super::super::number::Number;
use super::super::scan::{Middle, Totals, side};
use super::groups::{DIGITS, Division, Groups};
use super::sorted::{Moved, SortRequest, Sorted, too_large};

const DIGIT_BITS: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SortPhase {
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

pub(super) struct ScatterSort {
    context: Context,
    programs: Programs<(SortPhase, Groups)>,
    stores: Kept<Key, Store>,
    middle: Middle<u32>,
    room: RefCell<Option<Room>>,
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

/// A digit of the keys: its lowest bit, and its greatest value.
#[derive(Clone, Copy)]
struct Digit {
    shift: u32,
    mask: u32,
}

fn define(groups: Groups, source: Source) -> Source {
    source.define("GROUP", groups.size).define("PER", groups.per)
}

fn source(phase: SortPhase, groups: Groups, square: Group) -> Result<Source> {
    let library = |path| Source::library(Stage::Compute, path);
    Ok(match phase {
        SortPhase::Load(key) => square.define(key.define(library("sort/load.comp")?)),
        SortPhase::Count => {
            define(groups, library("sort/count.comp")?).define("COPIES", groups.copies)
        }
        SortPhase::Scatter(Moves { keys, payload }) => {
            let source = define(groups, library("sort/scatter.comp")?);
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
pub(super) fn sources() -> Result<Vec<Source>> {
    let scatter = |keys, payload| SortPhase::Scatter(Moves { keys, payload });
    let moving = [Payload::Places, Payload::Values].into_iter();
    let moving = moving.flat_map(|payload| [scatter(true, payload), scatter(false, payload)]);
    let all = moving.chain([SortPhase::Count, scatter(true, Payload::Nothing)]);
    all.map(|phase| source(phase, Groups::BEST, Store::GROUP)).collect()
}

/// Returns the shaders from and to these keys.
pub(super) fn conversions(key: Key) -> Result<[Source; 2]> {
    Ok([
        source(SortPhase::Load(key), Groups::BEST, Store::GROUP)?,
        store::of_keys(key, Store::GROUP)?,
    ])
}

impl ScatterSort {
    pub(super) fn new(context: &Context) -> Result<ScatterSort> {
        let square = store::square(context, Store::GROUP);
        let programs = Programs::new(context, Setup::Compute(square));
        let (stores, room) = Default::default();
        let (context, middle) = (context.clone(), Middle::of_sums(context)?);
        Ok(ScatterSort { context, programs, stores, middle, room })
    }

    /// Returns the most numbers that a buffer of the device holds.
    pub(super) fn most(&self) -> u64 {
        4 * store::most_texels(&self.context) as u64
    }

    pub(super) fn run<T: Number, V: Number>(
        &self,
        request: SortRequest<'_, T, V>,
    ) -> Result<Sorted<T, V>> {
        let values = !matches!(request.moved, Moved::Nothing);
        let division = Groups::on(&self.context).divide(request.x.len());
        let mut room = self.room.borrow_mut();
        let room = self.room(&mut room, division, values)?;
        self.load(request.key, request.x, &mut room.keys.from)?;
        if let (Moved::Values(values), Some(room)) = (request.moved, &mut room.values) {
            self.load(Key::bits::<V>(), values, &mut room.from)?;
        }
        for shift in (0..request.bits).step_by(DIGIT_BITS as usize) {
            let mask = (1 << DIGIT_BITS.min(request.bits - shift)) - 1;
            let payload = match request.moved {
                Moved::Nothing => Payload::Nothing,
                Moved::Places if shift == 0 => Payload::Places,
                Moved::Places | Moved::Values(_) => Payload::Values,
            };
            let keys = request.keys || shift + DIGIT_BITS < request.bits;
            self.pass(Digit { shift, mask }, Moves { keys, payload }, division, room)?;
        }
        let keys = request.keys.then(|| self.vector(request.key, &room.keys, division.count));
        let values = room.values.as_ref();
        let values = values.map(|room| self.vector(Key::bits::<V>(), room, division.count));
        Ok((keys.transpose()?, values.transpose()?))
    }

    /// Sorts by a digit.
    fn pass(&self, digit: Digit, moves: Moves, division: Division, room: &mut Room) -> Result<()> {
        let Room { keys, values, counts } = room;
        let program = self.program(SortPhase::Count, division.of)?;
        let launch = program.launch().buffer("Keys", &keys.from).buffer_mut("Counts", counts);
        division.bind(launch, digit).run(division.groups())?;
        let count = DIGITS * division.groups;
        self.middle.run(false, Totals { numbers: counts, count, has_starts: None })?;
        let program = self.program(SortPhase::Scatter(moves), division.of)?;
        let mut launch = program.launch().buffer("Keys", &keys.from).buffer("Places", counts);
        if moves.keys {
            launch = launch.buffer_mut("SortedKeys", &mut keys.to);
        }
        if let Some(Pair { from, to }) = values {
            launch = launch.buffer_mut("SortedValues", to);
            if moves.payload == Payload::Values {
                launch = launch.buffer("Values", from);
            }
        }
        division.bind(launch, digit).run(division.groups())?;
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
    ) -> Result<()> {
        let program = self.program(SortPhase::Load(key), Groups::BEST)?;
        let mut start = 0;
        for (panel, length) in from.panels() {
            let launch = with_numbers(program.launch(), panel, length).uniform("start", start);
            launch.buffer_mut("Keys", to).invocations(panel.extent()).into(&mut [])?;
            start += length.div_ceil(4) as i32;
        }
        Ok(())
    }

    /// Returns a vector of the numbers of a buffer.
    fn vector<V: Number>(&self, key: Key, pair: &Pair, length: usize) -> Result<DeviceVector<V>> {
        let store = self.stores.get_or(&key, || Store::of_keys(&self.context, key))?;
        let mut vector = DeviceVector::uninit(&self.context, length)?;
        store.run_all(&pair.from, &mut vector)?;
        Ok(vector)
    }

    fn program(&self, phase: SortPhase, groups: Groups) -> Result<Rc<Program>> {
        let square = store::square(&self.context, Store::GROUP);
        self.programs.get(&(phase, groups), |(phase, groups), _| source(*phase, *groups, square))
    }

    /// Returns buffers for arrays of this length, those of the last sort if they are about as large.
    fn room<'a>(
        &self,
        kept: &'a mut Option<Room>,
        division: Division,
        values: bool,
    ) -> Result<&'a mut Room> {
        let texels = division.count.div_ceil(4).max(1);
        if 4 * texels as u64 > self.most() {
            return Err(too_large(division.count, self.most()).into());
        }
        let fits = |room: &Room| {
            (texels..=2 * texels).contains(&room.keys.from.len())
                && room.counts.len() >= DIGITS * division.groups
                && room.values.is_some() == values
        };
        made_unless(kept, fits, || {
            let pair = || Pair::uninit(&self.context, texels);
            let counts = self.context.uninit_buffer(DIGITS * division.groups)?;
            Ok(Room { keys: pair()?, values: values.then(pair).transpose()?, counts })
        })
    }
}

impl Division {
    fn bind(self, launch: Launch<'_>, digit: Digit) -> Launch<'_> {
        let launch = launch.uniform("count", self.count as i32);
        let launch = launch.uniform("tiles", self.tiles as i32);
        launch.uniform("shift", digit.shift as i32).uniform("mask", digit.mask)
    }

    fn groups(self) -> [u32; 3] {
        [self.groups as u32, 1, 1]
    }
}

impl Pair {
    fn uninit(context: &Context, texels: usize) -> Result<Pair> {
        Ok(Pair { from: context.uninit_buffer(texels)?, to: context.uninit_buffer(texels)? })
    }

    fn turn(&mut self) {
        mem::swap(&mut self.from, &mut self.to);
    }
}
