//! Figure 7: the time of the paper's 3-SAT search against the number of clauses.

mod sets;

use super::super::prelude::*;
use super::claims;
use quadrille_lab::bench::sat;
use quadrille_lab::bench::sat::{CLAUSES, Engine, FEWEST, Fit, ITERATIONS, Plan, Row, figures};

const RUNS: usize = 5;
/// Iterations that show how many there is time for.
const FEW: u64 = 10;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let context = lab.context;
    let plan = |clauses: &[usize], iterations, runs| Plan {
        clauses: clauses.to_vec(),
        iterations,
        runs,
        candidates: None,
        steps: 0,
    };
    let one = sat::run(context, &plan(&[FEWEST], FEW, 1), &mut lab.observer())?;
    let most = lab.scale.pick(1000, 5000);
    let iterations = iterations(&one, lab.left().as_secs_f64(), most);
    let table = sat::run(context, &plan(&CLAUSES, iterations, RUNS), &mut lab.observer())?;
    for row in &table.rows {
        let what = format!("counts of {} clauses on engine {}", row.clauses, row.engine.name());
        must_hold(&what, row.right)?;
    }
    let mut part = Part { findings: findings(&table), ..Part::default() };
    part.figures.extend(figures::figure_7(&table));
    part.tables.extend(tables(&table, iterations));
    let skipped = table.skipped.iter();
    let line =
        |(engine, why): &(Engine, String)| format!("figure 7 on engine {}: {why}", engine.name());
    part.left_out.extend(skipped.map(line));
    sets::run(lab, &mut part)?;
    Ok(part)
}

/// The number of iterations that fits the time, from the times of a few with the fewest clauses;
/// engines whose time grows with the clauses take some two and a half times that on the whole.
fn iterations(one: &sat::Table, left: f64, most: u64) -> u64 {
    let each: f64 = one.rows.iter().map(|row| row.summary.median_ms / 1e3).sum();
    let all = 2.5 * each * (CLAUSES.len() * RUNS) as f64;
    ((0.6 * left / all.max(1e-9)) as u64).clamp(FEW, most)
}

fn tables(table: &sat::Table, iterations: u64) -> [Table; 2] {
    let clauses = list(&CLAUSES);
    let command = format!(
        "quadrille bench sat --one --clauses {clauses} --iterations {iterations} --runs {RUNS}"
    );
    let notes = [
        format!(
            "The paper runs {ITERATIONS} iterations; {iterations} were run here, {RUNS} times, on random formulas \
             of 47 variables without a model."
        ),
        "The paper gives no encoding of clauses. Here one is a quad of signed literals, and constant 48 + v the \
         value of variable v: 15 clauses per call, 105 opcodes. texture keeps the assignment in a texture and \
         accepts formulas of any size; host is plain code on one core."
            .into(),
    ];
    let title = "Figure 7: an iteration of the paper's 3-SAT search";
    let id = "vectors-2002-figure-7-iterations";
    let points = Rows { columns: Row::columns(), rows: &table.rows };
    let points = points.table(id, title, notes, command.as_str());
    let title = "Figure 7: an iteration as a fixed cost and a cost for each clause";
    let notes = ["Least-squares lines; a cost below the scatter of the times may be negative."];
    let lines = Rows { columns: Fit::columns(), rows: &table.fits() };
    [points, lines.table("vectors-2002-figure-7-lines", title, notes, command)]
}

/// The paper's function on the device.
const ON_DEVICE: [Engine; 3] = [Engine::Vertex, Engine::Feedback, Engine::Fragment];

fn findings(table: &sat::Table) -> Vec<Finding> {
    vec![
        judge(&claims::FLAT, grows(table, &ON_DEVICE)),
        judge(&claims::INCREASES, grows(table, &[Engine::Host])),
    ]
}

/// The time of the fastest of some engines from the fewest clauses to the most.
fn grows(table: &sat::Table, engines: &[Engine]) -> AnswerOrReason {
    let at = |engine, clauses| {
        let mut rows = table.rows.iter();
        rows.find(|row| row.engine == engine && row.clauses == clauses)
    };
    let [few, .., many] = CLAUSES;
    let both = |engine: &Engine| Some((*engine, at(*engine, few)?, at(*engine, many)?));
    let fastest = engines.iter().filter_map(both);
    let fastest = fastest.min_by(|a, b| a.2.summary.median_ms.total_cmp(&b.2.summary.median_ms));
    let Some((engine, before, after)) = fastest else { return Err("no engine ran it".into()) };
    let times = timed(after.timing(), before.timing());
    let words = format!(
        "{times} times from {few} to {many} clauses, {} to {} us per iteration, on {}",
        short(before.summary.median_ms * 1e3),
        short(after.summary.median_ms * 1e3),
        engine.name()
    );
    Ok(Answer::of(words, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{self, Confirmed, Contradicted, NotMeasurable};

    fn table(device: [f64; 2], host: [f64; 2]) -> sat::Table {
        let row = |engine, clauses, median_ms| sat::Row {
            engine,
            clauses,
            summary: Summary::still(median_ms),
            right: true,
        };
        let rows = vec![
            row(Engine::Vertex, 500, device[0]),
            row(Engine::Host, 500, host[0]),
            row(Engine::Vertex, 2000, device[1]),
            row(Engine::Host, 2000, host[1]),
        ];
        sat::Table { rows, ..sat::Table::default() }
    }

    #[test]
    fn growth_has_two_sides_on_the_device_and_one_on_the_host() {
        let verdicts = |table: sat::Table| -> Vec<Verdict> {
            findings(&table).iter().map(|finding| finding.verdict).collect()
        };
        assert_eq!(verdicts(table([1.0, 1.2], [1.0, 4.0])), [Confirmed; 2]);
        assert_eq!(verdicts(table([1.0, 2.0], [1.0, 1.5])), [Contradicted; 2]);
        assert_eq!(verdicts(table([1.0, 0.54], [1.0, 2.0])), [Contradicted, NotMeasurable]);
        assert_eq!(verdicts(table([1.0, 1.5], [1.0, 2.0])), [NotMeasurable; 2]);
        assert_eq!(verdicts(sat::Table::default()), [NotMeasurable; 2]);
    }

    #[test]
    fn there_are_as_many_iterations_as_there_is_time_for() {
        let one = table([0.1, 0.1], [0.0, 0.0]);
        let in_ten_seconds = iterations(&one, 10.0, 5000);
        assert!((540..660).contains(&in_ten_seconds), "{in_ten_seconds}");
        assert_eq!(iterations(&one, 0.0, 5000), FEW);
        assert_eq!(iterations(&one, 1e6, 5000), 5000);
    }
}
