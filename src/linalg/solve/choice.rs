//! Chooses the method and the preconditioner for a system.

use super::problem::scaling;
use super::{
    Ending, Error, Method, Options, Preconditioner, Preconditioning, Properties, ResidualOn, Result,
};
use crate::linalg::multigrid;

/// The method and the preconditioner of a solver.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// The levels of multigrid; 0 where it does not run.
    pub levels: usize,
    /// The smoothers of the levels, from the finest; the last level is solved.
    pub smoothers: Vec<multigrid::Smoother>,
    /// The ending of multigrid, if it was chosen and did not converge: another preconditioner has
    /// replaced it since.
    pub gave_up: Option<Ending>,
    /// The reason why the method was chosen; `None` if the caller set it.
    pub why: Option<Why>,
    /// The place where residuals in double precision are computed; the host computes the last one
    /// in any case.
    pub residual_on: ResidualOn,
    /// Whether the system is scaled where no multigrid runs.
    pub(super) scalable: bool,
}

/// The reason why a method was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Why {
    /// The matrix is symmetric, and no number of its diagonal is negative or zero.
    Symmetric,
    /// An entry differs from its mirror image.
    NotSymmetric {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// The diagonal has a number in this row that is not positive.
    NotPositive {
        /// The row, from 0.
        row: usize,
    },
    /// Conjugate gradients were chosen, and found that the symmetric matrix is not positive
    /// definite: BiCGSTAB has taken their place.
    NotDefinite {
        /// The product p . A p, not positive, of a direction p.
        curvature: f64,
    },
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Symmetric => f.write_str("the matrix is symmetric with a positive diagonal"),
            Why::NotSymmetric { row, column } => {
                write!(f, "the matrix is not symmetric at row {row}, column {column} (from 0)")
            }
            Why::NotPositive { row } => {
                write!(f, "the diagonal is not positive at row {row} (from 0)")
            }
            Why::NotDefinite { curvature } => write!(
                f,
                "the matrix is symmetric but not positive definite: cg, tried first, found p . A p = {curvature:.3e} for a direction p"
            ),
        }
    }
}

impl Choice {
    /// Returns whether the steps in 32-bit floats are of the system S A S y = S b with S near
    /// D^-1/2, since the numbers on the diagonal of this symmetric matrix differ by more than
    /// 32-bit floats resolve.
    pub fn is_scaled(&self) -> bool {
        self.scalable && self.multigrid().is_none()
    }

    /// Returns the options of multigrid, where that runs.
    pub fn multigrid(&self) -> Option<multigrid::Options> {
        match self.preconditioner {
            Preconditioner::Multigrid(options) => Some(options),
            _ => None,
        }
    }

    /// Returns whether it is scaled, or would be without multigrid.
    pub(crate) fn may_be_scaled(&self) -> bool {
        self.scalable
    }

    /// Returns the smoothers of multigrid's levels as text, where it runs: one name, or each with
    /// its levels, of which the finest is 1; `none` for a single level without a named smoother.
    pub fn smoother(&self) -> Option<String> {
        let asked = self.multigrid()?.smoother;
        let mut runs: Vec<(multigrid::Smoother, usize, usize)> = Vec::new();
        for (level, smoother) in (1..).zip(&self.smoothers) {
            match runs.last_mut() {
                Some((same, _, last)) if same == smoother => *last = level,
                _ => runs.push((*smoother, level, level)),
            }
        }
        let text =
            |(smoother, first, last): &(multigrid::Smoother, usize, usize)| match first == last {
                true => format!("{smoother} on level {first}"),
                false => format!("{smoother} on levels {first} to {last}"),
            };
        Some(match runs.as_slice() {
            [] => asked.map_or("none", multigrid::Smoother::name).into(),
            [(smoother, ..)] => smoother.to_string(),
            several => several.iter().map(text).collect::<Vec<_>>().join(", "),
        })
    }

