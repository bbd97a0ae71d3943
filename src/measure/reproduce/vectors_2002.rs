//! To come.

use super::Study;

pub(super) const STUDIES: [Study; 0] = [];
