//! The devices of this machine: what they support, and whether they compute correctly.

pub mod cpu;
pub mod host;
pub mod limits;
mod private;
pub mod probes;
pub mod proofs;

use serde::Serialize;

use quadrille::error::Kind;
use quadrille::gl::{self, Abilities, Context, Device, DeviceSelector, devices};
use quadrille::internal;
use quadrille::shader::Api;

pub use host::Host;
pub use limits::Compute;
pub use private::{Private, change_texts};
pub use probes::{Lines, Probes};
pub use proofs::Proof;

#[derive(Clone, Debug, Serialize)]
pub struct Survey {
    pub host: Host,
    pub devices: Vec<Surveyed>,
    /// The index of the device that is used by default.
    pub default: Option<usize>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Surveyed {
    pub index: usize,
    pub label: String,
    /// Desktop OpenGL, then OpenGL ES.
    pub contexts: Vec<Examined>,
}

/// A context, or why there is none.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    pub api: &'static str,
    /// The properties of the context; `None` if no context could be made.
    pub found: Option<Found>,
    /// The results of the probes; `None` if they could not run.
    pub probes: Option<Probes>,
    /// Computed there and compared with the CPU.
    pub proofs: Vec<Proof>,
    pub troubles: Vec<Trouble>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Found {
    pub version: String,
    pub driver: String,
    pub vendor: String,
    pub renderer: String,
    pub software: bool,
    /// Whether it uses a pbuffer, or a hidden window, because surfaceless contexts do not work here.
    pub pbuffer: bool,
    pub max_texture_size: u32,
    pub max_targets: u32,
    pub max_inputs: u32,
    pub float_targets: bool,
    pub float_blending: bool,
    pub float_filtering: bool,
    pub compute: bool,
    pub compute_limits: Option<Compute>,
    pub precise: bool,
    pub timers: bool,
    pub messages: bool,
    pub robust: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Trouble {
    pub what: String,
    pub reason: String,
    pub mend: String,
}

impl Survey {
    /// Makes the survey of a computer on which no device could be listed.
    pub fn without_devices() -> Survey {
        Survey { host: Host::here(), devices: Vec::new(), default: None }
    }

    pub fn working(&self) -> usize {
        self.contexts().filter(|context| context.found.is_some()).count()
    }

    /// Whether every context that could be made computes what the CPU does.
    pub fn is_right(&self) -> bool {
        self.contexts().all(|context| context.found.is_none() || context.troubles.is_empty())
    }

    fn contexts(&self) -> impl Iterator<Item = &Examined> {
        self.devices.iter().flat_map(|device| &device.contexts)
    }
}

/// Examines every device in both APIs. Fails only if there is no EGL or no device.
pub fn run(mut tell: impl FnMut(&str)) -> Result<Survey, gl::Error> {
    let listed = devices()?;
    if listed.is_empty() {
        return Err(gl::Error::NoDevices { detail: "the list is empty".into() });
    }
    let mut surveyed = Vec::new();
    for device in &listed {
        let contexts = [Api::Gl, Api::Gles].map(|api| {
            tell(&format!("device {} in {}", device.index, api.name()));
            examine(device, api)
        });
        let (index, label) = (device.index, device.label.clone());
        surveyed.push(Surveyed { index, label, contexts: contexts.into() });
    }
    let default =
        Context::headless().ok().and_then(|context| context.device().map(|device| device.index));
    Ok(Survey { host: Host::here(), devices: surveyed, default })
}

fn examine(device: &Device, api: Api) -> Examined {
    let builder = Context::builder().device(DeviceSelector::Index(device.index)).api(api);
    let mut examined = Examined {
        api: api.name(),
        found: None,
        probes: None,
        proofs: Vec::new(),
        troubles: Vec::new(),
    };
    let context = match builder.build() {
        Ok(context) => context,
        Err(error) => {
            let mend = if device.software { software_driver() } else { HARDWARE_DRIVER.into() };
            let what = "making a context".into();
            examined.troubles.push(Trouble { what, reason: error.to_string(), mend });
            return examined;
        }
    };
    examined.found = Some(Found::of(&context));
    if !context.abilities().float_targets {
        examined.troubles.push(Trouble {
            what: "drawing floats".into(),
            reason: "a texture of 32-bit floats cannot be a render target".into(),
            mend: "choose another device or the other API, or a newer driver (in OpenGL ES it \
                   must have EXT_color_buffer_float)"
                .into(),
        });
        return examined;
    }
    match probes::run(&context) {
        Ok(probes) => {
            examined.troubles.extend(probes.troubles());
            examined.probes = Some(probes);
        }
        Err(error) => examined.troubles.push(failed("probing", error.kind(), &error)),
    }
    for (what, proof) in proofs::run(&context) {
        match proof {
            Ok(proof) => {
                examined.troubles.extend(proof.trouble());
                examined.proofs.push(proof);
            }
            Err(error) => examined.troubles.push(failed(&what, error.kind(), &error)),
        }
    }
    examined
}

fn software_driver() -> String {
    format!(
        "install Mesa's software renderer, or a newer one where its OpenGL is too old:\n{}",
        internal::gl::mesa()
    )
}

#[cfg(windows)]
const HARDWARE_DRIVER: &str = "install the driver of the GPU's maker, or a newer one; without a GPU put the files of Mesa for Windows \
    (opengl32.dll and libgallium_wgl.dll) into the program's folder. OpenGL ES needs --api gles, and ANGLE's \
    libEGL.dll and libGLESv2.dll there if the driver has none";
#[cfg(not(windows))]
const HARDWARE_DRIVER: &str = "install the driver of this GPU with its EGL part, or a newer one \
    where its OpenGL is too old, and let this user open the device (groups `render` and `video`: usermod -aG render,video USER)";
/// Advice for a device that computes wrong results.
const DISTRUST: &str = "do not trust this device: update its driver, or choose another with \
    --device or QUADRILLE_DEVICE";

fn failed(what: &str, kind: Kind, error: &dyn std::error::Error) -> Trouble {
    let mend = match kind {
        Kind::OutOfMemory => "close other programs that use the memory of this device",
        Kind::ContextLost => "try again; if it is lost again, update the driver",
        Kind::Limit | Kind::Unsupported => "choose another device, or the other API",
        _ => "update the driver; if that does not help, report this with the text above",
    };
    Trouble { what: what.into(), reason: error.to_string(), mend: mend.into() }
}

impl Found {
    pub fn of(context: &Context) -> Found {
        let abilities: &Abilities = context.abilities();
        Found {
            version: abilities.api_text(),
            driver: abilities.version_text.clone(),
            vendor: abilities.vendor.clone(),
            renderer: abilities.renderer.clone(),
            software: abilities.software,
            pbuffer: context.has_pbuffer(),
            max_texture_size: abilities.max_texture_size,
            max_targets: abilities.max_targets,
            max_inputs: abilities.max_inputs,
            float_targets: abilities.float_targets,
            float_blending: abilities.float_blending,
            float_filtering: abilities.float_filtering,
            compute: abilities.compute.is_some(),
            compute_limits: abilities.compute.map(Compute::of),
            precise: abilities.precise,
            timers: abilities.timers,
            messages: abilities.messages,
            robust: abilities.robust,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::twin::Comparison;
    use super::*;

    fn examined(troubles: Vec<Trouble>, made: bool) -> Examined {
        let found = made.then(Found::default);
        Examined { api: "OpenGL", found, probes: None, proofs: Vec::new(), troubles }
    }

    fn survey(contexts: Vec<Examined>) -> Survey {
        let device = Surveyed { index: 0, label: String::new(), contexts };
        Survey { host: Host::here(), devices: vec![device], default: Some(0) }
    }

    #[test]
    fn a_proof_beyond_rounding_is_trouble_with_a_mend() {
        let right = Proof::new("sum", Comparison::of_number(1.0, 1.0 + 1e-9, 1e-8));
        assert!(right.trouble().is_none());
        let wrong = Proof::new("sum", Comparison::of_number(1.0, 1.1, 1e-8));
        let trouble = wrong.trouble().into_iter().collect::<Vec<_>>();
        assert!(trouble.iter().all(|t| t.mend.contains("--device")) && trouble.len() == 1);
        assert!(!survey(vec![examined(trouble, true)]).is_right());
    }

    #[test]
    fn a_device_without_a_context_does_not_spoil_the_others() {
        let error = gl::Error::NoLibrary;
        let survey = survey(vec![
            examined(vec![failed("x", error.kind(), &error)], false),
            examined(vec![], true),
        ]);
        assert!(survey.is_right());
        assert_eq!(survey.working(), 1);
    }
}
