//! Figure 5 and table 5: what an opcode adds to the time, and what a transfer has of it.

use super::super::prelude::*;
use super::table_4::{finished, left_out};
use super::{claims, fastest, plan};
use quadrille_lab::bench::vector;
use quadrille_lab::bench::vector::findings::{Growth, Retrieval, growth, retrieval};
use quadrille_lab::bench::vector::{Plan, Row, Runner, Subject, figures};
use quadrille_lab::report::document::vectors as document;
use quadrille_vp::vector_machine::Processor;

/// More opcodes than vertex programs of the time could have.
const MANY: usize = 480;

fn runs(scale: Scale) -> usize {
    scale.pick(3, 7)
}

/// All of figure 5's opcodes; for a quick run some that draw its lines as well.
fn opcodes(scale: Scale) -> Vec<usize> {
    scale.pick(vec![10, 60, 120], document::MULS_OPCODES.to_vec())
}

fn plan_5(context: &Context, n: usize, scale: Scale) -> Plan {
    let runs = runs(scale);
    Plan { muls_size: n, muls_opcodes: opcodes(scale), ..plan(context, runs) }
}

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    let (scale, runs) = (lab.scale, runs(lab.scale));
    let sizes = [document::MULS_SIZE / 10, document::MULS_SIZE];
    let tables = by_size(lab, "figure 5", &sizes, &mut part.left_out, |context, n, observer| {
        let mut plan = plan_5(context, n, scale);
        plan.muls_opcodes.push(MANY);
        // It takes longer than all others together.
        plan.engines.retain(|engine| *engine != Processor::Simulator);
        finished(vector::run(context, &plan, observer)?)
    })?;
    let (context, n) = (lab.context, sizes[tables.len().saturating_sub(1)]);
    if let Some(table) = tables.last() {
        let plan = plan_5(context, n, scale);
        part.left_out.extend(left_out(table));
        part.tables.push(figure_5(&growth(&plan, &table.rows), n, runs));
        part.figures.extend(figures::figure_5(&plan, &table.rows));
        part.findings = of_figure_5(&table.rows);
    }
    of_table_5(lab, &mut part, runs)?;
    Ok(part)
}

fn figure_5(growth: &[Growth], n: usize, runs: usize) -> Table {
    let title = format!(
        "Figure 5: muls of {n} elements, time split into a fixed part and a part per opcode"
    );
    let notes = [
        format!("The paper: 12 times the opcodes take about {} times the time.", document::MULS_GROWTH),
        "Least-squares lines; a cost below the scatter of the times may be negative. again: without transfers."
            .into(),
    ];
    let command = format!("quadrille bench vector --only figure-5 --muls-size {n} --runs {runs}");
    let columns = Growth::columns();
    Rows { columns, rows: growth }.table("vectors-2002-figure-5-lines", title, notes, command)
}

fn nothing<T>() -> Result<T, String> {
    Err("no engine ran it".into())
}

fn of_figure_5(rows: &[Row]) -> Vec<Finding> {
    vec![
        judge(&claims::DOUBLES, doubles(rows)),
        judge(&claims::TRIPLES, grows(rows)),
        judge(&claims::LONGER, longer(rows)),
        judge(&claims::TRANSFERS, grows(rows)),
    ]
}

fn with(rows: &[Row], opcodes: usize) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.subject == Subject::Muls(opcodes))
}

fn of<'a>(mut rows: impl Iterator<Item = &'a Row>, runner: Runner) -> Option<&'a Row> {
    rows.find(|row| row.runner == runner)
}

/// The CPU's time from 60 to 120 opcodes.
fn doubles(rows: &[Row]) -> AnswerOrReason {
    let cpu = [60, 120].map(|opcodes| of(with(rows, opcodes), Runner::Cpu));
    let [Some(half), Some(all)] = cpu else { return nothing() };
    let times = timed(all.timing(), half.timing());
    let (half, all) = (half.total, all.total);
    let words = format!("{half} ms with 60 opcodes and {all} ms with 120: {times} times");
    Ok(Answer::of(words, times))
}

