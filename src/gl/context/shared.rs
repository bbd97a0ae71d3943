//! The state shared by the handles of a context and its objects: the way into GL, and the ids to
//! delete at the next entry.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use glow::HasContext;

use super::debug::Sink;
use super::origin::Origin;
use super::pace::Pace;
use super::renderer_lock::{Entered, RendererLock};
use super::reset::{ResetStatus, load_reset_status};
use crate::gl::object::kind::{Id, ObjectKind, Objects};
use crate::gl::object::poison;
use crate::gl::object::pool::{Idle, IdleBuffer, IdleProgram, IdleTexture, Pool};
use crate::gl::{Abilities, Device, Entry, Error, Result};
use crate::memory::NoMemory;

/// Room for the ids of what waits in the pools, which does not count as living.
const MOST_IDLE: usize = 1024;

pub(crate) struct Shared {
    pub(crate) gl: Arc<glow::Context>,
    pub(crate) origin: Origin,
    pub(super) device: Option<Device>,
    pub(super) notice: Option<String>,
    pub(super) abilities: Abilities,
    pub(super) pace: Pace,
    pub(super) sink: Sink,
    pub(super) reset_status: Option<ResetStatus>,
    pub(super) lost: Cell<Option<&'static str>>,
    pub(super) live: RefCell<Objects>,
    /// The number of objects that the driver has made.
    pub(crate) made: Cell<u64>,
    /// Whether draws and dispatches are of next to nothing, so that a driver compiles what they need.
    pub(crate) rehearses: Cell<bool>,
    /// What textures and buffers hold before they are written, if a test asks for it.
    pub(crate) poison: Cell<Option<f32>>,
    /// The time that compiling and linking programs has taken.
    pub(crate) compiling: Cell<Duration>,
    /// The ids that were dropped and not deleted yet, each with its size in bytes.
    pub(super) discarded: RefCell<Vec<(Id, u64)>>,
    /// Framebuffers with several targets, dropped with any of their textures.
    pub(crate) groups: RefCell<HashMap<Vec<glow::Texture>, glow::Framebuffer>>,
    /// Mapped buffers for later transfers. They are the context's own and are not counted.
    pub(crate) buffers: RefCell<Pool<IdleBuffer>>,
    /// Textures that were dropped, for others like them. Not counted either.
    pub(crate) textures: RefCell<Pool<IdleTexture>>,
    /// Programs that were dropped, for others of the same text. Not counted either.
    pub(crate) programs: RefCell<Pool<IdleProgram>>,
    /// Core profiles draw only with one bound. It is the context's own and is not counted. Around
    /// a caller's context each scope has its own.
    pub(super) vertex_array: Option<glow::VertexArray>,
    /// The result of `Context::loop_budget`, once it has been measured.
    pub(super) loop_budget: OnceCell<Option<u32>>,
    /// Whether textures can be filled from buffers, once that was tried.
    pub(crate) buffers_reach_textures: OnceCell<bool>,
    /// The types whose capture works, and those whose does not, as each was tried.
    pub(super) captures: RefCell<BTreeMap<&'static str, bool>>,
    /// The tuned choices of each operation.
    pub(crate) tuned: RefCell<BTreeMap<String, Vec<Entry>>>,
    /// The last lock of the renderer, released after `origin` is gone.
    pub(super) leaving: Cell<Option<RendererLock>>,
}

/// The parts that the builder hands over.
pub(crate) struct Parts {
    pub(crate) gl: Arc<glow::Context>,
    pub(crate) origin: Origin,
    pub(crate) device: Option<Device>,
    pub(crate) notice: Option<String>,
    pub(crate) abilities: Abilities,
    pub(crate) sink: Sink,
}

impl Shared {
    /// Prepares a context that the builder left current.
    pub(super) fn new(parts: Parts) -> Result<Shared> {
        let Parts { gl, origin, device, notice, abilities, sink } = parts;
        let memory = abilities.memory;
        let (mut reset_status, mut vertex_array) = (None, None);
        if let Origin::Own(native) = &origin {
            // SAFETY: the builder left the context current.
            vertex_array = Some(unsafe { prepare(&gl, &sink) }?);
            if abilities.robust {
                reset_status = load_reset_status(native);
            }
        }
        Ok(Shared {
            gl,
            origin,
            device,
            notice,
            pace: Pace::of(&abilities),
            abilities,
            sink,
            reset_status,
            lost: Cell::new(None),
            live: RefCell::default(),
            made: Cell::default(),
            compiling: Cell::default(),
            discarded: RefCell::default(),
            groups: RefCell::default(),
            buffers: RefCell::default(),
            textures: RefCell::new(Pool::on(memory)),
            programs: RefCell::default(),
            vertex_array,
            loop_budget: OnceCell::new(),
            buffers_reach_textures: OnceCell::new(),
            captures: RefCell::default(),
            rehearses: Cell::new(false),
            poison: Cell::new(poison::asked()),
            tuned: RefCell::default(),
            leaving: Cell::new(None),
        })
    }

