//! Vectors by the classes of their numbers, by fragments: those of class 0 first, then those of
//! class 1 and so on, each class in its order (Horn, "Stream Reduction Operations for GPGPU
//! Applications", 2005; Satish, Harris and Garland 2009).
//!
//! The numbers of each class in each block are counted, and the counts scanned. Then each place of
//! the result searches for its class and block by halves, and walks through the block.

use std::mem;

use crate::gl::{AnyTexture, Context, Target, Texture};
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::{Engine, Error, Kernel, Pass};

use super::super::number::Number;
use super::super::scan::Scan;
use super::kept::Kept;

/// The numbers of a block.
const BLOCK: usize = 64;
/// The name of a predicate in error messages.
const NAME: &str = "predicate";

/// Which class a number is of.
#[derive(Clone, Debug)]
pub(in crate::primitives) enum Class {
    /// 0 where a predicate holds, an expression of `x`, and with a mask of `mask`; else 1.
    Predicate { text: String, masked: bool },
    /// A digit of a whole number.
    Digit,
}

/// The kernels that part vectors of numbers of type `T`.
pub(in crate::primitives) struct Parts<T: Number> {
    context: Context,
    class: Class,
    kernels: Kept<(Step, bool), Kernel>,
    scan: Scan<u32>,
    number: std::marker::PhantomData<T>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    Counts,
    Gather { values: bool },
}

/// A vector that is parted, with its mask or with values that move along.
#[derive(Clone, Copy)]
pub(in crate::primitives) struct Parted<'a, T: Number> {
    pub(in crate::primitives) numbers: &'a DeviceVector<T>,
    pub(in crate::primitives) mask: Option<&'a DeviceVector<u32>>,
    pub(in crate::primitives) values: Option<&'a DeviceVector<u32>>,
    /// The place of a digit's lowest bit.
    pub(in crate::primitives) digit: i32,
}

/// The counts of each class and block, and where each begins in the result, for vectors of one
/// length.
pub(in crate::primitives) struct Starts {
    classes: u32,
    blocks: u32,
    counts: DeviceVector<u32>,
    starts: DeviceVector<u32>,
}

/// Returns the bits of the widest digit whose counts fit in one panel: 4, 2 or 1; none if the
/// vector is too long for any.
pub(in crate::primitives) fn digit_bits(length: usize, room: usize) -> Option<u32> {
    let fits = |bits: &u32| (length.div_ceil(BLOCK) << bits) < room;
    [4, 2, 1].into_iter().find(fits)
}

/// Returns the most numbers that two classes of a vector are counted of.
pub(in crate::primitives) fn most(room: usize) -> usize {
    (room - 1) / 2 * BLOCK
}

impl Class {
    /// Defines what numbers are classes of, in a shader that includes them.
    pub(in crate::primitives) fn define<T: Number>(&self, source: Source) -> Source {
        let source = source.define(T::DEFINE, 1);
        match self {
            Class::Digit => source.define("BY_DIGIT", 1).file_shown_as("predicate", NAME, "true"),
            Class::Predicate { text, masked } => {
                let source = source.file_shown_as("predicate", NAME, text);
                if *masked { source.define("MASKED", 1) } else { source }
            }
        }
    }
}

