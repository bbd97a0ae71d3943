//! A caller with a context of its own: EGL without a display, on llvmpipe.

use std::num::NonZeroU32;
use std::sync::Arc;

use glow::HasContext;
use glutin::api::egl::context::PossiblyCurrentContext;
use glutin::api::egl::device::Device;
use glutin::api::egl::display::Display;
use glutin::config::{Api as ConfigApi, ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, GlProfile, Version};
use glutin::prelude::*;
use quadrille::gl::Error;
use quadrille::{Context, Extent};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    Gl,
    Gles,
}

impl Api {
    pub fn quadrille(self) -> quadrille::shader::Api {
        match self {
            Api::Gl => quadrille::shader::Api::Gl,
            Api::Gles => quadrille::shader::Api::Gles,
        }
    }
}

pub struct Caller {
    pub gl: Arc<glow::Context>,
    context: PossiblyCurrentContext,
}

/// Something the caller draws into, as a window would be.
pub struct Screen {
    framebuffer: glow::Framebuffer,
    extent: Extent,
}

pub struct Feedback {
    program: glow::Program,
    buffer: glow::Buffer,
    array: glow::VertexArray,
}

impl Caller {
    /// The highest version there is.
    pub fn new(api: Api) -> Caller {
        let versions: &[(u8, u8)] = match api {
            Api::Gl => &[(4, 5), (4, 1), (3, 3)],
            Api::Gles => &[(3, 2), (3, 1), (3, 0)],
        };
        let made = versions.iter().find_map(|version| Caller::with_version(api, *version));
        let caller = made.expect("Mesa's llvmpipe");
        let version = caller.gl.version();
        eprintln!("{api:?} version {}.{}", version.major, version.minor);
        caller
    }

    pub fn with_version(api: Api, (major, minor): (u8, u8)) -> Option<Caller> {
        let version = Version::new(major, minor);
        match api {
            Api::Gl => Caller::make(ContextApi::OpenGl(Some(version)), GlProfile::Core),
            Api::Gles => Caller::make(ContextApi::Gles(Some(version)), GlProfile::Core),
        }
    }

    pub fn compatible() -> Option<Caller> {
        let version = Version::new(4, 5);
        Caller::make(ContextApi::OpenGl(Some(version)), GlProfile::Compatibility)
    }

    fn make(api: ContextApi, profile: GlProfile) -> Option<Caller> {
        let devices: Vec<Device> = Device::query_devices().unwrap().collect();
        let software = |device: &&Device| device.extensions().contains("EGL_MESA_device_software");
        // Where there is a driver of hardware alone, its first device.
        let device = devices.iter().find(software).or(devices.first()).expect("an EGL device");
        let attributes =
            ContextAttributesBuilder::new().with_context_api(api).with_profile(profile).build(None);
        let config_api = match api {
            ContextApi::OpenGl(_) => ConfigApi::OPENGL,
            ContextApi::Gles(_) => ConfigApi::GLES3,
        };
        let template = ConfigTemplateBuilder::new()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .with_api(config_api);
        // SAFETY: no raw handle is involved, and the loader is the context's own.
        unsafe {
            let display = Display::with_device(device, None).unwrap();
            let config = display.find_configs(template.build()).unwrap().next()?;
            let context = display.create_context(&config, &attributes).ok()?;
            let context = context.make_current_surfaceless().unwrap();
            let load = |name: &std::ffi::CStr| display.get_proc_address(name);
            let gl = Arc::new(glow::Context::from_loader_function_cstr(load));
            Some(Caller { gl, context })
        }
    }

    pub fn make_current(&self) {
        self.context.make_current_surfaceless().unwrap();
    }

    pub fn is_current(&self) -> bool {
        self.context.is_current()
    }

    pub fn around(&self) -> Result<Context, Error> {
        assert!(self.is_current());
        // SAFETY: it is current.
        unsafe { Context::around(Arc::clone(&self.gl)) }
    }

