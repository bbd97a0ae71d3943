//! Each option that the libraries specify as the command has it: misspelt, of another kind, out of range, twice.

use quadrille::linalg::solve::NamedOptions;
use quadrille::linalg::{jacobi, matmul};
use quadrille::options::{FrontEnd, Kind, Many, Specified};
use quadrille_run::Settings;
use quadrille_vp::{sat, vector_machine};

use crate::runner::Folder;

/// Before any work, and before files are looked for.
fn must_be_checked<T: Specified>(command: &str) {
    let folder = Folder::new();
    for option in T::of(FrontEnd::Command) {
        let flag = FrontEnd::Command.spelled(option.name);
        let run = |arguments: &str| folder.run(&format!("{command} {arguments}")).ended(2);
        let misspelt = format!("{}q", &flag[..flag.len() - 1]);
        run(&misspelt).says(&format!("unexpected argument '{misspelt}' found"));
        let value = match option.kind {
            Kind::Flag => "true",
            Kind::Name(names) => names[0].0,
            Kind::Text(_) | Kind::Sides { .. } => "8x8",
            _ => "1",
        };
        let of = match option.many {
            Many::ByName(_) => "a=",
            _ => "",
        };
        let is_any = matches!(option.kind, Kind::Folder | Kind::Contents | Kind::Literal)
            || matches!((option.kind, option.many), (Kind::Text(_), Many::ByName(_)));
        for wrong in ["maybe", "-x1", "nan", "1e400x"].iter().filter(|_| !is_any) {
            let refused = run(&format!("{flag}={of}{wrong}"));
            refused.says(&format!("invalid value '{of}{wrong}' for '{flag}"));
            refused.says(&format!("expected {}", option.expected()));
        }
        let twice = run(&format!("{flag}={of}{value} {flag}={of}{value}"));
        match option.many {
            Many::One => twice.says("cannot be used multiple times"),
            Many::List => twice.says("cannot read a.frag"),
            _ => twice.says("is given twice: expected it once"),
        };
    }
    assert!(folder.names().is_empty());
}

#[test]
fn every_option_of_the_solver_is_checked() {
    must_be_checked::<NamedOptions>("solve --stencil poisson5:3");
}

#[test]
fn every_option_of_jacobis_iteration_is_checked() {
    must_be_checked::<jacobi::Options>("jacobi --stencil heat9:3");
}

#[test]
fn every_option_of_a_product_is_checked() {
    must_be_checked::<matmul::Options>("matmul a.npy b.npy");
}

#[test]
fn every_option_of_a_search_is_checked() {
    must_be_checked::<sat::Options>("sat a.cnf");
}

#[test]
fn every_option_of_a_vertex_program_is_checked() {
    must_be_checked::<vector_machine::Options>("vp a.vp --input a.npy");
}

#[test]
fn every_setting_of_an_experiment_is_checked() {
    must_be_checked::<Settings>("run a.frag");
}

/// Options of the solver that another front end had alone.
#[test]
fn looks_and_the_place_of_residuals_are_chosen() {
    let folder = Folder::new();
    let looks = |every: u32| {
        let run = folder.run(&format!(
            "solve --stencil poisson5:20 --method cg --residual-on host --check-every {every} --history h.csv --json"
        ));
        assert_eq!(run.ended(0).json()["residual_on"], "host");
        std::fs::read_to_string(folder.file("h.csv")).unwrap().lines().count()
    };
    assert!(looks(1) > looks(7));
}