    /// Chooses what the options leave open, to suit the matrix.
    pub(crate) fn of(matrix: &Properties, options: Options) -> Result<Choice> {
        let why = why(matrix);
        let suits = if why == Why::Symmetric { Method::Cg } else { Method::BiCgStab };
        let method = options.method.unwrap_or(suits);
        if method == Method::Cg {
            must_be_symmetric(matrix, method)?;
        }
        let no_zero = matrix.first_zero_diagonal();
        let diagonal =
            if no_zero.is_some() { Preconditioner::Identity } else { Preconditioner::Jacobi };
        let mut preconditioner = match options.preconditioner {
            _ if method == Method::Fft => Preconditioner::Identity,
            Preconditioning::Given(preconditioner) => preconditioner,
            Preconditioning::Auto(multigrid)
                if method == Method::Multigrid
                    || options.are_open() && no_zero.is_none() && suits_multigrid(matrix) =>
            {
                Preconditioner::Multigrid(multigrid)
            }
            Preconditioning::Auto(_) => diagonal,
        };
        if let Preconditioner::Multigrid(multigrid) = &mut preconditioner {
            let symmetric = !matches!(why, Why::NotSymmetric { .. });
            *multigrid = multigrid.symmetric(symmetric);
        }
        match no_zero {
            Some(row) if preconditioner != Preconditioner::Identity => {
                return Err(Error::ZeroDiagonal { row, preconditioner: preconditioner.name() });
            }
            _ => {}
        }
        let why = if options.method.is_none() { Some(why) } else { None };
        Ok(Choice {
            method,
            preconditioner,
            why,
            levels: 0,
            gave_up: None,
            smoothers: Vec::new(),
            residual_on: ResidualOn::Host,
            // A device that keeps x in double precision has the given system.
            scalable: method != Method::Fft
                && options.residual_on != Some(ResidualOn::Device)
                && scaling::suits(matrix),
        })
    }

    /// Returns the choice after multigrid failed: the preconditioner that needs no grid. `gave_up`
    /// says how multigrid ended.
    pub(super) fn without_multigrid(&self, gave_up: Option<Ending>) -> Choice {
        let (preconditioner, smoothers) = (Preconditioner::Jacobi, Vec::new());
        Choice { preconditioner, levels: 0, smoothers, gave_up, ..*self }
    }

    /// Returns the choice after conjugate gradients found a direction of this curvature.
    pub(super) fn by_bicgstab(self, curvature: f64) -> Choice {
        Choice { method: Method::BiCgStab, why: Some(Why::NotDefinite { curvature }), ..self }
    }

    /// Returns the curvature by which conjugate gradients failed, if they were chosen first.
    pub(super) fn curvature(&self) -> Option<f64> {
        match self.why {
            Some(Why::NotDefinite { curvature }) => Some(curvature),
            _ => None,
        }
    }

    /// Refuses options of multigrid where it was not chosen.
    pub(super) fn must_use(&self, asked: Preconditioning) -> Result<()> {
        match (asked, self.multigrid()) {
            (Preconditioning::Auto(multigrid), None) => {
                multigrid.first_set().map_or(Ok(()), |option| Err(Error::NotMultigrid { option }))
            }
            _ => Ok(()),
        }
    }
}

/// The unknowns from which on multigrid takes less time than steps with the diagonal: of fewer, its
/// setup takes longer.
const MANY: usize = 1 << 15;
/// The largest ratio of the eigenvalues of D^-1 A for which such steps are few, and multigrid has
/// no advantage.
const MODERATE: f64 = 10.0;

/// Returns whether a matrix is a large grid's, and its diagonal does not dominate: no eigenvalue of
/// D^-1 A is further from 1 than the largest sum of a row's couplings over its diagonal (Gershgorin
/// 1931).
fn suits_multigrid(matrix: &Properties) -> bool {
    let largest = matrix.gershgorin();
    let is_grid = matrix.unknowns() >= MANY && !matrix.couples_across_ends();
    is_grid && largest > MODERATE * (2.0 - largest)
}

fn why(matrix: &Properties) -> Why {
    match (matrix.first_asymmetric(), matrix.first_not_positive()) {
        (Some((row, column)), _) => Why::NotSymmetric { row, column },
        (None, Some((row, _))) => Why::NotPositive { row },
        (None, None) => Why::Symmetric,
    }
}

fn must_be_symmetric(matrix: &Properties, method: Method) -> Result<()> {
    match (matrix.first_asymmetric(), matrix.first_not_positive()) {
        (Some((row, column)), _) => {
            let (value, mirrored) = matrix.mirrored();
            Err(Error::NotSymmetric { method, row, column, value, mirrored })
        }
        (None, Some((row, value))) => Err(Error::NotPositive { method, row, value }),
        (None, None) => Ok(()),
    }
}
