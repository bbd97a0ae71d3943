//! Choosing a device and making a context on it.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use glow::HasContext;

use crate::shader::Api;

use super::Parts;
use super::debug::Sink;
use super::entries::Call;
use super::origin::Origin;
use super::renderer_lock::RendererLock;
use crate::gl::device::abilities::Abilities;
use crate::gl::device::devices::{Device, devices};
use crate::gl::device::masks::{Ability, Limit};
use crate::gl::native::{Attributes, Failure, Native};
use crate::gl::{Context, Error, Result};

/// Selects a device. Made from text, a number is an index, empty text is
/// [`Best`](DeviceSelector::Best), and anything else is a part of a name:
///
/// ```
/// use quadrille::gl::DeviceSelector;
/// assert_eq!(DeviceSelector::from("0"), DeviceSelector::Index(0));
/// assert_eq!("NVIDIA".parse(), Ok(DeviceSelector::Named("nvidia".into())));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceSelector {
    /// The first hardware device, or else the first software renderer.
    #[default]
    Best,
    /// The device at this index of the list.
    Index(usize),
    /// The first device whose label or renderer contains this text, ignoring case.
    Named(String),
    /// The hardware device `n % count` of the `count` that exist, for several processes on one
    /// machine; a software renderer if there is none. Contexts are made on the devices before it to
    /// find out which are hardware.
    InTurn(usize),
}

impl From<&str> for DeviceSelector {
    fn from(text: &str) -> DeviceSelector {
        let text = text.trim();
        match text.parse() {
            Ok(index) => DeviceSelector::Index(index),
            Err(_) if text.is_empty() => DeviceSelector::Best,
            Err(_) => DeviceSelector::Named(text.to_lowercase()),
        }
    }
}

impl FromStr for DeviceSelector {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<DeviceSelector, Infallible> {
        Ok(text.into())
    }
}

/// Options of a new context. By default it is on the best device and has the highest version of
/// desktop OpenGL there, or of OpenGL ES where the device has no desktop OpenGL 3.3.
///
/// ```
/// use quadrille::{Context, shader::Api};
/// let context = Context::builder().api(Api::Gles).device("llvmpipe").build()?;
/// assert!(context.abilities().software);
/// # Ok::<(), quadrille::gl::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    selector: Option<DeviceSelector>,
    /// `None` is OpenGL, or else OpenGL ES.
    api: Option<Api>,
    limit: Option<Limit>,
    without: Vec<Ability>,
    pub(in crate::gl) debug: bool,
}

impl Default for Builder {
    fn default() -> Self {
        Builder::new()
    }
}

impl Builder {
    /// Creates a builder of the default context, on the best device or the one that
    /// `QUADRILLE_DEVICE` names.
    pub fn new() -> Builder {
        Builder { selector: None, api: None, limit: None, without: Vec::new(), debug: false }
    }

    /// Selects a device: a [`DeviceSelector`], or text as in `.device("llvmpipe")`. The environment
    /// variable `QUADRILLE_DEVICE` is then ignored.
    pub fn device(mut self, selector: impl Into<DeviceSelector>) -> Builder {
        self.selector = Some(selector.into());
        self
    }

    /// Selects OpenGL or OpenGL ES, and refuses a device that does not have it.
    pub fn api(mut self, api: Api) -> Builder {
        self.api = Some(api);
        self
    }

    /// Masks every ability above this version, and selects its API. For tests.
    #[doc(hidden)]
    pub fn limit_to(mut self, limit: Limit) -> Builder {
        self.api = Some(limit.api());
        self.limit = Some(limit);
        self
    }

    /// Masks one ability. For tests.
    #[doc(hidden)]
    pub fn without(mut self, ability: Ability) -> Builder {
        self.without.push(ability);
        self
    }

    /// Requests a debug context, whose errors have more messages, and which may be slower.
    pub fn debug(mut self, debug: bool) -> Builder {
        self.debug = debug;
        self
    }

