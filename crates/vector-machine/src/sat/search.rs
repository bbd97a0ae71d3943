//! Either search by the values of a command line: many candidates on the device, or one with an
//! engine by its name.

use quadrille::Observer;
use quadrille::gl::Context;

use super::greedy::{self, CpuEvaluator, Evaluator, VertexProgramEvaluator};
use super::walk::{self, Walk};
use super::{Error, Limits, Outcome, Result};
use crate::cnf::Cnf;
use crate::named::named_enum;
use crate::vector_machine::{Machine, Processor};

named_enum! {
    /// The engine that evaluates the clauses of a search.
    #[non_exhaustive]
    pub enum SearchEngine: "engine" {
        /// Shaders of the device, for any number of candidates.
        Fragment => "fragment",
        /// The vertex program of 2002 on the vertex stage.
        Vertex => "vertex",
        /// The vertex program, with its results captured in memory.
        Feedback => "feedback",
        /// The vertex program, simulated on the host.
        Simulator => "simulator",
        /// A single core of the host.
        Host => "host",
    }
}

/// One of the two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// WalkSAT on many candidates.
    Walk {
        /// The number of candidates; `None` for as many as suit the device and the formula.
        candidates: Option<usize>,
    },
    /// The greedy search of one candidate.
    Greedy(SearchEngine),
}

/// The formula to search, and the limits of the search.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The formula.
    pub cnf: &'a Cnf,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The most flips of a candidate.
    pub flips: u64,
    /// The most restarts; `None` for as many as are usual for the search.
    pub restarts: Option<u64>,
}

/// A search that is set up.
pub struct Search<'a> {
    task: Task<'a>,
    algorithm: SearchAlgorithm,
    /// The engine that evaluates clauses.
    pub engine: SearchEngine,
    /// The number of candidates.
    pub candidates: usize,
    /// The context that evaluates clauses; `None` on the host.
    pub context: Option<Context>,
}

enum SearchAlgorithm {
    Walk(Box<Walk>),
    Greedy(Box<dyn Evaluator>),
}

impl Method {
    /// Chooses the search for an engine and a number of candidates, each of which may be left open.
    ///
    /// # Errors
    /// [`Error::OneCandidate`] if an engine that works on one candidate should search with several.
    pub fn resolve(engine: Option<SearchEngine>, candidates: Option<usize>) -> Result<Method> {
        match (engine.unwrap_or(SearchEngine::Fragment), candidates) {
            (SearchEngine::Fragment, None | Some(2..)) => Ok(Method::Walk { candidates }),
            (engine, None | Some(..=1)) => Ok(Method::Greedy(engine)),
            (engine, Some(_)) => Err(Error::OneCandidate { engine: engine.name() }),
        }
    }

    /// Sets the search up, on a context if it needs one.
    ///
    /// # Errors
    /// As [`Walk::new`], and as evaluators of the engine; and the error of `context`.
    pub fn search<E: From<Error>>(
        self,
        task: Task<'_>,
        context: impl FnOnce() -> Result<Context, E>,
    ) -> Result<Search<'_>, E> {
        match self {
            Method::Greedy(engine) => {
                let on_host = matches!(engine, SearchEngine::Host | SearchEngine::Simulator);
                let context = if on_host { None } else { Some(context()?) };
                let evaluator = evaluator(engine, context.as_ref(), task.cnf)?;
                let algorithm = SearchAlgorithm::Greedy(evaluator);
                Ok(Search { task, algorithm, engine, candidates: 1, context })
            }
            Method::Walk { candidates } => {
                let (context, cnf) = (context()?, task.cnf);
                let candidates =
                    candidates.unwrap_or_else(|| walk::default_candidates(&context, cnf));
                let options = walk::Options::new(candidates).seed(task.seed);
                let walk = Walk::new(&context, cnf, options)?;
                let candidates = walk.candidates();
                let (algorithm, engine) =
                    (SearchAlgorithm::Walk(Box::new(walk)), SearchEngine::Fragment);
                Ok(Search { task, algorithm, engine, candidates, context: Some(context) })
            }
        }
    }
}

/// Makes what evaluates the clauses of one candidate, on a context unless the engine is the host's.
fn evaluator(
    engine: SearchEngine,
    context: Option<&Context>,
    cnf: &Cnf,
) -> Result<Box<dyn Evaluator>> {
    let machine = match (engine, context) {
        (SearchEngine::Host, _) => return Ok(Box::new(CpuEvaluator::new(cnf)?)),
        (_, None) => Machine::simulator(),
        (SearchEngine::Vertex, Some(context)) => Machine::new(context).with(Processor::Vertex)?,
        (SearchEngine::Feedback, Some(context)) => {
            Machine::new(context).with(Processor::Feedback)?
        }
        (_, Some(context)) => return greedy::fragment_evaluator(context, cnf),
    };
    Ok(Box::new(VertexProgramEvaluator::new(&machine, cnf)?))
}

impl Search<'_> {
    /// Searches until there is a model, the limits are reached or the observer stops it.
    ///
    /// # Errors
    /// As [`greedy::solve`] or [`Walk::run`].
    pub fn run(&mut self, observer: &mut impl Observer) -> Result<Outcome> {
        let Task { cnf, seed, flips, restarts } = self.task;
        match &mut self.algorithm {
            SearchAlgorithm::Greedy(evaluator) => {
                let limits = Limits { flips, restarts: restarts.unwrap_or(u64::MAX) };
                greedy::solve(cnf, evaluator.as_mut(), seed, limits, observer)
            }
            SearchAlgorithm::Walk(walk) => {
                let usual = Limits::of_walk(cnf, flips);
                let limits = Limits { restarts: restarts.unwrap_or(usual.restarts), ..usual };
                walk.run(cnf, limits, observer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_and_candidates_choose_the_method() {
        let resolve = |engine, candidates| Method::resolve(engine, candidates).unwrap();
        assert_eq!(resolve(None, None), Method::Walk { candidates: None });
        let fragment = Some(SearchEngine::Fragment);
        assert_eq!(resolve(fragment, Some(2)), Method::Walk { candidates: Some(2) });
        assert_eq!(resolve(None, Some(1)), Method::Greedy(SearchEngine::Fragment));
        for candidates in [None, Some(1)] {
            let host = SearchEngine::Host;
            assert_eq!(resolve(Some(host), candidates), Method::Greedy(host));
        }
        let error = Method::resolve(Some(SearchEngine::Vertex), Some(128)).unwrap_err();
        assert!(error.to_string().contains("the engine vertex works on one candidate"));
    }
}
