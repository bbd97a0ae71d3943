//! The replacement of the transforms in a build without them.

use crate::data::ConstantOperator;
use crate::gl::{self, Context};
use crate::grid::DeviceGrid;
use crate::linalg::nine_banded;
use crate::shader::Source;
use crate::stream::Error;

use super::modes::Modes;

/// Nothing makes it.
pub(crate) enum Inverse {}

impl Inverse {
    pub(crate) fn new(
        context: &Context,
        _: &ConstantOperator,
        _: &Modes,
        _: bool,
    ) -> Result<Inverse, Error> {
        Err(gl::Error::Unsupported {
            request: "solving by sine and cosine transforms".into(),
            lacks: "the feature `primitives` of the library".into(),
            device: context.abilities().renderer.clone(),
            remedy: "build with it, or choose another method".into(),
        }
        .into())
    }

    pub(crate) fn apply(
        &mut self,
        _: &DeviceGrid,
        _: &mut DeviceGrid,
    ) -> Result<(), nine_banded::Error> {
        match *self {}
    }
}

pub(super) fn sources() -> Result<Vec<Source>, Error> {
    Ok(Vec::new())
}
