//! The probes of a device, as a library's user meets them.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::each;
use quadrille::measure::device::limits;

#[test]
fn limits_are_finite_and_positive_and_compute_is_there_where_it_is() {
    each(|context| {
        let begun = std::time::Instant::now();
        let limits = limits(context, &mut ()).unwrap();
        eprintln!("{limits:?} {:?}", begun.elapsed());
        assert!(limits.fragment_mad_gflops.is_finite() && limits.fragment_mad_gflops > 0.0);
        assert!(limits.fetch_gb_s.is_finite() && limits.fetch_gb_s > 0.0);
        let compute = limits.compute_mad_gflops;
        assert_eq!(compute.is_some(), context.abilities().compute.is_some());
        assert!(compute.is_none_or(|rate| rate.is_finite() && rate > 0.0));
    });
}
