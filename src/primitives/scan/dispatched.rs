//! Scans by compute shaders: totals of strips, the scan of these by one group, and each strip's own.

use std::cell::RefCell;

use crate::gl::{Buffer, Context, Texture};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::kept::{Kept, made_unless};
use crate::stream::launch::{Launch, Program, Programs};

use super::super::kit::strips::{Division, Strips};
use super::super::number::Number;
use super::middle::{self, Groups, Middle, Totals};
use super::plan;
use super::variant::{ScanInput, ScanVariant};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ScanPhase {
    Totals,
    Prefixes,
}

pub(super) struct StripScan<T: Number> {
    context: Context,
    strips: Strips,
    programs: Programs<(ScanPhase, ScanVariant)>,
    middles: Kept<ScanVariant, Middle<T>>,
    partial: RefCell<Option<Partial<T>>>,
}

/// The totals of strips, as many as the largest panel had.
struct Partial<T: Number> {
    totals: Buffer<T>,
    has_starts: Buffer<u32>,
}

/// A panel and where the starts of its segments are.
#[derive(Clone, Copy)]
struct Panel<'a, T: Number> {
    input: ScanInput<'a, T>,
    division: Division,
}

fn source<T: Number>(phase: ScanPhase, variant: ScanVariant, strips: Strips) -> Result<Source> {
    let library = |path| Source::library(Stage::Compute, path);
    let source = match phase {
        ScanPhase::Totals => variant.define::<T>(library("scan/totals.comp")?),
        ScanPhase::Prefixes => variant.define_result::<T>(library("scan/prefixes.comp")?),
    };
    Ok(strips.define(source))
}

pub(super) fn sources<T: Number>(variant: ScanVariant) -> Result<Vec<Source>> {
    let phase = |phase| source::<T>(phase, variant, Strips::OF_SCANS);
    let [sums, groups] = middle::sources::<T>(variant)?;
    Ok(vec![phase(ScanPhase::Totals)?, sums, groups, phase(ScanPhase::Prefixes)?])
}

impl<T: Number> StripScan<T> {
    pub(super) fn new(context: &Context) -> StripScan<T> {
        let (middles, partial) = Default::default();
        let strips = Strips::OF_SCANS.on(context);
        let programs = Programs::new(context, strips.setup());
        StripScan { context: context.clone(), strips, programs, middles, partial }
    }

    /// Returns the roundings that a number goes through at most.
    pub(super) fn chain(&self, length: usize) -> usize {
        let room = DeviceVector::<T>::room_of_panel(&self.context);
        let (panel, panels) = DeviceVector::<T>::largest_panel(&self.context, length.min(room));
        let panels = panels.max(length.div_ceil(room));
        let division =
            self.strips.divide(panel.width as usize, length.min(room).div_ceil(4).max(1));
        let middle = Groups::of(&self.context).chain(division.totals);
        plan::dispatched_chain(self.strips, division, middle, panels)
    }

    pub(super) fn run(
        &self,
        variant: ScanVariant,
        x: &DeviceVector<T>,
        starts: Option<&DeviceVector<u32>>,
        out: &mut DeviceVector<T>,
    ) -> Result<()> {
        // How totals are scanned does not depend on what counts of a number itself.
        let totals = ScanVariant { exclusive: false, ..variant };
        let middle = self.middles.get_or(&totals, || Middle::new(&self.context, totals))?;
        for (index, ((x, length), (out, _))) in x.panels().zip(out.panels_mut()).enumerate() {
            let starts = starts.and_then(|starts| starts.panel(index));
            let division = Division::of::<T>(self.strips, x, length);
            let panel = Panel { input: ScanInput { x, starts, length }, division };
            let mut partial = self.partial.borrow_mut();
            let partial = self.room(&mut partial, division.totals)?;
            self.totals(totals, panel, partial)?;
            let Partial { totals: numbers, has_starts } = &mut *partial;
            let has_starts = variant.segmented.then_some(&*has_starts);
            let totals_here = Totals { numbers, count: division.totals, has_starts };
            middle.run(index > 0, totals_here)?;
            self.prefixes(variant, panel, partial, out)?;
        }
        Ok(())
    }

    fn totals(
        &self,
        variant: ScanVariant,
        panel: Panel<'_, T>,
        partial: &mut Partial<T>,
    ) -> Result<()> {
        let program = self.program(ScanPhase::Totals, variant)?;
        let launch = panel.bind(program.launch()).buffer_mut("Totals", &mut partial.totals);
        let launch = match variant.segmented {
            true => launch.buffer_mut("HasStarts", &mut partial.has_starts),
            false => launch,
        };
        launch.run(panel.division.groups())
    }

    fn prefixes(
        &self,
        variant: ScanVariant,
        panel: Panel<'_, T>,
        partial: &Partial<T>,
        out: &mut Texture<T::Quad>,
    ) -> Result<()> {
        let program = self.program(ScanPhase::Prefixes, variant)?;
        let launch = panel.bind(program.launch()).buffer("Before", &partial.totals);
        let launch = launch.uniform("length_of_x", panel.input.length as i32);
        launch.groups(panel.division.groups()).write("prefixes", out)
    }

    fn program(&self, phase: ScanPhase, variant: ScanVariant) -> Result<std::rc::Rc<Program>> {
        let source = |(phase, variant): &_, _| source::<T>(*phase, *variant, self.strips);
        self.programs.get(&(phase, variant), source)
    }

    /// Returns buffers for this many totals.
    fn room<'a>(
        &self,
        partial: &'a mut Option<Partial<T>>,
        totals: usize,
    ) -> Result<&'a mut Partial<T>> {
        let fits = |partial: &Partial<T>| partial.totals.len() >= totals;
        made_unless(partial, fits, || {
            let (totals, has_starts) =
                (self.context.uninit_buffer(totals)?, self.context.uninit_buffer(totals)?);
            Ok(Partial { totals, has_starts })
        })
    }
}

impl<'a, T: Number> Panel<'a, T> {
    fn bind(self, launch: Launch<'a>) -> Launch<'a> {
        self.input.bind(self.division.bind(launch))
    }
}
