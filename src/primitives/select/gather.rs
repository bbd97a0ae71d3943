//! The result of a selection by fragments: each place searches for the number of its rank.

use std::mem;
use std::ops::Range;

use crate::gl::{Context, Texture};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::{Error, Kernel};

use super::super::number::Number;
use super::ranked::Ranks;

/// The kernels for what is kept and for the others, each for the first pass over a panel of the
/// result and for later ones, which keep what is there.
pub(in super::super) struct Gather {
    context: Context,
    kernels: [[Kernel; 2]; 2],
}

/// What a panel of a vector gives to the result.
struct Share<'a, T: Number> {
    numbers: &'a Texture<T::Quad>,
    ranks: &'a Texture<[u32; 4]>,
    /// The index of its first number, and their number.
    panel: [u32; 2],
    /// Whether these are the ones that are not kept.
    rest: bool,
    /// The places that it fills.
    range: Range<u32>,
    /// The place of the first of all panels' shares of this kind.
    base: u32,
}

fn source<T: Number>(rest: bool, fresh: bool) -> Result<Source, Error> {
    let mut source = Source::library(Stage::Fragment, "select/gather.frag")?.define(T::DEFINE, 1);
    for (define, wanted) in [("REST", rest), ("FRESH", fresh)] {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

pub(super) fn sources<T: Number>() -> Result<Vec<Source>, Error> {
    let all = [(false, false), (false, true), (true, false), (true, true)];
    all.into_iter().map(|(rest, fresh)| source::<T>(rest, fresh)).collect()
}

impl Gather {
    pub(in super::super) fn new<T: Number>(context: &Context) -> Result<Gather, Error> {
        let reads = context.abilities().reads();
        let kernel =
            |rest, fresh| Kernel::from_fragment(context, &source::<T>(rest, fresh)?, reads);
        let kernels = [
            [kernel(false, false)?, kernel(false, true)?],
            [kernel(true, false)?, kernel(true, true)?],
        ];
        Ok(Gather { context: context.clone(), kernels })
    }

    pub(in super::super) fn run<T: Number>(
        &self,
        x: &DeviceVector<T>,
        ranks: &Ranks,
        all: bool,
        result: &mut DeviceVector<T>,
    ) -> Result<(), Error> {
        let mut shares = shares(x, ranks, false);
        if all {
            shares.extend(self::shares(x, ranks, true));
        }
        let mut first = 0;
        for (target, length) in result.panels_mut() {
            let places = first..first + length as u32;
            let within = shares
                .iter()
                .filter(|share| share.range.start < places.end && places.start < share.range.end);
            for (passes, share) in within.enumerate() {
                self.pass(share, passes == 0, first, target)?;
            }
            first = places.end;
        }
        Ok(())
    }

    fn pass<T: Number>(
        &self,
        share: &Share<'_, T>,
        fresh: bool,
        first: u32,
        target: &mut Texture<T::Quad>,
    ) -> Result<(), Error> {
        let kernel = &self.kernels[usize::from(share.rest)][usize::from(fresh)];
        let extent = target.extent();
        let shift = |width: u32| width.trailing_zeros() as i32;
        let pass = kernel.pass().input("numbers", share.numbers).input("ranks", share.ranks);
        let pass = pass.uniform("panel", share.panel).uniform("base", share.base);
        let pass = pass.uniform("range", [share.range.start, share.range.end]);
        let pass = pass.uniform("first", first).uniform("shift_of_target", shift(extent.width));
        let pass = pass.uniform("shift", shift(share.numbers.extent().width));
        if fresh {
            return pass.draw(target);
        }
        let mut next = self.context.uninit(extent)?;
        pass.input("old", target).draw(&mut next)?;
        mem::swap(target, &mut next);
        Ok(())
    }
}

/// Returns the shares of all panels that have one.
fn shares<'a, T: Number>(
    x: &'a DeviceVector<T>,
    ranks: &'a Ranks,
    rest: bool,
) -> Vec<Share<'a, T>> {
    let base = if rest { ranks.total() } else { 0 };
    let Ranks { ranks, before } = ranks;
    let mut shares = Vec::new();
    let mut index = 0_u32;
    for (at, ((numbers, length), (ranks, _))) in x.panels().zip(ranks.panels()).enumerate() {
        let kept = before[at]..before[at + 1];
        let end = index + length as u32;
        let range = match rest {
            true => base + index - kept.start..base + end - kept.end,
            false => kept,
        };
        if !range.is_empty() {
            let panel = [index, length as u32];
            shares.push(Share { numbers, ranks, panel, rest, range, base });
        }
        index = end;
    }
    shares
}
