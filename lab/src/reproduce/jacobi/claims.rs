//! What Göddeke (2005) claims, in the order of the text.

use super::super::super::report::Document;
use super::super::claim::{Claim, Limit, Statement, about, at_least, at_most, claims};

const PAPER: Document = Document::Jacobi;
/// "About" a number, and two thirds of a gain.
const ABOUT: f64 = 1.5;
/// MFLOP/s before the gains of 100, 400 and 300, if they end at the fastest result of one system (6800, RED).
const BEFORE: f64 = 2358.0 - 800.0;

const RESULTS: Option<&str> = Some("jacobi-table");
const GAINS: Option<&str> = Some("jacobi-table-of-gains");

const CACHES: Option<&str> = Some(
    "there is no texture cache: texels come through the caches of the core, which hold megabytes.",
);
const NO_INTERPOLATOR: Option<&str> =
    Some("interpolation is instructions of the same core, like the algebra that it replaces.");

/// The rate over the one before, where the paper tells the difference in MFLOP/s.
const fn rate_over(gain: f64, before: f64) -> f64 {
    1.0 + gain / before
}

const fn gained_by(gain: f64, before: f64) -> Limit {
    at_least(rate_over(gain / ABOUT, before))
}

/// How many times the rate before a gain of the paper is.
pub(super) fn gain(claim: &Claim) -> Option<f64> {
    let gains = [
        (RECIPROCAL_SPEED, rate_over(100.0, BEFORE)),
        (MULTIPASS, rate_over(400.0, BEFORE + 100.0)),
        (INTERPOLATED_SPEED, rate_over(300.0, BEFORE + 500.0)),
    ];
    gains.into_iter().find(|(of, _)| of.id == claim.id).map(|(_, gain)| gain)
}

claims! {
    /// All that a measurement decides.
    MEASURED: Claim;

    SINGLE_CHANNEL = Claim {
        id: "jacobi-2",
        document: PAPER,
        place: "Mapping the CPU implementation to the GPU",
        quotation: "increasing the number of additional textures, but making better use of the texture caches",
        claim: "A single-channel texture for each vector is faster than bands in the channels of three, at every size",
        kind: at_least(1.0),
        evidence: RESULTS,
        on_cpu: CACHES,
    };
    TWICE = Claim {
        id: "jacobi-4",
        document: PAPER,
        place: "Substantial performance improvement by exploiting the SIMD model",
        quotation: "a speedup by a factor of two was measured on certain cards, on other hardware, this resulted in a factor of 2 slowdown",
        claim: "Four systems in RGBA are about twice as fast as one in RED, or half as fast: at the middle one of all sizes",
        kind: about(2.0, ABOUT).of(1.0, f64::INFINITY),
        evidence: RESULTS,
        on_cpu: None,
    };
    IDEAL = Claim {
        id: "jacobi-5",
        document: PAPER,
        place: "Substantial performance improvement by exploiting the SIMD model",
        quotation: "On an ideal SIMD machine, one would expect a speedup by a factor of four",
        claim: "RGBA gains less than the factor of four of an ideal machine, at every size",
        kind: at_most(4.0),
        evidence: RESULTS,
        on_cpu: CACHES,
    };
    RECIPROCAL_SPEED = Claim {
        id: "jacobi-7",
        document: PAPER,
        place: "Substantial performance improvement by exploiting the SIMD model",
        quotation: "Another trick is worth an additional 100 MFLOP/s of speedup",
        claim: "X + (B - A X) inv is faster than X + (B - A X) / DD by two thirds of what the paper gained or more",
        kind: gained_by(100.0, BEFORE),
        evidence: GAINS,
        on_cpu: None,
    };
    RECIPROCAL_ACCURACY = Claim {
        id: "jacobi-8",
        document: PAPER,
        place: "Substantial performance improvement by exploiting the SIMD model",
        quotation: "this approach does not only yield better performance, but also better accuracy, as pointed out by [PARANOIA]",
        claim: "X + (B - A X) inv has smaller errors than X + (B - A X) / DD",
        kind: at_least(1.0),
        evidence: Some("jacobi-accuracy"),
        on_cpu: None,
    };
    MULTIPASS = Claim {
        id: "jacobi-10",
        document: PAPER,
        place: "Multipass rendering to reduce shader complexity",
        quotation: "this multipass approach yields a total speedup of 400 MFLOP/s",
        claim: "Three passes are faster than one shader with two calls of floor by two thirds of what the paper gained or more",
        kind: gained_by(400.0, BEFORE + 100.0),
        evidence: GAINS,
        on_cpu: None,
    };
    INTERPOLATED_SPEED = Claim {
        id: "jacobi-12",
        document: PAPER,
        place: "Including the vertex shader",
        quotation: "In total, this trick yields another 300 MFLOP/s",
        claim: "Interpolated neighbours are faster than computed ones by two thirds of what the paper gained or more",
        kind: gained_by(300.0, BEFORE + 500.0),
        evidence: GAINS,
        on_cpu: NO_INTERPOLATOR,
    };
    LAYOUT = Claim {
        id: "jacobi-13",
        document: PAPER,
        place: "Results",
        quotation: "Indeed the data layout makes a huge difference",
        claim: "RED and RGBA differ by a factor of 1.5 or more at one of the sizes",
        kind: at_least(ABOUT).one_suffices().of(1.0, f64::INFINITY),
        evidence: RESULTS,
        on_cpu: None,
    };
}

claims! {
    /// All that none decides.
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    FLOOR = Claim {
        id: "jacobi-3",
        document: PAPER,
        place: "Mapping the CPU implementation to the GPU",
        quotation: "the respective coordinates are wrapped around using some straight forward algebra",
        claim: "The printed algebra with two calls of floor finds the neighbours across the ends of rows",
        kind: Statement::Design,
        evidence: None,
        on_cpu: None,
    };
    PACKED = Claim {
        id: "jacobi-6",
        document: PAPER,
        place: "Substantial performance improvement by exploiting the SIMD model",
        quotation: "Another possibility would be to map a single vector into a 2D-RGBA structure",
        claim: "One vector in RGBA texels is possible",
        kind: Statement::Design,
        evidence: RESULTS,
        on_cpu: None,
    };
    LINES = Claim {
        id: "jacobi-9",
        document: PAPER,
        place: "Multipass rendering to reduce shader complexity",
        quotation: "The second pass renders a single line from (0.0, 0.0) to (0.0, texHeight).",
        claim: "The lines from (0, 0) and from (texWidth - 1, 0), as printed, cover the first and the last column",
        kind: Statement::Design,
        evidence: None,
        on_cpu: None,
    };
    INTERPOLATED = Claim {
        id: "jacobi-11",
        document: PAPER,
        place: "Including the vertex shader",
        quotation: "They depend linearly on the texture coordinate values assigned to the corners of the quads",
        claim: "The neighbours' coordinates come correctly interpolated",
        kind: Statement::Design,
        evidence: None,
        on_cpu: None,
    };
}
