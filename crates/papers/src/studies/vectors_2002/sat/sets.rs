//! More variables than constants: several sets of them, and what they cost.

use super::super::super::prelude::*;

use super::super::claims;
use quadrille::data::SplitMix64;
use quadrille_vp::cnf::{Cnf, random_cnf, satisfied};
use quadrille_vp::sat::greedy::{Evaluator, VertexProgramEvaluator};
use quadrille_vp::vector_machine::{Machine, Processor};

/// Variables: of one set of constants, and of several.
const VARIABLES: [usize; 3] = [47, 94, 188];
const CLAUSES: usize = 400;
/// Assignments that are counted.
const ASSIGNMENTS: usize = 20;

struct Case {
    cnf: Cnf,
    evaluator: VertexProgramEvaluator,
    assignments: Vec<Vec<bool>>,
}

impl Case {
    fn new(machine: &Machine, variables: usize, seed: u64) -> Result<Case> {
        let cnf = random_cnf(variables, CLAUSES, 3, seed)?;
        let evaluator = VertexProgramEvaluator::new(machine, &cnf)?;
        let mut random = SplitMix64::new(seed);
        let mut assignment = || (0..variables).map(|_| random.next() >> 63 == 1).collect();
        let assignments = (0..ASSIGNMENTS).map(|_| assignment()).collect();
        Ok(Case { cnf, evaluator, assignments })
    }

    /// The assignments that are counted as plain loops count them.
    fn right(&mut self) -> Result<usize> {
        let mut right = 0;
        for assignment in &self.assignments {
            let count = self.evaluator.satisfied(assignment)?;
            right += usize::from(count == satisfied(&self.cnf, assignment));
        }
        Ok(right)
    }

    fn count_all(&mut self) -> Result<()> {
        self.assignments.iter().try_for_each(|assignment| {
            self.evaluator.satisfied(assignment)?;
            Ok(())
        })
    }
}

pub(super) fn run(lab: &mut Lab<'_>, part: &mut Part) -> Result<()> {
    let context = lab.context;
    let machine = Machine::new(context).with(Processor::Vertex)?;
    let mut cases = Vec::new();
    for variables in VARIABLES {
        let mut case = Case::new(&machine, variables, lab.seed)?;
        let what = format!("counts of {CLAUSES} clauses of {variables} variables");
        must_hold(&what, case.right()? == ASSIGNMENTS)?;
        cases.push(case);
    }
    let mut count = |way: usize| match cases.get_mut(way) {
        Some(case) => Ok(Clock::Wall.time(context, || case.count_all())?.1),
        None => Ok(Duration::ZERO),
    };
    let Some(times) = interleaved(lab, [0.5, 3.0], &mut count)? else { return Ok(()) };
    part.findings.push(check(&claims::SEVERAL_SETS, Ok((words(&cases, times), true))));
    part.tables.push(table(&cases, times));
    Ok(())
}

fn us(times: &Summary) -> f64 {
    times.median_ms * 1e3 / ASSIGNMENTS as f64
}

fn words(cases: &[Case], times: [Summary; VARIABLES.len()]) -> String {
    let one = |(case, times): (&Case, Summary)| {
        let (sets, variables) = (case.evaluator.sets(), case.cnf.variables());
        format!("{variables} variables take {sets} sets and {} us", short(us(&times)))
    };
    let all: Vec<String> = cases.iter().zip(times).map(one).collect();
    format!(
        "{CLAUSES} clauses in groups, each with the variables of a set, counted as by plain loops for {ASSIGNMENTS} \
         assignments: {}",
        all.join(", ")
    )
}

fn table(cases: &[Case], times: [Summary; VARIABLES.len()]) -> Table {
    type Line<'a> = (&'a Case, Summary);
    let columns = vec![
        only_text("variables", "", |(case, _): &Line<'_>| case.cnf.variables().into()),
        only_text("clauses", "", |_| CLAUSES.into()),
        only_text("sets of constants", "", |(case, _)| case.evaluator.sets().into()),
        only_text("an evaluation", "us", |(_, times)| us(times).into()),
        only_text("a set", "us", |(case, times)| {
            (us(times) / case.evaluator.sets().max(1) as f64).into()
        }),
        only_text("spread", "%", |(_, times)| times.spread_percent().into()),
    ];
    let notes = [
        "Engine vertex. A set holds 47 variables. A group of clauses takes the clause that adds the fewest variables, \
         until none fits; the counts of all groups are added.",
    ];
    let rows: Vec<Line<'_>> = cases.iter().zip(times).collect();
    let title = "Section 5.4: more variables than a set of constants holds";
    let command = alone("vectors-figure-7");
    Rows { columns, rows: &rows }.table("vectors-2002-sets-of-constants", title, notes, command)
}
