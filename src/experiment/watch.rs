//! Detects loops of a user's shader that the device ended early.
//!
//! `include/watch.glsl` and `watch/main.frag` stand around the user's text and mark the cells where the
//! device's loop budget was used up, in a target of their own. Each step keeps the marks of the steps
//! before, so that they are read once, with the results.

use std::cell::Cell;

use crate::Extent;
use crate::gl::{self, Target, Unorm8};
use crate::shader::{Reads, Source};
use crate::stream::{Kernel, Pass, PingPong};

use super::{Error, compile, rows};

const CLEAN: Unorm8 = Unorm8(0);

/// The marks of a watched kernel.
pub(super) struct Watch {
    budget: u32,
    marks: PingPong<Unorm8>,
    /// The marks were clean after this step.
    clean_after: Cell<u64>,
}

impl Watch {
    /// A kernel of the same source that is watched, where its loops may be ended early.
    pub(super) fn new(
        source: &Source,
        kernel: &Kernel,
        extent: Extent,
        reads: Option<Reads>,
    ) -> Result<Option<(Kernel, Watch)>, Error> {
        let context = kernel.context();
        if !kernel.may_loop() {
            return Ok(None);
        }
        let Some(budget) = context.loop_budget()? else { return Ok(None) };
        let outputs = kernel.outputs().len() as u32;
        let limit = context.abilities().max_targets;
        if outputs >= limit {
            return Err(Error::NoTargetToWatch { kernel: kernel.name().into(), limit, budget });
        }
        let kernel = compile::kernel(context, source.clone().watched(outputs), reads)?;
        let mut marks = PingPong::new(context.uninit(extent)?, context.uninit(extent)?)?;
        marks.newest_mut().fill(CLEAN)?;
        Ok(Some((kernel, Watch { budget, marks, clean_after: Cell::new(0) })))
    }

    /// Draws a pass of the watched kernel.
    pub(super) fn draw(
        &mut self,
        kernel: &Kernel,
        pass: Pass<'_>,
        targets: Vec<&mut dyn Target>,
    ) -> Result<(), Error> {
        self.marks.step(|before, after| {
            // A fragment that discards keeps its mark.
            if kernel.may_discard() {
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
    pub(super) fn restart(&mut self) -> Result<(), gl::Error> {
        self.clean_after.set(0);
        self.marks.newest_mut().fill(CLEAN)
    }

    /// Refuses results after these many steps if any of their loops was ended early; with `flip` rows count from the last
    /// of the texture.
    pub(super) fn check(&self, kernel: &Kernel, steps: u64, flip: bool) -> Result<(), Error> {
        if self.clean_after.get() == steps {
            return Ok(());
        }
        let mut marks = self.marks.newest().read()?;
        let width = self.marks.newest().extent().width as usize;
        if flip {
            rows::reverse(&mut marks, width);
        }
        let mut marked = marks.iter().enumerate().filter(|(_, mark)| **mark != CLEAN);
        let Some((first, _)) = marked.next() else {
            self.clean_after.set(steps);
            return Ok(());
        };
        Err(Error::LoopsEnded {
            kernel: kernel.name().into(),
            budget: self.budget,
            device: kernel.context().abilities().renderer.clone(),
            cells: 1 + marked.count(),
            first: (first % width, first / width),
        })
    }
}
