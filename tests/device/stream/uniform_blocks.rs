//! Uniform blocks: every type of member in every layout, by each of its names, and what is said where names are
//! missing or may mean several.

use crate::common::{Flavour, each, on};
use quadrille::gl::{Type, TypeKind, Value, Words};
use quadrille::shader::Source;
use quadrille::stream::{CaptureKernel, Kernel};
use quadrille::{Context, Extent};
use quadrille_run::{Experiment, Setup};

/// A member: its type and its name in a block, and the number at each index of it.
struct Member {
    kind: TypeKind,
    length: usize,
    name: &'static str,
    declared: &'static str,
}

fn member(kind: &str, length: usize, name: &'static str, declared: &'static str) -> Member {
    let number = |class, components| TypeKind::Number { class, components };
    use quadrille::gl::Class::{Float, Int, Uint};
    let kind = match kind {
        "float" => number(Float, 1),
        "vec2" => number(Float, 2),
        "vec3" => number(Float, 3),
        "vec4" => number(Float, 4),
        "int" => number(Int, 1),
        "ivec2" => number(Int, 2),
        "uvec3" => number(Uint, 3),
        "bool" => TypeKind::Bool,
        "bvec3" => TypeKind::BoolVector(3),
        "mat2" => TypeKind::Matrix(2),
        "mat3" => TypeKind::Matrix(3),
        "mat4" => TypeKind::Matrix(4),
        "mat3x2" => TypeKind::Rectangular { columns: 3, rows: 2 },
        "mat2x4" => TypeKind::Rectangular { columns: 2, rows: 4 },
        other => panic!("{other}"),
    };
    Member { kind, length, name, declared }
}

/// Members whose places differ from those of a tight array by every rule of std140.
fn members() -> Vec<Member> {
    vec![
        member("float", 1, "gain", "float gain;"),
        member("vec3", 1, "colour", "vec3 colour;"),
        member("int", 1, "n", "int n;"),
        member("mat2", 1, "turn", "mat2 turn;"),
        member("mat3x2", 1, "wide", "layout(row_major) mat3x2 wide;"),
        member("mat2x4", 2, "tall", "layout(column_major) mat2x4 tall[2];"),
        member("float", 3, "steps", "float steps[3];"),
        member("bool", 2, "flags", "bool flags[2];"),
        member("bvec3", 1, "sides", "bvec3 sides;"),
        member("ivec2", 3, "cells", "ivec2 cells[3];"),
        member("mat3", 2, "turns", "layout(row_major) mat3 turns[2];"),
        member("mat4", 1, "view", "mat4 view;"),
        member("uvec3", 1, "seed", "uvec3 seed;"),
        member("vec2", 1, "sun.at", "Light sun;"),
        member("float", 2, "sun.power", ""),
        member("vec3", 1, "lights[0].at3", "Lamp lights[2];"),
        member("vec4", 1, "lights[1].tint", ""),
        member("vec3", 1, "lights[1].at3", ""),
        member("vec4", 1, "lights[0].tint", ""),
    ]
}

const STRUCTS: &str =
    "struct Light { vec2 at; float power[2]; };\nstruct Lamp { vec3 at3; vec4 tint; };\n";

impl Member {
    fn count(&self) -> usize {
        let [columns, rows] = self.kind.grid().unwrap();
        columns * rows * self.length
    }

    fn is_truth(&self) -> bool {
        matches!(self.kind, TypeKind::Bool | TypeKind::BoolVector(_))
    }

    /// The number at an index, which no other member has.
    fn number(&self, seed: usize, index: usize) -> u32 {
        match self.is_truth() {
            true => u32::from((seed + index).is_multiple_of(2)),
            false => (seed * 20 + index + 1) as u32,
        }
    }

