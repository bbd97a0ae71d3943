//! Loops of a user's shader on a device that ends long loops early: the right number, or an error.
#![allow(clippy::result_large_err, reason = "the error is looked at whole")]

use crate::common::each;
use quadrille::data::{Field, Values};
use quadrille::shader::{Api, Source};
use quadrille::{Context, Extent, Kind};
use quadrille_run::error::LimitError;
use quadrille_run::{Error, Experiment, PassSetup, Setup};
use quadrille_vp::vector_machine::{DFunction, DVector, Machine, Processor, Profile, Semantics};

fn result(context: &Context, text: &str, setup: Setup, steps: usize) -> Result<Vec<f32>, Error> {
    let mut experiment = Experiment::new(context, &Source::fragment("user.frag", text), setup)?;
    for _ in 0..steps {
        experiment.step()?;
    }
    match experiment.read("y")?.into_values() {
        Values::F32(numbers) => Ok(numbers),
        other => panic!("expected floats, got {}", other.name()),
    }
}

fn one() -> Setup {
    Setup::new().extent(Extent::new(1, 1))
}

/// OpenGL ES has no `##`, which drivers may still accept.
fn may_paste<'a>(context: &Context, texts: &[&'a str]) -> Vec<&'a str> {
    let all = context.abilities().api == Api::Gl;
    texts.iter().copied().filter(|text| all || !text.contains("##")).collect()
}

/// Expects an error that names the budget where there is one; elsewhere the number.
#[track_caller]
fn right_or_refused(context: &Context, text: &str, setup: Setup, wanted: f32) {
    match (context.loop_budget().unwrap(), result(context, text, setup, 1)) {
        (Some(budget), Err(error)) => {
            assert!(matches!(error, Error::Limit(LimitError::LoopsEnded { .. })), "{error}");
            assert_eq!(error.kind(), Kind::Limit);
            let text = error.to_string();
            assert!(text.contains(&format!("{budget} iterations")), "{text}");
            assert!(
                text.starts_with("user.frag: ") && text.contains("column 0 of row 0"),
                "{text}"
            );
        }
        (Some(budget), Ok(got)) => panic!("{got:?} on a device that ends loops after {budget}"),
        (None, got) => assert_eq!(got.unwrap(), [wanted]),
    }
}

const LOOP: &str = "out float y;\nuniform int n;\nvoid main() { int c = 0; \
                    for (int i = 0; i < n; i++) { c += 1; } y = float(c); }";
const NESTED: &str = "out float y;\nuniform int n;\nuniform int m;\nvoid main() { int c = 0; \
                      for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { c += 1; } y = float(c); }";
const SUCCESSIVE: &str = "out float y;\nuniform int n;\nvoid main() { int c = 0; \
                          for (int i = 0; i < n; i++) c += 1; for (int j = 0; j < n; j++) { c += 1; } \
                          y = float(c); }";
const CALLED: &str = "out float y;\nuniform int n;\n\
                      int f(int k) { int c = 0; for (int i = 0; i < k; i++) c += 1; return c; }\n\
                      void main() { int c = 0; for (int i = 0; i < 100; i++) c += f(n); y = float(c); }";
const WHILE: &str = "out float y;\nuniform int n;\n\
                     void main() { int c = 0; while (true) { if (c >= n) break; c++; } y = float(c); }";
const DO: &str = "#define AGAIN do\nout float y;\nuniform int n;\n\
                  void main() { int c = 0; AGAIN { c++; } while (c < n); y = float(c); }";
/// The driver makes these words of `for` and `while`.
const HIDDEN: [&str; 3] = [
    "out float y;\nuniform int n;\nvoid main() { int c = 0; fo\\\nr (int i = 0; i < n; i++) c += 1; y = float(c); }",
    "#define AGAIN wh\\\nile\nout float y;\nuniform int n;\nvoid main() { int c = 0; AGAIN (c < n) c++; y = float(c); }",
    "#define JOIN(a, b) a##b\nout float y;\nuniform int n;\n\
     void main() { int c = 0; JOIN(whi, le) (c < n) c++; y = float(c); }",
];
const DISCARDED: &str = "out float y;\nuniform int n;\nvoid main() { int c = 0; \
                         for (int i = 0; i < n; i++) { c += 1; } if (c != n) discard; else y = float(c); }";

#[test]
fn loops_beyond_the_budget_are_refused_and_no_number_comes_out() {
    each(|context| {
        for text in [LOOP, WHILE, DO, DISCARDED] {
            right_or_refused(context, text, one().value("n", 100_000), 100_000.0);
        }
        for text in may_paste(context, &HIDDEN) {
            right_or_refused(context, text, one().value("n", 100_000), 100_000.0);
        }
        right_or_refused(context, SUCCESSIVE, one().value("n", 40_000), 80_000.0);
        right_or_refused(context, CALLED, one().value("n", 1000), 100_000.0);
        for (n, m) in [(300, 300), (60_000, 2)] {
            right_or_refused(context, NESTED, one().value("n", n).value("m", m), (n * m) as f32);
        }
    });
}

