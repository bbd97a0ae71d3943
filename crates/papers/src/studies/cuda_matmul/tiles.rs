//! "Does the size of the block matter?": the tutorial asks, and does not answer.

use super::super::prelude::*;
use quadrille::linalg::matmul::{Method, Tile};

use super::super::race::race;
use super::super::sweep;
use super::{claims, lacks};
use quadrille_lab::bench::matmul::{Contender, Row, Sweep};
use quadrille_lab::report::distinct;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let lack = lacks(lab);
    let methods = methods(lack.is_some());
    let sizes: &[usize] = lab.scale.pick(&[64, 128, 256], &[64, 128, 256, 512, 1024, 2048]);
    let of = |method: &Method, n| Sweep::Tile.contenders(*method, (*method).into(), n);
    let raced = race::<f32>(lab, sizes, |n| methods.iter().flat_map(|m| of(m, n)).collect())?;
    let title = "Does the size of the block matter? Float";
    let mut table = sweep::table("cuda-matmul-tiles", title, &raced, lab.runs());
    table.notes.push("The tutorial's example has blocks of 16 x 16. A tile is wide x high.".into());
    if let Some(lack) = &lack {
        table.notes.push(format!("Instead of blocks, quads of C are drawn: {lack}."));
    }
    let findings: Vec<Finding> = vec![judge(&claims::BLOCK, matters(&raced.rows, lack.as_deref()))];
    let figures = figure(&raced.rows, methods).into_iter().collect();
    let left_out = raced.left_out;
    Ok(Part { tables: vec![table], figures, findings, left_out, ..Part::default() })
}

/// The tutorial's; or what fragments have in the place of blocks.
fn methods(drawn: bool) -> &'static [Method] {
    if drawn { &[Method::Element] } else { &[Method::ComputeTiled, Method::ComputeShared] }
}

fn tile(row: &Row) -> Option<Tile> {
    match row.contender {
        Contender::Method(_, wish) => wish.tile,
        Contender::Serial(_) | Contender::Library(_) => None,
    }
}

fn figure(rows: &[Row], methods: &[Method]) -> Option<Figure> {
    let bar = |name: &str, method: &Method| {
        let row = rows.iter().find(|r| label(r) == name && r.contender.name() == method.name())?;
        Some(row.gflops())
    };
    let group = |name: String| {
        let bars = methods.iter().map(|method| bar(&name, method)).collect();
        (name, bars)
    };
    let (title, series) =
        ("Rate by the size of the block", methods.iter().map(ToString::to_string));
    let groups = distinct(rows.iter().map(label)).into_iter().map(group);
    Figure::bars("cuda-matmul-tile-sizes", title, "GFLOPS", series, groups)
}

fn label(row: &Row) -> String {
    let options = sweep::options(row);
    options.strip_prefix("tile=").map_or(options.clone(), str::to_owned)
}

fn of(rows: &[Row], method: Method) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.contender.name() == method.name())
}

/// Square blocks that are not so small that most of a GPU's threads idle.
fn is_usual(row: &Row) -> bool {
    tile(row).is_some_and(|tile| tile.width == tile.height && tile.width >= 8)
}

/// The slowest over the fastest, of each method.
fn matters(rows: &[Row], lack: Option<&str>) -> AnswerOrReason {
    let (mut texts, mut ratios) = (Vec::new(), Vec::new());
    for method in methods(lack.is_some()) {
        let usual = || of(rows, *method).filter(|row| is_usual(row));
        let best = sweep::fastest(usual());
        let worst =
            usual().max_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms));
        let Some((best, worst)) = best.zip(worst) else { continue };
        let ratio = timed(worst.timing(), best.timing());
        texts.push(format!(
            "{method} is {ratio} times as fast with {} as with {}",
            label(best),
            label(worst)
        ));
        ratios.push(ratio);
    }
    let text = texts.join("; ");
    match lack {
        Some(lack) if text.is_empty() => Err(lack.to_owned()),
        Some(lack) => Err(format!("{lack}; with drawn quads: {text}")),
        None if text.is_empty() => Err("no block was measured here".into()),
        None => Ok(Answer::of_all(text, ratios)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted;
    use super::*;

    fn verdict(tiled: [f64; 2], shared: [f64; 2]) -> Verdict {
        let rows = [
            planted("compute-tiled tile=8x8", tiled[0]),
            planted("compute-tiled tile=16x16", tiled[1]),
            planted("compute-tiled tile=1x256", 99.0),
            planted("compute-shared tile=8x8", shared[0]),
            planted("compute-shared tile=16x16", shared[1]),
            planted("compute-shared tile=4x4", 99.0),
        ];
        judge(&claims::BLOCK, matters(&rows, None)).verdict
    }

    #[test]
    fn a_fifth_matters_of_one_method_and_of_usual_blocks() {
        use Verdict::{Confirmed, Contradicted, NotMeasurable};
        assert_eq!(verdict([1.0, 1.0], [1.0, 1.05]), Contradicted);
        assert_eq!(verdict([1.0, 1.0], [1.5, 1.0]), Confirmed);
        assert_eq!(verdict([1.0, 1.2], [1.0, 1.0]), NotMeasurable);
    }

    #[test]
    fn drawn_quads_are_told_of_where_there_are_no_blocks() {
        let rows = [
            planted("element tile=8x8 order=rows", 2.0),
            planted("element tile=16x16 order=rows", 1.0),
        ];
        let told = judge(&claims::BLOCK, matters(&rows, Some("no compute")));
        assert_eq!(told.verdict, Verdict::NotMeasurable);
        assert!(told.measured.contains("no compute"), "{}", told.measured);
        assert!(told.measured.contains("2.00 times"), "{}", told.measured);
    }
}
