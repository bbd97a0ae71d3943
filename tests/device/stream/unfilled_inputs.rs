//! Every kind of input that a text can declare and nobody fills is an error that names it and its type.

use crate::common::{Flavour, each, on};
use quadrille::shader::{Reads, Source};
use quadrille::stream::{Error, Kernel};
use quadrille::{Context, Extent, Kind};
use quadrille_run::{Experiment, Setup};

/// Declarations, an expression that reads what they declare, and what the error calls it.
const INPUTS: [(&str, &str, &str); 38] = [
    ("uniform float t;", "t", "float t"),
    ("uniform mat2x3 t;", "t[1][2]", "mat2x3 t"),
    ("uniform mat3 t[2];", "t[1][2][0]", "mat3[2] t"),
    ("uniform bvec2 t;", "float(t.y)", "bvec2 t"),
    ("uniform ivec2 t[2];", "float(t[1].x)", "ivec2[2] t"),
    ("uniform double t;", "float(t)", "double"),
    ("uniform dmat2x3 t;", "float(t[1][2])", "dmat2x3"),
    ("struct S { vec2 at; }; uniform S t;", "t.at.y", "vec2 t.at"),
    ("uniform float t[2][3];", "t[0][1] + t[1][2]", "t[1]"),
    ("uniform sampler2D t;", "texture(t, vec2(0.5)).x", "sampler2D t"),
    ("uniform highp sampler2DArray t;", "texture(t, vec3(0.5)).x", "sampler2DArray t"),
    (
        "uniform sampler2D t[2];",
        "texture(t[0], vec2(0.5)).x + texture(t[1], vec2(0.5)).x",
        "sampler2D[2]",
    ),
    ("uniform sampler1D t;", "texture(t, 0.5).x", "sampler1D"),
    ("uniform isampler1D t;", "float(texture(t, 0.5).x)", "isampler1D"),
    ("uniform highp sampler3D t;", "texture(t, vec3(0.5)).x", "sampler3D"),
    ("uniform highp usampler3D t;", "float(texture(t, vec3(0.5)).x)", "usampler3D"),
    ("uniform samplerCube t;", "texture(t, vec3(0.5)).x", "samplerCube"),
    ("uniform highp isamplerCube t;", "float(texture(t, vec3(0.5)).x)", "isamplerCube"),
    ("uniform sampler2DRect t;", "texture(t, vec2(0.5)).x", "sampler2D"),
    ("uniform sampler1DArray t;", "texture(t, vec2(0.5)).x", "sampler1DArray"),
    ("uniform highp samplerBuffer t;", "texelFetch(t, 0).x", "samplerBuffer"),
    ("uniform highp sampler2DMS t;", "texelFetch(t, ivec2(0), 0).x", "sampler2DMS"),
    ("uniform sampler1DShadow t;", "texture(t, vec3(0.5))", "sampler1DShadow"),
    ("uniform highp sampler2DShadow t;", "texture(t, vec3(0.5))", "sampler2DShadow"),
    ("uniform highp samplerCubeShadow t;", "texture(t, vec4(0.5))", "samplerCubeShadow"),
    ("uniform highp sampler2DArrayShadow t;", "texture(t, vec4(0.5))", "sampler2DArrayShadow"),
    ("uniform highp samplerCubeArray t;", "texture(t, vec4(0.5)).x", "samplerCubeArray"),
    (
        "layout(rgba8, binding = 0) readonly uniform highp image2D t;",
        "imageLoad(t, ivec2(0)).x",
        "image2D",
    ),
    (
        "layout(rgba8, binding = 0) readonly uniform highp image3D t;",
        "imageLoad(t, ivec3(0)).x",
        "image3D",
    ),
    (
        "layout(r32ui, binding = 0) readonly uniform highp uimageCube t;",
        "float(imageLoad(t, ivec3(0)).x)",
        "uimageCube",
    ),
    ("layout(binding = 0) uniform atomic_uint t;", "float(atomicCounter(t))", "atomic_uint"),
    (
        "layout(std140) uniform Block { float t; vec2 u; };",
        "t + u.y",
        "uniform Block { float t; vec2 u; }",
    ),
    ("layout(std140) uniform Block { float t; } block;", "block.t", "uniform Block { float t; }"),
    ("layout(std140) uniform Block { dvec2 t; };", "float(t.y)", "dvec2"),
    ("layout(std430, binding = 0) readonly buffer Block { float t[]; };", "t[0]", "buffer Block"),
    (
        "layout(std430, binding = 0) readonly buffer Block { float t[]; } b[2];",
        "b[0].t[0] + b[1].t[0]",
        "block `Block` is an array",
    ),
    (
        "#define STORED layout(std430, binding = 0) readonly buffer\nSTORED Block { float t[]; };",
        "t[0]",
        "buffer Block",
    ),
    (
        "#define GIVEN uniform\n#define AS(kind) samplerCube\nGIVEN AS(2D) t;",
        "texture(t, vec3(0.5)).x",
        "samplerCube",
    ),
];

