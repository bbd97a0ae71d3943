//! The tables, for people.

use super::super::super::table::Table;
use super::super::{SPREAD, percent};
use super::report::{Line, ProductLine, Report};
use quadrille::vector_machine::Engine;
use quadrille_lab::document::vectors as document;
use quadrille_lab::report::Verdict;
use quadrille_lab::vector::findings::MOST_TIMES;

/// The note on errors, below a table.
const BOUND: &str = "of bound: the largest error divided by the error bound of rounding.";

/// All tables, one below the other.
pub(super) fn of(report: &Report) -> String {
    let parts = [
        report.device.clone(),
        table_4(report),
        figure_5(report),
        table_5(report),
        figure_6(report),
    ];
    let mut parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    // After Ctrl-C there may be no table to explain.
    match (report.rows.is_empty(), report.products.is_empty()) {
        (true, true) => (),
        (true, false) => parts.push(BOUND.into()),
        (false, _) => parts.push(format!("{SPREAD}\n{BOUND}")),
    }
    parts.join("\n\n")
}

fn optional(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| format!("{time:.3}"))
}

fn mark(right: bool) -> &'static str {
    if right { "" } else { " WRONG" }
}

fn table_4(report: &Report) -> String {
    let rows: Vec<&Line> = report.rows.iter().filter(|row| row.program != "muls").collect();
    if rows.is_empty() {
        return String::new();
    }
    let headings = [
        "program", "n", "engine", "upload", "call", "readback", "total", "again", "spread",
        "of bound", "document",
    ];
    let mut table = Table::new(&headings).left(&[0, 2]);
    let mut last = None;
    for row in rows {
        let group = (row.program, row.n);
        if last.is_some_and(|last| last != group) {
            table.row(Vec::new());
        }
        last = Some(group);
        table.row(cells(row));
    }
    format!(
        "Table 4 and figure 4, milliseconds\n\n{}\n\n\
         total: upload, first call and readback, as the paper timed; again: a second call, without \
         transfers.\n\
         document: the paper's total on a Pentium 4 at 1.5 GHz and on a GeForce4, with a clock of 10 ms.\n\
         factorial on the cpu: the number of iterations depends on the value. Branch prediction learns a short \
         vector that is run repeatedly, which takes less time than new values would.",
        table.text()
    )
}

fn cells(row: &Line) -> Vec<String> {
    let document = row.document.map(|claim| match row.engine {
        "cpu" => claim.cpu_ms.to_string(),
        name if name == Engine::Simulator.name() => String::new(),
        _ => claim.gpu_ms.to_string(),
    });
    vec![
        row.program.into(),
        row.n.to_string(),
        row.engine.into(),
        optional(row.upload_ms),
        format!("{:.3}", row.first_ms),
        optional(row.readback_ms),
        format!("{:.3}{}", row.total_ms, mark(row.right)),
        format!("{:.3}", row.compute_ms),
        percent(row.spread_ms / row.total_ms.max(1e-12)),
        format!("{:.2}", row.of_bound),
        document.unwrap_or_default(),
    ]
}

fn figure_5(report: &Report) -> String {
    let Some(first) = report.growth.first() else { return String::new() };
    let headings = [
        "engine",
        "first ms",
        "last ms",
        "times",
        "fixed ms",
        "us/opcode",
        "again: fixed ms",
        "us/opcode",
        "finding",
    ];
    let mut table = Table::new(&headings).left(&[0, 8]);
    for growth in &report.growth {
        let [begin, end] = growth.total_ms;
        let mut cells = vec![growth.engine.to_owned()];
        cells.extend([begin, end].map(|time| format!("{time:.2}")));
        cells.push(format!("{:.2}", growth.total_times));
        for line in [growth.line, growth.compute_line] {
            cells.push(line.map_or_else(String::new, |line| format!("{:.2}", line.fixed_ms)));
            let slope = line.map(|line| line.per_opcode_ms * 1e3);
            cells.push(slope.map_or_else(String::new, |slope| format!("{slope:.1}")));
        }
        cells.push(growth.finding.map_or("", Verdict::name).into());
        table.row(cells);
    }
    let [from, to] = first.opcodes;
    format!(
        "Figure 5, muls of {} elements with {from} to {to} opcodes\n\n{}\n\n\
         The paper: {} times the opcodes take about {} times the time, most of which is upload and readback. \
         confirmed: at most about {} times here, up to {MOST_TIMES:.1}.\n\
         fixed ms, us/opcode: a least-squares line; a cost below the scatter of the times may be negative.",
        first.n,
        table.text(),
        document::MULS_OPCODES[11] / document::MULS_OPCODES[0],
        document::MULS_GROWTH,
        document::MULS_GROWTH
    )
}

fn table_5(report: &Report) -> String {
    let Some(first) = report.retrieval.first() else { return String::new() };
    let mut table =
        Table::new(&["engine", "total ms", "upload", "readback ms", "readback"]).left(&[0]);
    for retrieval in &report.retrieval {
        table.row(vec![
            retrieval.engine.into(),
            format!("{:.2}", retrieval.total_ms),
            percent(retrieval.upload_share),
            format!("{:.2}", retrieval.readback_ms),
            percent(retrieval.readback_share),
        ]);
    }
    let [total, readback] = document::RETRIEVAL_MS;
    let size = match first.as_document {
        true => "the paper's size".into(),
        false => format!("the paper's {} with --full", document::RETRIEVAL_SIZE),
    };
    format!(
        "Table 5, muls with {} opcodes of {} elements ({size})\n\n{}\n\n\
         The paper: {total} ms, of which {readback} ms ({}) are readback.",
        document::RETRIEVAL_OPCODES,
        first.n,
        table.text(),
        percent(readback / total)
    )
}

fn figure_6(report: &Report) -> String {
    if report.products.is_empty() {
        return String::new();
    }
    let headings =
        ["n", "engine", "fold", "upload ms", "total ms", "us/call", "speedup", "of bound", ""];
    let mut table = Table::new(&headings).left(&[1, 2, 8]);
    let mut last = None;
    for product in &report.products {
        if last.is_some_and(|n| n != product.n) {
            table.row(Vec::new());
        }
        last = Some(product.n);
        table.row(product_cells(product));
    }
    format!(
        "Figure 6, a matrix product by one call of [v, v] -> s per element\n\n{}\n\n\
         speedup: over one core. The paper: {} times at size {}. One run each; extrapolated: {}.",
        table.text(),
        document::PRODUCT_SPEEDUP,
        document::PRODUCT_SIZE,
        "some rows were computed, and the time of all is estimated from theirs"
    )
}

fn product_cells(product: &ProductLine) -> Vec<String> {
    vec![
        product.n.to_string(),
        product.engine.into(),
        product.fold.unwrap_or_default().into(),
        optional(product.upload_ms),
        format!("{:.3}{}", product.total_ms, mark(product.right)),
        product.call_us.map_or_else(String::new, |time| format!("{time:.1}")),
        product.speedup.map_or_else(String::new, |times| format!("{times:.1e}")),
        format!("{:.2}", product.of_bound),
        if product.extrapolated { "extrapolated" } else { "" }.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_before_its_first_table_has_no_captions() {
        let report = Report {
            device: "a device".into(),
            stopped: true,
            rows: Vec::new(),
            growth: Vec::new(),
            retrieval: Vec::new(),
            products: Vec::new(),
            skipped: Vec::new(),
        };
        assert_eq!(of(&report), "a device");
    }
}
