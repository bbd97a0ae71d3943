//! A context around a caller's own: entered in scopes, which leave its state as it was.

use std::sync::Arc;

use glow::HasContext;

use super::state::State;
use super::{Caller, Scope};
use crate::gl::calls::clear_errors;
use crate::gl::context::debug::Sink;
use crate::gl::context::origin::Origin;
use crate::gl::context::renderer_lock::RendererLock;
use crate::gl::context::{Parts, Shared};
use crate::gl::native::switches;
use crate::gl::{Abilities, Context, Error, Result};

impl Context {
    /// Creates a context around one that the caller made in any way: quadrille's textures, kernels
    /// and other objects live in it, and are used only inside [`Context::within`]. Elsewhere they
    /// give [`Error::OutsideScope`], without a call of GL.
    ///
    /// It accepts OpenGL 3.3 core, OpenGL ES 3.0, and later versions. The driver's messages stay
    /// the caller's and are not part of errors; a reset of the device is reported by
    /// `GL_CONTEXT_LOST` alone.
    ///
    /// Objects that are dropped outside of a scope are deleted by the next; `within(|| ())` is one.
    /// Objects that remain when the last handle is dropped end with the caller's context: dropping
    /// calls no GL.
    ///
    /// # Errors
    /// [`Error::CallersContext`] where the context is too old, is of a compatibility profile, or is
    /// in a state that a scope cannot change and restore.
    ///
    /// # Safety
    /// The context that `gl` was loaded from is current on this thread now.
    pub unsafe fn around(gl: Arc<glow::Context>) -> Result<Context> {
        let _lock = RendererLock::take();
        must_be_core(&gl)?;
        let state = enter_state(&gl)?;
        let mut abilities = Abilities::read(&gl, false);
        (abilities.messages, abilities.robust) = (false, false);
        // The caller may end the context while a slice of a mapped buffer is borrowed.
        abilities.mapped_buffers = false;
        // SAFETY: the caller's promise.
        unsafe { state.restore(&gl) };
        let (origin, sink) = (Origin::Caller(Caller::default()), Sink::default());
        Context::from_parts(Parts { gl, origin, device: None, notice: None, abilities, sink })
    }

    /// Runs work inside of a context around a caller's own: saves the state that quadrille uses,
    /// sets it as quadrille needs it, and restores it at the end, also when `work` panics. Scopes
    /// nest. In a context of quadrille's own this only runs the work.
    ///
    /// ```no_run
    /// # fn frame(gl: std::sync::Arc<glow::Context>) -> Result<(), quadrille::gl::Error> {
    /// use quadrille::{Context, Extent};
    /// // SAFETY: the window's context is current on this thread.
    /// let context = unsafe { Context::around(gl) }?;
    /// // SAFETY: it still is, and the work leaves it so.
    /// let sum = unsafe {
    ///     context.within(|| context.texture::<f32>(Extent::new(2, 1), &[1.0, 2.0])?.read())
    /// }??;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Saved and restored:
    /// - vertex array, framebuffers to draw into and to read from, program, and the number that
    ///   vertex attribute 0 has where no array gives it;
    /// - the active texture unit, and each unit's 2D texture, texture array and sampler;
    /// - the buffers bound to `ARRAY_BUFFER`, `COPY_READ_BUFFER`, `COPY_WRITE_BUFFER`,
    ///   `PIXEL_PACK_BUFFER`, `PIXEL_UNPACK_BUFFER`, `TRANSFORM_FEEDBACK_BUFFER` and its index 0,
    ///   `UNIFORM_BUFFER` and those of its indices that a kernel's blocks take, and where there are compute shaders `SHADER_STORAGE_BUFFER` with all its indices, and the
    ///   images;
    /// - every parameter of `glPixelStore`;
    /// - viewport, colour mask, line width, polygon mode, blend functions and equations;
    /// - the switches of blending, culling, depth, stencil and scissor tests, dithering, rasterizer
    ///   discard, sample coverage, sample masks, alpha to coverage and to one, logic operations,
    ///   conversion to sRGB, smooth lines and polygons, primitive restart (both), sizes of points
    ///   by program, clip distances.
    ///
    /// Not restored: GL's error flag, which is cleared at entry; viewports and scissor tests beyond
    /// the first, and colour masks of draw buffers beyond the first, which become as the first.
    ///
    /// # Errors
    /// [`Error::SwitchedAway`] if another of quadrille's contexts was used in the scope: the
    /// caller's is no longer current then, and its state was not restored. The caller makes it
    /// current, enters a scope, `within(|| ())` at least, and sets its state again.
    /// [`Error::CallersContext`] as for [`Context::around`].
    ///
    /// # Safety
    /// - The caller's context is current on this thread, and stays so while `work` runs, except for
    ///   contexts that quadrille makes current.
    /// - What `work` does through the caller's own `glow::Context` it undoes, and it deletes
    ///   nothing that was bound at entry.
    /// - No conditional rendering and no timer of the caller is active.
    pub unsafe fn within<R>(&self, work: impl FnOnce() -> R) -> Result<R> {
        let Origin::Caller(caller) = &self.shared.origin else { return Ok(work()) };
        let inside = Inside::enter(&self.shared, caller)?;
        let result = work();
        inside.leave()?;
        Ok(result)
    }
}