    fn value(&self, seed: usize) -> Value {
        let glsl = Type { kind: self.kind, length: self.length };
        let is_float = !matches!(
            self.kind,
            TypeKind::Number { class: quadrille::gl::Class::Int | quadrille::gl::Class::Uint, .. }
        ) && !self.is_truth();
        let word = |index| {
            let number = self.number(seed, index);
            if is_float { (number as f32).to_bits() } else { number }
        };
        Value::Words(Words::new(glsl, (0..self.count()).map(word).collect()).unwrap())
    }

    fn text(&self, seed: usize) -> String {
        let numbers = (0..self.count()).map(|index| self.number(seed, index).to_string());
        numbers.collect::<Vec<_>>().join(",")
    }

    /// The expression of the number at an index.
    fn expression(&self, prefix: &str, index: usize) -> String {
        let [columns, rows] = self.kind.grid().unwrap();
        let (row, column, element) = (index % rows, index / rows % columns, index / rows / columns);
        let mut text = format!("{prefix}{}", self.name);
        if self.length > 1 {
            text.push_str(&format!("[{element}]"));
        }
        if columns > 1 {
            text.push_str(&format!("[{column}]"));
        }
        if rows > 1 {
            text.push_str(&format!("[{row}]"));
        }
        format!("float({text})")
    }
}

/// A shader whose texels in a row are the numbers of all members, and these numbers.
fn every_number(layout: &str, instance: &str) -> (String, Vec<f32>) {
    let prefix = if instance.is_empty() { String::new() } else { format!("{instance}.") };
    let declared: String = members().iter().map(|member| member.declared).collect();
    let (mut body, mut wanted) = (String::new(), Vec::new());
    for (seed, member) in members().iter().enumerate() {
        for index in 0..member.count() {
            let expression = member.expression(&prefix, index);
            body.push_str(&format!("if (TEXEL.x == {}) y = {expression};\n", wanted.len()));
            wanted.push(member.number(seed, index) as f32);
        }
    }
    let text = format!(
        "{STRUCTS}layout({layout}) uniform Params {{ {declared} }} {instance};\nout float y;\nvoid main() {{ y = -1.0;\n{body} }}"
    );
    (text, wanted)
}

fn kernel(context: &Context, text: &str) -> Kernel {
    context
        .kernel(Source::fragment("block.frag", text))
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_type_in_every_layout_arrives() {
    each(|context| {
        for layout in ["std140", "shared", "packed", "std140, row_major"] {
            for (instance, called) in
                [("", ""), ("", "Params."), ("params", ""), ("params", "Params.")]
            {
                let (text, wanted) = every_number(layout, instance);
                let kernel = kernel(context, &text);
                let mut target =
                    context.uninit::<f32>(Extent::new(wanted.len() as u32, 1)).unwrap();
                let mut pass = kernel.pass();
                for (seed, member) in members().iter().enumerate() {
                    pass = pass.uniform(&format!("{called}{}", member.name), member.value(seed));
                }
                pass.draw(&mut target).unwrap();
                assert_eq!(target.read().unwrap(), wanted, "{layout}, `{instance}`, `{called}`");
            }
        }
    });
}

#[test]
fn an_experiment_takes_every_member_as_text() {
    each(|context| {
        let (text, wanted) = every_number("std140", "params");
        let mut setup = Setup::new().extent(Extent::new(wanted.len() as u32, 1));
        for (seed, member) in members().iter().enumerate() {
            setup = setup.uniform(member.name, member.text(seed));
        }
        let mut experiment =
            Experiment::new(context, &Source::fragment("block.frag", &text), setup).unwrap();
        experiment.step().unwrap();
        let read = |experiment: &Experiment| -> Vec<f64> {
            experiment.read("y").unwrap().values().doubles().collect()
        };
        assert_eq!(read(&experiment), wanted.iter().map(|it| f64::from(*it)).collect::<Vec<_>>());
        experiment.set("Params.gain", "0.5").unwrap();
        experiment.step().unwrap();
        assert_eq!(read(&experiment)[..2], [0.5, f64::from(wanted[1])]);
    });
}

const TWO: &str = "layout(std140) uniform A { float gain; float a; };
    layout(std140) uniform B { float gain; float b; } second;
    out float y; void main() { y = gain + 10.0 * second.gain + 100.0 * a + 1000.0 * second.b; }";

#[test]
fn a_name_that_may_mean_two_members_is_ambiguous() {
    each(|context| {
        let kernel = kernel(context, TWO);
        assert_eq!(kernel.uniforms(), ["A.gain", "B.b", "B.gain", "a"]);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let pass = || kernel.pass().uniform("a", 3.0).uniform("b", 4.0);
        let said = pass().uniform("gain", 1.0).draw(&mut target).unwrap_err().to_string();
        assert_eq!(said, "block.frag: uniform `gain` is ambiguous: it may be A.gain or B.gain");
        pass().uniform("A.gain", 1.0).uniform("B.gain", 2.0).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [4321.0]);
        let source = Source::fragment("block.frag", TWO);
        let setup = Setup::new().extent(Extent::new(1, 1)).uniform("gain", "1");
        let said = Experiment::new(context, &source, setup).err().unwrap().to_string();
        assert_eq!(said, "block.frag: uniform `gain` is ambiguous: it may be A.gain or B.gain");
    });
}

