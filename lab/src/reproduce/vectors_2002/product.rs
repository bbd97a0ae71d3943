//! Figure 6: a matrix product by a call of [v, v] -> s for each element of C.

use super::super::super::Error;
use super::super::super::document::vectors as document;
use super::super::super::report::{Cell, Finding, Part, Table, Verdict};
use super::super::super::vector::{self, Plan, Product, Runner, figures};
use super::super::Lab;
use super::super::pace::by_size;
use super::super::words::{list, short};
use super::table_4::{finished, left_out};
use super::{finding_or, plan};
use quadrille::vector_machine::{Engine, Fold};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    let sizes: &[usize] =
        lab.scale.pick(&[16, 64, 256], &[16, 32, 64, 128, 256, 512, document::PRODUCT_SIZE]);
    let product_limit = lab.scale.pick(32, 64);
    let tables = by_size(lab, "figure 6", sizes, &mut part.left_out, |context, n, observer| {
        let plan = Plan { products: vec![n], product_limit, ..plan(context, 1) };
        finished(vector::run(context, &plan, observer)?)
    })?;
    let mut all = vector::Table::default();
    for table in tables {
        part.left_out.extend(left_out(&table));
        all.products.extend(table.products);
    }
    part.figures.extend(figures::figure_6(&all.products));
    part.tables.push(table(&all, product_limit));
    part.findings = findings(&all);
    Ok(part)
}

/// The cost of one product.
fn ms(product: &Product) -> f64 {
    product.total().as_secs_f64() * 1e3
}

fn fold_name(product: &Product) -> Cell {
    product.fold.map(Fold::name).into()
}

fn table(all: &vector::Table, limit: usize) -> Table {
    let row = |product: &Product| -> Vec<Cell> {
        let elements = (product.n * product.n) as f64;
        let call = product.compute.as_secs_f64() * 1e6 / elements;
        let claimed = product.n == document::PRODUCT_SIZE && product.fold == Some(Fold::Host);
        vec![
            product.n.into(),
            product.runner.name().into(),
            fold_name(product),
            product.upload.map(|time| time.as_secs_f64() * 1e3).into(),
            ms(product).into(),
            product.fold.map(|_| call).into(),
            all.speedup(product).into(),
            claimed.then_some(document::PRODUCT_SPEEDUP).into(),
            if product.extrapolated { "extrapolated".into() } else { Cell::Empty },
        ]
    };
    let columns = [
        "n",
        "runner",
        "who sums a call's parts",
        "upload [ms]",
        "total [ms]",
        "a call [us]",
        "times one core",
        "paper, times",
        "",
    ];
    let mut sizes: Vec<usize> = all.products.iter().map(|product| product.n).collect();
    sizes.dedup();
    Table {
        id: "vectors-2002-figure-6-products".into(),
        title: "Figure 6: a matrix product with one call of [v, v] -> s per element".into(),
        columns: columns.map(String::from).to_vec(),
        rows: all.products.iter().map(row).collect(),
        notes: vec![
            "One run each, with one call per element of C. Extrapolated: some rows of C were computed, and the time \
             of all is estimated from theirs."
                .into(),
            "blending is the paper's footnote: each call's parts are summed by adding pixels.".into(),
        ],
        command: format!(
            "quadrille bench vector --only figure-6 --matmul-sizes {} --matmul-limit {limit}",
            list(&sizes)
        ),
    }
}

const NOT_RUN: &str = "too few sizes ran here";

fn findings(all: &vector::Table) -> Vec<Finding> {
    vec![faster(all), widens(all), cubic(all), stalls(all)]
}

/// Of each size the fastest engine whose parts the host sums, as in the paper; from small to large.
fn fastest(all: &vector::Table) -> Vec<&Product> {
    let mut fastest: Vec<&Product> = Vec::new();
    for product in all.products.iter().filter(|product| product.fold == Some(Fold::Host)) {
        match fastest.iter_mut().find(|best| best.n == product.n) {
            Some(best) if ms(product) < ms(best) => *best = product,
            Some(_) => {}
            None => fastest.push(product),
        }
    }
    fastest.sort_by_key(|product| product.n);
    fastest
}

fn faster(all: &vector::Table) -> Finding {
    let fastest = fastest(all);
    let last = fastest.last().and_then(|product| Some((product, all.speedup(product)?)));
    let judged = last.map(|(product, times)| {
        let call = product.compute.as_secs_f64() * 1e6 / (product.n * product.n) as f64;
        let words = format!(
            "a speedup of {} over one core at {}, the largest size that ran, on engine {}{}: a call that reads one \
             number back takes {} us",
            short(times),
            product.n,
            product.runner.name(),
            if product.extrapolated { " (extrapolated)" } else { "" },
            short(call)
        );
        (words, Verdict::of(times * 1.5 >= document::PRODUCT_SPEEDUP))
    });
    finding_or(
        "A matrix product by a call an element is 3.2 times faster on the GPU at 1500 x 1500",
        judged,
        NOT_RUN,
    )
}

