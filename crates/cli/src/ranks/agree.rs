//! Errors that all ranks come to know of at a point that all reach.

use quadrille::cluster::{checkpoint, collective};

use super::super::exit;
use super::Joined;
use super::shared_error::SharedError;

impl Joined {
    /// Returns this rank's result, unless any rank has an error, which all then return. All ranks
    /// must call it, and no messages may be between their errors and this.
    pub(crate) fn agree<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        let communicator = self.communicator();
        if communicator.size() == 1 {
            return result;
        }
        let own = match &result {
            Ok(_) => String::new(),
            Err(error) => {
                let of_another =
                    matches!(error.downcast_ref(), Some(checkpoint::Error::OnRank { .. }));
                let (text, code) = (exit::text(error), exit::exit_code(error));
                let shared = SharedError { text, code, of_another };
                serde_json::to_string(&shared)?
            }
        };
        let all = collective::texts(&*communicator, &[own])?;
        let all = all.iter().filter(|text| !text.is_empty());
        let mut all = all
            .map(|text| serde_json::from_str::<SharedError>(text))
            .collect::<Result<Vec<_>, _>>()?;
        // The lowest rank that has an error of its own.
        all.sort_by_key(|shared| shared.of_another);
        all.into_iter().next().map_or(result, |shared| Err(shared.into()))
    }
}