#[test]
fn loops_within_the_budget_are_exact() {
    each(|context| {
        let most = context.loop_budget().unwrap().unwrap_or(100_000) as i32 - 4;
        for text in [LOOP, WHILE, DO, DISCARDED] {
            for n in [1, 2, 1000, most] {
                let setup = one().value("n", n);
                assert_eq!(result(context, text, setup, 1).unwrap(), [n as f32], "{text}");
            }
        }
        assert_eq!(result(context, CALLED, one().value("n", 600), 1).unwrap(), [60_000.0]);
    });
}

/// One cell of many, in one step of many: the mark stays until the results are read.
#[test]
fn one_cell_in_one_step_is_found() {
    let text = "uniform sampler2D x;\nuniform int iteration;\nuniform int long_at;\nout float y;\n\
                void main() {\n    int n = iteration == long_at && TEXEL == ivec2(5, 3) ? 200000 : 3;\n    \
                int c = 0;\n    for (int i = 0; i < n; i++) c++;\n    y = READ(x, TEXEL).r + float(c);\n}";
    each(|context| {
        let extent = Extent::new(17, 7);
        let setup = |long_at: i32| {
            let zeros = Field::new(extent, 1, vec![0.0_f32; extent.texels()]).unwrap();
            Setup::new().input("x", zeros).value("long_at", long_at).feedback("y", "x")
        };
        assert_eq!(result(context, text, setup(-1), 9).unwrap(), vec![27.0; 119]);
        if context.loop_budget().unwrap().is_none() {
            return;
        }
        for long_at in [0, 1, 8] {
            match result(context, text, setup(long_at), 9) {
                Err(Error::Limit(LimitError::LoopsEnded { cells, first, .. })) => {
                    // Its neighbours in a SIMD register may lose their turns with it.
                    assert!((1..=16).contains(&cells), "{cells}");
                    assert!(first.0 <= 5 && first.1 <= 3, "{first:?}");
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn restarting_forgets_the_marks() {
    let text = "uniform sampler2D x;\nuniform int iteration;\nout float y;\nvoid main() {\n    int c = 0;\n    \
                for (int i = 0; i < (iteration == 2 ? 200000 : 2); i++) c++;\n    \
                y = READ(x, TEXEL).r + float(c);\n}";
    each(|context| {
        let setup = Setup::new().input("x", Field::line(vec![1.0_f32]).unwrap()).feedback("y", "x");
        let source = Source::fragment("user.frag", text);
        let mut experiment = Experiment::new(context, &source, setup).unwrap();
        for _ in 0..3 {
            experiment.step().unwrap();
        }
        let ended = context.loop_budget().unwrap().is_some();
        assert_eq!(experiment.read("y").is_err(), ended);
        assert_eq!(experiment.texture("y").is_err(), ended);
        experiment.restart().unwrap();
        experiment.step().unwrap();
        assert_eq!(experiment.read("y").unwrap(), Field::line(vec![3.0_f32]).unwrap());
    });
}

/// A pass whose loops were ended spoils what later passes read of it.
#[test]
fn a_loop_that_is_ended_in_one_pass_spoils_all_outputs() {
    let short =
        "out float y;\nvoid main() { int c = 0; for (int i = 0; i < 3; i++) c++; y = float(c); }";
    let copy = "uniform sampler2D x; out float y;\nvoid main() { y = READ(x, TEXEL).r; }";
    each(|context| {
        let setup = || Setup::new().extent(Extent::new(2, 1)).uniform("n", "200000");
        let pass = |name: &str, text| PassSetup::new(name, Source::fragment("user.frag", text));
        let passes =
            [pass("short", short), pass("long", LOOP), pass("copy", copy).read("x", "long.y")];
        let mut experiment = Experiment::from_passes(context, passes, setup()).unwrap();
        experiment.step().unwrap();
        let ended = context.loop_budget().unwrap().is_some();
        for (output, value) in [("short.y", 3.0), ("long.y", 200_000.0), ("copy.y", 200_000.0)] {
            match experiment.read(output) {
                Err(Error::Limit(LimitError::LoopsEnded { .. })) => assert!(ended, "{output}"),
                Ok(field) => {
                    assert!(!ended, "{output}");
                    assert_eq!(field, Field::new(Extent::new(2, 1), 1, vec![value; 2]).unwrap());
                }
                Err(error) => panic!("{error}"),
            }
        }
    });
}

/// The watched text keeps the user's outputs, places, early returns, discards and names.
#[test]
fn what_a_text_may_hold_works_watched() {
    let texts = [
        "layout(location = 0) out float y; void main() { y = 0.0; for (int i = 0; i < 3; i++) y += 1.0; }",
        "layout(location = 0) out vec4 o; layout(location = 1) out float y; void main() { o = vec4(1.0); \
         for (int i = 0; i < 3; i++) { y = float(i) + 1.0; if (i == 2) return; } }",
        "/* é */ out\nfloat\ny;\nvoid main(void) { int i = 0; do { i++; } while (i < 3); y = float(i); }",
        "precision mediump float; out highp float y; void later(); void main() { later(); }\n\
         void later() { y = 0.0; for (int i = 0; i < 3; i++) { if (i == 7) discard; y += 1.0; } }",
        "struct S { float main; }; out float y; void main() { S s = S(3.0); for (;;) { y = s.main; break; } }",
        "#ifdef NEVER\nout float y;\n#else\nout float y;\n#endif\nvoid main() { y = 0.0; while (y < 3.0) y += 1.0; }",
    ];
    each(|context| {
        for text in texts {
            assert_eq!(
                result(context, text, one(), 1).unwrap_or_else(|e| panic!("{e}")),
                [3.0],
                "{text}"
            );
        }
    });
}

/// Errors still show the user's own lines and columns.
#[test]
fn mistakes_in_a_text_with_loops_are_shown_where_they_are() {
    each(|context| {
        let text = "out float y;\nvoid main() {\n    for (int i = 0; i < 3; i++) y = missing;\n}\n";
        let error = result(context, text, one(), 1).unwrap_err();
        assert_eq!(error.place().unwrap().line, Some(3), "{error}");
        assert!(error.to_string().contains("missing"), "{error}");
    });
}

#[test]
fn no_target_is_left_to_watch_with() {
    each(|context| {
        let limit = context.abilities().max_targets as usize;
        let outputs = |count: usize| {
            let declared: String =
                (0..count).map(|i| format!("layout(location = {i}) out float o{i};\n")).collect();
            let written: String = (0..count).map(|i| format!("o{i} = float(c);\n")).collect();
            format!(
                "{declared}void main() {{ int c = 0; for (int i = 0; i < 3; i++) c++;\n{written}}}"
            )
        };
        let make = |count| {
            let source = Source::fragment("user.frag", outputs(count));
            Experiment::new(context, &source, one())
        };
        assert!(make(limit - 1).is_ok());
        match (context.loop_budget().unwrap(), make(limit)) {
            (Some(_), Err(error)) => {
                assert!(
                    matches!(error, Error::Limit(LimitError::NoTargetToWatch { .. })),
                    "{error}"
                );
                assert!(
                    error.to_string().contains(&format!("at most {} outputs", limit - 1)),
                    "{error}"
                );
            }
            (_, made) => assert!(made.is_ok()),
        }
    });
}

/// A function of the vector machine from GLSL, on every engine and of both kinds.
#[test]
fn loops_of_vector_functions_are_right_or_refused() {
    let to_vector = "void program() { float s = 0.0; for (int i = 0; i < int(v[1].x); i++) s += 1.0; o[1] = vec4(s); }";
    let to_scalar = "void program() { float s = 0.0; int i = 0; while (i < int(v[1].x)) { s += 1.0; i++; } \
                     o[1] = vec4(s); }";
    each(|context| {
        let machine = Machine::new(context);
        let budget = context.loop_budget().unwrap();
        for engine in Processor::of(context).into_iter().filter(|e| *e != Processor::Simulator) {
            let machine = machine.with(engine).unwrap();
            let make = |text, semantics| {
                DFunction::from_glsl(&machine, "loop.glsl", text, Profile::Modern, semantics)
                    .unwrap()
            };
            let (vector, scalar) =
                (make(to_vector, Semantics::VToV), make(to_scalar, Semantics::VToS));
            for (turns, ends) in [(1000.0, false), (65_000.0, false), (100_000.0, true)] {
                // One invocation of many.
                let mut numbers = vec![1.0_f32; 600];
                numbers[300] = turns;
                let mut wanted = vec![1.0_f32; 600];
                wanted[300..304].fill(turns);
                let x = DVector::from_slice(&numbers);
                let (y, sum) = (vector.apply::<f32>(&[&x]), scalar.total(&[&x]));
                match budget {
                    Some(budget) if ends => {
                        for error in [y.err().unwrap(), sum.unwrap_err()] {
                            assert_eq!(error.kind(), Kind::Limit);
                            let said = error.to_string();
                            assert!(said.contains("loop.glsl: this device"), "{engine}: {said}");
                            assert!(
                                said.contains(&format!("{budget} iterations")),
                                "{engine}: {said}"
                            );
                        }
                    }
                    _ => {
                        assert_eq!(y.unwrap().read().unwrap(), wanted, "{engine}");
                        assert_eq!(sum.unwrap(), turns + 9.0, "{engine}");
                    }
                }
            }
        }
    });
}

#[test]
fn a_vector_function_that_discards_is_refused() {
    let machine = Machine::new(&Context::headless().unwrap());
    for text in [
        "void program() { if (v[1].x > 0.0) discard; o[1] = v[1]; }",
        "void program() { if (v[1].x > 0.0) disc\\\nard; o[1] = v[1]; }",
        "#define JOIN(a, b) a##b\nvoid program() { if (v[1].x > 0.0) JOIN(dis, card); o[1] = v[1]; }",
    ] {
        let made = DFunction::from_glsl(&machine, "f.glsl", text, Profile::Modern, Semantics::VToV);
        assert!(made.err().unwrap().to_string().contains("discard"), "{text}");
    }
}
