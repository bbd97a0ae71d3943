//! The places where tests run: devices and APIs, each named by a process of its own.

use quadrille::gl::devices;
use quadrille::shader::Api;
use quadrille_run::testing::TestFile;

use super::arguments::Arguments;
use super::child;
use super::find::Named;
use super::selection::Selection;
use crate::prelude::*;

/// A device and an API.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) selection: Selection,
    /// The renderer's name, or why there is no context.
    pub(super) device: Result<String, String>,
}

/// The devices that the arguments name, in each API that a test needs; none where no description
/// can be read.
pub(super) fn of(arguments: &Arguments, tests: &[Named]) -> anyhow::Result<Vec<Place>> {
    let read: Vec<&TestFile> = tests.iter().filter_map(|named| named.test.as_ref().ok()).collect();
    let needed = |api: &Api| match arguments.apis() {
        _ if read.is_empty() => false,
        Some(apis) => apis.contains(api),
        None => read.iter().any(|test| test.apis.contains(api)),
    };
    let apis: Vec<Api> = [Api::Gl, Api::Gles].into_iter().filter(needed).collect();
    let all = arguments.device.as_deref() == Some("all");
    let selectors = if all { every()? } else { vec![(arguments.device.clone(), false)] };
    let mut places: Vec<Place> = Vec::new();
    for (selector, softpipe) in selectors {
        for api in &apis {
            let selection = Selection { selector: selector.clone(), api: *api, softpipe };
            let device = child::name(&selection)?;
            let place = Place { selection, device };
            if !(all && is_superfluous(&place, &places)) {
                places.push(place);
            }
        }
    }
    match places.iter().find_map(|place| place.device.as_ref().err()) {
        Some(why) if places.iter().all(|place| place.device.is_err()) => {
            let text = format!("{why}{}", remedy(arguments.device.as_deref()));
            Err(Failure::NoDevice { text }.into())
        }
        _ => Ok(places),
    }
}

/// Every device that EGL lists, and softpipe.
fn every() -> Result<Vec<(Option<String>, bool)>, quadrille::gl::Error> {
    let listed = devices()?.into_iter().map(|device| (Some(device.index.to_string()), false));
    Ok(listed.chain([(Some("softpipe".into()), true)]).collect())
}

/// Softpipe is no device of its own: Mesa chooses it by a variable.
fn remedy(selector: Option<&str>) -> &'static str {
    match selector {
        Some(name) if name.eq_ignore_ascii_case("softpipe") => {
            "; Mesa's softpipe is chosen by the variable GALLIUM_DRIVER=softpipe, or with all others by `--device all`"
        }
        _ => "",
    }
}

/// A device without a context, or one that EGL lists once more.
fn is_superfluous(place: &Place, others: &[Place]) -> bool {
    let Ok(name) = &place.device else { return true };
    let same = |other: &&Place| other.selection.api == place.selection.api;
    others.iter().filter(same).any(|other| other.device.as_ref() == Ok(name))
}
