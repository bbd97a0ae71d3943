//! Contexts around a caller's own: the work is right whatever state the caller left, and the caller
//! finds every piece of it again.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the caller's side of an unsafe interface; a test fails by panicking"
)]

mod caller;
mod odd;
mod scopes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use caller::{Api, Caller};
use quadrille::data::{Field, Stencil, ValuesRef};
use quadrille::gl::{Blend, Error, Filter, Objects, Sampling, Unorm8, Wrap};
use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};
use quadrille::shader::Source;
use quadrille::stream::reduce::Reducer;
use quadrille::stream::{CaptureKernel, Geometry, LineDirection};
use quadrille::{Context, Extent, Kind, Rectangle};
use quadrille_run::{Experiment, Setup};

const APIS: [Api; 2] = [Api::Gl, Api::Gles];

/// The results of the work below.
#[derive(Debug, PartialEq)]
struct Results {
    solution: Vec<f32>,
    residual: f64,
    sum: f64,
    least: f64,
    picture: Vec<[Unorm8; 4]>,
    added: Vec<f32>,
    several: (Vec<f32>, Vec<[f32; 4]>),
    line: Vec<f32>,
    points: Vec<f32>,
    captured: Vec<[f32; 4]>,
    later: Vec<f32>,
    layers: Field,
    doubled: Option<Vec<f32>>,
    images: Option<[Field; 2]>,
    copied: Vec<f32>,
    blocks: Vec<f32>,
}

fn kernel(context: &Context, text: &str) -> quadrille::stream::Kernel {
    context.kernel(Source::fragment("test.frag", text)).unwrap()
}

/// A little of all that quadrille does with GL.
fn work(context: &Context) -> Results {
    let matrix = "heat9:17x13".parse::<Stencil>().unwrap().matrix().unwrap();
    let b: Vec<f32> = (0..matrix.n()).map(|i| ((i * 31) % 97) as f32 / 97.0).collect();
    let mut jacobi = Jacobi::new(context, &matrix, Variant::default()).unwrap();
    let solution = jacobi.solve(&b, Stop::iterations(25)).unwrap();

    let extent = Extent::new(7, 5);
    let numbers: Vec<f32> = (0..extent.texels()).map(|i| i as f32 / 8.0 - 2.0).collect();
    let input = context.texture(extent, &numbers).unwrap();
    let reducer = Reducer::new(context);

    let mut picture = context.uninit::<[Unorm8; 4]>(extent).unwrap();
    let text = "uniform sampler2D x; out vec4 colour;
        void main() { float v = READ(x, TEXEL).r / 4.0 + 0.5; colour = vec4(v, 1.0 - v, 0.25, 0.5); }";
    kernel(context, text).pass().input("x", &input).draw(&mut picture).unwrap();

    let copy = kernel(
        context,
        "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 0.5; }",
    );
    let mut added = context.uninit::<f32>(extent).unwrap();
    added.fill(100.0).unwrap();
    copy.pass().input("x", &input).blend(Blend::Add).draw(&mut added).unwrap();
    let mut line = context.uninit::<f32>(extent).unwrap();
    line.fill(-1.0).unwrap();
    copy.pass()
        .input("x", &input)
        .over(Geometry::Line(3, LineDirection::Up))
        .draw(&mut line)
        .unwrap();

    let text =
        "uniform sampler2D x; layout(location = 0) out float y; layout(location = 1) out vec4 z;
        void main() { y = READ(x, TEXEL).r; z = vec4(y, 2.0 * y, vec2(TEXEL)); }";
    let mut several =
        (context.uninit::<f32>(extent).unwrap(), context.uninit::<[f32; 4]>(extent).unwrap());
    let pass = kernel(context, text);
    pass.pass().input("x", &input).draw_into(&mut [&mut several.0, &mut several.1]).unwrap();

    let later = copied(context, &input);
    Results {
        solution: solution.x().to_vec(),
        residual: solution.residual,
        sum: reducer.sum(&input).unwrap(),
        least: reducer.min(&input).unwrap(),
        picture: picture.read().unwrap(),
        added: added.read().unwrap(),
        several: (several.0.read().unwrap(), several.1.read().unwrap()),
        line: line.read().unwrap(),
        points: points(context),
        captured: captured(context),
        later: later.read_async().unwrap().read().unwrap(),
        layers: layers(context),
        doubled: context.abilities().compute.map(|_| doubled(context, &numbers)),
        images: context.abilities().compute.map(|_| images(context)),
        copied: later.read_rectangle(Rectangle::new(2, 1, 3, 2)).unwrap(),
        blocks: blocks(context),
    }
}

