//! How reports call things.

use quadrille::gl::Abilities;
use quadrille::shader::{Api, Reads};

/// The word for a way of reading texels.
pub fn reads_name(reads: Reads) -> &'static str {
    match reads {
        Reads::Fetch => "fetch",
        Reads::Sample => "sample",
    }
}

/// The API as people write it.
pub fn api_name(api: Api) -> &'static str {
    match api {
        Api::Gl => "OpenGL",
        Api::Gles => "OpenGL ES",
    }
}

/// The API and version of a context, as people write it.
pub fn api_text(abilities: &Abilities) -> String {
    let (major, minor) = abilities.version;
    format!("{} {major}.{minor}", api_name(abilities.api))
}
