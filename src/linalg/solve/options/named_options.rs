//! The options of a solver as data, and their values as programs take them from their users.

use crate::linalg::multigrid;
use crate::linalg::solve::{NamedMethod, Options, OrAuto, Preconditioner, Result};
use crate::options::{Entry, Error, FrontEnd, Kind, OptionSpec, Specified};

/// The options of a solver that were named apart from each other.
///
/// ```
/// use quadrille::linalg::solve::{Method, NamedOptions};
/// use quadrille::options::{FrontEnd, Specified};
/// let mut named = NamedOptions::default();
/// named.set_spelled(FrontEnd::Command, "--method", &"mgcg")?;
/// named.set_spelled(FrontEnd::Command, "--tolerance", &"1e-12")?;
/// assert_eq!(named.options()?.method, Some(Method::Cg));
/// let refused = named.set_spelled(FrontEnd::Python, "tolerance", &"small").unwrap_err();
/// assert_eq!(refused.to_string(), "tolerance: expected a number from 0 on; got `small`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NamedOptions {
    method: NamedMethod,
    preconditioner: OrAuto<Preconditioner>,
    multigrid: multigrid::Options,
    options: Options,
}

impl Default for NamedOptions {
    fn default() -> NamedOptions {
        NamedOptions {
            method: NamedMethod::Auto,
            preconditioner: OrAuto(None),
            multigrid: multigrid::Options::new(),
            options: Options::new(),
        }
    }
}

impl NamedOptions {
    /// Returns the options.
    ///
    /// # Errors
    ///
    /// Those of [`Options::named`] for options that contradict each other.
    pub fn options(&self) -> Result<Options> {
        self.options.named(self.method, self.preconditioner.0, self.multigrid)
    }

    /// Returns the options other than the method and the preconditioner, which may contradict each other.
    pub fn others(&self) -> &Options {
        &self.options
    }
}

const METHODS: Kind = Kind::Name(&[
    (
        "auto",
        "cg for a symmetric matrix with a positive diagonal, else bicgstab; with multigrid where it serves",
    ),
    ("cg", "conjugate gradients, for symmetric positive definite matrices"),
    ("bicgstab", "the stabilised biconjugate gradients of van der Vorst, for any matrix"),
    ("jacobi", "Jacobi's iteration"),
    ("multigrid", "multigrid cycles, repeated"),
    ("mgcg", "cg with the preconditioner multigrid"),
    (
        "fft",
        "a direct solution by sines and cosines, for constant coefficients that are symmetric in x and in y",
    ),
]);

const PRECONDITIONERS: Kind = Kind::Name(&[
    (
        "auto",
        "jacobi, and none if the diagonal has a zero; with the method auto multigrid, for a grid of 32768 unknowns or more whose \
         matrix is not dominated by its diagonal, and jacobi if that does not converge",
    ),
    ("none", "none"),
    ("jacobi", "division by the diagonal"),
    (
        "chebyshev",
        "a polynomial of the matrix over its diagonal, for matrices that are symmetric or nearly so",
    ),
    ("multigrid", "a multigrid cycle, for matrices of grids: few iterations at any size"),
]);

const SMOOTHERS: Kind = Kind::Name(&[
    (
        "auto",
        "jacobi, and line-jacobi on levels where many points are coupled much more strongly along one axis, some along rows and \
         others along columns",
    ),
    ("jacobi", "two damped sweeps of Jacobi's iteration"),
    (
        "line-jacobi",
        "a damped sweep of Jacobi's by rows and one by columns, each solved as a whole",
    ),
]);

const COARSENINGS: Kind = Kind::Name(&[
    ("auto", "both with line-jacobi, else strong"),
    ("strong", "the axis with stronger couplings"),
    ("both", "both axes"),
]);

const PRECISIONS: Kind = Kind::Name(&[
    ("mixed", "64-bit floats, by steps in 32-bit floats"),
    ("single", "32-bit floats"),
]);

const PLACES: Kind = Kind::Name(&[
    ("auto", "the device where it is hardware with doubles and room for them, else the host"),
    ("host", "the host, by several threads"),
    ("device", "the device, by compute shaders with doubles (OpenGL 4.3)"),
]);

impl Specified for NamedOptions {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new("method", METHODS, "auto", "The method"),
        OptionSpec::new("preconditioner", PRECONDITIONERS, "auto", "The preconditioner"),
        OptionSpec::new("smoother", SMOOTHERS, "auto", "The smoother of multigrid"),
        OptionSpec::new(
            "coarsen",
            COARSENINGS,
            "auto",
            "The axes along which multigrid's levels become coarser",
        ),
        OptionSpec::new(
            "project",
            Kind::Flag,
            "false",
            "Solve for the right-hand side without its mean, where the matrix takes constants to zero and no A x has one",
        ),
        OptionSpec::new("precision", PRECISIONS, "mixed", "The precision of x"),
        OptionSpec {
            lacking: &[(FrontEnd::Browser, "WebGL2 has no doubles")],
            ..OptionSpec::new(
                "residual_on",
                PLACES,
                "auto",
                "The place where residuals in double precision are computed; the last one on the host",
            )
        },
        OptionSpec::new(
            "tolerance",
            Kind::Number,
            "1e-8",
            "Stop when the 2-norm of b - A x is at most this times that of b",
        ),
        OptionSpec::new(
            "iterations",
            Kind::Integer { least: 0 },
            "100000",
            "The maximum number of iterations",
        ),
        OptionSpec::new(
            "check_every",
            Kind::Integer { least: 1 },
            "",
            "The iterations between two looks at the residual, which are sooner where the tolerance is near; chosen by what a look costs",
        ),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), Error> {
        let NamedOptions { method, preconditioner, multigrid, options } = self;
        match option.name {
            "method" => *method = option.parsed(value)?,
            "preconditioner" => *preconditioner = option.parsed(value)?,
            "smoother" => multigrid.smoother = option.parsed::<OrAuto<_>>(value)?.0,
            "coarsen" => multigrid.coarsen = option.parsed::<OrAuto<_>>(value)?.0,
            "project" => options.project = option.flag(value)?,
            "precision" => options.precision = option.parsed(value)?,
            "residual_on" => options.residual_on = option.parsed::<OrAuto<_>>(value)?.0,
            "tolerance" => options.tolerance = option.number(value)?,
            "iterations" => options.iterations = option.integer(value)?,
            "check_every" => options.check_every = Some(option.integer(value)?),
            _ => {}
        }
        Ok(())
    }
}
