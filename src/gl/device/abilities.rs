//! The abilities of a context, from the driver's report and from a small drawing.

use glow::HasContext;

use crate::shader::{Api, Language, Reads};

use super::float_targets;
use super::masks::{Ability, Limit};
use super::upload_order::uploads_wait;
use crate::gl::Error;
use crate::gl::calls::can_stay_mapped;

/// The abilities of a context. A test may mask abilities, as of a later version; nothing in
/// quadrille then uses them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Abilities {
    /// The API: desktop OpenGL or OpenGL ES.
    pub api: Api,
    /// The major and minor version, after masking.
    pub version: (u32, u32),
    /// The driver's version text.
    pub version_text: String,
    /// The vendor of the driver.
    pub vendor: String,
    /// The renderer's name.
    pub renderer: String,
    /// Whether it is a software renderer.
    pub software: bool,
    /// The greatest width and height of a texture.
    pub max_texture_size: u32,
    /// The most layers of a texture array.
    pub max_layers: u32,
    /// The most targets of a pass.
    pub max_targets: u32,
    /// The most textures that a fragment shader can read.
    pub max_inputs: u32,
    /// The most `vec4` uniforms of a vertex shader.
    pub max_vertex_uniforms: u32,
    /// The most `vec4` uniforms of a fragment shader.
    pub max_fragment_uniforms: u32,
    /// Whether textures of 32-bit floats can be drawn into; found by drawing into one.
    pub float_targets: bool,
    /// Whether results can be added into such a texture by blending; found by blending.
    pub float_blending: bool,
    /// Whether textures of 32-bit floats can be filtered.
    pub float_filtering: bool,
    /// The limits of compute shaders and storage buffers, if the context has them. Those of zink on
    /// lavapipe and of virgl give wrong values, and are not used.
    pub compute: Option<ComputeLimits>,
    /// Whether GLSL has `precise`.
    pub precise: bool,
    /// Whether the driver has timer queries.
    pub timers: bool,
    /// Whether the host can fill and read a buffer while the device uses it (OpenGL 4.4,
    /// ARB_buffer_storage or EXT_buffer_storage); found by mapping one. False in a context around a
    /// caller's.
    pub mapped_buffers: bool,
    /// Whether a texture can set what its channels read as (swizzles). OpenGL 3.3 and OpenGL ES 3.0
    /// have that; WebGL2 does not, and ANGLE on Direct3D is not trusted with it.
    pub swizzles: bool,
    /// Whether an upload waits for the commands before it, as OpenGL demands; found by an upload. On
    /// zink of Mesa 25.0 it does not, so that quadrille waits for the device before each one.
    pub ordered_uploads: bool,
    /// The bytes of the device's own memory, where the driver reports them and it has any.
    pub memory: Option<u64>,
    /// Whether the driver explains its errors (KHR_debug).
    pub messages: bool,
    /// Whether a reset of the device is reported.
    pub robust: bool,
}

/// Limits of compute shaders and storage buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ComputeLimits {
    /// The most invocations of a work group.
    pub max_invocations: u32,
    /// The most invocations of a work group along x, y and z.
    pub max_group_size: [u32; 3],
    /// The most work groups along x, y and z.
    pub max_groups: [u32; 3],
    /// The bytes of shared memory of a work group.
    pub shared_bytes: u32,
    /// The most storage buffers of a compute shader.
    pub max_buffers: u32,
    /// The most storage buffers of a fragment shader; ES guarantees none.
    pub max_fragment_buffers: u32,
    /// The most bytes of a buffer that one block can address.
    pub max_block_bytes: u32,
}

