//! A device and an API, as they are passed to a process.

use quadrille::shader::Api;

/// The place where a process runs its test.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    pub(super) selector: Option<String>,
    pub(super) api: Api,
    /// Mesa's other software renderer, which is chosen by a variable.
    pub(super) softpipe: bool,
}

impl Selection {
    /// `gl` or `gles`.
    pub(super) fn api_name(&self) -> &'static str {
        Selection::name_of(self.api)
    }

    pub(super) fn name_of(api: Api) -> &'static str {
        match api {
            Api::Gl => "gl",
            Api::Gles => "gles",
        }
    }

    /// The renderer that Mesa is set to use, by this command or by its caller.
    pub(super) fn driver(&self) -> Option<String> {
        match self.softpipe {
            true => Some("softpipe".into()),
            false => std::env::var("GALLIUM_DRIVER").ok().filter(|driver| !driver.is_empty()),
        }
    }
}
