//! Faults that the checks must see.

use super::*;

/// Every operation on every engine, and the transfers. An upload sends the host's numbers, so
/// nothing can differ but the way.
fn checked(context: &Context) -> Vec<(Operation, Option<Engine>)> {
    let mut checked = super::super::sized(context, &Operation::ALL);
    checked.retain(|(operation, _)| *operation != Operation::Upload);
    checked
}

/// A number of x instead of the one at this place, by which the result is twice its bound away.
fn moved(vectors: &Vectors, operation: Operation, engine: Option<Engine>, at: usize) -> f32 {
    let [x, y] = [0, 1].map(|vector: usize| vectors.host[vector].as_flattened());
    let off = 2.1 * vectors.bound(operation, engine) * reduced(operation, x, y).1;
    let (here, other) = (f64::from(x[at]), f64::from(y[at]));
    let far = |a: f32, b: f32| {
        let [a, b] = [a, b].map(f64::from);
        here + 8.0 * 0.5_f64.powi(24) * ((a * here).abs() + (b * other).abs()) / a
    };
    let moved = match operation {
        Operation::Copy | Operation::Scal => far(1.0, 0.0),
        Operation::Saxpy => far(A, 1.0),
        Operation::Axpby => far(A, B),
        Operation::Map => far(A, 1.0 + A),
        Operation::Rot => far(ROTATION[0], ROTATION[1]),
        Operation::Scan => {
            here + 2.1 * vectors.bound(operation, engine) * (twin::asum(&x[..=at]) + 1.0)
        }
        Operation::Sum | Operation::SumInto => here + off,
        Operation::Asum | Operation::AsumInto => here + off.copysign(here),
        Operation::Dot | Operation::DotInto => here + off / other,
        Operation::Norm | Operation::Nrm2 | Operation::Nrm2Into => {
            (here * here + 2.1 * off * twin::nrm2(x)).sqrt()
        }
        Operation::Iamax => 1.5,
        _ => f64::from(x[at].next_up()),
    };
    moved as f32
}

#[test]
fn one_number_that_the_device_has_otherwise_is_noticed() {
    let context = Context::headless().unwrap();
    let mut vectors = Vectors::new(&context, 10_007).unwrap();
    let right = vectors.host.clone();
    // Far from zero, so that it counts in every operation.
    let of =
        |at: &usize| right[0].as_flattened()[*at].abs().min(right[1].as_flattened()[*at].abs());
    let at = (0..1000).find(|at| of(at) > 0.5).unwrap();
    for (operation, engine) in checked(&context) {
        let name = operation.name();
        assert!(vectors.check(operation, engine).unwrap().is_right(), "{name} on {engine:?}");
        let far = moved(&vectors, operation, engine, at);
        for other in [far, 2.0, f32::NAN, f32::INFINITY] {
            // What the twin is given is not what the device was sent.
            vectors.send().unwrap();
            vectors.host[0].as_flattened_mut()[at] = other;
            let got = vectors.check_sent(operation, engine).unwrap();
            vectors.host[0].clone_from(&right[0]);
            assert!(!got.is_right(), "{name} with {other} on {engine:?}: {got:?}");
        }
    }
}

#[test]
fn a_pass_too_many_and_a_texel_too_few_are_noticed() {
    let context = Context::headless().unwrap();
    let mut vectors = Vectors::new(&context, 16).unwrap();
    for operation in [Operation::Pass, Operation::Dispatch] {
        vectors.perform(operation, None).unwrap();
        assert!(!vectors.check(operation, None).unwrap().is_right());
    }
    assert!(!same(&[[1.0; 4]; 2], &[[1.0; 4]; 3]).is_right());
    assert!(!same(&[[1.0; 4]; 3], &[[1.0; 4]; 2]).is_right());
}
