//! Properties of diffusion by a coefficient at each point, from its five bands as they follow from
//! the coefficients.

use super::{NONE, Properties};
use crate::data::{Diffusion, Float};
use crate::linalg::host_threads::share;

/// Rows that no thread has fewer of.
const ROWS: usize = 1 << 10;

impl Properties {
    /// Finds the properties of all rows.
    pub(super) fn of_field<T: Float>(field: &Diffusion) -> Properties {
        let n = field.coefficients().len();
        let share = share(n, ROWS);
        let of = |first: usize| of_rows::<T>(field, first..(first + share).min(n));
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..n).step_by(share).skip(1).map(|first| scope.spawn(move || of(first))).collect();
            threads.into_iter().fold(of(0), |found, thread| match thread.join() {
                Ok(more) => found.combined(more),
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }
}

fn of_rows<T: Float>(field: &Diffusion, rows: std::ops::Range<usize>) -> Properties {
    let mut found = Properties {
        unknowns: rows.len() as u64,
        // Those beside the edge have one.
        has_a_sum: 1,
        ..Properties::NONE
    };
    field.each_segment(rows, |rows, [middle, others @ ..]: &[&[T]; 5]| {
        for (at, row) in rows.enumerate() {
            let diagonal: f64 = middle[at].into();
            let beside: f64 = others.iter().map(|numbers| numbers[at].into().abs()).sum();
            if diagonal < beside && found.not_dominant == NONE {
                found.not_dominant = row as u64;
            }
            if diagonal == 0.0 && found.zero_diagonal == NONE {
                (found.zero_diagonal, found.not_positive) = (row as u64, row as u64);
            }
            found.least = found.least.min(diagonal);
            found.most = found.most.max(diagonal);
            found.gershgorin = found.gershgorin.max((diagonal + beside) / diagonal);
        }
    });
    Properties { largest: found.most, ..found }
}
