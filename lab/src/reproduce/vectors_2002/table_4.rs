//! Table 4 and figure 4: the three programs by size, on every engine, with and without transfers.

use super::super::super::document::vectors as document;
use super::super::super::report::{Cell, Finding, Part, Table, Verdict};
use super::super::super::vector::{self, Plan, Row, Runner, Subject, figures};
use super::super::super::{Error, Summary};
use super::super::pace::by_size;
use super::super::words::{beyond_chance, both, list, must_be_right, scatters, short};
use super::super::{Lab, Scale};
use super::{finding_or, pair, plan, times};
use quadrille::vector_machine::Engine;

/// The paper's sizes, and for a quick run those that any device ends soon.
fn sizes(scale: Scale) -> &'static [usize] {
    scale.pick(&document::SIZES[..3], &document::SIZES[..])
}

/// Runs of each.
fn runs(scale: Scale) -> usize {
    scale.pick(3, 5)
}

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let (sizes, runs) = (sizes(lab.scale), runs(lab.scale));
    let mut part = Part::default();
    let tables = by_size(lab, "table 4", sizes, &mut part.left_out, |context, n, observer| {
        let mut plan = Plan { sizes: vec![n], ..plan(context, runs) };
        if Some(&n) != sizes.first() {
            plan.engines.retain(|engine| *engine != Engine::Simulator);
        }
        finished(vector::run(context, &plan, observer)?)
    })?;
    let rows: Vec<Row> = tables.iter().flat_map(|table| table.rows.clone()).collect();
    part.left_out.extend(tables.iter().flat_map(left_out));
    let measured: Vec<usize> = sizes.iter().copied().take(tables.len()).collect();
    part.tables.push(table(&rows, &measured, runs));
    part.figures.extend(figures::figure_4(&rows));
    part.findings = findings(&rows, &measured);
    Ok(part)
}

/// A table of right results that came to its end.
pub(super) fn finished(table: vector::Table) -> Result<Option<vector::Table>, Error> {
    if let Some((what, comparison)) = table.wrong().into_iter().next() {
        must_be_right(&what, comparison)?;
    }
    Ok((!table.stopped).then_some(table))
}

/// The engines that could not run, and why.
pub(super) fn left_out(table: &vector::Table) -> Vec<String> {
    let line = |skipped: &vector::Skipped| {
        let (what, n, reason) = (&skipped.what, skipped.n, &skipped.reason);
        format!("{what} at {n} on engine {}: {reason}", skipped.runner.name())
    };
    table.skipped.iter().map(line).collect()
}

/// Rows of one program at one size.
fn of(rows: &[Row], subject: Subject, n: usize) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.subject == subject && row.n == n)
}

/// The cells that every table of rows has: what a call and its transfers take.
pub(super) fn times_of(row: &Row) -> [Cell; 6] {
    let median = |summary: Option<Summary>| Cell::from(summary.map(|times| times.median_ms));
    [
        median(row.upload),
        median(Some(row.first)),
        median(row.readback),
        median(Some(row.total)),
        median(Some(row.compute)),
        (100.0 * row.total.relative_spread()).into(),
    ]
}

/// The columns of [`times_of`].
pub(super) const TIMES: [&str; 6] =
    ["upload [ms]", "call [ms]", "readback [ms]", "total [ms]", "again [ms]", "spread [%]"];