fn source<T: Number>(class: &Class, step: Step, fresh: bool) -> Result<Source, Error> {
    let library = |path| Source::library(Stage::Fragment, path);
    let mut source = class.define::<T>(match step {
        Step::Counts => library("parts/counts.frag")?,
        Step::Gather { .. } => library("parts/gather.frag")?,
    });
    let values = step == Step::Gather { values: true };
    for (define, wanted) in [("FRESH", fresh), ("VALUES", values)] {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

/// Returns the shaders that part by this class, in every variant.
pub(in crate::primitives) fn sources<T: Number>(class: &Class) -> Result<Vec<Source>, Error> {
    let mut steps = vec![Step::Counts, Step::Gather { values: false }];
    if matches!(class, Class::Digit) {
        steps.push(Step::Gather { values: true });
    }
    let all = steps.into_iter().flat_map(|step| [(step, true), (step, false)]);
    all.map(|(step, fresh)| source::<T>(class, step, fresh)).collect()
}

impl Starts {
    /// Makes room for the counts of a vector of this length.
    pub(in crate::primitives) fn uninit(
        context: &Context,
        length: usize,
        classes: u32,
    ) -> Result<Starts, Error> {
        let blocks = length.div_ceil(BLOCK).max(1) as u32;
        // One more, where all numbers have been.
        let entries = (classes * blocks) as usize + 1;
        let make = || DeviceVector::uninit(context, entries);
        Ok(Starts { classes, blocks, counts: make()?, starts: make()? })
    }

    /// Counts fewer classes from now on.
    pub(in crate::primitives) fn count_classes(&mut self, classes: u32) {
        self.classes = classes;
    }

    fn entries(&self) -> u32 {
        self.classes * self.blocks
    }

    /// Returns how many numbers are of class 0. Waits for the device.
    pub(in crate::primitives) fn of_class_0(&self) -> Result<u32, Error> {
        Ok(self.starts.get(self.blocks as usize)?.unwrap_or_default())
    }
}

impl<T: Number> Parts<T> {
    /// Creates the kernels that count by this class; those that move numbers are made when they are
    /// needed.
    pub(in crate::primitives) fn new(context: &Context, class: Class) -> Result<Parts<T>, Error> {
        let scan = Scan::on(context, Engine::Fragment)?;
        let (context, kernels) = (context.clone(), Kept::default());
        let parts = Parts { context, class, kernels, scan, number: std::marker::PhantomData };
        parts.kernel(Step::Counts, true)?;
        Ok(parts)
    }

    fn kernel(&self, step: Step, fresh: bool) -> Result<std::rc::Rc<Kernel>, Error> {
        self.kernels.get_or((step, fresh), || {
            let source = source::<T>(&self.class, step, fresh)?;
            Kernel::from_fragment(&self.context, &source, self.context.abilities().reads())
        })
    }

    /// Counts the numbers of each class, and finds where each begins.
    pub(in crate::primitives) fn count(
        &self,
        from: Parted<'_, T>,
        starts: &mut Starts,
    ) -> Result<(), Error> {
        let (classes, blocks, entries) = (starts.classes, starts.blocks, starts.entries());
        for index in 0..from.numbers.panels().count() {
            let kernel = self.kernel(Step::Counts, index == 0)?;
            let Some(target) = starts.counts.panel_mut(0) else { break };
            let pass = from.bind(kernel.pass(), index, &self.class, classes);
            let pass = pass.uniform("entries", entries).uniform("blocks", blocks);
            let pass = pass.uniform("shift_of_target", row_shift(target.extent()));
            if index == 0 {
                pass.draw(target)?;
            } else {
                let mut next = self.context.uninit(target.extent())?;
                pass.input("old", target).draw(&mut next)?;
                mem::swap(target, &mut next);
            }
        }
        self.scan.of(&starts.counts).exclusive().run(&mut starts.starts)
    }

    /// Writes the first numbers by their classes, as many as the result has, and their values.
    pub(in crate::primitives) fn gather(
        &self,
        from: Parted<'_, T>,
        starts: &Starts,
        result: &mut DeviceVector<T>,
        mut moved: Option<&mut DeviceVector<u32>>,
    ) -> Result<(), Error> {
        let (end, mut first) = (result.len() as u32, 0);
        let lengths: Vec<usize> = result.panels().map(|(_, length)| length).collect();
        for (at, length) in lengths.into_iter().enumerate() {
            for index in 0..from.numbers.panels().count() {
                let (Some(target), values) =
                    (result.panel_mut(at), moved.as_mut().and_then(|moved| moved.panel_mut(at)))
                else {
                    break;
                };
                let step = Step::Gather { values: values.is_some() };
                let kernel = self.kernel(step, index == 0)?;
                let pass = from.bind(kernel.pass(), index, &self.class, starts.classes);
                let pass = starts.bind(pass).uniform("first", first).uniform("end", end);
                let pass = pass.uniform("shift_of_target", row_shift(target.extent()));
                self.draw(pass, index == 0, target, values)?;
            }
            first += length as u32;
        }
        Ok(())
    }

    /// Draws into the target, and where something is there already, what that keeps.
    fn draw(
        &self,
        pass: Pass<'_>,
        fresh: bool,
        target: &mut Texture<T::Quad>,
        values: Option<&mut Texture<[u32; 4]>>,
    ) -> Result<(), Error> {
        match (fresh, values) {
            (true, None) => pass.draw(target),
            (true, Some(values)) => pass.draw_into(&mut [target, values]),
            (false, None) => {
                let mut next = self.context.uninit(target.extent())?;
                pass.input("old", target).draw(&mut next)?;
                mem::swap(target, &mut next);
                Ok(())
            }
            (false, Some(values)) => {
                let extent = target.extent();
                let (mut next, mut next_values) =
                    (self.context.uninit(extent)?, self.context.uninit(extent)?);
                let pass = pass.input("old", target).input("old_values", values);
                let targets: &mut [&mut dyn Target] = &mut [&mut next, &mut next_values];
                pass.draw_into(targets)?;
                mem::swap(target, &mut next);
                mem::swap(values, &mut next_values);
                Ok(())
            }
        }
    }
}

impl Starts {
    fn bind<'a>(&'a self, pass: Pass<'a>) -> Pass<'a> {
        let pass = pass.uniform("entries", self.entries()).uniform("blocks", self.blocks);
        match self.starts.panel(0) {
            Some(starts) => {
                pass.input("starts", starts).uniform("shift_of_starts", row_shift(starts.extent()))
            }
            None => pass,
        }
    }
}

impl<'a, T: Number> Parted<'a, T> {
    /// Gives a pass what include/classes.glsl reads of a panel, and the values beside it.
    fn bind(self, pass: Pass<'a>, index: usize, class: &Class, classes: u32) -> Pass<'a> {
        let Some((numbers, length)) = self.numbers.panels().nth(index) else { return pass };
        let room = DeviceVector::<T>::room_of_panel(self.numbers.context());
        let panel = [index * (room / BLOCK), length.div_ceil(BLOCK)].map(|blocks| blocks as u32);
        let pass = pass.input("numbers", numbers).uniform("shift", row_shift(numbers.extent()));
        let pass = pass.uniform("length_of_panel", length as i32).uniform("panel", panel);
        let pass = match class {
            Class::Digit => pass.uniform("classes", classes).uniform("digit", self.digit),
            Class::Predicate { .. } => pass,
        };
        let panel_of = |vector: Option<&'a DeviceVector<u32>>| vector.and_then(|v| v.panel(index));
        let inputs = [("mask_of", panel_of(self.mask)), ("values", panel_of(self.values))];
        inputs.into_iter().fold(pass, |pass, (name, texture)| match texture {
            Some(texture) => pass.input(name, texture as &dyn AnyTexture),
            None => pass,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_as_wide_as_their_counts_allow() {
        assert_eq!(digit_bits(0, 1024), Some(4));
        assert_eq!(digit_bits(1 << 24, 1 << 28), Some(4));
        // 65 blocks of 16 classes and one more.
        assert_eq!(digit_bits(64 * 64, 1024), Some(2));
        assert_eq!(digit_bits(64 * 63, 1024), Some(4));
        assert_eq!(digit_bits(64 * 600, 1024), None);
        assert_eq!(digit_bits(most(1024), 1024), Some(1));
        assert_eq!(digit_bits(most(1024) + 1, 1024), None);
    }
}
