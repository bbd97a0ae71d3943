//! The kinds of GL objects: how they are named, counted and deleted.

use glow::HasContext;

/// The kinds of object that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Textures.
    Texture,
    /// Buffers: storage, pixel and vertex buffers.
    Buffer,
    /// Framebuffers: one for each texture that was drawn into or read, and one for each set of
    /// several targets.
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

/// The number of live objects of each kind in a context.
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
    /// The bytes requested for textures and buffers.
    pub bytes: u64,
}

impl Objects {
    /// Returns the number of all objects together.
    pub fn total(&self) -> usize {
        self.textures
            + self.buffers
            + self.framebuffers
            + self.programs
            + self.shaders
            + self.queries
            + self.fences
    }

    pub(in crate::gl) fn of(&mut self, kind: ObjectKind) -> &mut usize {
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
pub(crate) enum Id {
    Texture(glow::Texture),
    Buffer(glow::Buffer),
    Framebuffer(glow::Framebuffer),
    Program(glow::Program),
    Shader(glow::Shader),
    Query(glow::Query),
    Fence(glow::Fence),
}

impl Id {
    pub(crate) fn kind(self) -> ObjectKind {
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
    pub(crate) unsafe fn delete(self, gl: &glow::Context) {
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

/// The id types of glow, and their kinds.
pub(crate) trait Name: Copy {
    fn id(self) -> Id;
}

macro_rules! names {
    ($($name:ident => $id:ident),*) => { $(
        impl Name for glow::$name {
            fn id(self) -> Id { Id::$id(self) }
        }
    )* };
}

#[cfg(not(target_family = "wasm"))]
names!(
    NativeTexture => Texture, NativeBuffer => Buffer, NativeFramebuffer => Framebuffer,
    NativeProgram => Program, NativeShader => Shader, NativeQuery => Query, NativeFence => Fence
);

// A browser's objects are values of its own, which glow keeps in tables.
#[cfg(target_family = "wasm")]
names!(
    WebTextureKey => Texture, WebBufferKey => Buffer, WebFramebufferKey => Framebuffer,
    WebProgramKey => Program, WebShaderKey => Shader, WebQueryKey => Query, WebFenceKey => Fence
);
