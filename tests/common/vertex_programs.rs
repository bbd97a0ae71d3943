//! Vertex programs for tests: built by hand or at random, and run on the device by a small kernel.

use super::Context;
use quadrille::Extent;
use quadrille::shader::Source;
use quadrille::stream::Kernel;
use quadrille_vp::internal::SHADERS;
use quadrille_vp::vector_machine::isa::{Destination, Instruction, Opcode, Operand, Register};
use quadrille_vp::vector_machine::{Profile, Simulator, translate};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub type Quad = [f32; 4];
pub type Inputs = [Quad; 16];
pub type Outputs = [Quad; 15];

/// Constants in every program here: fewer than relative addressing reaches.
pub const CONSTANTS: usize = 40;

const PROGRAM: &str = "
uniform sampler2D inputs;
uniform sampler2D constants;
layout(location = 0) out vec4 result;
vec4 v[16];
vec4 o[15];
vec4 c[CONSTANTS];
#include \"include/vertex_isa.glsl\"
#include \"program.glsl\"
void main() {
    for (int i = 0; i < 16; i++) {
        v[i] = READ(inputs, ivec2(i, TEXEL.y));
    }
    for (int i = 0; i < 15; i++) {
        o[i] = vec4(0.0, 0.0, 0.0, 1.0);
    }
    for (int i = 0; i < CONSTANTS; i++) {
        c[i] = READ(constants, ivec2(i, 0));
    }
    program();
    result = o[TEXEL.x];
}
";

/// A function of `vertex_isa.glsl` alone: its result for each operand `x`.
const FUNCTION: &str = "
uniform sampler2D operands;
layout(location = 0) out vec4 result;
#include \"include/vertex_isa.glsl\"
void main() {
    vec4 x = READ(operands, TEXEL);
    result = CALL;
}
";

fn with_profile(source: Source, profile: Profile) -> Source {
    let source = SHADERS.included_by(source).define("CONSTANTS", CONSTANTS);
    if profile == Profile::Period { source.define("PERIOD", 1) } else { source }
}

/// A translated program, compiled.
pub struct Runner(Kernel);

impl Runner {
    pub fn new(context: &Context, instructions: &[Instruction], profile: Profile) -> Runner {
        let source =
            Source::fragment("runner.frag", PROGRAM).file("program.glsl", translate(instructions));
        Runner(context.kernel(with_profile(source, profile)).unwrap())
    }

    /// One invocation for each of `inputs`.
    pub fn run(&self, constants: &[Quad; CONSTANTS], inputs: &[Inputs]) -> Vec<Outputs> {
        let context = self.0.context();
        let rows = inputs.len() as u32;
        let given = context.texture(Extent::new(16, rows), inputs.as_flattened()).unwrap();
        let held = context.texture(Extent::new(CONSTANTS as u32, 1), constants).unwrap();
        let mut out = context.uninit::<Quad>(Extent::new(15, rows)).unwrap();
        out.fill([f32::NAN; 4]).unwrap();
        // What the compiler found unused may be given all the same.
        self.0.pass().input("inputs", &given).input("constants", &held).draw(&mut out).unwrap();
        out.read().unwrap().chunks_exact(15).map(|row| row.try_into().unwrap()).collect()
    }
}

/// Computes a call of `vertex_isa.glsl` for each operand: 1024 a row.
pub fn call(context: &Context, call: &str, profile: Profile, operands: &[Quad]) -> Vec<Quad> {
    let source = Source::fragment("function.frag", FUNCTION).define("CALL", call);
    let kernel = context.kernel(with_profile(source, profile)).unwrap();
    let extent = Extent::new(1024, operands.len().div_ceil(1024) as u32);
    let mut padded = operands.to_vec();
    padded.resize(extent.texels(), [1.0; 4]);
    let given = context.texture(extent, &padded).unwrap();
    let mut out = context.uninit::<Quad>(extent).unwrap();
    out.fill([f32::NAN; 4]).unwrap();
    kernel.pass().input("operands", &given).draw(&mut out).unwrap();
    let mut results = out.read().unwrap();
    results.truncate(operands.len());
    results
}

/// How many f32 lie between two numbers; a NaN and a number are as far apart as can be.
pub fn ulps(a: f32, b: f32) -> u64 {
    quadrille::testing::ulps(a, b).unwrap_or(u64::MAX)
}

/// The farthest, in units in the last place, that a component of a scalar opcode's result is from
/// the simulator's.
pub fn farthest(context: &Context, opcode: Opcode, profile: Profile, operands: &[f32]) -> [u64; 4] {
    let operands: Vec<Quad> = operands.iter().map(|x| [*x; 4]).collect();
    let text = format!("vp_{}(x.x)", opcode.name().to_lowercase());
    let got = call(context, &text, profile, &operands);
    let simulator = Simulator::of(&[single(opcode)], profile);
    let mut worst = [0; 4];
    for (operand, got) in operands.iter().zip(got) {
        let expected = simulator.run(&[], &[*operand; 16])[1];
        for i in 0..4 {
            worst[i] = ulps(got[i], expected[i]).max(worst[i]);
        }
    }
    worst
}