/// The time of the engine that ends soonest, from 10 to 120 opcodes.
fn grows(rows: &[Row]) -> AnswerOrReason {
    let Some(most) = fastest(with(rows, 120)) else { return nothing() };
    let Some(least) = of(with(rows, 10), most.runner) else { return nothing() };
    let times = timed(most.timing(), least.timing());
    let words = format!(
        "{} ms with 10 opcodes and {} ms with 120 on engine {}, the fastest, with transfers: {times} times",
        least.total,
        most.total,
        most.runner.name()
    );
    Ok(Answer::of(words, times))
}

/// What an opcode adds to a call without transfers: up to 120, and from there to four times as
/// many.
fn longer(rows: &[Row]) -> AnswerOrReason {
    let Some(many) = fastest(with(rows, MANY)) else { return nothing() };
    let [least, few] = [10, 120].map(|opcodes| of(with(rows, opcodes), many.runner));
    let Some((least, few)) = least.zip(few) else { return nothing() };
    let us = |row: &Row| rated(1e3 * row.compute.median_ms, &row.compute);
    let added = |more: &Row, less: &Row| {
        let opcodes = more.subject.opcodes() - less.subject.opcodes();
        us(more).minus(us(less)).times(1.0 / opcodes as f64)
    };
    let (below, beyond) = (added(few, least), added(many, few));
    if !(below.value.is_finite() && beyond.value.is_finite()) {
        return Err(
            "more opcodes took no longer here: what one adds is less than what runs differ by"
                .into(),
        );
    }
    let words = format!(
        "without transfers a further opcode adds {below} us from 10 to 120 opcodes and {beyond} us from there to {MANY}, more \
         than any 2002 device accepts, on engine {}",
        many.runner.name()
    );
    Ok(Answer::of(words, beyond.over(below)))
}

/// Table 5, at the paper's size if there is time.
fn of_table_5(lab: &mut Lab<'_>, part: &mut Part, runs: usize) -> Result<()> {
    let opcodes = document::RETRIEVAL_OPCODES;
    let sizes = [document::RETRIEVAL_SIZE / 10, document::RETRIEVAL_SIZE];
    let tables = by_size(lab, "table 5", &sizes, &mut part.left_out, |context, n, observer| {
        let mut plan = Plan { retrieval: Some((n, opcodes)), ..plan(context, runs) };
        plan.engines.retain(|engine| *engine != Processor::Simulator);
        finished(vector::run(context, &plan, observer)?)
    })?;
    if let Some(measured) = tables.last() {
        part.left_out.extend(left_out(measured));
        part.tables.push(table_5(&measured.rows, runs));
        part.findings.extend(of_table(&measured.rows));
    }
    Ok(())
}

fn table_5(rows: &[Row], runs: usize) -> Table {
    let n = rows.first().map_or(0, |row| row.n);
    let opcodes = document::RETRIEVAL_OPCODES;
    let mut rows = retrieval(&Plan { retrieval: Some((n, opcodes)), ..Plan::default() }, rows);
    rows.push(Retrieval::of_the_paper());
    let title = format!("Table 5: muls of {opcodes} opcodes, {n} elements");
    let notes = [format!("The paper's vector has {} elements.", document::RETRIEVAL_SIZE)];
    let full = if n == document::RETRIEVAL_SIZE { " --full" } else { "" };
    let command =
        format!("quadrille bench vector --only table-5 --muls-size {n} --runs {runs}{full}");
    let columns = Retrieval::columns();
    Rows { columns, rows: &rows }.table("vectors-2002-table-5", title, notes, command)
}

