//! Sorts by compute shaders: for each digit of 8 bits the keys of each work group's part are counted,
//! the counts scanned, and keys and values moved.

use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::mem;
use std::rc::Rc;

use crate::gl::{Buffer, Context, Element};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::{ComputeKernel, Error};

use super::super::number::{self, Number, Operation};
use super::super::select::scatter::zero_from;
use super::sorted::{Sorted, too_large};

/// The work groups: invocations, and the keys of each in a tile. On a software renderer each barrier
/// takes long.
#[derive(Clone, Copy)]
struct Groups {
    size: usize,
    per: usize,
}

const HARDWARE: Groups = Groups { size: 256, per: 8 };
const SMALL: Groups = Groups { size: 128, per: 8 };
const SOFTWARE: Groups = Groups { size: 16, per: 64 };
/// The shared memory that the larger groups need.
const SHARED_BYTES: u32 = 32_000;

/// The most groups, each of which has `DIGITS` counts that one group scans.
const MOST: usize = 1024;
const DIGITS: usize = 256;
const DIGIT_BITS: i32 = 8;
const PASSES: i32 = 32 / DIGIT_BITS;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Form {
    step: Step,
    first: bool,
    last: bool,
    values: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Count,
    Scan,
    Scatter,
}

pub(super) struct Dispatched<T: Number> {
    context: Context,
    groups: Groups,
    descending: bool,
    kernels: RefCell<HashMap<Form, Rc<ComputeKernel>>>,
    number: PhantomData<T>,
}

/// An array and the one that the next pass writes.
struct Pair<T: Element> {
    from: Buffer<T>,
    to: Buffer<T>,
}

/// How an array is divided among groups.
#[derive(Clone, Copy)]
struct Division {
    count: usize,
    groups: usize,
    tiles: usize,
}

impl Groups {
    fn divide(self, count: usize) -> Division {
        let tile = self.size * self.per;
        let tiles = count.div_ceil(tile * MOST).max(1);
        Division { count, groups: count.div_ceil(tile * tiles).max(1), tiles }
    }
}