impl Abilities {
    /// Reads the abilities of the current context.
    pub(in crate::gl) fn read(gl: &glow::Context, egl_software: bool) -> Abilities {
        let version = gl.version();
        let api = if version.is_embedded { Api::Gles } else { Api::Gl };
        // WebGL 2.0 is OpenGL ES 3.0.
        let number = match cfg!(target_family = "wasm") {
            true => (3, 0),
            false => (version.major, version.minor),
        };
        // SAFETY: the builder made the context current.
        let text = |name| unsafe { gl.get_parameter_string(name) };
        let at_least = |gl_version, gles_version| match api {
            Api::Gl => number >= gl_version,
            Api::Gles => number >= gles_version,
        };
        let has = |name: &str| gl.supported_extensions().contains(name);
        // A browser tells its own name, unless it is asked for the device's.
        let renderer = match has("WEBGL_debug_renderer_info") {
            true => text(UNMASKED_RENDERER),
            false => text(glow::RENDERER),
        };
        let software = egl_software || is_software(&renderer);
        let on_direct3d = renderer.starts_with("ANGLE") && renderer.contains("Direct3D");
        Abilities {
            api,
            version: number,
            version_text: text(glow::VERSION),
            vendor: text(glow::VENDOR),
            software,
            ordered_uploads: !is_zink(&renderer) || uploads_wait(gl),
            max_texture_size: limit(gl, glow::MAX_TEXTURE_SIZE),
            max_layers: limit(gl, glow::MAX_ARRAY_TEXTURE_LAYERS),
            max_targets: limit(gl, glow::MAX_DRAW_BUFFERS)
                .min(limit(gl, glow::MAX_COLOR_ATTACHMENTS)),
            max_inputs: limit(gl, glow::MAX_TEXTURE_IMAGE_UNITS),
            max_vertex_uniforms: limit(gl, glow::MAX_VERTEX_UNIFORM_COMPONENTS) / 4,
            max_fragment_uniforms: limit(gl, glow::MAX_FRAGMENT_UNIFORM_COMPONENTS) / 4,
            float_targets: float_targets::can_draw_floats(gl),
            float_blending: float_targets::can_blend_floats(gl),
            float_filtering: api == Api::Gl
                || (has("GL_OES_texture_float_linear") || has("OES_texture_float_linear")),
            compute: (at_least((4, 3), (3, 1)) && computes_right(&renderer))
                .then(|| ComputeLimits::read(gl)),
            precise: at_least((4, 0), (3, 2)),
            timers: api == Api::Gl,
            mapped_buffers: (api == Api::Gl && number >= (4, 4)
                || has("GL_ARB_buffer_storage")
                || has("GL_EXT_buffer_storage"))
                && can_stay_mapped(gl),
            // It copies a texture that has them, and under wine the copy of an array is zeros.
            swizzles: !on_direct3d && !cfg!(target_family = "wasm"),
            memory: (!software && has("GL_NVX_gpu_memory_info"))
                .then(|| dedicated_memory(gl))
                .flatten(),
            messages: gl.supports_debug(),
            robust: at_least((4, 5), (3, 2))
                || has("GL_KHR_robustness")
                || has("GL_ARB_robustness")
                || has("GL_EXT_robustness"),
            renderer,
        }
    }