    #[track_caller]
    pub fn must_be_clean(&self, after: &str) {
        // SAFETY: the tests keep it current.
        assert_eq!(unsafe { self.gl.get_error() }, glow::NO_ERROR, "after {after}");
    }

    /// How many textures there are, by asking for the first numbers.
    pub fn textures(&self) -> usize {
        let all = (1..64).filter_map(NonZeroU32::new);
        // SAFETY: as above.
        all.filter(|n| unsafe { self.gl.is_texture(glow::NativeTexture(*n)) }).count()
    }

    /// Black and transparent, and not bound.
    pub fn screen(&self, extent: Extent) -> Screen {
        let gl = &self.gl;
        // SAFETY: as above.
        unsafe {
            let texture = gl.create_texture().unwrap();
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let (width, height) = (extent.width as i32, extent.height as i32);
            gl.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RGBA8, width, height);
            let framebuffer = gl.create_framebuffer().unwrap();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
            let (target, point) = (glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0);
            gl.framebuffer_texture_2d(target, point, glow::TEXTURE_2D, Some(texture), 0);
            gl.clear_buffer_f32_slice(glow::COLOR, 0, &[0.0; 4]);
            Screen { framebuffer, extent }
        }
    }

    pub fn bind(&self, screen: &Screen) {
        // SAFETY: as above.
        unsafe { self.gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(screen.framebuffer)) };
    }

    /// Reads the rows, the top one first.
    pub fn read(&self, screen: &Screen) -> Vec<Vec<[u8; 4]>> {
        let gl = &self.gl;
        let (width, height) = (screen.extent.width as i32, screen.extent.height as i32);
        let mut bytes = vec![0; screen.extent.texels() * 4];
        // SAFETY: as above; nothing of the odd state is left that would change what is read.
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(screen.framebuffer));
            gl.bind_buffer(glow::PIXEL_PACK_BUFFER, None);
            for name in [glow::PACK_ROW_LENGTH, glow::PACK_SKIP_PIXELS, glow::PACK_SKIP_ROWS] {
                gl.pixel_store_i32(name, 0);
            }
            let to = glow::PixelPackData::Slice(Some(&mut bytes));
            gl.read_pixels(0, 0, width, height, glow::RGBA, glow::UNSIGNED_BYTE, to);
        }
        let rows = bytes.chunks(screen.extent.width as usize * 4).rev();
        rows.map(|row| row.as_chunks::<4>().0.to_vec()).collect()
    }

    pub fn begin_feedback(&self) -> Feedback {
        let gl = &self.gl;
        // SAFETY: as above.
        unsafe {
            let program = gl.create_program().unwrap();
            let stages = [
                (
                    glow::VERTEX_SHADER,
                    "#version 330 core\nout vec4 x; void main() { x = vec4(1.0); }",
                ),
                (glow::FRAGMENT_SHADER, "#version 330 core\nvoid main() {}"),
            ];
            for (stage, text) in stages {
                let shader = gl.create_shader(stage).unwrap();
                gl.shader_source(shader, text);
                gl.compile_shader(shader);
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.transform_feedback_varyings(program, &["x"], glow::INTERLEAVED_ATTRIBS);
            gl.link_program(program);
            gl.use_program(Some(program));
            let array = gl.create_vertex_array().unwrap();
            gl.bind_vertex_array(Some(array));
            let buffer = gl.create_buffer().unwrap();
            gl.bind_buffer_base(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(buffer));
            gl.buffer_data_size(glow::TRANSFORM_FEEDBACK_BUFFER, 64, glow::STREAM_READ);
            gl.begin_transform_feedback(glow::POINTS);
            self.must_be_clean("beginning a transform feedback");
            Feedback { program, buffer, array }
        }
    }

    pub fn end_feedback(&self, feedback: Feedback) {
        // SAFETY: as above.
        unsafe {
            self.gl.end_transform_feedback();
            self.gl.delete_program(feedback.program);
            self.gl.delete_buffer(feedback.buffer);
            self.gl.delete_vertex_array(feedback.array);
        }
    }
}
