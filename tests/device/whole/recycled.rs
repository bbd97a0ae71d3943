//! Textures and buffers that are not zero when they are new, or new again: every method, primitive and reduction gives
//! the bits that it gives on a context of its own. `QUADRILLE_POISON=nan` in the environment asks the same of all tests.

use crate::common::{EXTREMES, Flavour, clean, in_turn, random};
use quadrille::data::{
    ConstantOperator, Csr, Matrix, NineBanded, Side, Stencil, Stencil3, SystemMatrix,
};
use quadrille::grid::{DeviceGrid, DeviceVector};
use quadrille::internal::gl::poison;
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::jacobi::{Jacobi, Stop};
use quadrille::linalg::matmul;
use quadrille::linalg::multigrid;
use quadrille::linalg::solve::{
    Method, Options, Precision, Preconditioner, ResidualOn, Solution, Solver,
};
use quadrille::linalg::sparse;
use quadrille::primitives::convolution;
use quadrille::primitives::{
    Axis, Border, Complex, Convert, Convolution, Fft, Histogram, Number, Operation, RealFft, Scan,
    Select, Sort, Trigonometric, TrigonometricFft, Weights,
};
use quadrille::stream::Engine;
use quadrille::{Context, Shape};
use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Processor, Profile};

const POISONS: [f32; 3] = [f32::NAN, f32::INFINITY, 1e38];
const N: usize = 1021;

/// What a piece of work found, by its bits; or the error.
type Found = Result<Vec<u64>, String>;

/// A piece of work and its name.
type Named = (String, Box<dyn Fn(&Context) -> Found>);

/// Does some work on textures as they come, and on poisoned ones. Where a test need not be thorough each piece of work
/// is done on one flavour with one poison, by turns.
fn must_not_see_poison(works: &[Named]) {
    for (turn, flavour) in EXTREMES.into_iter().enumerate() {
        if !flavour.is_there() {
            continue;
        }
        let context = flavour.builder().build().unwrap();
        let run = |context: &Context| {
            let mine = in_turn(works, turn, EXTREMES.len());
            for (at, (name, work)) in mine.enumerate() {
                poison(context, None);
                let expected = work(context);
                for &with in in_turn(&POISONS, at + turn, POISONS.len()) {
                    poison(context, Some(with));
                    assert_eq!(work(context), expected, "{name}, textures of {with}");
                }
            }
        };
        clean(&format!("{flavour:?}"), &context, run);
    }
}

fn work(name: String, work: impl Fn(&Context) -> Found + 'static) -> Named {
    (name, Box::new(work))
}

fn doubles(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    numbers.into_iter().map(f64::to_bits).collect()
}

fn singles(numbers: &[f32]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits().into()).collect()
}

fn told<E: std::fmt::Display>(error: E) -> String {
    error.to_string()
}

fn of_solution(solution: &Solution) -> Vec<u64> {
    let head = [solution.iterations as f64, solution.residual];
    doubles(head.into_iter().chain(solution.x.iter().copied()))
}

/// A dominant matrix by rows that is not symmetric, or one that is.
fn by_rows(symmetric: bool) -> Csr<f64> {
    let n = 500;
    let mut entries = Vec::new();
    for row in 0..n {
        for (step, value) in [(1, -1.0), (37, -0.5), (111, if symmetric { -0.5 } else { 0.25 })] {
            let column = (row + step) % n;
            entries.extend([
                (row, column, value),
                (column, row, if symmetric { value } else { 0.5 * value }),
            ]);
        }
        entries.push((row, row, 4.5));
    }
    Csr::from_entries(Shape::new(n, n), entries).unwrap()
}

fn in_the_plane() -> Vec<(&'static str, SystemMatrix)> {
    let plane =
        |text: &str| -> NineBanded<f64> { text.parse::<Stencil>().unwrap().matrix_f64().unwrap() };
    let ring = ConstantOperator::new(12, 9, [5.0, -1.0, -1.0, 0.0], [Side::Periodic; 2]).unwrap();
    vec![
        ("poisson5", plane("poisson5:20x17").into()),
        ("jump", plane("jump:24:cell=5").into()),
        ("neumann5", plane("neumann5:16x9").into()),
        ("convection", plane("convection:19").into()),
        ("ring", ring.into()),
    ]
}

