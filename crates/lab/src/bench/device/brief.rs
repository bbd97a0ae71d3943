//! The few probes that answer a question roughly, where there is no time for all shapes of it.

use super::probes::interpolated;
use super::subject::Engine;

/// Whether a probe is one of the few: what fragments do, in the shapes that are the fastest on most
/// devices or that a document asks for; of compute shaders the arithmetic alone.
pub(super) fn stands_for_all(probe: &str, engine: Engine, variant: &str) -> bool {
    let few: &[&str] = match (probe, engine) {
        ("mad", _) => &["8 x 4 numbers, unrolled by 8", "8 x 4 numbers, unrolled by 8, fma"],
        (_, Engine::Compute) => return false,
        ("fetch", _) => &[
            "shared RGBA32F, texture",
            "shared RGBA32F, constants",
            "cached R32F, texture",
            "cached RGBA32F, texture",
            "cached RGBA32F, texture filtered",
            "cached RGBA8, texture",
            "cached RGBA8, texture filtered",
            "sequential RGBA32F, texture",
            interpolated::NAME,
        ],
        ("output", _) => &["1 x RGBA32F", "4 x RGBA32F", "8 x RGBA32F"],
        ("branch", _) => &["all take it", "squares of 16 x 16", "every other fragment"],
        _ => return true,
    };
    few.contains(&variant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::device::probes::arithmetic::Mad;
    use crate::bench::device::probes::fetch::Fetch;

    #[test]
    fn the_few_are_among_all() {
        let mads = Mad::ALL.map(Mad::name);
        let few = mads.iter().filter(|name| stands_for_all("mad", Engine::Compute, name));
        assert_eq!(few.count(), 2);
        let fetches = Fetch::all(Engine::Fragment).into_iter().map(Fetch::name);
        let few = fetches.filter(|name| stands_for_all("fetch", Engine::Fragment, name));
        assert_eq!(few.count(), 8);
        assert!(!stands_for_all("fetch", Engine::Compute, "shared RGBA32F, texture"));
    }
}
