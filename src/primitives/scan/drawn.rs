//! Scans by fragments: up and down a pyramid of totals.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Target, Texture};
use crate::grid::{DeviceVector, extent_of, row_shift};
use crate::shader::{Source, Stage};
use crate::stream::Result;
use crate::stream::group::Setup;
use crate::stream::launch::{Launch, Program, Programs};

use super::super::number::Number;
use super::plan;
use super::variant::{ScanInput, ScanVariant};

/// The totals of a level, and the scan of them.
struct Level<T: Number> {
    length: usize,
    totals: Texture<T::Quad>,
    has_starts: Option<Texture<[u32; 4]>>,
    before: Texture<T::Quad>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ScanPass {
    Totals,
    /// The exclusive scan of a level's totals.
    Level,
    /// The scan of the vector.
    Vector,
    /// What stands before the next panel.
    Join,
}

pub(super) struct PyramidScan<T: Number> {
    context: Context,
    programs: Programs<(ScanPass, ScanVariant)>,
    /// The levels above a panel of this length, segmented or not.
    levels: RefCell<Levels<T>>,
}

type Levels<T> = HashMap<(usize, bool), Vec<Level<T>>>;

fn source<T: Number>(pass: ScanPass, variant: ScanVariant) -> Result<Source> {
    let library = |path| Source::library(Stage::Fragment, path);
    Ok(match pass {
        ScanPass::Totals => variant.define::<T>(library("scan/totals.frag")?),
        ScanPass::Level => {
            variant.define::<T>(library("scan/prefixes.frag")?).define("EXCLUSIVE", 1)
        }
        ScanPass::Vector => variant.define_result::<T>(library("scan/prefixes.frag")?),
        ScanPass::Join => variant.define::<T>(library("scan/join.frag")?),
    })
}

pub(super) fn sources<T: Number>(variant: ScanVariant) -> Result<Vec<Source>> {
    let all = [ScanPass::Totals, ScanPass::Level, ScanPass::Vector, ScanPass::Join];
    all.into_iter().map(|pass| source::<T>(pass, variant)).collect()
}

impl<T: Number> PyramidScan<T> {
    pub(super) fn new(context: &Context) -> PyramidScan<T> {
        let programs = Programs::new(context, Setup::Fragment);
        PyramidScan { context: context.clone(), programs, levels: RefCell::default() }
    }

    pub(super) fn run(
        &self,
        variant: ScanVariant,
        x: &DeviceVector<T>,
        starts: Option<&DeviceVector<u32>>,
        out: &mut DeviceVector<T>,
    ) -> Result<()> {
        let first = T::identity(variant.operation).texel();
        let mut carried = self.context.texture(Extent::new(1, 1), &[first])?;
        let panels = x.panels().count();
        for (index, ((x, length), (out, _))) in x.panels().zip(out.panels_mut()).enumerate() {
            let starts = starts.and_then(|starts| starts.panel(index));
            let mut levels = self.levels.borrow_mut();
            let levels = self.levels_of(&mut levels, length, variant.segmented)?;
            let input = ScanInput { x, starts, length };
            self.rise(variant, input, levels)?;
            self.descend(variant, input, levels, &carried, out)?;
            if index + 1 < panels {
                carried = self.join(variant, &carried, levels)?;
            }
        }
        Ok(())
    }

    /// Computes the totals of every level.
    fn rise(
        &self,
        variant: ScanVariant,
        vector: ScanInput<'_, T>,
        levels: &mut [Level<T>],
    ) -> Result<()> {
        let program = self.program(ScanPass::Totals, variant)?;
        for at in 0..levels.len() {
            let (below, level) = levels.split_at_mut(at);
            let from = below.last().map_or(vector, Level::input);
            let Some(Level { totals, has_starts, .. }) = level.first_mut() else { break };
            let shift_of_totals = row_shift(totals.extent());
            let mut targets: Vec<(&str, &mut dyn Target)> = vec![("totals", totals)];
            targets.extend(has_starts.as_mut().map(|s| ("has_starts", s as &mut dyn Target)));
            from.bind(program.launch())
                .uniform("shift_of_totals", shift_of_totals)
                .into(&mut targets)?;
        }
        Ok(())
    }

