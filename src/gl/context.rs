//! A context: what is current, what lives in it, what it can do.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use glow::HasContext;

use super::debug::{Message, Sink};
use super::native::Native;
use super::objects::{Id, ObjectKind, Objects};
use super::origin::Origin;
use super::turn::{Entered, Turn};
use super::{Abilities, Device, Error};

/// A connection to a device, on which textures, kernels and all other objects are made. A clone is another handle to
/// the same context, which lives until its last handle and object are dropped.
///
/// A thread may have several contexts: each call asks the window system which is current, and switches only if it is
/// another. A context stays on its thread, so each thread makes its own, in about 20 ms; on a software renderer their calls
/// take turns.
///
/// ```compile_fail,E0277
/// fn must_be_send<T: Send>() {}
/// must_be_send::<quadrille::Context>();
/// ```
#[derive(Clone)]
pub struct Context {
    pub(super) shared: Rc<Shared>,
}

pub(super) struct Shared {
    pub(super) gl: Arc<glow::Context>,
    pub(super) origin: Origin,
    device: Option<Device>,
    notice: Option<String>,
    abilities: Abilities,
    sink: Sink,
    reset_status: Option<ResetStatus>,
    lost: Cell<Option<&'static str>>,
    live: RefCell<Objects>,
    /// What was dropped and not deleted yet, and the bytes it takes.
    discarded: RefCell<Vec<(Id, u64)>>,
    /// Framebuffers with several targets, dropped with any of their textures.
    pub(super) groups: RefCell<HashMap<Vec<glow::Texture>, glow::Framebuffer>>,
    /// Core profiles draw only with one bound. It is the context's own and is not counted. Around
    /// a caller's context each scope has its own.
    vertex_array: Option<glow::VertexArray>,
    /// What `Context::loop_budget` found, once it was asked.
    loop_budget: OnceCell<Option<u32>>,
    /// Its last turn, which ends after `origin` is gone.
    leaving: Cell<Option<Turn>>,
}

pub(super) type ResetStatus = unsafe extern "system" fn() -> u32;

/// What the builder hands over.
pub(super) struct Parts {
    pub(super) gl: Arc<glow::Context>,
    pub(super) origin: Origin,
    pub(super) device: Option<Device>,
    pub(super) notice: Option<String>,
    pub(super) abilities: Abilities,
    pub(super) sink: Sink,
}

impl Context {
    /// The abilities and limits of this context.
    pub fn abilities(&self) -> &Abilities {
        &self.shared.abilities
    }

    /// The device it was made on, if it was one of [`devices`](super::devices()): a window's context
    /// is on the display's, and a caller's own on whichever the caller chose.
    pub fn device(&self) -> Option<&Device> {
        self.shared.device.as_ref()
    }

    /// A note for the user on the choice of the device: that no hardware was found, and why.
    pub fn notice(&self) -> Option<&str> {
        self.shared.notice.as_deref()
    }

    /// Whether it draws on a pbuffer, because the driver has no surfaceless contexts.
    pub fn has_pbuffer(&self) -> bool {
        self.shared.origin.has_pbuffer()
    }

    /// Returns the number of live objects and their bytes, after deleting what was dropped.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its scope.
    pub fn objects(&self) -> Result<Objects, Error> {
        let _entered = self.shared.enter()?;
        Ok(*self.shared.live.borrow())
    }

    /// Waits until the device has finished all commands.
    ///
    /// # Errors
    /// [`Error::ContextLost`] after a reset of the device, [`Error::Driver`] if an earlier call failed.
    pub fn finish(&self) -> Result<(), Error> {
        let gl = self.shared.enter()?;
        // SAFETY: entered.
        unsafe { gl.finish() };
        self.shared.check_reset()?;
        self.shared.check(|| "finishing".into())
    }

    /// Submits all commands so far to the device, without waiting.
    ///
    /// # Errors
    /// [`Error::ContextLost`], or [`Error::OutsideScope`] for a caller's context outside of its scope.
    pub fn flush(&self) -> Result<(), Error> {
        let gl = self.shared.enter()?;
        // SAFETY: entered.
        unsafe { gl.flush() };
        Ok(())
    }

    /// The first error or driver message since the last check, for tests: clean code leaves none.
    ///
    /// # Errors
    /// [`Error::Driver`] or [`Error::Messages`] is what it finds; [`Error::ContextLost`].
    pub fn check(&self) -> Result<(), Error> {
        let _entered = self.shared.enter()?;
        self.shared.check(|| "executing an earlier call".into())?;
        let messages = self.shared.sink.drain();
        if messages.is_empty() {
            return Ok(());
        }
        Err(Error::Messages { messages })
    }

