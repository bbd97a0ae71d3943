//! The arguments that would help against an error of the library, which the command adds to the
//! message.

use std::borrow::Cow;

use quadrille::linalg::solve;
use quadrille::{Failure, gl, io, shader, stream};
use quadrille_lab::MeasurementError;
use quadrille_run::error::{LimitError, PassError, SizeError};
use quadrille_run::io::description;
use quadrille_vp::{sat, vector_machine};

use super::failure_of;

/// The arguments that would help against an error, found by the first of its causes that has some.
pub(super) fn of(error: &anyhow::Error) -> Option<Cow<'static, str>> {
    let failures = || error.chain().filter_map(failure_of);
    let missing = failures().find_map(|failure| of_missing(failure.find()?));
    missing.map(Cow::Owned).or_else(|| failures().find_map(of_failure).map(Cow::Borrowed))
}

fn of_failure(failure: &dyn Failure) -> Option<&'static str> {
    None.or_else(|| failure.find().and_then(of_sat))
        .or_else(|| failure.find().and_then(of_vector_machine))
        .or_else(|| failure.find().and_then(of_measurement))
        .or_else(|| failure.find().and_then(of_experiment))
        .or_else(|| failure.find().and_then(of_description))
        .or_else(|| failure.find().and_then(of_solver))
        .or_else(|| failure.find().and_then(of_io))
        .or_else(|| failure.find().and_then(of_gl))
        .or_else(|| failure.find().and_then(of_shader))
        .or_else(|| quadrille::internal::advice(failure))
}

/// Advises how to set the first input or uniform that an experiment lacks.
fn of_missing(error: &quadrille_run::Error) -> Option<String> {
    let quadrille_run::Error::Stream(stream::Error::Missing { missing, .. }) = error else {
        return None;
    };
    let first = member_of_block(missing.first()?);
    let (kind, name) = first.as_deref().unwrap_or(missing.first()?).split_once(' ')?;
    let components = kind.chars().last().and_then(|c| c.to_digit(10)).unwrap_or(1);
    match kind {
        "float" | "int" | "uint" | "bool" | "vec2" | "vec3" | "vec4" | "ivec2" | "ivec3"
        | "ivec4" | "uvec2" | "uvec3" | "uvec4" => {
            let ones = vec!["1"; components as usize].join(",");
            Some(format!("--uniform {name}=VALUE gives it, as in --uniform {name}={ones}"))
        }
        "sampler2D" | "isampler2D" | "usampler2D" => Some(format!(
            "--input {name}=FILE gives it an array (.npy) or a picture (.png, .jpg), and --input {name}=random:512x512 numbers; \
             zeros:WxH and ramp:WxH are others"
        )),
        _ => None,
    }
}

/// Returns the first member of a uniform block that is missing, with the name of the block in front of its own.
fn member_of_block(missing: &str) -> Option<String> {
    let (block, members) = missing.strip_prefix("uniform ")?.split_once(" { ")?;
    let (kind, name) = members.split_once(';')?.0.split_once(' ')?;
    Some(format!("{kind} {block}.{name}"))
}

fn of_measurement(error: &MeasurementError) -> Option<&'static str> {
    Some(match error {
        MeasurementError::NoHostSolvers { .. } => {
            "install them by `cargo install --locked --path crates/cli --features host-solvers`"
        }
        MeasurementError::NoReports { .. } => {
            "install them by `cargo install --locked --path crates/cli`"
        }
        _ => return None,
    })
}

fn of_experiment(error: &quadrille_run::Error) -> Option<&'static str> {
    use quadrille_run::Error;
    Some(match error {
        Error::Limit(LimitError::TooFar { .. } | LimitError::Halo { .. }) => {
            "--halo CELLS says how far the shaders read from their own cells"
        }
        Error::Pass(PassError::Origins { .. }) => {
            "--flip has y = 0 at the bottom in all passes, --flip=false at the top"
        }
        Error::Size(SizeError::NoExtent { .. } | SizeError::Extents { .. }) => {
            "--size WIDTHxHEIGHT gives it, as in --size 640x360"
        }
        Error::Size(SizeError::Groups { .. }) => "--groups XxYxZ gives their number",
        _ => return None,
    })
}

fn of_description(error: &description::Error) -> Option<&'static str> {
    matches!(error, description::Error::Outside { .. }).then_some("--allow-outside lets it")
}

fn of_solver(error: &solve::Error) -> Option<&'static str> {
    matches!(error, solve::Error::Inconsistent { .. })
        .then_some("--project solves for the right-hand side without its mean")
}

fn of_io(error: &io::Error) -> Option<&'static str> {
    matches!(error, io::Error::WidthOpen { .. }).then_some("--width M sets the width of the grid")
}

fn of_gl(error: &gl::Error) -> Option<&'static str> {
    matches!(error, gl::Error::Unsupported { .. }).then_some(
        "`quadrille doctor` lists the devices and what they can do; --device chooses another",
    )
}

fn of_shader(error: &shader::Error) -> Option<&'static str> {
    matches!(error, shader::Error::OutsideInclude { .. })
        .then_some("--include DIR allows another folder")
}