fn table(rows: &[Row], sizes: &[usize], runs: usize) -> Table {
    let cells = |row: &Row| -> Vec<Cell> {
        let cpu = of(rows, row.subject, row.n).find(|other| other.runner == Runner::Cpu);
        let claim = document::claim(row.subject.name(), row.n);
        let claim = claim.and_then(|claim| match row.runner {
            Runner::Cpu => Some(f64::from(claim.cpu_ms)),
            Runner::Engine(Engine::Simulator) => None,
            Runner::Engine(_) => Some(f64::from(claim.gpu_ms)),
        });
        let faster = cpu.filter(|_| row.runner != Runner::Cpu).map(|cpu| times(cpu, row));
        let first = [row.subject.name().into(), row.n.into(), row.runner.name().into()];
        let last = [Cell::from(faster), claim.into()];
        first.into_iter().chain(times_of(row)).chain(last).collect()
    };
    let columns = ["program", "elements", "runner"].into_iter().chain(TIMES);
    let columns = columns.chain(["times one core", "paper [ms]"]);
    Table {
        id: "vectors-2002-table-4".into(),
        title: "Table 4: the effects of increasing vector sizes".into(),
        columns: columns.map(String::from).collect(),
        rows: rows.iter().map(cells).collect(),
        notes: vec![
            "total: upload, first call and readback, as the paper timed; again: a second call, without transfers. \
             cpu is one core, optimized; the simulator runs only at the smallest size."
                .into(),
            "paper: a Pentium 4 at 1.5 GHz and a GeForce4, with a clock of 10 ms; its last column is labelled \
             1000000 again, by mistake."
                .into(),
            "The iterations of factorial on the cpu depend on the value; branch prediction learns a short vector that \
             is run repeatedly."
                .into(),
        ],
        command: format!(
            "quadrille bench vector --only table-4 --sizes {} --runs {runs}",
            list(sizes)
        ),
    }
}

/// The speedup of the fastest engine over one core, for one program at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Race {
    subject: Subject,
    n: usize,
    engine: &'static str,
    times: f64,
    /// Milliseconds of the cpu and of the engine.
    ms: [f64; 2],
    /// By what part of itself the ratio of both may be off.
    scatter: f64,
}

fn races(rows: &[Row], sizes: &[usize]) -> Vec<Race> {
    let race = |(n, subject): (usize, Subject)| {
        let (cpu, engine) = pair(of(rows, subject, n))?;
        let ms = [cpu, engine].map(|row| row.total.median_ms);
        let scatters = [cpu, engine].map(|row| row.total.relative_spread());
        let scatter = scatters.into_iter().fold(0.0, f64::max);
        let times = times(cpu, engine);
        Some(Race { subject, n, engine: engine.runner.name(), times, ms, scatter })
    };
    let all = sizes.iter().flat_map(|n| Subject::TABLE_4.map(|subject| (*n, subject)));
    all.filter_map(race).collect()
}

fn findings(rows: &[Row], sizes: &[usize]) -> Vec<Finding> {
    let races = races(rows, sizes);
    let largest = sizes.iter().copied().max().unwrap_or(0);
    // Small sizes measure overhead, not the programs.
    let last = races.iter().copied().filter(|race| race.n == largest && race.n >= 100_000);
    let last: Vec<Race> = last.collect();
    let mut findings = vec![smallest(&races), larger(&races)];
    findings.extend(CLAIMED.iter().map(|claimed| speedup(*claimed, &last)));
    findings.extend([work(&last), oddity(&last), proportion(&races)]);
    findings
}

/// The most that a ratio of some may be off.
fn scatter(races: &[Race]) -> f64 {
    races.iter().map(|race| race.scatter).fold(0.0, f64::max)
}

/// "arithmetic at 10000 on fragment 1.20".
fn words(races: &[Race]) -> String {
    let word = |race: &Race| {
        format!("{} at {} {} ({})", race.subject, race.n, short(race.times), race.engine)
    };
    races.iter().map(word).collect::<Vec<_>>().join(", ")
}

const NOT_RUN: &str = "it needs sizes for which there was no time here";
/// The name of the speedup of the fastest engine.
const TIMES_ONE_CORE: &str = "speedup of the fastest engine over one core, with transfers";

fn smallest(races: &[Race]) -> Finding {
    let races: Vec<Race> = races.iter().copied().filter(|race| race.n == 10_000).collect();
    let judged = (!races.is_empty()).then(|| {
        let words = format!(
            "{TIMES_ONE_CORE}: {} (threshold: at least two below 1; {})",
            words(&races),
            scatters(scatter(&races))
        );
        let verdict = |race: &Race| beyond_chance(race.times, race.scatter, |times| times < 1.0);
        let count = |which| races.iter().filter(|race| verdict(race) == which).count();
        let slower = count(Verdict::Confirmed);
        match slower + count(Verdict::NotMeasurable) {
            _ if slower >= 2 => (words, Verdict::Confirmed),
            0 | 1 => (words, Verdict::Contradicted),
            _ => (words, Verdict::NotMeasurable),
        }
    });
    finding_or(
        "At 10^4 elements the framework's overhead makes the GPU slightly slower than the CPU in two of three \
         programs",
        judged,
        NOT_RUN,
    )
}