#[test]
fn blocks_of_an_array_are_told_apart() {
    each(|context| {
        let text = "layout(std140) uniform P { float gain; vec2 at; } p[2];
            out float y; void main() { y = p[0].gain + 10.0 * p[1].gain + 100.0 * p[1].at.y + 1000.0 * p[0].at.x; }";
        let kernel = kernel(context, text);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let pass = || kernel.pass().uniform("P[0].at", [4.0, 0.0]).uniform("P[1].at", [0.0, 3.0]);
        pass().uniform("P[0].gain", 1.0).uniform("P[1].gain", 2.0).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [4321.0]);
        let said = pass().uniform("gain", 1.0).draw(&mut target).unwrap_err().to_string();
        assert!(said.ends_with("is ambiguous: it may be P[0].gain or P[1].gain"), "{said}");
        let said = pass().draw(&mut target).unwrap_err().to_string();
        assert_eq!(
            said,
            "block.frag: not given: uniform P[0] { float gain; }, uniform P[1] { float gain; }"
        );
    });
}

#[test]
fn what_nobody_gives_is_named_with_its_block() {
    let text = "layout(std140) uniform Params { float gain; float spare; vec3 colour; } p;
        uniform float loose;
        out float y; void main() { y = p.gain * p.colour.x + loose; }";
    each(|context| {
        let kernel = kernel(context, text);
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        let said = kernel.pass().draw(&mut target).unwrap_err().to_string();
        let missing =
            "block.frag: not given: float loose, uniform Params { vec3 colour; float gain; }";
        assert_eq!(said, missing);
        let source = Source::fragment("block.frag", text);
        let setup = || Setup::new().extent(Extent::new(1, 1));
        let said = Experiment::new(context, &source, setup()).err().unwrap().to_string();
        assert_eq!(said, missing);
        // What the text does nothing with may be given, and need not.
        let pass = || kernel.pass().uniform("gain", 2.0).uniform("colour", [3.0, 0.0, 0.0]);
        pass().uniform("loose", 1.0).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [7.0]);
        pass().uniform("loose", 1.0).uniform("spare", 9.0).draw(&mut target).unwrap();
        assert_eq!(target.read().unwrap(), [7.0]);
        let said = pass().uniform("loose", 1.0).uniform("Params.gian", 1.0).draw(&mut target);
        let said = said.unwrap_err().to_string();
        assert!(
            said.contains("no uniform `Params.gian`; it has: Params.colour, Params.gain"),
            "{said}"
        );
        let said =
            pass().uniform("gain", [1.0_f32, 2.0]).draw(&mut target).unwrap_err().to_string();
        assert_eq!(said, "block.frag: `gain` is a float; got a vec2");
    });
}

