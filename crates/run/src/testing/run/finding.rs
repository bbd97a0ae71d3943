//! The comparison of an output.

use std::path::PathBuf;

use quadrille::data::Field;

use quadrille::testing::{Difference, Mismatch};

/// The comparison of an output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The output.
    pub output: String,
    /// The key of what was expected: `equals`, `finite`; or what must not change it: `again`,
    /// `reads`, `size`.
    pub claim: &'static str,
    /// The difference, or the reason why there is no comparison.
    pub difference: Result<Difference, Mismatch>,
    /// The part of the output that was compared.
    pub got: Field,
    /// The expected numbers of that part, where numbers are expected.
    pub expected: Option<Field>,
    /// The file of the expected numbers, where they are from one.
    pub file: Option<PathBuf>,
}

impl Finding {
    /// Returns whether the output is as expected.
    pub fn is_right(&self) -> bool {
        self.difference.as_ref().is_ok_and(Difference::is_right)
    }

    pub(super) fn reason(&self) -> String {
        let Finding { output, claim, .. } = self;
        let words = match &self.difference {
            Ok(difference) => difference.to_string(),
            Err(mismatch) => mismatch.to_string(),
        };
        match *claim {
            "again" => format!("output `{output}` differs between two runs: {words}"),
            "reads" => format!("output `{output}` differs between fetching and sampling: {words}"),
            "size" => format!("output `{output}` differs on a larger target: {words}"),
            claim => format!("output `{output}`, `{claim}`: {words}"),
        }
    }
}
