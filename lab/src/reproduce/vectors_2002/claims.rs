//! What Thompson, Hahn and Oskin (2002) say, in the order of their paper.

use super::super::claim::{Claim, Statement, about, at_least, at_most, claims};
use super::DOCUMENT;

/// A measurement, of which the fields that differ are named.
const MEASUREMENT: Claim = Claim {
    id: "",
    document: DOCUMENT,
    place: "",
    quotation: "",
    claim: "",
    kind: at_least(1.0),
    evidence: None,
    on_cpu: None,
};

/// A statement, likewise.
const STATED: Claim<Statement> = stated(Statement::Erratum);
const DESIGNED: Claim<Statement> = stated(Statement::Design);

const fn stated(kind: Statement) -> Claim<Statement> {
    Claim {
        id: "",
        document: DOCUMENT,
        place: "",
        quotation: "",
        claim: "",
        kind,
        evidence: None,
        on_cpu: None,
    }
}

const PROGRAMS: Option<&str> = Some("vectors-2002-programs");
const SEMANTICS: Option<&str> = Some("vectors-2002-semantics");
const TABLE_4: Option<&str> = Some("vectors-2002-table-4");
const FIGURE_5: Option<&str> = Some("vectors-2002-figure-5-lines");
const TABLE_5: Option<&str> = Some("vectors-2002-table-5");
const FIGURE_6: Option<&str> = Some("vectors-2002-figure-6-products");
const FIGURE_7: Option<&str> = Some("vectors-2002-figure-7-iterations");

/// The engines are threads of the same processor.
const NO_GPU: Option<&str> = Some(
    "every engine runs on the cores of the CPU that it is compared with: there is no other processor to gain from",
);
/// Uploads and readbacks are copies in memory.
const NO_BUS: Option<&str> =
    Some("there is no bus: sending and retrieving are copies within the same memory");

/// A speedup of two thirds of the paper's is still about as much.
const ABOUT: f64 = 1.5;
/// From 10 to 120 opcodes: what time grows by where 120 opcodes cost as much as all that is fixed.
const AS_MUCH_AS_FIXED: f64 = (1.0 + 1.0) / (1.0 + 10.0 / 120.0);

claims! {
    /// What is right or wrong by a specification or a program's text, and how the framework is built.
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    TEMPORARIES = Claim {
        id: "vectors-2002-1",
        place: "section 3.2",
        quotation: "The hardware also initializes the 16 temporary registers to (0,0,0,0).",
        claim: "A vertex program has 16 temporary registers",
        ..STATED
    };
    ZEROED_TEMPORARIES = Claim {
        id: "vectors-2002-2",
        place: "section 3.2",
        quotation: "The hardware also initializes the 16 temporary registers to (0,0,0,0).",
        claim: "Temporary registers are (0, 0, 0, 0) at first",
        ..STATED
    };
    PORTS = Claim {
        id: "vectors-2002-3",
        place: "section 3.2",
        quotation: "each individual assembly instruction may only read from a single source attribute register [...] \
                    Similarly, each instruction can only access a single constant register.",
        claim: "An instruction reads one input register and one constant register",
        ..STATED
    };
    INSTRUCTIONS = Claim {
        id: "vectors-2002-4",
        place: "section 3.2",
        quotation: "There are 21 instructions that can be used in vertex programs.",
        claim: "There are 21 instructions",
        ..STATED
    };
    LONGEST = Claim {
        id: "vectors-2002-5",
        place: "section 3.2",
        quotation: "The hardware limits every vertex program to a maximum of 128 instructions.",
        claim: "A vertex program has at most 128 instructions",
        ..STATED
    };
    ZEROED_OUTPUTS = Claim {
        id: "vectors-2002-6",
        place: "section 4.2.3",
        quotation: "the temporary and output registers are zeroed before each vertex program invocation",
        claim: "Output registers are cleared to zero before each invocation",
        ..STATED
    };
    CALLS = Claim {
        id: "vectors-2002-7",
        place: "section 4.2.3",
        quotation: "the assembly routine stored in the DProgram will be called only ⌈n/15⌉ times in order to completely \
                    process the input vectors",
        claim: "A function v -> s with 15 quads a call is called ceil(n / 15) times",
        evidence: SEMANTICS,
        ..STATED
    };
    BRANCH = Claim {
        id: "vectors-2002-10",
        place: "section 4.2.5",
        quotation: "To implement a branch, the programmer would create two DFunctions, one for the code before the \
                    branch, and one for the subsequent code.",
        claim: "A branch is two functions, the CPU looking at the vector between them",
        ..DESIGNED
    };
    BRANCH_OF_ELEMENTS = Claim {
        id: "vectors-2002-11",
        place: "section 4.2.5",
        quotation: "There is no way with our current framework to branch in different directions for each individual \
                    element of a vector.",
        claim: "No instruction branches for each element",
        ..DESIGNED
    };
    UNROLLINGS = Claim {
        id: "vectors-2002-12",
        place: "figure 3 and section 5.2",
        quotation: "// Unroll six more times. [...] The program contains 59 opcodes.",
        claim: "Figure 3's loop, unrolled 8 times, has 59 opcodes",
        evidence: PROGRAMS,
        ..STATED
    };
    FACTORIALS_IN_BYTES = Claim {
        id: "vectors-2002-13",
        place: "figure 3",
        quotation: "DVector* outputVec = allocDVector(5, DV_UCHAR); // Fill the test input vector. (*inputVec)[0] = 6;",
        claim: "A vector of unsigned bytes holds the factorials of 6, 2, 3, 1 and 4",
        ..STATED
    };
    SIMULATOR = Claim {
        id: "vectors-2002-14",
        place: "section 4.3",
        quotation: "This simulator is only functionally identical to the graphics card",
        claim: "A simulator gives the results of the device, up to rounding",
        ..DESIGNED
    };
    PIXELS = Claim {
        id: "vectors-2002-15",
        place: "section 4.3",
        quotation: "the results returned by our framework, even though they were computed internally at single \
                    precision, suffer a significant loss of precision when retrieved",
        claim: "8-bit pixels lose most of a float's precision",
        ..STATED
    };
    COUNTS = Claim {
        id: "vectors-2002-16",
        place: "section 5.2",
        quotation: "The program contains 13 opcodes. [...] The program includes 49 opcodes. [...] The program contains \
                    59 opcodes.",
        claim: "log(pi x^3), x^50 and x! take 13, 49 and 59 opcodes",
        evidence: PROGRAMS,
        ..STATED
    };
    FACTORIAL_OF_ZERO = Claim {
        id: "vectors-2002-17",
        place: "section 5.2",
        quotation: "Computes the factorial function for a vector of random integers, each between 0 and 9. This \
                    program was illustrated in Figure 3.",
        claim: "Figure 3 computes the factorials of 0 to 9",
        ..STATED
    };
    SEVERAL_SETS = Claim {
        id: "vectors-2002-32",
        place: "section 5.4",
        quotation: "if there are more variables than can be accommodated in the constant registers, we perform \
                    multiple DFunction evaluations with a different set of constant registers each time",
        claim: "Evaluations with several sets of constants together count the satisfied clauses",
        evidence: Some("vectors-2002-sets-of-constants"),
        ..DESIGNED
    };
    COARSE_LOG = Claim {
        id: "vectors-2002-35",
        place: "section 6",
        quotation: "The LOG opcode, for instance, is fast partially because it is not as accurate as a traditional \
                    log() function.",
        claim: "LOG, as specified, is less accurate than a logarithm in single precision",
        evidence: Some("vectors-2002-wishes-arithmetic"),
        ..STATED
    };
    REFINED_LOG = Claim {
        id: "vectors-2002-36",
        place: "section 6",
        quotation: "the LOG function place a few scalars in output registers that can be used to increase the \
                    precision of logarithmic results",
        claim: "LOG's other results can be used to refine a logarithm",
        ..DESIGNED
    };
}

