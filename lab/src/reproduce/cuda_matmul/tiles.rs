//! "Does the size of the block matter?": the tutorial asks, and does not answer.

use quadrille::linalg::matmul::{Method, Tile};

use super::super::super::Error;
use super::super::super::matmul::{Contender, Row, Sweep};
use super::super::super::report::{Figure, Finding, Part, Plot};
use super::super::Lab;
use super::super::sweep;
use super::super::told::{Told, digits};
use super::{finding, lacks};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let lack = lacks(lab);
    let methods = methods(lack.is_some());
    let sizes: &[usize] = lab.scale.pick(&[64, 128, 256], &[64, 128, 256, 512, 1024, 2048]);
    let of = |method: &Method, n| Sweep::Tile.contenders(*method, (*method).into(), n);
    let raced = sweep::race(lab, sizes, |n| methods.iter().flat_map(|m| of(m, n)).collect())?;
    let title = "Does the size of the block matter? Float";
    let mut table = sweep::table("cuda-matmul-tiles", title, &raced, sweep::runs(lab));
    table.notes.push("The tutorial's example has blocks of 16 x 16. A tile is wide x high.".into());
    if let Some(lack) = &lack {
        table.notes.push(format!("Instead of blocks, quads of C are drawn: {lack}."));
    }
    let findings = findings(&raced.rows, lack.as_deref());
    let figures = vec![figure(&raced.rows, methods)];
    Ok(Part { tables: vec![table], figures, findings, left_out: raced.left_out, ..Part::default() })
}

/// The tutorial's; or what fragments have in the place of blocks.
fn methods(drawn: bool) -> &'static [Method] {
    if drawn { &[Method::Element] } else { &[Method::ComputeTiled, Method::ComputeShared] }
}

fn tile(row: &Row) -> Option<Tile> {
    match row.contender {
        Contender::Method(_, wish) => wish.tile,
        Contender::Library(_) => None,
    }
}

fn figure(rows: &[Row], methods: &[Method]) -> Figure {
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().map(label) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let bar = |name: &str, method: &Method| {
        let row = rows.iter().find(|r| label(r) == name && r.contender.name() == method.name())?;
        Some(row.gflops())
    };
    let group = |name: String| {
        let bars = methods.iter().map(|method| bar(&name, method)).collect();
        (name, bars)
    };
    let series = methods.iter().map(ToString::to_string).collect();
    let groups = names.into_iter().map(group).collect();
    Figure {
        id: "cuda-matmul-tile-sizes".into(),
        title: "Rate by the size of the block".into(),
        plot: Plot::Bars { unit: "GFLOPS".into(), series, groups },
        notes: Vec::new(),
    }
}

fn label(row: &Row) -> String {
    let options = sweep::options(row);
    options.strip_prefix("tile=").map_or(options.clone(), str::to_owned)
}

fn findings(rows: &[Row], lack: Option<&str>) -> Vec<Finding> {
    vec![
        finding("The size of the block may matter (asked, and not answered)", matters(rows, lack)),
        finding("The example's fixed size of 16 x 16 threads will do", sixteen(rows, lack)),
    ]
}

fn of(rows: &[Row], method: Method) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.contender.name() == method.name())
}

/// The slowest over the fastest; from 1.2 on it matters.
fn matters(rows: &[Row], lack: Option<&str>) -> Told {
    let mut texts = Vec::new();
    let mut most = 0.0_f64;
    for method in methods(lack.is_some()) {
        let tiled = || of(rows, *method).filter(|row| tile(row).is_some());
        let best = sweep::fastest(tiled());
        let worst =
            tiled().max_by(|one, other| one.summary.median_ms.total_cmp(&other.summary.median_ms));
        if let (Some(best), Some(worst)) = (best, worst) {
            let ratio = sweep::over(worst, best);
            most = most.max(ratio);
            texts.push(format!(
                "{method} is {} times as fast with {} as with {}",
                digits(ratio),
                label(best),
                label(worst)
            ));
        }
    }
    let text = texts.join("; ");
    match lack {
        Some(lack) if text.is_empty() => Err(lack.to_owned()),
        Some(lack) => Err(format!("{lack}; with drawn quads: {text}")),
        None if text.is_empty() => Err("no block was measured here".into()),
        None => Ok((format!("{text} (threshold: 1.2 times)"), most >= 1.2)),
    }
}

fn sixteen(rows: &[Row], lack: Option<&str>) -> Told {
    if let Some(lack) = lack {
        return Err(lack.to_owned());
    }
    let its = |row: &&Row| tile(row) == Some(Tile { width: 16, height: 16 });
    let mut texts = Vec::new();
    let mut holds = true;
    for method in methods(false) {
        let its = of(rows, *method).find(its).ok_or("blocks of 16 x 16 were not measured here")?;
        let best = sweep::fastest(of(rows, *method)).unwrap_or(its);
        holds &= sweep::over(its, best) <= 1.1;
        texts.push(format!(
            "{method} takes {} times as long as with {}",
            digits(sweep::over(its, best)),
            label(best)
        ));
    }
    Ok((format!("with 16 x 16 {} (threshold: at most 1.1)", texts.join(", ")), holds))
}

#[cfg(test)]
mod tests {
    use super::super::super::super::report::Verdict;
    use super::super::super::sweep::planted;
    use super::*;

    fn verdicts(tiled: [f64; 2], shared: [f64; 2]) -> Vec<Verdict> {
        let rows = [
            planted("compute-tiled tile=8x8", tiled[0]),
            planted("compute-tiled tile=16x16", tiled[1]),
            planted("compute-shared tile=8x8", shared[0]),
            planted("compute-shared tile=16x16", shared[1]),
        ];
        findings(&rows, None).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn a_fifth_matters() {
        use Verdict::{Confirmed, Contradicted};
        assert_eq!(verdicts([1.0, 1.0], [1.0, 1.1]), [Contradicted, Confirmed]);
        assert_eq!(verdicts([1.0, 1.0], [1.3, 1.0]), [Confirmed, Confirmed]);
        assert_eq!(verdicts([1.0, 1.3], [1.0, 1.0]), [Confirmed, Contradicted]);
    }

    #[test]
    fn drawn_quads_are_told_of_where_there_are_no_blocks() {
        let rows = [
            planted("element tile=8x8 order=rows", 2.0),
            planted("element tile=16x16 order=rows", 1.0),
        ];
        let reason = matters(&rows, Some("no compute")).unwrap_or_else(|reason| (reason, true)).0;
        assert!(reason.contains("no compute") && reason.contains("2.00 times"), "{reason}");
    }
}
