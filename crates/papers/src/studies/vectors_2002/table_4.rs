//! Table 4 and figure 4: the three programs by size, on every engine, with and without transfers.

mod rates;

use super::super::prelude::*;
use super::{claims, fastest, plan};
use quadrille_lab::bench::vector;
use quadrille_lab::bench::vector::{Plan, Row, Runner, Subject, figures};
use quadrille_lab::report::document::vectors as document;
use quadrille_vp::vector_machine::Processor;

/// The paper's sizes, and for a quick run those that any device ends soon.
fn sizes(scale: Scale) -> &'static [usize] {
    scale.pick(&document::SIZES[..3], &document::SIZES[..])
}

fn runs(scale: Scale) -> usize {
    scale.pick(3, 7)
}

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let (sizes, runs) = (sizes(lab.scale), runs(lab.scale));
    let mut part = Part::default();
    let tables = by_size(lab, "table 4", sizes, &mut part.left_out, |context, n, observer| {
        let mut plan = Plan { sizes: vec![n], ..plan(context, runs) };
        if Some(&n) != sizes.first() {
            plan.engines.retain(|engine| *engine != Processor::Simulator);
        }
        finished(vector::run(context, &plan, observer)?)
    })?;
    let rows: Vec<Row> = tables.iter().flat_map(|table| table.rows.clone()).collect();
    part.left_out.extend(tables.iter().flat_map(left_out));
    let measured: Vec<usize> = sizes.iter().copied().take(tables.len()).collect();
    part.tables.push(table(&rows, &measured, runs));
    if let Some(largest) = measured.last() {
        part.tables.push(rates::table(&rows, *largest, command(&[*largest], runs)));
    }
    part.figures.extend(figures::figure_4(&rows));
    part.findings = findings(&rows, &measured);
    Ok(part)
}

/// A table of right results that came to its end.
pub(super) fn finished(table: vector::Table) -> Result<Option<vector::Table>> {
    if let Some((what, comparison)) = table.wrong().into_iter().next() {
        must_be_right(&what, comparison)?;
    }
    Ok((!table.stopped).then_some(table))
}

pub(super) fn left_out(table: &vector::Table) -> Vec<String> {
    let line = |skipped: &vector::Skipped| {
        let vector::Skipped { what: (what, runner), n, reason } = skipped;
        format!("{what} at {n} on engine {}: {reason}", runner.name())
    };
    table.skipped.iter().map(line).collect()
}

fn of(rows: &[Row], subject: Subject, n: usize) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.subject == subject && row.n == n)
}

fn table(rows: &[Row], sizes: &[usize], runs: usize) -> Table {
    let title = "Table 4: the effects of increasing vector sizes";
    let notes = [
        "total: upload, first call and readback, as the paper timed; again: a second call, without transfers; in a row: one \
         of many such calls, with nothing between them. The simulator runs only at the smallest size.",
        "cpu is one core as in the paper, \"straight C++ and … raw arrays\": a straight loop, one number after the other; \
         speedup: over it. cpu-lanes is the same core with 16 numbers at a time in wide registers, where a loop allows it.",
        "paper: a Pentium 4 at 1.5 GHz and a GeForce4, with a clock of 10 ms; its last column is labelled \
         1000000 again, by mistake.",
        "The iterations of factorial on the cpu depend on the value; branch prediction learns a short vector that \
         is run repeatedly.",
    ];
    let command = command(sizes, runs);
    Rows { columns: Row::columns(), rows }.table("vectors-2002-table-4", title, notes, command)
}

fn command(sizes: &[usize], runs: usize) -> String {
    format!("quadrille bench vector --only table-4 --sizes {} --runs {runs}", list(sizes))
}

/// The speedup of the fastest engine over the straight loop of one core, for one program at one
/// size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Race {
    subject: Subject,
    n: usize,
    engine: &'static str,
    times: Estimate,
    /// The totals of one core and of the engine.
    totals: [Summary; 2],
}

impl Race {
    fn timing(&self, runner: usize) -> Timing {
        self.totals[runner].of_size(self.n)
    }
}

