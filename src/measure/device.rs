//! GPUBench's questions, asked of this device: what arithmetic, fetches, outputs and transfers
//! cost. Every probe's result is compared with double precision, and each of its steps needs the
//! one before, so that nothing can be left out.

mod arithmetic;
mod fetch;
mod limits;
mod probe;
mod work;

use crate::shader::Source;
use crate::stream;

use super::Error;
use super::twin::Comparison;

use self::arithmetic::Mad;
use self::fetch::{By, Fetch, Kind, Pattern};

pub use limits::{Limits, limits};

/// Who does the work of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Fragment shaders.
    Fragment,
    /// Compute shaders.
    Compute,
    /// The host and the driver.
    Host,
}

impl Engine {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Fragment => "fragment",
            Engine::Compute => "compute",
            Engine::Host => "host",
        }
    }
}

/// Every shader of this module.
pub fn sources() -> Result<Vec<Source>, stream::Error> {
    let mut sources = Vec::new();
    for engine in [Engine::Fragment, Engine::Compute] {
        for mad in Mad::ALL {
            sources.push(mad.source(engine)?);
        }
        for pattern in Pattern::ALL {
            for kind in [Kind::R32f, Kind::Rg32f, Kind::Rgba32f] {
                for by in [By::Fetch, By::Sample] {
                    sources.push(Fetch { pattern, kind, by }.source(engine)?);
                }
            }
        }
    }
    for pattern in Pattern::ALL {
        for kind in [Kind::R32f, Kind::Rgba32f] {
            sources.push(Fetch { pattern, kind, by: By::Buffer }.source(Engine::Compute)?);
        }
    }
    Ok(sources)
}

/// A rate of wrong results is no rate.
fn must_be_right(what: &str, comparison: Comparison) -> Result<(), Error> {
    if comparison.is_right() {
        return Ok(());
    }
    Err(Error::Wrong { what: what.to_owned(), error: comparison.max_error })
}
