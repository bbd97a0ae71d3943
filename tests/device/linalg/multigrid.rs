//! Multigrid on a device against its twin in double precision: the kernels by themselves through
//! what a hierarchy keeps, and cycles through what they do to a residual.

use std::rc::Rc;

use crate::common::systems::{System, gamma};
use crate::common::{Flavour, by_turns, levels, on};
use quadrille::Context;
use quadrille::data::{Band, NineBanded, Stencil};
use quadrille::grid::DeviceGrid;
use quadrille::internal::Ability;
use quadrille::internal::host::multigrid as twin;
use quadrille::internal::plan::Axis;
use quadrille::linalg::jacobi::ComputeShape;
use quadrille::linalg::krylov::{Cg, DeviceSpace, Method, Space};
use quadrille::linalg::multigrid::{CoarsenAlong, Error, Hierarchy, Options, Smoother};
use quadrille::linalg::nine_banded::Operator;
use quadrille::stream::Engine;

/// The distance of a cycle by points, of which the library's damping, which has five digits, is some.
const NEAR: f64 = 4e-6;

fn stencil(text: &str) -> NineBanded {
    text.parse::<Stencil>().unwrap().matrix().unwrap()
}

/// Random couplings within rows, of both signs, under a diagonal that dominates: so no weight is by
/// a small divisor.
fn random(width: usize, height: usize, symmetric: bool) -> NineBanded {
    let system = System::random(width * height, width, 5);
    let left = [Band::LL, Band::DL, Band::UL];
    let right = [Band::LU, Band::DU, Band::UU];
    let system = system.without(|row, band| {
        row % width == 0 && left.contains(&band)
            || row % width == width - 1 && right.contains(&band)
    });
    let entry = |row: usize, band: Band| -> f32 {
        let column = row.wrapping_add_signed(band.offset(width));
        match band {
            Band::DD => 12.0 + system.matrix.entry(row, row).abs(),
            _ if column >= width * height => 0.0,
            _ if symmetric => system.matrix.entry(row.min(column), row.max(column)),
            _ => system.matrix.entry(row, column),
        }
    };
    let rows = |band: Band| (0..width * height).map(|row| entry(row, band)).collect();
    NineBanded::new(width, Band::ALL.map(rows)).unwrap()
}

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    crate::common::random(count, seed)
}

fn hierarchy(operator: &Rc<Operator>, options: Options) -> Hierarchy {
    Hierarchy::on_device(operator, options).unwrap()
}

fn doubles(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|number| f64::from(*number)).collect()
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// M r by the device from poisoned memory, for the same r each time.
fn cycle(hierarchy: &mut Hierarchy, operator: &Operator) -> (Vec<f32>, Vec<f32>) {
    let context = operator.context();
    let r = numbers(operator.matrix().n(), 3);
    let device_r = DeviceGrid::from_host(context, operator.plan(), &r).unwrap();
    let poison = vec![f32::NAN; r.len()];
    let mut z = DeviceGrid::from_host(context, operator.plan(), &poison).unwrap();
    // The second cycle begins with what the first has left.
    hierarchy.apply(&device_r, &mut z).unwrap();
    z.write(&poison).unwrap();
    hierarchy.apply(&device_r, &mut z).unwrap();
    (r, z.read().unwrap())
}

fn on_host(matrix: &NineBanded, options: &Options) -> twin::Hierarchy {
    levels::hierarchy(
        twin::Nine::of(matrix),
        (options.coarsens(), options.smoother),
        options.symmetric,
        options.constant_null_space,
    )
}

/// The distance of a cycle from its twin's, relative to it.
fn distance(operator: &Rc<Operator>, options: Options) -> f64 {
    let twin = on_host(operator.matrix(), &options);
    let of = |mut device: Hierarchy| {
        assert_eq!(device.levels().collect::<Vec<_>>(), twin.extents());
        assert_eq!(device.smoothers(), twin.smoothers());
        let (r, z) = cycle(&mut device, operator);
        let expected = twin.apply(&doubles(&r));
        let differences = z.iter().zip(&expected).map(|(z, e)| f64::from(*z) - e);
        norm(&differences.collect::<Vec<_>>()) / norm(&expected)
    };
    of(hierarchy(operator, options)).max(of(Hierarchy::new(operator, options).unwrap()))
}

