//! Of a constant operator every row is like an inner one, but for what its sides change.

use super::Properties;
use crate::data::ConstantOperator;
use crate::data::cancellation::Sums;

impl Properties {
    /// Finds the properties of a constant operator on a grid with periodic sides.
    pub(in crate::linalg::solve) fn of_constant_operator(
        operator: &ConstantOperator,
    ) -> Properties {
        let [middle, along_x, along_y, corner] = operator.couplings();
        let beside = 2.0 * along_x.abs() + 2.0 * along_y.abs() + 4.0 * corner.abs();
        let sums = match operator.has_constant_null_space() {
            true => Sums::NONE,
            false => Sums::BEYOND,
        };
        Properties {
            unknowns: operator.n() as u64,
            largest: operator.couplings().into_iter().fold(0.0, |most, one| most.max(one.abs())),
            couples_across_ends: 1,
            sums: sums.0,
            ..Properties::of_one_row(0, middle, beside)
        }
    }
}
