//! Variables that are declared without a value, and outputs, are 0 in the dialects of browsers; in
//! plain shaders they are told. Names that hosts define are there on every API.

use super::{Dialect, EXTENT, Setup, is, made, pasted};
use crate::common::{each, on_extremes};
use quadrille::Context;
use quadrille::internal::Ability;
use quadrille::shader::{Api, Source};
use quadrille_run::{Dialects, Experiment, Names};

/// A text: what stands before its `main`, what sets `c` there, and what `c` then is.
type Form = (&'static str, &'static str, f64);

/// Every form in which a variable may be read before it is set.
const FORMS: [Form; 28] = [
    ("", "vec3 v; for (int i = 0; i < 4; i++) v += 0.125 * float(i); c = v;", 0.75),
    ("vec3 g; void add() { g += 0.25; }", "add(); add(); c = g;", 0.5),
    ("float g; float next() { return g += 0.25; }", "c += next(); c += next();", 0.75),
    ("", "float a[3]; for (int i = 0; i < 3; i++) a[i] += float(i); c += a[1] + a[2];", 3.0),
    (
        "const int N = 5; vec2 g[N];",
        "g[2] += 0.5; for (int i = 0; i < N; i++) c.xy += g[i]; c.z = c.x;",
        0.5,
    ),
    (
        "const int N = 70;",
        "float a[N * 2]; for (int i = 0; i < N; i++) { a[i] += 0.5; c += a[i] + a[i + N]; }",
        35.0,
    ),
    (
        "struct R { vec3 c; float d[2]; bool hit; int n; }; struct S { R r[2]; mat2 m; };",
        "S s; if (!s.r[1].hit) s.r[1].c += 0.5; c = s.r[1].c + s.r[0].d[1] + s.m[1][0] + float(s.r[0].n);",
        0.5,
    ),
    (
        "const int N = 3; struct R { vec3 c[N]; } s; struct { float x; } q;",
        "R t; t.c[0] += 1.0; s.c[1] += 0.5; q.x += 0.25; c = s.c[0] + s.c[1] + q.x + t.c[0] + t.c[2];",
        1.75,
    ),
    (
        "",
        "struct Q { float x; vec2 y; } q; Q r; q.x += 0.5; r.y += 0.25; c += q.x + q.y.x + r.x + r.y.y;",
        0.75,
    ),
    ("", "float a, b = 1.0, d; a += b; d += 2.0; c += a + b + d;", 4.0),
    ("", "vec3 v; v.x = 0.5; c += v.x + v.y + v.z;", 0.5),
    ("", "mat3 m; m[1] = vec3(0.5); c = m * vec3(0.0, 1.0, 0.0) + m[0] + m[2];", 0.5),
    (
        "",
        "uint u; bvec3 b; ivec4 i; mat2x3 m; u += 1u; c += float(u) + float(i.w) + m[1].z + (any(b) ? 1.0 : 0.0);",
        1.0,
    ),
    (
        "",
        "highp vec3 v; lowp float a, b; mediump int i; v += 0.5; a += 0.25; c = v + a + b + float(i);",
        0.75,
    ),
    ("", "for (int i; i < 4; i++) c += 0.25;", 1.0),
    ("", "int n; while (n++ < 3) c += 0.5;", 1.5),
    ("", "bool hit; c += 0.25; if (hit) c += 9.0;", 0.25),
    ("", "for (int i = 0; i < 3; i++) { float t; t += 0.5; c += t; }", 1.5),
    ("", "switch (int(c.x)) { case 0: float t; t += 0.5; c += t; break; default: c += 9.0; }", 0.5),
    ("void f(inout float x) { x += 0.5; }", "float y; f(y); f(y); c += y;", 1.0),
    ("void f(out float x) { x += 0.5; }", "float y = 3.0; f(y); c += y;", 0.5),
    (
        "bool f(float t, out vec3 x, out float a[2]) { if (t < 99.0) return false; x = vec3(1.0); a[0] = 1.0; return true; }",
        "vec3 y = vec3(3.0); float b[2]; b[0] = 7.0; bool r = f(c.x, y, b); c = y + b[0] + b[1] + (r ? 1.0 : 0.0);",
        0.0,
    ),
    (
        "void f(out float x); void f(out vec2 x) { x.x += 0.5; } void f(out float x) { x += 0.25; }",
        "float y = 1.0; vec2 z = vec2(1.0); f(y); f(z); c += y + z.x + z.y;",
        0.75,
    ),
    ("#define R3 vec3\n#define Z(n) R3 n\n", "R3 v; Z(d); v += 0.5; d += 0.25; c = v + d;", 0.75),
    (
        "#define decl float x; x += 0.5;\n#define acc(T, n, v) T n; n += v;\n",
        "decl acc(float, y, 0.25) acc(vec3, // of one\n w,\n 0.5) c = w + x + y;",
        1.25,
    ),
    ("#define L(i, n) \\\n for (int i; i < n; i++)\n", "L(k, 4) c += 0.25;", 1.0),
    ("#ifdef HOST\nfloat g = 1.0;\n#else\nfloat g;\n#endif\n", "g += 0.5; c += g;", 0.5),
    (
        "float late();",
        "c += late(); } const int N = 4; float z[N]; float late() { z[1] += 0.5; return z[0] + z[1] + z[2];",
        0.5,
    ),
];

