//! The arguments of checkpoints and time limits.

use std::time::Duration;

use clap::error::{ContextKind, ContextValue};

use crate::arguments::seconds::seconds;
use crate::prelude::*;

/// The name of standard input and standard output.
pub(crate) const STREAM: &str = "-";

/// Arguments of checkpoints: where the state is saved, and where it is read from.
#[derive(Args)]
pub(crate) struct CheckpointArguments {
    /// Keep the state of the last K-th step in this file (--every K, or --checkpoint-every K), and
    /// that of the last step: a run that is killed, or loses its device, goes on from there with
    /// --resume
    #[arg(long, value_name = "FILE", help_heading = "Computation")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// The steps between checkpoints [default: --every]
    #[arg(long, value_name = "K", help_heading = "Computation", requires = "checkpoint")]
    #[arg(value_parser = count, allow_negative_numbers = true)]
    pub(crate) checkpoint_every: Option<u64>,

    /// Go on from this checkpoint, which must be of the same shader, inputs, uniforms and sizes,
    /// until --iterate steps are done in all; the results have the same bits as without the break
    #[arg(long, value_name = "FILE", help_heading = "Computation", conflicts_with_all = ["view", "save_test"])]
    pub(crate) resume: Option<PathBuf>,
}

/// Arguments that limit the time of a run.
#[derive(Args)]
pub(crate) struct LimitArguments {
    /// End the run after this many seconds, even within a step; what was written by then stays
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Computation", conflicts_with = "view")]
    #[arg(allow_negative_numbers = true)]
    pub(crate) timeout: Option<Duration>,

    /// The process that does the work: it tells the one that watches it by this file how far it is
    #[arg(long, hide = true, value_name = "FILE")]
    pub(crate) isolated: Option<PathBuf>,
}

/// A number of steps.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let count = text.parse().ok().filter(|count| *count > 0);
    count.ok_or_else(|| "expected a number of steps, an integer from 1 on".to_owned())
}

/// Adds a hint where clap takes another word for a flag's value, which could be the shader.
pub(crate) fn advise(error: &mut clap::Error) {
    const FLIP: &str = "--flip";
    let Some(ContextValue::String(got)) = error.get(ContextKind::InvalidArg) else { return };
    let words: Vec<String> = std::env::args().collect();
    if words.windows(2).any(|pair| pair[0] == FLIP && pair[1] == *got) {
        let tip = format!("{FLIP} takes its value behind `=`, as in {FLIP}=false").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}