fn in_space() -> [(&'static str, SystemMatrix); 2] {
    [("convection7", "convection7:9x8x7"), ("fe27", "fe27:9x8x7:sides=neumann")]
        .map(|(name, text)| (name, text.parse::<Stencil3>().unwrap().matrix().unwrap().into()))
}

/// A solution after what compiles, which leaves numbers in what it makes; and another, which has what the first one left.
fn solve(context: &Context, matrix: &SystemMatrix, options: Options) -> Found {
    let numbers: Vec<f64> = random(matrix.n(), 3).into_iter().map(f64::from).collect();
    let mut b = vec![0.0; matrix.n()];
    matrix.add_product(&numbers, &mut b);
    let mut solver = Solver::of(context, matrix, options).map_err(told)?;
    solver.warm_up().map_err(told)?;
    let mut bits = Vec::new();
    for _ in 0..2 {
        bits.extend(of_solution(&solver.solve(&b).map_err(told)?));
    }
    bits.extend(of_solution(&solver.solve_from(&b, &numbers, &mut ()).map_err(told)?));
    let Some(plan) = solver.plan().cloned() else { return Ok(bits) };
    let single: Vec<f32> = b.iter().map(|b| *b as f32).collect();
    let b = DeviceGrid::from_host(context, &plan, &single).map_err(told)?;
    let mut x = DeviceGrid::zeros(context, &plan).map_err(told)?;
    let solution = solver.solve_on_device(&b, &mut x).map_err(told)?;
    bits.extend(doubles([solution.residual]));
    bits.extend(singles(&x.read().map_err(told)?));
    Ok(bits)
}

#[test]
fn every_method_solves_in_the_plane_as_on_a_new_context() {
    must_not_see_poison(&by_every_method(in_the_plane()));
}

#[test]
fn every_method_solves_by_rows_as_on_a_new_context() {
    let matrices = [("rows", by_rows(false)), ("symmetric rows", by_rows(true))];
    must_not_see_poison(&by_every_method(matrices.map(|(name, matrix)| (name, matrix.into()))));
}

#[test]
fn every_method_solves_in_space_as_on_a_new_context() {
    must_not_see_poison(&by_every_method(in_space()));
}

fn by_every_method(systems: impl IntoIterator<Item = (&'static str, SystemMatrix)>) -> Vec<Named> {
    let mut works = Vec::new();
    for (name, matrix) in systems {
        for method in Method::ALL {
            for preconditioner in Preconditioner::ALL {
                let options =
                    Options::new().method(method).preconditioner(preconditioner).iterations(40);
                let name = format!("{name} by {} and {}", method.name(), preconditioner.name());
                let matrix = matrix.clone();
                works.push(work(name, move |context| solve(context, &matrix, options)));
            }
        }
        let base = Options::new().tolerance(1e-11).iterations(200);
        let line = multigrid::Options::new().smoother(multigrid::Smoother::LineJacobi);
        for (what, options) in [
            ("as chosen", base),
            ("fft", base.method(Method::Fft)),
            ("single", base.precision(Precision::Single)),
            ("residual on the device", base.residual_on(ResidualOn::Device)),
            ("by lines", base.preconditioner(Preconditioner::Multigrid(line))),
        ] {
            let matrix = matrix.clone();
            works.push(work(format!("{name}, {what}"), move |context| {
                solve(context, &matrix, options)
            }));
        }
    }
    works
}

#[test]
fn a_right_hand_side_is_solved_as_alone_behind_one_that_broke_down() {
    // Singular and not symmetric: of few right-hand sides there is a solution.
    let entries = || [(1, 0, 1.0), (1, 1, 1.0), (2, 0, -2.0), (2, 1, 1.0)];
    let forms: [SystemMatrix; 2] = [
        SystemMatrix::from_entries(3, None, entries).unwrap(),
        Csr::from_entries(Shape::new(3, 3), entries()).unwrap().into(),
    ];
    let mut sides: Vec<[f64; 3]> = vec![[-1.0, 3.0, 3.0], [0.0, -2.0, -2.0]];
    for numbers in random(30, 3).chunks(3) {
        let [a, b, c] = [numbers[0], numbers[1], numbers[2]].map(f64::from);
        sides.extend([[a, b, c], [0.0, b, c], [1e300 * a, b, c]]);
    }
    let context = Flavour::Gl.builder().build().unwrap();
    let found = |solver: &mut Solver<f64>, b: &[f64]| {
        solver.solve(b).map(|solution| of_solution(&solution)).map_err(told)
    };
    for matrix in &forms {
        for method in [Method::BiCgStab, Method::Jacobi] {
            let options = Options::new().method(method).preconditioner(Preconditioner::Identity);
            let new = || Solver::of(&context, matrix, options).unwrap();
            let on_host = || match matrix {
                SystemMatrix::NineBanded(matrix) => Solver::on_host(matrix, options).unwrap(),
                SystemMatrix::Csr(matrix) => Solver::of_csr_on_host(matrix, options).unwrap(),
                _ => unreachable!("it has three unknowns"),
            };
            let (mut solver, mut host) = (new(), on_host());
            for b in &sides {
                assert_eq!(found(&mut solver, b), found(&mut new(), b), "{b:?} by {method:?}");
                assert_eq!(found(&mut host, b), found(&mut on_host(), b), "{b:?} by {method:?}");
            }
        }
    }
}

fn vector<T: Number>(context: &Context, numbers: &[T]) -> Result<DeviceVector<T>, String> {
    DeviceVector::from_host(context, numbers).map_err(told)
}

fn new(context: &Context, length: usize) -> Result<DeviceVector, String> {
    DeviceVector::uninit(context, length).map_err(told)
}

fn reduced(context: &Context, engine: Engine) -> Found {
    let blas = Blas1::on(context, engine).map_err(told)?;
    let (x, y) = (vector(context, &random(N, 1))?, vector(context, &random(N, 2))?);
    let mut z = new(context, N)?;
    blas.copy(&x, &mut z).map_err(told)?;
    blas.axpy(0.5, &y, &mut z).map_err(told)?;
    let numbers = [
        blas.sum(&x).map_err(told)?,
        blas.dot(&x, &y).map_err(told)?,
        blas.asum(&z).map_err(told)?,
        blas.nrm2(&z).map_err(told)?,
        blas.min(&z).map_err(told)?.unwrap_or(f64::NAN),
        blas.max(&z).map_err(told)?.unwrap_or(f64::NAN),
        blas.iamax(&z).map_err(told)?.map_or(f64::NAN, |at| at as f64),
    ];
    Ok(doubles(numbers).into_iter().chain(singles(&z.read().map_err(told)?)).collect())
}

fn scanned(context: &Context, engine: Engine) -> Found {
    let scan = Scan::<f32>::on(context, engine).map_err(told)?;
    let starts: Vec<u32> = (0..N as u32).map(|at| u32::from(at % 61 == 7)).collect();
    let (x, starts) = (vector(context, &random(N, 1))?, vector(context, &starts)?);
    let mut bits = Vec::new();
    for operation in Operation::ALL {
        let (mut plain, mut other) = (new(context, N)?, new(context, N)?);
        scan.of(&x).operation(operation).run(&mut plain).map_err(told)?;
        scan.of(&x)
            .operation(operation)
            .exclusive()
            .segments(&starts)
            .run(&mut other)
            .map_err(told)?;
        bits.extend(singles(&plain.read().map_err(told)?));
        bits.extend(singles(&other.read().map_err(told)?));
    }
    Ok(bits)
}

fn sorted(context: &Context, engine: Engine) -> Found {
    let sort = Sort::<f32>::on(context, engine).map_err(told)?;
    let x = vector(context, &random(N - 1, 1))?;
    let mut bits = singles(&sort.keys(&x).map_err(told)?.read().map_err(told)?);
    let numbers = [sort.unique(&x), sort.first(&x, 17), sort.rows(&x, 60)];
    for numbers in numbers {
        bits.extend(singles(&numbers.map_err(told)?.read().map_err(told)?));
    }
    for indices in [sort.indices(&x), sort.first_indices(&x, 17), sort.row_indices(&x, 60)] {
        let indices = indices.map_err(told)?.read().map_err(told)?;
        bits.extend(indices.into_iter().map(u64::from));
    }
    Ok(bits)
}

fn selected(context: &Context, engine: Engine) -> Found {
    let x = vector(context, &random(N, 1))?;
    let positive = Select::<f32>::on(context, engine, "x > 0.25").map_err(told)?;
    let masked = Select::<f32>::masked_on(context, engine).map_err(told)?;
    let mask = Convert::<f32, u32>::new(context).of(&vector(context, &whole())?).map_err(told)?;
    let (parts, count) = positive.partition(&x).map_err(told)?;
    let mut bits = vec![count as u64];
    for numbers in
        [positive.of(&x).map_err(told)?, masked.of_masked(&x, &mask).map_err(told)?, parts]
    {
        bits.extend(singles(&numbers.read().map_err(told)?));
    }
    Ok(bits)
}

/// Whole numbers from 0 to 8.
fn whole() -> Vec<f32> {
    random(N, 5).into_iter().map(|x| (4.0 + 4.0 * x).floor()).collect()
}

fn counted(context: &Context, engine: Engine) -> Found {
    let (x, weights) = (vector(context, &random(N, 1))?, vector(context, &random(N, 2))?);
    let histogram = Histogram::between_on(context, engine, 37, -1.0, 1.0).map_err(told)?;
    let numbers: Vec<u32> = whole().iter().map(|x| *x as u32).collect();
    let few = Histogram::<u32>::of_numbers_on(context, engine, 7).map_err(told)?;
    let mut bits = Vec::new();
    for counts in [histogram.of(&x), few.of(&vector(context, &numbers)?)] {
        bits.extend(counts.map_err(told)?.read().map_err(told)?.into_iter().map(u64::from));
    }
    bits.extend(singles(&histogram.weighted(&x, &weights).map_err(told)?.read().map_err(told)?));
    Ok(bits)
}

fn transformed(context: &Context, engine: Engine) -> Found {
    let mut bits = Vec::new();
    for length in [1, 60, 101, 128] {
        let fft = Fft::on(context, engine, &[Axis::rows(3, length)]).map_err(told)?;
        let (mut y, mut z) = (new(context, 6 * length)?, new(context, 6 * length)?);
        fft.forward(&vector(context, &random(6 * length, 1))?, &mut y).map_err(told)?;
        fft.inverse(&y, &mut z).map_err(told)?;
        let real = RealFft::on(context, engine, 3, length).map_err(told)?;
        let (mut half, mut back) = (new(context, 2 * 3 * real.half())?, new(context, 3 * length)?);
        real.forward(&vector(context, &random(3 * length, 1))?, &mut half).map_err(told)?;
        real.inverse(&half, &mut back).map_err(told)?;
        for numbers in [&y, &z, &half, &back] {
            bits.extend(singles(&numbers.read().map_err(told)?));
        }
    }
    for kind in Trigonometric::ALL {
        let transform = TrigonometricFft::on(context, engine, kind, 3, 37).map_err(told)?;
        let (mut y, mut z) = (new(context, 111)?, new(context, 111)?);
        transform.forward(&vector(context, &random(111, 1))?, &mut y).map_err(told)?;
        transform.inverse(&y, &mut z).map_err(told)?;
        bits.extend(singles(&y.read().map_err(told)?));
        bits.extend(singles(&z.read().map_err(told)?));
    }
    Ok(bits)
}

fn convolved(context: &Context, engine: Engine) -> Found {
    let (shape, mut bits) = (Shape::new(19, 23), Vec::new());
    let x = vector(context, &random(19 * 23, 1))?;
    let weights = Weights::correlation(Shape::new(3, 5), &random(15, 2)).map_err(told)?;
    for method in [convolution::Method::Direct, convolution::Method::Transform] {
        for border in [Border::Zero, Border::Wrap] {
            let convolution = Convolution::on(context, engine, method, shape, &[&weights], border)
                .map_err(told)?;
            let mut y = new(context, 19 * 23)?;
            convolution.run(&x, &mut y).map_err(told)?;
            bits.extend(singles(&y.read().map_err(told)?));
        }
    }
    let complex = Complex::on(context, engine).map_err(told)?;
    let mut product = new(context, 2 * 100)?;
    let numbers = vector(context, &random(200, 3))?;
    complex.product(&numbers, &numbers, &mut product).map_err(told)?;
    bits.extend(singles(&product.read().map_err(told)?));
    Ok(bits)
}

fn multiplied_by_rows(context: &Context, engine: Engine) -> Found {
    let mut entries: Vec<(usize, usize, f32)> = (0..N).map(|i| (i, (i * 37) % N, 1.5)).collect();
    entries.extend((0..N).map(|i| (5, i, 0.25)));
    let matrix = Csr::from_entries(Shape::new(N, N), entries).map_err(told)?;
    let operator = sparse::Operator::on(context, &matrix, engine).map_err(told)?;
    let mut y = new(context, N)?;
    operator.apply_to(&vector(context, &random(N, 1))?, &mut y).map_err(told)?;
    Ok(singles(&y.read().map_err(told)?))
}

#[test]
fn primitives_and_reductions_compute_as_on_a_new_context() {
    type Work = fn(&Context, Engine) -> Found;
    let works: [(&str, Work); 8] = [
        ("reductions", reduced),
        ("scans", scanned),
        ("sorts", sorted),
        ("selections", selected),
        ("histograms", counted),
        ("transforms", transformed),
        ("convolutions", convolved),
        ("sparse products", multiplied_by_rows),
    ];
    let on_each = |work: Work| {
        move |context: &Context| {
            let found = Engine::of(context).into_iter().map(|engine| work(context, engine));
            Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
        }
    };
    must_not_see_poison(&works.map(|(name, run)| work(name.into(), on_each(run))));
}

#[test]
fn products_jacobi_and_vertex_programs_compute_as_on_a_new_context() {
    let mut works = Vec::new();
    for method in matmul::Method::ALL {
        works.push(work(format!("product by {}", method.name()), move |context| {
            let (a, b) =
                (Matrix::random(Shape::new(37, 29), 1), Matrix::random(Shape::new(29, 41), 2));
            let options = matmul::Options::new().method(method);
            let c = matmul::multiply::<f32>(context, &a.map_err(told)?, &b.map_err(told)?, options);
            Ok(singles(c.map_err(told)?.elements()))
        }));
    }
    works.push(work("jacobi".into(), |context| {
        let matrix = "heat9:24x17".parse::<Stencil>().map_err(told)?.matrix().map_err(told)?;
        let mut bits = Vec::new();
        for variant in crate::common::variants::variants_of(context) {
            let count = variant.layout.unwrap().systems();
            let mut jacobi =
                Jacobi::with_systems(context, &vec![&matrix; count], variant).map_err(told)?;
            jacobi.warm_up().map_err(told)?;
            let (b, zero) = (random(matrix.n(), 1), vec![0.0; matrix.n()]);
            let (b, zero) = (vec![&*b; count], vec![&*zero; count]);
            let found =
                jacobi.solve_observed(&b, &zero, Stop::iterations(7), &mut ()).map_err(told)?;
            bits.extend(found.systems.iter().flat_map(|x| singles(x)));
        }
        Ok(bits)
    }));
    for program in
        BundledProgram::ALL.into_iter().filter(|program| !program.semantics.is_to_scalar())
    {
        works.push(work(format!("program {}", program.name), move |context| {
            let inputs: Vec<_> = (0..program.semantics.vectors())
                .map(|at| DVector::<f32>::random(N, 0.5..1.2, at as u64))
                .collect();
            let inputs: Vec<_> =
                inputs.iter().map(|x| x as &dyn quadrille_vp::vector_machine::AnyVector).collect();
            let parsed =
                DProgram::parse(program.name, program.text, Profile::Modern).map_err(told)?;
            let mut bits = Vec::new();
            for engine in Processor::of(context) {
                let machine = Machine::new(context).with(engine).map_err(told)?;
                let mut function =
                    DFunction::new(&machine, &parsed, program.semantics).map_err(told)?;
                for (register, value) in program.constants {
                    function.set_constant(usize::from(*register), *value).map_err(told)?;
                }
                function.set_padding(0.0);
                let result: DVector<f32> = function.apply(&inputs).map_err(told)?;
                bits.extend(singles(result.read().map_err(told)?));
            }
            Ok(bits)
        }));
    }
    must_not_see_poison(&works);
}
