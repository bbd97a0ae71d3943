//! The choice of how reductions run: the default, the tuned one, and its text.

use std::fmt;

use crate::gl::Context;
use crate::shader::Reads;

use super::super::Engine;
use super::plan::{Factor, Groups};
use super::stage::FoldMethod;
use crate::stream::engine::group::Group;

/// The name of reductions among the tuned choices.
const OPERATION: &str = "reduce";
/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 32;
/// Sides that may be the fastest, and texels that an invocation loads at a time.
const SIDES: [u32; 3] = [SIDE, 16, 8];
const LOADS: [u32; 3] = [Groups::LOADS, 8, 2];

impl FoldMethod {
    pub(super) fn engine(self) -> Engine {
        match self {
            FoldMethod::Fragments { .. } => Engine::Fragment,
            FoldMethod::Groups { .. } => Engine::Compute,
        }
    }

    /// Returns the usual method on an engine.
    pub(super) fn usual(context: &Context, engine: Engine) -> FoldMethod {
        let abilities = context.abilities();
        let factor = if abilities.software { Factor::By64x2 } else { Factor::By16 };
        match engine {
            Engine::Fragment => FoldMethod::Fragments { factor, reads: abilities.reads() },
            Engine::Compute => {
                FoldMethod::Groups(Groups::of_side(Engine::group_side(context, SIDE)))
            }
        }
    }

    /// Returns the tuned method, if there is one that the context can run.
    pub(super) fn tuned(context: &Context) -> Option<FoldMethod> {
        let method = FoldMethod::parse(&context.tuned(OPERATION, usize::MAX)?.choice)?;
        method.fits(context).then_some(method)
    }

    /// Returns the usual method on each engine, and others.
    pub(super) fn all(context: &Context) -> Vec<FoldMethod> {
        let usual = Engine::ALL.map(|engine| FoldMethod::usual(context, engine));
        // A software renderer fetches slower than it samples, whatever else varies.
        let both = [Reads::Sample, Reads::Fetch];
        let software = context.abilities().software;
        let reads = if software { &both[..1] } else { &both };
        let drawn =
            |factor| reads.iter().map(move |reads| FoldMethod::Fragments { factor, reads: *reads });
        let factors = Factor::ALL.into_iter().filter(|factor| software || !factor.is_of_rows());
        // A software renderer computes one invocation after the other, whatever they load.
        let loads = if software { &LOADS[..1] } else { &LOADS };
        let dispatched = loads
            .iter()
            .flat_map(|&loads| SIDES.map(|side| FoldMethod::Groups(Groups { side, loads })));
        let mut all = usual.to_vec();
        for method in dispatched.chain(factors.flat_map(drawn)) {
            if !all.contains(&method) {
                all.push(method);
            }
        }
        all.retain(|method| method.fits(context));
        all
    }

    fn fits(self, context: &Context) -> bool {
        match self {
            FoldMethod::Fragments { .. } => true,
            FoldMethod::Groups(Groups { side, .. }) => {
                Group::new(side, side).fits(context.abilities())
            }
        }
    }

    /// Accepts only groups whose bound on the error is documented; a group is halved until one
    /// result is left.
    fn dispatched(group: &str, loads: u32) -> Option<FoldMethod> {
        let Group { x, y } = group.parse().ok()?;
        let known = x == y && SIDES.contains(&x) && LOADS.contains(&loads);
        known.then_some(FoldMethod::Groups(Groups { side: x, loads }))
    }

    fn parse(text: &str) -> Option<FoldMethod> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["fragment", factor, reads] => {
                let sides: Group = factor.parse().ok()?;
                let known = |factor: &Factor| factor.sides() == (sides.x, sides.y);
                let factor = Factor::ALL.into_iter().find(known)?;
                Some(FoldMethod::Fragments { factor, reads: reads.parse().ok()? })
            }
            ["compute", group] => FoldMethod::dispatched(group, Groups::LOADS),
            ["compute", group, loads] => {
                FoldMethod::dispatched(group, loads.strip_prefix("loads=")?.parse().ok()?)
            }
            _ => None,
        }
    }
}

impl fmt::Display for FoldMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoldMethod::Fragments { factor, reads } => {
                let (x, y) = factor.sides();
                write!(f, "fragment {} {reads}", Group::new(x, y))
            }
            FoldMethod::Groups(Groups { side, loads }) => {
                write!(f, "compute {}", Group::new(*side, *side))?;
                if *loads == Groups::LOADS { Ok(()) } else { write!(f, " loads={loads}") }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_read_back_from_its_text_and_no_other_text_is() {
        for method in FoldMethod::all(&Context::headless().unwrap()) {
            assert!(FoldMethod::parse(&method.to_string()) == Some(method), "{method}");
        }
        for text in
            ["", "fragment", "fragment 3x3 fetch", "compute 12x12", "compute 32x16", "compute 4x4"]
        {
            assert!(FoldMethod::parse(text).is_none(), "{text}");
        }
        for text in
            ["compute 8x8 loads=3", "compute 8x8 loads=", "compute 8x8 4", "compute 8x8 loads=4 x"]
        {
            assert!(FoldMethod::parse(text).is_none(), "{text}");
        }
        let method = FoldMethod::parse("compute 16x16 loads=8").map(|method| method.to_string());
        assert_eq!(method.as_deref(), Some("compute 16x16 loads=8"));
    }
}
