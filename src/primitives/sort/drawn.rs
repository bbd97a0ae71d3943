//! Sorts by fragments: by a digit of the keys after the other, as [`Parts`] part them.

use std::mem;

use crate::gl::Context;
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::Setup;
use crate::stream::launch::Programs;

use super::super::kit::key::Key;
use super::super::kit::parts::{self, Class, Parted, Parts, Starts, digit_bits};
use super::super::kit::with_numbers;
use super::super::number::Number;
use super::sorted::{Moved, SortRequest, Sorted, too_large};

pub(super) struct GatherSort {
    context: Context,
    programs: Programs<KeyPass>,
    parts: Parts<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum KeyPass {
    /// Makes keys of numbers, or numbers of keys.
    Keys { key: Key, back: bool },
    /// The place of each number in its vector.
    Places,
}

impl KeyPass {
    fn source(&self, _: Setup) -> Result<Source> {
        let library = |path| Source::library(Stage::Fragment, path);
        Ok(match self {
            KeyPass::Keys { key, back: false } => key.define(library("sort/keys.frag")?),
            KeyPass::Keys { key, back: true } => {
                key.define(library("sort/keys.frag")?).define("BACK", 1)
            }
            KeyPass::Places => library("sort/places.frag")?,
        })
    }
}

/// Returns the shaders from and to these keys.
pub(super) fn conversions(key: Key) -> Result<[Source; 2]> {
    let source = |back| KeyPass::Keys { key, back }.source(Setup::Fragment);
    Ok([source(false)?, source(true)?])
}

/// Returns the shaders of this module that do not depend on the numbers.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = parts::sources::<u32>(&Class::Digit)?;
    sources.push(KeyPass::Places.source(Setup::Fragment)?);
    Ok(sources)
}

impl GatherSort {
    pub(super) fn new(context: &Context) -> Result<GatherSort> {
        let parts = Parts::new(context, Class::Digit)?;
        let programs = Programs::new(context, Setup::Fragment);
        Ok(GatherSort { context: context.clone(), programs, parts })
    }

    pub(super) fn run<T: Number, V: Number>(
        &self,
        request: SortRequest<'_, T, V>,
    ) -> Result<Sorted<T, V>> {
        let length = request.x.len();
        let room = DeviceVector::<u32>::room_of_panel(&self.context);
        let Some(width) = digit_bits(length, room) else {
            return Err(too_large(length, parts::most(room) as u64).into());
        };
        let new = || DeviceVector::<u32>::uninit(&self.context, length);
        let (mut keys, mut next) =
            (self.converted::<T, u32>(request.x, request.key, false)?, new()?);
        let mut values = self.values(request.moved, length)?;
        let mut next_values = values.is_some().then(new).transpose()?;
        let mut starts = Starts::uninit(&self.context, length, 1 << width)?;
        for digit in (0..request.bits).step_by(width as usize) {
            starts.count_classes(1 << width.min(request.bits - digit));
            let from = Parted { numbers: &keys, mask: None, values: None, digit: digit as i32 };
            self.parts.count(from, &mut starts)?;
            let from = Parted { values: values.as_ref(), ..from };
            self.parts.gather(from, &starts, &mut next, next_values.as_mut())?;
            mem::swap(&mut keys, &mut next);
            mem::swap(&mut values, &mut next_values);
        }
        let keys = request.keys.then(|| self.converted(&keys, request.key, true)).transpose()?;
        let back = |values| self.converted(&values, Key::bits::<V>(), true);
        Ok((keys, values.map(back).transpose()?))
    }

    /// Returns what moves with the keys, as whole numbers.
    fn values<V: Number>(
        &self,
        moved: Moved<'_, V>,
        length: usize,
    ) -> Result<Option<DeviceVector<u32>>> {
        Ok(match moved {
            Moved::Nothing => None,
            Moved::Places => Some(self.places(length)?),
            Moved::Values(values) => Some(self.converted(values, Key::bits::<V>(), false)?),
        })
    }

    /// Returns the place of each number of a vector of this length.
    fn places(&self, length: usize) -> Result<DeviceVector<u32>> {
        let program = self.programs.get(&KeyPass::Places, KeyPass::source)?;
        let mut to = DeviceVector::uninit(&self.context, length)?;
        let mut first = 0_u32;
        for (to, length) in to.panels_mut() {
            let launch = program.launch().uniform("first", first);
            let launch = launch.uniform("shift", row_shift(to.extent()));
            launch.uniform("length_of_panel", length as i32).write("places", to)?;
            first += length as u32;
        }
        Ok(to)
    }

    /// Returns the keys of numbers, or the numbers of keys.
    fn converted<A: Number, B: Number>(
        &self,
        from: &DeviceVector<A>,
        key: Key,
        back: bool,
    ) -> Result<DeviceVector<B>> {
        let program = self.programs.get(&KeyPass::Keys { key, back }, KeyPass::source)?;
        let mut to = DeviceVector::uninit(&self.context, from.len())?;
        for ((from, length), (to, _)) in from.panels().zip(to.panels_mut()) {
            with_numbers(program.launch(), from, length).write("result", to)?;
        }
        Ok(to)
    }
}
