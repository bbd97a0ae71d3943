//! The abilities and limits of the tutorial's class, each tried with a small product.

use quadrille::Shape;
use quadrille::data::Matrix;
use quadrille::error::Kind;
use quadrille::internal::reference::Comparison;
use quadrille::internal::reference::matmul::expected;
use quadrille::internal::reference::signs::Signs;
use quadrille::linalg::matmul::{Error as Refused, Options, multiply};

use super::super::super::Error;
use super::super::super::error::must_be_right;
use super::super::super::report::{Cell, Finding, Part, Table};
use super::super::Lab;
use super::super::told::Told;
use super::replay::{Replay, replay};
use super::{copies, finding, lacks};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let (table, copied) = copies::run(lab)?;
    let tried = Tried::all(lab)?;
    let lack = lacks(lab);
    let mut findings = vec![copied];
    findings.extend(judged(&tried, lack.as_deref())?);
    let left_out = lack.map(|lack| format!("the limits of blocks: {lack}")).into_iter().collect();
    Ok(Part { tables: vec![table, limits(&tried)], findings, left_out, ..Part::default() })
}

/// One product that was tried, and what came of it.
struct Tried {
    /// The options that are tried.
    about: &'static str,
    wish: String,
    sizes: [usize; 3],
    outcome: Outcome,
}

enum Outcome {
    Right,
    Refused(String),
}

impl Outcome {
    fn text(&self) -> &str {
        match self {
            Outcome::Right => "right",
            Outcome::Refused(reason) => reason,
        }
    }

    fn is_right(&self) -> bool {
        matches!(self, Outcome::Right)
    }
}

/// The tutorial's limit of threads in a block.
const THREADS: usize = 512;

impl Tried {
    fn all(lab: &Lab<'_>) -> Result<Vec<Tried>, Error> {
        let limits = lab.context.abilities().compute.unwrap_or_default();
        let side = limits.max_invocations.isqrt().max(1) as usize;
        let tries: [(&str, &str, [usize; 3]); 9] = [
            ("one block, as large as it may be", "compute-simple", [side, side, side]),
            ("one block, one larger", "compute-simple", [side + 1, side + 1, side + 1]),
            ("a tile that divides C", "compute-tiled tile=16x16", [96, 37, 32]),
            ("a tile that does not divide C", "compute-tiled tile=16x16", [100, 37, 32]),
            ("the same, tile left open", "compute-tiled", [100, 37, 32]),
            ("shared, a tile that does not divide k", "compute-shared tile=16x16", [16, 24, 16]),
            ("the same, tile left open", "compute-shared", [16, 24, 16]),
            ("shared, a tile that is lower than wide", "compute-shared tile=8x4", [16, 16, 16]),
            ("shared, wider than 30", "compute-shared tile=32x32", [64, 64, 64]),
        ];
        tries.map(|(about, wish, sizes)| Tried::one(lab, about, wish, sizes)).into_iter().collect()
    }

    /// A wrong product is an error, and so is what has nothing to do with limits.
    fn one(
        lab: &Lab<'_>,
        about: &'static str,
        wish: &str,
        sizes: [usize; 3],
    ) -> Result<Tried, Error> {
        let [m, k, n] = sizes;
        let a = Matrix::<f32>::random(Shape::new(m, k), lab.seed)?;
        let b = Matrix::<f32>::random(Shape::new(k, n), lab.seed.wrapping_add(1))?;
        let wished = wish.parse::<Options>()?;
        let outcome = match multiply(lab.context, &a, &b, wished) {
            Ok(c) => right(wish, expected(&a, &b)?.compare(&c))?,
            Err(error) => refused(error)?,
        };
        if outcome.is_right() {
            let signs = Signs::new(a.shape(), b.shape(), lab.seed)?;
            let c = multiply(lab.context, &signs.a::<f32>()?, &signs.b()?, wished)?;
            right(wish, signs.compare(&c))?;
        }
        Ok(Tried { about, wish: wish.to_owned(), sizes, outcome })
    }
}

fn right(wish: &str, comparison: Comparison) -> Result<Outcome, Error> {
    must_be_right(wish, comparison).map(|()| Outcome::Right)
}

fn refused(error: Refused) -> Result<Outcome, Error> {
    match error.kind() {
        Kind::Limit | Kind::Unsupported | Kind::Input => Ok(Outcome::Refused(error.to_string())),
        _ => Err(error.into()),
    }
}

fn limits(tried: &[Tried]) -> Table {
    let columns = ["tried", "method", "A", "B", "what came of it"];
    let line = |one: &Tried| {
        let [m, k, n] = one.sizes;
        vec![
            Cell::from(one.about),
            one.wish.clone().into(),
            format!("{m} x {k}").into(),
            format!("{k} x {n}").into(),
            one.outcome.text().into(),
        ]
    };
    Table {
        id: "cuda-matmul-limits".into(),
        title: "Blocks and tiles at their limits".into(),
        columns: columns.map(String::from).into(),
        rows: tried.iter().map(line).collect(),
        notes: vec![
            "Every product is compared with double precision, and a product of -1 and 1 must be exact. The \
             tutorial's Multiply_Simple ends at 512 threads, its shared arrays at 30 x 30."
                .into(),
        ],
        command: "quadrille reproduce cuda-matmul --output DIR".into(),
    }
}

