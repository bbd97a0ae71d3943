//! The methods that are compared.

use std::fmt;

use quadrille::data::{AnyStencil, Stencil};
use quadrille::linalg::multigrid::{self, Smoother};
use quadrille::linalg::solve::{self, Options, Preconditioner};

use crate::report::names::named_enum;

named_enum! {
    /// A method on the device, or one of the host's library.
    pub enum Method: "method" {
        Jacobi => "jacobi",
        Cg => "cg",
        BiCgStab => "bicgstab",
        Multigrid => "multigrid",
        MgCg => "mgcg",
        MgBiCgStab => "mgbicgstab",
        /// Transforms, of systems with constant coefficients.
        Fft => "fft",
        /// Sparse Cholesky decomposition on all cores.
        Cholesky => "cholesky",
        /// Sparse LU decomposition on all cores.
        Lu => "lu",
        /// Conjugate gradients, with the diagonal as preconditioner, on one core.
        HostCg => "host-cg",
        /// BiCGSTAB, with the same.
        HostBiCgStab => "host-bicgstab",
    }
}

/// A method, and a smoother where that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contender {
    pub method: Method,
    /// The smoother of multigrid; the library's default if `None`.
    pub smoother: Option<Smoother>,
}

impl Contender {
    /// Each method; those with a smoother once with each of these, if there are any.
    pub(super) fn all(methods: &[Method], smoothers: &[Smoother]) -> Vec<Contender> {
        let named = |method: &Method| method.has_smoother() && !smoothers.is_empty();
        let of = |method: &Method| match named(method) {
            true => smoothers.iter().map(|smoother| Some(*smoother)).collect(),
            false => vec![None],
        };
        let pairs = methods.iter().flat_map(|method| {
            of(method).into_iter().map(|smoother| Contender { method: *method, smoother })
        });
        pairs.collect()
    }

    /// The options of the library's solver; `None` for a method of the host's library.
    pub(super) fn options(self) -> Option<Options> {
        let multigrid = multigrid::Options::new();
        let multigrid = self.smoother.map_or(multigrid, |smoother| multigrid.smoother(smoother));
        self.method.options_with(Preconditioner::Multigrid(multigrid))
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.name())?;
        self.smoother.map_or(Ok(()), |smoother| write!(f, " with {smoother}"))
    }
}

impl Method {
    /// The options of the library's solver; `None` for a method of the host's library.
    pub(super) fn options(self) -> Option<Options> {
        self.options_with(Preconditioner::Multigrid(multigrid::Options::new()))
    }

    fn options_with(self, multigrid: Preconditioner) -> Option<Options> {
        let by = |method| Options::new().method(method).iterations(u64::MAX);
        Some(match self {
            Method::Jacobi => by(solve::Method::Jacobi),
            Method::Cg => by(solve::Method::Cg),
            Method::BiCgStab => by(solve::Method::BiCgStab),
            Method::Multigrid => by(solve::Method::Multigrid).preconditioner(multigrid),
            Method::MgCg => by(solve::Method::Cg).preconditioner(multigrid),
            Method::MgBiCgStab => by(solve::Method::BiCgStab).preconditioner(multigrid),
            Method::Fft => by(solve::Method::Fft),
            Method::Cholesky | Method::Lu | Method::HostCg | Method::HostBiCgStab => return None,
        })
    }

    pub fn place(self) -> &'static str {
        if self.options().is_some() { "device" } else { "host" }
    }

    fn has_smoother(self) -> bool {
        matches!(self, Method::Multigrid | Method::MgCg | Method::MgBiCgStab)
    }

    /// Whether its cost is known only from smaller systems, and nothing stops it.
    pub(super) fn is_direct(self) -> bool {
        matches!(self, Method::Cholesky | Method::Lu)
    }

    /// The methods that suit a system, where none are named.
    pub(super) fn suiting(stencil: AnyStencil) -> Vec<Method> {
        let (device, host) = match is_symmetric(stencil) {
            true => {
                ([Method::Cg, Method::Multigrid, Method::MgCg], [Method::Cholesky, Method::HostCg])
            }
            false => (
                [Method::BiCgStab, Method::Multigrid, Method::MgBiCgStab],
                [Method::Lu, Method::HostBiCgStab],
            ),
        };
        let plane = matches!(stencil, AnyStencil::Plane(_));
        let host = host.into_iter().filter(|_| cfg!(feature = "host-solvers") && plane);
        device.into_iter().chain(host).collect()
    }

    /// The methods whose residuals are drawn over time. Jacobi's iteration is the last: it is
    /// stopped with the slowest of the others.
    pub(super) fn drawn(stencil: AnyStencil) -> [Method; 4] {
        match is_symmetric(stencil) {
            true => [Method::MgCg, Method::Multigrid, Method::Cg, Method::Jacobi],
            false => [Method::MgBiCgStab, Method::Multigrid, Method::BiCgStab, Method::Jacobi],
        }
    }
}

fn is_symmetric(stencil: AnyStencil) -> bool {
    match stencil {
        AnyStencil::Plane(stencil) => !matches!(stencil, Stencil::Convection { .. }),
        AnyStencil::Space(stencil) => stencil.is_symmetric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothers_multiply_the_methods_that_have_one() {
        let methods = [Method::Cg, Method::MgCg];
        let names = |smoothers: &[Smoother]| {
            let all = Contender::all(&methods, smoothers);
            all.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]), ["cg", "mgcg"]);
        let two = [Smoother::Jacobi, Smoother::LineJacobi];
        assert_eq!(names(&two), ["cg", "mgcg with jacobi", "mgcg with line-jacobi"]);
    }
}
