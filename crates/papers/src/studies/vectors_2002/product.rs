//! Figure 6: a matrix product by a call of [v, v] -> s for each element of C.

use super::super::prelude::*;
use super::table_4::{finished, left_out};
use super::{claims, plan};
use quadrille_lab::bench::vector;
use quadrille_lab::bench::vector::{Plan, Product, Runner, figures};
use quadrille_lab::report::document::vectors as document;
use quadrille_vp::vector_machine::{Fold, Processor};

/// Each size is run as often, all that are compared in turn.
const ROUNDS: usize = 3;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    let sizes: &[usize] =
        lab.scale.pick(&[16, 256], &[16, 32, 64, 128, 256, 512, document::PRODUCT_SIZE]);
    let product_limit = lab.scale.pick(32, 64);
    let tables = by_size(lab, "figure 6", sizes, &mut part.left_out, |context, n, observer| {
        let plan = Plan { products: vec![n], product_limit, ..plan(context, 1) };
        let rounds = (0..ROUNDS).map(|_| finished(vector::run(context, &plan, &mut *observer)?));
        rounds.collect::<Result<Option<Vec<vector::Table>>>>()
    })?;
    let mut measured = Vec::new();
    for rounds in tables {
        part.left_out.extend(rounds.first().iter().flat_map(|table| left_out(table)));
        measured.extend(of_rounds(&rounds));
    }
    let mut all: Vec<Product> = measured.iter().map(|one| one.product.clone()).collect();
    Product::rate(&mut all);
    part.figures.extend(figures::figure_6(&all));
    part.tables.push(table(&all, product_limit));
    part.findings = findings(&measured);
    part.left_out.push(GROWTH.into());
    Ok(part)
}

const GROWTH: &str = "\"the runtimes of both implementations have O(n^3) growth rates\" (section 5.3) is not judged: \
     until a call computes for longer than it takes to start, the time on an engine is that of n^2 calls, and large products \
     are extrapolated from some of their rows, so that what was found depended on the sizes that there was time for.";

#[derive(Clone, Debug)]
struct Measured {
    product: Product,
    /// All calls, with the upload and without.
    totals: Summary,
    computes: Summary,
}

impl Measured {
    fn timing(&self) -> Timing {
        self.totals.of_size(self.product.n)
    }
}

fn of_rounds(rounds: &[vector::Table]) -> Vec<Measured> {
    let same = |one: &Product, other: &Product| {
        one.n == other.n && one.runner == other.runner && one.fold == other.fold
    };
    let measured = |product: &Product| {
        let all = rounds.iter().flat_map(|table| &table.products);
        let all: Vec<&Product> = all.filter(|other| same(product, other)).collect();
        let summary = |of: fn(&Product) -> Duration| {
            let times: Vec<Duration> = all.iter().map(|product| of(product)).collect();
            Summary::of(&times, 1)
        };
        let computes = summary(|product| product.compute);
        let compute = Duration::from_secs_f64(computes.median_ms / 1e3);
        let product = Product { compute, ..product.clone() };
        Measured { product, totals: summary(Product::total), computes }
    };
    rounds.first().iter().flat_map(|table| table.products.iter().map(measured)).collect()
}

fn table(all: &[Product], limit: usize) -> Table {
    let mut sizes: Vec<usize> = all.iter().map(|product| product.n).collect();
    sizes.dedup();
    let mut columns = Product::columns();
    columns.push(only_text("paper, speedup", "", |row: &Product| {
        let claimed = row.n == document::PRODUCT_SIZE && row.fold == Some(Fold::Host);
        claimed.then_some(document::PRODUCT_SPEEDUP).into()
    }));
    let notes = [
        format!(
            "The median of {ROUNDS} rounds, with one call per element of C. Extrapolated: some rows of C were computed, \
             and the time of all is estimated from theirs. Speedup: over one core."
        ),
        "blending is the paper's footnote: each call's parts are summed by adding pixels.".into(),
    ];
    let title = "Figure 6: a matrix product with one call of [v, v] -> s per element";
    let command = format!(
        "quadrille bench vector --only figure-6 --matmul-sizes {} --matmul-limit {limit}",
        list(&sizes)
    );
    Rows { columns, rows: all }.table("vectors-2002-figure-6-products", title, notes, command)
}

fn findings(all: &[Measured]) -> Vec<Finding> {
    vec![
        judge(&claims::BLENDING, stalls(all)),
        judge(&claims::PRODUCT, faster(all)),
        judge(&claims::WIDENS, widens(all)),
    ]
}