/// The findings, from what was tried; `lack` is why nothing could be.
fn judged(tried: &[Tried], lack: Option<&str>) -> Result<Vec<Finding>, Error> {
    let told = |told: Option<(String, bool)>| -> Told {
        match lack {
            Some(lack) => Err(lack.to_owned()),
            None => told.ok_or_else(|| "it was not tried".into()),
        }
    };
    let inner = replayed([16, 24, 16], [16, 16])?;
    let low = replayed([16, 16, 16], [8, 4])?;
    Ok(vec![
        finding(
            "Multiply_Simple: only 512 elements of C, the threads of a block",
            told(simple(tried)),
        ),
        finding(
            "The tile must divide C, though the kernel's check of bounds makes that unnecessary",
            told(divides(tried)),
        ),
        finding(
            "Multiply_Fancy_Tile: a tile that divides C will do",
            told(fancy(tried, "does not divide k", &inner, "a tile of 16 x 16 and k = 24")),
        ),
        finding(
            "Multiply_Fancy_Tile: width and height of a tile are free",
            told(fancy(tried, "lower than wide", &low, "a tile of 8 x 4")),
        ),
        finding("A shared tile is at most 30 x 30 (MAX_BLOCK_SIZE)", told(arrays(tried))),
    ])
}

fn find<'a>(tried: &'a [Tried], about: &str) -> Option<&'a Tried> {
    tried.iter().find(|one| one.about.contains(about))
}

fn simple(tried: &[Tried]) -> Option<(String, bool)> {
    let (most, more) = (find(tried, "as large as it may")?, find(tried, "one larger")?);
    let side = most.sizes[0];
    let text = format!(
        "{side} x {side}, {} elements: {}; one row and column more: {}",
        side * side,
        most.outcome.text(),
        more.outcome.text()
    );
    let ends = most.outcome.is_right() && side * side <= THREADS;
    Some((text, ends && !more.outcome.is_right()))
}

fn divides(tried: &[Tried]) -> Option<(String, bool)> {
    let named = find(tried, "does not divide C")?;
    let open = tried.iter().find(|one| one.wish == "compute-tiled")?;
    let text = format!(
        "100 rows by tiles of 16, requested: {}; by default, padded with zeros: {}",
        named.outcome.text(),
        open.outcome.text()
    );
    Some((text, !named.outcome.is_right() && open.outcome.is_right()))
}

/// A claim that the tutorial's kernel, replayed on the host, does or does not keep.
fn fancy(tried: &[Tried], about: &str, replayed: &Replayed, how: &str) -> Option<(String, bool)> {
    let ours = find(tried, about)?;
    let Replayed { wrong, of, replay: Replay { never_loaded, outside, .. } } = replayed;
    let text = format!(
        "its kernel, replayed on the host with {how}, leaves {wrong} of {of} elements undefined ({never_loaded} \
         reads of uninitialized memory, {outside} past the end); here: {}",
        ours.outcome.text()
    );
    Some((text, *wrong == 0))
}

fn arrays(tried: &[Tried]) -> Option<(String, bool)> {
    let wide = find(tried, "wider than 30")?;
    Some((format!("32 x 32: {}", wide.outcome.text()), !wide.outcome.is_right()))
}

/// A replay of the tutorial's kernel, compared.
struct Replayed {
    replay: Replay,
    wrong: usize,
    of: usize,
}

/// Integers, so that every difference is an error.
fn replayed([m, k, n]: [usize; 3], [width, height]: [usize; 2]) -> Result<Replayed, Error> {
    let number = |row: usize, col: usize| ((3 * row + 5 * col) % 7 + 1) as f32;
    let a = Matrix::from_fn(Shape::new(m, k), number)?;
    let b = Matrix::from_fn(Shape::new(k, n), number)?;
    let mut exact = Matrix::zeros(Shape::new(m, n))?;
    quadrille::internal::reference::matmul::multiply(&a, &b, &mut exact);
    let replay = replay(&a, &b, width, height);
    let wrong = replay.c.iter().zip(exact.elements()).filter(|(got, exact)| got != exact).count();
    Ok(Replayed { wrong, of: m * n, replay })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::super::super::report::Verdict;
    use super::*;

    fn tried(about: &'static str, wish: &str, side: usize, is_right: bool) -> Tried {
        let outcome = if is_right { Outcome::Right } else { Outcome::Refused("too large".into()) };
        Tried { about, wish: wish.into(), sizes: [side; 3], outcome }
    }

    #[test]
    fn a_limit_is_where_the_tutorial_has_it_or_elsewhere() {
        let verdict = |side: usize, more: bool| {
            let rows = [
                tried("as large as it may be", "compute-simple", side, true),
                tried("one larger", "compute-simple", side + 1, more),
            ];
            simple(&rows).unwrap().1
        };
        assert!(verdict(22, false) && !verdict(32, false) && !verdict(22, true));
        let wide = |is_right| arrays(&[tried("wider than 30", "", 64, is_right)]).unwrap().1;
        assert!(wide(false) && !wide(true));
    }

    #[test]
    fn tiles_that_are_named_must_divide_and_others_need_not() {
        let verdict = |named: bool, open: bool| {
            let rows = [
                tried("does not divide C", "compute-tiled tile=16x16", 100, named),
                tried("left open", "compute-tiled", 100, open),
            ];
            divides(&rows).unwrap().1
        };
        assert!(verdict(false, true) && !verdict(true, true) && !verdict(false, false));
    }

    #[test]
    fn a_replay_that_is_right_confirms_and_one_that_is_not_contradicts() {
        let rows = [tried("lower than wide", "compute-shared tile=8x4", 16, false)];
        let verdict =
            |tile| fancy(&rows, "lower", &replayed([16; 3], tile).unwrap(), "").unwrap().1;
        assert!(verdict([8, 8]) && !verdict([8, 4]));
    }

    #[test]
    fn without_compute_shaders_there_is_a_reason() {
        let findings = judged(&[], Some("no compute shaders")).unwrap();
        for found in &findings {
            assert_eq!(
                (found.verdict, found.measured.as_str()),
                (Verdict::NotMeasurable, "no compute shaders")
            );
        }
    }
}
