//! Translated programs on the device against the simulator: what must agree to the bit, and how far
//! apart the rest is, number by number.

use crate::common::systems::gamma;
use crate::common::vertex_programs::{self, CONSTANTS, Inputs, Quad, Runner};
use crate::common::vertex_programs::{even, farthest, farthest_z, open_rules, operand};
use crate::common::vertex_programs::{random_instruction, spread, ulps};
use crate::common::{Flavour, mesa};
use quadrille_vp::vector_machine::isa::{Destination, Instruction, Opcode, Register};
use quadrille_vp::vector_machine::{Profile, Simulator};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Opcodes whose every result is rounded in one way everywhere; those that are not are `INEXACT`.
const EXACT: [Opcode; 15] = [
    Opcode::Arl,
    Opcode::Mov,
    Opcode::Mul,
    Opcode::Add,
    Opcode::Mad,
    Opcode::Sub,
    Opcode::Abs,
    Opcode::Dp3,
    Opcode::Dp4,
    Opcode::Dph,
    Opcode::Dst,
    Opcode::Min,
    Opcode::Max,
    Opcode::Slt,
    Opcode::Sge,
];
const INEXACT: [Opcode; 6] =
    [Opcode::Rcp, Opcode::Rcc, Opcode::Rsq, Opcode::Exp, Opcode::Log, Opcode::Lit];

/// Invocations of a random program.
const INVOCATIONS: usize = 37;

/// A program at random, what it computes with, and nothing in it that GLSL leaves open: a step
/// whose result would leave 1e-6 to 1e6 in any invocation is not taken.
struct Case {
    program: Vec<Instruction>,
    constants: [Quad; CONSTANTS],
    inputs: Vec<Inputs>,
}

impl Case {
    fn random(seed: u64, profile: Profile) -> Case {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut quad = || std::array::from_fn(|_| random.random_range(-4.0_f32..4.0));
        let constants = std::array::from_fn(|_| quad());
        let inputs = (0..INVOCATIONS).map(|_| std::array::from_fn(|_| quad())).collect();
        let load = |i: u8| Instruction {
            destination: Destination::Temporary(i.into()),
            operands: vec![operand(Register::Input(i))],
            ..vertex_programs::single(Opcode::Mov)
        };
        let mut case = Case { program: (0..4).map(load).collect(), constants, inputs };
        while case.program.len() < 40 {
            let next = case.next(&mut random);
            let moderate = case.after(&next, profile).iter().flatten().all(|x| is_moderate(*x));
            if moderate || next.destination == Destination::Address {
                case.program.push(next);
            }
        }
        case
    }

    /// Draws the next instruction: exact results go on through four temporaries; others go straight
    /// to an output.
    fn next(&self, random: &mut Pcg64Mcg) -> Instruction {
        let any = |random: &mut Pcg64Mcg, from: &[Opcode]| from[random.random_range(0..from.len())];
        match random.random_range(0..3) {
            0 => {
                let destination = Destination::Output(random.random_range(1..15));
                let opcode = any(random, &INEXACT);
                random_instruction(random, opcode, destination)
            }
            _ => {
                let opcode = any(random, &EXACT);
                let destination = match opcode {
                    Opcode::Arl => Destination::Address,
                    _ => Destination::Temporary(random.random_range(0..4)),
                };
                random_instruction(random, opcode, destination)
            }
        }
    }

    /// The output of the next step, in every invocation.
    fn after(&self, next: &Instruction, profile: Profile) -> Vec<Quad> {
        let mut longer = self.program.clone();
        longer.push(Instruction { destination: Destination::Output(0), ..next.clone() });
        let simulator = Simulator::of(&longer, profile);
        self.inputs.iter().map(|inputs| simulator.run(&self.constants, inputs)[0]).collect()
    }
}

fn is_moderate(x: f32) -> bool {
    x == 0.0 || (1e-6..1e6).contains(&x.abs())
}

/// Allows for fused operations: without `precise` a compiler may fuse a product of one instruction
/// with a sum of the next.
#[test]
fn random_programs_agree_with_the_simulator() {
    crate::common::on(&[Flavour::Gl], |context| random_programs_agree(context, 6));
    crate::common::on(&[Flavour::Gles], |context| random_programs_agree(context, 2));
}

fn random_programs_agree(context: &quadrille::Context, programs: u64) {
    let abilities = context.abilities();
    assert!(abilities.precise || !abilities.renderer.contains("llvmpipe"), "nothing tested");
    if !context.abilities().precise {
        return crate::common::not_tested("no `precise`");
    }
    for profile in Profile::ALL {
        for seed in 0..programs {
            agree(context, &Case::random(seed, profile), profile);
        }
    }
}

