//! Figure 5 and table 5: what an opcode adds to the time, and what a transfer has of it.

use super::super::super::Error;
use super::super::super::document::vectors as document;
use super::super::super::report::{Cell, Finding, Part, Table, Verdict};
use super::super::super::vector::findings::{Growth, MOST_TIMES, Retrieval, growth, retrieval};
use super::super::super::vector::{self, Plan, Row, Runner, Subject, figures};
use super::super::pace::by_size;
use super::super::words::short;
use super::super::{Lab, Scale};
use super::table_4::{TIMES, finished, left_out, times_of};
use super::{finding, finding_or, pair, plan};
use quadrille::gl::Context;
use quadrille::vector_machine::Engine;

/// More opcodes than vertex programs of the time could have.
const MANY: usize = 480;

/// Runs of each.
fn runs(scale: Scale) -> usize {
    scale.pick(3, 5)
}

/// All of figure 5's opcodes; for a quick run some that draw its lines as well.
fn opcodes(scale: Scale) -> Vec<usize> {
    scale.pick(vec![10, 60, 120], document::MULS_OPCODES.to_vec())
}

/// The runs of muls at a size.
fn plan_5(context: &Context, n: usize, scale: Scale) -> Plan {
    let runs = runs(scale);
    Plan { muls_size: n, muls_opcodes: opcodes(scale), ..plan(context, runs) }
}

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    let (scale, runs) = (lab.scale, runs(lab.scale));
    let sizes = [document::MULS_SIZE / 10, document::MULS_SIZE];
    let tables = by_size(lab, "figure 5", &sizes, &mut part.left_out, |context, n, observer| {
        let mut plan = plan_5(context, n, scale);
        plan.muls_opcodes.push(MANY);
        finished(vector::run(context, &plan, observer)?)
    })?;
    let (context, n) = (lab.context, sizes[tables.len().saturating_sub(1)]);
    if let Some(table) = tables.last() {
        let plan = plan_5(context, n, scale);
        part.left_out.extend(left_out(table));
        part.tables.push(figure_5(&growth(&plan, &table.rows), n, runs));
        part.figures.extend(figures::figure_5(&plan, &table.rows));
        part.findings = of_figure_5(&growth(&plan, &table.rows), &table.rows);
    }
    of_table_5(lab, &mut part, runs)?;
    Ok(part)
}

fn figure_5(growth: &[Growth], n: usize, runs: usize) -> Table {
    let row = |growth: &Growth| -> Vec<Cell> {
        let line = |line: Option<vector::Line>| {
            let fixed = Cell::from(line.map(|line| line.fixed_ms));
            [fixed, line.map(|line| line.per_opcode_ms * 1e3).into()]
        };
        let mut cells = vec![growth.engine.into()];
        cells.extend(growth.total_ms.map(Cell::from));
        cells.push(growth.total_times.into());
        cells.extend(line(growth.line));
        cells.extend(line(growth.compute_line));
        cells.push(growth.finding.map_or(Cell::Empty, |verdict| verdict.name().into()));
        cells
    };
    let columns = [
        "runner",
        "10 opcodes [ms]",
        "120 opcodes [ms]",
        "times",
        "fixed [ms]",
        "an opcode [us]",
        "again, fixed [ms]",
        "again, an opcode [us]",
        "at most about 3 times",
    ];
    Table {
        id: "vectors-2002-figure-5-lines".into(),
        title: format!("Figure 5: muls of {n} elements, time split into a fixed part and a part per opcode"),
        columns: columns.map(String::from).to_vec(),
        rows: growth.iter().map(row).collect(),
        notes: vec![
            format!(
                "The paper: 12 times the opcodes take about {} times the time. Confirmed up to {MOST_TIMES}.",
                document::MULS_GROWTH
            ),
            "Least-squares lines; a cost below the scatter of the times may be negative. again: without transfers."
                .into(),
        ],
        command: format!(
            "quadrille bench vector --only figure-5 --muls-size {n} --runs {runs}"
        ),
    }
}

const NOTHING: &str = "no engine ran it";

fn of_figure_5(growth: &[Growth], rows: &[Row]) -> Vec<Finding> {
    let cpu = growth.iter().find(|growth| growth.engine == Runner::Cpu.name());
    let engines: Vec<&Growth> = growth.iter().filter(|growth| growth.finding.is_some()).collect();
    vec![triples(&engines), doubles(cpu, rows), transfers(&engines), longer(rows)]
}

/// The engine that ends soonest.
fn fastest<'a>(engines: &[&'a Growth]) -> Option<&'a Growth> {
    engines.iter().copied().min_by(|a, b| a.total_ms[1].total_cmp(&b.total_ms[1]))
}

fn triples(engines: &[&Growth]) -> Finding {
    let all: Vec<String> = engines
        .iter()
        .map(|growth| format!("{} {}", growth.engine, short(growth.total_times)))
        .collect();
    let judged = fastest(engines).map(|fastest| {
        let words = format!(
            "growth of the time: {}; judged for {}, the fastest (threshold: at most {MOST_TIMES})",
            all.join(", "),
            fastest.engine
        );
        (words, Verdict::of(fastest.total_times <= MOST_TIMES))
    });
    finding_or("12 times the opcodes take the GPU about 3 times the time", judged, NOTHING)
}