/// Pairs, for each size from small to large, one core and the fastest engine whose parts the host
/// sums, as in the paper.
fn pairs(all: &[Measured]) -> Vec<(&Measured, &Measured)> {
    let mut sizes: Vec<usize> = all.iter().map(|one| one.product.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let pair = |n: usize| {
        let of =
            |fold| all.iter().filter(move |one| one.product.n == n && one.product.fold == fold);
        let fastest =
            of(Some(Fold::Host)).min_by(|a, b| a.totals.median_ms.total_cmp(&b.totals.median_ms));
        of(None).next().zip(fastest)
    };
    sizes.into_iter().filter_map(pair).collect()
}

fn not_run() -> AnswerOrReason {
    Err("too few sizes ran here".into())
}

fn faster(all: &[Measured]) -> AnswerOrReason {
    let pairs = pairs(all);
    let Some((core, fastest)) = pairs.last() else { return not_run() };
    let times = timed(core.timing(), fastest.timing());
    let product = &fastest.product;
    let words = format!(
        "a speedup of {times} over one core at {}, the largest size that ran, on engine {}{}: a call that reads one number \
         back takes {} us",
        product.n,
        product.runner.name(),
        if product.extrapolated { " (extrapolated)" } else { "" },
        short(fastest.computes.median_ms * 1e3 / (product.n * product.n) as f64)
    );
    Ok(Answer::of(words, times))
}

/// The lead at the largest size, and how many times that of the smallest it is: without a lead
/// there is none to grow.
fn widens(all: &[Measured]) -> AnswerOrReason {
    let speedups: Vec<_> = pairs(all)
        .into_iter()
        .map(|(core, fastest)| (core.product.n, timed(core.timing(), fastest.timing())))
        .collect();
    let [(small, before), .., (large, after)] = speedups.as_slice() else { return not_run() };
    let words = format!("a speedup over one core of {before} at {small} and {after} at {large}");
    Ok(Answer::of_all(words, vec![*after, after.over(*before)]))
}

/// The footnote, of the vertex stage, at the largest size.
fn stalls(all: &[Measured]) -> AnswerOrReason {
    let vertex = |one: &&Measured| one.product.runner == Runner::Engine(Processor::Vertex);
    let n = all.iter().filter(vertex).map(|one| one.product.n).max();
    let of = |fold| {
        let mut of_size = all.iter().filter(vertex).filter(|one| Some(one.product.n) == n);
        of_size.find(|one| one.product.fold == Some(fold))
    };
    let Some((host, blending)) = of(Fold::Host).zip(of(Fold::Blending)) else {
        return Err(
            "no float target supports blending here, or the vertex stage did not run".into()
        );
    };
    let times =
        timed(blending.computes.of_size(blending.product.n), host.computes.of_size(host.product.n));
    let words = format!(
        "a call of the vertex stage at {} takes {times} times as long blended as summed by the host",
        host.product.n
    );
    Ok(Answer::of(words, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{self, Confirmed, Contradicted, NotMeasurable};

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
            speedup: None,
        }
    }

    /// Sizes 10 and 20: the cpu, the vertex stage, and the same blended; nine rounds.
    fn verdicts(cpu: [u64; 2], vertex: [u64; 2], blended: u64) -> Vec<Verdict> {
        let engine = Runner::Engine(Processor::Vertex);
        let products = vec![
            product(10, Runner::Cpu, None, cpu[0]),
            product(10, engine, Some(Fold::Host), vertex[0]),
            product(20, Runner::Cpu, None, cpu[1]),
            product(20, engine, Some(Fold::Host), vertex[1]),
            product(20, engine, Some(Fold::Blending), blended),
        ];
        let rounds = vec![vector::Table { products, ..vector::Table::default() }; 9];
        findings(&of_rounds(&rounds)).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn products_are_judged_by_their_lead() {
        assert_eq!(verdicts([10, 80], [4, 28], 60), [Confirmed; 3]);
        assert_eq!(verdicts([10, 80], [15, 150], 160), [Contradicted; 3]);
        assert_eq!(verdicts([10, 80], [8, 37], 56)[..2], [NotMeasurable; 2]);
        // A lead that grows, and a growing speedup that is none.
        assert_eq!(verdicts([10, 80], [5, 20], 60)[2], Confirmed);
        assert_eq!(verdicts([10, 80], [500, 2000], 60)[2], Contradicted);
        assert!(findings(&[]).iter().all(|finding| finding.verdict == NotMeasurable));
    }

    #[test]
    fn a_product_has_the_median_of_its_rounds() {
        let round = |ms| vector::Table {
            products: vec![product(10, Runner::Cpu, None, ms)],
            ..vector::Table::default()
        };
        let measured = of_rounds(&[round(5), round(90), round(7)]);
        assert_eq!(measured.len(), 1);
        assert_eq!((measured[0].product.total().as_millis(), measured[0].totals.runs), (7, 3));
    }
}
