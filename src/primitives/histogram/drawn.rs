//! Histograms by sorted bins: where each begins is searched. Sums of weights are made so on both
//! engines.

use std::marker::PhantomData;
use std::mem;

use crate::gl::{Context, must_fit};
use crate::grid::{DeviceVector, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::group::Setup;
use crate::stream::kept::Kept;
use crate::stream::launch::{Launch, Program, Programs};
use crate::stream::{Engine, Result};

use super::super::kit::starts::RunStarts;
use super::super::kit::with_numbers;
use super::super::number::Number;
use super::super::scan::Scan;
use super::super::sort::Sort;
use super::bins::Bins;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HistogramPass {
    Bins,
    /// For the first panel, or for others.
    Counts {
        fresh: bool,
    },
    Sums,
}

pub(super) struct SortedHistogram<T: Number> {
    context: Context,
    range: bool,
    programs: Programs<HistogramPass>,
    sort: Sort<u32>,
    scan: Scan,
    starts: Kept<(), RunStarts<u32>>,
    number: PhantomData<T>,
}

fn source<T: Number>(pass: HistogramPass, range: bool) -> Result<Source> {
    let library = |path| Source::library(Stage::Fragment, path);
    Ok(match pass {
        HistogramPass::Bins => {
            Bins::define(range, library("histogram/bins.frag")?).define(T::DEFINE, 1)
        }
        HistogramPass::Counts { fresh: true } => {
            library("histogram/counts.frag")?.define("FRESH", 1)
        }
        HistogramPass::Counts { fresh: false } => library("histogram/counts.frag")?,
        HistogramPass::Sums => library("histogram/sums.frag")?,
    })
}

/// Returns the shader of the bins of numbers.
pub(super) fn bins<T: Number>(range: bool) -> Result<Source> {
    source::<T>(HistogramPass::Bins, range)
}

/// Returns the shaders that do not depend on the numbers.
pub(super) fn sources() -> Result<Vec<Source>> {
    let counts = [true, false].map(|fresh| HistogramPass::Counts { fresh });
    let all = counts.into_iter().chain([HistogramPass::Sums]);
    all.map(|pass| source::<f32>(pass, false)).collect()
}

impl<T: Number> SortedHistogram<T> {
    pub(super) fn new(
        context: &Context,
        chosen: Option<Engine>,
        bins: &Bins,
    ) -> Result<SortedHistogram<T>> {
        // The number of bins is that of what is in none.
        let bits = bins.count().ilog2() + 1;
        let sort = Sort::chosen(context, chosen)?.bits(bits);
        let scan = Scan::on(context, chosen.unwrap_or_else(|| Engine::default_for(context)))?;
        let programs = Programs::new(context, Setup::Fragment);
        let (context, range) = (context.clone(), bins.has_range());
        let starts = Kept::default();
        Ok(SortedHistogram { context, range, programs, sort, scan, starts, number: PhantomData })
    }

    pub(super) fn error_bound(&self, length: usize) -> f64 {
        self.scan.error_bound(length)
    }

    fn program(&self, pass: HistogramPass) -> Result<std::rc::Rc<Program>> {
        self.programs.get(&pass, |pass, _| source::<T>(*pass, self.range))
    }

    /// Returns the bin of each number.
    fn bins_of(&self, bins: &Bins, x: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let program = self.program(HistogramPass::Bins)?;
        let mut to = DeviceVector::uninit(&self.context, x.len())?;
        for ((x, length), (to, _)) in x.panels().zip(to.panels_mut()) {
            with_numbers(bins.bind(program.launch()), x, length).write("result", to)?;
        }
        Ok(to)
    }

    pub(super) fn counts(&self, bins: &Bins, x: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let sorted = self.sort.keys(&self.bins_of(bins, x)?)?;
        let mut counts = DeviceVector::zeros(&self.context, bins.count())?;
        let mut first = 0;
        for (target, length) in counts.panels_mut() {
            for index in 0..sorted.panels().count() {
                let program = self.program(HistogramPass::Counts { fresh: index == 0 })?;
                let launch = searched(program.launch(), &sorted, index);
                let launch = launch.uniform("range", [first, first + length as u32]);
                let launch = launch.uniform("shift_of_target", row_shift(target.extent()));
                if index == 0 {
                    launch.write("counts", target)?;
                } else {
                    let mut next = self.context.uninit(target.extent())?;
                    launch.input("old", target).write("counts", &mut next)?;
                    mem::swap(target, &mut next);
                }
            }
            first += length as u32;
        }
        Ok(counts)
    }

    pub(super) fn weighted(
        &self,
        bins: &Bins,
        x: &DeviceVector<T>,
        weights: &DeviceVector,
    ) -> Result<DeviceVector> {
        let limit = DeviceVector::<T>::room_of_panel(&self.context);
        let remedy = "add the histograms of parts";
        must_fit("a histogram with weights", (x.len(), "numbers"), limit, remedy)?;
        let mut sums = DeviceVector::zeros(&self.context, bins.count())?;
        if x.is_empty() {
            return Ok(sums);
        }
        let (sorted, weights) = self.sort.pairs(&self.bins_of(bins, x)?, weights)?;
        let starts = self.starts.get_or(&(), || RunStarts::new(&self.context))?.of(&sorted)?;
        let mut scanned = DeviceVector::uninit(&self.context, x.len())?;
        self.scan.of(&weights).segments(&starts).run(&mut scanned)?;
        let program = self.program(HistogramPass::Sums)?;
        let mut first = 0;
        for (target, length) in sums.panels_mut() {
            let Some(scanned) = scanned.panel(0) else { break };
            let launch = searched(program.launch(), &sorted, 0).input("scanned", scanned);
            let launch = launch.uniform("range", [first, first + length as u32]);
            launch.uniform("shift_of_target", row_shift(target.extent())).write("sums", target)?;
            first += length as u32;
        }
        Ok(sums)
    }
}

/// Gives a launch the inputs of include/sorted_bins.glsl.
fn searched<'a>(launch: Launch<'a>, sorted: &'a DeviceVector<u32>, index: usize) -> Launch<'a> {
    let Some((panel, length)) = sorted.panels().nth(index) else { return launch };
    let launch = launch.input("sorted_bins", panel).uniform("shift", row_shift(panel.extent()));
    launch.uniform("length_of_panel", length as i32)
}