/// The CPU's time from 60 to 120 opcodes.
fn doubles(cpu: Option<&Growth>, rows: &[Row]) -> Finding {
    let at = |opcodes| {
        let mut of_cpu = rows.iter().filter(|row| row.runner == Runner::Cpu);
        let row = of_cpu.find(|row| row.subject == Subject::Muls(opcodes));
        row.map(|row| row.total.median_ms)
    };
    let judged = at(60).zip(at(120)).map(|(half, all)| {
        let words = format!(
            "{} times from 60 to 120 opcodes (threshold: 1.5 to 2.5), {} times from 10 to 120",
            short(all / half),
            short(cpu.map_or(f64::NAN, |cpu| cpu.total_times))
        );
        (words, Verdict::of((1.5..=2.5).contains(&(all / half))))
    });
    finding_or("The CPU's time roughly doubles as the opcodes double", judged, NOTHING)
}

fn transfers(engines: &[&Growth]) -> Finding {
    let judged =
        fastest(engines).and_then(|growth| Some((growth, growth.line?))).map(|(growth, line)| {
            let (fixed, opcodes) = (line.fixed_ms, 120.0 * line.per_opcode_ms);
            let words = format!(
                "engine {}: a fixed cost of {} ms, including transfers, and {} ms for 120 opcodes (threshold: less \
                 than the fixed cost)",
                growth.engine,
                short(fixed),
                short(opcodes)
            );
            (words, Verdict::of(fixed > opcodes))
        });
    finding_or(
        "Transfers are more of a bottleneck than the capacity for computation, even at 120 opcodes",
        judged,
        NOTHING,
    )
}

/// Time for an opcode at 120 and at four times as many.
fn longer(rows: &[Row]) -> Finding {
    let of = |opcodes| rows.iter().filter(move |row| row.subject == Subject::Muls(opcodes));
    let judged = pair(of(MANY)).and_then(|(_, many)| {
        let few = of(120).find(|row| row.runner == many.runner)?;
        let each = |row: &Row, opcodes: usize| row.total.median_ms * 1e3 / opcodes as f64;
        let (few, more) = (each(few, 120), each(many, MANY));
        let words = format!(
            "an opcode costs {} us in a program of 120 and {} us in one of {MANY}, more than any 2002 device \
             accepts, on engine {}",
            short(few),
            short(more),
            many.runner.name()
        );
        Some((words, Verdict::of(more < few)))
    });
    finding_or("The limit of 128 opcodes is too low: longer programs would pay", judged, NOTHING)
}

/// Table 5, at the paper's size if there is time.
fn of_table_5(lab: &mut Lab<'_>, part: &mut Part, runs: usize) -> Result<(), Error> {
    let opcodes = document::RETRIEVAL_OPCODES;
    let sizes = [document::RETRIEVAL_SIZE / 10, document::RETRIEVAL_SIZE];
    let mut lines = Vec::new();
    let tables = by_size(lab, "table 5", &sizes, &mut lines, |context, n, observer| {
        let mut plan = Plan { retrieval: Some((n, opcodes)), ..plan(context, runs) };
        plan.engines.retain(|engine| *engine != Engine::Simulator);
        let table = vector::run(context, &plan, observer)?;
        Ok(finished(table)?.map(|table| (plan, table)))
    })?;
    part.left_out.extend(lines);
    if let Some((plan, measured)) = tables.last() {
        part.left_out.extend(left_out(measured));
        let retrievals = retrieval(plan, &measured.rows);
        part.tables.push(table_5(&measured.rows, runs));
        part.findings.extend(of_retrieval(&retrievals));
    }
    Ok(())
}

fn table_5(rows: &[Row], runs: usize) -> Table {
    let n = rows.first().map_or(0, |row| row.n);
    let row = |row: &Row| -> Vec<Cell> {
        let share = |part: Option<super::super::super::Summary>| {
            Cell::from(part.map(|part| 100.0 * part.median_ms / row.total.median_ms.max(1e-9)))
        };
        let shares = [share(row.upload), share(row.readback)];
        std::iter::once(row.runner.name().into()).chain(times_of(row)).chain(shares).collect()
    };
    let [total, readback] = document::RETRIEVAL_MS.map(Cell::from);
    let mut rows: Vec<Vec<Cell>> = rows.iter().map(row).collect();
    let empty = || Cell::Empty;
    let document = "paper, GeForce4".into();
    let share = 100.0 * document::RETRIEVAL_MS[1] / document::RETRIEVAL_MS[0];
    rows.push(vec![
        document,
        empty(),
        empty(),
        readback,
        total,
        empty(),
        empty(),
        empty(),
        share.into(),
    ]);
    let columns = ["runner"].into_iter().chain(TIMES).chain(["upload [%]", "readback [%]"]);
    let full = if n == document::RETRIEVAL_SIZE { " --full" } else { "" };
    Table {
        id: "vectors-2002-table-5".into(),
        title: format!("Table 5: muls of {} opcodes, {n} elements", document::RETRIEVAL_OPCODES),
        columns: columns.map(String::from).collect(),
        rows,
        notes: vec![format!("The paper's vector has {} elements.", document::RETRIEVAL_SIZE)],
        command: format!(
            "quadrille bench vector --only table-5 --muls-size {n} --runs {runs}{full}"
        ),
    }
}

