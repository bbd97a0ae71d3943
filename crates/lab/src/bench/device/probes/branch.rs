//! Branches: multiply-adds in every other square of a chessboard.

use super::arithmetic::{Mad, extent, links, spread};
use super::prelude::*;

/// Texels of a square's side; nothing where all fragments take the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch(Option<u32>);

/// The shape of the arithmetic inside.
const MAD: Mad = Mad::written(8, 8);

pub(crate) fn branch_source(engine: Engine) -> Result<Source, stream::Error> {
    let source = source(engine)?.define("WORK_BRANCH", 1);
    Ok(source.define("ACCUMULATORS", MAD.accumulators).define("UNROLL", MAD.unroll))
}

impl Branch {
    /// The branches from harmless on every device to costly on every device.
    pub(crate) const ALL: [Branch; 7] = [
        Branch(None),
        Branch(Some(64)),
        Branch(Some(16)),
        Branch(Some(8)),
        Branch(Some(4)),
        Branch(Some(2)),
        Branch(Some(1)),
    ];

    fn name(self) -> String {
        match self.0 {
            None => "all take it".into(),
            Some(1) => "every other fragment".into(),
            Some(side) => format!("squares of {side} x {side}"),
        }
    }

    /// The rate counts the arithmetic of those who take the branch: where halves that differ cost
    /// both ways, it is half.
    pub(crate) fn subject(self, context: &Context, engine: Engine) -> Subject {
        let share = if self.0.is_none() { 1.0 } else { 0.5 };
        let amount = share * MAD.operations(context);
        let make = move |context: &Context| self.work(context, engine);
        Subject::new("branch", engine, self.name(), Unit::Flops, amount, make)
    }

    pub(crate) fn work(self, context: &Context, engine: Engine) -> Result<Work> {
        let (links, extent) = (links(context), extent(context));
        let block = self.0.unwrap_or(extent.width.max(extent.height));
        let given = MAD.given(links).uniform("block", block as i32);
        let twin = Box::new(move |[x, y]: [u32; 2], old: [f32; 4]| {
            let taken = (x / block + y / block).is_multiple_of(2);
            old.map(|start| if taken { MAD.twin(start, links) } else { (f64::from(start), 0.0) })
        });
        let start = Start { extent, texel: spread };
        Work::new(context, branch_source(engine)?, context.abilities().reads(), start, given, twin)
    }
}
