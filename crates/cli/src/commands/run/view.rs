//! The window of `quadrille run --view`: an iteration as it goes, with a few keys.

#[cfg_attr(not(feature = "window"), path = "view/absent.rs")]
mod live;

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