fn blocks(context: &Context) -> Vec<f32> {
    let text =
        "layout(std140) uniform First { float a; }; layout(std140) uniform Second { float b; };
        out float y; void main() { y = a - b; }";
    let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
    let kernel = kernel(context, text);
    kernel.pass().uniform("a", 5.0).uniform("b", 3.0).draw(&mut target).unwrap();
    target.read().unwrap()
}

fn copied(context: &Context, from: &quadrille::gl::Texture<f32>) -> quadrille::gl::Texture<f32> {
    let mut to = context.uninit::<f32>(from.extent()).unwrap();
    to.copy_from(from).unwrap();
    to.write_rectangle(Rectangle::new(1, 1, 3, 1), &[7.0, 8.0, 9.0]).unwrap();
    to
}

const POINTS: &str = "
void main() {
    gl_Position = vec4((float(gl_VertexID) * 2.0 + 1.0) / 5.0 - 1.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
";

fn points(context: &Context) -> Vec<f32> {
    let vertex = Source::vertex("points.vert", POINTS);
    let fragment = Source::fragment("one.frag", "out float y; void main() { y = 5.0; }");
    let reads = context.abilities().reads();
    let kernel = quadrille::stream::Kernel::new(context, &vertex, &fragment, reads).unwrap();
    let mut target = context.uninit::<f32>(Extent::new(5, 3)).unwrap();
    target.fill(0.0).unwrap();
    kernel.pass().over(Geometry::Points(3)).draw(&mut target).unwrap();
    target.read().unwrap()
}

fn captured(context: &Context) -> Vec<[f32; 4]> {
    let text = "out vec4 result; void main() { result = vec4(float(gl_VertexID)); gl_Position = vec4(0.0); gl_PointSize = 1.0; }";
    let vertex = Source::vertex("count.vert", text);
    let kernel = CaptureKernel::new(context, &vertex, "result").unwrap();
    let mut buffer = context.uninit_buffer::<[f32; 4]>(6).unwrap();
    kernel.capture().run(&mut buffer).unwrap();
    buffer.read().unwrap()
}

fn doubled(context: &Context, numbers: &[f32]) -> Vec<f32> {
    let text = "layout(local_size_x = 1) in;
        layout(std430, binding = 0) readonly buffer Input { float x[]; };
        layout(std430, binding = 1) writeonly buffer Output { float y[]; };
        void main() { y[gl_GlobalInvocationID.x] = 2.0 * x[gl_GlobalInvocationID.x]; }";
    let kernel = context.compute_kernel(Source::compute("double.comp", text)).unwrap();
    let input = context.buffer(numbers).unwrap();
    let mut output = context.uninit_buffer::<f32>(numbers.len()).unwrap();
    let groups = [numbers.len() as u32, 1, 1];
    kernel
        .dispatch()
        .buffer("Input", &input)
        .buffer_mut("Output", &mut output)
        .run(groups)
        .unwrap();
    output.read().unwrap()
}

fn three_layers() -> Field {
    let numbers: Vec<f32> = (0..3 * 5 * 7).map(|i| i as f32 / 4.0 - 9.0).collect();
    Field::copied(&[3, 5, 7], ValuesRef::F32(&numbers)).unwrap()
}

/// Layers that are sampled between their texels and beyond their edges.
fn layers(context: &Context) -> Field {
    let text = "uniform sampler2DArray stack; in vec2 uv; out vec2 y;
        void main() {
            y.x = texelFetch(stack, ivec3(TEXEL, 2), 0).r;
            y.y = texture(stack, vec3(uv * 3.0 - 1.0, 1.0)).r;
        }";
    let repeat = Sampling { filter: Filter::Nearest, wrap: Wrap::Repeat };
    let setup = Setup::new().input("stack", three_layers()).sampling("stack", repeat);
    let source = Source::fragment("layers.frag", text);
    let mut experiment = Experiment::new(context, &source, setup).unwrap();
    experiment.step().unwrap();
    experiment.read("y").unwrap()
}

/// A compute shader that has layers, a texture, an image and a block, three times.
fn images(context: &Context) -> [Field; 2] {
    let text = "layout(local_size_x = 1) in;
        layout(std430, binding = 1) buffer Sums { float sums[]; };
        layout(r32f, binding = 1) uniform image2D kept;
        uniform sampler2D x;
        uniform sampler2DArray stack;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            float of_stack = texelFetch(stack, ivec3(at, 1), 0).r;
            float number = imageLoad(kept, at).r + texelFetch(x, at, 0).r * of_stack;
            imageStore(kept, at, vec4(number));
            sums[at.y * 7 + at.x] += number;
        }";
    let flat = |scale: f32| {
        let numbers: Vec<f32> = (0..35).map(|i| i as f32 * scale).collect();
        Field::new(Extent::new(7, 5), 1, numbers).unwrap()
    };
    let setup = Setup::new().input("x", flat(0.5)).input("stack", three_layers());
    let setup = setup.input("kept", flat(2.0)).input("Sums", flat(-1.0)).groups([7, 5, 1]);
    let source = Source::compute("images.comp", text);
    let mut experiment = Experiment::new(context, &source, setup).unwrap();
    experiment.advance(3, &mut ()).unwrap();
    ["kept", "Sums"].map(|output| experiment.read(output).unwrap())
}

/// The results in a context of quadrille's own.
fn expected(api: Api) -> Results {
    let builder = Context::builder().api(api.quadrille());
    let mesa = builder.clone().device("llvmpipe").build();
    work(&mesa.or_else(|_| builder.build()).unwrap())
}

#[test]
fn work_is_right_and_every_piece_of_state_is_put_back() {
    for api in APIS {
        let expected = expected(api);
        let caller = Caller::new(api);
        odd::set(&caller.gl);
        let before = odd::snapshot(&caller.gl);
        caller.must_be_clean("setting odd state");
        let context = caller.around().unwrap();
        assert_eq!(odd::snapshot(&caller.gl), before, "after making the context");
        for _ in 0..2 {
            // SAFETY: the caller's context is current.
            let results = unsafe { context.within(|| work(&context)) }.unwrap();
            assert_eq!(results, expected);
            let after = odd::snapshot(&caller.gl);
            for (name, value) in &before {
                assert_eq!(after[name], *value, "{name} ({api:?})");
            }
        }
        caller.must_be_clean("two scopes");
        // The scopes deleted all that was dropped in them, so that the counts are zero.
        // SAFETY: as above.
        let objects = unsafe { context.within(|| context.objects().unwrap()) }.unwrap();
        assert_eq!(objects, Objects::default());
    }
}

/// The state above must be one in which work goes wrong without a scope, or the test shows nothing.
#[test]
fn the_odd_state_is_odd() {
    for api in APIS {
        let caller = Caller::new(api);
        let plain = odd::snapshot(&caller.gl);
        odd::set(&caller.gl);
        let odd = odd::snapshot(&caller.gl);
        let same: Vec<&String> = plain.keys().filter(|name| plain[*name] == odd[*name]).collect();
        // Draw buffers and units in which nothing was put are all that stays.
        let excused = |name: &str| odd::LEFT_PLAIN.iter().any(|start| name.starts_with(start));
        let same: Vec<_> = same.into_iter().filter(|name| !excused(name)).collect();
        assert!(same.is_empty(), "{api:?}: {same:?}");
    }
}

#[test]
fn a_texture_is_shown_upright_where_the_caller_draws() {
    for api in APIS {
        let caller = Caller::new(api);
        let screen = caller.screen(Extent::new(8, 6));
        odd::set(&caller.gl);
        let texel = |n: u8| [n, n + 1, n + 2, 255].map(Unorm8);
        let texels = [texel(10), texel(20), texel(30), texel(40)];
        caller.bind(&screen);
        let context = caller.around().unwrap();
        let (place, window) = (Rectangle::new(1, 0, 4, 2), Extent::new(8, 6));
        // SAFETY: the caller's context is current.
        unsafe {
            context.within(|| {
                let texture = context.texture(Extent::new(2, 2), &texels).unwrap();
                context.present(&texture, place, window).unwrap();
                let outside = context.present(&texture, Rectangle::new(7, 0, 2, 2), window);
                assert!(matches!(outside, Err(Error::Outside { .. })));
            })
        }
        .unwrap();
        let rows = caller.read(&screen);
        for (y, row) in rows.iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                // Four pixels wide, so each texel twice; the rest stays as it was, black.
                let inside = (1..5).contains(&x) && y < 2;
                let expected =
                    if inside { texels[y * 2 + (x - 1) / 2].map(|byte| byte.0) } else { [0; 4] };
                assert_eq!(*pixel, expected, "{x}, {y} ({api:?})");
            }
        }
    }
}

