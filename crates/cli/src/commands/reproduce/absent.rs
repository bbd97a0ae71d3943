//! The replacement of `quadrille reproduce` in a build without reports.

use std::ffi::OsString;

use clap::Args;

/// Repeat the papers' tables and figures here, as a report: not in this build
#[derive(Args)]
pub(crate) struct Reproduce {
    /// What a build with reports takes
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<OsString>,
}

pub(super) fn run(_arguments: &Reproduce) -> anyhow::Result<()> {
    Ok(quadrille_lab::must_have_reports("`reproduce`")?)
}