/// The temporaries at the end to the bit, the outputs of what is inexact within its ulps.
fn agree(context: &quadrille::Context, case: &Case, profile: Profile) {
    let mut program = case.program.clone();
    for i in 0..4 {
        let mut show = vertex_programs::single(Opcode::Mov);
        show.operands = vec![operand(Register::Temporary(i))];
        show.destination = Destination::Output(1 + i as u8);
        program.push(show);
    }
    let simulator = Simulator::of(&program, profile);
    let got = Runner::new(context, &program, profile).run(&case.constants, &case.inputs);
    let mut distinct = std::collections::HashSet::new();
    for (inputs, got) in case.inputs.iter().zip(got) {
        let expected = simulator.run(&case.constants, inputs);
        for (i, (got, expected)) in got.iter().zip(&expected).enumerate() {
            for (got, expected) in got.iter().zip(expected) {
                distinct.insert(expected.to_bits());
                // A power here is 2 to at most 20; see the bound of LIT below.
                let allowed = if (1..5).contains(&i) { 0 } else { 60 };
                assert!(
                    ulps(*got, *expected) <= allowed,
                    "o[{i}]: {got:?}, not {expected:?}, in\n{}",
                    quadrille_vp::vector_machine::translate(&program)
                );
            }
        }
    }
    assert!(distinct.len() > 100, "only {} different results", distinct.len());
}

/// Compares one instruction, in any flavour: fused or added in another order, it is off by what a
/// sum of four products may be.
#[test]
fn every_exact_instruction_is_the_simulators_where_precise_is_kept() {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut quad = || std::array::from_fn(|_| random.random_range(-4.0_f32..4.0));
    let inputs: Vec<Inputs> = (0..100).map(|_| std::array::from_fn(|_| quad())).collect();
    let constants = [[0.0; 4]; CONSTANTS];
    crate::common::each(|context| {
        for opcode in EXACT.into_iter().filter(|opcode| *opcode != Opcode::Arl) {
            let program = [vertex_programs::single(opcode)];
            let runner = Runner::new(context, &program, Profile::Modern);
            let simulator = Simulator::of(&program, Profile::Modern);
            let bound = if context.abilities().precise { 0.0 } else { gamma(4.0) * 4.0 * 16.0 };
            for (inputs, got) in inputs.iter().zip(runner.run(&constants, &inputs)) {
                let expected = simulator.run(&constants, inputs);
                for (got, expected) in got.as_flattened().iter().zip(expected.as_flattened()) {
                    let apart = f64::from((got - expected).abs());
                    assert!(apart <= bound, "{}: {got}, not {expected}", opcode.name());
                }
            }
        }
    });
}

/// The distance of a function from the simulator that any device may have, in units in the last
/// place: what GLSL promises of division and `inversesqrt`, and what the polynomials allow; and the
/// distance on llvmpipe, as docs/vector-machine.md has it.
#[test]
fn functions_are_near_the_simulators() {
    let n = 1 << 18;
    let tests: [(Opcode, [u64; 2], Vec<f32>); 7] = [
        (Opcode::Rcp, [3, 0], spread(-126..126, n)),
        (Opcode::Rcc, [3, 0], spread(-126..126, n)),
        (Opcode::Rsq, [3, 1], spread(-126..128, n)),
        (Opcode::Exp, [2, 1], even(-128.0, 129.0, n)),
        (Opcode::Exp, [2, 1], even(-1.0, 1.0, n)),
        (Opcode::Log, [2, 1], spread(-126..128, n)),
        (Opcode::Log, [2, 1], even(0.9, 1.1, n)),
    ];
    crate::common::each(|context| {
        let measured = context.abilities().renderer.contains("llvmpipe");
        for profile in Profile::ALL {
            for (opcode, allowed, operands) in &tests {
                let allowed = &allowed[usize::from(measured)];
                let worst = farthest(context, *opcode, profile, operands);
                let parts = matches!(opcode, Opcode::Exp | Opcode::Log);
                let bound = if parts { [0, 0, *allowed, 0] } else { [*allowed; 4] };
                eprintln!("{} of {profile}: {worst:?}", opcode.name());
                let near = worst.iter().zip(bound).all(|(worst, bound)| *worst <= bound);
                assert!(near, "{} of {profile}: {worst:?}, not {bound:?}", opcode.name());
            }
        }
    });
}