    /// Returns the way into GL: makes the context current if it is not, and deletes what was
    /// dropped.
    pub(crate) fn enter(&self) -> Result<Entered<'_>> {
        self.must_live()?;
        let lock = self.renderer_lock();
        self.origin.enter()?;
        self.delete_discarded();
        Ok(Entered::new(&self.gl, lock))
    }

    /// Does what the driver needs before an upload from the host's memory.
    pub(crate) fn before_upload(&self) -> Result<()> {
        if self.pace.finishes() {
            // SAFETY: entered.
            unsafe { self.enter()?.finish() };
        }
        Ok(())
    }

    /// Does what the driver needs before a target is bound.
    pub(crate) fn before_target(&self) -> Result<()> {
        if self.pace.flushes() {
            // SAFETY: entered.
            unsafe { self.enter()?.flush() };
        }
        Ok(())
    }

    /// Returns the lock that every call into a software renderer needs; `None` for hardware.
    pub(crate) fn renderer_lock(&self) -> Option<RendererLock> {
        self.abilities.software.then(RendererLock::take)
    }

    pub(crate) fn must_live(&self) -> Result<()> {
        match self.lost.get().or_else(|| self.origin.loss()) {
            Some(status) => {
                self.lost.set(Some(status));
                Err(Error::ContextLost { status })
            }
            None => Ok(()),
        }
    }

    /// Deletes what was dropped. It is called when the context is current, as
    /// [`enter`](Shared::enter) and the ends of scopes do.
    pub(crate) fn delete_discarded(&self) {
        if self.discarded.borrow().is_empty() {
            return;
        }
        let mut queue = self.discarded.take();
        for (id, bytes) in queue.drain(..) {
            if let Id::Texture(texture) = id {
                self.drop_groups_of(texture);
            }
            // SAFETY: the caller made the context current; only `discard` queues, once an id.
            unsafe { id.delete(&self.gl) };
            self.gone(id.kind(), bytes);
        }
        // Its room stays, for those that live.
        let queued = self.discarded.replace(queue);
        self.discarded.borrow_mut().extend(queued);
    }

    /// Makes room for the ids of all objects and of one more. They are queued when they are
    /// dropped, which cannot fail and is where memory may be short.
    pub(crate) fn make_room(&self) -> Result<(), NoMemory> {
        let wanted = (self.live.borrow().total() + MOST_IDLE).next_power_of_two();
        let mut discarded = self.discarded.borrow_mut();
        let room = discarded.capacity();
        if wanted <= room {
            return Ok(());
        }
        let more = wanted - discarded.len();
        discarded.try_reserve_exact(more).map_err(|_| NoMemory::of::<(Id, u64)>(wanted))
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

    pub(crate) fn born(&self, kind: ObjectKind) {
        *self.live.borrow_mut().of(kind) += 1;
    }

    pub(crate) fn gone(&self, kind: ObjectKind, bytes: u64) {
        let mut live = self.live.borrow_mut();
        *live.of(kind) -= 1;
        live.bytes -= bytes;
    }

    pub(crate) fn allocated(&self, bytes: u64) {
        self.live.borrow_mut().bytes += bytes;
    }

    pub(crate) fn discard(&self, id: Id, bytes: u64) {
        self.discarded.borrow_mut().push((id, bytes));
    }

    /// Keeps a mapped buffer for later, and discards those that the pool has no more room for.
    pub(crate) fn keep_buffer(&self, idle: IdleBuffer) {
        self.discard_idle(self.buffers.borrow_mut().put(idle));
    }

    /// Keeps a dropped texture likewise. It is discarded where a framebuffer has it beside other
    /// targets, which goes with it, and in a caller's context, which may end before this.
    pub(crate) fn keep_texture(&self, idle: IdleTexture) {
        let grouped = || self.groups.borrow().keys().any(|group| group.contains(&idle.texture));
        match matches!(self.origin, Origin::Own(_)) && !grouped() {
            true => self.discard_idle(self.textures.borrow_mut().put(idle)),
            false => self.discard_idle([idle]),
        }
    }

    /// Keeps a dropped program likewise.
    pub(crate) fn keep_program(&self, idle: IdleProgram) {
        match self.origin {
            Origin::Own(_) => self.discard_idle(self.programs.borrow_mut().put(idle)),
            _ => self.discard_idle([idle]),
        }
    }

    /// Discards all idle textures; returns whether there were any.
    pub(crate) fn discard_idle_textures(&self) -> bool {
        let idle = self.textures.take().into_idle();
        let any = !idle.is_empty();
        self.discard_idle(idle);
        any
    }

    fn discard_idle(&self, idle: impl IntoIterator<Item = impl Idle>) {
        for id in idle.into_iter().flat_map(|idle| idle.ids()).flatten() {
            self.born(id.kind()); // What is discarded counts until it is deleted.
            self.discard(id, 0);
        }
    }

    pub(crate) fn abilities(&self) -> &Abilities {
        &self.abilities
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.leaving.set(self.renderer_lock());
        if self.origin.enter().is_err() {
            return; // The context is gone, and its objects with it, or it is a caller's own.
        }
        self.discard_idle(self.buffers.take().into_idle());
        self.discard_idle(self.programs.take().into_idle());
        self.discard_idle_textures();
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

/// Sets what no draw sets again; a caller's context is prepared by each scope.
///
/// # Safety
/// The context is current.
unsafe fn prepare(gl: &glow::Context, sink: &Sink) -> Result<glow::VertexArray> {
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use crate::{Context, Extent};

    /// Allocates nothing when objects are dropped: where memory is short, that would end the
    /// process.
    #[test]
    fn what_lives_has_room_to_be_dropped() {
        let context = Context::headless().unwrap();
        let room = || context.shared.discarded.borrow().capacity();
        let texture = |_| context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let textures: Vec<_> = (0..3000).map(texture).collect();
        let made = room();
        assert!(made >= context.objects().unwrap().total(), "{made}");
        drop(textures);
        assert_eq!(room(), made);
        context.finish().unwrap();
        assert_eq!(room(), made);
    }
}
