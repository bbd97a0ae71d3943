//! What Fatahalian, Sugerman and Hanrahan (2004) claim, in the order of the slides.

use super::super::super::report::Document;
use super::super::claim::{Claim, Limit, Statement, about, at_least, at_most, claims};

const PAPER: Document = Document::Matmul2004;
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
const PATHS: Option<&str> = Some("matmul-2004-data-paths");

const NO_UNIT: Option<&str> = Some(
    "no texture unit stands beside the arithmetic. A fetch is instructions of the same core, so the ratio compares the \
     length of two pieces of code.",
);
const NO_PATH: Option<&str> = Some(
    "there is no path of its own from texture to registers. What limits is the time of the instructions that a fetch \
     compiles to.",
);

/// Of a percentage of a peak, which is not known to a few percent.
const fn percent(limit: Limit) -> Limit {
    limit.of(0.0, 115.0)
}

claims! {
    /// All that a measurement decides.
    MEASURED: Claim;

    CACHE_AWARE = Claim {
        id: "matmul-2004-1",
        document: PAPER,
        place: "slide 9",
        quotation: "High performance matrix multiplication algorithms are cache aware",
        claim: "On a CPU a library, which blocks for the cache, is faster than three plain loops",
        kind: at_least(1.2),
        evidence: METHODS,
        on_cpu: None,
    };
    MAPPING = Claim {
        id: "matmul-2004-2",
        document: PAPER,
        place: "slide 12",
        quotation: "Alternative Approaches Ineffective • Varied mapping into texture memory",
        claim: "No other mapping of the matrices into texture memory is faster",
        kind: at_most(GAIN),
        evidence: Some("matmul-2004-mapping"),
        on_cpu: None,
    };
    ORDER = Claim {
        id: "matmul-2004-3",
        document: PAPER,
        place: "slide 12",
        quotation: "Alternative Approaches Ineffective … Altered rasterization order with geometry",
        claim: "No rasterization order made by geometry is faster than one quad",
        kind: at_most(GAIN),
        evidence: GEOMETRY,
        on_cpu: None,
    };
    QUAD = Claim {
        id: "matmul-2004-4",
        document: PAPER,
        place: "slide 12",
        quotation: "Single quad most effective",
        claim: "No geometry is faster than a single quad, one triangle among them",
        kind: at_most(GAIN),
        evidence: GEOMETRY,
        on_cpu: None,
    };
    OUTPUTS = Claim {
        id: "matmul-2004-5",
        document: PAPER,
        place: "slide 12",
        quotation: "Alternative Approaches Ineffective … Utilized multiple outputs",
        claim: "No method of several outputs is faster than the best of one",
        kind: at_most(GAIN),
        evidence: METHODS,
        on_cpu: None,
    };
    UNROLL_CP = Claim {
        id: "matmul-2004-6",
        document: PAPER,
        place: "slide 12",
        quotation: "Column packed unroll maximally",
        claim: "Column packed is fastest when its loop is unrolled maximally",
        kind: at_most(GAIN),
        evidence: UNROLLING,
        on_cpu: None,
    };
    UNROLL_SP = Claim {
        id: "matmul-2004-7",
        document: PAPER,
        place: "slide 12",
        quotation: "Submatrix packed unroll 128 times",
        claim: "Submatrix packed is fastest when its loop is unrolled 128 times",
        kind: at_most(GAIN),
        evidence: UNROLLING,
        on_cpu: None,
    };
    CONSUMES = Claim {
        id: "matmul-2004-8",
        document: PAPER,
        place: "slide 19",
        quotation: "Fragment processor consumes data at 8X rate texture provides it!",
        claim: "Multiply-adds consume 8 times the numbers that fetches of floats provide in the same time",
        kind: about(8.0, ABOUT),
        evidence: PATHS,
        on_cpu: NO_UNIT,
    };
    BYTES = Claim {
        id: "matmul-2004-9",
        document: PAPER,
        place: "slide 20",
        quotation: "8 bit components • 2 to 1 ratio of compute to bandwidth",
        claim: "With 8-bit components multiply-adds consume twice the numbers that fetches provide",
        kind: about(2.0, ABOUT),
        evidence: PATHS,
        on_cpu: NO_UNIT,
    };
    FILTERING = Claim {
        id: "matmul-2004-10",
        document: PAPER,
        place: "slides 19 and 20",
        quotation: "High bandwidth (texture filtering) … Texture units filter (reduce) data",
        claim: "A filtered fetch, which reads four texels, takes less than twice the time of one",
        kind: at_most(2.0),
        evidence: PATHS,
        on_cpu: NO_UNIT,
    };
    BANDWIDTH_LIMITED = Claim {
        id: "matmul-2004-11",
        document: PAPER,
        place: "slide 21",
        quotation: "GPU algorithms are severely bandwidth limited!",
        claim: "Both methods use more than twice as much of the peak bandwidth as of the peak arithmetic",
        kind: at_least(2.0),
        evidence: METHODS,
        on_cpu: NO_PATH,
    };
    EIGHT = Claim {
        id: "matmul-2004-12",
        document: PAPER,
        place: "slide 22",
        quotation: "Would need 8x8 submatrices to run at peak rates",
        claim: "By the cost of a fetch, arithmetic and fetches take the same time at blocks of 8 x 8",
        kind: about(8.0, ABOUT),
        evidence: BLOCKS,
        on_cpu: NO_PATH,
    };
    WIDER_PATH = Claim {
        id: "matmul-2004-14",
        document: PAPER,
        place: "slide 23",
        quotation: "Expect performance to improve linearly with increase in bandwidth",
        claim: "Four numbers a fetch instead of one, a path 4 times as wide, are 4 times as fast",
        kind: about(4.0, 1.4),
        evidence: METHODS,
        on_cpu: NO_PATH,
    };
    WIDENING = Claim {
        id: "matmul-2004-15",
        document: PAPER,
        place: "slide 23",
        quotation: "Need 4X improvement to achieve peak perf",
        claim: "A path 4 times as wide would feed the multiply-adds of submatrix packed",
        kind: about(4.0, ABOUT),
        evidence: METHODS,
        on_cpu: NO_PATH,
    };
    BY_DIMENSION = Claim {
        id: "matmul-2004-16",
        document: PAPER,
        place: "slide 24",
        quotation: "Performance increases linearly with dimension of submatrices",
        claim: "From 2 x 2 to 4 x 4 the rate doubles, and again to 8 x 8",
        kind: about(2.0, 1.25),
        evidence: BLOCKS,
        on_cpu: None,
    };
    SIXTEEN = Claim {
        id: "matmul-2004-18",
        document: PAPER,
        place: "slide 24",
        quotation: "Requires 16X space of SP method for peak perf",
        claim: "8 x 8 blocks, whose sums take 16 times the space of SP, run at peak",
        kind: percent(at_least(AT_PEAK)),
        evidence: BLOCKS,
        on_cpu: None,
    };
    BELOW_20 = Claim {
        id: "matmul-2004-19",
        document: PAPER,
        place: "slide 25",
        quotation: "Best algorithms achieve below 20 of peak performance",
        claim: "Column packed and submatrix packed stay below 20 % of peak arithmetic",
        kind: percent(at_most(20.0)),
        evidence: METHODS,
        on_cpu: None,
    };
    SATURATED = Claim {
        id: "matmul-2004-20",
        document: PAPER,
        place: "slide 25",
        quotation: "Saturate data path between texture and FP units",
        claim: "The better of both fetches at 80 % or more of the rate of cached fetches",
        kind: percent(at_least(AT_PEAK)).one_suffices(),
        evidence: METHODS,
        on_cpu: NO_PATH,
    };
    BLOCKING = Claim {
        id: "matmul-2004-21",
        document: PAPER,
        place: "slide 25",
        quotation: "Cache-aware software blocking strategies do not improve performance",
        claim: "Neither tiles of quads nor several passes are faster than the whole product drawn at once",
        kind: at_most(GAIN),
        evidence: GEOMETRY,
        on_cpu: None,
    };
    REUSE = Claim {
        id: "matmul-2004-22",
        document: PAPER,
        place: "slide 25",
        quotation: "Cannot exploit data reuse",
        claim: "No block in registers, which reuses what it fetches, is faster than the slides' two methods",
        kind: at_most(GAIN),
        evidence: METHODS,
        on_cpu: None,
    };
}

claims! {
    /// All that none decides.
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    LIMITED_OUTPUTS = Claim {
        id: "matmul-2004-13",
        document: PAPER,
        place: "slide 22",
        quotation: "Limited to 4x4 submatrices by available outputs",
        claim: "Blocks of 4 x 4 are the largest that there are outputs for",
        kind: Statement::Design,
        evidence: BLOCKS,
        on_cpu: None,
    };
    STORAGE = Claim {
        id: "matmul-2004-17",
        document: PAPER,
        place: "slide 24",
        quotation: "Storage increases as square of dimension of submatrices",
        claim: "The sums of a block take as many registers as the square of its dimension",
        kind: Statement::Erratum,
        evidence: BLOCKS,
        on_cpu: None,
    };
}
