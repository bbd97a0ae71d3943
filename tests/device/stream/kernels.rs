//! Kernels and what a pass gives them: every wrong name and type is an error that lists what there
//! is.

mod arrays;

use crate::common::Flavour;
use quadrille::gl::{Texture, Value};
use quadrille::shader::Source;
use quadrille::stream::{Error, Kernel, Pass};
use quadrille::{Context, Extent, Kind};

const MIXED: &str = "
uniform sampler2D image;
uniform isampler2D numbers;
uniform float factor;
uniform ivec2 offset;
uniform float unused;
uniform sampler2D ignored;
out float result;
void main() {
    result = factor * READ(image, TEXEL).r + float(READ(numbers, TEXEL).r + offset.x - offset.y);
}
";

struct Inputs {
    image: Texture<f32>,
    numbers: Texture<i32>,
}

fn inputs(context: &Context) -> Inputs {
    let one = Extent::new(1, 1);
    Inputs {
        image: context.texture(one, &[1.5]).unwrap(),
        numbers: context.texture(one, &[7]).unwrap(),
    }
}

/// A pass with all that `MIXED` needs.
fn complete<'a>(kernel: &'a Kernel, inputs: &'a Inputs) -> Pass<'a> {
    kernel
        .pass()
        .input("image", &inputs.image)
        .input("numbers", &inputs.numbers)
        .uniform("factor", 2.0)
        .uniform("offset", [10, 4])
}

/// The message about a pass that must fail, and must not touch its target.
fn refused(
    context: &Context,
    text: &str,
    spoil: impl for<'a> Fn(Pass<'a>, &'a Inputs) -> Pass<'a>,
) -> String {
    let kernel = crate::common::kernel(context, text);
    let all = inputs(context);
    let mut target = context.texture::<f32>(Extent::new(1, 1), &[-1.0]).unwrap();
    let error = spoil(kernel.pass(), &all).draw(&mut target).unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    assert_eq!(target.read().unwrap(), [-1.0], "a refused pass writes nothing");
    error.to_string()
}

#[test]
fn a_pass_with_all_it_needs_computes() {
    crate::common::each(|context| {
        let kernel = crate::common::kernel(context, MIXED);
        let all = inputs(context);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        complete(&kernel, &all).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [2.0 * 1.5 + 7.0 + 10.0 - 4.0]);
        // What is given twice counts as the later.
        let pass = complete(&kernel, &all).uniform("factor", 100.0).uniform("offset", [0, 0]);
        pass.draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [157.0]);
        let other = context.texture::<f32>(Extent::new(1, 1), &[0.5]).unwrap();
        complete(&kernel, &all).input("image", &other).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [14.0]);
    });
}

#[test]
fn a_kernel_tells_what_it_takes_and_gives() {
    crate::common::each(|context| {
        let kernel = crate::common::kernel(context, MIXED);
        assert_eq!(kernel.name(), "test.frag");
        assert_eq!(kernel.inputs(), ["image", "numbers"]);
        assert_eq!(kernel.uniforms(), ["factor", "offset"]);
        let outputs = kernel.outputs();
        assert_eq!(outputs.len(), 1);
        assert_eq!((outputs[0].name.as_str(), outputs[0].location), ("result", 0));
        assert!(kernel.context().ptr_eq(context));
    });
}

#[test]
fn a_name_the_compiler_removed_is_no_error() {
    crate::common::each(|context| {
        let kernel = crate::common::kernel(context, MIXED);
        let all = inputs(context);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        complete(&kernel, &all)
            .uniform("unused", 3.0)
            .input("ignored", &all.image)
            .draw(&mut target)
            .unwrap();
        assert_eq!(target.read().unwrap(), [16.0]);
    });
}

#[test]
fn a_wrong_name_lists_what_there_is() {
    crate::common::each(|context| {
        assert_eq!(
            refused(context, MIXED, |pass, _| pass.uniform("faktor", 1.0)),
            "test.frag has no uniform `faktor`; it has: factor, offset"
        );
        assert_eq!(
            refused(context, MIXED, |pass, all| pass.input("imago", &all.image)),
            "test.frag has no input `imago`; it has: image, numbers"
        );
        let constant = "out float result;\nvoid main() { result = 1.0; }";
        assert_eq!(
            refused(context, constant, |pass, _| pass.uniform("x", 1.0)),
            "test.frag has no uniform `x`; it has: none"
        );
    });
}

#[test]
fn the_first_of_several_mistakes_is_told() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let text = refused(context, MIXED, |pass, all| {
            pass.uniform("first", 1.0).uniform("second", 1.0).input("third", &all.image)
        });
        assert!(text.contains("`first`"), "{text}");
    });
}

