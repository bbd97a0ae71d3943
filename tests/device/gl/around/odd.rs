//! State of a caller, as odd as it can be, and all of it read.

use std::collections::BTreeMap;

use glow::HasContext;

/// Names of the snapshot that stay as they are in a new context: what is put into one unit, draw
/// buffer or index says enough of the others.
pub const LEFT_PLAIN: [&str; 15] = [
    "texture of unit 0",
    "texture of unit 2",
    "texture of unit 4",
    "array of unit 2",
    "array of unit 3",
    "array of unit 5",
    "sampler of unit 2",
    "sampler of unit 3",
    "sampler of unit 4",
    "sampler of unit 5",
    "blend 2",
    "blend 3",
    "storage 2",
    "image 0",
    "image 2",
];

struct Version {
    embedded: bool,
    number: (u32, u32),
}

impl Version {
    fn of(gl: &glow::Context) -> Version {
        let version = gl.version();
        Version { embedded: version.is_embedded, number: (version.major, version.minor) }
    }

    fn has(&self, desktop: (u32, u32), embedded: (u32, u32)) -> bool {
        self.number >= if self.embedded { embedded } else { desktop }
    }
}

/// Each switch that the version has. Those that are on in a new context are turned off.
fn switches(version: &Version) -> Vec<u32> {
    let mut all = vec![
        glow::CULL_FACE,
        glow::DEPTH_TEST,
        glow::DITHER,
        glow::RASTERIZER_DISCARD,
        glow::SAMPLE_ALPHA_TO_COVERAGE,
        glow::SAMPLE_COVERAGE,
        glow::SCISSOR_TEST,
        glow::STENCIL_TEST,
    ];
    if version.has((4, 3), (3, 0)) {
        all.push(glow::PRIMITIVE_RESTART_FIXED_INDEX);
    }
    if version.has((3, 2), (3, 1)) {
        all.push(glow::SAMPLE_MASK);
    }
    if !version.embedded {
        all.extend([
            glow::COLOR_LOGIC_OP,
            glow::FRAMEBUFFER_SRGB,
            glow::LINE_SMOOTH,
            glow::POLYGON_SMOOTH,
            glow::PRIMITIVE_RESTART,
            glow::PROGRAM_POINT_SIZE,
            glow::SAMPLE_ALPHA_TO_ONE,
            glow::CLIP_DISTANCE0,
            glow::CLIP_DISTANCE0 + 5,
        ]);
    }
    all
}

const STORES: [(u32, i32); 10] = [
    (glow::PACK_ALIGNMENT, 8),
    (glow::PACK_ROW_LENGTH, 91),
    (glow::PACK_SKIP_PIXELS, 3),
    (glow::PACK_SKIP_ROWS, 2),
    (glow::UNPACK_ALIGNMENT, 8),
    (glow::UNPACK_IMAGE_HEIGHT, 17),
    (glow::UNPACK_ROW_LENGTH, 77),
    (glow::UNPACK_SKIP_IMAGES, 1),
    (glow::UNPACK_SKIP_PIXELS, 5),
    (glow::UNPACK_SKIP_ROWS, 4),
];
const DESKTOP_STORES: [(u32, i32); 6] = [
    (glow::PACK_IMAGE_HEIGHT, 19),
    (glow::PACK_LSB_FIRST, 1),
    (glow::PACK_SKIP_IMAGES, 1),
    (glow::PACK_SWAP_BYTES, 1),
    (glow::UNPACK_LSB_FIRST, 1),
    (glow::UNPACK_SWAP_BYTES, 1),
];

fn stores(version: &Version) -> Vec<(u32, i32)> {
    let desktop: &[_] = if version.embedded { &[] } else { &DESKTOP_STORES };
    STORES.iter().chain(desktop).copied().collect()
}

