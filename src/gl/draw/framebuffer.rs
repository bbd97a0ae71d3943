//! Framebuffers: one per texture, made when the texture is first drawn into or read; those with
//! several targets are kept by the context until one of their textures is dropped.

use glow::HasContext;

use crate::gl::calls::attach_all;
use crate::gl::context::Shared;
use crate::gl::object::kind::{Id, ObjectKind};
use crate::gl::object::owned::Owned;
use crate::gl::{Context, Result};

/// Returns a framebuffer whose only target is this texture.
pub(crate) fn single(
    context: &Context,
    texture: glow::Texture,
) -> Result<Owned<glow::Framebuffer>> {
    // SAFETY: `make` enters the context; the texture is alive, its owner asks.
    let owned = Owned::make(context, |gl| unsafe { gl.create_framebuffer() })?;
    attach(&context.shared, owned.name(), &[texture])?;
    Ok(owned)
}

/// Returns the framebuffer of several targets, to be bound; made at most once for each list of textures.
pub(crate) fn group(shared: &Shared, textures: &[glow::Texture]) -> Result<glow::Framebuffer> {
    shared.before_target()?;
    if let Some(found) = shared.groups.borrow().get(textures) {
        return Ok(*found);
    }
    let gl = shared.enter()?;
    // SAFETY: entered; the map owns the id and `Shared` deletes it with the first of its textures.
    let made = unsafe { gl.create_framebuffer() };
    let framebuffer = made.map_err(|detail| shared.failure("making a framebuffer", &detail))?;
    shared.born(ObjectKind::Framebuffer);
    if let Err(error) = attach(shared, framebuffer, textures) {
        shared.discard(Id::Framebuffer(framebuffer), 0);
        return Err(error);
    }
    shared.groups.borrow_mut().insert(textures.to_vec(), framebuffer);
    Ok(framebuffer)
}

fn attach(
    shared: &Shared,
    framebuffer: glow::Framebuffer,
    textures: &[glow::Texture],
) -> Result<()> {
    let gl = shared.enter()?;
    // SAFETY: entered; the ids are alive.
    let status = unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        attach_all(&gl, textures);
        gl.check_framebuffer_status(glow::FRAMEBUFFER)
    };
    if status == glow::FRAMEBUFFER_COMPLETE {
        return shared.check(|| "making a framebuffer".into());
    }
    Err(shared.failure("making a framebuffer", &format!("status 0x{status:04x} (incomplete)")))
}