    /// Where `loop_budget` keeps its answer.
    pub(crate) fn known_loop_budget(&self) -> &OnceCell<Option<u32>> {
        &self.shared.loop_budget
    }

    /// Whether two handles are the same context.
    pub fn ptr_eq(&self, other: &Context) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    pub(super) fn from_parts(parts: Parts) -> Result<Context, Error> {
        let Parts { gl, origin, device, notice, abilities, sink } = parts;
        let (mut reset_status, mut vertex_array) = (None, None);
        if let Origin::Own(native) = &origin {
            // SAFETY: the builder left the context current.
            vertex_array = Some(unsafe { prepare(&gl, &sink) }?);
            if abilities.robust {
                reset_status = load_reset_status(native);
            }
        }
        let shared = Shared {
            gl,
            origin,
            device,
            notice,
            abilities,
            sink,
            reset_status,
            lost: Cell::new(None),
            live: RefCell::default(),
            discarded: RefCell::default(),
            groups: RefCell::default(),
            vertex_array,
            loop_budget: OnceCell::new(),
            leaving: Cell::new(None),
        };
        Ok(Context { shared: Rc::new(shared) })
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({})", self.shared.abilities.renderer)
    }
}

/// Sets what no draw sets again; a caller's context is prepared by each scope.
///
/// # Safety
/// The context is current.
unsafe fn prepare(gl: &glow::Context, sink: &Sink) -> Result<glow::VertexArray, Error> {
    unsafe {
        let array = gl.create_vertex_array().map_err(|detail| Error::Driver {
            doing: "making the vertex array".into(),
            code: detail,
            messages: sink.drain(),
        })?;
        gl.bind_vertex_array(Some(array));
        gl.disable(glow::DITHER);
        gl.disable(glow::BLEND);
        gl.disable(glow::DEPTH_TEST);
        gl.disable(glow::SCISSOR_TEST);
        gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
        gl.pixel_store_i32(glow::PACK_ALIGNMENT, 1);
        Ok(array)
    }
}

fn load_reset_status(native: &Native) -> Option<ResetStatus> {
    let names = [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusKHR"];
    let address =
        names.iter().map(|name| native.address(name)).find(|address| !address.is_null())?;
    // SAFETY: the version or extension that the abilities checked promises this signature.
    Some(unsafe { std::mem::transmute::<*const std::ffi::c_void, ResetStatus>(address) })
}

/// The three codes that the specification knows; anything else is not a reset.
pub(super) fn reset_name(code: u32) -> Option<&'static str> {
    match code {
        0x8253 => Some("reset by work of this context"),
        0x8254 => Some("reset by work of another context"),
        0x8255 => Some("reset for an unknown reason"),
        _ => None,
    }
}