    /// Returns the error of a request that needs what this device lacks, with what to do instead.
    pub(crate) fn lack(
        &self,
        request: impl Into<String>,
        lacks: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Error {
        let (request, lacks, remedy) = (request.into(), lacks.into(), remedy.into());
        Error::Unsupported { request, lacks, device: self.renderer.clone(), remedy }
    }

    /// Masks what a later version than this adds.
    pub(in crate::gl) fn limit_to(&mut self, limit: Limit) {
        self.version = limit.version();
        self.compute = None;
        self.precise = false;
        self.mapped_buffers = false;
        if limit == Limit::Gles30 {
            self.timers = false;
            self.float_blending = false;
            self.float_filtering = false;
            // ES 3.0 promises no more than these.
            self.max_layers = self.max_layers.min(256);
            self.max_targets = self.max_targets.min(4);
            self.max_inputs = self.max_inputs.min(16);
            self.max_vertex_uniforms = self.max_vertex_uniforms.min(256);
            self.max_fragment_uniforms = self.max_fragment_uniforms.min(224);
        }
    }

    /// Masks one ability.
    pub(in crate::gl) fn without(&mut self, ability: Ability) {
        match ability {
            Ability::FloatTargets => {
                self.float_targets = false;
                self.float_blending = false;
            }
            Ability::FloatBlending => self.float_blending = false,
            Ability::Compute => self.compute = None,
            Ability::Precise => self.precise = false,
            Ability::Timers => self.timers = false,
            Ability::MappedBuffers => self.mapped_buffers = false,
            Ability::Swizzles => self.swizzles = false,
            Ability::LargerTextures(side) => {
                self.max_texture_size = self.max_texture_size.min(side);
            }
        }
    }

    /// Returns the API and its version as people write them, as in `OpenGL ES 3.2`.
    pub fn api_text(&self) -> String {
        let (major, minor) = self.version;
        format!("{} {major}.{minor}", self.api.name())
    }

    /// Returns the GLSL version of vertex and fragment shaders: the lowest of the API, or the
    /// lowest with `precise` if the context has it.
    #[doc(hidden)]
    pub fn language(&self, reads: Reads) -> Language {
        let version = match (self.api, self.precise) {
            (Api::Gl, false) => 330,
            (Api::Gl, true) => 400,
            (Api::Gles, false) => 300,
            (Api::Gles, true) => 320,
        };
        Language { api: self.api, version, precise: self.precise, reads }
    }

    /// Returns the GLSL version of compute shaders.
    #[doc(hidden)]
    pub fn compute_language(&self, reads: Reads) -> Language {
        let version = match (self.api, self.precise) {
            (Api::Gl, _) => 430,
            (Api::Gles, false) => 310,
            (Api::Gles, true) => 320,
        };
        Language { version, ..self.language(reads) }
    }

    /// Returns the most points of one draw: softpipe restarts the numbers at 0 after 4096
    /// (`gl_VertexID`), but respects the first index of a draw. On a software renderer further
    /// draws cost nothing; hardware gets all points at once.
    pub(in crate::gl) fn points_at_a_time(&self) -> u32 {
        if self.software { 4096 } else { i32::MAX as u32 }
    }

    /// Returns whether the renderer is softpipe, which keeps what it should ask for.
    pub(in crate::gl) fn is_softpipe(&self) -> bool {
        self.renderer.starts_with("softpipe")
    }

    /// Returns the most targets of passes and transfers between two flushes; `None` if any number
    /// will do. In Mesa 25.0.7 the second thread of zink does not return, in one of ten runs on a
    /// busy machine, after more than some ten: the array with a record of each grows then, while
    /// that thread reads it (`tc_batch_renderpass_infos_resize`). A transfer through a buffer takes
    /// two or three records. With 26.2.6 that thread ends the process: of 30 runs of
    /// `cluster::checkpoints::other_ranks_go_on_with_jacobi_to_the_bits_of_one`, three at a time on two
    /// cores, 15 failed, and of 60 with flushes, and finishes in the place of fences, none.
    pub(in crate::gl) fn targets_at_a_time(&self) -> Option<u32> {
        is_zink(&self.renderer).then_some(4)
    }

    /// Returns whether a wait at a fence waits for all that is before it. On zink of Mesa 26.2.6 it
    /// may return early: of 30 runs of `cluster::multigrid::levels_are_gathered_step_by_step`, three at
    /// a time on two cores, 17 gave wrong numbers, of 60 that finished in its place none, and none
    /// without Mesa's second thread (`GALLIUM_THREAD=0`). No small sequence is known that shows it.
    pub(in crate::gl) fn fences_wait(&self) -> bool {
        !is_zink(&self.renderer)
    }

    /// Returns the default form of texel reads: a software renderer checks bounds for each lane of
    /// `texelFetch`, hardware does not.
    pub fn reads(&self) -> Reads {
        if self.software { Reads::Sample } else { Reads::Fetch }
    }
}

impl ComputeLimits {
    fn read(gl: &glow::Context) -> ComputeLimits {
        ComputeLimits {
            max_invocations: limit(gl, glow::MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
            max_group_size: limit_of_axes(gl, glow::MAX_COMPUTE_WORK_GROUP_SIZE),
            max_groups: limit_of_axes(gl, glow::MAX_COMPUTE_WORK_GROUP_COUNT),
            shared_bytes: limit(gl, glow::MAX_COMPUTE_SHARED_MEMORY_SIZE),
            max_buffers: limit(gl, glow::MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
            max_fragment_buffers: limit(gl, glow::MAX_FRAGMENT_SHADER_STORAGE_BLOCKS),
            max_block_bytes: limit(gl, glow::MAX_SHADER_STORAGE_BLOCK_SIZE),
        }
    }
}

/// `UNMASKED_RENDERER_WEBGL`.
const UNMASKED_RENDERER: u32 = 0x9246;

fn limit(gl: &glow::Context, name: u32) -> u32 {
    // SAFETY: the builder made the context current.
    u32::try_from(unsafe { gl.get_parameter_i32(name) }).unwrap_or(0)
}

fn limit_of_axes(gl: &glow::Context, name: u32) -> [u32; 3] {
    // SAFETY: as above; all three axes have a limit wherever there is compute.
    [0, 1, 2]
        .map(|axis| u32::try_from(unsafe { gl.get_parameter_indexed_i32(name, axis) }).unwrap_or(0))
}

/// Returns the bytes of the device's own memory; `None` where it says 0. Of software Mesa 25 says 0, and now and then 3 KiB.
fn dedicated_memory(gl: &glow::Context) -> Option<u64> {
    const DEDICATED_VIDMEM_KB: u32 = 0x9047;
    let kilobytes = limit(gl, DEDICATED_VIDMEM_KB);
    (kilobytes > 0).then(|| u64::from(kilobytes) << 10)
}

/// Returns whether results of compute shaders can be trusted. Those of zink on lavapipe cannot: with
/// Mesa 25.0.7 a product of 1 x 7 by 7 x 1, scans and multigrid are wrong in every run and a
/// histogram ends the process, with 26.2.6 multigrid still is wrong. Fragment shaders on the same
/// context are right, and so are compute shaders on llvmpipe itself. It is the same without Mesa's
/// second thread; `ZINK_INLINE_UNIFORMS=0` makes the wrong ones end the process, in generated code
/// that calls the address 0. On virgl over llvmpipe of Mesa 25.0.7 a product by `compute-blocked` is
/// zeros, and its server may end; other hosts' virgl was not seen and is not trusted. No small shader
/// is known that shows either, so the names decide.
fn computes_right(renderer: &str) -> bool {
    let is_zink_on_software = is_zink(renderer) && renderer.contains("llvmpipe");
    !is_zink_on_software && !renderer.starts_with("virgl")
}

fn is_zink(renderer: &str) -> bool {
    renderer.starts_with("zink")
}

fn is_software(renderer: &str) -> bool {
    let renderer = renderer.to_lowercase();
    // The last is Direct3D without a GPU, by ANGLE.
    [
        "llvmpipe",
        "softpipe",
        "swrast",
        "software",
        "swiftshader",
        "lavapipe",
        "microsoft basic render",
    ]
    .iter()
    .any(|name| renderer.contains(name))
}
