//! Turns a failure in one process into an error in all, so that none waits for another.

use super::super::{Communicator, collective};
use super::{Error, Result};

/// Returns whether this process has the first rank: it reads and writes what all share.
pub(super) fn is_first(ranks: &dyn Communicator) -> bool {
    ranks.local().contains(&0)
}

/// Returns the result of this process, if that of no other is an error.
pub(super) fn agreed<T>(ranks: &dyn Communicator, result: Result<T>) -> Result<T> {
    let failed = vec![u8::from(result.is_err()); ranks.local().len()];
    let all = collective::gathered(ranks, &failed)?;
    match (result, all.iter().position(|failed| *failed != 0)) {
        (Ok(value), None) => Ok(value),
        (Ok(_), Some(rank)) => Err(Error::OnRank { rank }),
        (Err(error), _) => Err(error),
    }
}
