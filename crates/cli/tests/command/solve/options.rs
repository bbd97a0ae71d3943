//! Each option of the solver as the command has it: misspelt, of another kind, out of range, twice.

use quadrille::linalg::solve::NamedOptions;
use quadrille::options::{FrontEnd, Kind, Specified};

use crate::runner::Folder;

#[test]
fn every_option_of_the_solver_is_checked() {
    let folder = Folder::new();
    for option in NamedOptions::of(FrontEnd::Command) {
        let flag = FrontEnd::Command.spelled(option.name);
        let run = |arguments: &str| {
            folder.run(&format!("solve --stencil poisson5:3 {arguments}")).ended(2)
        };
        let misspelt = format!("{}q", &flag[..flag.len() - 1]);
        let misspelling = run(&misspelt);
        misspelling.says(&format!("unexpected argument '{misspelt}' found"));
        misspelling.says(&flag);
        if option.kind == Kind::Flag {
            run(&format!("{flag}=maybe")).says("unexpected value 'maybe'");
            run(&format!("{flag} {flag}")).says("cannot be used multiple times");
            continue;
        }
        for wrong in ["maybe", "-1", "nan", "1e400"] {
            let refused = run(&format!("{flag}={wrong}"));
            refused.says(&format!("invalid value '{wrong}' for '{flag}"));
            refused.says(&format!("expected {}", option.expected()));
        }
        let value = if option.default.is_empty() { "1" } else { option.default };
        run(&format!("{flag} {value} {flag} {value}")).says("cannot be used multiple times");
    }
    assert!(folder.names().is_empty());
}

/// Options that another front end had alone.
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