#[test]
fn without_a_window_there_is_nothing_to_show_on() {
    let context = Context::headless().unwrap();
    let texture = context.texture(Extent::new(1, 1), &[[0; 4].map(Unorm8)]).unwrap();
    let place = Rectangle::new(0, 0, 1, 1);
    let error = context.present(&texture, place, Extent::new(1, 1)).unwrap_err();
    assert_eq!(error.kind(), Kind::Unsupported);
    assert!(error.to_string().contains("Context::around"), "{error}");
}

#[test]
fn what_cannot_be_entered_is_refused() {
    match Caller::compatible() {
        Some(compatible) => refused(&compatible, "compatibility"),
        None => crate::common::not_tested("a compatibility context"),
    }
    let caller = Caller::new(Api::Gl);
    // Below OpenGL 4.0 nothing tells whether one is under way.
    if glow::HasContext::version(&*caller.gl).major >= 4 {
        let feedback = caller.begin_feedback();
        refused(&caller, "transform feedback");
        caller.end_feedback(feedback);
    }
    assert!(caller.around().is_ok());
}

/// Whether the contexts are those of a software renderer, thus Mesa's, which makes one of another
/// version if it is told before it is loaded.
fn is_mesas() -> bool {
    let is_mesas = Context::headless().unwrap().abilities().software;
    if !is_mesas {
        crate::common::not_tested("a context of an older version");
    }
    is_mesas
}

