//! Steps along k in a trip of the loop, from one to all.

use super::super::prelude::*;
use quadrille::linalg::matmul::{Method, Options};

use super::super::race::race;
use super::super::sweep::{compared, fastest, options, over, table};
use super::{claims, sizes};
use quadrille_lab::bench::matmul::{Contender, Row, Sweep};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let scale = lab.scale;
    let raced = race::<f32>(lab, sizes(lab), |n| contenders(scale, n))?;
    let mut table = table("matmul-2004-unrolling", "Slide 12. Loop unrolling", &raced, lab.runs());
    table
        .notes
        .push("The slides: column packed unroll maximally, submatrix packed 128 times.".into());
    let findings = findings(&raced.rows);
    let figures = figure(&raced.rows).into_iter().collect();
    let left_out = raced.left_out;
    Ok(Part { tables: vec![table], figures, findings, left_out, ..Part::default() })
}

/// The unrollings that represent all powers of two if there is little time.
const FEW: [u32; 4] = [1, 4, 16, SLIDES];
/// The slides' best of SP.
const SLIDES: u32 = 128;

fn contenders(scale: Scale, n: usize) -> Vec<Contender> {
    let mut all = Vec::new();
    for method in [Method::Cp, Method::Sp] {
        let swept = Sweep::Unroll.contenders(method, method.into(), n);
        let last = swept.last().copied();
        let few = |one: &Contender| {
            unroll(*one).is_some_and(|(_, unroll)| FEW.contains(&unroll)) || Some(*one) == last
        };
        all.extend(swept.into_iter().filter(|one| scale == Scale::Whole || few(one)));
    }
    // As many passes as the slides' unrolling fills: 256 elements of k each.
    let passes = n.div_ceil(2 * SLIDES as usize) as u32;
    if passes > 1 {
        let wish = Options::from(Method::Sp).unroll(SLIDES).passes(passes);
        all.push(Contender::Method(Method::Sp, wish));
    }
    all
}

fn unroll(contender: Contender) -> Option<(Method, u32)> {
    match contender {
        Contender::Method(method, wish) if wish.passes.is_none() => Some((method, wish.unroll?)),
        _ => None,
    }
}

fn of(rows: &[Row], method: Method) -> impl Iterator<Item = (&Row, u32)> {
    let unrolled = rows.iter().filter_map(|row| Some((row, unroll(row.contender)?)));
    unrolled.filter(move |(_, (its, _))| *its == method).map(|(row, (_, unroll))| (row, unroll))
}

fn figure(rows: &[Row]) -> Option<Figure> {
    let lines = [Method::Cp, Method::Sp].map(|method| {
        let points = of(rows, method).map(|(row, unroll)| [f64::from(unroll), row.gflops()]);
        Line::measured(method.name(), points)
    });
    let axes = ["steps in a trip of the loop", "GFLOPS"];
    Figure::lines("matmul-2004-unrolling-lines", "Slide 12. Rate by unrolling", axes, lines)
}

fn findings(rows: &[Row]) -> Vec<Finding> {
    vec![judge(&claims::UNROLL_CP, maximally(rows)), judge(&claims::UNROLL_SP, slides(rows))]
}

fn maximally(rows: &[Row]) -> AnswerOrReason {
    let most = of(rows, Method::Cp).max_by_key(|(_, unroll)| *unroll);
    let (most, unroll) = most.ok_or("cp was not measured here")?;
    told(rows, Method::Cp, most, &format!("unrolled maximally, {unroll} times,"))
}

fn slides(rows: &[Row]) -> AnswerOrReason {
    if of(rows, Method::Sp).next().is_none() {
        return Err("sp was not measured here".into());
    }
    let found = of(rows, Method::Sp).find(|(_, unroll)| *unroll == SLIDES);
    let (row, _) = found.ok_or("the matrices that there was time for have fewer than 128 steps")?;
    told(rows, Method::Sp, row, "unrolled 128 times")
}

fn told(rows: &[Row], method: Method, row: &Row, how: &str) -> AnswerOrReason {
    let best = fastest(of(rows, method).map(|(row, _)| row)).unwrap_or(row);
    let text = format!(
        "{method} {how} takes {} times as long as at its best ({})",
        short(over(row, best)),
        options(best)
    );
    compared(text, row, best)
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted as row;
    use super::*;

    fn verdicts(cp: [f64; 2], sp: [f64; 2]) -> Vec<Verdict> {
        let rows = [
            row("cp unroll=1", cp[0]),
            row("cp unroll=256", cp[1]),
            row("sp unroll=4", sp[0]),
            row("sp unroll=128", sp[1]),
            row("sp unroll=128 passes=4", 0.1),
        ];
        findings(&rows).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn the_slides_choice_must_be_the_fastest() {
        use Verdict::{Confirmed, Contradicted};
        assert_eq!(verdicts([2.0, 1.0], [1.0, 2.0]), [Confirmed, Contradicted]);
        assert_eq!(verdicts([1.0, 2.0], [2.0, 1.0]), [Contradicted, Confirmed]);
        let short = [row("sp unroll=32", 1.0)];
        assert!(findings(&short).iter().all(|f| f.verdict == Verdict::NotMeasurable));
    }

    #[test]
    fn few_unrollings_end_with_the_whole_loop() {
        let few: Vec<String> =
            contenders(Scale::Quick, 64).iter().map(ToString::to_string).collect();
        assert_eq!(
            few,
            [
                "cp unroll=1",
                "cp unroll=4",
                "cp unroll=16",
                "sp unroll=1",
                "sp unroll=4",
                "sp unroll=16",
                "sp unroll=32"
            ]
        );
        let whole = contenders(Scale::Whole, 1024);
        assert_eq!(
            whole.last().map(ToString::to_string).as_deref(),
            Some("sp unroll=128 passes=4")
        );
    }
}
