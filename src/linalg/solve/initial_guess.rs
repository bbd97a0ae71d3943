//! Solving from an x0: A d = b - A x0 is solved, in double precision on the host, and x0 + d is
//! looked at.

use crate::memory;
use crate::stream::observer::Observer;

use super::generic_solver::{Divided, GenericSolver, Reached};
use super::projection::Side;
use super::refinement::Outcome;
use super::refinement::engine::Runs;
use super::round::Round;
use super::{Ending, Options, Result, Solution};

/// A round that reduces the residual by less than this ends the iteration.
const FALL: f64 = 0.5;

impl<E: Runs> GenericSolver<E> {
    /// Solves A x = b from an x0 by rounds of corrections, until one meets the tolerance or is of
    /// no use.
    pub(super) fn solve_from(
        &mut self,
        asked: Options,
        side: &Side<'_>,
        x0: &[f64],
        observer: &mut dyn Observer,
    ) -> Result<Solution> {
        self.check("the first x", x0)?;
        let Side { ref b, unit, norm, .. } = *side;
        let n = x0.len();
        let mut x = memory::collected(n, x0.iter().map(|x| x / unit))?;
        if self.singular {
            self.system.remove_mean(&mut x)?;
        }
        if norm == 0.0 {
            // Nothing is relative to a right-hand side of zeros, whose solution is x = 0.
            x.fill(0.0);
        }
        let mut r = memory::zeroed(n)?;
        let nothing = Outcome {
            x: Vec::new(),
            residual: f64::INFINITY,
            reached_at: 0,
            iterations: 0,
            applications: 0,
            corrections: 0,
            ending: Ending::Converged,
        };
        let (gave_up, curvature) = (self.choice.gave_up, self.choice.curvature());
        let mut found = Solution { gave_up, curvature, ..nothing.into_solution(asked) };
        // The x of the round before, and after how many iterations it was reached.
        let mut last = (Vec::new(), 0);
        loop {
            let before = found.residual;
            let reached = self.system.residual(&x, b, &mut r)?;
            found.residual = if norm == 0.0 { 0.0 } else { reached / norm };
            if found.residual > before {
                // By rounding of the sum alone.
                found.residual = before;
                (x, found.reached_at) = last;
                if found.ending == Ending::Converged {
                    found.ending = Ending::Stagnated;
                }
                break;
            }
            if found.residual <= asked.tolerance {
                found.ending = Ending::Converged;
                break;
            }
            match found.ending {
                // Rounding, in x and in what was subtracted, is all that is left.
                Ending::Converged | Ending::Stagnated if found.residual > FALL * before => {
                    found.ending = Ending::Stagnated;
                    break;
                }
                Ending::Converged | Ending::Stagnated => {}
                _ => break,
            }
            let tolerance = asked.tolerance / found.residual;
            let iterations = asked.iterations - found.iterations;
            let left = Options { tolerance, iterations, ..asked };
            let (before, factor) = (found.iterations, found.residual);
            let mut round =
                Round { observer: &mut *observer, before, factor, unit, start: Some(&x) };
            let rest = self.side(&r)?;
            let step = self.solve_by(left, &rest, &mut round)?;
            let sums = memory::collected(n, x.iter().zip(&step.x).map(|(x, step)| x + step))?;
            last = (std::mem::replace(&mut x, sums), found.reached_at);
            found.reached_at = found.iterations + step.reached_at;
            found.iterations += step.iterations;
            found.applications += step.applications;
            found.corrections += step.corrections;
            found.ending = step.ending;
            (found.gave_up, found.curvature) = (step.gave_up, step.curvature);
        }
        let divided = Divided { b, norm, unit };
        let reached = Reached { residual: found.residual, ending: found.ending };
        let Reached { residual, ending } =
            self.rescale(&mut x, divided, reached, asked.tolerance)?;
        Ok(Solution { x, residual, ending, ..found })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::data::{NineBanded, Stencil};
    use crate::linalg::solve::{Error, Options, Solver};
    use crate::stream::observer::{Control, Progress};

    fn matrix(stencil: &str) -> NineBanded<f64> {
        stencil.parse::<Stencil>().unwrap().matrix_f64().unwrap()
    }

    fn side(matrix: &NineBanded<f64>, unit: f64) -> (Vec<f64>, Vec<f64>) {
        let x: Vec<f64> = (0..matrix.n()).map(|i| ((i * 37 % 101) as f64 - 50.0) * unit).collect();
        let b = matrix.multiply_f64(&x);
        (x, b)
    }

    fn residual(matrix: &NineBanded<f64>, x: &[f64], b: &[f64], unit: f64) -> f64 {
        let norm = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.map(|r| (r / unit).powi(2)).sum::<f64>().sqrt()
        };
        let product = matrix.multiply_f64(x);
        norm(&mut b.iter().zip(&product).map(|(b, p)| b - p)) / norm(&mut b.iter().copied())
    }

