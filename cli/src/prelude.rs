//! What most commands use.

pub(super) use std::path::{Path, PathBuf};

pub(super) use clap::Args;
pub(super) use quadrille::Context;
pub(super) use serde::Serialize;

pub(super) use super::device::DeviceArguments;
pub(super) use super::failure::Failure;
pub(super) use super::{interrupt, output};
