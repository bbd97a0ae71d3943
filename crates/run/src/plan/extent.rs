//! The extent that a pass computes, unless one is given.

use quadrille::{Extent, data};

use crate::error::{Result, SizeError};

/// The extents that determine the extent of a pass.
pub(crate) struct Sizes {
    pub(crate) given: Option<Extent>,
    /// Name, extent, and whether it is an array of one axis.
    pub(crate) sources: Vec<(String, Extent, bool)>,
}

impl Sizes {
    /// Returns the extent, and whether it is that of arrays of one axis alone.
    pub(crate) fn choose(self, pass: &str) -> Result<(Extent, bool)> {
        if let Some(extent) = self.given {
            return match extent.texels() {
                0 => Err(data::ArrayError::FieldEmpty { extent }.into()),
                _ => Ok((extent, false)),
            };
        }
        let pass = pass.to_owned();
        let Some(&(_, first, _)) = self.sources.first() else {
            return Err(SizeError::NoExtent { pass }.into());
        };
        if self.sources.iter().any(|(_, extent, _)| *extent != first) {
            let inputs = self.sources.into_iter().map(|(name, extent, _)| (name, extent)).collect();
            return Err(SizeError::Extents { pass, inputs }.into());
        }
        Ok((first, self.sources.iter().all(|(_, _, line)| *line)))
    }
}
