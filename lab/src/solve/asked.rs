//! A solver's options by their names, where `auto` leaves one open.

use std::str::FromStr;

use quadrille::Kind;
use quadrille::error::UnknownName;
use quadrille::linalg::multigrid::{CoarsenAlong, Cycle, Smoother};
use quadrille::linalg::solve::{Method, Options, Precision, Preconditioner};

/// What `auto` leaves open.
#[derive(Clone, Copy, Debug)]
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

/// A method, or the two words that are none of the library's.
#[derive(Clone, Copy, Debug)]
pub enum NamedMethod {
    Auto,
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

/// What a solver is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub method: NamedMethod,
    pub preconditioner: OrAuto<Preconditioner>,
    pub smoother: OrAuto<Smoother>,
    pub coarsen: OrAuto<CoarsenAlong>,
    pub cycle: Cycle,
    pub full_start: bool,
    pub precision: Precision,
    pub tolerance: f64,
    pub iterations: u64,
}

/// Options that contradict each other, or that would be ignored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    #[error(
        "the method {method} has the preconditioner multigrid, and the preconditioner {preconditioner} was given; leave one of them \
         out"
    )]
    TwoPreconditioners { method: &'static str, preconditioner: &'static str },

    #[error("a full start needs mixed precision, and single was given")]
    FullStart,

    #[error(
        "the option `{option}` is for multigrid, which was not chosen for this system; choose the preconditioner multigrid, or leave it out"
    )]
    NotMultigrid { option: &'static str },
}

impl Contradiction {
    /// Returns the kind of failure: [`Kind::Input`].
    pub fn kind(&self) -> Kind {
        Kind::Input
    }
}

impl Asked {
    /// The options, unless some of them contradict each other.
    pub fn options(&self) -> Result<Options, Contradiction> {
        self.must_agree()?;
        let options = Options::new()
            .cycle(self.cycle)
            .full_start(self.full_start)
            .precision(self.precision)
            .tolerance(self.tolerance)
            .iterations(self.iterations);
        let options = self.smoother.0.map_or(options, |smoother| options.smoother(smoother));
        let options = self.coarsen.0.map_or(options, |along| options.coarsen(along));
        let options = self.preconditioner.0.map_or(options, |with| options.preconditioner(with));
        Ok(match self.method {
            NamedMethod::Auto => options,
            NamedMethod::Method(method) => options.method(method),
            NamedMethod::MgCg => {
                options.method(Method::Cg).preconditioner(Preconditioner::Multigrid)
            }
        })
    }

    fn must_agree(&self) -> Result<(), Contradiction> {
        let method = match self.method {
            NamedMethod::MgCg => Some("mgcg"),
            NamedMethod::Method(Method::Multigrid) => Some("multigrid"),
            _ => None,
        };
        let other = self.preconditioner.0.filter(|with| *with != Preconditioner::Multigrid);
        match (method, other) {
            (Some(method), Some(other)) => {
                Err(Contradiction::TwoPreconditioners { method, preconditioner: other.name() })
            }
            _ if self.full_start && self.precision == Precision::Single => {
                Err(Contradiction::FullStart)
            }
            _ => Ok(()),
        }
    }

    /// Refuses what is said of multigrid where that does not run.
    pub fn must_be_used(&self, multigrid_runs: bool) -> Result<(), Contradiction> {
        let said = [
            (self.smoother.0.is_some(), "smoother"),
            (self.cycle != Cycle::default(), "cycle"),
            (self.coarsen.0.is_some(), "coarsen"),
            (self.full_start, "full-start"),
        ];
        match said.into_iter().find(|(said, _)| *said && !multigrid_runs) {
            None => Ok(()),
            Some((_, option)) => Err(Contradiction::NotMultigrid { option }),
        }
    }
}
