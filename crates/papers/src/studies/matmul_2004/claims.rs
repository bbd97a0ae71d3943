//! The claims of Fatahalian, Sugerman and Hanrahan (2004), in the order of the slides.

use crate::claim::{Claim, Limit, Statement, about, at_least, at_most, between, claims};
use quadrille_lab::report::Document;

const fn claim<K: Copy>(id: &'static str, place: &'static str, kind: K) -> Claim<K> {
    Claim::new(Document::Matmul2004, id, place, kind)
}

/// The least gain that counts as one.
const GAIN: f64 = 1.15;
/// "About" a number.
const ABOUT: f64 = 1.5;
/// Percent of a peak from which on a method runs at it.
const AT_PEAK: f64 = 80.0;

const METHODS: Option<&str> = Some("matmul-2004-methods");
const BLOCKS: Option<&str> = Some("matmul-2004-blocks");
const GEOMETRY: Option<&str> = Some("matmul-2004-geometry");
const UNROLLING: Option<&str> = Some("matmul-2004-unrolling");
const PEAKS: Option<&str> = Some("matmul-2004-peaks");
const PATHS: Option<&str> = Some("matmul-2004-data-paths");

const NO_UNIT: Option<&str> = Some(
    "no texture unit stands beside the arithmetic. A fetch is instructions of the same core, so the ratio compares the \
     length of two pieces of code.",
);
const NO_PATH: Option<&str> = Some(
    "there is no path of its own from texture to registers. What limits is the time of the instructions that a fetch \
     compiles to.",
);

/// A limit in percent of a peak, which is not known to a few percent.
const fn percent(limit: Limit) -> Limit {
    limit.of(0.0, 115.0)
}

