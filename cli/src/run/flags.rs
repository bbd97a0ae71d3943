//! The arguments of sequences, checkpoints and time limits.

use std::time::Duration;

use quadrille::io::field::Raw;

use super::super::prelude::*;
use super::super::seconds::seconds;

/// The name of standard input and standard output.
pub(super) const STREAM: &str = "-";

/// How often and as what sequences are written.
#[derive(Args)]
pub(super) struct FrameArguments {
    /// Write the frame of a sequence after every K-th step [default: 1], and the checkpoint if --checkpoint-every is not
    /// given
    #[arg(long, value_name = "K", help_heading = "Results")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) every: Option<u64>,

    /// Write frames to standard output (--output NAME=-) as pixels for a video encoder: gray, rgb24, rgba or f32
    #[arg(long, value_name = "FORMAT", help_heading = "Results")]
    pub(super) raw: Option<Raw>,
}

/// Where the state is kept, and where it is taken from.
#[derive(Args)]
pub(super) struct CheckpointArguments {
    /// Keep the state of the last K-th step in this file (--every K, or --checkpoint-every K), and that of the last
    /// step: a run that is killed, or loses its device, goes on from there with --resume
    #[arg(long, value_name = "FILE", help_heading = "Computation")]
    pub(super) checkpoint: Option<PathBuf>,

    /// The steps between checkpoints [default: --every]
    #[arg(long, value_name = "K", help_heading = "Computation", requires = "checkpoint")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) checkpoint_every: Option<u64>,

    /// Go on from this checkpoint, which must be of the same shader, inputs, uniforms and sizes, until --iterate
    /// steps are done in all; the results have the same bits as without the break
    #[arg(long, value_name = "FILE", help_heading = "Computation", conflicts_with_all = ["view", "save_test"])]
    pub(super) resume: Option<PathBuf>,
}

/// How long the run may take.
#[derive(Args)]
pub(super) struct LimitArguments {
    /// End the run after so many seconds, even within a step; what was written by then stays
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Computation", conflicts_with = "view")]
    pub(super) timeout: Option<Duration>,

    /// The process that does the work: it tells the one that watches it by this file how far it is
    #[arg(long, hide = true, value_name = "FILE")]
    pub(super) isolated: Option<PathBuf>,
}