    /// Makes the context.
    ///
    /// # Errors
    /// [`Error::NoLibrary`] or [`Error::NoDevices`] if OpenGL is not installed,
    /// [`Error::NoSuchDevice`] if none is as selected, [`Error::NoContext`] if a device refuses and
    /// [`Error::NoDriver`] if all do, with the reasons.
    pub fn build(self) -> Result<Context> {
        let devices = devices()?;
        if devices.is_empty() {
            return Err(Error::NoDevices { detail: "the list is empty".into() });
        }
        let selector = self.selector.clone().unwrap_or_else(selector_of_environment);
        match &selector {
            DeviceSelector::Best => self.build_in_turn(&devices, 0),
            DeviceSelector::InTurn(turn) => self.build_in_turn(&devices, *turn),
            DeviceSelector::Index(index) => match devices.get(*index) {
                Some(device) => self.build_on(device, None),
                None => self.build_by_renderer(&index.to_string(), &devices, |_| false),
            },
            DeviceSelector::Named(name) => self.build_named(name, &devices),
        }
    }

    /// Returns the hardware device whose turn it is, of those that give a context; else the first
    /// software one, with a notice.
    fn build_in_turn(&self, devices: &[Device], turn: usize) -> Result<Context> {
        let (mut tried, mut software, mut hardware) = (Vec::new(), None, Vec::new());
        for device in devices {
            if software.is_some() && device.software {
                continue;
            }
            match self.build_on(device, None) {
                Ok(context) if !context.abilities().software && hardware.len() == turn => {
                    return Ok(context);
                }
                Ok(context) if !context.abilities().software => hardware.push(device),
                Ok(_) => software = software.or(Some(device)),
                Err(error) => tried.extend(refusals(device, error)),
            }
        }
        if !hardware.is_empty() {
            return self.build_on(hardware[turn % hardware.len()], None);
        }
        let Some(device) = software else {
            return Err(Error::NoDriver { request: self.describe(), tried });
        };
        self.build_on(device, Some(fall_to_software(&tried)))
    }

    fn build_named(&self, name: &str, devices: &[Device]) -> Result<Context> {
        let name = &name.to_lowercase();
        let by_label = devices.iter().find(|device| device.label.to_lowercase().contains(name));
        if let Some(device) = by_label {
            return self.build_on(device, None);
        }
        self.build_by_renderer(name, devices, |text| text.to_lowercase().contains(name))
    }

    /// Returns the first device with the selected renderer. A renderer is known only from a context
    /// on the device, so contexts are made on all devices before it.
    fn build_by_renderer(
        &self,
        selector: &str,
        devices: &[Device],
        is_it: impl Fn(&str) -> bool,
    ) -> Result<Context> {
        let (mut found, mut works) = (Vec::new(), false);
        for device in devices {
            match self.build_on(device, None) {
                Ok(context) if is_it(&context.abilities().renderer) => return Ok(context),
                Ok(context) => {
                    works = true;
                    let renderer = &context.abilities().renderer;
                    found.push(format!("{}: {renderer} ({})", device.index, device.label));
                }
                Err(error) => {
                    let tried = refusals(device, error);
                    if tried.iter().any(|text| is_it(text)) {
                        return Err(Error::NoContext { request: self.describe(), tried });
                    }
                    found.extend(tried);
                }
            }
        }
        if !works {
            return Err(Error::NoDriver { request: self.describe(), tried: found });
        }
        Err(Error::NoSuchDevice { selector: selector.to_owned(), found })
    }

    /// Hardware that has OpenGL ES alone, as many boards do, is better than a software renderer with
    /// desktop OpenGL: so each device is asked for both.
    fn build_on(&self, device: &Device, notice: Option<String>) -> Result<Context> {
        let mut tried = Vec::new();
        for api in self.apis() {
            match self.build_with(device, *api, notice.clone()) {
                Err(Error::NoContext { tried: mut reasons, .. }) => tried.append(&mut reasons),
                done => return done,
            }
        }
        tried.dedup();
        Err(Error::NoContext { request: self.describe(), tried })
    }