/// Sets all of it to something that no one would draw with.
pub fn set(gl: &glow::Context) {
    let version = Version::of(gl);
    // SAFETY: the tests keep the context current.
    unsafe {
        set_bindings(gl, &version);
        for name in switches(&version) {
            match gl.is_enabled(name) {
                true => gl.disable(name),
                false => gl.enable(name),
            }
        }
        set_blending(gl, &version);
        for (name, value) in stores(&version) {
            gl.pixel_store_i32(name, value);
        }
        gl.viewport(3, 4, 5, 6);
        gl.scissor(1, 1, 2, 1);
        gl.color_mask(false, true, false, true);
        gl.line_width(3.0);
        gl.vertex_attrib_4_f32(0, 9.0, 8.0, 7.0, 6.0);
        if !version.embedded {
            gl.polygon_mode(glow::FRONT_AND_BACK, glow::LINE);
        }
    }
}

unsafe fn set_blending(gl: &glow::Context, version: &Version) {
    unsafe {
        gl.enable(glow::BLEND);
        let (one, zero) = (glow::ONE_MINUS_SRC_ALPHA, glow::ZERO);
        gl.blend_func_separate(glow::DST_COLOR, one, glow::SRC_ALPHA, glow::DST_ALPHA);
        gl.blend_equation_separate(glow::FUNC_REVERSE_SUBTRACT, glow::MAX);
        if version.has((4, 0), (3, 2)) {
            gl.disable_draw_buffer(glow::BLEND, 1);
            let source = glow::ONE_MINUS_DST_COLOR;
            gl.blend_func_separate_draw_buffer(1, source, zero, zero, source);
            gl.blend_equation_separate_draw_buffer(1, glow::MIN, glow::FUNC_SUBTRACT);
        }
    }
}

unsafe fn texture(gl: &glow::Context) -> glow::Texture {
    unsafe {
        let texture = gl.create_texture().unwrap();
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_storage_2d(glow::TEXTURE_2D, 1, glow::RGBA8, 4, 4);
        texture
    }
}

unsafe fn array(gl: &glow::Context) {
    unsafe {
        let texture = gl.create_texture().unwrap();
        gl.bind_texture(glow::TEXTURE_2D_ARRAY, Some(texture));
        gl.tex_storage_3d(glow::TEXTURE_2D_ARRAY, 1, glow::RGBA8, 4, 4, 3);
    }
}

unsafe fn framebuffer(gl: &glow::Context, target: u32, texture: glow::Texture) {
    unsafe {
        let framebuffer = gl.create_framebuffer().unwrap();
        gl.bind_framebuffer(target, Some(framebuffer));
        let point = glow::COLOR_ATTACHMENT0;
        gl.framebuffer_texture_2d(target, point, glow::TEXTURE_2D, Some(texture), 0);
    }
}

unsafe fn set_bindings(gl: &glow::Context, version: &Version) {
    unsafe {
        let first = texture(gl);
        framebuffer(gl, glow::DRAW_FRAMEBUFFER, first);
        framebuffer(gl, glow::READ_FRAMEBUFFER, first);
        for unit in [1, 3, 5] {
            gl.active_texture(glow::TEXTURE0 + unit);
            texture(gl);
        }
        for unit in [0, 1, 4] {
            gl.active_texture(glow::TEXTURE0 + unit);
            array(gl);
        }
        gl.active_texture(glow::TEXTURE0 + 3);
        let sampler = gl.create_sampler().unwrap();
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, glow::LINEAR_MIPMAP_LINEAR),
            (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
            (glow::TEXTURE_WRAP_S, glow::MIRRORED_REPEAT),
            (glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE),
        ] {
            gl.sampler_parameter_i32(sampler, name, value as i32);
        }
        gl.bind_sampler(0, Some(sampler));
        gl.bind_sampler(1, Some(sampler));
        let array = gl.create_vertex_array().unwrap();
        gl.bind_vertex_array(Some(array));
        gl.use_program(Some(program(gl, version)));
        set_buffers(gl, version);
    }
}

