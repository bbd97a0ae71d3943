//! Vectors by the classes of their numbers, by fragments: those of class 0 first, then those of
//! class 1 and so on, each class in its order (Horn, "Stream Reduction Operations for GPGPU
//! Applications", 2005; Satish, Harris and Garland 2009).
//!
//! The classes are written down, 4 bits each. The numbers of each class in each block are counted, and
//! the counts scanned. Then each place of the result searches for its class and block by halves, and
//! among the classes of the block for its number.

use std::mem;

use crate::gl::{AnyTexture, Context, Target, Texture};
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::group::Setup;
use crate::stream::launch::{Launch, Program, Programs};
use crate::stream::{Engine, Result};

use super::super::number::Number;
use super::super::scan::Scan;
use super::with_numbers;

/// The numbers of a block.
const BLOCK: usize = 64;
/// The classes in a word of 32 bits.
const OF_WORD: usize = 8;
/// The targets of what is moved.
const NUMBERS: &str = "numbers";
const VALUES: &str = "moved_values";
/// The name of a predicate in error messages.
const NAME: &str = "predicate";

/// Which class a number is of.
#[derive(Clone, Debug)]
pub(crate) enum Class {
    /// 0 where a predicate holds, an expression of `x`, and with a mask of `mask`; else 1.
    Predicate { text: String, masked: bool },
    /// A digit of a whole number.
    Digit,
}

/// The kernels that part vectors of numbers of type `T`.
pub(crate) struct Parts<T: Number> {
    context: Context,
    class: Class,
    programs: Programs<(PartitionPass, bool)>,
    scan: Scan<u32>,
    number: std::marker::PhantomData<T>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PartitionPass {
    Classes,
    Counts,
    Bounds,
    Gather { values: bool },
}

/// A vector that is parted, with its mask or with values that move along.
#[derive(Clone, Copy)]
pub(crate) struct Parted<'a, T: Number> {
    pub(crate) numbers: &'a DeviceVector<T>,
    pub(crate) mask: Option<&'a DeviceVector<u32>>,
    pub(crate) values: Option<&'a DeviceVector<u32>>,
    /// The place of a digit's lowest bit.
    pub(crate) digit: i32,
}

/// The classes of numbers, the counts of each class and block, and where each begins in the result,
/// for vectors of one length.
pub(crate) struct Starts {
    classes: u32,
    blocks: u32,
    /// The classes of each panel.
    packed: Vec<DeviceVector<u32>>,
    counts: DeviceVector<u32>,
    starts: DeviceVector<u32>,
    /// The class and block of every 64th place.
    bounds: DeviceVector<u32>,
}

/// Returns the bits of the widest digit whose counts fit in one panel: 4, 2 or 1; none if the
/// vector is too long for any.
pub(crate) fn digit_bits(length: usize, room: usize) -> Option<u32> {
    let fits = |bits: &u32| (length.div_ceil(BLOCK) << bits) < room;
    [4, 2, 1].into_iter().find(fits)
}

/// Returns the most numbers that two classes of a vector are counted of.
pub(crate) fn most(room: usize) -> usize {
    ((room - 1) / 2).saturating_mul(BLOCK)
}

impl Class {
    /// Defines what numbers are classes of, in a shader that includes them.
    pub(crate) fn define<T: Number>(&self, source: Source) -> Source {
        let source = source.define(T::DEFINE, 1);
        match self {
            Class::Digit => source.define("BY_DIGIT", 1).file_shown_as("predicate", NAME, "true)"),
            Class::Predicate { text, masked } => {
                // A driver that finds an error at the next token finds it in this text too.
                let end = if text.contains("//") { "\n)" } else { ")" };
                let text = format!("{text}{end}");
                let source = source.file_shown_as("predicate", NAME, &text);
                if *masked { source.define("MASKED", 1) } else { source }
            }
        }
    }
}