fn widens(all: &vector::Table) -> Finding {
    let speedups: Vec<(usize, f64)> = fastest(all)
        .iter()
        .filter_map(|product| Some((product.n, all.speedup(product)?)))
        .collect();
    let judged = speedups.first().zip(speedups.last()).filter(|(a, b)| a.0 < b.0);
    let judged = judged.map(|((small, before), (large, after))| {
        let words = format!(
            "a speedup over one core of {} at {small} and {} at {large}",
            short(*before),
            short(*after)
        );
        (words, Verdict::of(after > before))
    });
    finding_or("The GPU's lead grows with the matrices", judged, NOT_RUN)
}

/// Between the last two sizes, by which power of the size times grow.
fn cubic(all: &vector::Table) -> Finding {
    let core = |n: usize| {
        all.products.iter().find(|product| product.n == n && product.runner == Runner::Cpu)
    };
    let fastest = fastest(all);
    let judged = fastest.last_chunk::<2>().and_then(|[before, last]| {
        let power = |a: &Product, b: &Product| {
            (ms(b) / ms(a).max(1e-9)).ln() / (b.n as f64 / a.n as f64).ln()
        };
        let (cpu, engine) = (power(core(before.n)?, core(last.n)?), power(before, last));
        let words = format!(
            "from {} to {} time grows as n to the power of {} on one core and {} on the fastest engine, where a \
             call costs about the same however long its rows",
            before.n,
            last.n,
            short(cpu),
            short(engine)
        );
        let about = |power: f64| (2.6..=3.4).contains(&power);
        Some((words, Verdict::of(about(cpu) && about(engine))))
    });
    finding_or("Both take time in proportion to n^3", judged, NOT_RUN)
}

/// The footnote, of the vertex stage, at the largest size.
fn stalls(all: &vector::Table) -> Finding {
    let vertex = |product: &&Product| product.runner == Runner::Engine(Engine::Vertex);
    let n = all.products.iter().filter(vertex).map(|product| product.n).max();
    let of = |fold| {
        let mut products = all.products.iter().filter(vertex);
        products.find(|product| Some(product.n) == n && product.fold == Some(fold))
    };
    let judged = of(Fold::Host).zip(of(Fold::Blending)).map(|(host, blending)| {
        let times = blending.compute.as_secs_f64() / host.compute.as_secs_f64().max(1e-9);
        let words = format!(
            "a call of the vertex stage at {} takes {} times as long blended as summed by the host (threshold: more \
             than 1.5)",
            host.n,
            short(times)
        );
        (words, Verdict::of(times > 1.5))
    });
    finding_or(
        "Summing by pixel blending stalls the pipeline: it significantly reduces throughput",
        judged,
        "no float target supports blending here, or the vertex stage did not run",
    )
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Confirmed, Contradicted, NotMeasurable};
    use super::*;
    use quadrille::internal::reference::Comparison;
    use std::time::Duration;

    fn product(n: usize, runner: Runner, fold: Option<Fold>, ms: u64) -> Product {
        Product {
            n,
            runner,
            fold,
            upload: fold.map(|_| Duration::ZERO),
            calls: 1,
            compute: Duration::from_millis(ms),
            extrapolated: false,
            comparison: Comparison::RIGHT,
        }
    }

    /// Sizes 10 and 20: the cpu, the vertex stage, and the same blended.
    fn verdicts(cpu: [u64; 2], vertex: [u64; 2], blended: u64) -> Vec<Verdict> {
        let engine = Runner::Engine(Engine::Vertex);
        let products = vec![
            product(10, Runner::Cpu, None, cpu[0]),
            product(10, engine, Some(Fold::Host), vertex[0]),
            product(20, Runner::Cpu, None, cpu[1]),
            product(20, engine, Some(Fold::Host), vertex[1]),
            product(20, engine, Some(Fold::Blending), blended),
        ];
        let table = vector::Table { products, ..vector::Table::default() };
        findings(&table).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn each_finding_flips() {
        assert_eq!(verdicts([10, 80], [4, 28], 60), [Confirmed; 4]);
        assert_eq!(verdicts([10, 80], [15, 150], 160), {
            [Contradicted, Contradicted, Confirmed, Contradicted]
        });
        assert_eq!(verdicts([10, 80], [40, 160], 160)[2], Contradicted);
        let nothing = findings(&vector::Table::default());
        assert!(nothing.iter().all(|finding| finding.verdict == NotMeasurable));
    }
}