unsafe fn set_buffers(gl: &glow::Context, version: &Version) {
    unsafe {
        let fresh = |target| {
            let buffer = gl.create_buffer().unwrap();
            gl.bind_buffer(target, Some(buffer));
            gl.buffer_data_size(target, 4096, glow::STATIC_DRAW);
            buffer
        };
        let captured = fresh(glow::TRANSFORM_FEEDBACK_BUFFER);
        gl.bind_buffer_range(glow::TRANSFORM_FEEDBACK_BUFFER, 0, Some(captured), 64, 128);
        let blocks = fresh(glow::UNIFORM_BUFFER);
        gl.bind_buffer_base(glow::UNIFORM_BUFFER, 0, Some(blocks));
        gl.bind_buffer_range(glow::UNIFORM_BUFFER, 1, Some(blocks), 256, 512);
        fresh(glow::UNIFORM_BUFFER);
        if version.has((4, 3), (3, 1)) {
            let stored = fresh(glow::SHADER_STORAGE_BUFFER);
            gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, 0, Some(stored));
            gl.bind_buffer_range(glow::SHADER_STORAGE_BUFFER, 1, Some(stored), 256, 512);
            fresh(glow::SHADER_STORAGE_BUFFER);
            let image = texture(gl);
            gl.bind_image_texture(1, Some(image), 0, true, 0, glow::WRITE_ONLY, glow::RGBA8UI);
        }
        // Last, since while they are bound, what is uploaded comes from them.
        for target in [
            glow::TRANSFORM_FEEDBACK_BUFFER,
            glow::ARRAY_BUFFER,
            glow::COPY_READ_BUFFER,
            glow::COPY_WRITE_BUFFER,
            glow::PIXEL_PACK_BUFFER,
            glow::PIXEL_UNPACK_BUFFER,
        ] {
            fresh(target);
        }
    }
}

unsafe fn program(gl: &glow::Context, version: &Version) -> glow::Program {
    let head = match version.embedded {
        true => "#version 300 es\nprecision mediump float;\n",
        false => "#version 330 core\n",
    };
    unsafe {
        let program = gl.create_program().unwrap();
        let stages = [
            (glow::VERTEX_SHADER, "void main() { gl_Position = vec4(0.0); }"),
            (glow::FRAGMENT_SHADER, "out vec4 colour; void main() { colour = vec4(1.0); }"),
        ];
        for (stage, text) in stages {
            let shader = gl.create_shader(stage).unwrap();
            gl.shader_source(shader, &format!("{head}{text}"));
            gl.compile_shader(shader);
            gl.attach_shader(program, shader);
            gl.delete_shader(shader);
        }
        gl.link_program(program);
        assert!(gl.get_program_link_status(program));
        program
    }
}

/// All the state that `Context::within` promises to put back, by name.
pub fn snapshot(gl: &glow::Context) -> BTreeMap<String, String> {
    let version = Version::of(gl);
    let mut all = BTreeMap::new();
    // SAFETY: the tests keep the context current.
    unsafe {
        for name in switches(&version) {
            all.insert(format!("switch {name:#x}"), gl.is_enabled(name).to_string());
        }
        for (name, _) in stores(&version) {
            all.insert(format!("store {name:#x}"), gl.get_parameter_i32(name).to_string());
        }
        for name in [
            glow::DRAW_FRAMEBUFFER_BINDING,
            glow::READ_FRAMEBUFFER_BINDING,
            glow::VERTEX_ARRAY_BINDING,
            glow::CURRENT_PROGRAM,
            glow::ARRAY_BUFFER_BINDING,
            glow::COPY_READ_BUFFER_BINDING,
            glow::COPY_WRITE_BUFFER_BINDING,
            glow::PIXEL_PACK_BUFFER_BINDING,
            glow::PIXEL_UNPACK_BUFFER_BINDING,
            glow::TRANSFORM_FEEDBACK_BUFFER_BINDING,
            glow::UNIFORM_BUFFER_BINDING,
            glow::LINE_WIDTH,
            glow::ACTIVE_TEXTURE,
        ] {
            all.insert(format!("number {name:#x}"), gl.get_parameter_i32(name).to_string());
        }
        if !version.embedded {
            // Some drivers give one for each face.
            let mut modes = [0; 2];
            gl.get_parameter_i32_slice(glow::POLYGON_MODE, &mut modes);
            all.insert("polygon mode".into(), modes[0].to_string());
        }
        let mut viewport = [0; 4];
        gl.get_parameter_i32_slice(glow::VIEWPORT, &mut viewport);
        all.insert("viewport".into(), format!("{viewport:?}"));
        let mask = gl.get_parameter_bool_array::<4>(glow::COLOR_WRITEMASK);
        all.insert("colour mask".into(), format!("{mask:?}"));
        let mut attribute = [0.0; 4];
        let name = glow::CURRENT_VERTEX_ATTRIB;
        gl.get_vertex_attrib_parameter_f32_slice(0, name, &mut attribute);
        all.insert("attribute".into(), format!("{attribute:?}"));
        snapshot_units(gl, &mut all);
        snapshot_blending(gl, &version, &mut all);
        snapshot_indices(gl, &version, &mut all);
        assert_eq!(gl.get_error(), glow::NO_ERROR);
    }
    all
}

