//! Systems on several ranks: the answers of one rank, in as many steps.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::ranks::{assembled, joined, random_matrix, stored, team};
use crate::common::{by_turns, is_thorough};
use quadrille::cluster::{Checkpointer, Partition, solve::Solver};
use quadrille::data::{
    Band, Block, Faces, Form, NineBanded, Stencil, diffusion, diffusion_block, diffusion_by_faces,
    diffusion_by_faces_block,
};
use quadrille::grid::Halo;
use quadrille::linalg::solve::{
    self, Method, Options, Preconditioner, ResidualOn, Solution, SystemSolver as _,
};
use quadrille::{Context, Control, Kind, Progress, Shape};
use rand::{RngExt, SeedableRng};

fn partition(matrix: &NineBanded<f64>, across: [usize; 2], across_ends: bool) -> Partition {
    let halo = Halo { steps: 1, across_ends };
    Partition::new((matrix.n(), matrix.m()), across, halo).unwrap()
}

fn parts(matrix: &NineBanded<f64>, partition: &Partition) -> Vec<NineBanded<f64>> {
    let part = |rank| matrix.block(&partition.stored(rank)).unwrap();
    (0..partition.ranks()).map(part).collect()
}

fn solver(
    context: &Context,
    matrix: &NineBanded<f64>,
    partition: &Partition,
    options: Options,
) -> Result<Solver<f64>, solve::Error> {
    let team = team(context, partition.ranks());
    Solver::new(&team, partition, &parts(matrix, partition), options)
}

fn solved(
    solver: &mut Solver<f64>,
    partition: &Partition,
    b: &[f64],
) -> Result<Solution, solve::Error> {
    solver.solve(&stored(partition, b).concat(), &mut ())
}

/// The 2-norm of b - A x over that of b, by a loop.
fn residual(matrix: &NineBanded<f64>, x: &[f64], b: &[f64]) -> f64 {
    let product = matrix.multiply_f64(x);
    let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut b.iter().zip(product).map(|(b, p)| b - p)) / norm(&mut b.iter().copied())
}

fn random(n: usize, seed: u64) -> Vec<f64> {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    (0..n).map(|_| generator.random_range(-1.0..1.0)).collect()
}

