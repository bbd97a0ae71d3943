//! Passes and their targets: as many as the kernel writes, of its types, of one extent.

use crate::common::Flavour;
use quadrille::gl::{Blend, Target, Texture, Unorm8};
use quadrille::internal::Ability;
use quadrille::shader::Source;
use quadrille::stream::{Clock, Error, Kernel};
use quadrille::{Context, Extent, Kind};

fn two(context: &Context) -> quadrille::stream::Kernel {
    crate::common::kernel(
        context,
        "layout(location = 0) out float a;\nlayout(location = 1) out ivec2 b;\n\
         void main() { a = gl_FragCoord.x; b = ivec2(TEXEL.y, -TEXEL.x); }",
    )
}

#[test]
fn several_targets_of_several_types_are_written_at_once() {
    crate::common::each(|context| {
        let extent = Extent::new(7, 5);
        let mut a = context.uninit::<f32>(extent).unwrap();
        let mut b = context.uninit::<[i32; 2]>(extent).unwrap();
        two(context).pass().draw_into(&mut [&mut a, &mut b]).unwrap();
        let places = || (0..35).map(|i| (i % 7, i / 7));
        let expected: Vec<f32> = places().map(|(x, _)| x as f32 + 0.5).collect();
        assert_eq!(a.read().unwrap(), expected);
        let expected: Vec<[i32; 2]> = places().map(|(x, y)| [y, -x]).collect();
        assert_eq!(b.read().unwrap(), expected);
        // One alone is written as before.
        a.fill(9.0).unwrap();
        assert_eq!(b.read().unwrap(), expected);
        assert_eq!(a.read().unwrap(), [9.0; 35]);
    });
}

#[test]
fn as_many_targets_as_the_context_has_can_be_written_and_one_more_cannot() {
    crate::common::each(|context| {
        let most = context.abilities().max_targets as usize;
        let text = |count: usize| {
            let mut text = String::new();
            for i in 0..count {
                text.push_str(&format!("layout(location = {i}) out float o{i};\n"));
            }
            text.push_str("void main() {");
            for i in 0..count {
                text.push_str(&format!(" o{i} = {i}.25;"));
            }
            text + " }"
        };
        let kernel = crate::common::kernel(context, &text(most));
        let mut made: Vec<Texture<f32>> =
            (0..most).map(|_| context.uninit(Extent::new(3, 2)).unwrap()).collect();
        let mut targets: Vec<&mut dyn Target> =
            made.iter_mut().map(|texture| texture as &mut dyn Target).collect();
        kernel.pass().draw_into(&mut targets).unwrap();
        for (i, texture) in made.iter().enumerate() {
            assert_eq!(texture.read().unwrap(), [i as f32 + 0.25; 6]);
        }
        let error = context.kernel(Source::fragment("many.frag", text(most + 1))).err().unwrap();
        match &error {
            // The mask refuses, with the numbers.
            Error::Gl(_) => assert_eq!(
                error.to_string(),
                format!(
                    "many.frag: {} targets exceeds this device's limit of {most}; \
                     split it into several passes",
                    most + 1
                )
            ),
            // Past what it really has, the driver refuses.
            _ => assert!(matches!(error.kind(), Kind::Compile | Kind::Link), "{error}"),
        }
    });
}

/// The message about targets that do not fit.
fn refused(drawn: Result<(), Error>) -> String {
    let error = drawn.unwrap_err();
    assert!(matches!(error, Error::Targets { .. }), "{error}");
    assert_eq!(error.kind(), Kind::Input);
    error.to_string()
}

#[test]
fn targets_that_do_not_fit_are_refused_with_both_sides() {
    crate::common::each(|context| {
        let extent = Extent::new(2, 2);
        let mut floats = context.uninit::<f32>(extent).unwrap();
        let mut more = context.uninit::<f32>(extent).unwrap();
        let mut pairs = context.uninit::<[i32; 2]>(extent).unwrap();
        let mut other = context.uninit::<[i32; 2]>(Extent::new(2, 3)).unwrap();
        let kernel = two(context);
        assert_eq!(
            refused(kernel.pass().draw(&mut floats)),
            "test.frag writes 2 target(s) of one extent (0: float a, 1: ivec2 b); \
             got 2 x 2 texels of R32F"
        );
        assert_eq!(
            refused(kernel.pass().draw_into(&mut [])),
            "test.frag writes 2 target(s) of one extent (0: float a, 1: ivec2 b); got none"
        );
        let swapped = kernel.pass().draw_into(&mut [&mut pairs, &mut floats]);
        assert!(refused(swapped).ends_with("2 x 2 texels of RG32I, 2 x 2 texels of R32F"));
        let class = kernel.pass().draw_into(&mut [&mut floats, &mut more]);
        assert!(refused(class).ends_with("2 x 2 texels of R32F, 2 x 2 texels of R32F"));
        let extents = kernel.pass().draw_into(&mut [&mut floats, &mut other]);
        assert!(refused(extents).ends_with("2 x 2 texels of R32F, 2 x 3 texels of RG32I"));
        let many = kernel.pass().draw_into(&mut [&mut floats, &mut pairs, &mut more]);
        refused(many);
        kernel.pass().draw_into(&mut [&mut floats, &mut pairs]).unwrap();
    });
}

