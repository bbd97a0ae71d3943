//! The abilities and limits of the tutorial's class, each tried with a small product.

use super::super::prelude::*;
use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::error::Kind;
use quadrille::internal::reference::matmul::expected;
use quadrille::internal::reference::signs::Signs;
use quadrille::linalg::matmul::{Error as Refused, Options, multiply};

use super::replay::{Replay, replay, uncomputed};
use super::{claims, copies, errata, lacks};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let (table, copied) = copies::run(lab)?;
    let tried = Tried::all(lab)?;
    let lack = lacks(lab);
    let mut findings = vec![copied];
    findings.push(judge(&claims::THREADS, threads(&tried, lack.clone())));
    findings.extend(replays()?);
    findings.extend(errata::findings());
    let left_out = lack.map(|lack| format!("the limits of blocks: {lack}")).into_iter().collect();
    Ok(Part { tables: vec![table, limits(&tried)], findings, left_out, ..Part::default() })
}

struct Tried {
    about: &'static str,
    wish: String,
    sizes: [usize; 3],
    /// The reason why it was refused; a product that was not refused is right.
    refused: Option<String>,
}

impl Tried {
    fn outcome(&self) -> &str {
        self.refused.as_deref().unwrap_or("right")
    }

    fn all(lab: &Lab<'_>) -> Result<Vec<Tried>> {
        let limits = lab.context.abilities().compute.unwrap_or_default();
        let side = limits.max_invocations.isqrt().max(1) as usize;
        let tries: [(&str, &str, [usize; 3]); 10] = [
            ("one block, as large as it may be", "compute-simple", [side, side, side]),
            ("one block, one larger", "compute-simple", [side + 1, side + 1, side + 1]),
            ("a tile that divides C", "compute-tiled tile=16x16", [96, 37, 32]),
            ("a tile that does not divide C", "compute-tiled tile=16x16", [100, 37, 32]),
            ("the same, tile left open", "compute-tiled", [100, 37, 32]),
            ("shared, a tile that does not divide k", "compute-shared tile=16x16", [16, 24, 16]),
            ("the same, tile left open", "compute-shared", [16, 24, 16]),
            ("shared, a tile that is lower than wide", "compute-shared tile=8x4", [16, 16, 16]),
            ("shared, a tile that is higher than wide", "compute-shared tile=4x8", [16, 16, 16]),
            ("shared, wider than 30", "compute-shared tile=32x32", [64, 64, 64]),
        ];
        tries.map(|(about, wish, sizes)| Tried::one(lab, about, wish, sizes)).into_iter().collect()
    }

    /// A wrong product is an error, and so is what has nothing to do with limits.
    fn one(lab: &Lab<'_>, about: &'static str, wish: &str, sizes: [usize; 3]) -> Result<Tried> {
        let [m, k, n] = sizes;
        let a = Matrix::<f32>::random(Shape::new(m, k), lab.seed)?;
        let b = Matrix::<f32>::random(Shape::new(k, n), lab.seed.wrapping_add(1))?;
        let wished = wish.parse::<Options>()?;
        let refused = match multiply(lab.context, &a, &b, wished) {
            Ok(c) => {
                must_be_right(wish, expected(&a, &b)?.compare(&c))?;
                let signs = Signs::new(a.shape(), b.shape(), lab.seed)?;
                let c = multiply(lab.context, &signs.a::<f32>()?, &signs.b()?, wished)?;
                must_be_right(wish, signs.compare(&c))?;
                None
            }
            Err(error) => Some(refused(error)?),
        };
        Ok(Tried { about, wish: wish.to_owned(), sizes, refused })
    }
}

fn refused(error: Refused) -> Result<String> {
    match error.kind() {
        Kind::Limit | Kind::Unsupported | Kind::Input => Ok(error.to_string()),
        _ => Err(error.into()),
    }
}

fn limits(tried: &[Tried]) -> Table {
    let columns = vec![
        only_text("tried", "", |one: &Tried| one.about.into()),
        only_text("method", "", |one| one.wish.as_str().into()),
        only_text("A", "", |one| format!("{} x {}", one.sizes[0], one.sizes[1]).into()),
        only_text("B", "", |one| format!("{} x {}", one.sizes[1], one.sizes[2]).into()),
        only_text("result", "", |one| one.outcome().into()),
    ];
    let notes = [
        "Every product is compared with double precision, and a product of -1 and 1 must be exact. The \
         tutorial's Multiply_Simple ends at 512 threads, its shared arrays at 30 x 30.",
    ];
    let title = "Blocks and tiles at their limits";
    Rows { columns, rows: tried }.table(
        "cuda-matmul-limits",
        title,
        notes,
        alone("cuda-matmul-class"),
    )
}

fn find<'a>(tried: &'a [Tried], about: &str) -> Option<&'a Tried> {
    tried.iter().find(|one| one.about.contains(about))
}

