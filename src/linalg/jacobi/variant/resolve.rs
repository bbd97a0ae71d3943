//! Chooses the variant that runs for a system on a device.

use crate::data::NineBanded;
use crate::gl::Context;
use crate::shader::Reads;

use super::tuned::Choice;
use crate::linalg::jacobi::panel::extent::holds_rows;
use crate::linalg::jacobi::{Error, Layout, Optimization, ResolvedVariant, Result, Variant};

impl Variant {
    /// Returns the variant that runs for `n` unknowns in rows of `m` on a device: what is not set
    /// is as it was tuned for this device ([`choice`](crate::stream::choice)), if that agrees with
    /// what is set. Else it is as measured on devices of its kind (docs/measured.md).
    ///
    /// The packed layout is the fastest for one system everywhere; where its rows are too long for
    /// a texture and those of RED are not, RED stands in, because rows whose ends are coupled must
    /// not be cut. GPUs give compute shaders more of their processors than fragment shaders;
    /// software renderers do not. The optimization `neighbours` samples even where a device fetches
    /// faster, since its coordinates are interpolated and sampling needs no arithmetic.
    ///
    /// # Errors
    ///
    /// [`Error::Reads`] if the optimization cannot read in the way that is set.
    pub fn resolve(self, context: &Context, n: usize, m: usize) -> Result<ResolvedVariant> {
        let fits = |layout| holds_rows(context.abilities(), layout, m);
        let layout =
            if !fits(Layout::Packed) && fits(Layout::Red) { Layout::Red } else { Layout::Packed };
        self.resolve_or(layout, context, n, m)
    }

    /// Resolves the variant for a matrix, which may say more than its size: if rows are not coupled
    /// at their ends, long rows are cut into panels instead of given to RED.
    ///
    /// # Errors
    ///
    /// Those of [`resolve`](Self::resolve).
    pub fn resolve_for(self, context: &Context, matrix: &NineBanded) -> Result<ResolvedVariant> {
        let (n, m) = (matrix.n(), matrix.m());
        match matrix.couples_across_ends() {
            true => self.resolve(context, n, m),
            false => self.resolve_or(Layout::Packed, context, n, m),
        }
    }

    fn resolve_or(
        self,
        layout: Layout,
        context: &Context,
        n: usize,
        m: usize,
    ) -> Result<ResolvedVariant> {
        if let Some(tuned) = Choice::tuned(context, self, n, m) {
            return Ok(tuned.variant);
        }
        let abilities = context.abilities();
        let layout = self.layout.unwrap_or(layout);
        let computes = !abilities.software && abilities.compute.is_some();
        let best = if computes { Optimization::Compute } else { Optimization::Neighbours };
        let optimization = self.optimization.unwrap_or(best);
        if let Some(reads) = self.reads.filter(|reads| !optimization.can_read(*reads)) {
            return Err(Error::Reads { optimization, reads });
        }
        let reads = self.reads.unwrap_or(match optimization {
            Optimization::Neighbours => Reads::Sample,
            Optimization::Compute => Reads::Fetch,
            _ => abilities.reads(),
        });
        Ok(ResolvedVariant { layout, optimization, reads })
    }
}