claims! {
    /// What a device may confirm or contradict.
    MEASURED: Claim;

    BLENDING = Claim {
        id: "vectors-2002-8",
        place: "section 4.2.3, footnote 2",
        quotation: "each pixel blending update causes the whole graphics hardware pipeline to stall, significantly \
                    reducing overall vertex program throughput",
        claim: "A call takes at least 1.5 times as long where pixel blending sums its parts",
        kind: at_least(1.5),
        evidence: FIGURE_6,
        on_cpu: Some("blending is a few instructions of the same thread: there is no pipeline to stall"),
        ..MEASUREMENT
    };
    OVERLAP = Claim {
        id: "vectors-2002-9",
        place: "section 4.2.4",
        quotation: "throughput of the computer should be viewed as the sum of the maximum computational throughput of \
                    the CPU and of the maximum computational throughput of the GPU",
        claim: "Equal work of CPU and GPU at once is about twice as fast as one after the other",
        kind: about(2.0, ABOUT),
        on_cpu: Some("the renderer's threads and the host's work share the cores"),
        ..MEASUREMENT
    };
    SMALLEST = Claim {
        id: "vectors-2002-18",
        place: "section 5.2",
        quotation: "two of the test cases suggest that for such small vectors the overhead inherent in using our \
                    framework causes the GPU implementations to be slightly slower than the CPU implementations",
        claim: "At 10^4 elements the GPU is slower than the CPU in two of three programs",
        kind: at_most(1.0),
        evidence: TABLE_4,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    LARGER = Claim {
        id: "vectors-2002-19",
        place: "section 5.2",
        quotation: "on all the larger vector sizes, our graphics card implementations outperformed the CPU \
                    implementations",
        claim: "From 10^5 elements on the GPU is faster than the CPU, transfers included",
        kind: at_least(1.0),
        evidence: TABLE_4,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    SPEEDUPS = Claim {
        id: "vectors-2002-20",
        place: "section 5.2, table 4",
        quotation: "For the largest vector size, our GPU implementations were between 5.0 to 16.7 times faster than \
                    their CPU brethren.",
        claim: "The speedups of the three programs are at least about table 4's: 6.4, 16.7 and 5.0",
        kind: at_least(1.0 / ABOUT),
        evidence: TABLE_4,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    PROPORTION = Claim {
        id: "vectors-2002-21",
        place: "figure 4",
        quotation: "both the CPU and GPU run times increase in proportion to the input size",
        claim: "Times grow in proportion to the elements, give or take half",
        kind: about(1.0, ABOUT),
        evidence: TABLE_4,
        ..MEASUREMENT
    };
    WORK = Claim {
        id: "vectors-2002-22",
        place: "section 5.2",
        quotation: "there is a correlation between how much work is being done on the graphics card and how strongly \
                    the GPU implementations outperform equivalent CPU implementations",
        claim: "With 49 opcodes an element the speedup is higher than with 13",
        kind: at_least(1.0),
        evidence: TABLE_4,
        ..MEASUREMENT
    };
    ODDITY = Claim {
        id: "vectors-2002-23",
        place: "section 5.2",
        quotation: "The factorial test case is an oddity, because the GPU performs far more operations per element of \
                    the input vector than the equivalent CPU implementation.",
        claim: "The speedup of factorial is lower than that of exponents, which has fewer opcodes",
        kind: at_least(1.0),
        evidence: TABLE_4,
        ..MEASUREMENT
    };
    DOUBLES = Claim {
        id: "vectors-2002-24",
        place: "section 5.2",
        quotation: "the run time of the CPU implementation approximately doubles as the number of multiplications \
                    doubles",
        claim: "The CPU's time about doubles from 60 to 120 opcodes",
        kind: about(2.0, 1.25),
        evidence: FIGURE_5,
        ..MEASUREMENT
    };
    TRIPLES = Claim {
        id: "vectors-2002-25",
        place: "section 5.2",
        quotation: "even though we increase the number of opcodes by a factor of 12, the run time of the GPU \
                    implementation only increases by a factor of 3",
        claim: "12 times the opcodes take the GPU at most about 3 times the time",
        kind: at_most(3.0 * ABOUT),
        evidence: FIGURE_5,
        ..MEASUREMENT
    };
    LONGER = Claim {
        id: "vectors-2002-26",
        place: "section 5.2",
        quotation: "programmers could fruitfully make use of longer vertex programs",
        claim: "An opcode costs less in a program of 480 opcodes than in one of 120",
        kind: at_most(1.0),
        evidence: FIGURE_5,
        ..MEASUREMENT
    };
    TRANSFERS = Claim {
        id: "vectors-2002-27",
        place: "section 5.2",
        quotation: "the hardware's transfer of data between video memory and the GPU or the CPU's fetch of the \
                    computational results from video memory is more of a bottleneck than the hardware's capacity",
        claim: "What is fixed takes longer than 120 opcodes: time grows less than 1.85 times from 10 to 120",
        kind: at_most(AS_MUCH_AS_FIXED),
        evidence: FIGURE_5,
        on_cpu: NO_BUS,
        ..MEASUREMENT
    };
    RETRIEVAL = Claim {
        id: "vectors-2002-28",
        place: "section 5.2, table 5",
        quotation: "only 21% of the runtime is spent retrieving data",
        claim: "Readback takes about 21 % of the time",
        kind: about(30.0 / 140.0, ABOUT),
        evidence: TABLE_5,
        on_cpu: NO_BUS,
        ..MEASUREMENT
    };
    SENDING = Claim {
        id: "vectors-2002-29",
        place: "section 5.2",
        quotation: "the major bottleneck is in sending data to the GPU",
        claim: "Upload takes more than half of the time",
        kind: at_least(0.5),
        evidence: TABLE_5,
        on_cpu: NO_BUS,
        ..MEASUREMENT
    };
    PRODUCT = Claim {
        id: "vectors-2002-30",
        place: "section 5.3, figure 6",
        quotation: "For a 1500x1500 matrix, the GPU is 3.2 times faster than the CPU.",
        claim: "A matrix product by a call an element is at least about 3.2 times as fast on the GPU",
        kind: at_least(3.2 / ABOUT),
        evidence: FIGURE_6,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    WIDENS = Claim {
        id: "vectors-2002-31",
        place: "section 5.3",
        quotation: "the GPU implementation of matrix multiply significantly outperforms the CPU implementation, and \
                    this performance differential increases as the matrix size increases",
        claim: "The GPU leads, and its lead grows with the matrices",
        kind: at_least(1.0),
        evidence: FIGURE_6,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    FLAT = Claim {
        id: "vectors-2002-33",
        place: "section 5.4, figure 7",
        quotation: "the increase in vector size between 500 and 2000 clauses is not sufficient to greatly affect the \
                    run time of our GPU implementation",
        claim: "From 500 to 2000 clauses the run time of the GPU's search stays about the same",
        kind: about(1.0, ABOUT),
        evidence: FIGURE_7,
        ..MEASUREMENT
    };
    INCREASES = Claim {
        id: "vectors-2002-34",
        place: "section 5.4, figure 7",
        quotation: "the run time of the CPU implementation increases very noticeably with the increasing number of \
                    clauses",
        claim: "From 500 to 2000 clauses the run time of the CPU's search at least doubles",
        kind: at_least(2.0),
        evidence: FIGURE_7,
        ..MEASUREMENT
    };
}