unsafe fn snapshot_units(gl: &glow::Context, all: &mut BTreeMap<String, String>) {
    unsafe {
        let active = gl.get_parameter_i32(glow::ACTIVE_TEXTURE) as u32;
        for unit in 0..6 {
            gl.active_texture(glow::TEXTURE0 + unit);
            let texture = gl.get_parameter_i32(glow::TEXTURE_BINDING_2D);
            all.insert(format!("texture of unit {unit}"), texture.to_string());
            let array = gl.get_parameter_i32(glow::TEXTURE_BINDING_2D_ARRAY);
            all.insert(format!("array of unit {unit}"), array.to_string());
            let sampler = gl.get_parameter_i32(glow::SAMPLER_BINDING);
            all.insert(format!("sampler of unit {unit}"), sampler.to_string());
        }
        gl.active_texture(active);
    }
}

unsafe fn snapshot_blending(
    gl: &glow::Context,
    version: &Version,
    all: &mut BTreeMap<String, String>,
) {
    let names = [
        glow::BLEND,
        glow::BLEND_SRC_RGB,
        glow::BLEND_DST_RGB,
        glow::BLEND_SRC_ALPHA,
        glow::BLEND_DST_ALPHA,
        glow::BLEND_EQUATION_RGB,
        glow::BLEND_EQUATION_ALPHA,
    ];
    unsafe {
        if !version.has((4, 0), (3, 2)) {
            all.insert("blend".into(), format!("{:?}", names.map(|n| gl.get_parameter_i32(n))));
            return;
        }
        for index in 0..4 {
            let values = names.map(|name| gl.get_parameter_indexed_i32(name, index));
            all.insert(format!("blend {index}"), format!("{values:?}"));
        }
    }
}

unsafe fn snapshot_indices(
    gl: &glow::Context,
    version: &Version,
    all: &mut BTreeMap<String, String>,
) {
    unsafe {
        let range = |names: [u32; 3], index| {
            let buffer = gl.get_parameter_indexed_i32(names[0], index);
            let [start, size] =
                [names[1], names[2]].map(|name| gl.get_parameter_indexed_i64(name, index));
            format!("{buffer} {start} {size}")
        };
        let captured = [
            glow::TRANSFORM_FEEDBACK_BUFFER_BINDING,
            glow::TRANSFORM_FEEDBACK_BUFFER_START,
            glow::TRANSFORM_FEEDBACK_BUFFER_SIZE,
        ];
        all.insert("captured".into(), range(captured, 0));
        let blocks =
            [glow::UNIFORM_BUFFER_BINDING, glow::UNIFORM_BUFFER_START, glow::UNIFORM_BUFFER_SIZE];
        for index in 0..2 {
            all.insert(format!("block {index}"), range(blocks, index));
        }
        if !version.has((4, 3), (3, 1)) {
            return;
        }
        let stored = [
            glow::SHADER_STORAGE_BUFFER_BINDING,
            glow::SHADER_STORAGE_BUFFER_START,
            glow::SHADER_STORAGE_BUFFER_SIZE,
        ];
        all.insert("storage".into(), gl.get_parameter_i32(stored[0]).to_string());
        for index in 0..3 {
            all.insert(format!("storage {index}"), range(stored, index));
            let image = [
                glow::IMAGE_BINDING_NAME,
                glow::IMAGE_BINDING_LEVEL,
                glow::IMAGE_BINDING_LAYERED,
                glow::IMAGE_BINDING_LAYER,
                glow::IMAGE_BINDING_ACCESS,
                glow::IMAGE_BINDING_FORMAT,
            ]
            .map(|name| gl.get_parameter_indexed_i32(name, index));
            all.insert(format!("image {index}"), format!("{image:?}"));
        }
    }
}
