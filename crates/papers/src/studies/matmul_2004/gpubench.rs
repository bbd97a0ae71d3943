//! The other measurements of GPUBench, the slides' suite of microbenchmarks.

use super::super::prelude::*;

use super::super::race::{probes_must_be_right, too_slow};
use quadrille_lab::bench::device;
use quadrille_lab::bench::device::{Plan, Question, Row};
use quadrille_lab::bench::stream::{self, Operation};

/// The questions, the most telling first.
const QUESTIONS: [Question; 5] = [
    Question::Precision,
    Question::Output,
    Question::DependentFetch,
    Question::Branch,
    Question::Opcode,
];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    part.tables.push(transfers(lab)?);
    let slow = too_slow(lab)?.is_some();
    let mut rows = Vec::new();
    for question in QUESTIONS {
        let arithmetic = matches!(question, Question::Branch | Question::Opcode);
        if lab.left().is_zero() || slow && arithmetic {
            let name = question.name();
            part.left_out.push(format!("GPUBench's {name}: no time is left for it on this device"));
            continue;
        }
        let table = device::run(lab.context, &plan(lab.scale, question), &mut lab.in_time())?;
        for line in table.left_out {
            if !part.left_out.contains(&line) {
                part.left_out.push(line);
            }
        }
        rows.extend(table.rows);
        if lab.stopped() {
            break;
        }
    }
    probes_must_be_right(&rows)?;
    part.tables.push(table(&rows));
    Ok(part)
}

fn plan(scale: Scale, question: Question) -> Plan {
    Plan {
        questions: vec![question],
        runs: scale.pick(2, 5),
        run: Duration::from_millis(scale.pick(5, 20)),
        brief: scale == Scale::Quick,
        only: &[],
    }
}

fn table(rows: &[Row]) -> Table {
    let names = QUESTIONS.map(Question::name).join(",");
    let notes = [
        "The slides give no numbers of these. Precision: errors in units in the last place of the exact \
         result, the largest and the mean; GPUBench gives them relative and absolute.",
    ];
    let title = "GPUBench's questions, beside arithmetic and fetches";
    let command = format!("quadrille bench device --probes {names}");
    Rows { columns: columns(), rows }.table("matmul-2004-gpubench", title, notes, command)
}

/// The columns of probes, beside GPUBench's names.
pub(super) fn columns() -> Vec<Column<Row>> {
    let mut columns = Row::columns();
    let name = |row: &Row| theirs(row.probe, &row.variant).into();
    columns.insert(0, only_text("GPUBench", "", name));
    columns
}

/// GPUBench's name of a probe.
fn theirs(probe: &str, variant: &str) -> Option<&'static str> {
    Some(match probe {
        "mad" | "opcode" => "instrissue",
        "fetch" => "floatbandwidth",
        "fetch-cost" if variant.contains("dependent") => "fetchcosts, dependent",
        "fetch-cost" => "fetchcosts",
        "dependent-fetch" => "floatbandwidth, dependent",
        "output" => "outputbandwidth",
        "branch" => "branching",
        "precision" => "precision",
        _ => return None,
    })
}

const NOTE: &str = "By the wall clock, waiting for each transfer; one of 1000 passes, each of which needs the one before.";

/// The operations that the host has a part in.
const TIMED: [Operation; 7] = {
    let [upload, readback, later, from, to] = Operation::TRANSFERS;
    [upload, readback, later, from, to, Operation::Dispatch, Operation::Pass]
};

/// Texels to the device and back, by each way, 64 MiB or 4, and what a pass costs.
fn transfers(lab: &mut Lab<'_>) -> Result<Table> {
    let n = lab.scale.pick(1 << 20, 1 << 24);
    let (operations, runs) = (TIMED.to_vec(), lab.runs());
    let plan = stream::Plan { sizes: vec![n], operations, runs, within: None };
    let rows = stream::run(lab.context, &plan, &mut lab.in_time())?.rows;
    for row in &rows {
        must_be_right(row.operation.name(), row.comparison)?;
    }
    let mut columns = stream::columns();
    let name = |row: &stream::Row| match row.operation {
        Operation::Upload | Operation::UploadStaging => "download".into(),
        Operation::Dispatch | Operation::Pass => None::<&str>.into(),
        _ => "readback".into(),
    };
    columns.insert(0, only_text("GPUBench", "", name));
    let names = TIMED.map(Operation::name).join(",");
    let command = format!("quadrille bench stream --operations {names} --sizes {n}");
    let (title, notes) = ("GPUBench's transfers, and passes", [NOTE]);
    let rows = Rows { columns, rows: &rows };
    Ok(rows.table("matmul-2004-transfers", title, notes, command))
}
