//! Operands transposed or not, their rows padded or not, or in blocks.

use super::super::prelude::*;
use quadrille::linalg::matmul::{Mapping, Method};

use super::super::race::race;
use super::super::sweep::{compared, fastest, options, over, table};
use super::{claims, sizes};
use quadrille_lab::bench::matmul::{Contender, Row, Sweep};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let methods = lab.scale.pick(&[Method::Sp][..], &[Method::Cp, Method::Sp, Method::Block8x4]);
    let of = |method: &Method, n| Sweep::Mapping.contenders(*method, (*method).into(), n);
    let raced = race::<f32>(lab, sizes(lab), |n| {
        methods.iter().flat_map(|method| of(method, n)).collect()
    })?;
    let title = "Slide 12. Mapping into texture memory";
    let table = table("matmul-2004-mapping", title, &raced, lab.runs());
    let findings = vec![judge(&claims::MAPPING, varied(&raced.rows))];
    Ok(Part { tables: vec![table], findings, left_out: raced.left_out, ..Part::default() })
}

/// The mapping of the matrices as they are.
const PLAIN: Mapping = Mapping { a_transposed: false, b_transposed: false, padding: 0, strips: 0 };

/// The gain of the best mapping over the plain one.
fn varied(rows: &[Row]) -> AnswerOrReason {
    let sp = || rows.iter().filter(|row| row.contender.name() == Method::Sp.name());
    let plain = |row: &&Row| match row.contender {
        Contender::Method(_, wish) => wish.mapping == Some(PLAIN),
        Contender::Serial(_) | Contender::Library(_) => false,
    };
    let plain = sp().find(plain).ok_or("sp was not measured here")?;
    let best = fastest(sp()).unwrap_or(plain);
    let text = format!(
        "the best mapping of sp ({}) is {} times as fast as the plain one",
        options(best),
        short(over(plain, best))
    );
    compared(text, plain, best)
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted as row;
    use super::*;

    #[test]
    fn a_gain_contradicts() {
        let judged = |best: f64| {
            let contenders = Sweep::Mapping.contenders(Method::Sp, Method::Sp.into(), 64);
            let mut rows: Vec<Row> =
                contenders.iter().map(|one| row(&one.to_string(), 11.0)).collect();
            rows[3] = row(&contenders[3].to_string(), best);
            judge(&claims::MAPPING, varied(&rows)).verdict
        };
        assert_eq!([10.5, 8.0].map(judged), [Verdict::Confirmed, Verdict::Contradicted]);
        assert!(varied(&[]).is_err());
    }
}