    /// Scans the levels from the last, which is one number, down to the vector.
    fn descend(
        &self,
        variant: ScanVariant,
        vector: ScanInput<'_, T>,
        levels: &mut [Level<T>],
        carried: &Texture<T::Quad>,
        out: &mut Texture<T::Quad>,
    ) -> Result<()> {
        let program = self.program(ScanPass::Level, variant)?;
        for at in (0..levels.len().saturating_sub(1)).rev() {
            let (level, above) = levels.split_at_mut(at + 1);
            let before = above_or(above, carried);
            let Some(level) = level.last_mut() else { break };
            let Level { length, totals, has_starts, before: prefixes } = level;
            let starts = has_starts.as_ref();
            let from = ScanInput::<T> { x: totals, starts, length: *length };
            from.scan(&program, before).write("prefixes", prefixes)?;
        }
        let program = self.program(ScanPass::Vector, variant)?;
        vector.scan(&program, above_or(levels, carried)).write("prefixes", out)
    }

    /// Returns what stands before the next panel.
    fn join(
        &self,
        variant: ScanVariant,
        carried: &Texture<T::Quad>,
        levels: &[Level<T>],
    ) -> Result<Texture<T::Quad>> {
        let program = self.program(ScanPass::Join, variant)?;
        let mut next = self.context.uninit(Extent::new(1, 1))?;
        let mut launch = program.launch().input("before", carried);
        if let Some(level) = levels.last() {
            launch = launch.input("total", &level.totals);
            if let Some(starts) = &level.has_starts {
                launch = launch.input("has_starts", starts);
            }
        }
        launch.write("before", &mut next)?;
        Ok(next)
    }

    fn program(&self, pass: ScanPass, variant: ScanVariant) -> Result<Rc<Program>> {
        // How a level is scanned does not depend on what counts of the vector's own numbers.
        let variant = if pass == ScanPass::Vector {
            variant
        } else {
            ScanVariant { exclusive: false, ..variant }
        };
        self.programs.get(&(pass, variant), |(pass, variant), _| source::<T>(*pass, *variant))
    }

    /// Returns the textures of the levels above a panel, made when they are first needed.
    fn levels_of<'a>(
        &self,
        kept: &'a mut Levels<T>,
        length: usize,
        segmented: bool,
    ) -> Result<&'a mut Vec<Level<T>>> {
        Ok(match kept.entry((length, segmented)) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let levels = plan::levels(length).into_iter();
                let make = |length| Level::uninit(&self.context, length, segmented);
                entry.insert(levels.map(make).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// Returns the scan of the lowest of these levels. That of the last level, of one number, is what
/// stands before the panel.
fn above_or<'a, T: Number>(
    levels: &'a [Level<T>],
    carried: &'a Texture<T::Quad>,
) -> &'a Texture<T::Quad> {
    match levels {
        [] | [_] => carried,
        [level, ..] => &level.before,
    }
}

impl<T: Number> Level<T> {
    fn uninit(context: &Context, length: usize, segmented: bool) -> Result<Level<T>> {
        let extent = extent_of(length.div_ceil(4));
        let has_starts = segmented.then(|| context.uninit(extent)).transpose()?;
        let (totals, before) = (context.uninit(extent)?, context.uninit(extent)?);
        Ok(Level { length, totals, has_starts, before })
    }

    fn input(&self) -> ScanInput<'_, T> {
        ScanInput { x: &self.totals, starts: self.has_starts.as_ref(), length: self.length }
    }
}

impl<'a, T: Number> ScanInput<'a, T> {
    fn scan(self, program: &'a Program, before: &'a Texture<T::Quad>) -> Launch<'a> {
        self.bind(program.launch())
            .uniform("length_of_x", self.length as i32)
            .input("before", before)
            .uniform("shift_of_before", row_shift(before.extent()))
    }
}