fn races(rows: &[Row], sizes: &[usize]) -> Vec<Race> {
    let race = |(n, subject): (usize, Subject)| {
        let cpu = of(rows, subject, n).find(|row| row.runner == Runner::Cpu)?;
        let engine = fastest(of(rows, subject, n))?;
        let times = timed(cpu.timing(), engine.timing());
        let totals = [cpu, engine].map(|row| row.total);
        Some(Race { subject, n, engine: engine.runner.name(), times, totals })
    };
    let all = sizes.iter().flat_map(|n| Subject::TABLE_4.map(|subject| (*n, subject)));
    all.filter_map(race).collect()
}

/// The least size that measures the programs, and not the overhead of starting them.
const BEYOND_OVERHEAD: usize = 100_000;
/// A tenth of the size at which the paper gives the speedups: fewer elements say nothing of them.
const LARGE: usize = 1_000_000;

fn findings(rows: &[Row], sizes: &[usize]) -> Vec<Finding> {
    let races = races(rows, sizes);
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let last = races.iter().copied().filter(|race| race.n == largest && race.n >= BEYOND_OVERHEAD);
    let last: Vec<Race> = last.collect();
    vec![
        judge(&claims::SMALLEST, smallest(&races)),
        judge(&claims::LARGER, larger(&races)),
        judge(&claims::SPEEDUPS, speedups(&last)),
        judge(&claims::PROPORTION, proportion(&races)),
        judge(&claims::WORK, more_than(&last, Subject::Exponents, Subject::Arithmetic)),
        judge(&claims::ODDITY, more_than(&last, Subject::Exponents, Subject::Factorial)),
    ]
}

/// "speedup over one core, with transfers: arithmetic at 10000 1.20 (fragment)".
fn words(races: &[Race]) -> String {
    let word =
        |race: &Race| format!("{} at {} {} ({})", race.subject, race.n, race.times, race.engine);
    let all: Vec<String> = races.iter().map(word).collect();
    format!(
        "speedup of the fastest engine over a straight loop on one core, with transfers: {}",
        all.join(", ")
    )
}

fn not_run<T>() -> Result<T, String> {
    Err("it needs sizes for which there was no time here".into())
}

/// The middle one of three.
fn smallest(races: &[Race]) -> AnswerOrReason {
    let races: Vec<Race> = races.iter().copied().filter(|race| race.n == 10_000).collect();
    let mut speedups: Vec<Estimate> = races.iter().map(|race| race.times).collect();
    speedups.sort_by(|a, b| a.value.total_cmp(&b.value));
    match speedups.as_slice() {
        [_, second, _] => Ok(Answer::of(words(&races), *second)),
        _ => not_run(),
    }
}

fn larger(races: &[Race]) -> AnswerOrReason {
    let races: Vec<Race> = races.iter().copied().filter(|race| race.n >= BEYOND_OVERHEAD).collect();
    if races.is_empty() {
        return not_run();
    }
    Ok(Answer::of_all(words(&races), races.iter().map(|race| race.times).collect()))
}

/// The speedups of table 4 at 10^7.
const CLAIMED: [(Subject, f64); 3] =
    [(Subject::Arithmetic, 6.4), (Subject::Exponents, 16.7), (Subject::Factorial, 5.0)];

fn speedups(last: &[Race]) -> AnswerOrReason {
    let of_claimed = |(subject, claimed)| {
        let race = last.iter().find(|race| race.subject == subject && race.n >= LARGE)?;
        Some(race.times.times(1.0 / claimed))
    };
    match CLAIMED.map(of_claimed) {
        [Some(arithmetic), Some(exponents), Some(factorial)] => {
            let parts = [arithmetic, exponents, factorial];
            let shares = parts.map(|part| part.to_string()).join(", ");
            let words = format!("{}: {shares} of the paper's", words(last));
            Ok(Answer::of_all(words, parts.to_vec()))
        }
        _ => not_run(),
    }
}

/// Compares the speedups of two programs: the ratio of the one to the other.
fn more_than(last: &[Race], one: Subject, other: Subject) -> AnswerOrReason {
    let of = |subject| last.iter().copied().find(|race| race.subject == subject);
    let Some((one, other)) = of(one).zip(of(other)) else { return not_run() };
    Ok(Answer::of(words(&[one, other]), one.times.over(other.times)))
}