/// The expected message, and the change that spoils a pass.
type Spoilt = (&'static str, fn(Pass<'_>) -> Pass<'_>);

#[test]
fn a_wrong_type_says_what_it_is_and_what_was_given() {
    crate::common::each(|context| {
        let cases: [Spoilt; 6] = [
            ("test.frag: `factor` is a float; got an int", |p| p.uniform("factor", 1)),
            ("test.frag: `factor` is a float; got a vec2", |p| p.uniform("factor", [1.0_f32, 2.0])),
            ("test.frag: `factor` is a float; got a float[3]", |p| {
                p.uniform("factor", vec![1.0, 2.0, 3.0])
            }),
            ("test.frag: `offset` is an ivec2; got a vec2", |p| {
                p.uniform("offset", [1.0_f32, 2.0])
            }),
            ("test.frag: `offset` is an ivec2; got a bool", |p| p.uniform("offset", true)),
            ("test.frag: `image` is a sampler2D; got an int", |p| p.uniform("image", 0)),
        ];
        for (text, spoil) in cases {
            assert_eq!(refused(context, MIXED, |pass, _| spoil(pass)), text);
        }
        assert_eq!(
            refused(context, MIXED, |pass, all| pass.input("image", &all.numbers)),
            "test.frag: `image` is a sampler2D; got a texture of R32I"
        );
        assert_eq!(
            refused(context, MIXED, |pass, all| pass.input("numbers", &all.image)),
            "test.frag: `numbers` is an isampler2D; got a texture of R32F"
        );
        assert_eq!(
            refused(context, MIXED, |pass, all| pass.input("factor", &all.image)),
            "test.frag: `factor` is a float; got a texture of R32F"
        );
    });
}

#[test]
fn what_is_not_given_is_listed_with_its_type() {
    crate::common::each(|context| {
        assert_eq!(
            refused(context, MIXED, |pass, _| pass),
            "test.frag: not given: float factor, isampler2D numbers, ivec2 offset, sampler2D image"
        );
        assert_eq!(
            refused(context, MIXED, |pass, all| {
                pass.input("image", &all.image).uniform("factor", 1.0).uniform("offset", [1, 1])
            }),
            "test.frag: not given: isampler2D numbers"
        );
        // The same thing twice does not stand for two.
        assert_eq!(
            refused(context, MIXED, |pass, all| {
                pass.input("image", &all.image)
                    .input("image", &all.image)
                    .uniform("factor", 1.0)
                    .uniform("offset", [1, 1])
            }),
            "test.frag: not given: isampler2D numbers"
        );
    });
}

#[test]
fn every_kind_of_uniform_arrives() {
    let cases: [(&str, &str, Value, f32); 13] = [
        ("float", "u", Value::from(2.5_f32), 2.5),
        ("float", "u", Value::from(0.1_f64), 0.1),
        ("vec2", "u.x + 10.0 * u.y", Value::from([1.0, 2.0]), 21.0),
        ("vec3", "u.x + 10.0 * u.y + 100.0 * u.z", Value::from([1.0, 2.0, 3.0]), 321.0),
        (
            "vec4",
            "u.x + 10.0 * u.y + 100.0 * u.z + 1000.0 * u.w",
            Value::from([1.0, 2.0, 3.0, 4.0]),
            4321.0,
        ),
        ("int", "float(u)", Value::from(-16_777_215), -16_777_215.0),
        ("ivec2", "float(u.x + 10 * u.y)", Value::from([1, -2]), -19.0),
        ("ivec3", "float(u.x + 10 * u.y + 100 * u.z)", Value::from([1, 2, 3]), 321.0),
        (
            "ivec4",
            "float(u.x + 10 * u.y + 100 * u.z + 1000 * u.w)",
            Value::from([1, 2, 3, 4]),
            4321.0,
        ),
        ("uint", "float(u >> 8u)", Value::from(0xffff_ff00_u32), 16_777_215.0),
        ("bool", "u ? 1.0 : 0.0", Value::from(true), 1.0),
        ("bool", "u ? 1.0 : 0.0", Value::from(false), 0.0),
        ("float", "u", Value::from(f32::INFINITY), f32::INFINITY),
    ];
    crate::common::each(|context| {
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        for (kind, expression, value, expected) in &cases {
            let text = format!(
                "uniform {kind} u;\nout float result;\nvoid main() {{ result = {expression}; }}"
            );
            let kernel = crate::common::kernel(context, &text);
            kernel.pass().uniform("u", value.clone()).draw(&mut target).unwrap();
            assert_eq!(target.read().unwrap(), [*expected], "{kind} {value:?}");
        }
    });
}

