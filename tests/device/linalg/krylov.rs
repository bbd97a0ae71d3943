//! Krylov methods on a device beside those on the host: the operations of their spaces, and the
//! solver.

use crate::common::{Flavour, by_turns, random};
use quadrille::data::{NineBanded, Stencil, random_couplings};
use quadrille::internal::Ability;
use quadrille::linalg::jacobi::ComputeShape;
use quadrille::linalg::krylov::{DeviceSpace, Factor, HostSpace, NextDirection, Space};
use quadrille::linalg::nine_banded::Operator;
use quadrille::linalg::solve::{Ending, Error, Method, Options, Precision, Preconditioner, Solver};
use quadrille::stream::Engine;
use quadrille::{Context, Kind};

fn stencil(text: &str) -> NineBanded {
    text.parse::<Stencil>().unwrap().matrix().unwrap()
}

fn doubles(count: usize, seed: u64) -> Vec<f64> {
    random(count, seed).into_iter().map(f64::from).collect()
}

/// The numbers that an operation computes.
type Named = (String, Vec<f64>);

/// A space with vectors x, y and z of given numbers.
struct Bench<S: Space> {
    space: S,
    vectors: [S::Vector; 3],
}

impl<S: Space> Bench<S>
where
    S::Error: std::fmt::Debug,
{
    fn new(space: S) -> Bench<S> {
        let vector = |seed| {
            let mut vector = space.vector().unwrap();
            space.write(&doubles(space.length(), seed), 1.0, &mut vector).unwrap();
            vector
        };
        Bench { vectors: [1, 2, 3].map(vector), space }
    }

    fn numbers(&self, vector: &S::Vector) -> Vec<f64> {
        let mut numbers = vec![0.0; self.space.length()];
        self.space.add_to(vector, 1.0, &mut numbers).unwrap();
        numbers
    }

    /// The results of each operation, one list for all.
    fn results(mut self) -> Vec<Named> {
        let mut results = Vec::new();
        let scalar = |value| self.space.scalar(value).unwrap();
        let (three, half) = (scalar(3.0), scalar(-0.5));
        let factors = |scalar, other| {
            let [number, quotient] = [Factor::Number(0.75), Factor::Quotient(scalar, other)];
            [number, Factor::Scalar(scalar), Factor::Minus(scalar), quotient]
        };
        let zero = scalar(0.0);
        for (i, a) in factors(&half, &three).into_iter().enumerate() {
            for (j, b) in factors(&half, &zero).into_iter().enumerate() {
                let [x, y, _] = &mut self.vectors;
                self.space.write(&doubles(self.space.length(), 2), 1.0, y).unwrap();
                self.space.axpby(a, x, b, y).unwrap();
                results.push((format!("axpby {i} {j}"), self.numbers(&self.vectors[1])));
            }
        }
        let [x, y, z] = &mut self.vectors;
        self.space.multiply(x, y, z).unwrap();
        results.push(("multiply".into(), self.numbers(&self.vectors[2])));
        let mut product = self.space.scalar(9.0).unwrap();
        let [x, y, z] = &mut self.vectors;
        self.space.multiply_and_dot(x, y, z, &mut product).unwrap();
        results.push(("multiply with dot".into(), self.numbers(&self.vectors[2])));
        results.push(("dot with multiply".into(), vec![self.space.value(&product).unwrap()]));
        let [x, _, z] = &mut self.vectors;
        self.space.apply(x, z).unwrap();
        results.push(("apply".into(), self.numbers(&self.vectors[2])));
        let mut product = self.space.scalar(f64::from(f32::MAX)).unwrap();
        let [x, _, z] = &mut self.vectors;
        self.space.apply_and_dot(x, z, &mut product).unwrap();
        results.push(("apply and dot".into(), vec![self.space.value(&product).unwrap()]));
        let [x, y, z] = &mut self.vectors;
        self.space.scale(-0.25, z).unwrap();
        let mut w = self.space.vector().unwrap();
        self.space.copy(y, &mut w).unwrap();
        self.space.advance(Factor::Scalar(&three), (x, y), (&w, z)).unwrap();
        results.push(("advance x".into(), self.numbers(&self.vectors[1])));
        results.push(("advance r".into(), self.numbers(&self.vectors[2])));
        self.fused(&mut results);
        self.space.clear(&mut self.vectors[2]).unwrap();
        results.push(("clear".into(), self.numbers(&self.vectors[2])));
        results.push(("norm".into(), vec![self.space.norm(&self.vectors[0]).unwrap()]));
        let mut dot = self.space.scalar(0.0).unwrap();
        self.space.dot(&self.vectors[0], &self.vectors[0], &mut dot).unwrap();
        results.push(("dot".into(), vec![self.space.value(&dot).unwrap()]));
        results.push(("numbers".into(), self.scalars()));
        results
    }

    /// The halves of a step of conjugate gradients, which devices may do at once.
    fn fused(&mut self, results: &mut Vec<Named>) {
        let count = self.space.length();
        let fresh = |seed| {
            let mut vector = self.space.vector().unwrap();
            self.space.write(&doubles(count, seed), 1.0, &mut vector).unwrap();
            vector
        };
        let [d, mut r, mut p, mut x] = [11, 12, 13, 14].map(fresh);
        let (mut q, scalar) = (fresh(15), |value| self.space.scalar(value).unwrap());
        let (above, below) = (scalar(0.3), scalar(-0.4));
        let (mut product, mut weight) = (scalar(9.0), scalar(9.0));
        let space = &self.space;
        let terms = NextDirection { d: &d, r: &r, above: &above, below: &below };
        space.direct_and_apply(terms, &mut p, &mut q, &mut product).unwrap();
        results.push(("direction".into(), self.numbers(&p)));
        results.push(("its product".into(), self.numbers(&q)));
        results.push(("its curvature".into(), vec![space.value(&product).unwrap()]));
        let a = Factor::Quotient(&above, &below);
        space.advance_and_weigh(a, (&p, &mut x), (&mut q, &mut r), &d, &mut weight).unwrap();
        results.push(("x after it".into(), self.numbers(&x)));
        results.push(("r after it".into(), self.numbers(&r)));
        results.push(("weight".into(), vec![space.value(&weight).unwrap()]));
    }

    fn scalars(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        let (mut quotient, mut least) =
            (self.space.scalar(9.0).unwrap(), self.space.scalar(f64::from(f32::MAX)).unwrap());
        for (a, b) in [(3.0, 4.0), (-3.0, 0.5), (3.0, 0.0), (0.0, 0.0), (0.0, 7.0)] {
            let (a, b) = (self.space.scalar(a).unwrap(), self.space.scalar(b).unwrap());
            self.space.divide(&a, &b, &mut quotient).unwrap();
            self.space.least(&quotient, &mut least).unwrap();
            numbers.push(self.space.value(&quotient).unwrap());
            numbers.push(self.space.value(&least).unwrap());
        }
        numbers
    }
}

