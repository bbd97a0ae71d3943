//! The window of `quadrille run --view`: an iteration as it goes, with a few keys.

#[cfg(not(feature = "window"))]
mod absent;
#[cfg(feature = "window")]
mod controls;
#[cfg(feature = "window")]
mod live;
#[cfg(feature = "window")]
mod window;

#[cfg(not(feature = "window"))]
pub(crate) use absent::Live;
#[cfg(feature = "window")]
pub(crate) use live::Live;

use quadrille_run::io::ColourMap;

/// The first settings of a view.
#[cfg_attr(not(feature = "window"), expect(dead_code, reason = "no window begins with it"))]
pub(crate) struct Beginning {
    /// The step at which it pauses.
    pub(crate) limit: Option<u64>,
    pub(crate) map: ColourMap,
    /// The fixed range, if any.
    pub(crate) range: Option<(f32, f32)>,
}
