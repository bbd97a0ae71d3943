//! What stands for the window in a build without one.

use std::convert::Infallible;

use crate::experiment::{self, Experiment};
use crate::gl::{Builder, Context, Error};

use super::super::failure::Failure;
use super::Beginning;

/// A window that cannot be opened.
pub(in crate::cli) struct Live(Infallible);

impl Live {
    pub(in crate::cli) fn open(_name: &str) -> Result<Live, Failure> {
        let text = "--view needs quadrille with windows, which this build is without; \
                    install it by `cargo install --locked --path . --features window`"
            .into();
        Err(Failure::Input { text })
    }

    pub(in crate::cli) fn context(&self, _builder: Builder) -> Result<Context, Error> {
        match self.0 {}
    }

    pub(in crate::cli) fn show(
        self,
        _experiment: &mut Experiment,
        _beginning: &Beginning,
    ) -> Result<bool, experiment::Error> {
        match self.0 {}
    }
}