/// Single precision's distance after some ten roundings of numbers of these sizes: entries up to
/// about 10, sums of products of numbers below 1.
fn first_unlike(one: &[Named], other: &[Named], length: usize) -> Option<String> {
    let unlike = |((name, one), (_, other)): (&Named, &Named)| {
        let size = if one.len() == 1 { 20.0 * length as f64 } else { 40.0 };
        let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 2e-7 * size;
        let alike = one.len() == other.len() && one.iter().zip(other).all(near);
        (!alike).then(|| name.clone())
    };
    one.iter().zip(other).find_map(unlike)
}

fn matrix(n: usize, m: usize) -> NineBanded {
    let mut numbers = random(9 * n, n as u64).into_iter();
    random_couplings(n, m, || numbers.next().unwrap()).unwrap()
}

/// Every operation, also in panels.
#[test]
fn the_operations_of_a_devices_space_are_the_hosts() {
    let check = |operator: Operator| {
        let matrix = operator.matrix().clone();
        let (n, m) = (matrix.n(), matrix.m());
        let host = Bench::new(HostSpace::<f64>::new(&matrix).unwrap()).results();
        let device = Bench::new(DeviceSpace::with(operator).unwrap()).results();
        assert_eq!(first_unlike(&host, &device, n), None, "{n} in rows of {m}");
        // A comparison that could not fail would show nothing.
        for at in 0..host.len() {
            let mut wrong = device.clone();
            let last = wrong[at].1.len() - 1;
            wrong[at].1[last] += 0.01 * if wrong[at].1.len() == 1 { n as f64 } else { 1.0 };
            let named = first_unlike(&host, &wrong, n);
            assert_eq!(named.as_ref(), Some(&host[at].0));
        }
    };
    let usual = |context: &Context, &(n, m): &(usize, usize)| {
        check(Operator::new(context, &matrix(n, m)).unwrap());
    };
    by_turns([(1, 3), (23, 5), (293, 17)], usual);
    let small = Flavour::Gl.builder().without(Ability::LargerTextures(45));
    usual(&small.build().unwrap(), &(293, 17));
    // Hardware computes the direction in tiles.
    let Some(context) = crate::common::computing() else { return };
    for (n, m) in [(1, 3), (293, 17), (1400, 130)] {
        let (matrix, shape) = (matrix(n, m), ComputeShape { group: [8, 8], ..ComputeShape::TILE });
        check(Operator::with_shape(&context, &matrix, Engine::Compute, shape).unwrap());
    }
}

