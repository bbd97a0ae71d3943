//! The measurements of the contenders of one size, by which claims are judged.

use super::super::sweep::must_be_large;
use crate::claim::{of_peak, of_peaks};
use quadrille_lab::bench::device::Limits;
use quadrille_lab::bench::matmul::{Efficiency, Row};
use quadrille_lab::report::Estimate;

/// Rows of one size, and what the device does at most.
pub(super) struct Facts<'a> {
    pub(super) n: usize,
    pub(super) rows: &'a [Row],
    pub(super) limits: Option<&'a Limits>,
    pub(super) left_out: &'a [String],
}

impl<'a> Facts<'a> {
    pub(super) fn row(&self, name: &str) -> Result<&'a Row, String> {
        must_be_large(self.n)?;
        let rows = self.rows;
        let found = rows.iter().find(|row| row.n == self.n && row.contender.to_string() == name);
        found.ok_or_else(|| self.reason(name))
    }

    /// Whether a method runs here, at whatever size.
    pub(super) fn runs(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.contender.to_string() == name)
    }

    pub(super) fn reason(&self, name: &str) -> String {
        let said = self
            .left_out
            .iter()
            .find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(" at ")));
        said.cloned().unwrap_or_else(|| format!("{name} was not measured at n = {}", self.n))
    }

    pub(super) fn efficiency(&self, name: &str) -> Result<Efficiency, String> {
        Ok(Efficiency::of(self.row(name)?, self.limits))
    }

    pub(super) fn gflops(&self, row: &Row) -> f64 {
        Efficiency::of(row, self.limits).gflops
    }

    /// Percent of the arithmetic peak of its stage.
    pub(super) fn of_peak(&self, name: &str) -> Result<Estimate, String> {
        self.believable()?;
        let percent = self.efficiency(name)?.peak_percent.ok_or_else(no_peaks)?;
        Ok(of_peak(percent, self.row(name)?.timing()))
    }

    pub(super) fn of_bandwidth(&self, name: &str) -> Result<Estimate, String> {
        self.believable()?;
        let percent = self.efficiency(name)?.bandwidth_percent.ok_or_else(no_peaks)?;
        Ok(of_peak(percent, self.row(name)?.timing()))
    }

    /// Multiply-adds of four numbers in the time of a cached fetch of four, both at their peaks.
    pub(super) fn mads_a_fetch_costs(&self) -> Result<Estimate, String> {
        self.believable()?;
        let limits = self.limits.ok_or_else(no_peaks)?;
        let ratio = limits.fragment_mad_gflops / 8.0 / (limits.fetch_gb_s / 16.0).max(1e-12);
        Ok(of_peaks(ratio, limits.spread))
    }

    /// A product above the peaks shows that these were measured while something else was at work.
    pub(super) fn believable(&self) -> Result<(), String> {
        let on_device = |row: &&Row| row.n == self.n && row.contender.engine().is_some();
        for row in self.rows.iter().filter(on_device) {
            let Efficiency { peak_percent, bandwidth_percent, .. } =
                Efficiency::of(row, self.limits);
            let peaks = [(peak_percent, "arithmetic"), (bandwidth_percent, "fetch bandwidth")];
            for (percent, of) in peaks {
                if let Some(percent) = percent.filter(|percent| *percent > BELIEVABLE) {
                    return Err(format!(
                        "{} reaches {percent:.0} % of the measured peak of {of}: something else was at work \
                         while the peaks were measured",
                        row.contender
                    ));
                }
            }
        }
        Ok(())
    }

    /// The fastest of these methods, by GFLOPS.
    pub(super) fn best(&self, names: &[&str]) -> Result<&'a Row, String> {
        must_be_large(self.n)?;
        let rows = names.iter().filter_map(|name| self.row(name).ok());
        let best =
            rows.min_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms));
        best.ok_or_else(|| names.first().map_or_else(String::new, |name| self.reason(name)))
    }
}

/// Percent of a peak that a product may reach, by the scatter of both.
const BELIEVABLE: f64 = 115.0;

fn no_peaks() -> String {
    "the device's peaks were not measured in the time".into()
}
