//! The studies of each paper, and what several of them need.

mod card;
mod cuda_matmul;
pub(super) mod jacobi;
pub(super) mod matmul_2004;
mod prelude;
mod proofs;
mod race;
mod sweep;
mod time_limit;
mod vectors_2002;
pub(super) mod words;

use super::claim::Claim;
#[cfg(test)]
use super::claim::Statement;
use super::study::Study;
#[cfg(test)]
use quadrille_lab::report::Document;

pub fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::stream::Error> {
    Ok([jacobi::printed::sources()?, jacobi::gains::sources()?].concat())
}

/// Every claim that a measurement decides.
pub(super) fn measured_claims() -> impl Iterator<Item = &'static Claim> {
    [
        matmul_2004::claims::MEASURED,
        vectors_2002::claims::MEASURED,
        jacobi::claims::MEASURED,
        cuda_matmul::claims::MEASURED,
    ]
    .into_iter()
    .flatten()
}

/// Whether a claim of this id is one that a measurement of the paper decides.
#[cfg(test)]
pub(crate) fn measures(document: Document, id: &str) -> bool {
    measured_claims().any(|claim| claim.document == document && claim.id == id)
}

/// Every statement that none decides.
#[cfg(test)]
pub(super) fn statements() -> impl Iterator<Item = &'static Claim<Statement>> {
    [
        matmul_2004::claims::STATEMENTS,
        vectors_2002::claims::STATEMENTS,
        jacobi::claims::STATEMENTS,
        cuda_matmul::claims::STATEMENTS,
    ]
    .into_iter()
    .flatten()
}

/// Everything that can be reproduced, in the order of the report.
pub fn studies() -> Vec<Study> {
    let rooms: [&[Study]; 6] = [
        card::STUDIES,
        matmul_2004::STUDIES,
        vectors_2002::STUDIES,
        jacobi::STUDIES,
        cuda_matmul::STUDIES,
        proofs::STUDIES,
    ];
    rooms.concat()
}

#[cfg(test)]
mod tests;
