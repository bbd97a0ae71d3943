//! Detects loops of a user's shader that the device ended early, and reads beyond what a panel
//! stores. `include/watch.glsl` and `watch/main.frag` are put around the user's text and mark the
//! cells where the device's loop budget was used up, and `include/panels.glsl` those that read too
//! far, in a target of their own. Each step keeps the marks of the steps before, so that they are
//! read once, with the results.

pub(super) mod compute;
mod dummy_bindings;

use std::cell::Cell;

use crate::error::{LimitError, Result};
use crate::plan::tiling::Tiling;
use quadrille::Extent;
use quadrille::gl::{self, Target, Unorm8};
use quadrille::internal::shader::{Expanded, InPanels};
use quadrille::stream::{Kernel, Pass, PingPong};

use crate::execute::loop_guard::dummy_bindings::DummyBindings;
use crate::plan::ir::Cut;

const CLEAN: Unorm8 = Unorm8(0);
/// The mark of a loop that was ended early. Smaller marks say how many texels beyond the stored
/// ones a read was.
const ENDED: u8 = 255;
/// The mark of a read that was this many texels too far, or more.
const FARTHEST: u8 = 254;

/// The marks of a watched kernel.
pub(crate) struct LoopGuard {
    budget: Option<u32>,
    tiling: Option<Tiling>,
    dummies: DummyBindings,
    /// The marks of each panel, or of the whole array.
    marks: Vec<PingPong<Unorm8>>,
    /// Whether places keep their marks: a fragment that discards does, and one that corners moved
    /// away from.
    keeps: bool,
    /// The marks were clean after this step.
    clean_after: Cell<u64>,
}

/// The cells that are marked for one reason.
#[derive(Clone, Copy, Default)]
struct Marked {
    cells: usize,
    /// Row and column.
    first: Option<(usize, usize)>,
    /// The greatest mark.
    most: u8,
}

impl Marked {
    fn add(&mut self, mark: u8, cell: (usize, usize)) {
        self.cells += 1;
        self.first = Some(self.first.map_or(cell, |first| first.min(cell)));
        self.most = self.most.max(mark);
    }
}

impl LoopGuard {
    /// Creates a kernel of the same text that is watched, where its loops may be ended early, or it
    /// computes panels, besides which it may read whole textures.
    pub(crate) fn new(
        text: &Expanded,
        kernel: &Kernel,
        extent: Extent,
        cut: Option<Cut>,
    ) -> Result<Option<(Kernel, LoopGuard)>> {
        let context = kernel.context();
        let tiling = cut.map(|cut| cut.tiling);
        let budget = if text.may_loop() { context.loop_budget()? } else { None };
        if budget.is_none() && tiling.is_none() {
            return Ok(None);
        }
        let outputs = kernel.outputs().len() as u32;
        let limit = context.abilities().max_targets;
        if outputs >= limit {
            let kernel = kernel.name().into();
            return Err(match budget {
                Some(budget) => LimitError::NoTargetToWatch { kernel, limit, budget },
                None => LimitError::NoTargetForPanels { kernel, limit },
            }
            .into());
        }
        let watched = text.watched(outputs);
        let compiled = match cut {
            Some(Cut { tiling, mixed }) => {
                let how = InPanels { cut: tiling.is_cut(), mixed, budget: budget.is_some() };
                let compiled = context.kernel_of(&watched.in_panels(how))?;
                match !mixed && dummy_bindings::has_samplers(&compiled, kernel) {
                    true => {
                        let how = InPanels { mixed: true, ..how };
                        context.kernel_of(&watched.in_panels(how))?
                    }
                    false => compiled,
                }
            }
            None => context.kernel_of(&watched)?,
        };
        let dummies = DummyBindings::of(&compiled, kernel)?;
        let panels = tiling.map_or(1, |tiling| tiling.count());
        let stored = tiling.map_or(extent, |tiling| tiling.stored());
        let mut marks = Vec::new();
        for _ in 0..panels {
            let mut pair = PingPong::new(context.uninit(stored)?, context.uninit(stored)?)?;
            pair.newest_mut().fill(CLEAN)?;
            marks.push(pair);
        }
        let keeps = text.may_discard() || text.has_own_vertices();
        let clean_after = Cell::new(0);
        Ok(Some((compiled, LoopGuard { budget, tiling, dummies, marks, keeps, clean_after })))
    }

