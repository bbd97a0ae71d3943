//! `quadrille sat`: searches for a model of a formula.

mod report;

use quadrille::memory;
use quadrille_vp::cnf::dimacs;
use quadrille_vp::sat::{self, Answer, Error};

use self::report::Report;
use crate::arguments::specified::Options;
use crate::output::progress::with_bar;
use crate::prelude::*;

const ABOUT: &str = "\
Searches for a model of a formula in a DIMACS file, by WalkSAT on many candidates at once on the device, or
with --candidates 1 by the search of \"Using Modern Graphics Architectures for General-Purpose Computing\"
(2002): flip a random variable, keep improvements, restart on stagnation.

First come the values that clauses of one literal force (unit propagation), and what follows from them; the
search is for the other variables. A model is checked against the file before it is printed. That there is none
is said where propagation shows it; no search here can. The same seed with the same --candidates gives the same
search on every device; how many candidates there are by default depends on the device.";

const EXAMPLES: &str = "\
Examples:
  quadrille sat uf250-02.cnf
  quadrille sat uf250-02.cnf --candidates 4096 --seed 7 --json
  quadrille sat uf20-01.cnf --candidates 1 --engine host --flips 1000000

Exit codes, those of SAT competitions: 10 satisfiable, 20 unsatisfiable, 0 unknown; 1 a wrong result of the
device, or an answer that standard output did not take, 2 bad arguments or input, 130 stopped by Ctrl-C (143 by
SIGTERM, 129 by SIGHUP).";

/// Search for a model of a DIMACS file
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The formula: `p cnf`, with clauses of any length
    #[arg(value_name = "FILE.cnf")]
    file: PathBuf,

    #[command(flatten, next_help_heading = "Search")]
    options: Options<sat::Options>,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    json: bool,
}

/// A variable's part in the text of a model: the number, its line, and the whole text while it grows.
const MODEL_BYTES: usize = 48;

/// Searches and reports; its exit code is the answer.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let cnf = dimacs::read(&arguments.file)?;
    let options = arguments.options.0;
    let context = || arguments.device.context().map_err(anyhow::Error::from);
    // The set-up of a large formula takes seconds, and has no bar: an interrupt ends it at once.
    let found = options.solve(&cnf, context, |search| with_bar("flips", |bar| search.run(bar)));
    let found = found.map_err(refused)?;
    let outcome = &found.outcome;
    if outcome.answer == Answer::Satisfiable {
        memory::must_have(cnf.variables() * MODEL_BYTES)?;
    }
    let report = Report::new(&cnf, &found, options);
    output::show(arguments.json, &report, || report.text(&arguments.file, options.candidates))?;
    if outcome.stopped {
        let (flips, satisfied) = (outcome.flips, outcome.satisfied);
        let rest = format!(
            " after {flips} flips; the best assignment satisfies {satisfied} of {} clauses",
            cnf.len()
        );
        return Err(interrupt::stopped(rest).into());
    }
    Ok(match outcome.answer {
        Answer::Satisfiable => 10,
        Answer::Unsatisfiable => 20,
        Answer::Unknown => 0,
    })
}

/// Words an error with the names of arguments.
fn refused(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(Error::OneCandidate { engine }) => {
            let text = format!(
                "--engine {engine} works on one candidate: write --candidates 1, or leave the engine open"
            );
            Failure::Input { text }.into()
        }
        _ => error,
    }
}
