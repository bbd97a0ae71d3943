//! The measurements, as one JSON object and as text.

use serde::Serialize;

use quadrille_lab::document::vectors as document;
use quadrille_lab::report::Verdict;
use quadrille_lab::table::{Rows, only_text};
use quadrille_lab::vector::findings::{Growth, MOST_TIMES, Retrieval};
use quadrille_lab::vector::{Product, Row, Skipped, Subject};

use super::super::SPREAD;

#[derive(Serialize)]
pub(super) struct Report<'a> {
    pub(super) device: &'a str,
    pub(super) stopped: bool,
    /// Every program at every size: table 4, figure 4, figure 5, table 5.
    pub(super) rows: Rows<'a, Row>,
    /// Figure 5.
    pub(super) growth: Vec<Growth>,
    /// Table 5.
    pub(super) retrieval: Vec<Retrieval>,
    /// Figure 6.
    pub(super) products: Rows<'a, Product>,
    pub(super) skipped: Rows<'a, Skipped>,
}

const BOUND: &str = "of bound: the largest error divided by the error bound of rounding.";

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let parts = [
            self.device.to_owned(),
            self.table_4(),
            self.figure_5(),
            self.table_5(),
            self.figure_6(),
        ];
        let mut parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        // After Ctrl-C there may be no table to explain.
        match (self.rows.rows.is_empty(), self.products.rows.is_empty()) {
            (true, true) => (),
            (true, false) => parts.push(BOUND.into()),
            (false, _) => parts.push(format!("{SPREAD}\n{BOUND}")),
        }
        parts.join("\n\n")
    }

    fn table_4(&self) -> String {
        let rows = self.rows.rows.iter().filter(|row| !matches!(row.subject, Subject::Muls(_)));
        let rows: Vec<Row> = rows.cloned().collect();
        if rows.is_empty() {
            return String::new();
        }
        format!(
            "Table 4 and figure 4\n\n{}\n\n\
             total: upload, first call and readback, as the paper timed; again: a second call, without \
             transfers; in a row: one of many such calls, with nothing between them.\n\
             cpu: a straight loop on one core, as in the paper; cpu-lanes: 16 numbers at a time; speedup: over cpu.\n\
             paper: its total on a Pentium 4 at 1.5 GHz and on a GeForce4, with a clock of 10 ms.\n\
             factorial on the cpu: the number of iterations depends on the value. Branch prediction learns a \
             short vector that is run repeatedly, which takes less time than new values would.",
            Rows { columns: Row::columns(), rows: &rows }.text(2)
        )
    }

    fn figure_5(&self) -> String {
        let Some(first) = self.growth.first() else { return String::new() };
        let [from, to] = first.opcodes;
        let mut columns = Growth::columns();
        columns.push(only_text("finding", "", |row| row.finding.map(Verdict::name).into()));
        format!(
            "Figure 5, muls of {} elements with {from} to {to} opcodes\n\n{}\n\n\
             The paper: {} times the opcodes take about {} times the time, most of which is upload and \
             readback. confirmed: at most about {} times here, up to {MOST_TIMES:.1}.\n\
             fixed, opcode: a least-squares line; a cost below the scatter of the times may be negative.",
            first.n,
            Rows { columns, rows: &self.growth }.text(0),
            document::MULS_OPCODES[11] / document::MULS_OPCODES[0],
            document::MULS_GROWTH,
            document::MULS_GROWTH
        )
    }

    fn table_5(&self) -> String {
        let Some(first) = self.retrieval.first() else { return String::new() };
        let [total, readback] = document::RETRIEVAL_MS;
        let size = match first.as_document {
            true => "the paper's size".into(),
            false => format!("the paper's {} with --full", document::RETRIEVAL_SIZE),
        };
        format!(
            "Table 5, muls with {} opcodes of {} elements ({size})\n\n{}\n\n\
             The paper: {total} ms, of which {readback} ms ({:.0} %) are readback.",
            document::RETRIEVAL_OPCODES,
            first.n,
            Rows { columns: Retrieval::columns(), rows: &self.retrieval }.text(0),
            100.0 * readback / total
        )
    }

    fn figure_6(&self) -> String {
        if self.products.rows.is_empty() {
            return String::new();
        }
        format!(
            "Figure 6, a matrix product by one call of [v, v] -> s per element\n\n{}\n\n\
             speedup: over one core. The paper: {} times at size {}. One run each; extrapolated: some rows were \
             computed, and the time of all is estimated from theirs.",
            self.products.text(1),
            document::PRODUCT_SPEEDUP,
            document::PRODUCT_SIZE
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_before_its_first_table_has_no_captions() {
        let report = Report {
            device: "a device",
            stopped: true,
            rows: Rows { columns: Row::columns(), rows: &[] },
            growth: Vec::new(),
            retrieval: Vec::new(),
            products: Rows { columns: Product::columns(), rows: &[] },
            skipped: Rows { columns: Vec::new(), rows: &[] },
        };
        assert_eq!(report.text(), "a device");
    }
}