fn source<T: Number>(form: Form, groups: Groups, descending: bool) -> Result<Source, Error> {
    let library = |path| Source::library(Stage::Compute, path);
    let source = match form.step {
        Step::Count => library("sort/count.comp")?.define(T::DEFINE, 1),
        Step::Scatter => library("sort/scatter.comp")?.define(T::DEFINE, 1),
        Step::Scan => {
            let source = library("scan/groups.comp")?;
            return Ok(
                number::define(u32::DEFINE, Operation::Sum, source).define("GROUP", groups.size)
            );
        }
    };
    let mut source = source.define("GROUP", groups.size).define("PER", groups.per);
    let defines = [
        ("FIRST", form.first),
        ("LAST", form.last),
        ("VALUES", form.values),
        ("DESCENDING", descending),
    ];
    for (define, wanted) in defines {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

pub(super) fn sources<T: Number>(descending: bool) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    for (step, first, last, values) in [
        (Step::Count, true, false, false),
        (Step::Count, false, false, false),
        (Step::Scatter, true, false, true),
        (Step::Scatter, false, true, true),
        (Step::Scatter, true, false, false),
        (Step::Scatter, false, true, false),
    ] {
        let form = Form { step, first, last, values };
        sources.push(source::<T>(form, HARDWARE, descending)?);
    }
    Ok(sources)
}

impl<T: Number> Dispatched<T> {
    pub(super) fn new(context: &Context, descending: bool) -> Dispatched<T> {
        let limits = context.abilities().compute;
        let large = limits.is_some_and(|limits| {
            limits.shared_bytes >= SHARED_BYTES && limits.max_invocations >= HARDWARE.size as u32
        });
        let groups = match (context.abilities().software, large) {
            (true, _) => SOFTWARE,
            (false, true) => HARDWARE,
            (false, false) => SMALL,
        };
        let (context, kernels) = (context.clone(), RefCell::default());
        Dispatched { context, groups, descending, kernels, number: PhantomData }
    }

    pub(super) fn run<V: Number>(
        &self,
        x: &DeviceVector<T>,
        values: Option<&DeviceVector<V>>,
    ) -> Result<Sorted<T, V>, Error> {
        let division = self.groups.divide(x.len());
        let mut keys = self.pair(x)?;
        let mut values = values.map(|values| self.pair(values)).transpose()?;
        let mut counts = self.context.uninit_buffer::<u32>(DIGITS * division.groups)?;
        let mut carry = self.context.uninit_buffer::<u32>(1)?;
        for pass in 0..PASSES {
            self.count(pass, division, &keys, &mut counts)?;
            let scan = self.kernel(Step::Scan, 1, false)?;
            let count = (DIGITS * division.groups) as i32;
            let dispatch = scan.dispatch().uniform("count", count).uniform("continues", false);
            let dispatch = dispatch.buffer_mut("Totals", &mut counts);
            dispatch.buffer_mut("Carry", &mut carry).run([1, 1, 1])?;
            self.scatter(pass, division, &mut keys, values.as_mut(), &counts)?;
            keys.turn();
            values.iter_mut().for_each(Pair::turn);
        }
        let sorted = self.vector(&keys.from, x.len())?;
        let values = values.map(|values| self.vector(&values.from, x.len())).transpose()?;
        Ok((sorted, values))
    }

    fn count(
        &self,
        pass: i32,
        division: Division,
        keys: &Pair<T::Quad>,
        counts: &mut Buffer<u32>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Count, pass, false)?;
        let dispatch = kernel.dispatch().buffer("Keys", &keys.from).buffer_mut("Counts", counts);
        let dispatch = dispatch.uniform("count", division.count as i32);
        let dispatch = dispatch.uniform("tiles", division.tiles as i32);
        dispatch.uniform("shift", DIGIT_BITS * pass).run([division.groups as u32, 1, 1])
    }

    fn scatter<Q: Element>(
        &self,
        pass: i32,
        division: Division,
        keys: &mut Pair<T::Quad>,
        values: Option<&mut Pair<Q>>,
        places: &Buffer<u32>,
    ) -> Result<(), Error> {
        let kernel = self.kernel(Step::Scatter, pass, values.is_some())?;
        let dispatch = kernel.dispatch().buffer("Keys", &keys.from).buffer("Places", places);
        let dispatch = dispatch.buffer_mut("SortedKeys", &mut keys.to);
        let dispatch = match values {
            Some(Pair { from, to }) => {
                dispatch.buffer("Values", from).buffer_mut("SortedValues", to)
            }
            None => dispatch,
        };
        let dispatch = dispatch.uniform("count", division.count as i32);
        let dispatch = dispatch.uniform("tiles", division.tiles as i32);
        dispatch.uniform("shift", DIGIT_BITS * pass).run([division.groups as u32, 1, 1])
    }

    fn kernel(&self, step: Step, pass: i32, values: bool) -> Result<Rc<ComputeKernel>, Error> {
        let last = step == Step::Scatter && pass + 1 == PASSES;
        let form = Form { step, first: pass == 0 && step != Step::Scan, last, values };
        if let Some(kernel) = self.kernels.borrow().get(&form) {
            return Ok(Rc::clone(kernel));
        }
        let source = source::<T>(form, self.groups, self.descending)?;
        let made = Rc::new(self.context.compute_kernel(source)?);
        self.kernels.borrow_mut().insert(form, Rc::clone(&made));
        Ok(made)
    }

    /// Returns buffers with the numbers of a vector, and with zeros behind them.
    fn pair<V: Number>(&self, vector: &DeviceVector<V>) -> Result<Pair<V::Quad>, Error> {
        let texels = vector.texels();
        let limits = self.context.abilities().compute;
        let most = limits.map_or(0, |limits| u64::from(limits.max_block_bytes));
        if (texels * size_of::<V::Quad>()) as u64 > most {
            return Err(too_large(vector.len(), most / size_of::<V>() as u64).into());
        }
        let from = self.context.uninit_buffer(texels)?;
        vector.copy_to_buffer(&from)?;
        let mut to = self.context.uninit_buffer(texels)?;
        zero_from(vector.len() / 4, &mut to)?;
        Ok(Pair { from, to })
    }

    /// Returns a vector of the numbers of a buffer.
    fn vector<V: Number>(
        &self,
        buffer: &Buffer<V::Quad>,
        length: usize,
    ) -> Result<DeviceVector<V>, Error> {
        let mut vector = DeviceVector::uninit(&self.context, length)?;
        vector.copy_from_buffer(buffer)?;
        Ok(vector)
    }
}

impl<T: Element> Pair<T> {
    fn turn(&mut self) {
        mem::swap(&mut self.from, &mut self.to);
    }
}
