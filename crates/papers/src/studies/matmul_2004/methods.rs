//! Every method at the paper's size, beside a library on the host, and what the slides say of it.

use super::super::prelude::*;

use quadrille::linalg::matmul::{Method, Options};
use quadrille::stream::Engine;

use super::super::race::{climb, fitting, limits, race};
use super::super::sweep::command;
use super::facts::Facts;
use super::{blocks, findings, sizes};
use quadrille_lab::bench::device::Limits;
use quadrille_lab::bench::matmul::{Contender, Efficiency, Order, RatedRow, Row, charts};

/// The peaks are measured again if this much time is left, or if a product was faster.
const SPARE: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];
/// The paper's largest.
const PAPERS: usize = 1024;
/// Larger, for devices that the paper could not have.
const LARGER: [usize; 2] = [2048, 4096];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    let before = limits(lab, &mut part.left_out)?;
    let (n, rows) = at_the_papers_sizes(lab, &mut part.left_out)?;
    let believable = |limits: &Limits| {
        Facts { n, rows: &rows, limits: Some(limits), left_out: &[] }.believable()
    };
    let limits = match before {
        // Once more: whatever disturbed one of the two hid what the device can do.
        Some(before)
            if lab.left() > lab.scale.pick(SPARE[0], SPARE[1]) || believable(&before).is_err() =>
        {
            Some(limits(lab, &mut part.left_out)?.map_or(before, |after| before.beyond(after)))
        }
        before => before,
    };
    let limits = limits.as_ref();
    part.figures = figures(n, &rows, limits);
    let mut shown = rows.clone();
    if lab.scale == Scale::Whole && n == PAPERS {
        let going = fitting(&rows, LARGER[0], lab.left(), lab.runs());
        shown.extend(climb::<f32>(lab, &LARGER, going, &mut Vec::new())?);
    }
    part.tables.push(table(&shown, n, lab.runs(), limits));
    part.tables.push(intensity(&rows, limits));
    let facts = Facts { n, rows: &rows, limits, left_out: &part.left_out };
    let findings = findings::findings(&facts);
    blocks::add(&facts, lab.runs(), &mut part.tables, &mut part.figures);
    part.findings = findings;
    Ok(part)
}

/// The largest of the paper's sizes that there is time for, and a row for each contender, of a
/// smaller size where one that is not judged has no time for that.
fn at_the_papers_sizes(lab: &mut Lab<'_>, left_out: &mut Vec<String>) -> Result<(usize, Vec<Row>)> {
    let (judged, others): (Vec<_>, Vec<_>) = contenders().into_iter().partition(is_judged);
    let sizes = sizes(lab);
    let raced = lab.within(0.6, |lab| race::<f32>(lab, sizes, |_| judged.clone()))?;
    left_out.extend(raced.left_out);
    let n = raced.n;
    let sizes: Vec<usize> = sizes.iter().copied().filter(|size| *size <= n).collect();
    let climbed = lab.within(0.5, |lab| climb::<f32>(lab, &sizes, others, left_out))?;
    let all = [raced.rows, climbed].concat();
    let last = |one: &Contender| all.iter().rev().find(|row| row.contender == *one).cloned();
    let rows: Vec<Row> = contenders().iter().filter_map(last).collect();
    let smaller = rows.iter().filter(|row| row.n < n);
    left_out.extend(smaller.map(|row| {
        let (name, size) = (&row.contender, row.n);
        format!("{name} at {n}: it would take too long; its numbers are of {size}")
    }));
    Ok((n, rows))
}

/// All but the one that one work group limits, and two that widen or vary what a fetch brings.
fn contenders() -> Vec<Contender> {
    let mut all = Contender::all();
    all.retain(|one| !matches!(one, Contender::Method(Method::Element | Method::ComputeSimple, _)));
    let cells = [("element", "1"), ("element", "4"), ("block4x4", "2x2")];
    let wishes =
        cells.iter().map(|(method, cell)| format!("{method} cell={cell}").parse::<Options>());
    let cells = wishes.flatten().filter_map(|wish| Some(Contender::Method(wish.method?, wish)));
    all.splice(1..1, cells);
    all.insert(1, Contender::Serial(Order::Blocked));
    all
}

/// Whether a contender is compared, because claims are about it: compute shaders may take long on a
/// software renderer.
fn is_judged(contender: &Contender) -> bool {
    contender.engine() != Some(Engine::Compute)
}

fn figures(n: usize, rows: &[Row], limits: Option<&Limits>) -> Vec<Figure> {
    let of_one_size: Vec<Row> = rows.iter().filter(|row| row.n == n).cloned().collect();
    let titled = |mut figure: Figure| {
        let (id, slides) = match figure.id.as_str() {
            "gflops" => ("gflops", "Slides 14 and 15"),
            "fetched" => ("fetched", "Slides 14 and 15"),
            _ => ("efficiency", "Slide 21"),
        };
        let title = figure.title.replace(&format!(", n = {n}"), "");
        figure.title = format!("{slides}. {title}, n = {n}");
        figure.id = format!("matmul-2004-{id}");
        figure.note(AXES)
    };
    let figures = charts(&of_one_size, limits).into_iter();
    // Without peaks there are no percents.
    figures.map(titled).collect()
}

