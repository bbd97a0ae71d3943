//! The claims of Thompson, Hahn and Oskin (2002), in the order of their paper.

use crate::claim::{Claim, Statement, about, at_least, at_most, between, claims};
use quadrille_lab::bench::vector::findings::GROWTH;

const fn claim<K: Copy>(id: &'static str, place: &'static str, kind: K) -> Claim<K> {
    Claim::new(super::DOCUMENT, id, place, kind)
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
/// The growth of the time from 10 to 120 opcodes, if 120 opcodes cost as much as all that is fixed.
const AS_MUCH_AS_FIXED: f64 = (1.0 + 1.0) / (1.0 + 10.0 / 120.0);

claims! {
    /// The statements that a specification, a program's text or the framework's construction
    /// decides.
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    TEMPORARIES = claim("vectors-2002-1", "section 3.2", Statement::Erratum)
        .quoting("The hardware also initializes the 16 temporary registers to (0,0,0,0).")
        .claiming("A vertex program has 16 temporary registers");
    ZEROED_TEMPORARIES = claim("vectors-2002-2", "section 3.2", Statement::Erratum)
        .quoting("The hardware also initializes the 16 temporary registers to (0,0,0,0).")
        .claiming("Temporary registers are (0, 0, 0, 0) at first");
    PORTS = claim("vectors-2002-3", "section 3.2", Statement::Erratum)
        .quoting("each individual assembly instruction may only read from a single source attribute register (e.g. ADD R0, \
                  v[OPOS], v[WGHT] would be invalid). Similarly, each instruction can only access a single constant register.")
        .claiming("An instruction reads one input register and one constant register");
    INSTRUCTIONS = claim("vectors-2002-4", "section 3.2", Statement::Erratum)
        .quoting("There are 21 instructions that can be used in vertex programs.")
        .claiming("There are 21 instructions");
    LONGEST = claim("vectors-2002-5", "section 3.2", Statement::Erratum)
        .quoting("The hardware limits every vertex program to a maximum of 128 instructions.")
        .claiming("A vertex program has at most 128 instructions");
    ZEROED_OUTPUTS = claim("vectors-2002-6", "section 4.2.3", Statement::Erratum)
        .quoting("the temporary and output registers are zeroed before each vertex program invocation")
        .claiming("Output registers are cleared to zero before each invocation");
    CALLS = claim("vectors-2002-7", "section 4.2.3", Statement::Erratum)
        .quoting("the assembly routine stored in the DProgram will be called only ⌈n/15⌉ times in order to completely \
                  process the input vectors")
        .claiming("A function v -> s with 15 quads a call is called ceil(n / 15) times")
        .shown_in(SEMANTICS);
    BRANCH = claim("vectors-2002-10", "section 4.2.5", Statement::Design)
        .quoting("To implement a branch, the programmer would create two DFunctions, one for the code before the \
                  branch, and one for the subsequent code.")
        .claiming("A branch is two functions, the CPU looking at the vector between them");
    BRANCH_OF_ELEMENTS = claim("vectors-2002-11", "section 4.2.5", Statement::Design)
        .quoting("There is no way with our current framework to branch in different directions for each individual \
                  element of a vector.")
        .claiming("No instruction branches for each element");
    UNROLLINGS = claim("vectors-2002-12", "figure 3 and section 5.2", Statement::Erratum)
        .quoting("It simulates branching using the SLT and SGE opcodes and manual loop unrolling. The program contains 59 opcodes.")
        .claiming("Figure 3's loop, unrolled 8 times, has 59 opcodes")
        .shown_in(PROGRAMS);
    FACTORIALS_IN_BYTES = claim("vectors-2002-13", "figure 3", Statement::Erratum)
        .quoting("DVector* outputVec = allocDVector(5, DV_UCHAR); // Fill the test input vector. (*inputVec)[0] = 6;")
        .claiming("A vector of unsigned bytes holds the factorials of 6, 2, 3, 1 and 4");
    SIMULATOR = claim("vectors-2002-14", "section 4.3", Statement::Design)
        .quoting("This simulator is only functionally identical to the graphics card")
        .claiming("A simulator gives the results of the device, up to rounding");
    PIXELS = claim("vectors-2002-15", "section 4.3", Statement::Erratum)
        .quoting("the results returned by our framework, even though they were computed internally at single \
                  precision, suffer a significant loss of precision when retrieved")
        .claiming("8-bit pixels lose most of a float's precision");
    COUNTS = claim("vectors-2002-16", "section 5.2", Statement::Erratum)
        .quoting("The program contains 13 opcodes. [...] The program includes 49 opcodes. [...] The program contains \
                  59 opcodes.")
        .claiming("log(pi x^3), x^50 and x! take 13, 49 and 59 opcodes")
        .shown_in(PROGRAMS);
    FACTORIAL_OF_ZERO = claim("vectors-2002-17", "section 5.2", Statement::Erratum)
        .quoting("Computes the factorial function for a vector of random integers, each between 0 and 9. This \
                  program was illustrated in Figure 3.")
        .claiming("Figure 3 computes the factorials of 0 to 9");
    SEVERAL_SETS = claim("vectors-2002-32", "section 5.4", Statement::Design)
        .quoting("if there are more variables than can be accommodated in the constant registers, we perform \
                  multiple DFunction evaluations with a different set of constant registers each time")
        .claiming("Evaluations with several sets of constants together count the satisfied clauses")
        .shown_in(Some("vectors-2002-sets-of-constants"));
    COARSE_LOG = claim("vectors-2002-35", "section 6", Statement::Erratum)
        .quoting("The LOG opcode, for instance, is fast partially because it is not as accurate as a traditional \
                  log() function.")
        .claiming("LOG, as specified, is less accurate than a logarithm in single precision");
    SIXTEEN_BITS = claim("vectors-2002-37", "section 3.3", Statement::Erratum)
        .quoting("the vertex processing hardware uses higher precision 16-bit floating point")
        .claiming("The vertex hardware computes with floating point numbers of 16 bits");
    REFINED_LOG = claim("vectors-2002-36", "section 6", Statement::Design)
        .quoting("the LOG function place a few scalars in output registers that can be used to increase the \
                  precision of logarithmic results")
        .claiming("LOG's other results can be used to refine a logarithm");
}

claims! {
    MEASURED: Claim;

    BLENDING = claim("vectors-2002-8", "section 4.2.3, footnote 2", at_least(1.5))
        .quoting("each pixel blending update causes the whole graphics hardware pipeline to stall, significantly \
                  reducing overall vertex program throughput")
        .claiming("A call takes at least 1.5 times as long where pixel blending sums its parts")
        .shown_in(FIGURE_6)
        .on_a_cpu(Some("blending is a few instructions of the same thread: there is no pipeline to stall"));
    OVERLAP = claim("vectors-2002-9", "section 4.2.4", about(2.0, ABOUT))
        .quoting("throughput of the computer should be viewed as the sum of the maximum computational throughput of \
                  the CPU and of the maximum computational throughput of the GPU")
        .claiming("Equal work of CPU and GPU at once is about twice as fast as one after the other")
        .on_a_cpu(Some("the renderer's threads and the host's work share the cores"));
    SMALLEST = claim("vectors-2002-18", "section 5.2", between(0.5, 1.0))
        .quoting("two of the test cases suggest that for such small vectors the overhead inherent in using our \
                  framework causes the GPU implementations to be slightly slower than the CPU implementations")
        .claiming("At 10^4 elements the GPU is slower than the CPU, and not twice as slow: by the middle one of three programs")
        .shown_in(TABLE_4)
        .on_a_cpu(NO_GPU);
    LARGER = claim("vectors-2002-19", "section 5.2", at_least(1.0))
        .quoting("on all the larger vector sizes, our graphics card implementations outperformed the CPU \
                  implementations")
        .claiming("From 10^5 elements on the GPU is faster than the CPU, transfers included")
        .shown_in(TABLE_4)
        .on_a_cpu(NO_GPU);
    SPEEDUPS = claim("vectors-2002-20", "section 5.2, table 4", at_least(1.0 / ABOUT))
        .quoting("For the largest vector size, our GPU implementations were between 5.0 to 16.7 times faster than \
                  their CPU brethren.")
        .claiming("The speedups of the three programs are at least about table 4's: 6.4, 16.7 and 5.0")
        .shown_in(TABLE_4)
        .on_a_cpu(NO_GPU);
    PROPORTION = claim("vectors-2002-21", "figure 4", about(1.0, ABOUT).between_sizes())
        .quoting("both the CPU and GPU run times increase in proportion to the input size")
        .claiming("Times grow in proportion to the elements, give or take half")
        .shown_in(TABLE_4);
    WORK = claim("vectors-2002-22", "section 5.2", at_least(1.0))
        .quoting("there is a correlation between how much work is being done on the graphics card and how strongly \
                  the GPU implementations outperform equivalent CPU implementations")
        .claiming("With 49 opcodes an element the speedup is higher than with 13")
        .shown_in(TABLE_4);
    ODDITY = claim("vectors-2002-23", "section 5.2", at_least(1.0))
        .quoting("The factorial test case is an oddity, because the GPU performs far more operations per element of \
                  the input vector than the equivalent CPU implementation.")
        .claiming("Factorial is outside that correlation: with 59 opcodes its speedup is lower than that of exponents with 49")
        .shown_in(TABLE_4);
    DOUBLES = claim("vectors-2002-24", "section 5.2", about(2.0, 1.25))
        .quoting("the run time of the CPU implementation approximately doubles as the number of multiplications \
                  doubles")
        .claiming("The CPU's time about doubles from 60 to 120 opcodes")
        .shown_in(FIGURE_5);
    TRIPLES = claim("vectors-2002-25", "section 5.2", GROWTH)
        .quoting("even though we increase the number of opcodes by a factor of 12, the run time of the GPU \
                  implementation only increases by a factor of 3")
        .claiming("12 times the opcodes take the GPU at most about 3 times the time")
        .shown_in(FIGURE_5);
    LONGER = claim("vectors-2002-26", "section 5.2", at_most(1.25))
        .quoting("programmers could fruitfully make use of longer vertex programs")
        .claiming("A further opcode costs no more from 120 to 480 opcodes than from 10 to 120, give or take a quarter")
        .shown_in(FIGURE_5);
    TRANSFERS = claim("vectors-2002-27", "section 5.2", at_most(AS_MUCH_AS_FIXED))
        .quoting("the hardware's transfer of data between video memory and the GPU or the CPU's fetch of the \
                  computational results from video memory is more of a bottleneck than the hardware's capacity")
        .claiming("What is fixed takes longer than 120 opcodes: time grows less than 1.85 times from 10 to 120")
        .shown_in(FIGURE_5)
        .on_a_cpu(NO_BUS);
    RETRIEVAL = claim("vectors-2002-28", "section 5.2, table 5", about(30.0 / 140.0, ABOUT))
        .quoting("only 21% of the runtime is spent retrieving data")
        .claiming("Readback takes about 21 % of the time")
        .shown_in(TABLE_5)
        .on_a_cpu(NO_BUS);
    SENDING = claim("vectors-2002-29", "section 5.2", at_least(0.5))
        .quoting("the major bottleneck is in sending data to the GPU")
        .claiming("Upload takes more than half of the time")
        .shown_in(TABLE_5)
        .on_a_cpu(NO_BUS);
    PRODUCT = claim("vectors-2002-30", "section 5.3, figure 6", at_least(3.2 / ABOUT))
        .quoting("For a 1500x1500 matrix, the GPU is 3.2 times faster than the CPU.")
        .claiming("A matrix product by a call an element is at least about 3.2 times as fast on the GPU")
        .shown_in(FIGURE_6)
        .on_a_cpu(NO_GPU);
    WIDENS = claim("vectors-2002-31", "section 5.3", at_least(1.0).between_sizes())
        .quoting("the GPU implementation of matrix multiply significantly outperforms the CPU implementation, and \
                  this performance differential increases as the matrix size increases")
        .claiming("The GPU leads, and its lead grows with the matrices")
        .shown_in(FIGURE_6)
        .on_a_cpu(NO_GPU);
    FLAT = claim("vectors-2002-33", "section 5.4, figure 7", about(1.0, ABOUT).between_sizes())
        .quoting("the increase in vector size between 500 and 2000 clauses is not sufficient to greatly affect the \
                  run time of our GPU implementation")
        .claiming("From 500 to 2000 clauses the run time of the GPU's search stays about the same")
        .shown_in(FIGURE_7);
    INCREASES = claim("vectors-2002-34", "section 5.4, figure 7", at_least(2.0).between_sizes())
        .quoting("the run time of the CPU implementation increases very noticeably with the increasing number of \
                  clauses")
        .claiming("From 500 to 2000 clauses the run time of the CPU's search at least doubles")
        .shown_in(FIGURE_7);
}
