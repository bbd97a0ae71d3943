#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use quadrille::testing::largest;

use super::functions::{exp, log};
use super::*;

const INF: f32 = f32::INFINITY;

fn operand(register: Register) -> Operand {
    Operand { register, swizzle: [0, 1, 2, 3], negated: false }
}

/// Returns the opcode over v[0], v[1], v[2] into o[1].
fn instruction(opcode: Opcode) -> Instruction {
    let swizzle = if opcode.is_scalar() { [0; 4] } else { [0, 1, 2, 3] };
    let operands = (0..opcode.operands() as u8)
        .map(|i| Operand { swizzle, ..operand(Register::Input(i)) })
        .collect();
    let destination = match opcode {
        Opcode::Arl => Destination::Address,
        _ => Destination::Output(1),
    };
    Instruction { opcode, destination, mask: [true; 4], operands }
}

fn compute(opcode: Opcode, operands: &[Quad]) -> Quad {
    let mut inputs = [[0.0; 4]; 16];
    inputs[..operands.len()].copy_from_slice(operands);
    Simulator::of(&[instruction(opcode)], Profile::Modern).run(&[], &inputs)[1]
}

/// The same to the bit, but that every NaN is alike.
#[track_caller]
fn same(got: Quad, expected: Quad) {
    for (got, expected) in got.iter().zip(&expected) {
        let alike = got.is_nan() && expected.is_nan() || got.to_bits() == expected.to_bits();
        assert!(alike, "{got:?} is not {expected:?}");
    }
}

#[test]
fn zero_times_anything_is_zero() {
    let (a, b) = ([0.0, -0.0, INF, f32::NAN], [INF, f32::NAN, 0.0, 0.0]);
    same(compute(Opcode::Mul, &[a, b]), [0.0; 4]);
    same(compute(Opcode::Mad, &[a, b, [1.0; 4]]), [1.0; 4]);
    same(compute(Opcode::Dp4, &[a, b]), [0.0; 4]);
    same(compute(Opcode::Dp3, &[[0.0, 2.0, 0.0, INF], [INF, 3.0, INF, INF]]), [6.0; 4]);
    same(compute(Opcode::Dph, &[[0.0, 2.0, 1.0, INF], [INF, 3.0, 4.0, 5.0]]), [15.0; 4]);
    same(compute(Opcode::Dst, &[[9.0, 0.0, 3.0, 9.0], [9.0, INF, 9.0, 4.0]]), [1.0, 0.0, 3.0, 4.0]);
    same(compute(Opcode::Mul, &[[INF; 4], [1.0, -1.0, INF, 2.0]]), [INF, -INF, INF, INF]);
}

#[test]
fn denormals_are_zeros_of_their_sign_as_operands_and_as_results() {
    let denormal = f32::from_bits(1);
    same(compute(Opcode::Mov, &[[denormal, -denormal, 1.0, -0.0]]), [0.0, -0.0, 1.0, -0.0]);
    same(compute(Opcode::Mul, &[[1e-30, 1e-30, denormal, 2.0]; 2]), [0.0, 0.0, 0.0, 4.0]);
    same(compute(Opcode::Rcp, &[[denormal; 4]]), [INF; 4]);
    same(compute(Opcode::Sge, &[[0.0; 4], [denormal; 4]]), [1.0; 4]);
    // Below the smallest normal by a subtraction.
    let (a, b) = (f32::MIN_POSITIVE * 1.5, f32::MIN_POSITIVE);
    same(compute(Opcode::Sub, &[[a; 4], [b; 4]]), [0.0; 4]);
}

