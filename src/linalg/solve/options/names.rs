//! Options by the names that programs take from their users, and what contradicts each other.

use std::str::FromStr;

use crate::error::UnknownName;
use crate::linalg::multigrid;
use crate::linalg::solve::{Error, Method, Options, Preconditioner, Preconditioning, Result};

/// A value by its name, or `auto`, which leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrAuto<T>(pub Option<T>);

impl<T: FromStr<Err = UnknownName>> FromStr for OrAuto<T> {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<OrAuto<T>, UnknownName> {
        if text == "auto" {
            return Ok(OrAuto(None));
        }
        text.parse().map(|value| OrAuto(Some(value))).map_err(|mut unknown: UnknownName| {
            unknown.expected.insert(0, "auto");
            unknown
        })
    }
}

/// A method by its name, `auto`, or `mgcg`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedMethod {
    /// Chosen by the matrix.
    Auto,
    /// A method of that name.
    Method(Method),
    /// Conjugate gradients with multigrid.
    MgCg,
}

impl FromStr for NamedMethod {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<NamedMethod, UnknownName> {
        if text == "mgcg" {
            return Ok(NamedMethod::MgCg);
        }
        let method = text.parse::<OrAuto<Method>>().map_err(|mut unknown| {
            unknown.expected.push("mgcg");
            unknown
        });
        Ok(method?.0.map_or(NamedMethod::Auto, NamedMethod::Method))
    }
}

impl Options {
    /// Solves by a method and a preconditioner that were named apart from each other and from the
    /// options of multigrid, as a command line names them: `multigrid` replaces the options of a
    /// preconditioner of that name.
    ///
    /// ```
    /// use quadrille::linalg::multigrid::{self, CoarsenAlong};
    /// use quadrille::linalg::solve::{Error, Options, Preconditioner};
    /// let both = multigrid::Options::new().coarsen(CoarsenAlong::Both);
    /// assert!(Options::new().named("mgcg".parse()?, None, both).is_ok());
    /// let jacobi = Some(Preconditioner::Jacobi);
    /// let refused = Options::new().named("cg".parse()?, jacobi, both);
    /// assert!(matches!(refused, Err(Error::NotMultigrid { option: "coarsen" })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::TwoPreconditioners`] and [`Error::NotMultigrid`] for options that contradict each other; [`Error::Tolerance`] for a tolerance that is negative or not
    /// finite.
    pub fn named(
        self,
        method: NamedMethod,
        preconditioner: Option<Preconditioner>,
        multigrid: multigrid::Options,
    ) -> Result<Options> {
        let by_multigrid = Preconditioner::Multigrid(multigrid);
        let preconditioner = match (method, preconditioner) {
            (NamedMethod::MgCg, None) | (_, Some(Preconditioner::Multigrid(_))) => {
                Preconditioning::Given(by_multigrid)
            }
            (NamedMethod::MgCg, Some(other)) => {
                let (method, preconditioner) = ("mgcg", other.name());
                return Err(Error::TwoPreconditioners { method, preconditioner });
            }
            (_, None) => Preconditioning::Auto(multigrid),
            (_, Some(other)) => Preconditioning::Given(other),
        };
        let method = match method {
            NamedMethod::Auto => None,
            NamedMethod::Method(method) => Some(method),
            NamedMethod::MgCg => Some(Method::Cg),
        };
        let options = Options { method, preconditioner, ..self };
        options.must_agree()?;
        match (preconditioner, multigrid.first_set()) {
            (Preconditioning::Given(given), Some(option)) if given != by_multigrid => {
                Err(Error::NotMultigrid { option })
            }
            _ => Ok(options),
        }
    }

    /// Refuses what no residual can be compared with, and options that contradict each other.
    pub(crate) fn must_agree(&self) -> Result<()> {
        let Options { method, preconditioner, tolerance, .. } = *self;
        if !(tolerance >= 0.0 && tolerance.is_finite()) {
            return Err(Error::Tolerance { tolerance });
        }
        match preconditioner {
            Preconditioning::Given(Preconditioner::Multigrid(_)) if method != Some(Method::Fft) => {
                Ok(())
            }
            Preconditioning::Given(other) if method == Some(Method::Multigrid) => {
                let method = Method::Multigrid.name();
                Err(Error::TwoPreconditioners { method, preconditioner: other.name() })
            }
            Preconditioning::Given(other)
                if method == Some(Method::Fft) && other != Preconditioner::Identity =>
            {
                Err(Error::NoPreconditioner { preconditioner: other.name() })
            }
            Preconditioning::Auto(_) | Preconditioning::Given(_) => Ok(()),
        }
    }
}
