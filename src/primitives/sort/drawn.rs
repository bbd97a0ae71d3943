//! Sorts by fragments: a partition for each bit of the keys.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::{Engine, Error, Kernel};

use super::super::number::Number;
use super::super::scan::Scan;
use super::super::select::gather::Gather;
use super::super::select::ranked::{Ranks, with_predicate};
use super::sorted::Sorted;

const BITS: i32 = 32;

pub(super) struct Drawn<T: Number> {
    context: Context,
    to_keys: Kernel,
    from_keys: Kernel,
    bits: Kernel,
    scan: Scan<u32>,
    /// The kernels that move numbers, by the define of their type.
    gathers: RefCell<HashMap<&'static str, Rc<Gather>>>,
    number: PhantomData<T>,
}

pub(super) fn keys<T: Number>(descending: bool, back: bool) -> Result<Source, Error> {
    let mut source = Source::library(Stage::Fragment, "sort/keys.frag")?.define(T::DEFINE, 1);
    for (define, wanted) in [("DESCENDING", descending), ("BACK", back)] {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

/// The shader of the flags of a bit: 1 for keys that do not have it.
pub(super) fn bits() -> Result<Source, Error> {
    let source = Source::library(Stage::Fragment, "select/flags.frag")?.define("BY_BIT", 1);
    Ok(with_predicate::<u32>(source, "((x >> bit) & 1u) == 0u", false))
}

impl<T: Number> Drawn<T> {
    pub(super) fn new(context: &Context, descending: bool) -> Result<Drawn<T>, Error> {
        let reads = context.abilities().reads();
        let kernel = |source: Source| Kernel::from_fragment(context, &source, reads);
        Ok(Drawn {
            context: context.clone(),
            to_keys: kernel(keys::<T>(descending, false)?)?,
            from_keys: kernel(keys::<T>(descending, true)?)?,
            bits: kernel(bits()?)?,
            scan: Scan::on(context, Engine::Fragment)?,
            gathers: RefCell::default(),
            number: PhantomData,
        })
    }

    pub(super) fn run<V: Number>(
        &self,
        x: &DeviceVector<T>,
        values: Option<&DeviceVector<V>>,
    ) -> Result<Sorted<T, V>, Error> {
        let mut keys: DeviceVector<u32> = self.each(&self.to_keys, x, None)?;
        let mut sorted = None;
        for bit in 0..BITS {
            let flags = self.each(&self.bits, &keys, Some(bit))?;
            let ranks = Ranks::of(&self.scan, &flags)?;
            keys = self.parted(&ranks, &keys)?;
            if let Some(before) = sorted.as_ref().or(values) {
                sorted = Some(self.parted(&ranks, before)?);
            }
        }
        Ok((self.each(&self.from_keys, &keys, None)?, sorted))
    }

    /// Runs a kernel over each panel of a vector.
    fn each<A: Number, B: Number>(
        &self,
        kernel: &Kernel,
        from: &DeviceVector<A>,
        bit: Option<i32>,
    ) -> Result<DeviceVector<B>, Error> {
        let mut to = DeviceVector::uninit(&self.context, from.len())?;
        for ((from, length), (to, _)) in from.panels().zip(to.panels_mut()) {
            let shift = from.extent().width.trailing_zeros() as i32;
            let pass = kernel.pass().input("numbers", from).uniform("shift", shift);
            let pass = pass.uniform("length_of_panel", length as i32);
            let pass = match bit {
                Some(bit) => pass.uniform("bit", bit),
                None => pass,
            };
            pass.draw(to)?;
        }
        Ok(to)
    }

    /// Returns the numbers whose keys do not have the bit, and then the others.
    fn parted<V: Number>(
        &self,
        ranks: &Ranks,
        numbers: &DeviceVector<V>,
    ) -> Result<DeviceVector<V>, Error> {
        let known = self.gathers.borrow().get(V::DEFINE).cloned();
        let gather = match known {
            Some(gather) => gather,
            None => {
                let gather = Rc::new(Gather::new::<V>(&self.context)?);
                self.gathers.borrow_mut().insert(V::DEFINE, Rc::clone(&gather));
                gather
            }
        };
        let mut parted = DeviceVector::uninit(&self.context, numbers.len())?;
        gather.run(numbers, ranks, true, &mut parted)?;
        Ok(parted)
    }
}
