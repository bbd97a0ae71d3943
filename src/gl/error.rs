//! The errors of devices and drivers.

use std::fmt::Display;

use crate::error::{Kind, failure};
use crate::{NoMemory, data};

use super::context::debug::Message;
use super::native::mesa;

/// The result of calls of OpenGL.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a device, its driver, or a call that they refuse. Programs branch on
/// [`Error::kind`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(
        "libEGL.so.1 cannot be loaded, so there is no way to OpenGL without a display.\n\
         This installs it, with Mesa's software renderer (a GPU needs its own driver too):\n{}",
        mesa()
    )]
    NoLibrary,

    #[error(
        "no OpenGL device is supported on {platform} yet; Linux (EGL) and Windows (WGL, ANGLE) have them"
    )]
    Platform { platform: &'static str },

    #[error(
        "EGL reports no devices: libEGL is installed, but no driver is ({detail}).\n\
         Mesa's software renderer works on any computer:\n{}",
        mesa()
    )]
    NoDevices { detail: String },

    #[error(
        "no OpenGL device matches `{selector}`; expected one of: {}{}",
        list(found),
        software(selector)
    )]
    NoSuchDevice { selector: String, found: Vec<String> },

    #[error("no device supports {request}; tried: {}", list(tried))]
    NoContext { request: String, tried: Vec<String> },

    #[error(
        "no device supports {request}; tried: {}\n\
         Mesa's software renderer does, on any computer; this installs it, or a newer one:\n{}",
        list(tried),
        mesa()
    )]
    NoDriver { request: String, tried: Vec<String> },

    #[error("{request} needs {lacks}, which this context ({device}) lacks; {remedy}")]
    Unsupported { request: String, lacks: String, device: String, remedy: String },

    #[error("unknown {what} `{got}`: expected {expected}")]
    UnknownSampling { what: &'static str, expected: &'static str, got: String },

    #[error("{what}: {request} exceeds this device's limit of {limit}; {remedy}")]
    TooLarge { what: String, request: String, limit: u64, remedy: String },

    #[error("{what}: expected {expected} values, got {got}")]
    Length { what: String, expected: usize, got: usize },

    #[error("{what}: an extent of {extent} has no texel; width and height must be at least 1")]
    Empty { what: String, extent: crate::Extent },

    #[error("{what}: {rectangle} do not fit in {extent} texels")]
    Outside { what: String, rectangle: crate::Rectangle, extent: crate::Extent },

    #[error("{what} belongs to another context; objects cannot cross contexts")]
    Foreign { what: String },

    #[error(
        "this context wraps the caller's own, which is current only inside `Context::within`; \
         use its objects there"
    )]
    OutsideScope,

    #[error(
        "another quadrille context was used inside `Context::within`: the caller's context is no \
         longer current, and its state was not restored; make it current, and enter a new scope"
    )]
    SwitchedAway,

    #[error("the caller's context cannot be entered: {found}; {remedy}")]
    CallersContext { found: String, remedy: String },

    #[error(
        "the driver is out of memory: {what} asked for {} more{}",
        megabytes(*bytes),
        because(messages)
    )]
    OutOfMemory { what: String, bytes: u64, messages: Vec<Message> },

    #[error(transparent)]
    HostMemory(#[from] NoMemory),

    #[error(transparent)]
    Field(#[from] data::Error),

    #[error(
        "a texture of {texel} cannot hold a field of {channels} {values} a cell; choose the texel type for it"
    )]
    FieldTexel { texel: &'static str, channels: usize, values: &'static str },

    #[error("the context is lost ({status}); make a new one and upload again")]
    ContextLost { status: &'static str },

    #[error("the driver reports {code} while {doing}{}", because(messages))]
    Driver { doing: String, code: String, messages: Vec<Message> },

    #[error("the driver reported an error without a code{}", because(messages))]
    Messages { messages: Vec<Message> },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join("; ") }
}

/// How to install what a selector means, if that is Mesa's software renderer.
fn software(selector: &str) -> String {
    match selector {
        "llvmpipe" | "softpipe" | "swrast" | "mesa" | "software" => {
            format!("\nMesa's software renderer is not installed; this does it:\n{}", mesa())
        }
        _ => String::new(),
    }
}

fn megabytes(bytes: u64) -> String {
    if bytes < 1 << 20 {
        format!("{bytes} bytes")
    } else {
        format!("{:.1} MiB", bytes as f64 / (1 << 20) as f64)
    }
}

fn because(messages: &[Message]) -> String {
    messages.iter().map(|message| format!("\n  the driver says: {}", message.text)).collect()
}

impl Error {
    /// Says of memory that was short for a part that this whole has no room.
    pub(crate) fn of_whole(self, whole: impl Display, bytes: usize) -> Error {
        match self {
            Error::OutOfMemory { messages, .. } => {
                Error::OutOfMemory { what: whole.to_string(), bytes: bytes as u64, messages }
            }
            error => error,
        }
    }
}

/// Refuses another number of values than is expected.
pub(crate) fn must_be(expected: usize, got: usize, what: impl Display) -> Result<()> {
    match got == expected {
        true => Ok(()),
        false => Err(Error::Length { what: what.to_string(), expected, got }),
    }
}

/// Refuses more of something than a device takes, with what to do instead.
pub(crate) fn must_fit(
    what: impl Display,
    (count, of): (usize, &str),
    limit: usize,
    remedy: &str,
) -> Result<()> {
    if count <= limit {
        return Ok(());
    }
    let (what, request) = (what.to_string(), format!("{count} {of}"));
    Err(Error::TooLarge { what, request, limit: limit as u64, remedy: remedy.to_owned() })
}

failure!(Error: HostMemory, Field; kinds {
    Error::NoLibrary | Error::Platform { .. } | Error::NoDevices { .. } | Error::NoContext { .. } | Error::NoDriver { .. } => Kind::NoDevice,
    Error::Unsupported { .. } => Kind::Unsupported,
    Error::TooLarge { .. } => Kind::Limit,
    Error::OutOfMemory { .. } => Kind::OutOfMemory,
    Error::ContextLost { .. } => Kind::ContextLost,
    Error::Driver { .. } | Error::Messages { .. } => Kind::Driver,
});