/// Returns a text of a dialect that computes a form.
fn text(dialect: Dialect, (before, body, _): Form) -> String {
    // What sets the output comes first, as the last form ends `main` itself.
    let image = format!(
        "\n{before}\nvec3 c; void form();\nMAIN {{ form(); OUT = vec4(c, 1.0); }}\nvoid form() {{ {body} }}\n"
    );
    let (front, main, out) = match dialect {
        Dialect::Shadertoy => ("", "void mainImage(out vec4 o, in vec2 p)", "o"),
        Dialect::Sandbox => {
            ("precision mediump float; uniform vec2 resolution;", "void main()", "gl_FragColor")
        }
        Dialect::Legacy => ("varying vec2 v;", "void main()", "gl_FragColor"),
        _ => ("/*{ \"INPUTS\": [] }*/", "void main()", "gl_FragColor"),
    };
    format!("{front}{image}").replace("MAIN", main).replace("OUT", out)
}

#[test]
fn what_is_declared_without_a_value_is_zero() {
    let hosts = [Dialect::Shadertoy, Dialect::Sandbox, Dialect::Legacy, Dialect::Isf];
    each(|context| {
        for (at, form) in FORMS.into_iter().enumerate() {
            for dialect in [hosts[at % 4], hosts[(at + 1) % 4]] {
                let text = text(dialect, form);
                let mut experiment = made(context, dialect, &text, Setup::new().extent(EXTENT));
                experiment.step().unwrap();
                let value = form.2;
                is(&experiment, "colour", 0.0, &|_, _| [value, value, value, 1.0]);
                assert_eq!(experiment.notes(), [], "{text}");
            }
        }
    });
}

#[test]
fn outputs_and_what_corners_hand_on_begin_with_zero() {
    let targets = "layout(location = 1) out vec4 other; varying vec2 v;
        void main() { gl_FragColor.x += v.x; other.y += 0.5; }";
    let fragment = "/*{ \"INPUTS\": [] }*/ varying vec2 twice; varying vec3 never;
        void main() { gl_FragColor = vec4(twice, never.x, 1.0); }";
    let vertices = "varying vec2 twice; varying vec3 never;
        void main() { isf_vertShaderInit(); vec2 c; c += isf_FragNormCoord; twice += 2.0 * c; }";
    each(|context| {
        let setup = || Setup::new().extent(EXTENT);
        let mut experiment = made(context, Dialect::Legacy, targets, setup());
        experiment.step().unwrap();
        is(&experiment, "colour", 1e-6, &|x, _| [x / 13.0, 0.0, 0.0, 0.0]);
        is(&experiment, "other", 0.0, &|_, _| [0.0, 0.5, 0.0, 0.0]);
        let source = Source::fragment("pasted.fs", fragment).vertices("pasted.vs", vertices);
        let mut experiment = Experiment::new(context, &source, setup()).unwrap();
        experiment.step().unwrap();
        is(&experiment, "colour", 1e-5, &|x, y| [x / 6.5, y / 3.5, 0.0, 1.0]);
    });
}

#[test]
fn lines_and_columns_stay_the_authors() {
    let wrong = [
        "void mainImage(out vec4 o, in vec2 p) {\n    vec3 a, b; float d[3]; o = vec4(a + b, wrong); }",
        "#define D(n) float n; n\nvoid mainImage(out vec4 o, in vec2 p) { D(a) += wrong; o = vec4(a); }",
        "varying vec2 v; void f(out float x) {}\nvoid main() { vec2 w;\tgl_FragColor = vec4(wrong, w, v.x); }",
        "#define X 1.0\n#ifdef GL_ES\nfloat a = wrong;\n#endif\nvoid main() { gl_FragColor = vec4(a); }",
    ];
    on_extremes(|context| {
        for text in wrong {
            let error = match context.kernel(pasted(text)) {
                Ok(_) => panic!("compiles: {text}"),
                Err(error) => error,
            };
            let line = 1 + text.lines().position(|line| line.contains("wrong")).unwrap();
            let written = text.lines().nth(line - 1).unwrap();
            let column = 1 + written.find("wrong").unwrap();
            let (place, shown) = (error.place().unwrap().clone(), error.to_string());
            assert_eq!(place.line, Some(line), "{shown}");
            assert_eq!(place.column.unwrap_or(column), column, "{shown}");
            assert!(shown.contains(written), "{shown}");
        }
    });
}

