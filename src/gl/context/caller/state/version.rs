//! The version of a context.

use glow::HasContext;

/// The version of a context, which determines its state.
#[derive(Clone, Copy)]
pub(super) struct Version {
    pub(super) embedded: bool,
    pub(super) number: (u32, u32),
}

impl Version {
    pub(super) fn of(gl: &glow::Context) -> Version {
        let version = gl.version();
        Version { embedded: version.is_embedded, number: (version.major, version.minor) }
    }

    pub(super) fn has(self, desktop: (u32, u32), embedded: (u32, u32)) -> bool {
        self.number >= if self.embedded { embedded } else { desktop }
    }

    pub(super) fn has_storage(self) -> bool {
        self.has((4, 3), (3, 1))
    }
}
