//! Checks that this device computes correctly, without which no table is valid.

use super::prelude::*;
use crate::list_studies;
use quadrille::stream::facts;
use quadrille_lab::MeasurementError;
use quadrille_lab::survey::{Proof, proofs};

list_studies! {
    STUDIES of None;

    "device-proofs", [2, 4], prove, "Small computations compared with the CPU";
}

const COMMAND: &str = "quadrille doctor";

/// A sum, and a few iterations in each layout; one that is wrong ends the study, and so do rows in
/// another order.
fn prove(lab: &mut Lab<'_>) -> Result<Part> {
    if !facts::rows_ascend(lab.context)? {
        let what = "the order of rows, from upload through drawing to reading".into();
        return Err(MeasurementError::Wrong { what, error: f64::INFINITY }.into());
    }
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