/// The matrix of a second level, from the matrix of the first: each number is a sum of at most 49
/// products of three, of which the weights have some tens of roundings themselves, and a diagonal
/// is the sum of the row without the others.
fn check_levels(operator: &Rc<Operator>, options: Options) {
    for device in [hierarchy(operator, options), Hierarchy::new(operator, options).unwrap()] {
        let a = device.matrix(0).unwrap().unwrap();
        assert!(device.levels().count() > 1);
        let twin = on_host(operator.matrix(), &options);
        let expected = twin.matrix(1).unwrap();
        let got = device.matrix(1).unwrap().unwrap();
        assert_eq!(got.extent(), expected.extent());
        let most = a.rows().iter().flatten().fold(0.0_f64, |most, entry| most.max(entry.abs()));
        for (got, expected) in got.rows().iter().flatten().zip(expected.rows().iter().flatten()) {
            assert!((got - expected).abs() <= gamma(200.0) * most, "{got} {expected}");
        }
    }
}

#[test]
fn levels_and_cycles_are_those_of_the_twin() {
    let cases = [(17, 17, true), (24, 21, false), (5, 67, false), (3, 90, true)];
    by_turns(cases, |context, (width, height, symmetric)| {
        let matrix = random(*width, *height, *symmetric);
        for engine in Engine::of(context) {
            let operator = Rc::new(Operator::on(context, &matrix, engine).unwrap());
            let options = Options::new().symmetric(*symmetric);
            check_levels(&operator, options);
            let distance = distance(&operator, options);
            assert!(distance < NEAR, "{engine} {width}x{height}: {distance}");
        }
    });
}

/// Bands as panels, shared tiles, and groups of 12 x 5.
#[test]
fn hardwares_shapes_give_the_same() {
    on(&[Flavour::Gl], |context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        for group in [[16, 16], [12, 5]] {
            let shape = ComputeShape { group, ..ComputeShape::TILE };
            for matrix in [random(35, 22, true), stencil("fe9:30x40:anisotropy=0.01")] {
                let operator = Operator::with_shape(context, &matrix, Engine::Compute, shape);
                let distance = distance(&Rc::new(operator.unwrap()), Options::new());
                assert!(distance < NEAR, "{group:?}: {distance}");
            }
        }
    });
}

#[test]
fn smoothers_and_coarsenings_are_those_of_the_twin() {
    let by = |smoother| Options::new().smoother(smoother);
    let cases = [
        by(Smoother::LineJacobi),
        by(Smoother::LineJacobi).coarsen(CoarsenAlong::Strong),
        by(Smoother::Jacobi),
        by(Smoother::Jacobi).coarsen(CoarsenAlong::Both),
    ];
    by_turns(cases, |context, options| {
        let operator = Operator::new(context, &stencil("jump:37x40:ratio=1000:cell=8"));
        let distance = distance(&Rc::new(operator.unwrap()), *options);
        assert!(distance < 2e-5, "{options:?}: {distance}");
    });
}

/// The distance of the lines' solutions for random right-hand sides from those of Gauss's
/// elimination, relative to the largest.
fn distance_of_lines(operator: &Rc<Operator>, axis: Axis, a: &twin::Nine) -> f64 {
    let options = Options::new().smoother(Smoother::LineJacobi).symmetric(false);
    let mut hierarchy = hierarchy(operator, options);
    let r = numbers(operator.matrix().n(), 3);
    let device_r = DeviceGrid::from_host(operator.context(), operator.plan(), &r).unwrap();
    let z = hierarchy.lines(&device_r, usize::from(axis == Axis::Y)).unwrap().read().unwrap();
    let expected = twin::solve_lines(a, axis, &doubles(&r));
    let most = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let pairs = z.iter().zip(expected);
    let far = pairs.map(|(z, x)| (f64::from(*z) - levels::LINES * x).abs());
    far.fold(0.0_f64, f64::max) / most
}

/// Random couplings of both signs under a diagonal that dominates by 3 at least: each step
/// multiplies errors by no more than 2.
#[test]
fn lines_are_solved_as_by_elimination() {
    let cases = [(300, 1), (3, 90), (17, 31), (65, 13), (6, 257)];
    by_turns(cases, |context, (width, height)| {
        let matrix = random(*width, *height, false);
        let a = twin::Nine::of(&matrix);
        for engine in Engine::of(context) {
            let operator = Rc::new(Operator::on(context, &matrix, engine).unwrap());
            for axis in [Axis::X, Axis::Y] {
                let far = distance_of_lines(&operator, axis, &a);
                assert!(far < gamma(100.0), "{engine} {width}x{height} {axis:?}: {far}");
            }
        }
    });
}