/// Returns the error that a text meets at the latest where it is drawn; `None` if this context does not compile it.
fn met(context: &Context, source: &Source) -> Option<[String; 2]> {
    let mut target = context.texture::<f32>(Extent::new(1, 1), &[-1.0]).unwrap();
    let drawn = context
        .kernel(source.clone())
        .and_then(|kernel| kernel.pass().draw(&mut target).map(|()| "nothing".to_owned()));
    let drawn = match drawn {
        Err(Error::Compile { .. }) => {
            return None;
        }
        Err(error) => {
            assert_eq!(error.kind(), Kind::Input, "{error}");
            error.to_string()
        }
        Ok(nothing) => nothing,
    };
    assert_eq!(target.read().unwrap(), [-1.0], "{}: nothing is written", source.name());
    let setup = Setup::new().extent(Extent::new(1, 1));
    let ran = Experiment::new(context, source, setup).and_then(|mut experiment| experiment.step());
    Some([drawn, ran.err().map_or("nothing".to_owned(), |error| error.to_string())])
}

#[test]
fn every_kind_of_input_that_nobody_fills_is_refused_by_name() {
    each(|context| {
        let has_storage = context.abilities().compute.is_some();
        let mut compiled = 0;
        for (declared, expression, called) in INPUTS {
            let text = format!("{declared}\nout float y;\nvoid main() {{ y = {expression}; }}");
            let plain = Source::fragment("unfilled.frag", &text);
            let sources = [Some(plain.clone()), has_storage.then(|| plain.storage())];
            let met = sources.iter().flatten().find_map(|source| met(context, source));
            let Some(met) = met else { continue };
            compiled += 1;
            for said in met {
                assert!(said.contains(called) && !said.contains("0x"), "{declared}: {said}");
            }
        }
        // ES 3.0 has the fewest.
        assert!(compiled >= if has_storage { 27 } else { 17 }, "{compiled}");
    });
}

/// Only the first of several would be read.
#[test]
fn one_texture_does_not_fill_an_array_of_samplers() {
    each(|context| {
        let text = "uniform sampler2D t[2]; out float y; void main() { y = READ(t[0], TEXEL).r + READ(t[1], TEXEL).r; }";
        let kernel = crate::common::kernel(context, text);
        let input = context.texture::<f32>(Extent::new(1, 1), &[1.0]).unwrap();
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let said = kernel.pass().input("t", &input).draw(&mut target).unwrap_err().to_string();
        assert_eq!(said, "test.frag: `t` is a sampler2D[2]; got a texture of R32F");
    });
}

#[test]
fn an_attribute_that_no_buffer_feeds_is_refused() {
    each(|context| {
        let vertex = Source::vertex(
            "fed.vert",
            "layout(location = 1) in vec2 at; out vec2 uv; void main() { uv = at; gl_Position = vec4(0.0); gl_PointSize = 1.0; }",
        );
        let fragment =
            Source::fragment("fed.frag", "in vec2 uv; out float y; void main() { y = uv.x; }");
        let kernel = Kernel::new(context, &vertex, &fragment, Reads::Fetch).unwrap();
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let said = kernel.pass().draw(&mut target).unwrap_err().to_string();
        assert_eq!(said, "fed.frag: not given: in vec2 at");
    });
}

