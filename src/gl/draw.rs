//! Drawing and dispatching: state that was checked above goes to GL, and nothing else happens.

pub(super) mod attribute;
pub(super) mod framebuffer;

use glow::HasContext;

use crate::Extent;

use super::buffer::BufferId;
use super::context::Range;
use super::program::Program;
use super::program::parameter::{Parameter, RECTANGLE};
use super::program::set::set;
use super::program::value::Value;
use super::texture::sampling::Sampling;
use super::transfer::mapped::{Mapped, Use};
use super::{AnyTexture, Context, Result};
use attribute::Attribute;

/// The geometry of a pass. Rectangles are x0, y0, x1, y1 in texels.
pub(crate) enum Primitive {
    /// A quad, as a strip of two triangles.
    Quad([f32; 4]),
    /// A triangle over a quad that begins at (0, 0): the strip's first three vertices, from one
    /// twice as wide and high.
    Triangle([f32; 4]),
    /// Many quads in the order of a buffer.
    Quads { rectangles: BufferId, count: u32 },
    /// A line from (x0, y0) to (x0, y1), up or down.
    Line([f32; 4]),
    /// Points, which the vertex shader places.
    Points(u32),
}

/// The way results are combined with the texels of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blend {
    /// Results replace the texels.
    #[default]
    Replace,
    /// Results are added to the texels.
    Add,
}

/// The program and the arguments, which draws and dispatches have in common.
pub(crate) struct Bindings<'a> {
    pub(crate) program: &'a Program,
    pub(crate) inputs: &'a [Input<'a>],
    pub(crate) images: &'a [(u32, &'a dyn AnyTexture)],
    pub(crate) buffers: &'a [(u32, BufferId)],
    pub(crate) uniforms: &'a [(&'a Parameter, &'a Value)],
    /// Whether textures are sampled with their own filters and wrap modes, else with the default.
    pub(crate) own_sampling: bool,
}

/// A texture that is read.
pub(crate) struct Input<'a> {
    pub(crate) unit: u32,
    pub(crate) texture: &'a dyn AnyTexture,
    /// Whether its levels are read, which then are current.
    pub(crate) reads_levels: bool,
}

/// A draw whose parts were checked to fit together.
pub(crate) struct Draw<'a> {
    pub(crate) bindings: &'a Bindings<'a>,
    pub(crate) targets: &'a [&'a dyn AnyTexture],
    pub(crate) primitive: Primitive,
    /// Inputs of the vertex stage besides the rectangle. Their buffers hold an element for each
    /// vertex.
    pub(crate) attributes: &'a [Attribute],
    pub(crate) blend: Blend,
    /// Whether fragments store into buffers.
    pub(crate) stores: bool,
}

/// The barriers that make the writes of a shader visible to every kind of command of OpenGL 4.3 and
/// OpenGL ES 3.1. The host, which reads mapped memory, is not among them: making writes visible to
/// it too takes some microseconds on a GPU, so only a dispatch that writes such memory does so.
const LATER_COMMANDS: u32 = glow::VERTEX_ATTRIB_ARRAY_BARRIER_BIT
    | glow::ELEMENT_ARRAY_BARRIER_BIT
    | glow::UNIFORM_BARRIER_BIT
    | glow::TEXTURE_FETCH_BARRIER_BIT
    | glow::SHADER_IMAGE_ACCESS_BARRIER_BIT
    | glow::COMMAND_BARRIER_BIT
    | glow::PIXEL_BUFFER_BARRIER_BIT
    | glow::TEXTURE_UPDATE_BARRIER_BIT
    | glow::BUFFER_UPDATE_BARRIER_BIT
    | glow::FRAMEBUFFER_BARRIER_BIT
    | glow::TRANSFORM_FEEDBACK_BARRIER_BIT
    | glow::ATOMIC_COUNTER_BARRIER_BIT
    | glow::SHADER_STORAGE_BARRIER_BIT;

fn host_reads(hosted: Option<Hosted<'_>>) -> u32 {
    match hosted {
        Some(Hosted(_, Fenced::Submitted(Use::Writes) | Fenced::Later(Use::Writes))) => {
            glow::CLIENT_MAPPED_BUFFER_BARRIER_BIT
        }
        _ => 0,
    }
}

/// A dispatch whose parts were checked to fit together.
pub(crate) struct Compute<'a> {
    pub(crate) bindings: &'a Bindings<'a>,
    pub(crate) groups: [u32; 3],
    /// A buffer in the host's memory that it uses.
    pub(crate) hosted: Option<Hosted<'a>>,
    /// Whether what it writes is visible to all later work; else to what follows the next one that
    /// is ordered.
    pub(crate) ordered: bool,
}