    fn build_with(&self, device: &Device, api: Api, notice: Option<String>) -> Result<Context> {
        let _lock = RendererLock::take();
        let _call = Call::begin();
        let attributes = Attributes { api, debug: self.debug };
        let native = Native::new(&device.handle, attributes).map_err(|error| Error::NoContext {
            request: self.describe(),
            tried: vec![refusal(device, api, &error)],
        })?;
        let context = self.finish(native, Some(device.clone()), notice)?;
        let found = context.abilities();
        if found.api != api {
            // Mesa 12 for Windows does.
            let Device { index, label, .. } = device;
            let found = format!("{} gives a context of {}", found.renderer, found.api.name());
            return Err(Error::NoContext {
                request: self.describe(),
                tried: vec![format!("{index}: {found} instead ({label})")],
            });
        }
        Ok(context)
    }

    /// Reads the abilities of a context that was just made current.
    pub(in crate::gl) fn finish(
        &self,
        native: Native,
        device: Option<Device>,
        notice: Option<String>,
    ) -> Result<Context> {
        let mut gl = native.load();
        let sink = Sink::listen(&mut gl);
        let software = device.as_ref().is_some_and(|device| device.software);
        let mut abilities = Abilities::read(&gl, software);
        // Probing may cause driver messages that are no errors.
        sink.drain();
        if let Some(limit) = self.limit {
            abilities.limit_to(limit);
        }
        for ability in &self.without {
            abilities.without(*ability);
        }
        #[cfg_attr(
            target_family = "wasm",
            allow(clippy::arc_with_non_send_sync, reason = "as a caller's context is given")
        )]
        let (gl, origin) = (Arc::new(gl), Origin::Own(native));
        Context::from_parts(Parts { gl, origin, device, notice, abilities, sink })
    }

    /// The APIs that will do, in the order of preference.
    pub(super) fn apis(&self) -> &[Api] {
        match &self.api {
            Some(api) => std::slice::from_ref(api),
            None => &[Api::Gl, Api::Gles],
        }
    }

    pub(in crate::gl) fn describe(&self) -> String {
        let least = |api: &Api| match api {
            Api::Gl => "OpenGL 3.3 core",
            Api::Gles => "OpenGL ES 3.0",
        };
        let least: Vec<&str> = self.apis().iter().map(least).collect();
        format!("{} or later", least.join(" or "))
    }
}

/// Explains why a device refuses a context: its version if that is too low, else the message of the
/// window system.
fn refusal(device: &Device, api: Api, error: &Failure) -> String {
    let Device { index, label, .. } = device;
    let Ok(native) = Native::of_any_version(&device.handle, api) else {
        return format!("{index}: {label}: {error}");
    };
    let gl = native.load();
    // SAFETY: the context was just made current.
    let [renderer, version] =
        unsafe { [glow::RENDERER, glow::VERSION].map(|name| gl.get_parameter_string(name)) };
    native.release();
    let api = if api == Api::Gl { "OpenGL " } else { "" };
    format!("{index}: {renderer} ({label}) has {api}{version}")
}

impl Context {
    /// Makes a context on the best device, without a display: hardware before software, or the
    /// device that the environment variable `QUADRILLE_DEVICE` selects by an index or a part of its
    /// name.
    ///
    /// ```
    /// let context = quadrille::Context::headless()?;
    /// println!("{}", context.abilities().renderer);
    /// # Ok::<(), quadrille::gl::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Builder::build`].
    pub fn headless() -> Result<Context> {
        Builder::new().build()
    }

    /// Begins the options of a context.
    pub fn builder() -> Builder {
        Builder::new()
    }
}

fn selector_of_environment() -> DeviceSelector {
    std::env::var("QUADRILLE_DEVICE").map_or(DeviceSelector::Best, |text| text.as_str().into())
}

fn fall_to_software(tried: &[String]) -> String {
    let mut notice = String::from("no hardware OpenGL device gives a context; using software");
    for reason in tried {
        notice.push_str(&format!("\n  device {reason}"));
    }
    notice
}

/// Returns the reasons why a device gave no context.
fn refusals(device: &Device, error: Error) -> Vec<String> {
    match error {
        Error::NoContext { tried, .. } => tried,
        error => vec![format!("{}: {}: {error}", device.index, device.label)],
    }
}
