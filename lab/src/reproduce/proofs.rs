//! Whether this device computes correctly, without which no table is valid.

use super::super::survey::{Lines, Probes, Proof, probes, proofs};
use super::prelude::*;

pub(super) const STUDIES: [Study; 2] = [
    Study {
        id: "device-proofs",
        document: None,
        title: "Small computations compared with the CPU",
        seconds: [2, 4],
        run: prove,
    },
    Study {
        id: "device-probes",
        document: None,
        title: "What was found by drawing",
        seconds: [2, 4],
        run: probe,
    },
];

const COMMAND: &str = "quadrille doctor";

/// A sum, and a few iterations in each layout; one that is wrong ends the study.
fn prove(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    for (what, proof) in proofs::run(lab.context) {
        match proof {
            Ok(Proof { what, max_error, right: false, .. }) => {
                return Err(Error::Wrong { what, error: max_error });
            }
            Ok(proof) => {
                rows.push(vec![proof.what.into(), proof.max_error.into(), proof.of_bound.into()])
            }
            Err(error) => left_out.push(format!("{what}: {error}")),
        }
    }
    let table = Table {
        id: "device-proofs".into(),
        title: "Errors against double precision".into(),
        columns: ["computation", "largest error", "of what rounding may do"]
            .map(String::from)
            .into(),
        rows,
        notes: vec!["Above 1 in the last column would be wrong.".into()],
        command: COMMAND.into(),
    };
    Ok(Part { tables: vec![table], left_out, ..Part::default() })
}

fn probe(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let found = probes::run(lab.context)?;
    if !found.rows_ascend {
        let what = "the order of rows, from upload through drawing to reading".into();
        return Err(Error::Wrong { what, error: f64::INFINITY });
    }
    let largest = lab.context.abilities().max_texture_size;
    let mut notes = vec!["What is wrong here is drawn or read in another way.".to_owned()];
    notes.extend(found.remarks());
    let table = Table {
        id: "device-probes".into(),
        title: "Whether each texel is drawn and read that should be".into(),
        columns: ["probe", "at", "wrong"].map(String::from).into(),
        rows: rows(&found, largest),
        notes,
        command: COMMAND.into(),
    };
    Ok(Part { tables: vec![table], ..Part::default() })
}

fn rows(found: &Probes, largest: u32) -> Vec<Vec<Cell>> {
    let line = |line: &Lines| {
        let wrong = if line.exact { "nothing" } else { "some texels" };
        let at = format!("{} x {}", line.width, line.height);
        vec!["lines on the boundary".into(), at.into(), wrong.into()]
    };
    let mut rows: Vec<Vec<Cell>> = found.lines.iter().map(line).collect();
    let mut count = |probe: &str, size: u32, wrong: usize| {
        let wrong = if wrong == 0 { "nothing".into() } else { format!("{wrong} texels") };
        rows.push(vec![probe.into(), format!("{size} x {size}").into(), wrong.into()]);
    };
    count("sampling at texels' centres", largest, found.misread_texels);
    count("neighbours by floor algebra", 1024, found.misplaced_by_floor);
    rows
}
