//! Selections by compute shaders: what is kept is counted in strips, the counts are scanned, and
//! each number goes to its place.

use std::cell::RefCell;

use crate::gl::buffer::later::Later;
use crate::gl::{Buffer, Context};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::kept::made_unless;
use crate::stream::launch::{Launch, Program, Programs};

use super::super::kit::parts::Class;
use super::super::kit::store::{self, Store};
use super::super::kit::strips::{Division, Strips};
use super::super::kit::with_numbers;
use super::super::number::Number;
use super::super::scan::{Middle, Totals};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SelectPhase {
    Count,
    /// What is kept alone, or all numbers.
    Scatter {
        all: bool,
    },
}

pub(super) struct ScatterSelect<T: Number> {
    context: Context,
    class: Class,
    strips: Strips,
    programs: Programs<SelectPhase>,
    middle: Middle<u32>,
    store: Store,
    /// Numbers on their way to the result.
    room: RefCell<Option<Buffer<T::Quad>>>,
}

/// A vector with its mask, and how many numbers are kept before each strip of each panel.
struct Ranked<'a, T: Number> {
    x: &'a DeviceVector<T>,
    mask: Option<&'a DeviceVector<u32>>,
    panels: Vec<(Division, Buffer<u32>)>,
}

fn source<T: Number>(class: &Class, strips: Strips, phase: SelectPhase) -> Result<Source> {
    let source = Source::library(
        Stage::Compute,
        match phase {
            SelectPhase::Count => "select/count.comp",
            SelectPhase::Scatter { .. } => "select/scatter.comp",
        },
    )?;
    let source = class.define::<T>(strips.define(source));
    Ok(if phase == (SelectPhase::Scatter { all: true }) {
        source.define("PARTITION", 1)
    } else {
        source
    })
}

pub(super) fn sources<T: Number>(class: &Class) -> Result<Vec<Source>> {
    let all = [
        SelectPhase::Count,
        SelectPhase::Scatter { all: false },
        SelectPhase::Scatter { all: true },
    ];
    let phases = all.into_iter().map(|phase| source::<T>(class, Strips::OF_SELECTIONS, phase));
    phases.chain([store::of_numbers::<T>(Store::GROUP)]).collect()
}

impl<T: Number> ScatterSelect<T> {
    pub(super) fn new(context: &Context, class: Class) -> Result<ScatterSelect<T>> {
        let strips = Strips::OF_SELECTIONS.on(context);
        let programs = Programs::new(context, strips.setup());
        let (middle, store) = (Middle::of_sums(context)?, Store::of_numbers::<T>(context)?);
        let (context, room) = (context.clone(), RefCell::default());
        let select = ScatterSelect { context, class, strips, programs, middle, store, room };
        select.program(SelectPhase::Count)?;
        Ok(select)
    }

    fn program(&self, phase: SelectPhase) -> Result<std::rc::Rc<Program>> {
        self.programs.get(&phase, |phase, _| source::<T>(&self.class, self.strips, *phase))
    }

    /// Returns what is kept, with `all` before the rest, and how many are kept.
    pub(super) fn run(
        &self,
        x: &DeviceVector<T>,
        mask: Option<&DeviceVector<u32>>,
        all: bool,
    ) -> Result<(DeviceVector<T>, usize)> {
        if x.is_empty() {
            return Ok((DeviceVector::uninit(&self.context, 0)?, 0));
        }
        let (ranked, kept) = self.ranked(x, mask)?;
        let texels = x.len().div_ceil(4);
        if !all && texels <= store::most_texels(&self.context) {
            return self.at_once(&ranked, &kept, texels as u32);
        }
        let kept = kept.wait()? as usize;
        let mut result = DeviceVector::uninit(&self.context, if all { x.len() } else { kept })?;
        let (most, mut first) = (store::most_texels(&self.context), 0);
        for (target, length) in result.panels_mut() {
            let extent = target.extent();
            let rows = (most / extent.width as usize).clamp(1, extent.height as usize) as u32;
            for y in (0..extent.height).step_by(rows as usize) {
                let rows = [y, (y + rows).min(extent.height)];
                let start = y * extent.width;
                let mut room = self.room.borrow_mut();
                let part = self.part(&mut room, (rows[1] - rows[0]) * extent.width)?;
                let window = [first + 4 * start, 4 * part.len() as u32];
                self.scatter(&ranked, all.then_some(kept as u32), window, part)?;
                self.store.run(part, start as i32, rows, (&mut *target, length))?;
            }
            first += length as u32;
        }
        Ok((result, kept))
    }

