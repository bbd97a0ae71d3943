//! A build without reports does not measure the host.

use super::HostLimits;
use crate::Result;

pub fn limits() -> Result<Option<HostLimits>> {
    Ok(None)
}