const COORDINATE: &str = "out vec4 y;\nvoid main() { y = vec4(uv, 0.0, 1.0); }";

/// An input of the fragment stage is the same however it is written.
#[test]
fn inputs_that_macros_declare_are_treated_as_written_ones() {
    let written = [
        "in vec2 uv;",
        "varying vec2 uv;",
        "#define COMPAT_VARYING varying\nCOMPAT_VARYING vec2 uv;",
        "#define IN in\n#define V2 vec2\nIN V2 uv;",
        "#define DECLARED in vec2 uv;\nDECLARED",
        "#define DECLARE(kind, name) in kind name\nDECLARE(vec2, uv);",
        "#define TEX(n) in vec2 tex##n;\nTEX(0)\n#define uv tex0",
        "#define DECLARE(storage, kind, name) storage kind name\nDECLARE(varying,\n vec2, uv);",
        "#define OTHER \\\n in\nOTHER vec2 uv;",
        "#if __VERSION__ >= 130\n#define V in\n#else\n#define V varying\n#endif\nV vec2 uv;",
        "#ifdef VERTEX\nattribute vec4 at;\nvarying vec2 other;\n#else\n#define V varying\nV vec2 uv;\n#endif",
    ];
    each(|context| {
        // ES joins no words.
        let is_es = context.abilities().api == quadrille::shader::Api::Gles;
        let written = || written.iter().filter(|text| !(is_es && text.contains("##")));
        for declared in written() {
            let source = Source::fragment("uv.frag", format!("{declared}\n{COORDINATE}"));
            let setup = Setup::new().extent(Extent::new(2, 1));
            let mut experiment = Experiment::new(context, &source, setup)
                .unwrap_or_else(|error| panic!("{declared}: {error}"));
            experiment.step().unwrap();
            let read: Vec<f64> = experiment.read("y").unwrap().values().doubles().collect();
            assert_eq!(read, [0.25, 0.5, 0.0, 1.0, 0.75, 0.5, 0.0, 1.0], "{declared}");
        }
        for declared in written() {
            let declared = declared.replace("vec2", "vec3").replace("uv", "normal");
            let text = format!("{declared}\nout vec4 y;\nvoid main() {{ y = vec4(normal, 1.0); }}");
            let error = context.kernel(Source::fragment("unfed.frag", &text)).err().unwrap();
            assert!(matches!(error, Error::Unfed { .. }), "{declared}: {error}");
            assert!(error.to_string().contains("no vertex shader writes `vec3 "), "{error}");
        }
    });
}

/// The form of shaders for several versions of GLSL, of which one text is both stages.
#[test]
fn stages_of_one_text_that_are_not_kept_are_no_inputs() {
    let text = "#if defined(VERTEX)
        #define COMPAT_VARYING out
        #define COMPAT_ATTRIBUTE in
        COMPAT_ATTRIBUTE vec4 VertexCoord;
        COMPAT_VARYING vec4 TEX0;
        void main() { gl_Position = VertexCoord; TEX0 = VertexCoord; }
        #elif defined(FRAGMENT)
        #define COMPAT_VARYING in
        out vec4 FragColor;
        COMPAT_VARYING KIND TEX0;
        void main() { FragColor = vec4(TEX0.xy, 0.0, 1.0); }
        #endif";
    on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let source =
            |kind| Source::fragment("both.glsl", text).define("FRAGMENT", 1).define("KIND", kind);
        let mut target = context.uninit::<[f32; 4]>(Extent::new(1, 1)).unwrap();
        context.kernel(source("vec2")).unwrap().pass().draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [[0.5, 0.5, 0.0, 1.0]]);
        let error = context.kernel(source("vec4")).err().unwrap();
        assert!(
            error.to_string().contains("both.glsl:10: error: no vertex shader writes `vec4 TEX0`"),
            "{error}"
        );
    });
}
