//! Each option that the libraries specify as the command has it: misspelt, of another kind, out of range, twice.

use quadrille::linalg::matmul;
use quadrille::linalg::solve::NamedOptions;
use quadrille::options::{FrontEnd, Kind, Specified};
use quadrille_vp::sat;

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
            Kind::Flag => {
                run(&format!("{flag}=maybe")).says("unexpected value 'maybe'");
                run(&format!("{flag} {flag}")).says("cannot be used multiple times");
                continue;
            }
            Kind::Name(names) => names[0].0,
            Kind::Text(_) => "8x8",
            _ => "1",
        };
        for wrong in ["maybe", "-1", "nan", "1e400"] {
            let refused = run(&format!("{flag}={wrong}"));
            refused.says(&format!("invalid value '{wrong}' for '{flag}"));
            refused.says(&format!("expected {}", option.expected()));
        }
        run(&format!("{flag} {value} {flag} {value}")).says("cannot be used multiple times");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn every_option_of_the_solver_is_checked() {
    must_be_checked::<NamedOptions>("solve --stencil poisson5:3");
}

#[test]
fn every_option_of_a_product_is_checked() {
    must_be_checked::<matmul::Options>("matmul a.npy b.npy");
}

#[test]
fn every_option_of_a_search_is_checked() {
    must_be_checked::<sat::Options>("sat a.cnf");
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
