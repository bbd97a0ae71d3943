//! The replacement of the window in a build without one.

use std::convert::Infallible;

use quadrille::gl::{Builder, Context, Error};
use quadrille_run::Experiment;

use super::Beginning;
use crate::process::failure::Failure;

/// A window that cannot be opened.
pub(crate) struct Live(Infallible);

impl Live {
    pub(crate) fn open(_name: &str) -> Result<Live, Failure> {
        let text = "--view needs quadrille with windows, which this build is without; \
                    install it by `cargo install --locked --path crates/cli --features window`"
            .into();
        Err(Failure::Input { text })
    }

    pub(crate) fn context(&self, _builder: Builder) -> Result<Context, Error> {
        match self.0 {}
    }

    pub(crate) fn show(
        self,
        _experiment: &mut Experiment,
        _beginning: &Beginning,
    ) -> Result<bool, quadrille_run::Error> {
        match self.0 {}
    }
}
