//! The method of a search, resolved once from the arguments, and its run.

use clap::ValueEnum;

use quadrille::data::Cnf;
use quadrille::sat::{Limits, Outcome, greedy, walk};
use quadrille::vector_machine::{self, Machine};

use super::super::prelude::*;
use super::super::progress::with_bar;
use super::report::How;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// Shaders of the device, for any number of candidates
    Fragment,
    /// The vertex program of 2002 on the vertex stage
    Vertex,
    /// The same, its results captured in memory
    Feedback,
    /// The same, simulated on the host
    Simulator,
    /// One core of the host
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// WalkSAT on many candidates; unless a number is given, as many as suit the device and the formula.
    Walk { candidates: Option<usize> },
    /// The greedy search of one candidate.
    Greedy(Engine),
}

/// What to search, and for how long.
pub(super) struct Task<'a> {
    pub(super) cnf: &'a Cnf,
    pub(super) seed: u64,
    pub(super) flips: u64,
    pub(super) restarts: Option<u64>,
    pub(super) device: &'a DeviceArguments,
}

impl Method {
    pub(super) fn resolve(
        engine: Option<Engine>,
        candidates: Option<u64>,
    ) -> Result<Method, Failure> {
        let candidates = candidates.map(|k| usize::try_from(k).unwrap_or(usize::MAX));
        match (engine.unwrap_or(Engine::Fragment), candidates) {
            (Engine::Fragment, None | Some(2..)) => Ok(Method::Walk { candidates }),
            (engine, None | Some(..=1)) => Ok(Method::Greedy(engine)),
            (engine, Some(_)) => {
                let engine = engine.name();
                let text = format!(
                    "--engine {engine} works on one candidate: write --candidates 1, or leave the engine open"
                );
                Err(Failure::Input { text })
            }
        }
    }

    pub(super) fn run(self, task: &Task<'_>) -> anyhow::Result<(Outcome, How)> {
        match self {
            Method::Walk { candidates } => task.walk(&task.device.context()?, candidates),
            Method::Greedy(engine) => task.greedy(engine),
        }
    }
}

impl Task<'_> {
    fn greedy(&self, engine: Engine) -> anyhow::Result<(Outcome, How)> {
        let (mut evaluator, how) = self.evaluator(engine)?;
        let limits = Limits { flips: self.flips, restarts: self.restarts.unwrap_or(u64::MAX) };
        let (cnf, evaluator) = (self.cnf, evaluator.as_mut());
        let search = |bar: &mut _| greedy::solve(cnf, evaluator, self.seed, limits, bar);
        Ok((with_bar("flips", search)?, how))
    }

    fn evaluator(&self, engine: Engine) -> anyhow::Result<(Box<dyn greedy::Evaluator>, How)> {
        let stage = match engine {
            Engine::Host => {
                let evaluator = greedy::CpuEvaluator::new(self.cnf)?;
                return Ok((Box::new(evaluator), How::host(engine.name())));
            }
            Engine::Simulator => {
                let simulator =
                    greedy::VertexProgramEvaluator::new(&Machine::simulator(), self.cnf)?;
                return Ok((Box::new(simulator), How::host(engine.name())));
            }
            Engine::Fragment => None,
            Engine::Vertex => Some(vector_machine::Processor::Vertex),
            Engine::Feedback => Some(vector_machine::Processor::Feedback),
        };
        let context = self.device.context()?;
        let how = How::device(engine.name(), &context, 1);
        let Some(stage) = stage else {
            return Ok((greedy::fragment_evaluator(&context, self.cnf)?, how));
        };
        let machine = Machine::new(&context).with(stage)?;
        Ok((Box::new(greedy::VertexProgramEvaluator::new(&machine, self.cnf)?), how))
    }

    fn walk(&self, context: &Context, candidates: Option<usize>) -> anyhow::Result<(Outcome, How)> {
        let cnf = self.cnf;
        let candidates = candidates.unwrap_or_else(|| walk::default_candidates(context, cnf));
        let options = walk::Options { candidates, seed: self.seed, noise: walk::NOISE };
        let usual = Limits::of_walk(cnf, self.flips);
        let limits = Limits { restarts: self.restarts.unwrap_or(usual.restarts), ..usual };
        // The set-up of a large formula takes seconds; an interrupt ends it at once.
        let mut walk = walk::Walk::new(context, cnf, options)?;
        let outcome = with_bar("flips", |bar| walk.run(cnf, limits, bar))?;
        Ok((outcome, How::device(Engine::Fragment.name(), context, walk.candidates())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_and_candidates_choose_the_method() {
        let resolve = |engine, candidates| Method::resolve(engine, candidates).unwrap();
        assert_eq!(resolve(None, None), Method::Walk { candidates: None });
        let fragment = Some(Engine::Fragment);
        assert_eq!(resolve(fragment, Some(2)), Method::Walk { candidates: Some(2) });
        assert_eq!(resolve(None, Some(1)), Method::Greedy(Engine::Fragment));
        for candidates in [None, Some(1)] {
            assert_eq!(resolve(Some(Engine::Host), candidates), Method::Greedy(Engine::Host));
        }
        let error = Method::resolve(Some(Engine::Vertex), Some(128)).unwrap_err();
        assert!(error.to_string().contains("--engine vertex works on one candidate"));
    }
}
