//! Section 5.1: vertices, opcodes and bytes a second, of the calls in a row of table 4.

use super::super::super::prelude::*;
use quadrille_lab::bench::vector::Row;
use quadrille_lab::report::document::vectors as document;
use quadrille_lab::report::table::{Column, only_text};

/// The invocations of a program in a second, and what they do.
struct Rate {
    program: &'static str,
    engine: &'static str,
    opcodes: Option<usize>,
    /// 10^6 vertices, 10^9 opcodes, and 10^9 bytes, a second.
    rates: [f64; 3],
}

/// Bytes that an invocation moves: it reads four numbers and writes four.
const BYTES: f64 = 32.0;

impl Rate {
    fn of(row: &Row) -> Option<Rate> {
        let seconds = row.chain?.median_ms / 1e3;
        let (vertices, opcodes) = (row.n.div_ceil(4) as f64 / seconds, row.subject.opcodes());
        let rates = [vertices / 1e6, vertices * opcodes as f64 / 1e9, vertices * BYTES / 1e9];
        let (program, engine) = (row.subject.name(), row.runner.name());
        Some(Rate { program, engine, opcodes: Some(opcodes), rates })
    }

    fn columns() -> Vec<Column<Rate>> {
        vec![
            only_text("program", "", |row: &Rate| row.program.into()),
            only_text("opcodes", "", |row| row.opcodes.into()),
            only_text("engine", "", |row| row.engine.into()),
            only_text("vertices", "10^6/s", |row| row.rates[0].into()),
            only_text("opcodes", "10^9/s", |row| row.rates[1].into()),
            only_text("vectors", "GB/s", |row| row.rates[2].into()),
        ]
    }
}

/// The rates of the engines at one size of table 4, beside those that were advertised.
pub(super) fn table(rows: &[Row], n: usize, command: String) -> Table {
    let advertised = Rate {
        program: "advertised",
        engine: "paper, GeForce4",
        opcodes: None,
        rates: document::ADVERTISED,
    };
    let rates = rows.iter().filter(|row| row.n == n).filter_map(Rate::of);
    let rates: Vec<Rate> = rates.chain([advertised]).collect();
    let title = format!("Section 5.1: vertices, opcodes and bytes a second, {n} elements");
    let notes = [
        "Of calls in a row, without transfers. A vertex is an invocation, which reads four numbers and writes four, and an \
         opcode works on four; bytes are those of the vectors alone.",
        "The paper's three are advertised, not measured; its opcodes are 15 a vertex, an estimate of its own.",
    ];
    Rows { columns: Rate::columns(), rows: &rates }.table(
        "vectors-2002-rates",
        title,
        notes,
        command,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::bench::vector::{Runner, Subject};
    use quadrille_lab::report::Cell;
    use quadrille_vp::vector_machine::Processor;

    #[test]
    fn a_millisecond_for_a_million_vertices_is_a_thousand_million_a_second() {
        let row = |n, chain: Option<f64>| Row {
            subject: Subject::Arithmetic,
            n,
            runner: Runner::Engine(Processor::Attributes),
            upload: None,
            first: Summary::still(9.0),
            compute: Summary::still(9.0),
            chain: chain.map(Summary::still),
            readback: None,
            total: Summary::still(9.0),
            speedup: None,
            comparison: Comparison::RIGHT,
        };
        let rows = [row(4_000_000, Some(1.0)), row(4_000_000, None), row(40, Some(1.0))];
        let table = table(&rows, 4_000_000, String::new());
        let numbers = |row: &[Cell]| row[3..].to_vec();
        assert_eq!(table.rows.len(), 2);
        assert_eq!(numbers(&table.rows[0]), [1000.0, 13.0, 32.0].map(Cell::Number));
        assert_eq!(numbers(&table.rows[1]), [136.0, 2.04, 10.4].map(Cell::Number));
    }
}
