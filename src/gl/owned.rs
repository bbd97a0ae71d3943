//! One owner for every kind of GL object: made once, counted while it lives, deleted once.

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;

use super::context::Shared;
use super::{Context, Error};

/// The kinds of object that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Textures.
    Texture,
    /// Buffers: storage, pixel and vertex buffers.
    Buffer,
    /// Framebuffers: one a texture that was drawn into or read, one a set of several targets.
    Framebuffer,
    /// Linked programs.
    Program,
    /// Shaders, which live only while a program is being linked.
    Shader,
    /// Timer queries.
    Query,
    /// Fences.
    Fence,
}

/// How many objects of each kind live in a context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)] // Named after the kinds.
pub struct Objects {
    pub textures: usize,
    pub buffers: usize,
    pub framebuffers: usize,
    pub programs: usize,
    pub shaders: usize,
    pub queries: usize,
    pub fences: usize,
    /// Bytes that textures and buffers take on the device, as they were asked for.
    pub bytes: u64,
}

impl Objects {
    /// All objects together.
    pub fn total(&self) -> usize {
        self.textures
            + self.buffers
            + self.framebuffers
            + self.programs
            + self.shaders
            + self.queries
            + self.fences
    }

    pub(super) fn of(&mut self, kind: ObjectKind) -> &mut usize {
        match kind {
            ObjectKind::Texture => &mut self.textures,
            ObjectKind::Buffer => &mut self.buffers,
            ObjectKind::Framebuffer => &mut self.framebuffers,
            ObjectKind::Program => &mut self.programs,
            ObjectKind::Shader => &mut self.shaders,
            ObjectKind::Query => &mut self.queries,
            ObjectKind::Fence => &mut self.fences,
        }
    }
}

/// The id of an object of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    Texture(glow::Texture),
    Buffer(glow::Buffer),
    Framebuffer(glow::Framebuffer),
    Program(glow::Program),
    Shader(glow::Shader),
    Query(glow::Query),
    Fence(glow::Fence),
}

impl Id {
    pub(super) fn kind(self) -> ObjectKind {
        match self {
            Id::Texture(_) => ObjectKind::Texture,
            Id::Buffer(_) => ObjectKind::Buffer,
            Id::Framebuffer(_) => ObjectKind::Framebuffer,
            Id::Program(_) => ObjectKind::Program,
            Id::Shader(_) => ObjectKind::Shader,
            Id::Query(_) => ObjectKind::Query,
            Id::Fence(_) => ObjectKind::Fence,
        }
    }

    /// # Safety
    /// The context that made the id is current, and nothing uses the id after.
    pub(super) unsafe fn delete(self, gl: &glow::Context) {
        unsafe {
            match self {
                Id::Texture(id) => gl.delete_texture(id),
                Id::Buffer(id) => gl.delete_buffer(id),
                Id::Framebuffer(id) => gl.delete_framebuffer(id),
                Id::Program(id) => gl.delete_program(id),
                Id::Shader(id) => gl.delete_shader(id),
                Id::Query(id) => gl.delete_query(id),
                Id::Fence(id) => gl.delete_sync(id),
            }
        }
    }
}

/// The types that name objects in glow, and how each is made.
pub(super) trait Name: Copy {
    fn id(self) -> Id;
}

macro_rules! names {
    ($($name:ty => $id:ident),*) => { $(
        impl Name for $name {
            fn id(self) -> Id { Id::$id(self) }
        }
    )* };
}

names!(
    glow::NativeTexture => Texture, glow::NativeBuffer => Buffer,
    glow::NativeFramebuffer => Framebuffer, glow::NativeProgram => Program,
    glow::NativeShader => Shader, glow::NativeQuery => Query, glow::NativeFence => Fence
);

/// Owns one GL object. Not `Clone`: dropping it queues the id, and the context deletes it at the
/// next entry, when it is certain to be current.
pub(super) struct Owned<N: Name> {
    shared: Rc<Shared>,
    name: N,
    bytes: Cell<u64>,
}

impl<N: Name> Owned<N> {
    /// Enters the context and makes the object.
    pub(super) fn make(
        context: &Context,
        create: impl FnOnce(&glow::Context) -> Result<N, String>,
    ) -> Result<Self, Error> {
        let gl = context.shared.enter()?;
        match create(&gl) {
            Ok(name) => {
                context.shared.born(name.id().kind());
                let shared = Rc::clone(&context.shared);
                Ok(Owned { shared, name, bytes: Cell::new(0) })
            }
            Err(detail) => Err(context.shared.failure("making an object", &detail)),
        }
    }

    /// Says how many bytes it takes on the device, once they are allocated.
    pub(super) fn takes(&self, bytes: u64) {
        self.shared.allocated(bytes);
        self.bytes.set(self.bytes.get() + bytes);
    }

    pub(super) fn name(&self) -> N {
        self.name
    }

    /// The context it lives in.
    pub(super) fn context(&self) -> Context {
        Context { shared: Rc::clone(&self.shared) }
    }

    pub(super) fn shared(&self) -> &Rc<Shared> {
        &self.shared
    }

    /// An error unless it lives in this context.
    pub(super) fn must_live_in(&self, context: &Context, what: &str) -> Result<(), Error> {
        if Rc::ptr_eq(&self.shared, &context.shared) {
            Ok(())
        } else {
            Err(Error::Foreign { what: what.to_owned() })
        }
    }
}

impl<N: Name> Drop for Owned<N> {
    fn drop(&mut self) {
        self.shared.discard(self.name.id(), self.bytes.get());
    }
}
