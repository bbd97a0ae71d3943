//! The arguments of `quadrille vp`.

use quadrille_vp::vector_machine::{Fold, Processor, Profile};

use super::constant::{self, Setting};
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

    /// The program is GLSL, whatever its name
    #[arg(long)]
    pub(super) glsl: bool,

    /// The engine that computes
    ///
    ///   attributes  the vertex stage, a point for each quad, which writes a texel: as in 2002, its
    ///               inputs are vertex attributes
    ///   vertex      the vertex stage likewise, which fetches its inputs from textures
    ///   feedback    the vertex stage, which fetches its inputs, its results straight to memory
    ///   fragment    the fragment stage, a quad drawn over all texels
    ///   compute     a compute shader, where the device has them
    ///   simulator   the host, strictly by the specification, without any device
    ///
    /// [default: compute on hardware that has it, else fragment]
    #[arg(long, value_name = "ENGINE", verbatim_doc_comment, help_heading = "How")]
    pub(super) engine: Option<Processor>,

    /// Modern: full precision, 4096 temporaries, 4096 constants and 1 MiB of text, as far as the device
    /// has room for them. Period: a GeForce4's 12 temporaries, 96 constants and 128
    /// instructions, EXP and LOG within 2^-11, results through 8-bit pixels
    #[arg(long, value_name = "PROFILE", default_value = "modern", help_heading = "How")]
    pub(super) profile: Profile,

    /// Sum what the invocations give to one number
    #[arg(long, help_heading = "How")]
    pub(super) reduce: bool,

    /// Where partial results are summed: host, device, blending
    ///
    ///   host      the host, in double precision
    ///   device    passes that fold many numbers into one, and the host the last few
    ///   blending  the device's rasterizer, in single precision and in an order of its own: the least
    ///             exact, and not the same from device to device
    ///
    #[arg(verbatim_doc_comment)]
    #[arg(long, value_name = "FOLD", default_value_t = Fold::Device, help_heading = "How")]
    #[arg(requires = "reduce", conflicts_with = "bytes")]
    pub(super) fold: Fold,

    /// The number that stands for those that the last invocation of a sum lacks
    #[arg(long, value_name = "X", value_parser = constant::number)]
    #[arg(requires = "reduce", conflicts_with = "bytes")]
    #[arg(help_heading = "How")]
    pub(super) padding: Option<f32>,

    /// Give unsigned bytes: rounded, and clamped to 0 to 255
    #[arg(long, conflicts_with = "reduce", help_heading = "How")]
    pub(super) bytes: bool,

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
