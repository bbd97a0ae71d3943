//! Many candidates beside one.

use quadrille::gl::Context;
use quadrille::memory;
use quadrille_vp::cnf::{Cnf, random_cnf};
use quadrille_vp::internal::reference::walk::WalkSat;
use quadrille_vp::sat::{Error as SatError, Limits, walk};

use super::{Engine, Plan, search};
use crate::Result;
use crate::report::table::{Column, column, only_json, only_text, wrong};

/// Many candidates compared with one, on a hard formula.
#[derive(Clone, Debug)]
pub struct Many {
    pub clauses: usize,
    pub variables: usize,
    pub candidates: usize,
    /// Clause evaluations a second of all of them.
    pub rate: f64,
    /// The rate of the paper's search of one candidate on each engine, in the order of
    /// [`Engine::OF_ANY_SIZE`].
    pub one: [f64; 2],
    /// Whether the candidates were those of the twin.
    pub right: bool,
}

impl Many {
    pub fn columns() -> Vec<Column<Many>> {
        vec![
            column("clauses", "clauses", "", |many: &Many| many.clauses.into()),
            column("variables", "variables", "", |many| many.variables.into()),
            column("candidates", "candidates", "", |many| many.candidates.into()),
            column("rate", "rate", "1/s", |many| many.rate.into()),
            only_json("rate_of_one_texture", |many| many.one[0].into()),
            only_json("rate_of_one_host", |many| many.one[1].into()),
            column("times_one_texture", "over texture", "", |many| many.times(0).into()),
            column("times_one_host", "over host", "", |many| many.times(1).into()),
            only_json("right", |many| many.right.into()),
            only_text("", "", |many| wrong(many.right)),
        ]
    }

    /// Returns the rate relative to that of one candidate on an engine of [`Engine::OF_ANY_SIZE`].
    fn times(&self, engine: usize) -> f64 {
        self.rate / self.one[engine].max(1e-12)
    }

    /// The rates on a uniform formula just past the threshold, where searches run long.
    pub(super) fn measure(context: &Context, plan: &Plan, clauses: usize) -> Result<Many> {
        let variables = (clauses / 5).max(3);
        let cnf = random_cnf(variables, clauses, 3, 2)?;
        let usual = || walk::default_candidates(context, &cnf);
        let candidates = plan.candidates.unwrap_or_else(usual);
        let options = walk::Options::new(candidates).seed(1);
        let mut walk = walk::Walk::new(context, &cnf, options)?;
        let limits = Limits { flips: plan.steps, restarts: 0 };
        let mut rates = Vec::new();
        for _ in 0..plan.runs {
            rates.push(walk.run(&cnf, limits, &mut ())?.rate());
        }
        rates.sort_by(f64::total_cmp);
        let mut one = [0.0; 2];
        for (rate, engine) in one.iter_mut().zip(Engine::OF_ANY_SIZE) {
            let mut evaluator = engine.evaluator(context, &cnf)?;
            *rate = search(&cnf, evaluator.as_mut(), plan.iterations)?.rate();
        }
        Ok(Many {
            clauses,
            variables,
            candidates: walk.candidates(),
            rate: rates.get(rates.len() / 2).copied().unwrap_or(0.0),
            one,
            right: walks_right(context, &cnf, &cnf)?,
        })
    }
}

/// Whether a group of candidates of a formula walks as the twin does, which has the same.
fn walks_right(context: &Context, cnf: &Cnf, of_twin: &Cnf) -> Result<bool, SatError> {
    let options = walk::Options::new(walk::GROUP).seed(3);
    let mut walk = walk::Walk::new(context, cnf, options)?;
    let block = walk.block();
    let simple = of_twin.simplified()?;
    // The twin's assignments, and those that are read.
    memory::must_have(2 * walk::GROUP * cnf.variables())?;
    let mut twin = WalkSat::new(simple, walk::GROUP, block, options.seed, options.noise);
    walk.begin()?;
    twin.begin();
    for _ in 0..3 {
        walk.step()?;
        twin.step();
    }
    Ok(walk.assignments()? == twin.assignments)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lost clause, and one that has another literal, each a term of the sum that a walk makes
    /// small.
    #[test]
    fn a_walk_that_lost_or_changed_a_clause_is_noticed() {
        let context = Context::headless().unwrap();
        let cnf = random_cnf(9, 20, 3, 1).unwrap();
        assert!(walks_right(&context, &cnf, &cnf).unwrap());
        for changed in 0..cnf.len() {
            let mut clauses: Vec<Vec<i32>> = cnf.clauses().map(<[i32]>::to_vec).collect();
            clauses[changed][1] *= -1;
            let other = Cnf::new(9, &clauses).unwrap();
            assert!(!walks_right(&context, &other, &cnf).unwrap(), "clause {changed} changed");
            clauses.remove(changed);
            let fewer = Cnf::new(9, &clauses).unwrap();
            assert!(!walks_right(&context, &fewer, &cnf).unwrap(), "clause {changed} lost");
        }
    }
}
