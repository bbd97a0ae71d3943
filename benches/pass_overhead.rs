//! The host's share of a small pass: 1000 dependent passes over 1 x 1 texels, through quadrille and
//! as the same GL calls written by hand on a context of their own.
//!
//! `cargo bench -p quadrille-benches`; the two medians should lie within 1.3 of one another.
#![allow(unsafe_code)] // The calls by hand are what quadrille is measured against.
#![allow(missing_docs)] // The macros of criterion make undocumented functions.
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.

use criterion::{Criterion, criterion_group, criterion_main};
use glow::HasContext;
use glutin::api::egl::{context::PossiblyCurrentContext, device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::display::GetGlDisplay;
use glutin::prelude::*;
use quadrille::shader::Source;
use quadrille::stream::PingPong;
use quadrille::{Context, Extent};

const PASSES: usize = 1000;
const ADD_ONE: &str = "
uniform sampler2D x;
out float next;
void main() { next = texelFetch(x, ivec2(0), 0).r + 1.0; }
";

fn through_quadrille(criterion: &mut Criterion) {
    let context = Context::headless().expect("a context");
    let kernel = context.kernel(Source::fragment("one.frag", ADD_ONE)).expect("a kernel");
    let one = Extent::new(1, 1);
    let empty = || context.texture(one, &[0.0_f32]).expect("a texture");
    let mut x = PingPong::new(empty(), empty()).expect("two textures alike");
    criterion.bench_function("1000 passes through quadrille", |bencher| {
        bencher.iter(|| {
            for _ in 0..PASSES {
                x.step(|old, new| kernel.pass().input("x", old).draw(new)).expect("a pass");
            }
            context.finish().expect("the end");
        });
    });
}

/// The first device that gives a context, as `Context::headless` would take it.
fn context_by_hand() -> (PossiblyCurrentContext, glow::Context) {
    let make = |device: &Device| -> Result<PossiblyCurrentContext, glutin::error::Error> {
        // SAFETY: no raw handle is passed anywhere.
        unsafe {
            let display = Display::with_device(device, None)?;
            let template =
                ConfigTemplateBuilder::new().with_surface_type(ConfigSurfaceTypes::empty()).build();
            let config = display.find_configs(template)?.next().expect("a config");
            let api = ContextApi::OpenGl(Some(Version::new(3, 3)));
            let attributes = ContextAttributesBuilder::new().with_context_api(api).build(None);
            display.create_context(&config, &attributes)?.make_current_surfaceless()
        }
    };
    let mut devices = Device::query_devices().expect("devices");
    let current = devices.find_map(|device| make(&device).ok()).expect("a context");
    // SAFETY: the context is current.
    let gl = unsafe {
        glow::Context::from_loader_function_cstr(|name| current.display().get_proc_address(name))
    };
    (current, gl)
}

unsafe fn program_by_hand(gl: &glow::Context) -> glow::Program {
    let vertex = "#version 330 core
        in vec4 rectangle;
        uniform vec2 scale;
        void main() {
            vec2 far = vec2(float(gl_VertexID >> 1), float(gl_VertexID & 1));
            gl_Position = vec4(mix(rectangle.xy, rectangle.zw, far) * scale - 1.0, 0.0, 1.0);
        }";
    let fragment = format!("#version 330 core\n{ADD_ONE}");
    unsafe {
        let program = gl.create_program().expect("a program");
        let texts = [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, &fragment)];
        for (stage, text) in texts {
            let shader = gl.create_shader(stage).expect("a shader");
            gl.shader_source(shader, text);
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
        }
        gl.bind_attrib_location(program, 0, "rectangle");
        gl.link_program(program);
        assert!(gl.get_program_link_status(program), "{}", gl.get_program_info_log(program));
        program
    }
}

unsafe fn target_by_hand(gl: &glow::Context) -> (glow::Texture, glow::Framebuffer) {
    unsafe {
        let texture = gl.create_texture().expect("a texture");
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32);
        let zero = 0.0_f32.to_ne_bytes();
        let pixels = glow::PixelUnpackData::Slice(Some(&zero));
        let (target, format) = (glow::TEXTURE_2D, glow::R32F as i32);
        gl.tex_image_2d(target, 0, format, 1, 1, 0, glow::RED, glow::FLOAT, pixels);
        let framebuffer = gl.create_framebuffer().expect("a framebuffer");
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
        let attachment = glow::COLOR_ATTACHMENT0;
        gl.framebuffer_texture_2d(glow::FRAMEBUFFER, attachment, target, Some(texture), 0);
        (texture, framebuffer)
    }
}

fn by_hand(criterion: &mut Criterion) {
    let (_current, gl) = context_by_hand();
    // SAFETY: the context is current, and every object lives to the end of the block.
    unsafe {
        let program = program_by_hand(&gl);
        let targets = [target_by_hand(&gl), target_by_hand(&gl)];
        let array = gl.create_vertex_array().expect("a vertex array");
        gl.bind_vertex_array(Some(array));
        gl.use_program(Some(program));
        let scale = gl.get_uniform_location(program, "scale");
        let mut turn = 0;
        criterion.bench_function("1000 passes by hand", |bencher| {
            bencher.iter(|| {
                for _ in 0..PASSES {
                    let (from, to) = (targets[turn].0, targets[1 - turn].1);
                    gl.bind_framebuffer(glow::FRAMEBUFFER, Some(to));
                    gl.viewport(0, 0, 1, 1);
                    gl.use_program(Some(program));
                    gl.active_texture(glow::TEXTURE0);
                    gl.bind_texture(glow::TEXTURE_2D, Some(from));
                    gl.uniform_2_f32(scale.as_ref(), 2.0, 2.0);
                    gl.vertex_attrib_4_f32(0, 0.0, 0.0, 1.0, 1.0);
                    gl.draw_arrays(glow::TRIANGLE_STRIP, 0, 4);
                    turn = 1 - turn;
                }
                gl.finish();
            });
        });
    }
}

criterion_group!(benches, through_quadrille, by_hand);
criterion_main!(benches);