fn of_sat(error: &sat::Error) -> Option<&'static str> {
    match error {
        sat::Error::VertexProgram { .. } => Some(
            "--engine fragment keeps the assignment in a texture, and --engine host computes on one core: both take \
             clauses of any length",
        ),
        sat::Error::FormulaTooLarge { .. } | sat::Error::LongLoop { .. } => {
            Some("--candidates 1 --engine host takes any formula")
        }
        sat::Error::TooManyCandidates { .. } | sat::Error::Candidates { .. } => {
            Some("--candidates sets their number")
        }
        sat::Error::WrongModel { .. } => Some(
            "`quadrille doctor` checks the device; --device chooses another, and --engine host uses none",
        ),
        _ => None,
    }
}

fn of_vector_machine(error: &vector_machine::Error) -> Option<&'static str> {
    match error {
        vector_machine::Error::Padding { .. } => {
            Some("--padding X sets the number that replaces the missing ones")
        }
        vector_machine::Error::NoCompute { .. }
        | vector_machine::Error::GlslOnSimulator { .. }
        | vector_machine::Error::TooManyConstants { .. } => Some("--engine chooses another engine"),
        vector_machine::Error::LoopsEnded { .. } => Some("--device chooses another device"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quadrille::{Place, data, linalg};
    use quadrille_lab::Error;

    use super::*;

    #[test]
    fn advice_names_arguments_for_errors_of_the_library() {
        let name = || "dot.vp".to_owned();
        let experiment = |error: quadrille_run::Error| anyhow::Error::new(error);
        let unsupported = || gl::Error::Unsupported {
            request: name(),
            lacks: name(),
            device: name(),
            remedy: name(),
        };
        let errors: [(anyhow::Error, &str); 18] = [
            (
                quadrille_run::Error::from(description::Error::Outside {
                    place: Place::file("a.run.toml"),
                    key: name(),
                    file: "/x".into(),
                    folder: ".".into(),
                })
                .into(),
                "--allow-outside",
            ),
            (Error::from(MeasurementError::NoHostSolvers { method: "lu" }).into(), "--features"),
            (
                Error::from(MeasurementError::NoReports { what: "a chart" }).into(),
                "--path crates/cli",
            ),
            (experiment(SizeError::NoExtent { pass: name() }.into()), "--size WIDTHxHEIGHT"),
            (experiment(SizeError::Extents { pass: name(), inputs: vec![] }.into()), "--size"),
            (
                experiment(
                    SizeError::Groups {
                        kernel: name(),
                        array: name(),
                        extent: quadrille::Extent::new(9, 5),
                        local: None,
                    }
                    .into(),
                ),
                "--groups XxYxZ",
            ),
            (io::Error::WidthOpen { place: Place::file("a.mtx"), n: 4 }.into(), "--width"),
            (data::Error::from(data::BandError::Periodic { axis: "x" }).into(), "the method fft"),
            (
                io::Error::Data {
                    place: Place::file("a.npy"),
                    reason: Box::new(data::ArrayError::FieldShape { got: vec![2; 5] }.into()),
                }
                .into(),
                "storage block",
            ),
            (solve::Error::Inconsistent { mean: 1.0, part: 0.5, limit: 1e-8 }.into(), "--project"),
            (unsupported().into(), "--device"),
            (stream::Error::from(unsupported()).into(), "--device"),
            (linalg::jacobi::Error::from(unsupported()).into(), "--device"),
            (
                sat::Error::FormulaTooLarge { clauses: 9, variables: 3, height: 2, limit: 1 }
                    .into(),
                "--candidates 1 --engine host",
            ),
            (sat::Error::WrongModel { clause: 0, evaluator: name() }.into(), "--device"),
            (sat::Error::VertexProgram { longest: 4 }.into(), "--engine fragment"),
            (
                vector_machine::Error::Padding { function: name(), length: 4, elements: 60 }.into(),
                "--padding",
            ),
            (
                sat::Error::Machine(vector_machine::Error::NoCompute { device: name() }).into(),
                "--engine",
            ),
        ];
        for (error, argument) in errors {
            let text = error.to_string();
            assert!(!text.contains("--"), "the library names an argument: {text}");
            let advice = of(&error.context("while searching")).unwrap_or_default();
            assert!(advice.contains(argument), "{text}: {advice}");
        }
        assert_eq!(of(&sat::Error::Noise { noise: 2.0 }.into()), None);
    }

    #[test]
    fn what_an_experiment_lacks_is_named_in_the_argument() {
        for (lacks, argument) in [
            ("sampler2D iChannel0", Some("--input iChannel0=FILE")),
            ("vec3 light", Some("--uniform light=1,1,1")),
            ("int n", Some("--uniform n=1")),
            ("uniform P { vec2 at; float gain; }", Some("--uniform P.at=1,1")),
            ("the values of input x", None),
        ] {
            let missing = vec![lacks.to_owned(), "float other".to_owned()];
            let missing = stream::Error::Missing { kernel: "a.frag".to_owned(), missing };
            let advice = of(&quadrille_run::Error::from(missing).into());
            assert_eq!(advice.is_some(), argument.is_some(), "{lacks}");
            assert!(advice.unwrap_or_default().contains(argument.unwrap_or_default()), "{lacks}");
        }
    }
}
