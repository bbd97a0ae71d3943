//! `quadrille sat`: searches for a model of a formula.

mod report;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use quadrille::Context;
use quadrille::data::Cnf;
use quadrille::internal::memory;
use quadrille::io::dimacs;
use quadrille::observer::Progress;
use quadrille::sat::{Answer, Limits, Outcome, Propagation, greedy, walk};
use quadrille::vector_machine::{self, Machine};

use self::report::{How, Report};
use super::device::DeviceArguments;
use super::failure::Failure;
use super::progress::Turns;
use super::{interrupt, output};

const ABOUT: &str = "\
Searches for a model of a formula in a DIMACS file, by WalkSAT on many candidates at once on the device, or
with --candidates 1 by the search of \"Using Modern Graphics Architectures for General-Purpose Computing\"
(2002): flip a random variable, keep what improves, begin anew on stagnation.

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
pub(super) struct Arguments {
    /// The formula: `p cnf`, with clauses of any length
    #[arg(value_name = "FILE.cnf")]
    file: PathBuf,

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The most flips of a candidate, in all
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "How long")]
    flips: u64,

    /// The most restarts
    ///
    /// Many candidates begin anew together, after an equal share of the flips each time; 9 if not
    /// given, but no share below 20 flips a variable. One candidate begins anew when it stagnates,
    /// as often as that happens if not given.
    #[arg(long, value_name = "N", help_heading = "How long")]
    restarts: Option<u64>,

    /// How many candidates: 1 for the document's search, more are rounded up to a multiple of 128
    /// [default: as many as suit the device and the formula]
    #[arg(long, value_name = "K", help_heading = "How")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    candidates: Option<u64>,

    /// Who evaluates clauses; all but fragment take one candidate [default: fragment]
    #[arg(long, value_name = "ENGINE", help_heading = "How")]
    engine: Option<Engine>,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Results")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Shaders of the device, for any number of candidates
    Fragment,
    /// The document's function on the vertex stage, up to 47 variables
    Vertex,
    /// The same, its results straight to memory
    Feedback,
    /// The same, simulated on this machine
    Simulator,
    /// One core of this machine
    Host,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Fragment => "fragment",
            Engine::Vertex => "vertex",
            Engine::Feedback => "feedback",
            Engine::Simulator => "simulator",
            Engine::Host => "host",
        }
    }
}

/// A variable's part in the text of a model: the number, its line, and the whole text while it grows.
const MODEL_BYTES: usize = 48;

/// Searches and reports; its exit code is the answer.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let cnf = dimacs::read(&arguments.file)?;
    let candidates = arguments.candidates()?;
    let units = Propagation::of(&cnf)?;
    let (outcome, how) = match units.decided(&cnf)? {
        Some(outcome) => (outcome, How::none()),
        None => {
            let (outcome, how) = search(arguments, units.rest(), candidates)?;
            (units.extended(&cnf, outcome)?, how)
        }
    };
    if outcome.answer == Answer::Satisfiable {
        memory::must_have(cnf.variables() * MODEL_BYTES)?;
    }
    let report = Report::new(arguments, &cnf, &outcome, how, units.fixed());
    match arguments.json {
        true => output::say_json(&report)?,
        false => output::say(&report.text(arguments))?,
    }
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

fn search(
    arguments: &Arguments,
    cnf: &Cnf,
    candidates: Option<usize>,
) -> anyhow::Result<(Outcome, How)> {
    let engine = arguments.engine.unwrap_or(Engine::Fragment);
    match (engine, candidates) {
        (Engine::Host, _) => {
            let outcome = arguments.greedy(cnf, greedy::CpuEvaluator::new(cnf)?)?;
            Ok((outcome, How::host(engine.name())))
        }
        (Engine::Simulator, _) => {
            let simulator = greedy::VertexProgramEvaluator::new(&Machine::simulator(), cnf)?;
            Ok((arguments.greedy(cnf, simulator)?, How::host(engine.name())))
        }
        (Engine::Fragment, None | Some(2..)) => {
            arguments.walk(cnf, &arguments.device.context()?, candidates)
        }
        (engine, _) => {
            let context = arguments.device.context()?;
            let outcome = arguments.greedy_on(&context, engine, cnf)?;
            Ok((outcome, How::device(engine.name(), &context, 1)))
        }
    }
}

impl Arguments {
    /// How many candidates, where that was said.
    fn candidates(&self) -> anyhow::Result<Option<usize>> {
        let candidates = self.candidates.map(|k| usize::try_from(k).unwrap_or(usize::MAX));
        match (candidates, self.engine) {
            (Some(2..), Some(engine)) if engine != Engine::Fragment => {
                let engine = engine.name();
                let text = format!(
                    "--engine {engine} takes one candidate: write --candidates 1, or leave the engine open"
                );
                Err(Failure::Input { text }.into())
            }
            _ => Ok(candidates),
        }
    }

    /// One candidate, on a device: by the document's scheme where the formula fits it or its engine
    /// was asked for, else with the assignment in a texture.
    fn greedy_on(&self, context: &Context, engine: Engine, cnf: &Cnf) -> anyhow::Result<Outcome> {
        let engine = match engine {
            Engine::Vertex => vector_machine::Engine::Vertex,
            Engine::Feedback => vector_machine::Engine::Feedback,
            _ if greedy::program::quads(cnf)?.is_none() => {
                return self.greedy(cnf, greedy::TextureEvaluator::new(context, cnf)?);
            }
            _ => vector_machine::Engine::Fragment,
        };
        let machine = Machine::new(context).with(engine)?;
        self.greedy(cnf, greedy::VertexProgramEvaluator::new(&machine, cnf)?)
    }

    fn greedy(&self, cnf: &Cnf, mut evaluator: impl greedy::Evaluator) -> anyhow::Result<Outcome> {
        let limits = Limits { flips: self.flips, restarts: self.restarts.unwrap_or(u64::MAX) };
        let bar = Turns::new("flips");
        let mut observer = |progress: &Progress| bar.show(progress);
        let search = || greedy::solve(cnf, &mut evaluator, self.seed, limits, &mut observer);
        Ok(interrupt::watched(search)?)
    }

    fn walk(
        &self,
        cnf: &Cnf,
        context: &Context,
        candidates: Option<usize>,
    ) -> anyhow::Result<(Outcome, How)> {
        let candidates = candidates.unwrap_or_else(|| walk::usual_candidates(context, cnf));
        let options = walk::Options { candidates, seed: self.seed, noise: walk::NOISE };
        let few = self.flips / (20 * cnf.variables() as u64).max(1);
        let restarts = self.restarts.unwrap_or_else(|| few.saturating_sub(1).min(9));
        let limits = Limits { flips: self.flips, restarts };
        let bar = Turns::new("flips");
        let mut observer = |progress: &Progress| bar.show(progress);
        // To set up a large formula takes seconds, and can end at once.
        let mut walk = walk::Walk::new(context, cnf, options)?;
        let outcome = interrupt::watched(|| walk.run(cnf, limits, &mut observer))?;
        Ok((outcome, How::device(Engine::Fragment.name(), context, walk.layout().candidates())))
    }
}