    #[test]
    fn a_first_x_that_is_near_saves_iterations_and_any_leads_to_the_tolerance() {
        let matrix = matrix("poisson5:40x31");
        for unit in [1.0, 1e-180, 1e180] {
            let (x, b) = side(&matrix, unit);
            let mut solver = Solver::on_host(&matrix, Options::new().tolerance(1e-11)).unwrap();
            let from_zero = solver.solve(&b).unwrap();
            let near: Vec<f64> = x.iter().map(|x| x * (1.0 + 1e-7)).collect();
            let far: Vec<f64> = x.iter().map(|x| unit * 1e6 - x).collect();
            for (first, fewer) in [(&near, true), (&far, false), (&vec![0.0; x.len()], false)] {
                let solution = solver.solve_from(&b, first, &mut ()).unwrap();
                assert!(solution.converged() && solution.residual <= 1e-11, "{solution:?}");
                // Both are computed in double precision, with sums of up to nine products.
                let anew = residual(&matrix, &solution.x, &b, unit);
                assert!(
                    (anew - solution.residual).abs() < 1e-14,
                    "{anew:e} {:e}",
                    solution.residual
                );
                assert!(!fewer || 2 * solution.iterations < from_zero.iterations);
            }
            let solved = solver.solve_from(&b, &from_zero.x, &mut ()).unwrap();
            assert_eq!((solved.iterations, solved.x == from_zero.x), (0, true));
        }
    }

    /// Below the normal numbers of double precision x is rounded, and the residual is that of the x
    /// that is returned.
    #[test]
    fn the_residual_is_that_of_an_x_that_was_rounded() {
        let matrix = matrix("poisson5:8");
        let options = Options::new().tolerance(1e-10);
        for (unit, ending) in
            [(1e-300, Ending::Converged), (1e-310, Ending::Converged), (1e-320, Ending::Stagnated)]
        {
            let b: Vec<f64> = (0..64).map(|i| ((i * 37 % 101) as f64 + 1.0) * unit).collect();
            let mut solver = Solver::on_host(&matrix, options).unwrap();
            let first = vec![0.0; 64];
            for solution in [solver.solve(&b), solver.solve_from(&b, &first, &mut ())] {
                let solution = solution.or_else(Error::into_nearest).unwrap();
                // These quotients are exact.
                let up = |numbers: &[f64]| -> Vec<f64> {
                    numbers.iter().map(|number| number / (-1074_f64).exp2()).collect()
                };
                let scale = unit / (-1074_f64).exp2();
                let exact = residual(&matrix, &up(&solution.x), &up(&b), scale);
                assert!((exact - solution.residual).abs() < 1e-14, "{exact:e} {solution:?}");
                assert_eq!(solution.ending, ending, "{unit:e}: {exact:e}");
            }
        }
    }

    #[test]
    fn a_first_x_may_come_to_nothing() {
        let matrix = matrix("poisson5:40");
        let (_, b) = side(&matrix, 1.0);
        let first = vec![1.0; b.len()];
        let mut few = Solver::on_host(&matrix, Options::new().iterations(3)).unwrap();
        let solution = few.solve_from(&b, &first, &mut ()).or_else(Error::into_nearest).unwrap();
        assert_eq!((solution.ending, solution.iterations), (Ending::Iterations, 3));
        let mut exact = Solver::on_host(&matrix, Options::new().tolerance(0.0)).unwrap();
        let ended = exact.solve_from(&b, &first, &mut ()).or_else(Error::into_nearest).unwrap();
        assert_eq!(ended.ending, Ending::Stagnated);
        let zero = exact.solve_from(&vec![0.0; b.len()], &first, &mut ()).unwrap();
        assert!(zero.converged() && zero.x.iter().all(|x| *x == 0.0));
        let stop = &mut |_: &Progress| Control::Stop;
        let ended = exact.solve_from(&b, &first, stop).or_else(Error::into_nearest).unwrap();
        assert_eq!(ended.ending, Ending::Stopped);
        let wrong = exact.solve_from(&b, &first[1..], &mut ()).unwrap_err();
        assert!(wrong.to_string().starts_with("the first x has 1599 numbers"), "{wrong}");
    }

    #[test]
    fn where_constants_are_the_null_space_x_has_no_mean() {
        let matrix = matrix("neumann5:20x13");
        let (_, mut b) = side(&matrix, 1.0);
        b.iter_mut().for_each(|b| *b += 3.0);
        let mut solver = Solver::on_host(&matrix, Options::new().project(true)).unwrap();
        let expected = solver.solve(&b).unwrap();
        let solution = solver.solve_from(&b, &vec![5.0; b.len()], &mut ()).unwrap();
        assert!(solution.converged());
        let mean = solution.x.iter().sum::<f64>() / b.len() as f64;
        assert!(mean.abs() < 1e-10, "{mean}");
        let (got, wanted) = (solution.removed_mean.unwrap(), expected.removed_mean.unwrap());
        assert!((got - wanted).abs() < 1e-12, "{got} {wanted}");
    }
}
