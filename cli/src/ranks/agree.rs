//! Errors that all ranks come to know of at a point that all reach.

use serde::{Deserialize, Serialize};

use quadrille::cluster::collective;

use super::super::exit;
use super::Joined;

/// The error of the lowest rank that had one, as all ranks know it.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{text}")]
pub(crate) struct Agreed {
    /// All that is said of it.
    pub(super) text: String,
    pub(super) code: u8,
}

impl Joined {
    /// What this rank has, unless any rank has an error, which all then return. All ranks must come here, so that no messages may be
    /// between their errors and this.
    pub(crate) fn agree<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<T> {
        let communicator = self.communicator();
        if communicator.size() == 1 {
            return result;
        }
        let own = match &result {
            Ok(_) => String::new(),
            Err(error) => {
                let agreed = Agreed { text: exit::text(error), code: exit::exit_code(error) };
                serde_json::to_string(&agreed)?
            }
        };
        let all = collective::texts(&*communicator, &[own])?;
        match all.iter().find(|text| !text.is_empty()) {
            None => result,
            Some(text) => Err(serde_json::from_str::<Agreed>(text)?.into()),
        }
    }
}