/// The paper's share is 21 %; up to half more of it is about as much.
const SHARE: f64 = 1.5 * 30.0 / 140.0;

fn of_retrieval(retrievals: &[Retrieval]) -> Vec<Finding> {
    let least = retrievals.iter().min_by(|a, b| a.total_ms.total_cmp(&b.total_ms));
    let claims = [
        "Only 21 % of the time is spent retrieving data from the card",
        "The major bottleneck is in sending data to the GPU",
    ];
    let Some(least) = least else {
        return claims.map(|claim| finding_or(claim, None, NOTHING)).to_vec();
    };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let words = format!(
        "readback {} and upload {} of {} ms at {} elements on engine {}, the fastest",
        percent(least.readback_share),
        percent(least.upload_share),
        short(least.total_ms),
        least.n,
        least.engine
    );
    let verdicts = [least.readback_share <= SHARE, least.upload_share > 0.5].map(Verdict::of);
    let limits = [format!("readback {} or less", percent(SHARE)), "upload more than half".into()];
    let told = limits.map(|limit| format!("{words} (threshold: {limit})"));
    let all = claims.into_iter().zip(told).zip(verdicts);
    all.map(|((claim, words), verdict)| finding(claim, words, verdict)).collect()
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use super::*;
    use crate::Summary;
    use crate::report::Cell;
    use quadrille::internal::reference::Comparison;

    fn row(runner: Runner, opcodes: usize, total: f64) -> Row {
        let time = |median_ms| Summary { median_ms, spread_ms: 0.0, runs: 1 };
        Row {
            subject: Subject::Muls(opcodes),
            n: 10,
            runner,
            upload: Some(time(total / 2.0)),
            first: time(total / 4.0),
            compute: time(total / 4.0),
            readback: Some(time(total / 4.0)),
            total: time(total),
            comparison: Comparison::RIGHT,
        }
    }

    const GPU: Runner = Runner::Engine(Engine::Fragment);

    /// 60 opcodes at half the way between 10 and 120 of the GPU; the CPU in proportion.
    fn rows(gpu: [f64; 2], many: f64, cpu: [f64; 3]) -> Vec<Row> {
        let mut rows: Vec<Row> = [10, 60, 120]
            .into_iter()
            .zip(cpu)
            .map(|(opcodes, time)| row(Runner::Cpu, opcodes, time))
            .collect();
        rows.extend([row(GPU, 10, gpu[0]), row(GPU, 120, gpu[1])]);
        rows.extend([row(Runner::Cpu, MANY, 99.0), row(GPU, MANY, many)]);
        rows
    }

    fn verdicts(rows: &[Row]) -> Vec<Verdict> {
        let plan = Plan {
            muls_size: 10,
            muls_opcodes: document::MULS_OPCODES.to_vec(),
            ..Plan::default()
        };
        of_figure_5(&growth(&plan, rows), rows).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn the_findings_of_figure_5_flip() {
        let all = verdicts(&rows([2.0, 3.0], 5.0, [1.0, 6.0, 12.0]));
        assert_eq!(all, [Confirmed; 4]);
        let none = verdicts(&rows([1.0, 9.0], 40.0, [1.0, 6.0, 8.0]));
        assert_eq!(none, [Contradicted; 4]);
        let nothing = verdicts(&rows([1.0, 9.0], 40.0, [1.0, 6.0, 8.0])[..2]);
        assert_eq!(nothing, [NotMeasurable; 4]);
    }

    #[test]
    fn the_findings_of_table_5_flip() {
        let plan = Plan { retrieval: Some((10, 50)), ..Plan::default() };
        let verdicts = |upload: f64, readback: f64| {
            let mut row = row(GPU, 50, 10.0);
            let summary = |median_ms| Some(Summary { median_ms, spread_ms: 0.0, runs: 1 });
            (row.upload, row.readback) = (summary(upload), summary(readback));
            let findings = of_retrieval(&retrieval(&plan, &[row]));
            findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(6.0, 2.0), [Confirmed, Confirmed]);
        assert_eq!(verdicts(4.0, 4.0), [Contradicted, Contradicted]);
        let none = of_retrieval(&[]);
        assert!(none.iter().all(|finding| finding.verdict == NotMeasurable));
        assert_eq!(none.len(), 2);
    }

    #[test]
    fn table_5_ends_with_the_papers_row() {
        let table = table_5(&[row(GPU, 50, 8.0)], 3);
        assert_eq!(table.rows[1][4], Cell::Number(140.0));
        assert_eq!(table.rows[0][7..], [Cell::Number(50.0), Cell::Number(25.0)]);
    }
}
