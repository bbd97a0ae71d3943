//! Shaders that have a part for another host too.

use super::*;

const IMAGE: &str =
    "void mainImage(out vec4 o, in vec2 p) { o = vec4(p / iResolution.xy, iTime, 1.0); }\n";

#[track_caller]
fn is_the_image(experiment: &mut Experiment, output: &str) {
    experiment.advance(2, &mut ()).unwrap();
    is(experiment, output, 4.0 * ROUNDING, &|x, y| [x / 13.0, y / 7.0, 0.25, 1.0]);
}

#[test]
fn a_main_behind_a_name_that_nothing_defines_is_passed_over() {
    let host =
        "#ifdef HOST\nout vec4 own; void main() { mainImage(own, gl_FragCoord.xy); }\n#endif\n";
    let text = format!("#ifdef HOST\n#include <no.glsl>\n#endif\n{IMAGE}{host}");
    by_turns([()], |context, ()| {
        let setup = || Setup::new().extent(EXTENT).rate(4.0);
        is_the_image(&mut made(context, Dialect::Shadertoy, &text, setup()), "colour");
        // Where the name is defined, it counts.
        let source = Source::fragment("pasted.frag", &*text).define("HOST", 1);
        let source = source.file("no.glsl", "uniform vec3 iResolution; uniform float iTime;");
        let source = source.recognised();
        assert_eq!(source.read_as(), Dialect::Plain);
        let setup = setup().uniform("iResolution", "13,7,1").uniform("iTime", "0.25").flip(true);
        is_the_image(&mut Experiment::new(context, &source, setup).unwrap(), "own");
    });
}

#[test]
fn a_main_of_its_own_is_kept_where_the_dialect_is_told() {
    let text = format!("{IMAGE}out vec4 own; void main() {{ mainImage(own, gl_FragCoord.xy); }}");
    let source = pasted(text);
    assert_eq!((source.read_as(), source.resembles()), (Dialect::Plain, Some(Dialect::Shadertoy)));
    by_turns([()], |context, ()| {
        let told = source.clone().dialect(Dialect::Shadertoy);
        assert_eq!(told.resembles(), None);
        let setup = Setup::new().extent(EXTENT).rate(4.0);
        is_the_image(&mut Experiment::new(context, &told, setup).unwrap(), "own");
    });
}

/// Lists of initial values in braces, and numbers that become floats where they are returned.
#[test]
fn later_syntax_is_taken_where_the_driver_has_it() {
    let text = "float none() { return 0; }
        const vec2[2] PAIR = { vec2(1.0, 2.0), vec2(3.0, 4.0) };
        void mainImage(out vec4 o, in vec2 p) { o = vec4(PAIR[0], PAIR[1] + none()); }";
    let context = Context::headless().unwrap();
    if !context.abilities().renderer.contains("llvmpipe") {
        return;
    }
    let mut experiment = made(&context, Dialect::Shadertoy, text, Setup::new().extent(EXTENT));
    experiment.step().unwrap();
    is(&experiment, "colour", 0.0, &|_, _| [1.0, 2.0, 3.0, 4.0]);
}