fn larger(races: &[Race]) -> Finding {
    let races: Vec<Race> = races.iter().copied().filter(|race| race.n >= 100_000).collect();
    let judged = (!races.is_empty()).then(|| {
        let verdict = |race: &Race| beyond_chance(race.times, race.scatter, |times| times > 1.0);
        let words = format!(
            "{TIMES_ONE_CORE}: {} (threshold: all above 1; {})",
            words(&races),
            scatters(scatter(&races))
        );
        (words, races.iter().map(verdict).fold(Verdict::Confirmed, both))
    });
    finding_or("From 10^5 elements on the GPU outperforms the CPU", judged, NOT_RUN)
}

/// The speed-ups of table 4 at 10^7.
const CLAIMED: [(Subject, f64, &str); 3] = [
    (Subject::Arithmetic, 6.4, "arithmetic is 6.4 times faster on the GPU at 10^7"),
    (Subject::Exponents, 16.7, "exponents is 16.7 times faster on the GPU at 10^7"),
    (Subject::Factorial, 5.0, "factorial is 5.0 times faster on the GPU at 10^7"),
];

/// Two thirds of a speed-up is still about as much.
const ABOUT: f64 = 1.5;
/// A tenth of the size of which the paper tells them: less tells nothing of it.
const LARGE: usize = 1_000_000;

fn speedup((subject, claimed, claim): (Subject, f64, &str), last: &[Race]) -> Finding {
    let race = last.iter().find(|race| race.subject == subject);
    let judged = race.map(|race| {
        let [cpu, engine] = race.ms.map(short);
        let words = format!(
            "{} times at {}, the largest size that ran: {cpu} ms on one core, {engine} ms on engine {}, with \
             transfers (threshold: at least {}, at 10^6 or more; {})",
            short(race.times),
            race.n,
            race.engine,
            short(claimed / ABOUT),
            scatters(race.scatter)
        );
        let holds = |times: f64| times * ABOUT >= claimed;
        match race.n >= LARGE {
            true => (words, beyond_chance(race.times, race.scatter, holds)),
            false => (words, Verdict::NotMeasurable),
        }
    });
    finding_or(claim, judged, NOT_RUN)
}

/// Two programs at the largest size.
fn two(last: &[Race], subjects: [Subject; 2]) -> Option<[Race; 2]> {
    let of = |subject| last.iter().copied().find(|race| race.subject == subject);
    Some([of(subjects[0])?, of(subjects[1])?])
}

/// Whether one gains more than the other, beyond chance.
fn more_than(one: Race, other: Race) -> Verdict {
    let ratio = one.times / other.times.max(1e-12);
    beyond_chance(ratio, scatter(&[one, other]), |ratio| ratio > 1.0)
}

fn work(last: &[Race]) -> Finding {
    let judged = two(last, [Subject::Arithmetic, Subject::Exponents]).map(|[less, more]| {
        let words = format!(
            "at {} the speedup over one core is {} for arithmetic and {} for exponents, which has more opcodes per \
             element ({})",
            more.n,
            short(less.times),
            short(more.times),
            scatters(scatter(&[less, more]))
        );
        (words, more_than(more, less))
    });
    finding_or(
        "The more work is done for an element, the more the GPU outperforms the CPU: exponents more than \
         arithmetic",
        judged,
        NOT_RUN,
    )
}

fn oddity(last: &[Race]) -> Finding {
    let judged = two(last, [Subject::Exponents, Subject::Factorial]).map(|[straight, branches]| {
        let words = format!(
            "at {} the speedup over one core is {} for exponents and {} for factorial, which has more opcodes ({})",
            branches.n,
            short(straight.times),
            short(branches.times),
            scatters(scatter(&[straight, branches]))
        );
        (words, more_than(straight, branches))
    });
    finding_or(
        "factorial is an oddity: the GPU runs all of the unrolled loop where the CPU ends it early, and gains less",
        judged,
        NOT_RUN,
    )
}

