//! The attributes of the contexts that are asked for: the same on every platform.

use glutin::context::{
    ContextApi, ContextAttributes, ContextAttributesBuilder, GlProfile, Robustness, Version,
};
use raw_window_handle::RawWindowHandle;

use crate::shader::Api;

use super::shared::Attributes;

/// Highest first. A driver refuses what it does not have; most give their highest for any of them.
const GL_VERSIONS: [(u8, u8); 5] = [(4, 6), (4, 5), (4, 3), (4, 0), (3, 3)];
const GLES_VERSIONS: [(u8, u8); 3] = [(3, 2), (3, 1), (3, 0)];

/// Returns the attributes to try, in the order of preference, on a window where the platform needs
/// one: robust contexts report a reset
/// instead of hanging, but some drivers refuse to make them (and all refuse GLES with that
/// attribute), so each is tried with and without.
pub(super) fn candidates(
    attributes: Attributes,
    window: Option<RawWindowHandle>,
) -> Vec<ContextAttributes> {
    let mut list = Vec::new();
    match attributes.api {
        Api::Gl => {
            for robustness in [Robustness::RobustLoseContextOnReset, Robustness::NotRobust] {
                for (major, minor) in GL_VERSIONS {
                    let api = ContextApi::OpenGl(Some(Version::new(major, minor)));
                    list.push(build(api, robustness, attributes.debug, window));
                }
            }
        }
        Api::Gles => {
            for (major, minor) in GLES_VERSIONS {
                let api = ContextApi::Gles(Some(Version::new(major, minor)));
                list.push(build(api, Robustness::NotRobust, attributes.debug, window));
            }
        }
    }
    list
}

fn build(
    api: ContextApi,
    robustness: Robustness,
    debug: bool,
    window: Option<RawWindowHandle>,
) -> ContextAttributes {
    ContextAttributesBuilder::new()
        .with_context_api(api)
        .with_profile(GlProfile::Core)
        .with_robustness(robustness)
        .with_debug(debug)
        .build(window)
}