#[test]
fn a_uniform_does_not_stay_from_the_pass_before() {
    crate::common::on(&[Flavour::Gl33, Flavour::Gles30], |context| {
        let text = "uniform float u;\nout float result;\nvoid main() { result = u; }";
        let kernel = crate::common::kernel(context, text);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        kernel.pass().uniform("u", 3.0).draw(&mut target).unwrap();
        let error = kernel.pass().draw(&mut target).unwrap_err();
        assert_eq!(error.to_string(), "test.frag: not given: float u");
    });
}

#[test]
fn several_outputs_need_their_places_in_the_text() {
    crate::common::each(|context| {
        let text = "out float a;\nout vec4 b;\nvoid main() { a = 1.0; b = vec4(2.0); }";
        let error = context.kernel(Source::fragment("two.frag", text)).err().unwrap();
        assert!(matches!(error, Error::OutputsWithoutPlace { .. } | Error::Link { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("two.frag"), "{text}");
        if matches!(error, Error::OutputsWithoutPlace { .. }) {
            assert!(text.contains("write `layout(location = N) out` before each"), "{text}");
        }
    });
}

#[test]
fn outputs_are_sorted_by_their_places() {
    crate::common::each(|context| {
        let text = "layout(location = 2) out float c;\nlayout(location = 0) out vec4 a;\n\
                    layout(location = 1) out int b;\n\
                    void main() { a = vec4(1.0); b = 2; c = 3.0; }";
        let kernel = crate::common::kernel(context, text);
        let outputs: Vec<_> =
            kernel.outputs().iter().map(|o| (o.name.as_str(), o.kind.as_str())).collect();
        assert_eq!(outputs, [("a", "vec4"), ("b", "int"), ("c", "float")]);
    });
}

#[test]
fn a_texture_of_another_context_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let other = Flavour::Gl.builder().build().unwrap();
        let foreign = other.texture::<f32>(Extent::new(1, 1), &[1.0]).unwrap();
        let text = refused(context, MIXED, |pass, _| pass);
        assert!(text.contains("not given"), "{text}");
        let kernel = crate::common::kernel(context, MIXED);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let error = kernel.pass().input("image", &foreign).draw(&mut target).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(
            error.to_string(),
            "input `image` belongs to another context; objects cannot cross contexts"
        );
        let mut foreign = foreign;
        let error = crate::common::writes(context, "1.0").pass().draw(&mut foreign).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a target belongs to another context; objects cannot cross contexts"
        );
        assert_eq!(foreign.read().unwrap(), [1.0]);
    });
}

#[test]
fn more_textures_than_the_context_reads_are_refused() {
    crate::common::on(&[Flavour::Gles30], |context| {
        let count = context.abilities().max_inputs as usize + 1;
        let mut text = String::from("out float result;\n");
        let mut sum = String::from("0.0");
        for i in 0..count {
            text.push_str(&format!("uniform sampler2D image{i};\n"));
            sum.push_str(&format!(" + READ(image{i}, TEXEL).r"));
        }
        text.push_str(&format!("void main() {{ result = {sum}; }}"));
        let error = context.kernel(Source::fragment("many.frag", &text)).err().unwrap();
        assert_eq!(error.kind(), Kind::Limit);
        assert_eq!(
            error.to_string(),
            format!(
                "many.frag: {count} textures exceeds this device's limit of {}; \
                 pack several into the channels of one",
                count - 1
            )
        );
    });
}

#[test]
fn an_unknown_type_of_uniform_is_told_and_cannot_be_forgotten() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let text = "uniform mat2 m;\nout float result;\nvoid main() { result = m[0][1]; }";
        let said = refused(context, text, |pass, _| pass);
        assert!(said.contains("not given") && said.contains(" m"), "{said}");
        let said = refused(context, text, |pass, _| pass.uniform("m", [1.0_f32, 0.0, 0.0, 1.0]));
        assert!(said.contains("`m` is a"), "{said}");
    });
}

/// Words of the library's own shaders that a user may want for himself are in files to include.
#[test]
fn common_names_of_macros_are_the_users() {
    crate::common::each(|context| {
        let text = "out float result;\n#define MAD(a, b) (a * b)\n#define STEPS 64\n#define PLACE 1\n\
                    void main() { result = MAD(2.0, float(STEPS + PLACE)); }\n";
        let mut out = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        crate::common::kernel(context, text).pass().draw(&mut out).unwrap();
        assert_eq!(out.read().unwrap(), [130.0]);
    });
}
