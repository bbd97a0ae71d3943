//! Whether this device computes correctly, without which no table is valid.

use super::prelude::*;
use crate::MeasurementError;
use crate::reproduce::list_studies;
use crate::survey::{Lines, Probes, Proof, probes, proofs};

list_studies! {
    STUDIES of None;

    "device-proofs", [2, 4], prove, "Small computations compared with the CPU";
    "device-probes", [2, 4], probe, "What was found by drawing";
}

const COMMAND: &str = "quadrille doctor";

/// A sum, and a few iterations in each layout; one that is wrong ends the study.
fn prove(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    for (what, proof) in proofs::run(lab.context) {
        match proof {
            Ok(Proof { what, max_error, right: false, .. }) => {
                return Err(MeasurementError::Wrong { what, error: max_error }.into());
            }
            Ok(proof) => rows.push(proof),
            Err(error) => left_out.push(format!("{what}: {error}")),
        }
    }
    let columns = vec![
        only_text("computation", "", |proof: &Proof| proof.what.as_str().into()),
        only_text("largest error", "", |proof| proof.max_error.into()),
        only_text("of what rounding may do", "", |proof| proof.of_bound.into()),
    ];
    let notes = ["Above 1 in the last column would be wrong."];
    let title = "Errors against double precision";
    let table = Rows { columns, rows: &rows }.table("device-proofs", title, notes, COMMAND);
    Ok(Part { tables: vec![table], left_out, ..Part::default() })
}

fn probe(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let found = probes::run(lab.context)?;
    if !found.rows_ascend {
        let what = "the order of rows, from upload through drawing to reading".into();
        return Err(MeasurementError::Wrong { what, error: f64::INFINITY }.into());
    }
    let largest = lab.context.abilities().max_texture_size;
    let mut notes = vec!["What is wrong here is drawn or read in another way.".to_owned()];
    notes.extend(found.remarks());
    let columns = vec![
        only_text("probe", "", |(probe, ..): &Line| (*probe).into()),
        only_text("at", "", |(_, at, _)| at.as_str().into()),
        only_text("wrong", "", |(.., wrong)| wrong.as_str().into()),
    ];
    let title = "Whether each texel is drawn and read that should be";
    let rows = rows(&found, largest);
    let table = Rows { columns, rows: &rows }.table("device-probes", title, notes, COMMAND);
    Ok(Part { tables: vec![table], ..Part::default() })
}

/// A probe, its extent, and what is wrong.
type Line = (&'static str, String, String);

fn rows(found: &Probes, largest: u32) -> Vec<Line> {
    let line = |line: &Lines| {
        let wrong = if line.exact { "nothing" } else { "some texels" };
        ("lines on the boundary", format!("{} x {}", line.width, line.height), wrong.to_owned())
    };
    let count = |probe, size: u32, wrong: usize| {
        let wrong = if wrong == 0 { "nothing".into() } else { format!("{wrong} texels") };
        (probe, format!("{size} x {size}"), wrong)
    };
    let counts = [
        count("sampling at texels' centres", largest, found.misread_texels),
        count("neighbours by floor algebra", 1024, found.misplaced_by_floor),
    ];
    found.lines.iter().map(line).chain(counts).collect()
}
