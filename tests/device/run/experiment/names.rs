//! Uniforms and names of an experiment.

use super::*;
use quadrille_run::error::StateError;

#[test]
fn iteration_and_size_are_set_unless_they_are_given() {
    let text = "uniform int iteration; uniform ivec2 size; out ivec3 y;
        void main() { y = ivec3(iteration, size); }";
    each(|context| {
        let setup = Setup::new().extent(Extent::new(3, 1));
        let mut experiment = made(context, text, setup.clone());
        assert!(experiment.changes());
        for iteration in 0..3 {
            experiment.step().unwrap();
            let wanted = [iteration, 3, 1].repeat(3);
            let field = experiment.read("y").unwrap();
            assert_eq!(field.values(), &Values::I32(wanted));
        }
        let setup = setup.uniform("iteration", "40").value("size", [1, 2]);
        let mut experiment = made(context, text, setup);
        assert!(!experiment.changes());
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap().values(), &Values::I32([40, 1, 2].repeat(3)));
    });
}

/// Every type that text can give, each told apart by what comes back.
#[test]
fn uniforms_from_text_arrive_as_the_shader_declares_them() {
    let cases = [
        ("float", "-2.5", "vec4(u)", [-2.5; 4]),
        ("vec3", "1, 2, 3", "vec4(u, 0.0)", [1.0, 2.0, 3.0, 0.0]),
        ("int", "-7", "vec4(u)", [-7.0; 4]),
        ("ivec2", "3,-4", "vec4(u, u)", [3.0, -4.0, 3.0, -4.0]),
        ("uint", "9", "vec4(u)", [9.0; 4]),
        ("uvec4", "1,2,3,4", "vec4(u)", [1.0, 2.0, 3.0, 4.0]),
        ("bool", "true", "vec4(u ? 1.0 : 2.0)", [1.0; 4]),
        ("mat2", "1,2,3,4", "vec4(u[0], u[1])", [1.0, 2.0, 3.0, 4.0]),
    ];
    let arrays = [
        ("float u[3]", "1,2,3", "vec4(u[0], u[1], u[2], 0.0)", [1.0, 2.0, 3.0, 0.0]),
        ("vec2 u[2]", "1,2,3,4", "vec4(u[0], u[1])", [1.0, 2.0, 3.0, 4.0]),
        ("int u[2]", "5,6", "vec4(u[0], u[1], 0, 0)", [5.0, 6.0, 0.0, 0.0]),
        ("uint u[2]", "5,6", "vec4(u[0], u[1], 0, 0)", [5.0, 6.0, 0.0, 0.0]),
    ];
    each(|context| {
        let plain = cases.map(|(kind, text, e, wanted)| (format!("{kind} u"), text, e, wanted));
        let arrays = arrays.map(|(kind, text, e, wanted)| (kind.to_owned(), text, e, wanted));
        for (declared, given, expression, wanted) in plain.into_iter().chain(arrays) {
            let text = format!(
                "uniform highp {declared};\nout vec4 y;\nvoid main() {{ y = {expression}; }}"
            )
            .replace("highp bool", "bool");
            let setup = Setup::new().extent(Extent::new(1, 1)).uniform("u", given);
            let mut experiment = made(context, &text, setup);
            experiment.step().unwrap();
            assert_eq!(numbers(&experiment.read("y").unwrap()), wanted, "{declared}");
        }
    });
}

#[test]
fn a_uniform_that_does_not_fit_says_the_type_and_the_text() {
    let text = "uniform vec3 light; out vec3 y; void main() { y = light; }";
    each(|context| {
        let setup = |value: &str| Setup::new().extent(Extent::new(1, 1)).uniform("light", value);
        for value in ["1,2", "a,b,c", "", "1,2,1e39"] {
            let error = refused(context, text, setup(value)).to_string();
            assert!(error.contains("`light` is a vec3: expected 3 numbers"), "{error}");
            assert!(error.contains(&format!("got `{value}`")), "{error}");
        }
        let value = Setup::new().extent(Extent::new(1, 1)).value("light", Value::Float(1.0));
        let error = refused(context, text, value).to_string();
        assert!(error.contains("`light` is a vec3; got a float"), "{error}");
    });
}

#[test]
fn names_that_are_not_there_list_those_that_are() {
    each(|context| {
        let field = || floats(Extent::new(2, 2), 4, 1);
        let says = |setup: Setup, parts: &[&str]| {
            let error = refused(context, COPY, setup);
            for part in parts {
                assert!(error.to_string().contains(part), "{part} in {error}");
            }
            assert_eq!(error.kind(), Kind::Input);
        };
        let given = || Setup::new().input("x", field());
        says(Setup::new(), &["not given", "sampler2D x"]);
        says(Setup::new().extent(Extent::new(2, 2)), &["not given", "sampler2D x"]);
        says(given().input("z", field()), &["no input `z`", "it has: x"]);
        says(given().input("x", field()), &["input `x` is given twice"]);
        says(given().uniform("x", "1"), &["no uniform `x`"]);
        says(given().uniform("c", "1").uniform("c", "2"), &["uniform `c` is given twice"]);
        says(given().feedback("z", "x"), &["no output `z`", "it has: y"]);
        says(given().feedback("y", "z"), &["no input `z`", "it has: x"]);
        says(given().feedback("y", "x").feedback("y", "x"), &["`y` is given twice"]);
        let experiment = made(context, COPY, given());
        let error = experiment.read("z").unwrap_err().to_string();
        assert!(error.contains("no output `z`") && error.contains("it has: y"), "{error}");
        assert!(matches!(experiment.read("y"), Err(Error::State(StateError::NotYet { .. }))));
    });
}

/// A name that the compiler removed may be given.
#[test]
fn removed_names_are_fine() {
    each(|context| {
        let text = "uniform sampler2D x; uniform float k; uniform sampler2D z; out vec4 y;
            void main() { y = READ(x, TEXEL); if (false) { y *= k + READ(z, TEXEL).r; } }";
        let field = floats(Extent::new(3, 2), 4, 5);
        let setup = Setup::new().input("x", field.clone()).input("z", field.clone());
        let mut experiment = made(context, text, setup.uniform("k", "1"));
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), field);
    });
}

#[test]
fn an_output_without_effect_is_named() {
    each(|context| {
        let text = "out float idle; void main() { }";
        let error = refused(context, text, Setup::new().extent(Extent::new(1, 1))).to_string();
        assert!(error.contains("the driver removed `idle`"), "{error}");
    });
}