/// A power is 2^e with e = w log2 y. The logarithm is off by a unit and the product is rounded on
/// either side: e is off by 2 |e| 2^-23, the power by ln 2 of that, of which a unit may be 2^-24.
#[test]
fn light_is_near_the_simulators() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let bases = spread(-20..20, 1 << 16);
    let operands: Vec<Quad> =
        bases.iter().map(|y| [1.5, *y, 0.0, random.random_range(-130.0..130.0)]).collect();
    let simulator = Simulator::of(&[vertex_programs::single(Opcode::Lit)], Profile::Modern);
    crate::common::each(|context| {
        let got = vertex_programs::call(context, "vp_lit(x)", Profile::Modern, &operands);
        for (x, got) in operands.iter().zip(got) {
            let expected = simulator.run(&[], &[*x; 16])[1];
            assert_eq!((got[0], got[1], got[3]), (1.0, 1.5, 1.0));
            // Beyond them the power overflows or is no normal number.
            let exponent = (f64::from(x[3]) * f64::from(x[1]).log2()).abs();
            let allowed = if exponent > 125.9 { continue } else { 3.0 + 2.8 * exponent };
            let apart = ulps(got[2], expected[2]);
            assert!(apart as f64 <= allowed, "{x:?}: {got:?}, not {expected:?}");
        }
    });
}

/// Compares the edges of the functions that GLSL can keep.
#[test]
fn edges_are_the_simulators() {
    let infinity = f32::INFINITY;
    let least = f32::MIN_POSITIVE;
    let numbers = [0.0, -0.0, 1.0, -1.0, 1e-30, -1e30, 127.99, 128.0, -126.0, -126.5, 0.5, -1e-10];
    let numbers: Vec<f32> =
        numbers.into_iter().chain([infinity, -infinity, least, f32::NAN]).collect();
    crate::common::on_extremes(|context| {
        for profile in Profile::ALL {
            for opcode in [Opcode::Exp, Opcode::Log, Opcode::Rcp, Opcode::Rcc, Opcode::Rsq] {
                for x in &numbers {
                    let worst = farthest(context, opcode, profile, &[*x]);
                    let near = worst.iter().all(|worst| *worst <= 3);
                    assert!(near, "{} of {x}: {worst:?}", opcode.name());
                }
            }
        }
    });
}

/// Each of the three numbers that LIT reads at its edges, beside each of the others at theirs.
#[test]
fn the_edges_of_light_are_the_simulators() {
    let edges = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 127.0, 300.0, -300.0, f32::MIN_POSITIVE];
    let edges: Vec<f32> =
        edges.into_iter().chain([f32::INFINITY, f32::NEG_INFINITY, f32::NAN]).collect();
    let triples = edges.iter().flat_map(|x| edges.iter().map(move |y| (*x, *y)));
    let operands: Vec<Quad> =
        triples.flat_map(|(x, y)| edges.iter().map(move |w| [x, y, 7.0, *w])).collect();
    let simulator = Simulator::of(&[vertex_programs::single(Opcode::Lit)], Profile::Modern);
    crate::common::each(|context| {
        let got = vertex_programs::call(context, "vp_lit(x)", Profile::Modern, &operands);
        for (x, got) in operands.iter().zip(got) {
            let expected = simulator.run(&[], &[*x; 16])[1];
            let near = got.iter().zip(expected).all(|(got, expected)| ulps(*got, expected) <= 3);
            assert!(near, "LIT of {x:?}: {got:?}, not {expected:?}");
        }
    });
}

/// The table of docs/vector-machine.md, on the renderer that it was made on.
#[test]
fn what_glsl_leaves_open_is_as_the_documentation_says() {
    crate::common::each(|context| {
        let rules = open_rules(context);
        let broken: Vec<&str> = rules
            .iter()
            .filter(|(_, simulator, device)| ulps(*simulator, *device) > 0)
            .map(|(name, ..)| *name)
            .collect();
        eprintln!("not kept: {broken:?}");
        if context.abilities().renderer.contains("llvmpipe") {
            let mut documented = vec!["0 x inf", "0 x NaN", "0 x inf + 1", "a denormal operand"];
            let of_nan = ["max(1, NaN)", "min(1, NaN)"];
            match mesa(context) {
                Some((22, 3)) => {
                    if !context.abilities().precise {
                        documented.extend(of_nan);
                    }
                    assert_eq!(broken, documented);
                }
                // Of 25.0 as of 22.3; 26.2 may keep the NaN with `precise` too.
                _ => {
                    documented.extend(of_nan);
                    assert!(broken.iter().all(|name| documented.contains(name)), "{broken:?}");
                }
            }
        }
    });
}

/// Why 2^x and log2 are the translation's own.
#[test]
fn the_drivers_own_logarithm_may_have_no_digit_right() {
    crate::common::on(&[Flavour::Gl], |context| {
        let tests = [
            ("vec4(log2(x.x))", Opcode::Log, even(0.9, 1.1, 1 << 18)),
            ("vec4(exp2(x.x))", Opcode::Exp, even(-1.0, 1.0, 1 << 18)),
        ];
        let worst =
            tests.map(|(call, opcode, numbers)| farthest_z(context, call, opcode, &numbers));
        eprintln!("log2 near 1: {}, exp2: {}", worst[0], worst[1]);
        if context.abilities().renderer.contains("llvmpipe") {
            assert!(worst[0] > 1000, "{worst:?}: the translation could use it");
        }
    });
}
