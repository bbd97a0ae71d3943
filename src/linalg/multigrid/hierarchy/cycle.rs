//! The order in which a cycle visits the levels: each once on the way down and once on the way up.

/// The operations of a cycle on levels numbered from the finest, on one device or on several ranks.
pub(crate) trait Levels {
    type Error;

    /// Returns the number of the last level, which is solved.
    fn last(&self) -> usize;

    /// Runs the sweeps of a half of a cycle on a level, from x = 0 if `from_zero`, where x is not
    /// read.
    fn smooth(&mut self, at: usize, half: usize, from_zero: bool) -> Result<(), Self::Error>;

    /// Sets the next level's right-hand side to the restricted residual of a level.
    fn restrict_residual(&mut self, at: usize) -> Result<(), Self::Error>;

    /// Adds the interpolation of the next level's x to a level's.
    fn add_interpolation(&mut self, at: usize) -> Result<(), Self::Error>;

    /// Solves the last level.
    fn solve(&mut self) -> Result<(), Self::Error>;
}

/// Runs a V cycle on the levels from this one on.
pub(crate) fn run_cycle<L: Levels>(
    levels: &mut L,
    at: usize,
    from_zero: bool,
) -> Result<(), L::Error> {
    if at == levels.last() {
        return levels.solve();
    }
    levels.smooth(at, 0, from_zero)?;
    levels.restrict_residual(at)?;
    run_cycle(levels, at + 1, true)?;
    levels.add_interpolation(at)?;
    levels.smooth(at, 1, false)
}
