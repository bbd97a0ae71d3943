//! Seconds as an argument.

use std::time::Duration;

/// A time above zero.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected seconds, a number above 0".to_owned())
}
