#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::Error;
use crate::dialect::Dialect;
use crate::plan::validate::check_names;
use crate::plan::*;
use crate::source::shader::Declared;
use quadrille::data::Field;
use quadrille::gl::Type;
use quadrille::gl::Value;
use quadrille::internal::stream::{Uniform, Uniforms};

/// Returns a shader of `name.frag` that reads these as floats, and writes these as floats of one
/// channel.
fn shader(name: &str, samplers: &[&str], outputs: &[&str]) -> Shader {
    let float = |name: &&str| Declared {
        name: (*name).into(),
        kind: "float".into(),
        class: Class::Float,
        channels: 1,
    };
    Shader {
        name: format!("{name}.frag"),
        samplers: samplers.iter().map(|name| ((*name).into(), Class::Float)).collect(),
        layered: Vec::new(),
        uniforms: Uniforms::default(),
        removed: Vec::new(),
        samples: true,
        levels: Vec::new(),
        float_position: false,
        differences: false,
        own_vertices: false,
        outputs: outputs.iter().map(float).collect(),
        dispatched: None,
        dialect: Dialect::Plain,
        defaults: Vec::new(),
    }
}

fn pass(name: &str) -> PassSetup {
    PassSetup::new(name, quadrille::shader::Source::fragment("unused.frag", ""))
}

fn field(width: u32) -> Field {
    Field::new(Extent::new(width, 2), 1, vec![0.0_f32; 2 * width as usize]).unwrap()
}

/// Returns two passes: `a` reads x and writes p; `b` reads what is said as p, and x, and writes q.
fn planned(from: &str, setup: &Setup) -> Result<Plan, Error> {
    let shaders = [shader("a", &["x"], &["p"]), shader("b", &["p", "x"], &["q"])];
    plan(&[pass("a"), pass("b").read("p", from)], &shaders, setup)
}

