//! The claims of Göddeke (2005), in the order of the text.

use crate::claim::{Claim, Limit, Statement, about, at_least, claims};
use quadrille_lab::report::Document;

const fn claim<K: Copy>(id: &'static str, place: &'static str, kind: K) -> Claim<K> {
    Claim::new(Document::Jacobi, id, place, kind)
}

/// A section.
const SIMD: &str = "Substantial performance improvement by exploiting the SIMD model";
/// "About" a number, and two thirds of a gain.
const ABOUT: f64 = 1.5;
/// MFLOP/s before the gains of 100, 400 and 300, if they end at the fastest result of one system
/// (6800, RED).
const BEFORE: f64 = 2358.0 - 800.0;

const RESULTS: Option<&str> = Some("jacobi-table");
const GAINS: Option<&str> = Some("jacobi-table-of-gains");

const CACHES: Option<&str> = Some(
    "there is no texture cache: texels come through the caches of the core, which hold megabytes.",
);
const NO_INTERPOLATOR: Option<&str> =
    Some("interpolation is instructions of the same core, like the algebra that it replaces.");

/// The rate over the one before, where the paper gives the difference in MFLOP/s.
const fn rate_over(gain: f64, before: f64) -> f64 {
    1.0 + gain / before
}

const fn gained_by(gain: f64, before: f64) -> Limit {
    at_least(rate_over(gain / ABOUT, before))
}

/// Returns the factor by which the rate grows by a gain of the paper.
pub(super) fn gain(claim: &Claim) -> Option<f64> {
    let gains = [
        (RECIPROCAL_SPEED, rate_over(100.0, BEFORE)),
        (MULTIPASS, rate_over(400.0, BEFORE + 100.0)),
        (INTERPOLATED_SPEED, rate_over(300.0, BEFORE + 500.0)),
    ];
    gains.into_iter().find(|(of, _)| of.id == claim.id).map(|(_, gain)| gain)
}

claims! {
    MEASURED: Claim;

    SINGLE_CHANNEL = claim("jacobi-2", "Mapping the CPU implementation to the GPU", at_least(1.0))
        .quoting("increasing the number of additional textures, but making better use of the texture caches")
        .claiming("A single-channel texture for each vector is faster than bands in the channels of three, at every size")
        .shown_in(RESULTS)
        .on_a_cpu(CACHES);
    TWICE = claim("jacobi-4", SIMD, about(2.0, ABOUT).of(1.0, f64::INFINITY))
        .quoting("a speedup by a factor of two was measured on certain cards, on other hardware, this resulted in a factor of 2 \
                  slowdown")
        .claiming("Four systems in RGBA are about twice as fast as one in RED, or half as fast: at the middle one of all \
                   sizes")
        .shown_in(RESULTS);
    RECIPROCAL_SPEED = claim("jacobi-7", SIMD, gained_by(100.0, BEFORE))
        .quoting("Another trick is worth an additional 100 MFLOP/s of speedup")
        .claiming("X + (B - A X) inv is faster than X + (B - A X) / DD by two thirds of what the paper gained or more")
        .shown_in(GAINS);
    RECIPROCAL_ACCURACY = claim("jacobi-8", SIMD, at_least(1.0))
        .quoting("this approach does not only yield better performance, but also better accuracy, as pointed out by \
                  [PARANOIA]")
        .claiming("X + (B - A X) inv has smaller errors than X + (B - A X) / DD")
        .shown_in(Some("jacobi-accuracy"));
    MULTIPASS = claim("jacobi-10", "Multipass rendering to reduce shader complexity", gained_by(400.0, BEFORE + 100.0))
        .quoting("this multipass approach yields a total speedup of 400 MFLOP/s")
        .claiming("Three passes are faster than one shader with two calls of floor by two thirds of what the paper gained or \
                   more")
        .shown_in(GAINS);
    INTERPOLATED_SPEED = claim("jacobi-12", "Including the vertex shader", gained_by(300.0, BEFORE + 500.0))
        .quoting("In total, this trick yields another 300 MFLOP/s")
        .claiming("Interpolated neighbours are faster than computed ones by two thirds of what the paper gained or more")
        .shown_in(GAINS)
        .on_a_cpu(NO_INTERPOLATOR);
    LAYOUT = claim("jacobi-13", "Results", at_least(ABOUT).one_suffices().of(1.0, f64::INFINITY))
        .quoting("Indeed the data layout makes a huge difference")
        .claiming("RED and RGBA differ by a factor of 1.5 or more at one of the sizes")
        .shown_in(RESULTS);
}

claims! {
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    FLOOR = claim("jacobi-3", "Mapping the CPU implementation to the GPU", Statement::Design)
        .quoting("the respective coordinates are wrapped around using some straight forward algebra")
        .claiming("The printed algebra with two calls of floor finds the neighbours across the ends of rows");
    IDEAL = claim("jacobi-5", SIMD, Statement::Erratum)
        .quoting("On an ideal SIMD machine, one would expect a speedup by a factor of four")
        .claiming("By its fetches RGBA gains less than the factor of four of an ideal machine")
        .shown_in(RESULTS);
    PACKED = claim("jacobi-6", SIMD, Statement::Design)
        .quoting("Another possibility would be to map a single vector into a 2D-RGBA structure")
        .claiming("One vector in RGBA texels is possible")
        .shown_in(RESULTS);
    LINES = claim("jacobi-9", "Multipass rendering to reduce shader complexity", Statement::Design)
        .quoting("The second pass renders a single line from (0.0, 0.0) to (0.0, texHeight).")
        .claiming("The lines from (0, 0) and from (texWidth - 1, 0), as printed, cover the first and the last column");
    INTERPOLATED = claim("jacobi-11", "Including the vertex shader", Statement::Design)
        .quoting("They depend linearly on the texture coordinate values assigned to the corners of the quads")
        .claiming("The neighbours' coordinates come correctly interpolated");
}