#[test]
fn what_is_too_old_is_refused() {
    const NAME: &str = "gl::around::what_is_too_old_is_refused";
    const OVERRIDE: &str = "MESA_GLES_VERSION_OVERRIDE";
    if std::env::var(OVERRIDE).is_ok() {
        // Newer versions of Mesa do not give such a context.
        let Some(caller) = Caller::with_version(Api::Gles, (2, 0)) else { return };
        return refused(&caller, "2.0");
    }
    if !is_mesas() {
        return;
    }
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME])
        .env(OVERRIDE, "2.0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
}

#[track_caller]
fn refused(caller: &Caller, why: &str) {
    let error = caller.around().unwrap_err();
    assert!(matches!(error, Error::CallersContext { .. }), "{error}");
    assert!(error.to_string().contains(why), "{error}");
    assert_eq!(error.kind(), Kind::Input);
}

/// Runs the test on the lowest versions.
#[test]
fn the_lowest_versions_too() {
    const NAME: &str = "gl::around::work_is_right_and_every_piece_of_state_is_put_back";
    if !is_mesas() {
        return;
    }
    for (gl, gles) in [("3.3", "3.0"), ("4.1", "3.1")] {
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", NAME, "--nocapture"])
            .env("MESA_GL_VERSION_OVERRIDE", gl)
            .env("MESA_GLES_VERSION_OVERRIDE", gles)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{gl}, {gles}: {said}");
        for version in [gl, gles] {
            assert!(said.contains(&format!("version {version}")), "{said}");
        }
    }
}