    /// Draws a pass of the watched kernel, over a panel or over the whole.
    pub(crate) fn draw<'a>(
        &'a mut self,
        pass: Pass<'a>,
        targets: Vec<&mut dyn Target>,
        panel: usize,
    ) -> Result<()> {
        let pass = self.dummies.give(pass);
        self.marks[panel].step(|before, after| {
            if self.keeps {
                after.copy_from(before)?;
            }
            let mut targets: Vec<&mut dyn Target> =
                targets.into_iter().map(|target| target as &mut dyn Target).collect();
            targets.push(after);
            let pass = pass.input("quadrille_before", before).uniform("quadrille_two", 2);
            Ok(pass.draw_into(&mut targets)?)
        })
    }

    /// Forgets the marks.
    pub(crate) fn restart(&mut self) -> Result<(), gl::Error> {
        self.clean_after.set(0);
        self.marks.iter_mut().try_for_each(|pair| pair.newest_mut().fill(CLEAN))
    }

    /// Refuses results after these many steps if any of their loops was ended early, or read too
    /// far; with `flip` rows count from the last of the texture.
    pub(crate) fn check(&self, kernel: &Kernel, steps: u64, flip: bool) -> Result<()> {
        if self.clean_after.get() == steps {
            return Ok(());
        }
        let (mut ended, mut far) = (Marked::default(), Marked::default());
        for panel in 0..self.marks.len() {
            self.each_mark(panel, flip, |mark, cell| match mark {
                ENDED => ended.add(mark, cell),
                _ => far.add(mark, cell),
            })?;
        }
        let name = || kernel.name().to_owned();
        if let (Marked { cells, first: Some((row, column)), .. }, Some(budget)) =
            (ended, self.budget)
        {
            let device = kernel.context().abilities().renderer.clone();
            let first = (column, row);
            return Err(
                LimitError::LoopsEnded { kernel: name(), budget, device, cells, first }.into()
            );
        }
        if let (Marked { cells, first: Some((row, column)), most }, Some(tiling)) =
            (far, self.tiling)
        {
            let limit = kernel.context().abilities().max_texture_size;
            return Err(LimitError::TooFar {
                kernel: name(),
                extent: tiling.whole(),
                limit,
                halo: tiling.halo(),
                needed: (most < FARTHEST).then(|| tiling.halo() + u32::from(most)),
                cells,
                first: (column, row),
            }
            .into());
        }
        self.clean_after.set(steps);
        Ok(())
    }

    /// Calls a function with each mark of a panel and its row and column in the array.
    fn each_mark(
        &self,
        panel: usize,
        flip: bool,
        mut call: impl FnMut(u8, (usize, usize)),
    ) -> Result<(), gl::Error> {
        let texture = self.marks[panel].newest();
        let (whole, place, shift) = match self.tiling {
            Some(tiling) => (tiling.whole(), tiling.owned(panel), tiling.shift(panel)),
            None => (texture.extent(), texture.extent().rectangle(), [0, 0]),
        };
        let marks = texture.read_rectangle(place)?;
        let marked = marks.iter().enumerate().filter(|(_, mark)| **mark != CLEAN);
        for (index, mark) in marked {
            let (x, y) = (index % place.width as usize, index / place.width as usize);
            let at = |start: u32, shift: i64, k: usize| (i64::from(start) + shift) as usize + k;
            let (column, row) = (at(place.x, shift[0], x), at(place.y, shift[1], y));
            let row = if flip { whole.height as usize - 1 - row } else { row };
            call(mark.0, (row, column));
        }
        Ok(())
    }
}