/// A mapped buffer that a dispatch reads or writes.
#[derive(Clone, Copy)]
pub(crate) struct Hosted<'a>(pub(super) &'a Mapped, pub(crate) Fenced);

/// The way the host learns that a dispatch is done with a mapped buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fenced {
    /// A fence, with the dispatch submitted at once.
    Submitted(Use),
    /// A fence that is submitted with later commands.
    Later(Use),
    /// No fence: the host waits for something later.
    Not,
}

/// Draws into the targets, which have one extent, as the caller checked.
pub(crate) fn draw(context: &Context, draw: &Draw<'_>) -> Result<()> {
    let extent = draw.targets.first().map_or(Extent::default(), |target| target.extent());
    let callers = settle(context, draw.bindings)?;
    let framebuffer = framebuffer_of(context, draw.targets)?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; all objects are borrowed, so they are alive, and attributes hold the
    // vertices.
    unsafe {
        if context.abilities().is_softpipe() {
            // Mesa's softpipe (25.0 and 26.2) keeps the height of an earlier target in gl_FragCoord where a target of the
            // same program was cleared after it was bound: bound anew, it asks.
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
        }
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let seen = if context.shared.rehearses.get() { Extent::new(1, 1) } else { extent };
        gl.viewport(0, 0, seen.width as i32, seen.height as i32);
        bind(&gl, draw.bindings);
        if draw.blend == Blend::Add {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ONE, glow::ONE);
        }
        draw.attributes.iter().for_each(|attribute| attribute.enable(&gl));
        emit(&gl, &draw.primitive, context.abilities().points_at_a_time());
        draw.attributes.iter().for_each(|attribute| attribute.disable(&gl));
        if draw.blend == Blend::Add {
            gl.disable(glow::BLEND);
        }
        if draw.stores {
            gl.memory_barrier(LATER_COMMANDS);
        }
        callers.iter().for_each(|range| range.restore(&gl));
    }
    draw.targets.iter().for_each(|target| target.raw().may_be_written());
    context.shared.check(|| format!("drawing into {extent} texels"))
}

/// Sets the channels that textures are padded with where a reader would see them: images ignore
/// swizzles, and WebGL2 has none. Fills the uniform blocks, and returns what a caller has bound where they are bound.
fn settle(context: &Context, bindings: &Bindings<'_>) -> Result<Vec<Range>> {
    for (_, image) in bindings.images {
        image.raw().settle()?;
    }
    if !context.abilities().swizzles {
        for input in bindings.inputs {
            input.texture.raw().settle()?;
        }
    }
    match bindings.program.has_blocks() {
        true => bindings.program.fill_blocks(context, bindings.uniforms),
        false => Ok(Vec::new()),
    }
}

fn framebuffer_of(context: &Context, targets: &[&dyn AnyTexture]) -> Result<glow::Framebuffer> {
    match targets {
        [one] => one.raw().framebuffer(),
        several => {
            for target in several {
                target.raw().must_be_drawable()?;
            }
            let names: Vec<_> = several.iter().map(|target| target.raw().owned.name()).collect();
            framebuffer::group(&context.shared, &names)
        }
    }
}

/// # Safety
/// The context is current and the objects are alive.
unsafe fn bind(gl: &glow::Context, bindings: &Bindings<'_>) {
    unsafe {
        gl.use_program(Some(bindings.program.owned.name()));
        for input in bindings.inputs {
            gl.active_texture(glow::TEXTURE0 + input.unit);
            let raw = input.texture.raw();
            let own = bindings.own_sampling.then(|| raw.wanted.get());
            raw.bind(gl, own.unwrap_or_default(), input.reads_levels);
        }
        for (binding, buffer) in bindings.buffers {
            gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, *binding, Some(buffer.0));
        }
        for (unit, image) in bindings.images {
            let raw = image.raw();
            let (name, format) = (Some(raw.owned.name()), raw.format.internal);
            gl.bind_image_texture(*unit, name, 0, false, 0, glow::READ_WRITE, format);
        }
        for (parameter, value) in bindings.uniforms {
            set(gl, parameter, value);
        }
        bindings.program.bind_blocks(gl);
    }
}

