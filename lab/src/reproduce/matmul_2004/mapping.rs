//! Operands transposed or not, their rows padded or not.

use quadrille::linalg::matmul::{Mapping, Method};

use super::super::super::Error;
use super::super::super::matmul::{Contender, Row, Sweep};
use super::super::super::report::Part;
use super::super::Lab;
use super::super::sweep::{as_fast, fastest, options, over, race, runs, table};
use super::super::told::{Told, digits};
use super::{finding, sizes};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let methods = lab.scale.pick(&[Method::Sp][..], &[Method::Cp, Method::Sp, Method::Block8x4]);
    let of = |method: &Method, n| Sweep::Mapping.contenders(*method, (*method).into(), n);
    let raced =
        race(lab, sizes(lab), |n| methods.iter().flat_map(|method| of(method, n)).collect())?;
    let title = "Slide 12. Mapping into texture memory";
    let table = table("matmul-2004-mapping", title, &raced, runs(lab));
    let claim = "Varied mapping into texture memory is ineffective (slide 12)";
    let findings = vec![finding(claim, varied(&raced.rows))];
    Ok(Part { tables: vec![table], findings, left_out: raced.left_out, ..Part::default() })
}

/// The mapping of the matrices as they are.
const PLAIN: Mapping = Mapping { a_transposed: false, b_transposed: false, padding: 0 };

/// The gain of the best mapping over the plain one counts from 10 % on.
fn varied(rows: &[Row]) -> Told {
    let sp = || rows.iter().filter(|row| row.contender.name() == Method::Sp.name());
    let plain = |row: &&Row| match row.contender {
        Contender::Method(_, wish) => wish.mapping == Some(PLAIN),
        Contender::Library(_) => false,
    };
    let plain = sp().find(plain).ok_or("sp was not measured here")?;
    let best = fastest(sp()).unwrap_or(plain);
    let text = format!(
        "the best mapping of sp ({}) is {} times as fast as the plain one",
        options(best),
        digits(over(plain, best))
    );
    as_fast(&text, plain, best)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::super::sweep::planted as row;
    use super::*;

    #[test]
    fn a_tenth_is_effective() {
        let judged = |best: f64| {
            let contenders = Sweep::Mapping.contenders(Method::Sp, Method::Sp.into(), 64);
            let mut rows: Vec<Row> =
                contenders.iter().map(|one| row(&one.to_string(), 11.0)).collect();
            rows[3] = row(&contenders[3].to_string(), best);
            varied(&rows).unwrap().1
        };
        assert!(judged(10.5) && !judged(9.0));
        assert!(varied(&[]).is_err());
    }
}