/// The largest distance of a call's number and the z of EXP or LOG.
pub fn farthest_z(context: &Context, text: &str, opcode: Opcode, operands: &[f32]) -> u64 {
    let quads: Vec<Quad> = operands.iter().map(|x| [*x; 4]).collect();
    let got = call(context, text, Profile::Modern, &quads);
    let simulator = Simulator::of(&[single(opcode)], Profile::Modern);
    let apart = quads
        .iter()
        .zip(got)
        .map(|(operand, got)| ulps(got[0], simulator.run(&[], &[*operand; 16])[1][2]));
    apart.max().unwrap_or(0)
}

/// Positive numbers with exponents in these, at random.
pub fn spread(exponents: std::ops::Range<i32>, count: usize) -> Vec<f32> {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let one = |_| {
        let exponent = (random.random_range(exponents.clone()) + 127) as u32;
        f32::from_bits(exponent << 23 | random.random_range(0..1 << 23))
    };
    (0..count).map(one).collect()
}

/// Numbers from `first` to `last`, evenly.
pub fn even(first: f32, last: f32, count: usize) -> Vec<f32> {
    (0..count).map(|i| first + (last - first) * (i as f32 / count as f32)).collect()
}

/// The device's results where GLSL leaves the rule open: the rule, the simulator's number, the
/// device's.
pub fn open_rules(context: &Context) -> Vec<(&'static str, f32, f32)> {
    let (infinity, nan) = (f32::INFINITY, f32::NAN);
    let rules: [(&str, Opcode, [f32; 3]); 13] = [
        ("0 x inf", Opcode::Mul, [0.0, infinity, 0.0]),
        ("0 x NaN", Opcode::Mul, [0.0, nan, 0.0]),
        ("0 x inf + 1", Opcode::Mad, [0.0, infinity, 1.0]),
        ("a denormal operand", Opcode::Mov, [1e-40, 0.0, 0.0]),
        ("a denormal in arithmetic", Opcode::Add, [1e-40, 0.0, 0.0]),
        ("a denormal result", Opcode::Mul, [1e-20, 1e-20, 0.0]),
        ("a denormal compared", Opcode::Slt, [0.0, 1e-40, 0.0]),
        ("max(NaN, 1)", Opcode::Max, [nan, 1.0, 0.0]),
        ("max(1, NaN)", Opcode::Max, [1.0, nan, 0.0]),
        ("min(NaN, 1)", Opcode::Min, [nan, 1.0, 0.0]),
        ("min(1, NaN)", Opcode::Min, [1.0, nan, 0.0]),
        ("NaN < 1", Opcode::Slt, [nan, 1.0, 0.0]),
        ("NaN >= 1", Opcode::Sge, [nan, 1.0, 0.0]),
    ];
    let rule = |(name, opcode, given): (&'static str, Opcode, [f32; 3])| {
        let mut inputs = [[0.0; 4]; 16];
        for (input, number) in inputs.iter_mut().zip(given) {
            *input = [number; 4];
        }
        let program = [single(opcode)];
        let expected = Simulator::of(&program, Profile::Modern).run(&[], &inputs)[1][0];
        let runner = Runner::new(context, &program, Profile::Modern);
        (name, expected, runner.run(&[[0.0; 4]; CONSTANTS], &[inputs])[0][1][0])
    };
    rules.into_iter().map(rule).collect()
}

pub fn operand(register: Register) -> Operand {
    Operand { register, swizzle: [0, 1, 2, 3], negated: false }
}

/// The opcode over v[0], v[1], v[2], into o[1] or the address.
pub fn single(opcode: Opcode) -> Instruction {
    let swizzle = if opcode.is_scalar() { [0; 4] } else { [0, 1, 2, 3] };
    let operands = (0..opcode.operands() as u8)
        .map(|i| Operand { swizzle, ..operand(Register::Input(i)) })
        .collect();
    let arl = opcode == Opcode::Arl;
    let destination = if arl { Destination::Address } else { Destination::Output(1) };
    Instruction { opcode, destination, mask: [true; 4], operands }
}

/// An instruction at random that reads from four temporaries, the inputs and the constants, and
/// writes `destination`.
pub fn random_instruction(
    random: &mut Pcg64Mcg,
    opcode: Opcode,
    destination: Destination,
) -> Instruction {
    let scalar = opcode.is_scalar();
    let mut one = || {
        let register = match random.random_range(0..8) {
            0 => Register::Input(random.random_range(0..16)),
            1 => Register::Constant(random.random_range(0..CONSTANTS as u16)),
            2 => Register::Relative(random.random_range(-20..60)),
            _ => Register::Temporary(random.random_range(0..4)),
        };
        let all = random.random_range(0..4);
        let any = std::array::from_fn(|_| random.random_range(0..4));
        let swizzle = match random.random_range(0..3) {
            0 if !scalar => [0, 1, 2, 3],
            1 if !scalar => any,
            _ => [all; 4],
        };
        Operand { register, swizzle, negated: random.random_range(0..4) == 0 }
    };
    let operands = (0..opcode.operands()).map(|_| one()).collect();
    let some: [bool; 4] = std::array::from_fn(|_| random.random_range(0..3) > 0);
    let mask = if some == [false; 4] || destination == Destination::Address {
        [true, false, false, false]
    } else {
        some
    };
    Instruction { opcode, destination, mask, operands }
}
