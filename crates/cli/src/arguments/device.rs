//! The device and the API, as arguments of every command.

pub(crate) mod slow_calls;

use clap::{Args, ValueEnum};

use quadrille::gl::{Builder, Context, DeviceSelector, Error};
use quadrille::shader::Api;

use crate::output::note;

/// The arguments that choose a device.
#[derive(Args, Default)]
pub(crate) struct DeviceArguments {
    /// The device: its index in `quadrille doctor`, or a part of its name [default:
    /// QUADRILLE_DEVICE if set, else the first hardware device, else software]
    #[arg(long, value_name = "DEVICE", help_heading = "Device")]
    device: Option<String>,

    /// Desktop OpenGL or OpenGL ES [default: gl, or gles where a device has no desktop OpenGL 3.3]
    #[arg(long, value_name = "API", help_heading = "Device")]
    api: Option<ApiName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ApiName {
    Gl,
    Gles,
}

impl DeviceArguments {
    /// Makes the context, which uses what was tuned for it, and notes if it is a software renderer
    /// or if the file of tuned choices cannot be used.
    pub(crate) fn context(&self) -> Result<Context, Error> {
        tuned(self.builder())
    }

    /// Makes the context for one of several programs on this computer, which take its hardware
    /// devices in turn, unless the user names a device.
    pub(crate) fn context_in_turn(&self, turn: usize) -> Result<Context, Error> {
        let named = std::env::var("QUADRILLE_DEVICE").is_ok_and(|name| !name.trim().is_empty());
        let builder = self.builder();
        tuned(match self.device.is_some() || named {
            true => builder,
            false => builder.device(DeviceSelector::InTurn(turn)),
        })
    }

    /// Makes the context without tuned choices, for measurements of the device itself.
    pub(crate) fn untuned(&self) -> Result<Context, Error> {
        untuned(self.builder())
    }

    /// `gl` or `gles`: the one that is preferred.
    pub(crate) fn api_name(&self) -> &'static str {
        match self.api {
            Some(ApiName::Gles) => "gles",
            Some(ApiName::Gl) | None => "gl",
        }
    }

    /// A builder of the context that the arguments describe.
    pub(crate) fn builder(&self) -> Builder {
        let builder = match self.api {
            Some(ApiName::Gl) => Context::builder().api(Api::Gl),
            Some(ApiName::Gles) => Context::builder().api(Api::Gles),
            None => Context::builder(),
        };
        match &self.device {
            Some(device) => builder.device(device.as_str()),
            None => builder,
        }
    }
}

fn tuned(builder: Builder) -> Result<Context, Error> {
    let context = untuned(builder)?;
    if let Err(error) = context.load_tuned() {
        note(&format!("note: nothing that was tuned is used: {error}"));
    }
    Ok(context)
}

fn untuned(builder: Builder) -> Result<Context, Error> {
    slow_calls::watch();
    let context = builder.build()?;
    slow_calls::are_on(&context.abilities().renderer);
    if let Some(notice) = context.notice() {
        note(&format!("note: {}", shortened(notice)));
    }
    Ok(context)
}

/// The first line; `quadrille doctor` shows the rest.
fn shortened(notice: &str) -> String {
    let mut lines = notice.lines();
    let first = lines.next().unwrap_or_default();
    match lines.next() {
        Some(_) => format!("{first} (`quadrille doctor` says why)"),
        None => first.to_owned(),
    }
}
