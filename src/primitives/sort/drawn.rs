//! Sorts by fragments: by a digit of the keys after the other, as [`Parts`] part them.

use std::mem;

use crate::gl::Context;
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::{Error, Kernel};

use super::super::kit::kept::Kept;
use super::super::kit::key::Key;
use super::super::kit::parts::{self, Class, Parted, Parts, Starts, digit_bits};
use super::super::number::Number;
use super::sorted::{Moved, Sorted, Task, too_large};

pub(super) struct Drawn {
    context: Context,
    /// The kernels that make keys of numbers, or numbers of keys.
    conversions: Kept<(Key, bool), Kernel>,
    places: Kept<(), Kernel>,
    parts: Parts<u32>,
}

fn source(key: Key, back: bool) -> Result<Source, Error> {
    let source = key.define(Source::library(Stage::Fragment, "sort/keys.frag")?);
    Ok(if back { source.define("BACK", 1) } else { source })
}

/// The shader of each number's place in its vector.
fn places() -> Result<Source, Error> {
    Ok(Source::library(Stage::Fragment, "sort/places.frag")?)
}

/// Returns the shaders from and to these keys.
pub(super) fn conversions(key: Key) -> Result<[Source; 2], Error> {
    Ok([source(key, false)?, source(key, true)?])
}

/// Returns the shaders of this module that do not depend on the numbers.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = parts::sources::<u32>(&Class::Digit)?;
    sources.push(places()?);
    Ok(sources)
}

impl Drawn {
    pub(super) fn new(context: &Context) -> Result<Drawn, Error> {
        let parts = Parts::new(context, Class::Digit)?;
        let (context, conversions, places) = (context.clone(), Kept::default(), Kept::default());
        Ok(Drawn { context, conversions, places, parts })
    }

    pub(super) fn run<T: Number, V: Number>(
        &self,
        task: Task<'_, T, V>,
    ) -> Result<Sorted<T, V>, Error> {
        let length = task.x.len();
        let room = DeviceVector::<u32>::room_of_panel(&self.context);
        let Some(width) = digit_bits(length, room) else {
            return Err(too_large(length, parts::most(room) as u64).into());
        };
        let new = || DeviceVector::<u32>::uninit(&self.context, length);
        let (mut keys, mut next) = (self.converted::<T, u32>(task.x, task.key, false)?, new()?);
        let mut values = self.values(task.moved, length)?;
        let mut next_values = values.is_some().then(new).transpose()?;
        let mut starts = Starts::uninit(&self.context, length, 1 << width)?;
        for digit in (0..task.bits).step_by(width as usize) {
            starts.count_classes(1 << width.min(task.bits - digit));
            let from = Parted { numbers: &keys, mask: None, values: None, digit: digit as i32 };
            self.parts.count(from, &mut starts)?;
            let from = Parted { values: values.as_ref(), ..from };
            self.parts.gather(from, &starts, &mut next, next_values.as_mut())?;
            mem::swap(&mut keys, &mut next);
            mem::swap(&mut values, &mut next_values);
        }
        let keys = task.keys.then(|| self.converted(&keys, task.key, true)).transpose()?;
        let back = |values| self.converted(&values, Key::bits::<V>(), true);
        Ok((keys, values.map(back).transpose()?))
    }

    /// Returns what moves with the keys, as whole numbers.
    fn values<V: Number>(
        &self,
        moved: Moved<'_, V>,
        length: usize,
    ) -> Result<Option<DeviceVector<u32>>, Error> {
        Ok(match moved {
            Moved::Nothing => None,
            Moved::Places => Some(self.places(length)?),
            Moved::Values(values) => Some(self.converted(values, Key::bits::<V>(), false)?),
        })
    }

    /// Returns the place of each number of a vector of this length.
    fn places(&self, length: usize) -> Result<DeviceVector<u32>, Error> {
        let kernel = self.places.get_or((), || self.compiled(&places()?))?;
        let mut to = DeviceVector::uninit(&self.context, length)?;
        let mut first = 0_u32;
        for (to, length) in to.panels_mut() {
            let pass = kernel.pass().uniform("first", first);
            let pass = pass.uniform("shift", row_shift(to.extent()));
            pass.uniform("length_of_panel", length as i32).draw(to)?;
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
    ) -> Result<DeviceVector<B>, Error> {
        let kernel = self.conversions.get_or((key, back), || self.compiled(&source(key, back)?))?;
        let mut to = DeviceVector::uninit(&self.context, from.len())?;
        for ((from, length), (to, _)) in from.panels().zip(to.panels_mut()) {
            let pass = kernel.pass().input("numbers", from);
            let pass = pass.uniform("shift", row_shift(from.extent()));
            pass.uniform("length_of_panel", length as i32).draw(to)?;
        }
        Ok(to)
    }

    fn compiled(&self, source: &Source) -> Result<Kernel, Error> {
        Kernel::from_fragment(&self.context, source, self.context.abilities().reads())
    }
}