#[track_caller]
fn refused(result: Result<Plan, Error>, parts: &[&str]) {
    let text = result.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_later_pass_reads_inputs_and_outputs_of_this_step() {
    let setup = Setup::new().input("x", field(3)).feedback("b.q", "x");
    let plan = planned("a.p", &setup).unwrap();
    assert_eq!(plan.passes[0].reads, [("x".into(), ReadFrom::Input(0))]);
    assert_eq!(
        plan.passes[1].reads,
        [("p".into(), ReadFrom::Output(0)), ("x".into(), ReadFrom::Input(0))]
    );
    let names: Vec<_> = plan.outputs.iter().map(|o| (o.name.as_str(), o.becomes)).collect();
    assert_eq!(names, [("a.p", None), ("b.q", Some(0))]);
    assert_eq!(plan.passes[1].outputs, 1..2);
    assert_eq!(plan.passes[1].extent, Extent::new(3, 2));
}

#[test]
fn a_pass_reads_neither_itself_nor_a_later_one() {
    let setup = Setup::new().input("x", field(3));
    for from in ["b.q", "c.r"] {
        refused(planned(from, &setup), &["pass `b`", &format!("`{from}`"), "x, a.p"]);
    }
    refused(planned("p", &setup), &["cannot read `p`"]);
    let both = setup.input("a.p", field(3));
    refused(planned("a.p", &both), &["name of an input and of an output `a.p` is given twice"]);
}

#[test]
fn names_that_are_not_there_list_those_that_are() {
    let setup = || Setup::new().input("x", field(3));
    refused(planned("a.p", &setup().input("z", field(3))), &["no input `z`", "p, x"]);
    refused(planned("a.p", &setup().uniform("k", "1")), &["a.frag, b.frag", "no uniform `k`"]);
    refused(planned("a.p", &setup().feedback("q", "x")), &["no output `q`", "a.p, b.q"]);
    refused(planned("a.p", &setup().feedback("b.q", "y")), &["no input `y`", "they have: x"]);
    refused(planned("a.p", &Setup::new()), &["not given", "sampler2D x"]);
    let shaders = [shader("a", &["x"], &["p"])];
    refused(plan(&[pass("a").read("y", "x")], &shaders, &setup()), &["no input `y`"]);
    refused(plan(&[pass("a").uniform("k", "1")], &shaders, &setup()), &["no uniform `k`"]);
}

#[test]
fn names_of_passes_are_given_once_and_have_no_dot() {
    let names = |names: &[&str]| {
        let passes: Vec<PassSetup> = names.iter().map(|name| pass(name)).collect();
        check_names(&passes, &Setup::new()).unwrap_err().to_string()
    };
    assert!(names(&["a", "a"]).contains("pass `a` is given twice"));
    assert!(names(&["a.b"]).contains("`a.b`"));
    assert!(names(&[]).contains("at least one pass"));
    let twice = Setup::new().input("x", field(3)).input("y", field(3));
    let twice = twice.feedback("b.q", "x").feedback("b.q", "y");
    let error = check_names(&[pass("a")], &twice).unwrap_err().to_string();
    assert!(error.contains("output `b.q` is to replace both"), "{error}");
}

#[test]
fn classes_must_agree() {
    let setup = Setup::new().input("x", field(3));
    let mut shaders = [shader("a", &["x"], &["p"]), shader("b", &["p", "x"], &["q"])];
    shaders[1].samplers[1].1 = Class::Int;
    let passes = [pass("a"), pass("b").read("p", "a.p")];
    let texts = ["sampler2D by a.frag", "isampler2D by b.frag"];
    refused(plan(&passes, &shaders, &setup), &texts);
    shaders[1].samplers[1].1 = Class::Float;
    shaders[1].samplers[0].1 = Class::Uint;
    let texts = ["output `a.p` as usampler2D", "it holds floats"];
    refused(plan(&passes, &shaders, &setup), &texts);
}

#[test]
fn each_pass_has_its_own_extent() {
    let setup = Setup::new().input("x", field(4));
    let shaders = [shader("a", &["x"], &["p"]), shader("b", &["p"], &["q"])];
    let small = Extent::new(2, 1);
    let passes = [pass("a").extent(small), pass("b").read("p", "a.p")];
    let planned = plan(&passes, &shaders, &setup).unwrap();
    assert_eq!((planned.passes[0].extent, planned.passes[1].extent), (small, small));
    let both = [shader("a", &["x"], &["p"]), shader("b", &["p", "x"], &["q"])];
    let differ = plan(&passes, &both, &setup);
    refused(differ, &["pass `b`", "x 4 x 2, a.p 2 x 1"]);
    // What an output becomes decides, whatever else is read.
    let fed = plan(&passes, &both, &Setup::new().input("x", field(4)).feedback("b.q", "x"));
    assert_eq!(fed.unwrap().passes[1].extent, Extent::new(4, 2));
    let unlike = plan(&passes, &shaders, &Setup::new().input("x", field(4)).feedback("a.p", "x"));
    refused(unlike, &["`a.p` is 1 channel of floats, 2 x 1", "`x` is 1 channel of floats, 4 x 2"]);
    refused(plan(&[pass("a")], &[shader("a", &[], &["p"])], &Setup::new()), &["pass `a`", "size"]);
}

#[test]
fn uniforms_of_a_pass_go_before_those_of_all() {
    let setup = Setup::new().input("x", field(3)).uniform("k", "1");
    let number = |class| Type::from(TypeKind::Number { class, components: 1 });
    let mut shaders = [shader("a", &["x"], &["p"]), shader("b", &["x"], &["q"])];
    let loose = |name: &str, glsl| Uniform { name: name.into(), glsl, member: None };
    for shader in &mut shaders {
        shader.uniforms.0.push(loose("k", number(Class::Float)));
    }
    shaders[1].uniforms.0.push(loose("iteration", number(Class::Int)));
    let passes = [pass("a"), pass("b").uniform("k", "2")];
    let plan = plan(&passes, &shaders, &setup).unwrap();
    let value = |pass: usize| plan.passes[pass].uniforms.clone();
    assert_eq!(value(0), [("k".into(), Value::Float(1.0))]);
    assert_eq!(value(1), [("k".into(), Value::Float(2.0))]);
    let moving = |pass: usize| plan.passes[pass].moving.len();
    assert_eq!((moving(0), moving(1)), (0, 1));
}