#[test]
fn a_kernel_with_a_gap_between_its_places_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let text = "layout(location = 1) out float b;\nvoid main() { b = 1.0; }";
        let mut target = context.texture::<f32>(Extent::new(1, 1), &[5.0]).unwrap();
        let said = refused(crate::common::kernel(context, text).pass().draw(&mut target));
        assert!(said.contains("1: float b"), "{said}");
        assert_eq!(target.read().unwrap(), [5.0]);
    });
}

#[test]
fn an_output_wider_than_its_target_is_refused() {
    crate::common::each(|context| {
        let one = Extent::new(1, 1);
        for (kind, value) in [("vec2", "vec2(1.0)"), ("vec3", "vec3(1.0)"), ("vec4", "vec4(1.0)")] {
            let kernel = crate::common::kernel(
                context,
                &format!("out {kind} o;\nvoid main() {{ o = {value}; }}"),
            );
            let mut narrow = context.texture::<f32>(one, &[5.0]).unwrap();
            let said = refused(kernel.pass().draw(&mut narrow));
            assert!(said.contains(&format!("0: {kind} o")) && said.contains("R32F"), "{said}");
            assert_eq!(narrow.read().unwrap(), [5.0]);
            let mut four = context.uninit::<[f32; 4]>(one).unwrap();
            kernel.pass().draw(&mut four).unwrap();
            assert_eq!(four.read().unwrap()[0][0], 1.0);
        }
    });
}

/// An input that the vertex stage does not write would be undefined, and desktop drivers link it
/// without a word.
#[test]
fn an_input_that_nothing_feeds_is_refused_and_one_coordinate_is_fed() {
    crate::common::each(|context| {
        for kind in ["float", "vec3", "vec4", "mat2"] {
            for word in ["in", "varying", "smooth in"] {
                let text =
                    format!("\n{word} {kind} where;\nout float o;\nvoid main() {{ o = 1.0; }}");
                let error = context.kernel(Source::fragment("k.frag", text)).err().unwrap();
                assert!(matches!(error, Error::Unfed { .. }), "{error}");
                assert_eq!(error.kind(), Kind::Compile);
                let said = error.to_string();
                assert!(
                    said.contains("k.frag:2") && said.contains(&format!("{kind} where")),
                    "{said}"
                );
            }
        }
        let two = "in vec2 a;\nin vec2 b;\nout vec2 o;\nvoid main() { o = a + b; }";
        let said = context.kernel(Source::fragment("k.frag", two)).err().unwrap().to_string();
        assert!(said.contains("k.frag:2") && said.contains("vec2 b"), "{said}");
        for word in ["in", "varying"] {
            let text = format!("{word} vec2 uv;\nout vec2 o;\nvoid main() {{ o = uv; }}");
            let mut out = context.uninit::<[f32; 2]>(Extent::new(2, 1)).unwrap();
            crate::common::kernel(context, &text).pass().draw(&mut out).unwrap();
            assert_eq!(out.read().unwrap(), [[0.25, 0.5], [0.75, 0.5]], "{word}");
        }
    });
}

/// A vertex shader of the caller's must write what the fragment shader reads.
#[test]
fn an_input_that_the_callers_vertex_shader_does_not_write_is_refused() {
    crate::common::each(|context| {
        let vertex = "#include \"include/rectangle.glsl\"\nout vec2 there;\n\
                      void main() { there = corner(); gl_Position = on_target(there); }";
        let vertex = Source::vertex("v.vert", vertex);
        let fragment = |name: &str| {
            let text = format!("in vec2 {name};\nout vec2 o;\nvoid main() {{ o = {name}; }}");
            let source = Source::fragment("f.frag", text);
            Kernel::new(context, &vertex, &source, context.abilities().reads())
        };
        assert!(fragment("there").is_ok());
        let error = fragment("elsewhere").err().unwrap();
        assert!(matches!(error, Error::Unfed { .. }), "{error}");
    });
}

