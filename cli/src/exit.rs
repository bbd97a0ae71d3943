//! How the command ends: an error becomes a message and an exit code.

mod advice;

use quadrille::NoMemory;
use quadrille::error::{Classified, Kind};
use quadrille::{data, experiment, gl, io, linalg, sat, shader, stream, vector_machine};

use super::failure::{Failure, exit_code_of};
use super::{interrupt, output};

/// Says what went wrong on standard error.
pub(super) fn report(error: &anyhow::Error) -> u8 {
    output::note(&format!("error: {error:#}"));
    if let Some(advice) = advice::of(error) {
        output::note(&format!("help: {advice}"));
    }
    exit_code(error)
}

/// By the kind of the first error in the chain that has one.
pub(super) fn exit_code(error: &anyhow::Error) -> u8 {
    match error.chain().find_map(kind_of).unwrap_or(Kind::Failed) {
        Kind::Cancelled => interrupt::exit_code(),
        kind => exit_code_of(kind),
    }
}

fn kind_of(error: &(dyn std::error::Error + 'static)) -> Option<Kind> {
    fn as_kind<E: Classified + 'static>(error: &(dyn std::error::Error + 'static)) -> Option<Kind> {
        error.downcast_ref::<E>().map(Classified::kind)
    }
    let rooms = [
        as_kind::<Failure>,
        as_kind::<quadrille_lab::Error>,
        as_kind::<linalg::jacobi::Error>,
        as_kind::<linalg::matmul::Error>,
        as_kind::<sat::Error>,
        as_kind::<vector_machine::Error>,
        as_kind::<experiment::Error>,
        as_kind::<stream::Error>,
        as_kind::<gl::Error>,
        as_kind::<shader::Error>,
        as_kind::<io::Error>,
        as_kind::<data::Error>,
        as_kind::<NoMemory>,
    ];
    let io = error.downcast_ref::<std::io::Error>().map(|_| Kind::Io);
    rooms.into_iter().find_map(|room| room(error)).or(io)
}

/// The error of a shader in the command's words: a refused include names the flag that would allow it.
pub(super) fn of_shader(error: experiment::Error) -> anyhow::Error {
    let experiment::Error::Stream(stream::Error::Shader(refused)) = &error else {
        return error.into();
    };
    match refused.without_advice() {
        Some(text) => {
            let text = format!("{text}\n--include-dir DIR allows another folder");
            Failure::Input { text }.into()
        }
        None => error.into(),
    }
}

/// A panic is a mistake in quadrille: says so in a line that can be reported, without a trace. winit
/// panics where its display goes away, which is none.
pub(super) fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let owned = payload.downcast_ref::<String>().map(String::as_str);
        let text = owned.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        output::note(&match place.contains("/winit-") {
            true => format!(
                "error: the display of the window is gone, and what it showed with it: {text}"
            ),
            false => {
                format!("error: this is a mistake in quadrille, please report it: {text} ({place})")
            }
        });
        // A panic would end with 101, which no one expects here.
        interrupt::end(exit_code_of(Kind::Failed));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_with_a_kind_decides() {
        let stopped = anyhow::Error::new(Failure::Stopped { text: "stopped".into() });
        assert_eq!(exit_code(&stopped.context("while doing something")), 130);
        let no_matrix = data::Error::Empty;
        assert_eq!(exit_code(&anyhow::Error::new(quadrille_lab::Error::from(no_matrix))), 2);
        let zero = linalg::jacobi::Error::ZeroDiagonal { row: 3 };
        assert_eq!(exit_code(&anyhow::Error::new(zero)), 2);
        assert_eq!(exit_code(&anyhow::Error::new(gl::Error::NoLibrary)), 2);
        assert_eq!(exit_code(&anyhow::Error::new(gl::Error::ContextLost { status: "x" })), 1);
        assert_eq!(exit_code(&anyhow::Error::new(NoMemory { bytes: 1 })), 2);
        assert_eq!(exit_code(&anyhow::anyhow!("words alone")), 1);
    }
}
