//! How reductions run: by default, as tuned, and as text.

use std::fmt;

use crate::gl::Context;
use crate::shader::Reads;

use super::super::Engine;
use super::super::group::Group;
use super::plan::Factor;
use super::stage::Way;

/// The name of reductions among the tuned choices.
const OPERATION: &str = "reduce";
/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 32;
/// Other sides that may be faster.
const SIDES: [u32; 2] = [16, 8];

impl Way {
    pub(super) fn engine(self) -> Engine {
        match self {
            Way::Drawn { .. } => Engine::Fragment,
            Way::Dispatched { .. } => Engine::Compute,
        }
    }

    /// The usual way on an engine.
    pub(super) fn usual(context: &Context, engine: Engine) -> Way {
        let abilities = context.abilities();
        let factor = if abilities.software { Factor::By64x2 } else { Factor::By16 };
        match engine {
            Engine::Fragment => Way::Drawn { factor, reads: abilities.reads() },
            Engine::Compute => Way::Dispatched { side: Engine::group_side(context, SIDE) },
        }
    }

    /// The tuned way, if there is one that the context can run.
    pub(super) fn tuned(context: &Context) -> Option<Way> {
        let way = Way::parse(&context.tuned(OPERATION, usize::MAX)?.choice)?;
        way.fits(context).then_some(way)
    }

    /// The usual way on each engine, and others.
    pub(super) fn all(context: &Context) -> Vec<Way> {
        let usual = Engine::ALL.map(|engine| Way::usual(context, engine));
        // A software renderer fetches slower than it samples, whatever else varies.
        let both = [Reads::Sample, Reads::Fetch];
        let software = context.abilities().software;
        let reads = if software { &both[..1] } else { &both };
        let drawn = |factor| reads.iter().map(move |reads| Way::Drawn { factor, reads: *reads });
        let factors = Factor::ALL.into_iter().filter(|factor| software || !factor.is_of_rows());
        let dispatched = SIDES.map(|side| Way::Dispatched { side });
        let mut all = usual.to_vec();
        for way in dispatched.into_iter().chain(factors.flat_map(drawn)) {
            if !all.contains(&way) {
                all.push(way);
            }
        }
        all.retain(|way| way.fits(context));
        all
    }

    fn fits(self, context: &Context) -> bool {
        match self {
            Way::Drawn { .. } => true,
            Way::Dispatched { side } => Group::new(side, side).fits(context.abilities()),
        }
    }

    fn parse(text: &str) -> Option<Way> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["fragment", factor, reads] => {
                let sides: Group = factor.parse().ok()?;
                let known = |factor: &Factor| factor.sides() == (sides.x, sides.y);
                let factor = Factor::ALL.into_iter().find(known)?;
                Some(Way::Drawn { factor, reads: reads.parse().ok()? })
            }
            ["compute", group] => {
                // A group is halved until one is left, and the bound on the error holds for these.
                let Group { x, y } = group.parse().ok()?;
                (x == y && [8, 16, 32].contains(&x)).then_some(Way::Dispatched { side: x })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Drawn { factor, reads } => {
                let (x, y) = factor.sides();
                write!(f, "fragment {} {reads}", Group::new(x, y))
            }
            Way::Dispatched { side } => write!(f, "compute {}", Group::new(*side, *side)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_read_back_from_its_text_and_no_other_text_is() {
        for way in Way::all(&Context::headless().unwrap()) {
            assert!(Way::parse(&way.to_string()) == Some(way), "{way}");
        }
        for text in
            ["", "fragment", "fragment 3x3 fetch", "compute 12x12", "compute 32x16", "compute 4x4"]
        {
            assert!(Way::parse(text).is_none(), "{text}");
        }
    }
}