#[test]
fn outputs_that_the_driver_removed_are_named() {
    crate::common::each(|context| {
        let text = "layout(location = 0) out float kept;\nlayout(location = 1) out float idle;\n\
                    void main() { kept = 1.0; }";
        let kernel = crate::common::kernel(context, text);
        let one = Extent::new(1, 1);
        let mut a = context.uninit::<f32>(one).unwrap();
        if kernel.dropped_outputs().is_empty() {
            // A driver may keep it.
            return;
        }
        assert_eq!(kernel.dropped_outputs(), ["idle"]);
        let mut b = context.uninit::<f32>(one).unwrap();
        let said = refused(kernel.pass().draw_into(&mut [&mut a, &mut b]));
        assert!(said.contains("the driver removed `idle`"), "{said}");
        kernel.pass().draw(&mut a).unwrap();
        assert_eq!(a.read().unwrap(), [1.0]);
    });
}

#[test]
fn an_output_of_two_types_is_refused() {
    crate::common::each(|context| {
        let text =
            "#ifdef NEVER\nout vec4 o;\n#else\nout float o;\n#endif\nvoid main() { o = 1.0; }";
        let said = context.kernel(Source::fragment("k.frag", text)).err().unwrap().to_string();
        assert!(said.contains("`o` is declared as") && said.contains("vec4"), "{said}");
    });
}

#[test]
fn integers_and_bytes_are_written_as_such() {
    crate::common::each(|context| {
        let extent = Extent::new(300, 1);
        let text = "out uint o;\nvoid main() { o = uint(TEXEL.x); }";
        let mut bytes = context.uninit::<u8>(extent).unwrap();
        crate::common::kernel(context, text).pass().draw(&mut bytes).unwrap();
        let got = bytes.read().unwrap();
        assert!((0..256).all(|i| got[i] == i as u8));
        let text = "out int o;\nvoid main() { o = -2147483647 - 1 + TEXEL.x; }";
        let mut numbers = context.uninit::<i32>(extent).unwrap();
        crate::common::kernel(context, text).pass().draw(&mut numbers).unwrap();
        assert_eq!(numbers.read().unwrap()[299], i32::MIN + 299);
        // A byte of its own type is a fraction of 255.
        let text = "out float o;\nvoid main() { o = float(TEXEL.x) / 255.0; }";
        let mut fractions = context.uninit::<Unorm8>(extent).unwrap();
        crate::common::kernel(context, text).pass().draw(&mut fractions).unwrap();
        let got = fractions.read().unwrap();
        assert!((0..256).all(|i| got[i] == Unorm8(i as u8)));
        assert_eq!(got[299], Unorm8(255), "past one it saturates");
    });
}

#[test]
fn results_are_added_where_floats_blend() {
    crate::common::each(|context| {
        let extent = Extent::new(5, 3);
        let mut sum = context.texture::<f32>(extent, &[0.5; 15]).unwrap();
        let kernel = crate::common::writes(context, "1000.25");
        let adding = |sum: &mut Texture<f32>| kernel.pass().blend(Blend::Add).draw(sum);
        if !context.abilities().float_blending {
            let error = adding(&mut sum).unwrap_err();
            assert_eq!(error.kind(), Kind::Unsupported);
            let text = error.to_string();
            assert!(text.starts_with("adding the results of test.frag into a texture of R32F"));
            assert!(text.contains("GL_EXT_float_blend"), "{text}");
            assert_eq!(sum.read().unwrap(), [0.5; 15]);
            return;
        }
        for _ in 0..3 {
            adding(&mut sum).unwrap();
        }
        assert_eq!(sum.read().unwrap(), [3001.25; 15]);
        kernel.pass().draw(&mut sum).unwrap();
        assert_eq!(sum.read().unwrap(), [1000.25; 15], "blending does not stay on");
    });
}

