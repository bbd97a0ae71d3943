//! The options of a search as data, and a search by them: unit propagation first, and for the other variables the search that they
//! choose.

use quadrille::NoMemory;
use quadrille::gl::Context;
use quadrille::options::{self, Entry, Kind, OptionSpec, Specified};

use super::search::{Method, Search, SearchEngine, Task};
use super::{Error, Outcome, Propagation, Result};
use crate::cnf::Cnf;

/// The options of a search.
///
/// ```
/// use quadrille::Context;
/// use quadrille_vp::cnf::dimacs;
/// use quadrille_vp::sat::{Answer, Options};
/// let cnf = dimacs::parse("text", b"p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n")?;
/// let context = || Context::headless().map_err(quadrille_vp::sat::Error::from);
/// let found = Options::default().solve(&cnf, context, |search| search.run(&mut ()))?;
/// assert_eq!(found.outcome.answer, Answer::Satisfiable);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The most flips of a candidate.
    pub flips: u64,
    /// The most restarts; `None` for as many as are usual for the search.
    pub restarts: Option<u64>,
    /// The number of candidates; `None` for as many as suit the device and the formula.
    pub candidates: Option<usize>,
    /// The engine that evaluates clauses; `None` for the device's shaders.
    pub engine: Option<SearchEngine>,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, flips: 100_000, restarts: None, candidates: None, engine: None }
    }
}

/// The result of a search for a model.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// The answer, with a model of the whole formula if there is one.
    pub outcome: Outcome,
    /// The variables whose values unit propagation fixed.
    pub propagated: usize,
    /// The search for the others; `None` where propagation decided the formula.
    pub searched: Option<Searched>,
}

/// A search as it was set up.
#[derive(Debug)]
#[non_exhaustive]
pub struct Searched {
    /// The engine that evaluated clauses.
    pub engine: SearchEngine,
    /// The number of candidates.
    pub candidates: usize,
    /// The context that evaluated clauses; `None` on the host.
    pub context: Option<Context>,
}

impl Options {
    /// Chooses the search.
    ///
    /// # Errors
    /// [`Error::OneCandidate`] if an engine that works on one candidate should search with several.
    pub fn method(&self) -> Result<Method> {
        Method::resolve(self.engine, self.candidates)
    }

    /// Searches for a model of a formula, on a context where one is needed. The set-up of a large formula takes seconds; `run` has
    /// the search that is set up, to run it with an observer.
    ///
    /// # Errors
    /// Those of [`method`](Self::method) and of [`Method::search`]; a wrong result of the device; those of `context` and `run`.
    pub fn solve<E: From<Error>>(
        &self,
        cnf: &Cnf,
        context: impl FnOnce() -> Result<Context, E>,
        run: impl FnOnce(&mut Search<'_>) -> Result<Outcome>,
    ) -> Result<Found, E> {
        let lack = |lack: NoMemory| E::from(lack.into());
        let method = self.method()?;
        let units = Propagation::of(cnf).map_err(lack)?;
        let propagated = units.fixed();
        if let Some(outcome) = units.decided(cnf).map_err(lack)? {
            return Ok(Found { outcome, propagated, searched: None });
        }
        let Options { seed, flips, restarts, .. } = *self;
        let task = Task { cnf: units.rest(), seed, flips, restarts };
        let mut search = method.search(task, context)?;
        let outcome = units.extended(cnf, run(&mut search)?).map_err(lack)?;
        let (engine, candidates) = (search.engine, search.candidates);
        let searched = Some(Searched { engine, candidates, context: search.context.take() });
        Ok(Found { outcome, propagated, searched })
    }
}

const ENGINES: Kind = Kind::Name(&[
    ("fragment", "shaders of the device, for any number of candidates; taken where none is named"),
    ("vertex", "the vertex program of 2002 on the vertex stage, on one candidate, as those below"),
    ("feedback", "the same, its results captured in memory"),
    ("simulator", "the same, simulated on the host"),
    ("host", "one core of the host"),
]);

impl Specified for Options {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new("seed", Kind::Integer { least: 0 }, "1", "The seed of all random numbers"),
        OptionSpec::new(
            "flips",
            Kind::Integer { least: 0 },
            "100000",
            "The maximum number of flips of a candidate, in total",
        ),
        OptionSpec::new(
            "restarts",
            Kind::Integer { least: 0 },
            "",
            "The maximum number of restarts. Many candidates restart together, after an equal share of the flips: by default 9 times, \
             but no share is below 20 flips per variable. One candidate restarts when it stagnates, by default without a limit",
        ),
        OptionSpec::new(
            "candidates",
            Kind::Integer { least: 1 },
            "",
            "The number of candidates: 1 for the greedy search of 2002, more are rounded up to a multiple of 128; by default as many as \
             suit the device and the formula",
        ),
        OptionSpec::new("engine", ENGINES, "", "What evaluates clauses"),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), options::Error> {
        match option.name {
            "seed" => self.seed = option.integer(value)?,
            "flips" => self.flips = option.integer(value)?,
            "restarts" => self.restarts = Some(option.integer(value)?),
            "candidates" => {
                let candidates = option.integer(value)?;
                self.candidates = Some(usize::try_from(candidates).unwrap_or(usize::MAX));
            }
            "engine" => self.engine = Some(option.parsed(value)?),
            _ => {}
        }
        Ok(())
    }
}
