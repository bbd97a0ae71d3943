//! Tiles of quads in every order, one quad, one triangle; and the same sums in several passes.

use super::super::prelude::*;
use quadrille::linalg::matmul::{Cover, Method, Options};

use super::super::race::race;
use super::super::sweep::{compared, fastest, options, over, table};
use super::{claims, sizes};
use quadrille_lab::bench::matmul::{Contender, Row, Sweep};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let scale = lab.scale;
    let raced = race::<f32>(lab, sizes(lab), |n| contenders(scale, n))?;
    let title = "Slide 12. Rasterization order by geometry, and passes";
    let mut table = table("matmul-2004-geometry", title, &raced, lab.runs());
    table.notes.push(
        "Tiles are quads in the order that is named; passes hand the sums on, so that less of A and B is \
         read at a time: both are what blocking for a cache comes to here."
            .into(),
    );
    let findings = findings(&raced.rows);
    Ok(Part { tables: vec![table], findings, left_out: raced.left_out, ..Part::default() })
}

/// Sides of quads that stand for all where there is little time.
const FEW: [u32; 2] = [16, 64];

fn contenders(scale: Scale, n: usize) -> Vec<Contender> {
    let methods = scale.pick(&[Method::Sp][..], &[Method::Cp, Method::Sp, Method::Block8x4]);
    let mut all = Vec::new();
    for method in methods {
        let few = |wish: &Options| wish.tile.is_none_or(|tile| FEW.contains(&tile.width));
        let mut swept = Sweep::Tile.contenders(*method, (*method).into(), n);
        swept.retain(|one| {
            // The whole sweep of one method answers; of the others the few do.
            *method == Method::Sp && scale == Scale::Whole
                || matches!(one, Contender::Method(_, wish) if few(wish))
        });
        all.extend(swept);
    }
    let passes = [2, 4].map(|passes| Options::from(Method::Sp).passes(passes));
    all.extend(passes.map(|wish| Contender::Method(Method::Sp, wish)));
    all
}

fn findings(rows: &[Row]) -> Vec<Finding> {
    vec![
        judge(&claims::ORDER, order(rows)),
        judge(&claims::QUAD, quad(rows)),
        judge(&claims::BLOCKING, blocking(rows)),
    ]
}

fn wish(row: &Row) -> Option<Options> {
    match row.contender {
        Contender::Method(Method::Sp, wish) => Some(wish),
        _ => None,
    }
}

fn covered(rows: &[Row], cover: Cover) -> Result<&Row, String> {
    let found = rows.iter().find(|row| wish(row).is_some_and(|wish| wish.cover == Some(cover)));
    found.ok_or_else(|| "sp was not measured here".into())
}

fn tiled(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| wish(row).is_some_and(|wish| wish.tile.is_some()))
}

/// Finds out whether any order gains over one quad.
fn order(rows: &[Row]) -> AnswerOrReason {
    let quad = covered(rows, Cover::Quad)?;
    let best = fastest(tiled(rows)).ok_or("no tile divides the matrices")?;
    let text = format!(
        "the best of tiles in four orders ({}) takes {} times as long as one quad",
        options(best),
        short(over(best, quad))
    );
    compared(text, quad, best)
}

fn quad(rows: &[Row]) -> AnswerOrReason {
    let (quad, triangle) = (covered(rows, Cover::Quad)?, covered(rows, Cover::Triangle)?);
    let geometries = tiled(rows).chain([quad, triangle]);
    let best = fastest(geometries).unwrap_or(quad);
    let text = format!(
        "one quad takes {} times as long as one triangle, and {} times as long as the best geometry ({})",
        short(over(quad, triangle)),
        short(over(quad, best)),
        options(best)
    );
    compared(text, quad, best)
}

/// Tiles and passes against C drawn whole, at once.
fn blocking(rows: &[Row]) -> AnswerOrReason {
    let whole = covered(rows, Cover::Triangle)?;
    let passes = rows.iter().filter(|row| wish(row).is_some_and(|wish| wish.passes.is_some()));
    let best = fastest(tiled(rows).chain(passes)).ok_or("nothing was blocked")?;
    let text = format!(
        "the best of tiles and passes ({}) is {} times as fast as sp drawn whole; blocks in registers are \
         another matter: see the methods",
        options(best),
        short(over(whole, best))
    );
    compared(text, whole, best)
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted as row;
    use super::*;

    fn verdicts(quad: f64, triangle: f64, tile: f64, passes: f64) -> Vec<Verdict> {
        let rows = [
            row("sp cover=quad", quad),
            row("sp cover=triangle", triangle),
            row("sp tile=16x16 order=rows", tile),
            row("sp passes=4", passes),
        ];
        findings(&rows).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn each_claim_turns_with_its_time() {
        use Verdict::{Confirmed, Contradicted};
        assert_eq!(verdicts(10.0, 10.0, 11.0, 11.0), [Confirmed; 3]);
        assert_eq!(verdicts(10.0, 8.0, 11.0, 11.0), [Confirmed, Contradicted, Confirmed]);
        assert_eq!(verdicts(10.0, 10.0, 8.0, 11.0), [Contradicted; 3]);
        assert_eq!(verdicts(10.0, 10.0, 11.0, 8.0), [Confirmed, Confirmed, Contradicted]);
    }

    #[test]
    fn nothing_measured_is_not_measurable() {
        assert!(findings(&[]).iter().all(|finding| finding.verdict == Verdict::NotMeasurable));
    }
}
