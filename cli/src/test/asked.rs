//! A device and an API, as a process is told of them.

use quadrille::shader::Api;

/// Where a process runs its test.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) selector: Option<String>,
    pub(super) api: Api,
    /// Mesa's other software renderer, which is chosen by a variable.
    pub(super) softpipe: bool,
}

impl Asked {
    /// `gl` or `gles`.
    pub(super) fn api_name(&self) -> &'static str {
        match self.api {
            Api::Gl => "gl",
            Api::Gles => "gles",
        }
    }
}