/// Lines whose rows have nearly the sum zero, where digits would be lost by the diagonal, and
/// another matrix.
#[test]
fn lines_of_laplacians_keep_their_digits() {
    on(&[Flavour::Gl], |context| {
        let matrix = stencil("fe9:7x511:anisotropy=0.0001");
        let operator = Rc::new(Operator::new(context, &matrix).unwrap());
        let far =
            |axis, matrix: &NineBanded| distance_of_lines(&operator, axis, &twin::Nine::of(matrix));
        assert!(far(Axis::Y, &matrix) < gamma(100.0), "{}", far(Axis::Y, &matrix));
        assert!(far(Axis::X, &matrix) < gamma(100.0));
        assert!(far(Axis::Y, &stencil("fe9:7x511:anisotropy=0.00011")) > 1e-3);
    });
}

/// Lines where points are coupled much more strongly along one axis, but not the same all over.
#[test]
fn each_level_has_the_smoother_that_suits_it() {
    let (points, lines) = (Smoother::Jacobi, Smoother::LineJacobi);
    let cases = [
        (stencil("poisson5:63"), vec![points; 2]),
        (stencil("fe9:63:anisotropy=0.01"), vec![points; 4]),
        (stencil("jump:127:ratio=1000:cell=5"), vec![points, points, lines]),
        (stretched(40, 1.2), vec![lines; 2]),
    ];
    by_turns(cases, |context, (matrix, expected)| {
        let operator = Rc::new(Operator::new(context, matrix).unwrap());
        assert_eq!(hierarchy(&operator, Options::new()).smoothers(), *expected);
        let distance = distance(&operator, Options::new());
        assert!(distance < 2e-5, "{distance}");
    });
}

/// Diffusion on a grid that is finer by a factor from point to point towards all four sides.
fn stretched(side: usize, factor: f64) -> NineBanded {
    let step = |i: usize| factor.powi(i.min(side - i) as i32);
    let width = |i: usize| 0.5 * (step(i) + step(i + 1));
    let coupling = |row: usize, band: Band| -> f64 {
        let (x, y) = (row % side, row / side);
        match band {
            Band::DL => width(y) / step(x),
            Band::DU => width(y) / step(x + 1),
            Band::LD => width(x) / step(y),
            Band::UD => width(x) / step(y + 1),
            _ => 0.0,
        }
    };
    let entry = |row: usize, band: Band| -> f32 {
        let (x, y) = (row % side, row / side);
        let outside = match band {
            Band::DL => x == 0,
            Band::DU => x + 1 == side,
            Band::LD => y == 0,
            Band::UD => y + 1 == side,
            _ => false,
        };
        match band {
            Band::DD => Band::ALL.iter().map(|band| coupling(row, *band)).sum::<f64>() as f32,
            _ if outside => 0.0,
            _ => -coupling(row, band) as f32,
        }
    };
    let rows = |band: Band| (0..side * side).map(|row| entry(row, band)).collect();
    NineBanded::new(side, Band::ALL.map(rows)).unwrap()
}

/// x . M y = y . M x to the rounding of a cycle.
#[test]
fn cycles_by_lines_are_symmetric() {
    on(&[Flavour::Gl], |context| {
        let operator = Operator::new(context, &stencil("random:40x35")).unwrap();
        let operator = Rc::new(operator);
        let mut hierarchy = hierarchy(&operator, Options::new().smoother(Smoother::LineJacobi));
        let grid = |x: &[f32]| DeviceGrid::from_host(context, operator.plan(), x).unwrap();
        let mut apply = |x: &[f32]| {
            let mut z = grid(&vec![f32::NAN; x.len()]);
            hierarchy.apply(&grid(x), &mut z).unwrap();
            doubles(&z.read().unwrap())
        };
        let (x, y) = (numbers(1400, 3), numbers(1400, 4));
        let (mx, my) = (apply(&x), apply(&y));
        let dot =
            |x: &[f32], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| f64::from(*x) * y).sum() };
        let difference = (dot(&y, &mx) - dot(&x, &my)).abs();
        let scale = norm(&doubles(&x)) * norm(&my);
        assert!(difference < 1e-6 * scale, "{}", difference / scale);
    });
}