    /// Returns what is kept, by a buffer with room for all of x, which the device fills while the host
    /// waits for the length of the result.
    fn at_once(
        &self,
        ranked: &Ranked<'_, T>,
        kept: &Later<u32>,
        texels: u32,
    ) -> Result<(DeviceVector<T>, usize)> {
        let mut room = self.room.borrow_mut();
        let part = self.part(&mut room, texels)?;
        self.scatter(ranked, None, [0, 4 * part.len() as u32], part)?;
        let kept = kept.wait()? as usize;
        let mut result = DeviceVector::uninit(&self.context, kept)?;
        self.store.run_all(part, &mut result)?;
        Ok((result, kept))
    }

    /// Returns a buffer with at least this many texels, and less than twice as many.
    fn part<'a>(
        &self,
        room: &'a mut Option<Buffer<T::Quad>>,
        texels: u32,
    ) -> Result<&'a mut Buffer<T::Quad>> {
        let texels = texels as usize;
        let fits = |buffer: &Buffer<T::Quad>| (texels..=2 * texels).contains(&buffer.len());
        Ok(made_unless(room, fits, || self.context.uninit_buffer(texels))?)
    }

    /// Returns also how many numbers are kept, once it has arrived.
    fn ranked<'a>(
        &self,
        x: &'a DeviceVector<T>,
        mask: Option<&'a DeviceVector<u32>>,
    ) -> Result<(Ranked<'a, T>, Later<u32>)> {
        let program = self.program(SelectPhase::Count)?;
        let mut ranked = Ranked { x, mask, panels: Vec::new() };
        for (index, (panel, length)) in x.panels().enumerate() {
            let division = Division::of::<T>(self.strips, panel, length);
            let mut totals = self.context.uninit_buffer(division.totals)?;
            let launch = ranked.bind(program.launch(), division, index);
            launch.buffer_mut("Totals", &mut totals).run(division.groups())?;
            let counts = Totals { numbers: &mut totals, count: division.totals, has_starts: None };
            self.middle.run(index > 0, counts)?;
            ranked.panels.push((division, totals));
        }
        Ok((ranked, self.middle.total()?))
    }

    /// Fills a part of the result from all panels: `window` is its first place and its length. The
    /// rest comes after what is kept, if it is said how much that is.
    fn scatter(
        &self,
        ranked: &Ranked<'_, T>,
        kept: Option<u32>,
        window: [u32; 2],
        part: &mut Buffer<T::Quad>,
    ) -> Result<()> {
        let program = self.program(SelectPhase::Scatter { all: kept.is_some() })?;
        let mut first = 0_u32;
        for (index, (division, before)) in ranked.panels.iter().enumerate() {
            let launch = ranked.bind(program.launch(), *division, index);
            let launch = launch.uniform("window", window).buffer("Before", before);
            let launch = match kept {
                Some(kept) => launch.uniform("first", first).uniform("total", kept),
                None => launch,
            };
            launch.buffer_mut("Part", part).run(division.groups())?;
            first += ranked.x.panels().nth(index).map_or(0, |(_, length)| length as u32);
        }
        Ok(())
    }
}

impl<'a, T: Number> Ranked<'a, T> {
    /// Gives a launch the inputs of include/strip.glsl and include/classes.glsl.
    fn bind(&self, launch: Launch<'a>, division: Division, index: usize) -> Launch<'a> {
        let Some((numbers, length)) = self.x.panels().nth(index) else { return launch };
        let launch = with_numbers(division.bind(launch), numbers, length);
        match self.mask.and_then(|mask| mask.panel(index)) {
            Some(mask) => launch.input("mask_of", mask),
            None => launch,
        }
    }
}
