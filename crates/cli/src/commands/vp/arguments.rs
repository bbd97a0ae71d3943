//! The arguments of `quadrille vp`.

use quadrille_vp::vector_machine;

use super::constant::Setting;
use crate::arguments::specified::Options;
use crate::prelude::*;

const ABOUT: &str = "\
Runs a program in the vertex programs' assembly of 2002 over vectors, as \"Using Modern Graphics
Architectures for General-Purpose Computing\" does: on the vertex stage as it was, on what hardware has
since, or in a simulator that keeps the specification to the letter.

An invocation finds a quad (four numbers) of each vector in v[1], v[2], v[3] and writes the result's quad
to o[1], also called o[COL0]. With --reduce it finds as many quads as 15 inputs hold (15 of one vector; 7
of each of two, the second's from v[8]; 5 of each of three, from v[6] and v[11]), and the x of its o[1] is
a part of the sum that is printed. Constants are c[0] to c[95] and, in the modern profile, beyond.";

const EXAMPLES: &str = "\
Examples:
  quadrille vp square.vp --input x.npy --output y.npy
  quadrille vp scale.vp --input x.npy --constant 11=2 --constant 12=1,0,0,1 --engine attributes
  quadrille vp crates/vector-machine/programs/dot.vp --input x.npy --input y.npy --reduce --padding 0
  quadrille vp factorial.vp --input digits.npy --constant 11=1 --constant 12=2 --compare
  quadrille vp square.vp --input x.npy --disassemble
  quadrille vp hypot.glsl --input a.npy --input b.npy --output c.npy";

/// Run a vertex program over vectors
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// The program: assembly, or, where the name ends in .glsl or .frag, GLSL that defines
    /// `void program()` and uses v[1], c[11], o[1] as the assembly does. Where it has loops and the
    /// device ends long ones early (see `quadrille doctor`), it runs twice, and a loop that was ended
    /// is an error
    #[arg(value_name = "PROGRAM.vp")]
    pub(super) program: PathBuf,

    /// A vector, one to three times: floats, or whole numbers that single precision holds
    #[arg(long = "input", value_name = "FILE.npy", required_unless_present = "disassemble")]
    pub(super) inputs: Vec<PathBuf>,

    /// A constant register: one number for all four components, or four; 0 unless set
    #[arg(long = "constant", value_name = "REGISTER=X[,Y,Z,W]")]
    pub(super) constants: Vec<Setting>,

    #[command(flatten, next_help_heading = "How")]
    pub(super) options: Options<vector_machine::Options>,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    /// Write the result; a sum as an array of one number
    #[arg(long, value_name = "FILE.npy", help_heading = "Results")]
    pub(super) output: Option<PathBuf>,

    /// Show the program as it runs, with the framework's own instructions, and run nothing. The
    /// inputs are only counted. The text is for reading: before it is run again, remove the lines that end
    /// in `# framework`, which a program may not have
    #[arg(long, help_heading = "Results", conflicts_with_all = ["output", "compare"])]
    pub(super) disassemble: bool,

    /// Run every engine, and show how far each is from the simulator
    #[arg(long, help_heading = "Results", conflicts_with_all = ["output", "engine"])]
    pub(super) compare: bool,

    /// With --compare: fail (1) if an engine is further off, in units in the last place
    #[arg(long, value_name = "ULPS", requires = "compare", help_heading = "Results")]
    #[arg(conflicts_with_all = ["output", "disassemble"])]
    pub(super) tolerance: Option<u64>,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}