/// The comparison sees another smoother, damping and matrix.
#[test]
fn the_comparison_sees_faults() {
    let context = Context::headless().unwrap();
    let matrix = stencil("fe9:40x30:anisotropy=0.1");
    let operator = Rc::new(Operator::new(&context, &matrix).unwrap());
    let (r, z) = cycle(&mut hierarchy(&operator, Options::new()), &operator);
    let far = |twin: twin::Hierarchy| {
        let expected = twin.apply(&doubles(&r));
        let pairs = z.iter().zip(&expected);
        norm(&pairs.map(|(z, e)| f64::from(*z) - e).collect::<Vec<_>>()) / norm(&expected)
    };
    let options = Options::new();
    assert!(far(on_host(&matrix, &options)) < NEAR);
    assert!(far(on_host(&matrix, &options.smoother(Smoother::LineJacobi))) > 1e-3);
    assert!(far(on_host(&matrix, &options.symmetric(false))) > 1e-3);
    assert!(far(on_host(&stencil("fe9:40x30:anisotropy=0.101"), &options)) > 1e-4);
}

/// Steps to 1e-6 in 32-bit floats.
fn steps(context: &Context, matrix: &NineBanded, options: Options) -> usize {
    let space = DeviceSpace::new(context, matrix).unwrap();
    let mut multigrid = hierarchy(space.operator(), options);
    let mut cg = Cg::new(&space).unwrap();
    let b = matrix.multiply_f64(&doubles(&numbers(matrix.n(), 4)));
    space.write(&b, 1.0, cg.residual_mut()).unwrap();
    cg.restart(&space).unwrap();
    let goal = 1e-6 * space.norm(cg.residual()).unwrap();
    for step in 1..40 {
        cg.step(&space, &mut multigrid).unwrap();
        if space.norm(cg.residual()).unwrap() <= goal {
            return step;
        }
    }
    40
}

#[test]
fn conjugate_gradients_take_a_few_steps() {
    let cases = [
        ("poisson5:63", 5, false),
        ("jump:64:ratio=1000:cell=16", 7, false),
        ("fe9:70x45:anisotropy=0.01", 6, false),
        ("neumann5:50x40", 6, true),
    ];
    by_turns(cases, |context, (text, most, singular)| {
        let options = Options::new().constant_null_space(*singular);
        let steps = steps(context, &stencil(text), options);
        assert!(steps <= *most, "{text}: {steps}");
    });
}

/// Coefficients that are far from each other, rows without couplings, and a short last row: finite
/// numbers come out.
#[test]
fn extreme_entries_give_finite_numbers() {
    let contrast = |lowest: f64| -> NineBanded {
        let k: Vec<f64> = (0..576).map(|i| if i % 7 < 3 { lowest } else { 1.0 }).collect();
        let shape = quadrille::Shape::new(24, 24);
        quadrille::data::diffusion(shape, &k).unwrap().rounded().unwrap().0
    };
    let mut bands: [Vec<f32>; 9] = Default::default();
    bands.fill(vec![0.0; 610]);
    bands[Band::DD.index()] = (0..610).map(|row| 10.0_f32.powi(row % 60 - 30)).collect();
    let diagonal = NineBanded::new(25, bands).unwrap();
    let cases = [contrast(1e-37), diagonal, contrast(1e-30), contrast(1e30)];
    by_turns(cases, |context, matrix| {
        let operator = Rc::new(Operator::new(context, matrix).unwrap());
        let mut hierarchy = hierarchy(&operator, Options::new());
        let (_, z) = cycle(&mut hierarchy, &operator);
        assert!(z.iter().all(|z| z.is_finite()));
    });
}

#[test]
fn what_multigrid_cannot_do_is_an_error() {
    let context = Context::headless().unwrap();
    let across = System::random(300, 15, 1).matrix;
    let operator = Rc::new(Operator::new(&context, &across).unwrap());
    let error = Hierarchy::new(&operator, Options::new()).err().unwrap();
    assert!(matches!(error, Error::AcrossEnds { width: 15 }), "{error}");
    let small = Context::builder().without(Ability::LargerTextures(45)).build().unwrap();
    let operator = Rc::new(Operator::new(&small, &stencil("poisson5:97")).unwrap());
    let error = Hierarchy::new(&operator, Options::new()).err().unwrap();
    assert!(matches!(error, Error::Panels { .. }), "{error}");
    assert_eq!(error.kind(), quadrille::Kind::Limit);
}