/// The growth of the times between the two largest sizes, over that of the sizes.
fn proportion(races: &[Race]) -> AnswerOrReason {
    let is_it = |race: &&Race| race.subject == Subject::Arithmetic && race.n >= BEYOND_OVERHEAD;
    let mut races: Vec<&Race> = races.iter().filter(is_it).collect();
    races.sort_by_key(|race| race.n);
    let Some([before, last]) = races.last_chunk::<2>() else { return not_run() };
    let sizes = last.n as f64 / before.n as f64;
    let grown = [0, 1].map(|i| timed(last.timing(i), before.timing(i)));
    let words = format!(
        "arithmetic from {} to {}, {} times the elements: {} times the time on one core, {} times on the fastest engine",
        before.n,
        last.n,
        short(sizes),
        grown[0],
        grown[1]
    );
    Ok(Answer::of_all(words, grown.map(|grown| grown.times(1.0 / sizes)).to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{self, Confirmed, Contradicted, NotMeasurable};

    fn race(subject: Subject, n: usize, cpu: f64, engine: f64) -> Race {
        let totals = [cpu, engine].map(Summary::still);
        let times = timed(totals[0].of_size(n), totals[1].of_size(n));
        Race { subject, n, engine: "fragment", times, totals }
    }

    const ALL: [Subject; 3] = Subject::TABLE_4;

    fn at(n: usize, times: [f64; 3]) -> Vec<Race> {
        ALL.iter().zip(times).map(|(subject, times)| race(*subject, n, times, 1.0)).collect()
    }

    #[test]
    fn sizes_are_judged_by_who_is_faster() {
        let smallest = |races: &[Race]| judge(&claims::SMALLEST, smallest(races)).verdict;
        assert_eq!(smallest(&at(10_000, [0.5, 2.0, 0.9])), Confirmed);
        assert_eq!(smallest(&at(10_000, [0.5, 2.0, 1.1])), Contradicted);
        assert_eq!(smallest(&at(10_000, [0.1, 0.2, 0.9])), Contradicted, "slower by far");
        assert_eq!(smallest(&at(100_000, [0.5; 3])), NotMeasurable);
        let larger = |races: &[Race]| judge(&claims::LARGER, larger(races)).verdict;
        assert_eq!(larger(&at(100_000, [1.5, 2.0, 1.1])), Confirmed);
        assert_eq!(larger(&at(100_000, [1.5, 2.0, 0.9])), Contradicted);
        assert_eq!(larger(&at(100_000, [1.5, 2.0, 1.01])), NotMeasurable);
        assert_eq!(larger(&at(10_000, [1.5; 3])), NotMeasurable);
    }

    #[test]
    fn speedups_are_judged_by_the_papers_of_each_program() {
        let verdict = |races: &[Race]| judge(&claims::SPEEDUPS, speedups(races)).verdict;
        assert_eq!(verdict(&at(LARGE, [6.4, 16.7, 5.0])), Confirmed);
        assert_eq!(verdict(&at(LARGE, [6.4, 6.4, 6.4])), Contradicted);
        assert_eq!(verdict(&at(100_000, [6.4, 16.7, 5.0])), NotMeasurable);
        let work = |arithmetic, exponents| {
            let races = at(LARGE, [arithmetic, exponents, 1.0]);
            judge(&claims::WORK, more_than(&races, ALL[1], ALL[0])).verdict
        };
        let verdicts: [Verdict; 3] = [work(2.0, 3.0), work(3.0, 2.0), work(2.0, 2.0)];
        assert_eq!(verdicts, [Confirmed, Contradicted, NotMeasurable]);
        assert_eq!(judge(&claims::ODDITY, more_than(&[], ALL[1], ALL[2])).verdict, NotMeasurable);
    }

    #[test]
    fn growth_is_judged_by_the_two_largest_sizes() {
        let of = |n, cpu, engine| race(Subject::Arithmetic, n, cpu, engine);
        let verdict = |engine| {
            let races = [of(LARGE, 9.0, engine), of(LARGE / 10, 1.0, 0.1), of(10, 5.0, 7.0)];
            judge(&claims::PROPORTION, proportion(&races)).verdict
        };
        assert_eq!([verdict(1.0), verdict(0.5)], [Confirmed, Contradicted]);
        let few = [of(LARGE, 9.0, 1.0), of(10, 5.0, 7.0)];
        assert_eq!(judge(&claims::PROPORTION, proportion(&few)).verdict, NotMeasurable);
    }
}