/// Solves on one rank and on several.
fn check(
    context: &Context,
    matrix: &NineBanded<f64>,
    (across, across_ends): ([usize; 2], bool),
    options: Options,
) {
    let b = random(matrix.n(), 4);
    let place = format!("{matrix:?} on {across:?}, {options:?}");
    let mut one = solve::Solver::new(context, matrix, options).unwrap();
    let expected = one.solve(&b).unwrap();
    let partition = partition(matrix, across, across_ends);
    let mut several = solver(context, matrix, &partition, options).unwrap();
    let got = solved(&mut several, &partition, &b).unwrap();
    assert!(expected.converged() && got.converged(), "{place}: {:?}", got.ending);
    let (method, preconditioner) = (several.choice().method, several.choice().preconditioner);
    assert_eq!((method, preconditioner), (one.choice().method, one.choice().preconditioner));
    let steps = |solution: u64| solution as f64;
    let more = steps(got.iterations) - steps(expected.iterations);
    // Another order of additions: of 24 right-hand sides of these systems some take up to 16 % more or fewer steps.
    assert!(more.abs() <= 1.0 + 0.25 * steps(expected.iterations), "{place}: {more} more");
    let x = assembled(&partition, &got.x);
    let computed = residual(matrix, &x, &b);
    assert!((got.residual - computed).abs() <= 1e-13 + 1e-9 * computed, "{place}");
    if one.has_constant_null_space() {
        let told = got.projected_residual.unwrap();
        assert!(told <= options.tolerance && computed > 1e-3, "{place}: {told:e} {computed:e}");
        let options = options.project(false);
        let mut several = solver(context, matrix, &partition, options).unwrap();
        let error = solved(&mut several, &partition, &b).map(|_| ()).unwrap_err();
        assert!(matches!(error, solve::Error::Inconsistent { .. }), "{place}: {error}");
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        assert!(mean(&x).abs() < 1e-9, "{place}: {}", mean(&x));
        let (expected, got) = (expected.removed_mean.unwrap(), got.removed_mean.unwrap());
        assert!((expected - got).abs() < 1e-12);
    }
    let difference = x.iter().zip(&expected.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let size = expected.x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // The condition of these matrices is below 1e5.
    assert!(difference <= 1e5 * options.tolerance * size, "{place}: {difference}");
}

fn options() -> Options {
    Options::new().tolerance(1e-10).preconditioner(Preconditioner::Jacobi).project(true)
}

#[test]
fn systems_are_solved_as_on_one_rank() {
    let cases = [
        ("poisson5:40x37", [2, 2], options()),
        ("fe9:31x64:anisotropy=0.1:angle=30", [1, 3], options()),
        ("jump:48:ratio=100:cell=8", [3, 2], options().method(Method::Cg)),
        ("convection:40", [2, 3], options()),
        ("neumann5:33x29", [2, 2], options()),
        ("heat9:61x17", [5, 1], options().method(Method::Jacobi)),
        ("random:24", [2, 1], options().tolerance(1e-7)),
    ];
    by_turns(cases, |context, (stencil, across, options)| {
        let matrix = stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        check(context, &matrix, (*across, false), *options);
    });
}

/// The numbers of a block of an array in rows of this length.
fn part(numbers: &[f64], across: usize, block: &Block) -> Vec<f64> {
    let rows = block.rows.clone();
    rows.flat_map(|row| &numbers[row * across..][block.columns.clone()]).copied().collect()
}

/// Diffusion, of whose coefficients at points, or at faces, each rank has its part and a row around it: it makes
/// its bands of these.
struct OnRanks {
    shape: Shape,
    points: Option<Vec<f64>>,
    faces: [Vec<f64>; 2],
}

impl OnRanks {
    fn whole(&self) -> NineBanded<f64> {
        let [x, y] = &self.faces;
        match &self.points {
            Some(k) => diffusion(self.shape, k),
            None => diffusion_by_faces(self.shape, Faces { x: x.into(), y: y.into() }),
        }
        .unwrap()
    }

    /// The matrix of a rank; a function changes the coefficients that it has.
    fn of_rank(&self, block: &Block, change: impl Fn(&mut [f64])) -> NineBanded<f64> {
        let (width, n) = (self.shape.cols, self.shape.cols * self.shape.rows);
        if let Some(k) = &self.points {
            let mut k = part(k, width, &block.grown(1, n, width));
            change(&mut k);
            return diffusion_block(self.shape, block, k).unwrap();
        }
        let Block { columns, rows } = block.clone();
        let of_x = Block { columns: columns.start..columns.end + 1, rows: rows.clone() };
        let of_y = Block { columns, rows: rows.start..rows.end + 1 };
        let (x, mut y) =
            (part(&self.faces[0], width + 1, &of_x), part(&self.faces[1], width, &of_y));
        change(&mut y);
        let faces = Faces { x: x.into(), y: y.into() };
        diffusion_by_faces_block(self.shape, block, faces).unwrap()
    }
}

#[test]
fn a_coefficient_in_parts_is_solved_for_as_on_one_rank() {
    let context = Context::headless().unwrap();
    let (width, height) = (45, 38);
    let k = |count: usize, seed| -> Vec<f64> {
        random(count, seed).into_iter().map(|number| 10_f64.powf(number)).collect()
    };
    let faces = [k((width + 1) * height, 2), k(width * (height + 1), 3)];
    for points in [Some(k(width * height, 1)), None] {
        let given = OnRanks { shape: Shape::new(height, width), points, faces: faces.clone() };
        let whole = given.whole();
        let stored = whole.stored().unwrap();
        let b = random(whole.n(), 4);
        for (across, place) in [([2, 2], None), ([1, 3], None), ([1, 3], Some(ResidualOn::Device))]
        {
            if place.is_some() && context.abilities().compute.is_none() {
                continue;
            }
            let options = place.map_or(options(), |place| options().residual_on(place));
            let partition = partition(&whole, across, false);
            let solve = |faulty: Option<usize>| {
                let team = team(&context, partition.ranks());
                let of_rank = |rank| {
                    given.of_rank(&partition.stored(rank), |k| {
                        // One coefficient in the middle of the part.
                        k[k.len() / 2] *= if faulty == Some(rank) { 1.25 } else { 1.0 };
                    })
                };
                let matrices: Vec<_> = (0..partition.ranks()).map(of_rank).collect();
                assert!(matrices.iter().all(|matrix| matrix.form() == Form::Field));
                let mut solver = Solver::new(&team, &partition, &matrices, options).unwrap();
                let solution = solved(&mut solver, &partition, &b).unwrap();
                (solution.converged(), residual(&stored, &assembled(&partition, &solution.x), &b))
            };
            let (converged, off) = solve(None);
            assert!(converged && off <= 1.01e-10, "{across:?}: {off}");
            for rank in 0..partition.ranks() {
                let (_, off) = solve(Some(rank));
                assert!(off > 1e-8, "{across:?}: a fault on rank {rank} leaves {off}");
            }
        }
    }
}

/// Without a set method multigrid runs, on distributed levels, in as many iterations.
#[test]
fn large_systems_are_solved_by_multigrid_in_as_many_iterations() {
    let cases = [
        ("poisson5:200x190", [2, 1]),
        ("fe9:190x200:anisotropy=0.01", [1, 3]),
        ("jump:192:ratio=1000:cell=32", [2, 2]),
        ("convection:200", [1, 2]),
        ("neumann5:190x181", [2, 2]),
    ];
    by_turns(cases, |context, (stencil, across)| {
        let matrix = stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let options = Options::new().tolerance(1e-8).project(true);
        let b = random(matrix.n(), 6);
        let mut one = solve::Solver::new(context, &matrix, options).unwrap();
        let expected = one.solve(&b).unwrap();
        let size = (matrix.n(), matrix.m());
        let partition = quadrille::cluster::solve::partition(size, *across, false, options);
        let partition = partition.unwrap();
        let mut several = solver(context, &matrix, &partition, options).unwrap();
        let got = solved(&mut several, &partition, &b).unwrap();
        assert!(several.choice().multigrid().is_some(), "{stencil}");
        assert_eq!(several.choice().levels, one.choice().levels, "{stencil}");
        assert!(got.converged() && expected.converged(), "{stencil}");
        let more = got.iterations as i64 - expected.iterations as i64;
        assert!(more.abs() <= 1, "{stencil}: {more} more");
    });
}

#[test]
fn systems_whose_rows_go_on_in_the_next_are_solved_in_strips() {
    by_turns([(600, 13, 4), (611, 17, 3)], |context, (n, m, ranks)| {
        let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(3);
        let next = || generator.random_range(-1.0..1.0_f32);
        let matrix = random_matrix(*n, *m, true, next).widened().unwrap();
        check(context, &matrix, ([1, *ranks], true), options());
    });
}

#[test]
fn doubles_on_the_devices_are_those_of_the_host() {
    let context = Context::headless().unwrap();
    if context.abilities().compute.is_none() {
        return crate::common::not_tested("no compute shaders");
    }
    for (stencil, across) in [("fe9:37x30", [2, 2]), ("neumann5:33x29", [1, 3])] {
        let matrix = stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        check(&context, &matrix, (across, false), options().residual_on(ResidualOn::Device));
        let partition = partition(&matrix, across, false);
        let asked = options().residual_on(ResidualOn::Device);
        let solver = solver(&context, &matrix, &partition, asked).unwrap();
        assert_eq!(solver.choice().residual_on, ResidualOn::Device);
    }
}

#[test]
fn random_grids_on_random_ranks_are_solved_as_on_one() {
    let mut generator = rand_pcg::Pcg64Mcg::seed_from_u64(17);
    let mut up_to = |most: usize| generator.random_range(1..=most);
    let mut cases = Vec::new();
    while cases.len() < if is_thorough() { 30 } else { 6 } {
        let (width, height, across) = (2 + up_to(50), up_to(50), [up_to(3), up_to(4)]);
        let halo = Halo { steps: 1, across_ends: false };
        if Partition::new((width * height, width), across, halo).is_ok() {
            cases.push((format!("fe9:{width}x{height}"), across));
        }
    }
    by_turns(cases, |context, (stencil, across)| {
        let matrix = stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap();
        check(context, &matrix, (*across, false), options());
    });
}

/// The equations and the unknowns are multiplied by numbers over a factor of 2500.
#[test]
fn systems_that_are_scaled_by_their_diagonals_are_solved_as_on_one_rank() {
    let options = options().tolerance(1e-8);
    let cases = [([2, 2], options), ([1, 3], options.method(Method::BiCgStab))];
    by_turns(cases, |context, (across, options)| {
        let stencil = "fe9:24x21".parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let t: Vec<f64> = random(stencil.n(), 9).iter().map(|t| 10.0_f64.powf(1.7 * t)).collect();
        let mut bands = Band::ALL.map(|band| stencil.band(band).to_vec());
        for band in Band::ALL {
            for row in band.rows(stencil.n(), stencil.m()) {
                let column = row.wrapping_add_signed(band.offset(stencil.m()));
                bands[band.index()][row] *= t[row] * t[column];
            }
        }
        let matrix = NineBanded::new(stencil.m(), bands).unwrap();
        assert!(solve::Solver::new(context, &matrix, *options).unwrap().choice().is_scaled());
        check(context, &matrix, (*across, false), *options);
    });
}

#[test]
fn sizes_far_from_one_are_solved() {
    let context = Context::headless().unwrap();
    let matrix = "poisson5:30".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let partition = partition(&matrix, [2, 2], false);
    let mut several = solver(&context, &matrix, &partition, options()).unwrap();
    for factor in [0.0, 1e-200, 1e-30, 1e150] {
        let b: Vec<f64> = random(900, 5).iter().map(|b| b * factor).collect();
        let solution = solved(&mut several, &partition, &b).unwrap();
        assert!(solution.converged(), "{factor}");
        let x = assembled(&partition, &solution.x);
        if factor == 0.0 {
            assert!(x.iter().all(|x| *x == 0.0));
        } else {
            let scaled = |numbers: &[f64]| numbers.iter().map(|x| x / factor).collect::<Vec<_>>();
            assert!(residual(&matrix, &scaled(&x), &scaled(&b)) < 1.1e-10, "{factor}");
        }
    }
}

/// An error in the part of one rank names the place in the whole matrix.
#[test]
fn errors_name_rows_of_the_whole_matrix() {
    let context = Context::headless().unwrap();
    let matrix = "poisson5:20".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let partition = partition(&matrix, [2, 2], false);
    let mut several = solver(&context, &matrix, &partition, options()).unwrap();
    let mut b = vec![1.0; 400];
    b[399] = f64::NAN;
    b[215] = f64::INFINITY;
    let text = solved(&mut several, &partition, &b).unwrap_err().to_string();
    assert!(text.contains("inf at index 215"), "{text}");
    let convection = "convection:20".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let error = solver(&context, &convection, &partition, options().method(Method::Cg)).err();
    let whole = solve::Solver::new(&context, &convection, options().method(Method::Cg)).err();
    assert_eq!(error.unwrap().to_string(), whole.unwrap().to_string());
    // Strips without the halos that couplings across the ends of rows take, and blocks without
    // whole rows.
    let coupled = random_matrix(400, 20, true, || 0.5).widened().unwrap();
    let halo = Halo { steps: 1, across_ends: false };
    let strips = Partition::new((400, 20), [1, 4], halo).unwrap();
    let error = solver(&context, &coupled, &strips, options()).err().unwrap();
    assert_eq!(error.kind(), Kind::Input);
    assert!(error.to_string().contains("across the ends of rows"), "{error}");
    let error = coupled.block(&partition.stored(0)).unwrap_err().to_string();
    assert!(error.contains("row 0 is coupled to column 19"), "{error}");
}

/// The iterations, and what each rank owns of x.
type Kept = (u64, Vec<Vec<f64>>);

/// Keeps the x at the third look, and whatever follows after a while.
struct Third {
    looks: u32,
    kept: Rc<RefCell<Option<Kept>>>,
}

impl Checkpointer<Vec<Vec<f64>>> for Third {
    fn is_due(&mut self) -> bool {
        self.looks += 1;
        self.looks >= 5 && self.kept.borrow().is_none()
    }

    fn keep(
        &mut self,
        iterations: u64,
        x: &Vec<Vec<f64>>,
    ) -> Result<(), quadrille::cluster::Error> {
        self.kept.replace(Some((iterations, x.clone())));
        Ok(())
    }
}

/// The x that was kept is on the way, and other ranks go on from it.
#[test]
fn a_solution_goes_on_from_what_was_kept_on_other_ranks() {
    by_turns([1.0, 1e-120], |context, factor| {
        let matrix = "jump:40:ratio=100:cell=8".parse::<Stencil>().unwrap().matrix_f64().unwrap();
        let b: Vec<f64> = random(1600, 8).iter().map(|b| b * factor).collect();
        let three = partition(&matrix, [1, 3], false);
        let mut several = solver(context, &matrix, &three, options()).unwrap();
        let kept = Rc::default();
        several.save_to(Third { looks: 0, kept: Rc::clone(&kept) });
        let all = solved(&mut several, &three, &b).unwrap();
        let (done, kept): Kept = kept.take().unwrap();
        assert!(done > 0 && done < all.iterations);
        let kept = joined(&three, &kept);
        let scaled = |numbers: &[f64]| numbers.iter().map(|x| x / factor).collect::<Vec<_>>();
        let reached = residual(&matrix, &scaled(&kept), &scaled(&b));
        assert!(reached < 2.0 && reached > 1e-9, "{reached}");

        let four = partition(&matrix, [2, 2], false);
        let mut others = solver(context, &matrix, &four, options()).unwrap();
        let (local, start) = (stored(&four, &b).concat(), stored(&four, &kept).concat());
        let rest = others.solve_from(&local, &start, &mut ()).unwrap();
        assert!(rest.converged() && rest.residual <= 1e-10, "{}", rest.residual);
        let x = assembled(&four, &rest.x);
        assert!(residual(&matrix, &scaled(&x), &scaled(&b)) <= 1.1e-10);
        // From the solution itself nothing is left to do.
        let start = stored(&four, &x).concat();
        let again = others.solve_from(&local, &start, &mut ()).unwrap();
        assert_eq!((again.converged(), again.iterations), (true, 0));
    });
}

#[test]
fn an_observer_of_one_process_stops_all() {
    let context = Context::headless().unwrap();
    let matrix = "poisson5:40".parse::<Stencil>().unwrap().matrix_f64().unwrap();
    let partition = partition(&matrix, [1, 3], false);
    let mut several = solver(&context, &matrix, &partition, options()).unwrap();
    let b = stored(&partition, &vec![1.0; 1600]).concat();
    let mut looks = 0;
    let mut stop = |_: &Progress| {
        looks += 1;
        if looks == 3 { Control::Stop } else { Control::Continue }
    };
    let solution = several.solve(&b, &mut stop).unwrap_err().into_nearest().unwrap();
    assert_eq!(solution.ending, solve::Ending::Stopped);
    let x = assembled(&partition, &solution.x);
    assert!((residual(&matrix, &x, &vec![1.0; 1600]) / solution.residual - 1.0).abs() < 1e-9);
}