/// Figure 4: from one size to the next the times grow as the sizes do, give or take half.
fn proportion(races: &[Race]) -> Finding {
    let mut races: Vec<&Race> =
        races.iter().filter(|race| race.subject == Subject::Arithmetic).collect();
    races.sort_by_key(|race| race.n);
    let judged = races.last_chunk::<2>().map(|[before, last]| {
        let sizes = last.n as f64 / before.n as f64;
        let grown = [0, 1].map(|i| last.ms[i] / before.ms[i].max(1e-9));
        let words = format!(
            "arithmetic from {} to {}, {} times the elements: {} times the time on one core, {} times on the fastest \
             engine (threshold: within a factor of {ABOUT} of the elements)",
            before.n,
            last.n,
            short(sizes),
            short(grown[0]),
            short(grown[1])
        );
        let about = |times: f64| (sizes / ABOUT..=sizes * ABOUT).contains(&times);
        (words, Verdict::of(grown.into_iter().all(about)))
    });
    finding_or(
        "Figure 4: the times of both the CPU and the GPU increase in proportion to the input size",
        judged,
        NOT_RUN,
    )
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use super::*;

    fn race(subject: Subject, n: usize, cpu: f64, engine: f64) -> Race {
        Race {
            subject,
            n,
            engine: "fragment",
            times: cpu / engine,
            ms: [cpu, engine],
            scatter: 0.0,
        }
    }

    const ALL: [Subject; 3] = Subject::TABLE_4;

    #[test]
    fn sizes_are_judged_by_who_is_faster() {
        let at = |n, times: [f64; 3]| -> Vec<Race> {
            ALL.iter().zip(times).map(|(subject, times)| race(*subject, n, times, 1.0)).collect()
        };
        assert_eq!(smallest(&at(10_000, [0.5, 2.0, 0.9])).verdict, Confirmed);
        assert_eq!(smallest(&at(10_000, [0.5, 2.0, 1.1])).verdict, Contradicted);
        assert_eq!(smallest(&at(100_000, [0.5; 3])).verdict, NotMeasurable);
        assert_eq!(larger(&at(100_000, [1.5, 2.0, 1.1])).verdict, Confirmed);
        assert_eq!(larger(&at(100_000, [1.5, 2.0, 0.9])).verdict, Contradicted);
        assert_eq!(larger(&at(10_000, [1.5; 3])).verdict, NotMeasurable);
        let mut close = at(100_000, [1.5, 2.0, 1.1]);
        close[2].scatter = 0.2;
        assert_eq!(larger(&close).verdict, NotMeasurable);
        close[0].times = 0.5;
        assert_eq!(larger(&close).verdict, Contradicted);
    }

    #[test]
    fn speedups_are_judged_program_by_program() {
        let last = [race(ALL[0], LARGE, 4.3, 1.0), race(ALL[1], LARGE, 11.0, 1.0)];
        let verdicts = CLAIMED.map(|claimed| speedup(claimed, &last).verdict);
        assert_eq!(verdicts, [Confirmed, Contradicted, NotMeasurable]);
        assert_eq!([work(&last).verdict, oddity(&last).verdict], [Confirmed, NotMeasurable]);
        let small = [race(ALL[0], 100_000, 9.0, 1.0)];
        assert_eq!(speedup(CLAIMED[0], &small).verdict, NotMeasurable);
        let last = [race(ALL[1], 10, 2.0, 1.0), race(ALL[2], 10, 3.0, 1.0)];
        assert_eq!([work(&last).verdict, oddity(&last).verdict], [NotMeasurable, Contradicted]);
        let last = [race(ALL[0], 10, 3.0, 1.0), race(ALL[1], 10, 2.0, 1.0)];
        assert_eq!(work(&last).verdict, Contradicted);
    }

    #[test]
    fn growth_is_judged_by_the_last_two_sizes() {
        let races = |engine| {
            let of = |n, cpu, engine| race(Subject::Arithmetic, n, cpu, engine);
            [of(1000, 9.0, 1.0), of(100, 1.0, 0.1), of(10, 5.0, 7.0)].map(|mut race| {
                race.ms[1] *= if race.n == 1000 { engine } else { 1.0 };
                race
            })
        };
        assert_eq!(proportion(&races(1.0)).verdict, Confirmed);
        assert_eq!(proportion(&races(0.5)).verdict, Contradicted);
        assert_eq!(proportion(&races(1.0)[..1]).verdict, NotMeasurable);
    }
}