/// The elements of the largest square that one block computes; `lack` is why none does.
fn threads(tried: &[Tried], lack: Option<String>) -> AnswerOrReason {
    if let Some(lack) = lack {
        return Err(lack);
    }
    let both = find(tried, "as large as it may").zip(find(tried, "one larger"));
    let Some((most, more)) = both.filter(|(most, _)| most.refused.is_none()) else {
        return Err("no block was right".into());
    };
    let side = most.sizes[0];
    let elements = side * side;
    let words = format!(
        "{side} x {side}, {elements} elements: {}; one row and column more: {}",
        most.outcome(),
        more.outcome()
    );
    Ok(Answer::of(words, counted(elements as f64)))
}

/// Replays the tutorial's kernels on the host, and counts the elements that they leave uncomputed
/// or undefined.
fn replays() -> Result<Vec<Finding>> {
    let c = Shape::new(100, 32);
    let left = |blocks| uncomputed(c, [16, 16], blocks);
    let (down, up) = (left(|size, tile| size / tile), left(usize::div_ceil));
    let bounds = format!(
        "its grid of wC / wTile by hC / hTile blocks is rounded down: replayed on the host for C of {c} and tiles of \
         16 x 16, {down} of {} elements are never computed; {up} if it were rounded up. The refusal that it also has is \
         needed. Here a tile that is named must divide C, and one left open is padded with zeros",
        c.rows * c.cols
    );
    let inner = replayed([16, 24, 16], [16, 16])?;
    let (low, high) = (replayed([16, 16, 16], [8, 4])?, replayed([16, 16, 16], [4, 8])?);
    let rest = |replayed: &Replayed, how: &str| {
        let Replayed { wrong, of, replay: Replay { never_loaded, outside, .. } } = replayed;
        format!(
            "replayed on the host with {how}, its kernel leaves {wrong} of {of} elements undefined ({never_loaded} reads of \
             shared memory that no thread loaded, {outside} loads from past the end of A or B)"
        )
    };
    let lower = format!("{}; {}", rest(&low, "tiles of 8 x 4"), rest(&high, "4 x 8"));
    Ok(vec![
        check(&claims::BOUNDS, Ok((bounds, down == 0))),
        check(&claims::INNER, Ok((rest(&inner, "tiles of 16 x 16 and k = 24"), inner.wrong == 0))),
        check(&claims::LOW_TILES, Ok((lower, low.wrong + high.wrong == 0))),
    ])
}

struct Replayed {
    replay: Replay,
    wrong: usize,
    of: usize,
}

/// Integers, so that every difference is an error.
fn replayed([m, k, n]: [usize; 3], [width, height]: [usize; 2]) -> Result<Replayed> {
    let number = |row: usize, col: usize| ((3 * row + 5 * col) % 7 + 1) as f32;
    let a = Matrix::from_fn(Shape::new(m, k), number)?;
    let b = Matrix::from_fn(Shape::new(k, n), number)?;
    let mut exact = Matrix::zeros(Shape::new(m, n))?;
    quadrille::internal::host::matmul::multiply(&a, &b, &mut exact);
    let replay = replay(&a, &b, width, height);
    let wrong = replay.c.iter().zip(exact.elements()).filter(|(got, exact)| got != exact).count();
    Ok(Replayed { wrong, of: m * n, replay })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(about: &'static str, side: usize, is_right: bool) -> Tried {
        let refused = (!is_right).then(|| "too large".into());
        Tried { about, wish: "compute-simple".into(), sizes: [side; 3], refused }
    }

    #[test]
    fn a_block_has_512_threads_or_more() {
        let verdict = |side, right| {
            let tried =
                [tried("as large as it may be", side, right), tried("one larger", side + 1, false)];
            judge(&claims::THREADS, threads(&tried, None)).verdict
        };
        let verdicts = [verdict(32, true), verdict(11, true), verdict(32, false)];
        assert_eq!(verdicts, [Verdict::Confirmed, Verdict::Contradicted, Verdict::NotMeasurable]);
        let lacking = judge(&claims::THREADS, threads(&[], Some("no compute shaders".into())));
        assert_eq!(
            (lacking.verdict, lacking.measured.as_str()),
            (Verdict::NotMeasurable, "no compute shaders")
        );
    }

    #[test]
    fn the_replays_find_what_the_tutorial_overlooks() {
        let findings = replays().unwrap();
        assert!(findings.iter().all(|finding| finding.verdict == Verdict::Contradicted));
        let says = |index: usize, text| {
            let measured = &findings[index].measured;
            assert!(measured.contains(text), "{measured}");
        };
        says(0, "128 of 3200 elements are never computed; 0 if");
        says(1, "136 loads from past the end");
        says(
            2,
            "2048 reads of shared memory that no thread loaded, 0 loads from past the end of A or B); replayed",
        );
        says(2, "4 x 8, its kernel leaves 0 of 256 elements undefined (0 reads");
        says(2, "128 loads from past the end");
    }
}