#[test]
fn names_that_hosts_define_are_there_on_every_api() {
    let asks = |names: &[&str]| {
        let ask = |(at, name): (usize, &&str)| {
            format!("#ifdef {name}\n#define A{at} 1.0\n#else\n#define A{at} 0.0\n#endif\n")
        };
        names.iter().enumerate().map(ask).collect::<String>()
    };
    let es = ["GL_ES", "GL_FRAGMENT_PRECISION_HIGH", "GL_OES_standard_derivatives"];
    let image = "void mainImage(out vec4 o, in vec2 p) { o = vec4(A0, A1, A2, 1.0); }";
    let main = "void main() { gl_FragColor = vec4(A0, A1, A2, 1.0); }";
    let sandbox = "uniform vec2 resolution;\n#ifdef GL_FRAGMENT_PRECISION_HIGH\nprecision highp float;\nprecision highp sampler2D;\n#endif\n";
    let quality = asks(&["GL_ES", "HW_PERFORMANCE", "NOBODYS"]);
    let own = "#ifndef GL_ES\n#define GL_ES 0\n#endif\n#define HW_PERFORMANCE 0\n#define A1 float(HW_PERFORMANCE)\n#define A2 0.5\n";
    each(|context| {
        for (dialect, text, wanted) in [
            (Dialect::Shadertoy, format!("{quality}{image}"), [1.0, 1.0, 0.0, 1.0]),
            (Dialect::Sandbox, format!("{sandbox}{}{main}", asks(&es)), [1.0, 1.0, 1.0, 1.0]),
            (Dialect::Legacy, format!("{}{main}", asks(&es)), [1.0, 1.0, 1.0, 1.0]),
            (Dialect::Isf, format!("/*{{}}*/{}{main}", asks(&es)), [1.0, 1.0, 1.0, 1.0]),
            (
                Dialect::Shadertoy,
                format!(
                    "#if defined(GL_ES) && GL_ES == 1 // GL_ES\n#define A0 1.0\n#endif\n{own}{image}"
                ),
                [1.0, 0.0, 0.5, 1.0],
            ),
        ] {
            let mut experiment = made(context, dialect, &text, Setup::new().extent(EXTENT));
            experiment.step().unwrap();
            is(&experiment, "colour", 0.0, &|_, _| wanted);
        }
        // A text of desktop GLSL asks for its own API.
        let text = format!("#version 120\n{}{main}", asks(&["GL_ES", "NOBODYS", "NOBODYS"]));
        let is_es = context.abilities().api_text().contains("ES");
        let mut experiment = made(context, Dialect::Legacy, &text, Setup::new().extent(EXTENT));
        experiment.step().unwrap();
        is(&experiment, "colour", 0.0, &|_, _| [f64::from(u8::from(is_es)), 0.0, 0.0, 1.0]);
    });
}

#[test]
fn what_a_plain_shader_leaves_to_chance_is_told() {
    let text = "out vec3 o;\nvoid main() {\n    vec3 c;\n    for (int i = 0; i < 4; i++) c += 0.1;\n    o = c;\n}";
    let told = |context: &Context, text: &str| {
        let source = Source::fragment("t.frag", text);
        let experiment = Experiment::new(context, &source, Setup::new().extent(EXTENT)).unwrap();
        let notes: Vec<String> = experiment.notes().iter().map(ToString::to_string).collect();
        assert_eq!(Names::of(context, &source).unwrap().notes, experiment.notes());
        notes
    };
    each(|context| {
        let notes = told(context, text);
        assert!(notes.len() == 1 && notes[0].starts_with("t.frag:3:10: `c` is read"), "{notes:?}");
        assert!(told(context, &text.replace("vec3 c;", "vec3 c = vec3(0.0);")).is_empty());
    });
    // Where there is no `precise`.
    let sum = "out float o; void main() { PRECISE float x = TEXEL.x == 0 ? 1.0 : 2.0; o = x; }";
    let own = format!("#define PRECISE highp\n{sum}");
    for api in [Api::Gl, Api::Gles] {
        let builder = || Context::builder().api(api);
        let without = builder().without(Ability::Precise).build().unwrap();
        let notes = told(&without, sum);
        assert!(
            notes.len() == 1 && notes[0].starts_with("t.frag: PRECISE has no effect"),
            "{notes:?}"
        );
        assert!(told(&without, &sum.replace("PRECISE", "/* PRECISE */")).is_empty());
        assert!(told(&without, &own).is_empty());
        let with = builder().build().unwrap();
        assert_eq!(told(&with, sum).is_empty(), with.abilities().precise);
    }
}
