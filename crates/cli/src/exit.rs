//! The end of the command: an error becomes a message and an exit code.

mod advice;

use std::ffi::OsString;

use quadrille::Kind;
use quadrille::internal::visible_name;

use crate::output;
use crate::output::speak::{await_turn, speaker};
use crate::process::failure::{Failure, exit_code_of};
use crate::process::interrupt;
use crate::process::launcher::rank;

pub(super) fn report(error: &anyhow::Error) -> u8 {
    await_turn();
    output::complain(&text(error));
    exit_code(error)
}

/// All that is said of an error.
pub(super) fn text(error: &anyhow::Error) -> String {
    let advice = advice::of(error).map(|advice| format!("\nhelp: {advice}")).unwrap_or_default();
    format!("error: {}{error:#}{advice}", speaker())
}

/// Ends as clap does: with what is wrong with the arguments, or with the requested help or version.
pub(super) fn usage(error: clap::Error) -> ! {
    if error.exit_code() != 0 {
        await_turn();
    } else if rank() > 0 {
        interrupt::end(0);
    }
    // An argument, such as the name of a file that the shell found, would give orders to the
    // terminal.
    let orders = |word: OsString| visible_name(&word.to_string_lossy()) != word.to_string_lossy();
    if std::env::args_os().any(orders) {
        output::complain(error.render().to_string().trim_end());
        interrupt::end(error.exit_code() as u8);
    }
    error.exit()
}

/// The exit code for the first error in the chain that has a kind.
pub(super) fn exit_code(error: &anyhow::Error) -> u8 {
    match error.chain().find_map(kind_of).unwrap_or(Kind::Failed) {
        Kind::Cancelled => interrupt::exit_code(),
        kind => exit_code_of(kind),
    }
}

fn kind_of(error: &(dyn std::error::Error + 'static)) -> Option<Kind> {
    let own = error.downcast_ref().map(Failure::kind);
    own.or_else(|| Some(failure_of(error)?.kind()))
}

/// Finds what an error is, if it is of one of quadrille's packages.
fn failure_of<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a dyn quadrille::Failure> {
    let library = quadrille::failure_of(error);
    let run = || quadrille_run::failure_of(error);
    library.or_else(run).or_else(|| quadrille_vp::failure_of(error))
}

/// Reports a panic in one line, as a bug of quadrille. winit panics when its display goes away,
/// which is no bug.
pub(super) fn explain_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let owned = payload.downcast_ref::<String>().map(String::as_str);
        let text = owned.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        await_turn();
        output::complain(&match place.contains("/winit-") {
            true => format!(
                "error: the display of the window is gone, and the unsaved results with it: {text}"
            ),
            false => {
                format!("error: this is a bug in quadrille, please report it: {text} ({place})")
            }
        });
        // A panic would end with 101, which is not one of our exit codes.
        interrupt::end(exit_code_of(Kind::Failed));
    }));
}

#[cfg(test)]
mod tests {
    use quadrille::{NoMemory, data, gl, grid, linalg};
    use quadrille_vp::{cnf, sat, vector_machine};

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
        let text = "!!VP1.0\nMOV o[HPOS], v[NOWHERE];\nEND\n";
        let program = vector_machine::DProgram::parse("a.vp", text, Default::default());
        assert_eq!(exit_code(&program.unwrap_err().into()), 2);
        let formula = cnf::dimacs::parse("a.cnf", b"p cnf 2 1\n1 -3 0\n");
        assert_eq!(exit_code(&formula.unwrap_err().into()), 2);
        let wrong = sat::Error::WrongModel { clause: 0, evaluator: "a device".into() };
        assert_eq!(exit_code(&wrong.into()), 1);
        assert_eq!(
            exit_code(&"fast".parse::<linalg::multigrid::Smoother>().unwrap_err().into()),
            2
        );
        let unlike =
            grid::Error::Unlike { what: "x".into(), expected: "3".into(), got: "4".into() };
        assert_eq!(exit_code(&unlike.into()), 2);
        assert_eq!(exit_code(&linalg::multigrid::Error::AcrossEnds { width: 3 }.into()), 2);
        let zero = linalg::nine_banded::Error::Diagonal { row: 3, value: 0.0 };
        assert_eq!(exit_code(&zero.into()), 2);
        assert_eq!(exit_code(&anyhow::anyhow!("words alone")), 1);
    }
}