/// Findings about the parts of the time, for the engine that ends soonest.
fn of_table(rows: &[Row]) -> Vec<Finding> {
    let told = |part: fn(&Row) -> Option<Summary>| -> AnswerOrReason {
        let Some(fastest) = fastest(rows.iter()) else { return nothing() };
        let Some(part) = part(fastest) else { return nothing() };
        let wanted = document::RETRIEVAL_SIZE;
        if fastest.n < wanted {
            return Err(format!("there was time for {} elements, not for {wanted}", fastest.n));
        }
        let percent = |part: Option<Summary>| {
            let share = part.map_or(0.0, |part| part.median_ms / fastest.total.median_ms.max(1e-9));
            format!("{:.0} %", 100.0 * share)
        };
        let words = format!(
            "readback {} and upload {} of {} ms at {} elements on engine {}, the fastest",
            percent(fastest.readback),
            percent(fastest.upload),
            fastest.total,
            fastest.n,
            fastest.runner.name()
        );
        Ok(Answer::of(words, timed(part.of_size(fastest.n), fastest.timing())))
    };
    vec![
        judge(&claims::RETRIEVAL, told(|row| row.readback)),
        judge(&claims::SENDING, told(|row| row.upload)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use quadrille_lab::report::{Cell, Verdict};

    fn row(runner: Runner, opcodes: usize, total: f64) -> Row {
        Row {
            subject: Subject::Muls(opcodes),
            n: document::RETRIEVAL_SIZE,
            runner,
            upload: Some(Summary::still(total / 2.0)),
            first: Summary::still(total / 4.0),
            compute: Summary::still(total / 4.0),
            chain: None,
            readback: Some(Summary::still(total / 4.0)),
            total: Summary::still(total),
            speedup: None,
            comparison: Comparison::RIGHT,
        }
    }

    const GPU: Runner = Runner::Engine(Processor::Fragment);

    fn verdicts(gpu: [f64; 2], many: f64, cpu: [f64; 2]) -> Vec<Verdict> {
        let mut rows = vec![row(Runner::Cpu, 60, cpu[0]), row(Runner::Cpu, 120, cpu[1])];
        rows.extend([row(GPU, 10, gpu[0]), row(GPU, 120, gpu[1])]);
        rows.extend([row(Runner::Cpu, MANY, 99.0), row(GPU, MANY, many)]);
        of_figure_5(&rows).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn figure_5_is_judged_by_how_times_grow() {
        assert_eq!(verdicts([2.0, 3.0], 5.0, [6.0, 12.0]), [Confirmed; 4]);
        assert_eq!(verdicts([1.0, 9.0], 80.0, [6.0, 8.0]), [Contradicted; 4]);
        assert_eq!(verdicts([1.0, 4.5], 18.0, [6.0, 9.6])[..3], [NotMeasurable; 3]);
        assert_eq!(verdicts([1.3, 2.4], 18.0, [6.0, 9.6])[3], NotMeasurable);
        let noise = verdicts([2.0, 1.9], 5.0, [6.0, 12.0])[2];
        assert_eq!(noise, NotMeasurable, "what is less than nothing has no ratio");
        assert!(of_figure_5(&[]).iter().all(|finding| finding.verdict == NotMeasurable));
    }

    #[test]
    fn table_5_is_judged_by_shares() {
        let verdicts = |upload: f64, readback: f64| {
            let mut gpu = row(GPU, 50, 10.0);
            (gpu.upload, gpu.readback) =
                (Some(Summary::still(upload)), Some(Summary::still(readback)));
            let findings = of_table(&[row(Runner::Cpu, 50, 1.0), gpu]);
            findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(6.0, 2.0), [Confirmed, Confirmed]);
        assert_eq!(verdicts(4.0, 4.0), [Contradicted, Contradicted]);
        assert_eq!(verdicts(5.0, 0.5), [Contradicted, NotMeasurable]);
        let small = Row { n: 10, ..row(GPU, 50, 10.0) };
        assert!(of_table(&[small]).iter().all(|found| found.measured.contains("was time for 10")));
        let none = of_table(&[]);
        assert_eq!(none.iter().map(|f| f.verdict).collect::<Vec<_>>(), [NotMeasurable; 2]);
    }

    #[test]
    fn table_5_ends_with_the_papers_row() {
        let table = table_5(&[row(GPU, 50, 8.0)], 3);
        assert_eq!(table.rows[1][1], Cell::Number(140.0));
        assert_eq!(table.rows[0][1..], [8.0, 50.0, 2.0, 25.0].map(Cell::Number));
    }
}