#[test]
fn adding_is_refused_where_floats_do_not_blend() {
    for flavour in [Flavour::Gl, Flavour::Gles] {
        let context = flavour.builder().without(Ability::FloatBlending).build().unwrap();
        crate::common::clean("no blending", &context, |context| {
            let mut sum = context.texture::<f32>(Extent::new(1, 1), &[0.5]).unwrap();
            let pass = crate::common::writes(context, "1.0");
            let error = pass.pass().blend(Blend::Add).draw(&mut sum).unwrap_err();
            assert_eq!(error.kind(), Kind::Unsupported);
            assert_eq!(sum.read().unwrap(), [0.5]);
        });
    }
}

#[test]
fn integers_are_never_added_by_blending() {
    crate::common::each(|context| {
        let mut sum = context.texture::<i32>(Extent::new(1, 1), &[5]).unwrap();
        let kernel = crate::common::kernel(context, "out int o;\nvoid main() { o = 1; }");
        let error = kernel.pass().blend(Blend::Add).draw(&mut sum).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("no OpenGL has"), "{error}");
        assert_eq!(sum.read().unwrap(), [5]);
    });
}

#[test]
fn a_pass_reads_textures_of_other_extents() {
    crate::common::each(|context| {
        let text = "uniform sampler2D wide;\nuniform sampler2D high;\nout float o;\n\
                    void main() { o = READ(wide, ivec2(TEXEL.x, 0)).r * READ(high, ivec2(0, TEXEL.y)).r; }";
        let wide = context.texture::<f32>(Extent::new(3, 1), &[1.0, 2.0, 3.0]).unwrap();
        let high = context.texture::<f32>(Extent::new(1, 2), &[10.0, 100.0]).unwrap();
        let mut product = context.uninit::<f32>(Extent::new(3, 2)).unwrap();
        let kernel = crate::common::kernel(context, text);
        kernel.pass().input("wide", &wide).input("high", &high).draw(&mut product).unwrap();
        assert_eq!(product.read().unwrap(), [10.0, 20.0, 30.0, 100.0, 200.0, 300.0]);
    });
}

#[test]
fn one_texture_may_be_two_inputs() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let text = "uniform sampler2D x, y;\nout float o;\n\
                    void main() { o = READ(x, TEXEL).r * READ(y, TEXEL).r; }";
        let x = context.texture::<f32>(Extent::new(2, 1), &[3.0, 4.0]).unwrap();
        let mut squares = context.uninit::<f32>(x.extent()).unwrap();
        let kernel = crate::common::kernel(context, text);
        kernel.pass().input("x", &x).input("y", &x).draw(&mut squares).unwrap();
        assert_eq!(squares.read().unwrap(), [9.0, 16.0]);
    });
}

#[test]
fn a_thousand_dependent_passes_arrive_in_order() {
    crate::common::each(|context| {
        let text =
            "uniform sampler2D x;\nout float o;\nvoid main() { o = READ(x, TEXEL).r + 1.0; }";
        let kernel = crate::common::kernel(context, text);
        let one = Extent::new(1, 1);
        let (mut old, mut new) =
            (context.texture::<f32>(one, &[0.0]).unwrap(), context.uninit::<f32>(one).unwrap());
        for _ in 0..1000 {
            kernel.pass().input("x", &old).draw(&mut new).unwrap();
            std::mem::swap(&mut old, &mut new);
        }
        assert_eq!(old.read().unwrap(), [1000.0]);
    });
}

#[test]
fn both_clocks_time_what_they_are_given_and_pass_its_errors_on() {
    crate::common::each(|context| {
        let mut target = context.uninit::<f32>(Extent::new(64, 64)).unwrap();
        let kernel = crate::common::writes(context, "1.0");
        let clock = Clock::of(context);
        assert!(!context.abilities().software || clock == Clock::Wall);
        let clocks = [Clock::Wall, Clock::Device];
        for clock in &clocks[..1 + usize::from(context.abilities().timers)] {
            let (answer, time) =
                clock.time(context, || kernel.pass().draw(&mut target).map(|()| 42)).unwrap();
            assert_eq!(answer, 42);
            assert!(time.as_secs() < 60);
            let failed = clock.time(context, || kernel.pass().uniform("no", 1).draw(&mut target));
            assert!(matches!(failed, Err(Error::NoSuchName { .. })));
            clock.time(context, || kernel.pass().draw(&mut target)).unwrap();
        }
        let (_, slept) = Clock::Wall
            .time(context, || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                Ok::<_, Error>(())
            })
            .unwrap();
        assert!(slept.as_millis() >= 20);
        drop(target);
    });
}