impl Shared {
    /// The way into GL: makes the context current if it is not, and deletes what was dropped.
    pub(super) fn enter(&self) -> Result<Entered<'_>, Error> {
        self.must_live()?;
        let turn = self.turn();
        self.origin.enter()?;
        self.delete_discarded();
        Ok(Entered::new(&self.gl, turn))
    }

    /// What every call of GL is made in.
    pub(super) fn turn(&self) -> Option<Turn> {
        self.abilities.software.then(Turn::take)
    }

    pub(super) fn must_live(&self) -> Result<(), Error> {
        match self.lost.get() {
            Some(status) => Err(Error::ContextLost { status }),
            None => Ok(()),
        }
    }

    /// Called when the context is current, as [`enter`](Shared::enter) and the ends of scopes do.
    pub(super) fn delete_discarded(&self) {
        if self.discarded.borrow().is_empty() {
            return;
        }
        for (id, bytes) in self.discarded.take() {
            if let Id::Texture(texture) = id {
                self.drop_groups_of(texture);
            }
            // SAFETY: the caller made the context current; only `discard` queues, once an id.
            unsafe { id.delete(&self.gl) };
            let mut live = self.live.borrow_mut();
            *live.of(id.kind()) -= 1;
            live.bytes -= bytes;
        }
    }

    fn drop_groups_of(&self, texture: glow::Texture) {
        self.groups.borrow_mut().retain(|textures, framebuffer| {
            let keep = !textures.contains(&texture);
            if !keep {
                // SAFETY: as in `delete_discarded`, and the map forgets the id here.
                unsafe { self.gl.delete_framebuffer(*framebuffer) };
                self.live.borrow_mut().framebuffers -= 1;
            }
            keep
        });
    }

    pub(super) fn born(&self, kind: ObjectKind) {
        *self.live.borrow_mut().of(kind) += 1;
    }

    pub(super) fn allocated(&self, bytes: u64) {
        self.live.borrow_mut().bytes += bytes;
    }

    pub(super) fn discard(&self, id: Id, bytes: u64) {
        self.discarded.borrow_mut().push((id, bytes));
    }

    /// Turns GL's error flag into an error that carries the driver's messages.
    pub(super) fn check(&self, doing: impl FnOnce() -> String) -> Result<(), Error> {
        // SAFETY: called between entry and the end of one of our own functions.
        match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => Ok(()),
            code => Err(self.error_of(code, doing(), 0)),
        }
    }

    /// As [`check`](Shared::check), for a call that allocates `bytes`.
    pub(super) fn check_allocation(&self, what: &str, bytes: u64) -> Result<(), Error> {
        // SAFETY: as in `check`.
        match unsafe { self.gl.get_error() } {
            glow::NO_ERROR => Ok(()),
            code => Err(self.error_of(code, what.to_owned(), bytes)),
        }
    }

    fn error_of(&self, code: u32, doing: String, bytes: u64) -> Error {
        const CONTEXT_LOST: u32 = 0x0507;
        // One mistake may raise several flags, and later calls must start clean.
        // SAFETY: as in `check`.
        for _ in 0..16 {
            if unsafe { self.gl.get_error() } == glow::NO_ERROR {
                break;
            }
        }
        let messages = self.sink.drain();
        match code {
            glow::OUT_OF_MEMORY => Error::OutOfMemory { what: doing, bytes, messages },
            CONTEXT_LOST => {
                let status = "the driver says GL_CONTEXT_LOST";
                self.lost.set(Some(status));
                Error::ContextLost { status }
            }
            code => Error::Driver { doing, code: code_name(code), messages },
        }
    }

    /// An error for a call of glow that failed with words instead of a code.
    pub(super) fn failure(&self, doing: &str, detail: &str) -> Error {
        Error::Driver { doing: doing.into(), code: detail.to_owned(), messages: self.sink.drain() }
    }

    /// Asks a robust context whether it was reset.
    pub(super) fn check_reset(&self) -> Result<(), Error> {
        let Some(reset_status) = self.reset_status else { return Ok(()) };
        // SAFETY: loaded from this context, which is current.
        match reset_name(unsafe { reset_status() }) {
            None => Ok(()),
            Some(status) => {
                self.lost.set(Some(status));
                Err(Error::ContextLost { status })
            }
        }
    }

    pub(super) fn drain_messages(&self) -> Vec<Message> {
        self.sink.drain()
    }

    /// How errors call this device.
    pub(super) fn device_name(&self) -> String {
        self.abilities.renderer.clone()
    }

    pub(super) fn abilities(&self) -> &Abilities {
        &self.abilities
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.leaving.set(self.turn());
        if self.origin.enter().is_err() {
            return; // The context is gone, and its objects with it, or it is a caller's own.
        }
        self.delete_discarded();
        // SAFETY: current; every `Owned` held this `Shared` alive, so none is left.
        unsafe {
            if let Some(array) = self.vertex_array {
                self.gl.delete_vertex_array(array);
            }
            // glow frees the callback with itself, so the driver must not call it any more. A
            // caller's is the caller's.
            if matches!(self.origin, Origin::Own(_)) && self.gl.supports_debug() {
                self.gl.disable(glow::DEBUG_OUTPUT);
            }
        }
        self.origin.release();
    }
}

fn code_name(code: u32) -> String {
    let name = match code {
        glow::INVALID_ENUM => "GL_INVALID_ENUM",
        glow::INVALID_VALUE => "GL_INVALID_VALUE",
        glow::INVALID_OPERATION => "GL_INVALID_OPERATION",
        glow::INVALID_FRAMEBUFFER_OPERATION => "GL_INVALID_FRAMEBUFFER_OPERATION",
        glow::OUT_OF_MEMORY => "GL_OUT_OF_MEMORY",
        _ => return format!("error 0x{code:04x}"),
    };
    name.into()
}

#[cfg(test)]
mod tests {
    use super::reset_name;

    #[test]
    fn only_the_three_specified_codes_are_resets() {
        assert!(reset_name(0).is_none());
        for code in [0x8253, 0x8254, 0x8255] {
            assert!(reset_name(code).is_some());
        }
        assert!(reset_name(0x8256).is_none());
        assert!(reset_name(0x0502).is_none());
    }
}
