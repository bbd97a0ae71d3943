//! The methods that are compared.

use quadrille::data::Stencil;
use quadrille::linalg::solve::{self, Options, Preconditioner};

use super::super::names::named;
use super::host;

/// A method on the device, or one of the host's library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Jacobi,
    Cg,
    BiCgStab,
    Multigrid,
    MgCg,
    MgBiCgStab,
    /// Sparse Cholesky decomposition on all cores.
    Cholesky,
    /// Sparse LU decomposition on all cores.
    Lu,
    /// Conjugate gradients, with the diagonal as preconditioner, on one core.
    HostCg,
    /// BiCGSTAB, with the same.
    HostBiCgStab,
}

named!(pub Method, "method" {
    Jacobi => "jacobi",
    Cg => "cg",
    BiCgStab => "bicgstab",
    Multigrid => "multigrid",
    MgCg => "mgcg",
    MgBiCgStab => "mgbicgstab",
    Cholesky => "cholesky",
    Lu => "lu",
    HostCg => "host-cg",
    HostBiCgStab => "host-bicgstab",
});

impl Method {
    /// The options of the library's solver; none of a method of the host's library.
    pub(super) fn options(self) -> Option<Options> {
        let by = |method| Options::new().method(method).iterations(u64::MAX);
        Some(match self {
            Method::Jacobi => by(solve::Method::Jacobi),
            Method::Cg => by(solve::Method::Cg),
            Method::BiCgStab => by(solve::Method::BiCgStab),
            Method::Multigrid => by(solve::Method::Multigrid),
            Method::MgCg => by(solve::Method::Cg).preconditioner(Preconditioner::Multigrid),
            Method::MgBiCgStab => {
                by(solve::Method::BiCgStab).preconditioner(Preconditioner::Multigrid)
            }
            Method::Cholesky | Method::Lu | Method::HostCg | Method::HostBiCgStab => return None,
        })
    }

    pub fn place(self) -> &'static str {
        if self.options().is_some() { "device" } else { "host" }
    }

    /// Whether its cost is known only from smaller systems, and nothing stops it.
    pub(super) fn is_direct(self) -> bool {
        matches!(self, Method::Cholesky | Method::Lu)
    }

    /// Those that suit a system, where none are named.
    pub(super) fn suiting(stencil: Stencil) -> Vec<Method> {
        let (device, host) = match is_symmetric(stencil) {
            true => {
                ([Method::Cg, Method::Multigrid, Method::MgCg], [Method::Cholesky, Method::HostCg])
            }
            false => (
                [Method::BiCgStab, Method::Multigrid, Method::MgBiCgStab],
                [Method::Lu, Method::HostBiCgStab],
            ),
        };
        let host = host.into_iter().filter(|_| host::PRESENT);
        device.into_iter().chain(host).collect()
    }

    /// Those whose residuals are drawn over time. Jacobi's iteration is the last: it is stopped with the slowest of the others.
    pub(super) fn drawn(stencil: Stencil) -> [Method; 4] {
        match is_symmetric(stencil) {
            true => [Method::MgCg, Method::Multigrid, Method::Cg, Method::Jacobi],
            false => [Method::MgBiCgStab, Method::Multigrid, Method::BiCgStab, Method::Jacobi],
        }
    }
}

fn is_symmetric(stencil: Stencil) -> bool {
    !matches!(stencil, Stencil::Convection { .. })
}