claims! {
    MEASURED: Claim;

    CACHE_AWARE = claim("matmul-2004-1", "slide 9", at_least(1.2))
        .quoting("High performance matrix multiplication algorithms are cache aware")
        .claiming("On a CPU loops over submatrices that the cache holds are faster than three plain loops")
        .shown_in(METHODS);
    MAPPING = claim("matmul-2004-2", "slide 12", at_most(GAIN))
        .quoting("Alternative Approaches Ineffective • Varied mapping into texture memory")
        .claiming("No other mapping of the matrices into texture memory measured here is faster: transposed, padded, or in blocks")
        .shown_in(Some("matmul-2004-mapping"));
    ORDER = claim("matmul-2004-3", "slide 12", at_most(GAIN))
        .quoting("Alternative Approaches Ineffective … Altered rasterization order with geometry")
        .claiming("No rasterization order made by geometry is faster than one quad")
        .shown_in(GEOMETRY);
    QUAD = claim("matmul-2004-4", "slide 12", at_most(GAIN))
        .quoting("Single quad most effective")
        .claiming("No geometry is faster than a single quad, one triangle among them")
        .shown_in(GEOMETRY);
    OUTPUTS = claim("matmul-2004-5", "slide 12", at_most(GAIN))
        .quoting("Alternative Approaches Ineffective … Utilized multiple outputs")
        .claiming("No method of several outputs is faster than the best of one")
        .shown_in(METHODS);
    UNROLL_CP = claim("matmul-2004-6", "slide 12", at_most(GAIN))
        .quoting("Column packed unroll maximally")
        .claiming("Column packed is fastest when its loop is unrolled maximally")
        .shown_in(UNROLLING);
    UNROLL_SP = claim("matmul-2004-7", "slide 12", at_most(GAIN))
        .quoting("Submatrix packed unroll 128 times")
        .claiming("Submatrix packed is fastest when its loop is unrolled 128 times")
        .shown_in(UNROLLING);
    CONSUMES = claim("matmul-2004-8", "slide 19", about(8.0, ABOUT))
        .quoting("Fragment processor consumes data at 8X rate texture provides it!")
        .claiming("Multiply-adds consume 8 times the numbers that fetches of floats provide in the same time")
        .shown_in(PATHS)
        .on_a_cpu(NO_UNIT);
    BYTES = claim("matmul-2004-9", "slide 20", about(2.0, ABOUT))
        .quoting("8 bit components • 2 to 1 ratio of compute to bandwidth")
        .claiming("With 8-bit components multiply-adds consume twice the numbers that fetches provide")
        .shown_in(PATHS)
        .on_a_cpu(NO_UNIT);
    FILTERING = claim("matmul-2004-10", "slides 19 and 20", at_most(2.0))
        .quoting("High bandwidth (texture filtering) … Texture units filter (reduce) data")
        .claiming("A filtered fetch, which reads four texels, takes less than twice the time of one")
        .shown_in(PATHS)
        .on_a_cpu(NO_UNIT);
    BANDWIDTH_LIMITED = claim("matmul-2004-11", "slide 21", at_least(2.0))
        .quoting("GPU algorithms are severely bandwidth limited!")
        .claiming("Both methods use more than twice as much of the peak bandwidth as of the peak arithmetic")
        .shown_in(METHODS)
        .on_a_cpu(NO_PATH);
    EIGHT = claim("matmul-2004-12", "slide 22", percent(at_most(AT_PEAK)))
        .quoting("Would need 8x8 submatrices to run at peak rates")
        .claiming("No method with blocks smaller than 8 x 8 runs at peak")
        .shown_in(BLOCKS)
        .on_a_cpu(NO_PATH);
    WIDER_PATH = claim("matmul-2004-14", "slide 23", about(4.0, 1.4))
        .quoting("Expect performance to improve linearly with increase in bandwidth")
        .claiming("Four numbers a fetch instead of one, a path 4 times as wide, are 4 times as fast")
        .shown_in(METHODS)
        .on_a_cpu(NO_PATH);
    WIDENING = claim("matmul-2004-15", "slide 23", about(4.0, ABOUT))
        .quoting("Need 4X improvement to achieve peak perf")
        .claiming("A path 4 times as wide would feed the multiply-adds of submatrix packed")
        .shown_in(METHODS)
        .on_a_cpu(NO_PATH);
    FILLED = claim("matmul-2004-23", "slide 23", between(1.0, 4.0 * GAIN))
        .quoting("But L2 may no longer be able to fill L1")
        .claiming("Texels that are read once come as fast as the path from the cache takes them, and slower than a path \
                   4 times as wide would: it takes 1 to 4 times what fills the cache")
        .shown_in(PEAKS)
        .on_a_cpu(NO_PATH);
    BY_DIMENSION = claim("matmul-2004-16", "slide 24", about(2.0, 1.25))
        .quoting("Performance increases linearly with dimension of submatrices")
        .claiming("From 2 x 2 to 4 x 4 the rate doubles, and again to 8 x 8")
        .shown_in(BLOCKS);
    SIXTEEN = claim("matmul-2004-18", "slide 24", percent(at_least(AT_PEAK)))
        .quoting("Requires 16X space of SP method for peak perf")
        .claiming("8 x 8 blocks, whose sums take 16 times the space of SP, run at peak")
        .shown_in(BLOCKS);
    BELOW_20 = claim("matmul-2004-19", "slide 25", percent(at_most(20.0)))
        .quoting("Best algorithms achieve below 20 of peak performance")
        .claiming("The best method that fragments compute stays below 20 % of peak arithmetic")
        .shown_in(METHODS);
    SATURATED = claim("matmul-2004-20", "slide 25", percent(at_least(AT_PEAK)).one_suffices())
        .quoting("Saturate data path between texture and FP units")
        .claiming("The better of both fetches at 80 % or more of the rate of cached fetches")
        .shown_in(METHODS)
        .on_a_cpu(NO_PATH);
    BLOCKING = claim("matmul-2004-21", "slide 25", at_most(GAIN))
        .quoting("Cache-aware software blocking strategies do not improve performance")
        .claiming("Neither tiles of quads nor several passes are faster than the whole product drawn at once")
        .shown_in(GEOMETRY);
    REUSE = claim("matmul-2004-22", "slide 25", at_most(GAIN))
        .quoting("Cannot exploit data reuse")
        .claiming("No block in registers, which reuses what it fetches, is faster than the slides' two methods")
        .shown_in(METHODS);
}

claims! {
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    LIMITED_OUTPUTS = claim("matmul-2004-13", "slide 22", Statement::Design)
        .quoting("Limited to 4x4 submatrices by available outputs")
        .claiming("Blocks of 4 x 4 are the largest that there are outputs for")
        .shown_in(BLOCKS);
    STORAGE = claim("matmul-2004-17", "slide 24", Statement::Erratum)
        .quoting("Storage increases as square of dimension of submatrices")
        .claiming("The sums of a block take as many registers as the square of its dimension")
        .shown_in(BLOCKS);
}
