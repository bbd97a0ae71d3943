//! The version of a context.

use glow::HasContext;

/// The version of a context, which determines its state.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) embedded: bool,
    pub(super) version: (u32, u32),
}

impl Reach {
    pub(super) fn of(gl: &glow::Context) -> Reach {
        let version = gl.version();
        Reach { embedded: version.is_embedded, version: (version.major, version.minor) }
    }

    pub(super) fn has(self, desktop: (u32, u32), embedded: (u32, u32)) -> bool {
        self.version >= if self.embedded { embedded } else { desktop }
    }

    pub(super) fn has_storage(self) -> bool {
        self.has((4, 3), (3, 1))
    }
}
