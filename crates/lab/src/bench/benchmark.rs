//! Work that is run again and again, and whose last result is compared with the host's.

use crate::Result;
use crate::twin::Comparison;

/// Work with its data.
pub(crate) trait Benchmark {
    /// Runs it once.
    fn run(&mut self) -> Result<()>;

    /// Compares the last result.
    fn compare(&self) -> Result<Comparison>;
}

/// A result, the work that changes it, and what judges it.
struct ResultOf<R, W, C> {
    result: R,
    work: W,
    compare: C,
}

impl<R, W, C> Benchmark for ResultOf<R, W, C>
where
    W: FnMut(&mut R) -> Result<()>,
    C: Fn(&R) -> Result<Comparison>,
{
    fn run(&mut self) -> Result<()> {
        (self.work)(&mut self.result)
    }

    fn compare(&self) -> Result<Comparison> {
        (self.compare)(&self.result)
    }
}

/// Returns the benchmark of work that changes a result.
pub(crate) fn benchmark<'a, R: 'a>(
    result: R,
    work: impl FnMut(&mut R) -> Result<()> + 'a,
    compare: impl Fn(&R) -> Result<Comparison> + 'a,
) -> Box<dyn Benchmark + 'a> {
    Box::new(ResultOf { result, work, compare })
}