fn source<T: Number>(class: &Class, pass: PartitionPass, fresh: bool) -> Result<Source> {
    let library = |path| Source::library(Stage::Fragment, path);
    let mut source = match pass {
        PartitionPass::Classes => class.define::<T>(library("parts/classes.frag")?),
        PartitionPass::Counts => library("parts/counts.frag")?,
        PartitionPass::Bounds => library("parts/bounds.frag")?,
        PartitionPass::Gather { .. } => library("parts/gather.frag")?.define(T::DEFINE, 1),
    };
    let values = pass == PartitionPass::Gather { values: true };
    for (define, wanted) in [("FRESH", fresh), ("VALUES", values)] {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

/// Returns the shaders that part by this class, in every variant.
pub(crate) fn sources<T: Number>(class: &Class) -> Result<Vec<Source>> {
    let mut passes = vec![PartitionPass::Counts, PartitionPass::Gather { values: false }];
    if matches!(class, Class::Digit) {
        passes.push(PartitionPass::Gather { values: true });
    }
    let several = passes.into_iter().flat_map(|pass| [(pass, true), (pass, false)]);
    let all = several.chain([(PartitionPass::Classes, true), (PartitionPass::Bounds, true)]);
    all.map(|(pass, fresh)| source::<T>(class, pass, fresh)).collect()
}

impl Starts {
    /// Makes room for the counts of a vector of this length.
    pub(crate) fn uninit(context: &Context, length: usize, classes: u32) -> Result<Starts> {
        let blocks = length.div_ceil(BLOCK).max(1) as u32;
        // One more, where all numbers have been.
        let entries = (classes * blocks) as usize + 1;
        let make = |length| DeviceVector::uninit(context, length);
        let room = DeviceVector::<u32>::room_of_panel(context);
        let lengths = (0..length).step_by(room).map(|first| (length - first).min(room));
        // Two texels for each block, also for one that is not full.
        let words = lengths.map(|length| length.div_ceil(BLOCK) * (BLOCK / OF_WORD));
        let packed = words.map(make).collect::<Result<_, _>>()?;
        let (counts, starts, bounds) = (make(entries)?, make(entries)?, make(blocks as usize + 1)?);
        Ok(Starts { classes, blocks, packed, counts, starts, bounds })
    }

    /// Counts fewer classes from now on.
    pub(crate) fn count_classes(&mut self, classes: u32) {
        self.classes = classes;
    }

    fn entries(&self) -> u32 {
        self.classes * self.blocks
    }

    /// Returns how many numbers are of class 0. Waits for the device.
    pub(crate) fn of_class_0(&self) -> Result<u32> {
        Ok(self.starts.get(self.blocks as usize)?.unwrap_or_default())
    }
}

impl<T: Number> Parts<T> {
    /// Creates the kernels that count by this class; those that move numbers are made when they are
    /// needed.
    pub(crate) fn new(context: &Context, class: Class) -> Result<Parts<T>> {
        let scan = Scan::on(context, Engine::Fragment)?;
        let programs = Programs::new(context, Setup::Fragment);
        let context = context.clone();
        let parts = Parts { context, class, programs, scan, number: std::marker::PhantomData };
        parts.program(PartitionPass::Classes, true)?;
        Ok(parts)
    }

    fn program(&self, pass: PartitionPass, fresh: bool) -> Result<std::rc::Rc<Program>> {
        let source = |(pass, fresh): &_, _| source::<T>(&self.class, *pass, *fresh);
        self.programs.get(&(pass, fresh), source)
    }

    /// Counts the numbers of each class, and finds where each begins.
    pub(crate) fn count(&self, from: Parted<'_, T>, starts: &mut Starts) -> Result<()> {
        for (index, (numbers, length)) in from.numbers.panels().enumerate() {
            let Some(packed) = starts.packed.get_mut(index).and_then(|p| p.panel_mut(0)) else {
                break;
            };
            let program = self.program(PartitionPass::Classes, true)?;
            let launch = with_numbers(program.launch(), numbers, length);
            let launch = launch.uniform("shift_of_target", row_shift(packed.extent()));
            let launch = match self.class {
                Class::Digit => {
                    launch.uniform("classes", starts.classes).uniform("digit", from.digit)
                }
                Class::Predicate { .. } => launch,
            };
            match from.mask.and_then(|mask| mask.panel(index)) {
                Some(mask) => {
                    launch.input("mask_of", mask as &dyn AnyTexture).write("class_words", packed)?
                }
                None => launch.write("class_words", packed)?,
            }
            self.count_panel(index, length, starts)?;
        }
        self.scan.of(&starts.counts).exclusive().run(&mut starts.starts)?;
        self.find_bounds(starts)
    }

    /// Adds the counts of a panel.
    fn count_panel(&self, index: usize, length: usize, starts: &mut Starts) -> Result<()> {
        let program = self.program(PartitionPass::Counts, index == 0)?;
        let (entries, blocks) = (starts.entries(), starts.blocks);
        let Some(target) = starts.counts.panel_mut(0) else { return Ok(()) };
        let launch = bind_packed(program.launch(), &starts.packed, index, length);
        let launch = launch.uniform("entries", entries).uniform("blocks", blocks);
        let launch = launch.uniform("panel", self.blocks_of(index, length));
        let launch = launch.uniform("shift_of_target", row_shift(target.extent()));
        if index == 0 {
            return launch.write("counts", target);
        }
        let mut next = self.context.uninit(target.extent())?;
        launch.input("old", target).write("counts", &mut next)?;
        mem::swap(target, &mut next);
        Ok(())
    }

    fn find_bounds(&self, starts: &mut Starts) -> Result<()> {
        let program = self.program(PartitionPass::Bounds, true)?;
        let entries = starts.entries();
        let Some(target) = starts.bounds.panel_mut(0) else { return Ok(()) };
        let launch = bind_starts(program.launch(), &starts.starts, entries);
        launch.uniform("shift_of_target", row_shift(target.extent())).write("bounds", target)
    }

    /// Returns the first block of a panel, and their number.
    fn blocks_of(&self, index: usize, length: usize) -> [u32; 2] {
        let room = DeviceVector::<T>::room_of_panel(&self.context);
        [index * (room / BLOCK), length.div_ceil(BLOCK)].map(|blocks| blocks as u32)
    }

    /// Writes the first numbers by their classes, as many as the result has, and their values.
    pub(crate) fn gather(
        &self,
        from: Parted<'_, T>,
        starts: &Starts,
        result: &mut DeviceVector<T>,
        mut moved: Option<&mut DeviceVector<u32>>,
    ) -> Result<()> {
        let (end, mut first) = (result.len() as u32, 0);
        let lengths: Vec<usize> = result.panels().map(|(_, length)| length).collect();
        for (at, length) in lengths.into_iter().enumerate() {
            for (index, (numbers, of_panel)) in from.numbers.panels().enumerate() {
                let (Some(target), values) =
                    (result.panel_mut(at), moved.as_mut().and_then(|moved| moved.panel_mut(at)))
                else {
                    break;
                };
                let pass = PartitionPass::Gather { values: values.is_some() };
                let program = self.program(pass, index == 0)?;
                let launch = bind_packed(program.launch(), &starts.packed, index, of_panel);
                let launch = starts.bind(launch).uniform("first", first).uniform("end", end);
                let launch = launch.uniform("panel", self.blocks_of(index, of_panel));
                let launch = launch.input("numbers", numbers);
                let launch = launch.uniform("shift", row_shift(numbers.extent()));
                let launch = launch.uniform("shift_of_target", row_shift(target.extent()));
                let launch = match from.values.and_then(|values| values.panel(index)) {
                    Some(values) => launch.input("values", values as &dyn AnyTexture),
                    None => launch,
                };
                self.write(launch, index == 0, target, values)?;
            }
            first += length as u32;
        }
        Ok(())
    }

    /// Writes the target, and where something is there already, what that keeps.
    fn write(
        &self,
        launch: Launch<'_>,
        fresh: bool,
        target: &mut Texture<T::Quad>,
        values: Option<&mut Texture<[u32; 4]>>,
    ) -> Result<()> {
        match (fresh, values) {
            (true, None) => launch.write(NUMBERS, target),
            (true, Some(values)) => launch.into(&mut [(NUMBERS, target), (VALUES, values)]),
            (false, None) => {
                let mut next = self.context.uninit(target.extent())?;
                launch.input("old", target).write(NUMBERS, &mut next)?;
                mem::swap(target, &mut next);
                Ok(())
            }
            (false, Some(values)) => {
                let extent = target.extent();
                let (mut next, mut next_values) =
                    (self.context.uninit(extent)?, self.context.uninit(extent)?);
                let launch = launch.input("old", target).input("old_values", values);
                let targets: &mut [(&str, &mut dyn Target)] =
                    &mut [(NUMBERS, &mut next), (VALUES, &mut next_values)];
                launch.into(targets)?;
                mem::swap(target, &mut next);
                mem::swap(values, &mut next_values);
                Ok(())
            }
        }
    }
}

impl Starts {
    fn bind<'a>(&'a self, launch: Launch<'a>) -> Launch<'a> {
        let launch =
            bind_starts(launch, &self.starts, self.entries()).uniform("blocks", self.blocks);
        match self.bounds.panel(0) {
            Some(bounds) => launch
                .input("bounds", bounds)
                .uniform("shift_of_bounds", row_shift(bounds.extent())),
            None => launch,
        }
    }
}

/// Gives a launch the inputs of include/starts.glsl.
fn bind_starts<'a>(launch: Launch<'a>, starts: &'a DeviceVector<u32>, entries: u32) -> Launch<'a> {
    let launch = launch.uniform("entries", entries);
    match starts.panel(0) {
        Some(starts) => {
            launch.input("starts", starts).uniform("shift_of_starts", row_shift(starts.extent()))
        }
        None => launch,
    }
}

/// Gives a launch the inputs of include/packed_classes.glsl.
fn bind_packed<'a>(
    launch: Launch<'a>,
    packed: &'a [DeviceVector<u32>],
    index: usize,
    length: usize,
) -> Launch<'a> {
    let launch = launch.uniform("length_of_panel", length as i32);
    match packed.get(index).and_then(|packed| packed.panel(0)) {
        Some(packed) => launch
            .input("class_words", packed)
            .uniform("shift_of_words", row_shift(packed.extent())),
        None => launch,
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