/// # Safety
/// The context is current, and program, framebuffer and viewport are set.
unsafe fn emit(gl: &glow::Context, primitive: &Primitive, points_at_a_time: u32) {
    let index = RECTANGLE.0;
    unsafe {
        match primitive {
            Primitive::Quad([x0, y0, x1, y1]) => {
                gl.vertex_attrib_4_f32(index, *x0, *y0, *x1, *y1);
                gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
            }
            Primitive::Triangle([x0, y0, x1, y1]) => {
                gl.vertex_attrib_4_f32(index, *x0, *y0, 2.0 * x1, 2.0 * y1);
                gl.draw_arrays(glow::TRIANGLES, 0, 3);
            }
            Primitive::Line([x0, y0, x1, y1]) => {
                gl.vertex_attrib_4_f32(index, *x0, *y0, *x1, *y1);
                gl.draw_arrays(glow::LINES, 0, 2);
            }
            Primitive::Points(count) => draw_points(gl, *count, points_at_a_time),
            Primitive::Quads { rectangles, count } => {
                gl.bind_buffer(glow::ARRAY_BUFFER, Some(rectangles.0));
                gl.enable_vertex_attrib_array(index);
                gl.vertex_attrib_pointer_f32(index, 4, glow::FLOAT, false, 0, 0);
                gl.vertex_attrib_divisor(index, 1);
                gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, *count as i32);
                gl.disable_vertex_attrib_array(index);
                gl.bind_buffer(glow::ARRAY_BUFFER, None);
            }
        }
    }
}

/// Draws points that are numbered from 0 through, by as many draws as that takes.
///
/// # Safety
/// As for a draw: the context is current, and all that it takes is set.
unsafe fn draw_points(gl: &glow::Context, count: u32, at_a_time: u32) {
    let mut first = 0;
    while first < count {
        let some = at_a_time.min(count - first);
        unsafe { gl.draw_arrays(glow::POINTS, first as i32, some as i32) };
        first += some;
    }
}

/// A run of a vertex program alone, whose parts were checked to fit together.
pub(crate) struct Capture<'a> {
    pub(crate) bindings: &'a Bindings<'a>,
    /// A buffer with one element for each point.
    pub(crate) buffer: BufferId,
    pub(crate) points: u32,
    /// The target that GL demands, since it refuses to draw without a complete framebuffer.
    pub(crate) canvas: &'a dyn AnyTexture,
}

/// Runs a vertex program over points, and captures its output of each in a buffer (transform
/// feedback); nothing is rasterized.
pub(crate) fn capture(context: &Context, work: &Capture<'_>) -> Result<()> {
    let callers = settle(context, work.bindings)?;
    let framebuffer = work.canvas.raw().framebuffer()?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; all objects are borrowed, so they are alive, and the buffer holds the
    // points.
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        bind(&gl, work.bindings);
        gl.enable(glow::RASTERIZER_DISCARD);
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(work.buffer.0));
        gl.begin_transform_feedback(glow::POINTS);
        draw_points(&gl, work.points, context.abilities().points_at_a_time());
        gl.end_transform_feedback();
        gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, None);
        gl.disable(glow::RASTERIZER_DISCARD);
        callers.iter().for_each(|range| range.restore(&gl));
    }
    context.shared.check(|| format!("capturing {} points", work.points))
}

/// Runs a compute program, and makes its writes visible to later commands.
pub(crate) fn dispatch(context: &Context, work: &Compute<'_>) -> Result<()> {
    let callers = settle(context, work.bindings)?;
    let gl = context.shared.enter()?;
    // SAFETY: entered; all objects are borrowed, so they are alive.
    unsafe {
        if context.abilities().is_softpipe() {
            // Mesa's softpipe (22.3) keeps what draws wrote in a cache of its own, which its
            // compute shaders do not see.
            gl.flush();
        }
        bind(&gl, work.bindings);
        let [x, y, z] = if context.shared.rehearses.get() { [1; 3] } else { work.groups };
        gl.dispatch_compute(x, y, z);
        if work.ordered {
            gl.memory_barrier(LATER_COMMANDS | host_reads(work.hosted));
        }
        callers.iter().for_each(|range| range.restore(&gl));
    }
    work.bindings.images.iter().for_each(|(_, image)| image.raw().may_be_written());
    let done = context.shared.check(|| "dispatching a compute shader".into());
    match work.hosted {
        // After a failure too: the device may use it.
        Some(Hosted(buffer, Fenced::Submitted(by))) => buffer.used(by).and(done),
        Some(Hosted(buffer, Fenced::Later(by))) => buffer.noted(by).and(done),
        Some(Hosted(_, Fenced::Not)) | None => done,
    }
}

/// Returns whether a texture is to be sampled in another way than the default.
pub(crate) fn has_own_sampling(texture: &dyn AnyTexture) -> bool {
    texture.raw().wanted.get() != Sampling::default()
}

/// Refuses a texture that does not live in this context.
pub(crate) fn must_live_in(context: &Context, texture: &dyn AnyTexture, what: &str) -> Result<()> {
    texture.raw().owned.must_live_in(context, what)
}
