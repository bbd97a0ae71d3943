//! The cost of a pass that does next to nothing.

use super::arithmetic::{Mad, spread};
use super::prelude::*;

/// One multiply-add for each of 64 texels.
const EXTENT: Extent = Extent { width: 8, height: 8 };
const MAD: Mad = Mad::written(4, 1);

/// A pass that needs the one before it: many in a row, and each waited for.
pub(in crate::bench::device) fn subjects(engine: Engine) -> Vec<Subject> {
    let subject = |(variant, waits): (&str, bool)| {
        let make = move |context: &Context| Passes::new(context, engine, waits);
        Subject::new("pass", engine, variant, Unit::Passes, 1.0, make)
    };
    [("one after the other", false), ("each waited for", true)].map(subject).into()
}

pub(in crate::bench::device) struct Passes {
    pub(in crate::bench::device) work: Work,
    context: Context,
    waits: bool,
}

impl Passes {
    pub(in crate::bench::device) fn new(
        context: &Context,
        engine: Engine,
        waits: bool,
    ) -> Result<Passes, Error> {
        let start = Start { extent: EXTENT, texel: spread };
        // Chains of 4 steps of one link each, whose factor is then 3/4.
        let links = 4;
        let twin = Box::new(move |_, old: [f32; 4]| old.map(|start| MAD.twin(start, links)));
        let (source, reads) = (MAD.source(engine)?, context.abilities().reads());
        let work = Work::new(context, source, reads, start, MAD.given(links), twin)?;
        Ok(Passes { work, context: context.clone(), waits })
    }
}

impl Probe for Passes {
    fn run(&mut self, times: u64) -> Result<(), Error> {
        if !self.waits {
            return self.work.run(times);
        }
        (0..times).try_for_each(|_| {
            self.work.run(1)?;
            Ok(self.context.finish()?)
        })
    }

    fn check(&mut self) -> Result<Comparison, Error> {
        self.work.check()
    }

    /// The host's part is what counts here.
    fn clock(&self, _: &Context) -> Clock {
        Clock::Wall
    }
}
