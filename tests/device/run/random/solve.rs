//! Systems of all scales, beside a direct solver: what is told of a solution is true of it, and
//! what can be solved is.

use quadrille::Context;
use quadrille::data::{Band, NineBanded};
use quadrille::linalg::solve::{Error, Method, Options, Preconditioner, Solution, Solver};

use crate::common::{Flavour, clean};

use super::search::{Wrong, found, search};
use super::{seed, time};
use crate::cases::Choices;

/// A = 2^a T C T and b = 2^c g. The rows of C have 1 on the diagonal and couplings whose magnitudes
/// add up to at most `coupled`, so that no row of its inverse adds up to more than 1 / (1 -
/// coupled).
struct Case {
    n: usize,
    m: usize,
    coupled: f64,
    symmetric: bool,
    a: i32,
    c: i32,
    t: Vec<f64>,
    matrix: NineBanded<f64>,
    b: Vec<f64>,
    options: Options,
    on_host: bool,
}

impl Case {
    fn new(choices: &mut Choices<'_>) -> Case {
        let (m, rows) = (choices.between(3, 9), choices.between(3, 12));
        let n = m * rows - choices.below(m);
        let symmetric = !choices.one_in(3);
        let coupled = choices.pick(&[0.5, 0.2, 0.9, 0.97]);
        // Powers of ten over which the diagonal spreads.
        let span =
            if symmetric { choices.pick(&[0.0, 3.0, 6.0, 9.0, 14.0, 20.0, 24.0]) } else { 0.0 };
        // Exponents of b, and of x, from which that of the matrix follows.
        let c = choices.between(0, 2050) as i32 - 1060;
        let x = (choices.between(0, 1800) as i32 - 900).clamp(c - 950, c + 950);
        let number = |choices: &mut Choices<'_>| f64::from(choices.byte() as i8) / 128.0;
        let t: Vec<f64> = (0..n)
            .map(|_| 10.0_f64.powf(span / 4.0 * number(choices)) * (1.0 + 0.5 * number(choices)))
            .collect();
        let matrix = matrix((n, m), symmetric, coupled, c - x, &t, choices);
        let b = (0..n).map(|_| times(number(choices), c)).collect();
        let methods = [None, Some(Method::BiCgStab), Some(Method::Jacobi), Some(Method::Cg)];
        let mut options = Options::new().tolerance(choices.pick(&[1e-8, 1e-5, 1e-11, 1e-13]));
        if let Some(method) = choices.pick(&methods[..if symmetric { 4 } else { 3 }]) {
            options = options.method(method);
        }
        if symmetric && choices.one_in(4) {
            options = options.preconditioner(Preconditioner::Jacobi);
        }
        let on_host = choices.one_in(2);
        Case { n, m, coupled, symmetric, a: c - x, c, t, matrix, b, options, on_host }
    }

    fn wrong(&self, what: String) -> Wrong {
        let Case { n, m, coupled, symmetric, a, c, options, on_host, .. } = self;
        let largest = |numbers: &[f64]| numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let diagonal = self.matrix.band(Band::DD);
        let least = diagonal.iter().fold(f64::INFINITY, |least, d| least.min(*d));
        let text = format!(
            "{n} unknowns in rows of {m}, coupled {coupled}, symmetric: {symmetric}, a = 2^{a}, b = 2^{c}, diagonal {least:e} to {:e}, \
             on the host: {on_host}, {options:?}",
            largest(diagonal)
        );
        Wrong { what, text }
    }

    fn solve(&self, context: &Context, fault: bool) -> Result<Solution, Wrong> {
        let failed = |error: Error| self.wrong(error.to_string());
        let mut matrix = self.matrix.clone();
        if fault {
            matrix = other(&matrix);
        }
        let solver = match self.on_host {
            true => Solver::on_host(&matrix, self.options),
            false => Solver::new(context, &matrix, self.options),
        };
        let solution = solver.and_then(|mut solver| solver.solve(&self.b));
        solution.or_else(Error::into_nearest).map_err(failed)
    }

