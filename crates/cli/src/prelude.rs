//! The names that most commands use.

pub(super) use std::path::{Path, PathBuf};

pub(super) use clap::Args;
pub(super) use quadrille::Context;
pub(super) use serde::Serialize;

pub(super) use crate::arguments::device::DeviceArguments;
pub(super) use crate::output;
pub(super) use crate::process::failure::Failure;
pub(super) use crate::process::interrupt;
