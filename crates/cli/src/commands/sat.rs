//! `quadrille sat`: searches for a model of a formula.

mod report;

use quadrille::memory;
use quadrille_vp::cnf::{Cnf, dimacs};
use quadrille_vp::sat::search::{Method, SearchEngine, Task};
use quadrille_vp::sat::{Answer, Error, Outcome, Propagation};

use self::report::{How, Report};
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

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The maximum number of flips of a candidate, in total
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Limits")]
    flips: u64,

    /// The maximum number of restarts
    ///
    /// Many candidates restart together, after an equal share of the flips [default: 9, but no share below 20
    /// flips per variable]. One candidate restarts when it stagnates [default: unlimited].
    #[arg(long, value_name = "N", help_heading = "Limits")]
    restarts: Option<u64>,

    /// The number of candidates: 1 for the greedy search of 2002, more are rounded up to a multiple of 128
    /// [default: as many as suit the device and the formula]
    #[arg(long, value_name = "K", help_heading = "Computation")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    candidates: Option<u64>,

    /// What evaluates clauses; all but fragment work on one candidate
    ///
    ///   fragment   shaders of the device, for any number of candidates
    ///   vertex     the vertex program of 2002 on the vertex stage
    ///   feedback   the same, its results captured in memory
    ///   simulator  the same, simulated on the host
    ///   host       one core of the host
    ///
    /// [default: fragment]
    #[arg(long, value_name = "ENGINE", verbatim_doc_comment, help_heading = "Computation")]
    engine: Option<SearchEngine>,

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
    let method = arguments.method()?;
    let units = Propagation::of(&cnf)?;
    let (outcome, how) = match units.decided(&cnf)? {
        Some(outcome) => (outcome, How::none()),
        None => {
            let (outcome, how) = arguments.search(method, units.rest())?;
            (units.extended(&cnf, outcome)?, how)
        }
    };
    if outcome.answer == Answer::Satisfiable {
        memory::must_have(cnf.variables() * MODEL_BYTES)?;
    }
    let report = Report::new(&cnf, &outcome, how, units.fixed(), arguments.seed);
    output::show(arguments.json, &report, || report.text(&arguments.file, arguments.candidates))?;
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

impl Arguments {
    fn method(&self) -> anyhow::Result<Method> {
        let candidates = self.candidates.map(|k| usize::try_from(k).unwrap_or(usize::MAX));
        Method::resolve(self.engine, candidates).map_err(|error| match error {
            Error::OneCandidate { engine } => {
                let text = format!(
                    "--engine {engine} works on one candidate: write --candidates 1, or leave the engine open"
                );
                Failure::Input { text }.into()
            }
            error => error.into(),
        })
    }

    /// The set-up of a large formula takes seconds, and has no bar: an interrupt ends it at once.
    fn search(&self, method: Method, cnf: &Cnf) -> anyhow::Result<(Outcome, How)> {
        let Arguments { seed, flips, restarts, ref device, .. } = *self;
        let task = Task { cnf, seed, flips, restarts };
        let mut search = method.search(task, || device.context().map_err(anyhow::Error::from))?;
        let outcome = with_bar("flips", |bar| search.run(bar))?;
        Ok((outcome, How::of(&search)))
    }
}