/// Built-in names work in blocks too.
#[test]
fn an_experiment_sets_its_own_names_in_blocks() {
    let text = "layout(std140) uniform Frame { int iteration; ivec2 size; };
        out float y; void main() { y = float(iteration) + 10.0 * float(size.x); }";
    each(|context| {
        let source = Source::fragment("frame.frag", text);
        let setup = Setup::new().extent(Extent::new(3, 1));
        let mut experiment = Experiment::new(context, &source, setup).unwrap();
        experiment.step().unwrap();
        experiment.step().unwrap();
        let read = experiment.read("y").unwrap();
        assert_eq!(read.values().doubles().collect::<Vec<_>>(), [31.0; 3]);
    });
}

/// Values do not stay from the pass before, and programs that take turns do not mix theirs.
#[test]
fn each_pass_has_the_values_that_it_was_given() {
    each(|context| {
        let text = |factor: u32| {
            format!(
                "layout(std140) uniform P {{ float gain; }}; out float y; void main() {{ y = {factor}.0 * gain; }}"
            )
        };
        let kernels = [1, 10].map(|factor| kernel(context, &text(factor)));
        let mut target = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
        for gain in [1.0, 1.0, 2.0, 0.0, 3.0] {
            for (kernel, factor) in kernels.iter().zip([1.0, 10.0]) {
                kernel.pass().uniform("gain", gain).draw(&mut target).unwrap();
                assert_eq!(target.read().unwrap(), [factor * gain as f32]);
                assert!(kernel.pass().draw(&mut target).is_err());
            }
        }
        drop(kernels);
        context.finish().unwrap();
        assert_eq!(context.objects().unwrap().buffers, 0);
    });
}

#[test]
fn vertex_stages_have_blocks_too() {
    each(|context| {
        let block = "layout(std140) uniform P { float gain; vec3 offset; };";
        let vertex = format!(
            "{block} out float y; void main() {{ y = gain * float(gl_VertexID) + offset.z; gl_Position = vec4(0.0); gl_PointSize = 1.0; }}"
        );
        let capture =
            CaptureKernel::new(context, &Source::vertex("count.vert", vertex), "y").unwrap();
        let mut buffer = context.uninit_buffer::<f32>(3).unwrap();
        let run = capture.capture().uniform("gain", 2.0).uniform("offset", [0.0, 0.0, 1.0]);
        run.run(&mut buffer).unwrap();
        assert_eq!(buffer.read().unwrap(), [1.0, 3.0, 5.0]);
    });
}

#[test]
fn compute_shaders_have_blocks_too() {
    on(&[Flavour::Gl, Flavour::Gles], |context| {
        if context.abilities().compute.is_none() {
            return crate::common::not_tested("no compute shaders");
        }
        let text = "layout(local_size_x = 1) in;
            layout(std140) uniform P { vec3 colour; float gain; };
            layout(std430, binding = 0) writeonly buffer To { float to[]; };
            void main() { to[gl_GlobalInvocationID.x] = gain * colour.y; }";
        let kernel = context.compute_kernel(Source::compute("block.comp", text)).unwrap();
        let mut to = context.uninit_buffer::<f32>(2).unwrap();
        let dispatch = kernel.dispatch().buffer_mut("To", &mut to).uniform("gain", 3.0);
        dispatch.uniform("colour", [0.0, 2.0, 0.0]).run([2, 1, 1]).unwrap();
        assert_eq!(to.read().unwrap(), [6.0; 2]);
        let said = kernel.dispatch().buffer_mut("To", &mut to).run([1, 1, 1]).unwrap_err();
        assert!(said.to_string().ends_with("uniform P { vec3 colour; float gain; }"), "{said}");
    });
}