#[test]
fn comparisons_take_the_operand_that_the_rule_names() {
    let (a, b) = ([1.0, -0.0, f32::NAN, 2.0], [2.0, 0.0, 3.0, f32::NAN]);
    same(compute(Opcode::Max, &[a, b]), [2.0, -0.0, 3.0, f32::NAN]);
    same(compute(Opcode::Min, &[a, b]), [1.0, 0.0, 3.0, f32::NAN]);
    same(compute(Opcode::Slt, &[a, b]), [1.0, 0.0, 0.0, 0.0]);
    same(compute(Opcode::Sge, &[a, b]), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn reciprocals_are_right_at_their_edges() {
    let least = 0.5_f32.powi(64);
    for (x, rcp, rcc, rsq) in [
        (1.0, 1.0, 1.0, 1.0),
        (0.0, INF, 18446744073709551616.0, INF),
        (-0.0, -INF, -18446744073709551616.0, INF),
        (INF, 0.0, least, 0.0),
        (-INF, -0.0, -least, 0.0),
        (-4.0, -0.25, -0.25, 0.5),
        (1e-30, 1e30, 18446744073709551616.0, 1e15),
    ] {
        same(compute(Opcode::Rcp, &[[x; 4]]), [rcp; 4]);
        same(compute(Opcode::Rcc, &[[x; 4]]), [rcc; 4]);
        same(compute(Opcode::Rsq, &[[x; 4]]), [rsq; 4]);
    }
}

#[test]
fn exp_and_log_are_right_at_their_edges() {
    for (x, expected) in [
        (0.0, [1.0, 0.0, 1.0, 1.0]),
        (3.5, [8.0, 0.5, 11.313708, 1.0]),
        (-1.25, [0.25, 0.75, 0.420_448_2, 1.0]),
        (-126.0, [f32::MIN_POSITIVE, 0.0, f32::MIN_POSITIVE, 1.0]),
        (-126.5, [0.0, 0.5, 0.0, 1.0]),
        (128.0, [INF, 0.0, INF, 1.0]),
        (INF, [INF, 0.0, INF, 1.0]),
        (-INF, [0.0, 0.0, 0.0, 1.0]),
        (f32::NAN, [f32::NAN, f32::NAN, f32::NAN, 1.0]),
    ] {
        same(compute(Opcode::Exp, &[[x; 4]]), expected);
    }
    for (x, expected) in [
        (0.0, [-INF, 1.0, -INF, 1.0]),
        (1.0, [0.0, 1.0, 0.0, 1.0]),
        (-12.0, [3.0, 1.5, 3.584_962_5, 1.0]),
        (f32::MIN_POSITIVE, [-126.0, 1.0, -126.0, 1.0]),
        (INF, [INF, 1.0, INF, 1.0]),
        (-INF, [INF, 1.0, INF, 1.0]),
        (f32::NAN, [f32::NAN, f32::NAN, f32::NAN, 1.0]),
    ] {
        same(compute(Opcode::Log, &[[x; 4]]), expected);
    }
}

#[test]
fn the_light_formula_clamps_and_knows_zero_to_the_zero() {
    let lit = |x: f32, y: f32, w: f32| compute(Opcode::Lit, &[[x, y, 99.0, w]]);
    same(lit(0.5, 3.0, 2.0), [1.0, 0.5, 9.0, 1.0]);
    same(lit(0.0, 3.0, 2.0), [1.0, 0.0, 0.0, 1.0]);
    same(lit(-1.0, 3.0, 2.0), [1.0, 0.0, 0.0, 1.0]);
    same(lit(1.0, -3.0, 2.0), [1.0, 1.0, 0.0, 1.0]);
    same(lit(1.0, 0.0, 0.0), [1.0, 1.0, 1.0, 1.0]);
    same(lit(1.0, 0.0, -1.0), [1.0, 1.0, INF, 1.0]);
    same(lit(1.0, 0.5, 1000.0), [1.0, 1.0, 0.0, 1.0]);
    same(lit(1.0, 2.0, 1000.0), [1.0, 1.0, 127.99609375_f64.exp2() as f32, 1.0]);
}

#[test]
fn the_periods_exp_and_log_are_within_their_bound_and_not_better() {
    let bound = 0.5_f64.powi(11);
    let (mut exps, mut logs) = (Vec::new(), Vec::new());
    for i in 0..1 << 20 {
        let x = i as f32 / (1 << 20) as f32;
        let [power, rest, z, _] = exp(x, Profile::Period);
        assert_eq!((power, rest), (1.0, x));
        exps.push(f64::from(z) - f64::from(x).exp2());
        for exponent in [0, 127] {
            let y = (1.0 + x) * (exponent as f32).exp2();
            let [at, mantissa, z, _] = log(y, Profile::Period);
            assert_eq!((at, mantissa), (exponent as f32, 1.0 + x));
            logs.push(f64::from(z) - f64::from(y).log2());
        }
    }
    let (worst_exp, worst_log) = (largest(exps), largest(logs));
    assert!(worst_exp < bound && worst_exp > 0.6 * bound, "{}", worst_exp / bound);
    assert!(worst_log < bound && worst_log > 0.6 * bound, "{}", worst_log / bound);
}

#[test]
fn a_relative_address_reads_zeros_outside_the_ninety_six() {
    let mut read = instruction(Opcode::Mov);
    read.operands = vec![operand(Register::Relative(10))];
    let simulator = Simulator::of(&[instruction(Opcode::Arl), read], Profile::Modern);
    let constants: Vec<Quad> = (0..200).map(|i| [i as f32; 4]).collect();
    let at = |x: f32| {
        let mut inputs = [[0.0; 4]; 16];
        inputs[0][0] = x;
        let all = simulator.run(&constants, &inputs)[1][0];
        let few = simulator.run(&constants[..20], &inputs)[1][0];
        (all, few)
    };
    assert_eq!(at(0.0), (10.0, 10.0));
    assert_eq!(at(9.99), (19.0, 19.0));
    assert_eq!(at(10.0), (20.0, 0.0));
    assert_eq!(at(-0.5), (9.0, 9.0));
    assert_eq!(at(85.9), (95.0, 0.0));
    for x in [86.0, -10.5, 1e30, -1e30, INF, -INF, f32::NAN] {
        assert_eq!(at(x), (0.0, 0.0), "{x}");
    }
}

#[test]
fn registers_start_as_the_specification_says_and_masks_keep_the_rest() {
    let mut first = instruction(Opcode::Add);
    first.destination = Destination::Temporary(3);
    first.mask = [false, true, false, false];
    first.operands = vec![operand(Register::Input(1)); 2];
    let mut second = instruction(Opcode::Mov);
    second.mask = [true, true, false, false];
    second.operands =
        vec![Operand { register: Register::Temporary(3), swizzle: [1, 2, 3, 0], negated: true }];
    let mut inputs = [[0.0; 4]; 16];
    inputs[1] = [1.0, 2.0, 3.0, 4.0];
    let outputs = Simulator::of(&[first, second], Profile::Modern).run(&[], &inputs);
    assert_eq!(outputs[0], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(outputs[1], [-4.0, 0.0, 0.0, 1.0]);
}