    fn check(&self, solution: &Solution) -> Result<(), Wrong> {
        let Case { a, c, t, .. } = self;
        // A x = b as 2^-a A . 2^(a - c) x = 2^-c b: these products are exact.
        let entries = |row: usize| {
            Band::ALL.into_iter().filter_map(move |band| {
                let column = row.checked_add_signed(band.offset(self.m))?;
                (column < self.n).then(|| (column, times(self.matrix.band(band)[row], -a)))
            })
        };
        let x: Vec<f64> = solution.x.iter().map(|x| times(*x, a - c)).collect();
        let b: Vec<f64> = self.b.iter().map(|b| times(*b, -c)).collect();
        let norm = |numbers: &[f64]| numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
        let r: Vec<f64> = (0..self.n)
            .map(|row| entries(row).fold(b[row], |sum, (column, entry)| sum - entry * x[column]))
            .collect();
        // What rounding may leave in each row, also that of x to multiples of 2^-1074.
        let least = times(2.0_f64.powi(-1000), a - c - 74);
        let rounding: Vec<f64> = (0..self.n)
            .map(|row| {
                let products = entries(row)
                    .map(|(column, entry)| entry.abs() * (x[column].abs() * 2e-16 + least));
                products.sum::<f64>() * 4.0 + b[row].abs() * 2e-16
            })
            .collect();
        let size = norm(&b);
        if size == 0.0 {
            return match solution.x.iter().all(|x| *x == 0.0) && solution.converged() {
                true => Ok(()),
                false => Err(self.wrong("x of b = 0 is not 0".into())),
            };
        }
        let (exact, floor) = (norm(&r) / size, norm(&rounding) / size);
        let told = solution.residual;
        if (told - exact).abs() > 1e-9 * exact + floor {
            return Err(self.wrong(format!("the residual {told:e} is told, and is {exact:e}")));
        }
        let asked = solution.tolerance;
        if solution.converged() != (told <= asked) {
            return Err(self.wrong(format!("{} with {told:e} of {asked:e}", solution.ending)));
        }
        if !solution.converged() && asked > 30.0 * floor {
            let Solution { ending, iterations, .. } = solution;
            let text = format!(
                "{ending} after {iterations} with {told:e}, where {floor:e} can be reached"
            );
            return Err(self.wrong(text));
        }
        // C y = T^-1 r bounds the difference from the direct solution.
        let y = direct(self.n, |row| {
            (
                entries(row).map(|(column, entry)| (column, entry / t[row] / t[column])).collect(),
                b[row] / t[row],
            )
        });
        let farthest = (0..self.n).map(|i| (x[i] * t[i] - y[i]).abs()).fold(0.0, f64::max);
        let most = (0..self.n).map(|i| (r[i].abs() + rounding[i]) / t[i]).fold(0.0, f64::max);
        let allowed =
            most / (1.0 - self.coupled) + 1e-12 * y.iter().fold(0.0, |m, y| y.abs().max(m));
        if farthest > 1.01 * allowed {
            let text = format!(
                "x is {farthest:e} from the direct solution; its residual allows {allowed:e}"
            );
            return Err(self.wrong(text));
        }
        Ok(())
    }
}

/// x 2^power, in steps within double precision.
fn times(x: f64, power: i32) -> f64 {
    let (mut x, mut left) = (x, power);
    while left != 0 {
        let step = left.clamp(-900, 900);
        x *= f64::from(step).exp2();
        left -= step;
    }
    x
}

fn matrix(
    (n, m): (usize, usize),
    symmetric: bool,
    coupled: f64,
    a: i32,
    t: &[f64],
    choices: &mut Choices<'_>,
) -> NineBanded<f64> {
    let mut bands = Band::ALL.map(|_| vec![0.0; n]);
    bands[Band::DD.index()].fill(1.0);
    for band in Band::ALL {
        let offset = band.offset(m);
        if offset == 0 || symmetric && offset < 0 {
            continue;
        }
        let mirror = Band::at_offset(-offset, m).unwrap();
        for row in band.rows(n, m) {
            let entry = coupled / 8.0 * f64::from(choices.byte() as i8) / 128.0;
            bands[band.index()][row] = entry;
            if symmetric {
                bands[mirror.index()][row.checked_add_signed(offset).unwrap()] = entry;
            }
        }
    }
    for band in Band::ALL {
        for row in band.rows(n, m) {
            let column = row.checked_add_signed(band.offset(m)).unwrap();
            let entry = &mut bands[band.index()][row];
            *entry = times(*entry * (t[row] * t[column]), a);
        }
    }
    NineBanded::new(m, bands).unwrap()
}

/// The matrix with one entry of the diagonal a hundredth larger.
fn other(matrix: &NineBanded<f64>) -> NineBanded<f64> {
    let mut bands = Band::ALL.map(|band| matrix.band(band).to_vec());
    bands[Band::DD.index()][matrix.n() / 2] *= 1.01;
    NineBanded::new(matrix.m(), bands).unwrap()
}

/// Gaussian elimination of a matrix whose rows its diagonal dominates, which needs no pivots (Golub
/// and Van Loan, *Matrix Computations*, section 4.1).
fn direct(n: usize, row: impl Fn(usize) -> (Vec<(usize, f64)>, f64)) -> Vec<f64> {
    let mut rows = vec![vec![0.0; n + 1]; n];
    for (index, whole) in rows.iter_mut().enumerate() {
        let (entries, side) = row(index);
        entries.into_iter().for_each(|(column, entry)| whole[column] += entry);
        whole[n] = side;
    }
    for pivot in 0..n {
        let (above, below) = rows.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];
        for row in below.iter_mut().filter(|row| row[pivot] != 0.0) {
            let factor = row[pivot] / pivot_row[pivot];
            row.iter_mut().zip(pivot_row).skip(pivot).for_each(|(a, p)| *a -= factor * p);
        }
    }
    let mut x = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|column| rows[row][column] * x[column]).sum();
        x[row] = (rows[row][n] - known) / rows[row][row];
    }
    x
}

fn with_context(body: impl Fn(&Context)) {
    clean("a device", &Flavour::Gl.builder().build().unwrap(), body);
}

#[test]
fn systems_of_all_scales_are_solved_as_a_direct_solver_does() {
    with_context(|context| {
        let mut converged = 0;
        let cases = search(seed(), time(), &mut |choices| {
            let case = Case::new(choices);
            let solution = case.solve(context, false)?;
            converged += usize::from(solution.converged());
            case.check(&solution)
        });
        eprintln!("{cases} systems, {converged} of which converged");
        // Few are left of a device that many tests share: they may well be of those that are
        // refused.
        assert!(converged as u64 * 2 > cases || cases < 50, "{converged} of {cases}");
    });
}

#[test]
fn a_wrong_entry_of_the_matrix_is_found() {
    with_context(|context| {
        let said = found(100, &mut |choices| {
            let case = Case::new(choices);
            case.check(&case.solve(context, true)?)
        });
        assert!(said.contains("is told, and is"), "{said}");
    });
}