/// An active scope. Dropping it, as a panic does, leaves the scope too.
struct Inside<'a> {
    shared: &'a Shared,
    caller: &'a Caller,
    outer: Option<Scope>,
    state: State,
    vertex_array: glow::VertexArray,
    left: bool,
}

impl<'a> Inside<'a> {
    fn enter(shared: &'a Shared, caller: &'a Caller) -> Result<Inside<'a>> {
        shared.must_live()?;
        let _lock = shared.renderer_lock();
        let gl = &shared.gl;
        caller.sweep(gl);
        // Before the state is saved, which may not refer to deleted objects.
        shared.delete_discarded();
        let state = enter_state(gl)?;
        // SAFETY: current, as `within` demands.
        let made = unsafe { gl.create_vertex_array() };
        let vertex_array = made.map_err(|detail| {
            // SAFETY: as above.
            unsafe { state.restore(gl) };
            shared.failure("making the vertex array", &detail)
        })?;
        // SAFETY: as above; the array is alive.
        unsafe { gl.bind_vertex_array(Some(vertex_array)) };
        let scope = Scope { switches: switches(), screen: state.screen() };
        let outer = caller.scope.replace(Some(scope));
        Ok(Inside { shared, caller, outer, state, vertex_array, left: false })
    }

    fn leave(mut self) -> Result<()> {
        self.put_back()
    }

    fn put_back(&mut self) -> Result<()> {
        self.left = true;
        let _lock = self.shared.renderer_lock();
        let current = self.caller.must_be_inside();
        if current.is_ok() {
            self.shared.delete_discarded();
            // SAFETY: still current; the array is ours, and deleted once.
            unsafe {
                self.shared.gl.delete_vertex_array(self.vertex_array);
                self.state.restore(&self.shared.gl);
            }
        } else {
            self.caller.stray.borrow_mut().push(self.vertex_array);
        }
        self.caller.scope.set(self.outer);
        current?;
        self.shared.check(|| "putting the caller's state back".into())
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if !self.left {
            // A panic is in progress, which says more than an error here could.
            let _ = self.put_back();
        }
    }
}

/// Clears the error flag, so that no mistake of the caller is reported as ours; saves, and sets
/// what quadrille draws with.
fn enter_state(gl: &glow::Context) -> Result<State> {
    // SAFETY: current, as every caller of this function demands of its own.
    unsafe {
        clear_errors(gl);
        let state = State::save(gl)?;
        state.clear(gl);
        Ok(state)
    }
}

/// Refuses a compatibility profile: quadrille's shaders and draws are those of core profiles and of
/// ES.
fn must_be_core(gl: &glow::Context) -> Result<()> {
    const CORE: i32 = 1;
    let version = gl.version();
    let number = (version.major, version.minor);
    let (least, old) = match version.is_embedded {
        true => ("OpenGL ES 3.0", number < (3, 0)),
        false => ("OpenGL 3.3 core", number < (3, 3)),
    };
    // SAFETY: current, as `around` demands; the question is as old as 3.2.
    let core = version.is_embedded
        || !old && unsafe { gl.get_parameter_i32(glow::CONTEXT_PROFILE_MASK) } & CORE != 0;
    if !old && core {
        return Ok(());
    }
    Err(Error::CallersContext {
        found: match old {
            true => format!("its version is {}.{}, and {least} is the least", number.0, number.1),
            false => "it is of a compatibility profile".into(),
        },
        remedy: format!("ask your window system for {least} or later"),
    })
}
