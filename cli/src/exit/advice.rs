//! What the command adds to an error of the library: the arguments that would help.

use quadrille::{sat, vector_machine};

/// The arguments that would help against an error, found by the first of its causes that has some.
pub(super) fn of(error: &anyhow::Error) -> Option<&'static str> {
    error.chain().find_map(|cause| {
        let of_search = cause.downcast_ref().and_then(of_sat);
        of_search.or_else(|| cause.downcast_ref().and_then(of_vector_machine))
    })
}

fn of_sat(error: &sat::Error) -> Option<&'static str> {
    match error {
        sat::Error::VertexProgram { .. } => Some(
            "--engine fragment keeps the assignment in a texture, and --engine host computes on one core: both take \
             any formula",
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
        sat::Error::Machine(error) => of_vector_machine(error),
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
    use super::*;

    #[test]
    fn advice_names_arguments_for_errors_of_the_library() {
        let name = || "dot.vp".to_owned();
        let errors: [(anyhow::Error, &str); 5] = [
            (
                sat::Error::FormulaTooLarge { clauses: 9, variables: 3, height: 2, limit: 1 }
                    .into(),
                "--candidates 1 --engine host",
            ),
            (sat::Error::WrongModel { clause: 0, evaluator: name() }.into(), "--device"),
            (
                sat::Error::VertexProgram { variables: 48, longest: 3, most: 47 }.into(),
                "--engine fragment",
            ),
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
}