const AXES: &str = "The slides' chart has axes and no numbers, so its bars are not shown.";

fn table(rows: &[Row], n: usize, runs: usize, limits: Option<&Limits>) -> Table {
    let notes = [
        "Slides 14, 15 and 21 have charts with axes and no numbers: what they say in words stands in the \
         last column.",
        "GFLOPS: 2 n^3 operations. Fetched: what shaders ask for, not what a cache passes on. Peaks: of \
         this device, measured in the same minute; of fetches, cached RGBA32F by fragments. Live \
         registers: of four numbers, sums and the operands of a step.",
        "The CPU baseline of the slides is ATLAS; here it is the crate gemm on one core (gemm-1) and on \
         all (gemm), and quadrille's own loop (serial). Their peak is that of one core or of all, in multiply-adds \
         of vectors.",
    ];
    let host = limits.and_then(|limits| limits.host).map(|host| {
        format!(
            "The host: {:.3} GFLOPS on one core, {:.3} on all; one core reads its caches at {:.3} GB/s.",
            host.core_mad_gflops, host.mad_gflops, host.cache_gb_s
        )
    });
    let peaks = limits.map(|limits| {
        format!(
            "Peaks: multiply-adds of fragments {:.3} GFLOPS, of compute shaders {}; cached fetches \
             {:.3} GB/s.",
            limits.fragment_mad_gflops,
            limits.compute_mad_gflops.map_or("none".into(), |peak| format!("{peak:.3}")),
            limits.fetch_gb_s
        )
    });
    let notes = notes.map(String::from).into_iter().chain(peaks).chain(host);
    let mut columns = RatedRow::columns();
    columns.push(only_text("the slides", "", |rated| words(rated.row.contender.name()).into()));
    let title = format!("Slides 10 to 15 and 21. Multiplication of {n} x {n} matrices");
    let command = command(n, runs, rows.iter().filter(|row| row.n == n));
    let rated = RatedRow::all(rows, "float", limits);
    Rows { columns, rows: &rated }.table("matmul-2004-methods", title, notes, command)
}

/// The claim of the slides about a method or its replacement.
fn words(name: &str) -> Option<&'static str> {
    Some(match name {
        "cp" => "method 1: 4 x 4 by 4-vector products; below 20 % of peak",
        "sp" => "method 2: 2 x 2 by 2 x 2 products; below 20 % of peak",
        "serial-blocked" => "submatrices that the cache holds",
        "block4x4" => "the largest block that four outputs allow",
        "block8x8" => "needed to run at peak",
        "gemm-1" => "ATLAS sgemm on a Pentium 4 of 3 GHz: 12 GFLOPS peak, 44.1 GB/s from its cache",
        _ => return None,
    })
}

/// Method, fetches and multiply-adds of a step, each of four numbers, as derived from its shader.
const DERIVED: [(&str, u32, u32); 4] =
    [("cp", 5, 4), ("sp", 2, 2), ("block4x4", 8, 16), ("block8x8", 32, 128)];

fn intensity(rows: &[Row], limits: Option<&Limits>) -> Table {
    type Line = ((&'static str, u32, u32), Option<f64>);
    let counted = |name: &str| {
        let row = rows.iter().find(|row| row.contender.to_string() == name)?;
        Efficiency::of(row, limits).mads_per_fetch
    };
    let columns = vec![
        only_text("method", "", |((name, ..), _): &Line| (*name).into()),
        only_text("fetches", "", |((_, fetches, _), _)| (*fetches).into()),
        only_text("multiply-adds", "", |((.., mads), _)| (*mads).into()),
        only_text("derived", "MAD/fetch", |((_, fetches, mads), _)| {
            (f64::from(*mads) / f64::from(*fetches)).into()
        }),
        only_text("counted here", "MAD/fetch", |(_, counted)| (*counted).into()),
    ];
    let title = "Intensity: multiply-adds of four numbers for each fetch of four";
    let notes = [
        "Derived: of one product of blocks. Counted: n^3 / 4 multiply-adds over all that the shaders \
         of a product ask for.",
    ];
    let command = "quadrille bench matmul --size 256 --runs 1 --methods cp,sp,block4x4,block8x8";
    let rows = DERIVED.map(|derived| (derived, counted(derived.0)));
    Rows { columns, rows: &rows }.table("matmul-2004-intensity", title, notes, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_widened_by_cells() {
        let names: Vec<String> = contenders().iter().map(ToString::to_string).collect();
        assert_eq!(names[..3], ["serial", "serial-blocked", "element cell=1"]);
        assert_eq!(names[3..5], ["element cell=4", "block4x4 cell=2x2"]);
        assert!(
            names.contains(&"gemm-1".to_owned()) && !names.contains(&"compute-simple".to_owned())
        );
    }
}