/// Some steps more than on the host are those up to the next look at the residual, and what
/// rounding in another order does.
#[test]
fn a_device_solves_as_the_host_does() {
    let cases = [
        ("poisson5:24x17", Method::Cg, Preconditioner::Jacobi),
        ("fe9:21", Method::Cg, Preconditioner::Identity),
        ("fe9:19x30", Method::BiCgStab, Preconditioner::Identity),
        ("heat9:13", Method::Jacobi, Preconditioner::Jacobi),
    ];
    by_turns(cases, |context, &(text, method, with)| {
        let matrix = stencil(text);
        let b = doubles(matrix.n(), 4);
        let options = Options::new().method(method).preconditioner(with).tolerance(1e-11);
        let host = Solver::on_host(&matrix, options).unwrap().solve(&b).unwrap();
        let mut solver = Solver::new(context, &matrix, options).unwrap();
        solver.warm_up().unwrap();
        let device = solver.solve(&b).unwrap();
        let again = solver.solve(&b).unwrap();
        assert_eq!((&device.x, device.iterations), (&again.x, again.iterations), "{text}");
        let (few, steps) = (host.iterations, device.iterations);
        println!("{text} {method} {with}: {few} steps on the host, {steps} on the device");
        assert!(steps as f64 <= 1.1 * few as f64 + 4.0, "{text}: {few}, {steps}");
        assert!(device.residual <= 1e-11, "{text}");
        let off = device.x.iter().zip(&host.x).map(|(x, host)| (x - host).abs());
        assert!(off.fold(0.0, f64::max) < 1e-8, "{text}");
    });
}

/// The sums of panels are added in another order, so that some numbers differ in their last bits.
#[test]
fn a_system_larger_than_the_textures_is_solved_in_panels() {
    let whole = Context::headless().unwrap();
    let cut = Context::builder().without(Ability::LargerTextures(45)).build().unwrap();
    let matrix = stencil("fe9:37x43");
    let b = doubles(matrix.n(), 5);
    // Hardware looks at the residual less often.
    let options = Options::new().tolerance(1e-10).check_every(1);
    let solve = |context: &Context| {
        let solution = Solver::new(context, &matrix, options).unwrap().solve(&b).unwrap();
        (solution.iterations, solution.residual)
    };
    let (one, other) = (solve(&whole), solve(&cut));
    assert!(one.0.abs_diff(other.0) <= 4 + one.0 / 10, "{one:?} {other:?}");
}

/// Tests what 32-bit floats reach, and what they do not.
#[test]
fn single_precision_ends_where_it_can() {
    let context = Context::headless().unwrap();
    let matrix = stencil("poisson5:20");
    let b = doubles(400, 6);
    for (tolerance, ending) in [(1e-5, Ending::Converged), (1e-12, Ending::Stagnated)] {
        let options = Options::new().precision(Precision::Single).tolerance(tolerance);
        let result = Solver::new(&context, &matrix, options).unwrap().solve(&b);
        let failed = result.as_ref().err().map(Error::kind);
        let solution = result.or_else(Error::into_nearest).unwrap();
        assert_eq!(solution.ending, ending, "{:e}", solution.residual);
        assert!(solution.residual < 1e-5);
        assert_eq!(failed, (ending != Ending::Converged).then_some(Kind::Failed));
    }
}

/// The operator has nine numbers an unknown.
#[test]
fn cg_keeps_the_operator_and_six_vectors() {
    let context = Context::headless().unwrap();
    let before = context.objects().unwrap().bytes;
    let matrix = stencil("poisson5:128");
    let options = Options::new().precision(Precision::Single).iterations(6);
    let mut solver = Solver::new(&context, &matrix, options).unwrap();
    solver.solve(&doubles(matrix.n(), 7)).or_else(Error::into_nearest).unwrap();
    let vector = 4.0 * matrix.n() as f64;
    let kept = (context.objects().unwrap().bytes - before) as f64 / vector;
    assert!(kept <= 1.1 * (9.0 + 6.0), "{kept} vectors");
}
