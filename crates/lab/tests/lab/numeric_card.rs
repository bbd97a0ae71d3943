//! The numeric card: what it says of every flavour, what is known of llvmpipe, and that its
//! sentences change with what was found.

use std::cell::RefCell;

use crate::common::Flavour;
use quadrille::{Context, Extent};
use quadrille::{Control, Progress};
use quadrille_lab::card::{self, Accuracy, Card, Direction, Engine, Fusion, Group};

fn made(context: &Context) -> Card {
    card::run(context, 5, &mut ()).unwrap()
}

fn rows<'a>(card: &'a Card, operation: &str) -> Vec<&'a Accuracy> {
    card.accuracy.iter().filter(|row| row.operation == operation).collect()
}

fn gives(card: &Card, engine: Engine, what: &str) -> String {
    let row = card.specials.iter().find(|row| row.engine == engine && row.what == what);
    row.unwrap_or_else(|| panic!("no {what}")).gives.clone()
}

/// The sentences of a section.
fn section(card: &Card, title: &str) -> String {
    let sections = card.verdicts();
    let section = sections.iter().find(|section| section.title == title);
    let texts = section.unwrap_or_else(|| panic!("no {title}")).verdicts.iter();
    texts.map(|verdict| verdict.text.clone()).collect::<Vec<_>>().join("\n")
}

/// Whatever the device: GLSL's own promises, and that nothing was left out.
fn must_be_whole(context: &Context, card: &Card) {
    let abilities = context.abilities();
    assert_eq!(card.engines.contains(&Engine::Compute), abilities.compute.is_some());
    assert!(!card.stopped && card.verdicts().len() == 12);
    for operation in ["a + b", "a - b", "a * b", "a / b", "sqrt(a)", "floor(a)", "exp2(a)"] {
        let rows = rows(card, operation);
        assert_eq!(rows.len() % card.engines.len(), 0, "{operation}");
        for row in rows {
            assert!(row.arguments > 1000 && row.max_ulps.is_finite(), "{row:?}");
            assert_ne!(row.kept, Some(false), "{row:?}");
        }
    }
    // Without any error they would have been compared with themselves.
    assert!(rows(card, "a * b").iter().all(|row| row.mean_ulps > 0.1));
    assert!(card.integers.iter().all(|row| row.arguments > 500), "{:?}", card.integers);
    assert_eq!(rows(card, "fma(a, b, c)").is_empty(), !abilities.precise);
    assert_eq!(card.contraction.iter().any(|row| row.precise), abilities.precise);
    assert_eq!(
        section(card, "contraction").contains("`precise` is not supported"),
        !abilities.precise
    );
    assert!(card.passages.len() >= 7 && card.lines.len() == 4 && card.indexing.len() == 13);
    // Both ways of reading are exact by design, up to the largest texture.
    let read = card
        .indexing
        .iter()
        .filter(|row| row.way.contains("texelFetch") || row.way.contains("sample at"));
    for row in read {
        assert_eq!(
            (row.first_wrong, row.texels),
            (None, u64::from(abilities.max_texture_size)),
            "{row:?}"
        );
    }
    let strips = card.interpolation.iter();
    assert!(
        strips.clone().all(|row| row.max_texels < 0.5 && row.misread == 0),
        "{:?}",
        card.interpolation
    );
}

/// Checks what docs/vector-machine.md says of llvmpipe, and more of the same kind.
fn must_be_llvmpipe(card: &Card) {
    let fragment = |what| gives(card, Engine::Fragment, what);
    for engine in [Engine::Fragment, Engine::Vertex] {
        for (what, flushed) in [
            ("1e-40 + 1e-40", "0"),
            ("2^-100 * 2^-30", "0"),
            ("1e-40 > 0", "0"),
            ("1e-40 moved", "1e-40"),
        ] {
            assert_eq!(gives(card, engine, what), flushed, "{what}, {engine:?}");
        }
    }
    for what in
        ["min(NaN, 1)", "min(1, NaN)", "max(NaN, 1)", "max(1, NaN)", "isnan(NaN)", "x != x, x NaN"]
    {
        assert_eq!(fragment(what), "1", "{what}");
    }
    assert_eq!(
        [fragment("0 * inf"), fragment("1 / -0"), fragment("exp2(128)")],
        ["NaN", "-inf", "inf"]
    );
    assert!(section(card, "denormals").contains("as operands: flushed to zero"));
    assert!(section(card, "denormals").contains("moved and as constants: kept"));
    assert!(section(card, "NaN").contains("min of NaN and a number gives the number"));
    for row in &card.rounding {
        let expected = if row.operation == "float to int" {
            Direction::TowardZero
        } else {
            Direction::NearestEven
        };
        assert_eq!(row.direction, expected, "{row:?}");
    }
    let separate = |row: &&card::Contraction| row.fusion == Fusion::Separate;
    assert!(card.contraction.iter().all(|row| separate(&row)), "{:?}", card.contraction);
    // A sum's order is changed unless it says `precise`.
    assert_eq!(fragment("(1 + 2^25) - 2^25"), "1");
    if card.precise {
        assert_eq!(fragment("the same, precise"), "0");
        assert!(section(card, "contraction").contains("`precise` is supported and respected"));
    }
    let log: Vec<_> =
        rows(card, "log2(a)").into_iter().filter(|row| row.range == "near 1").collect();
    assert!(log.iter().all(|row| row.max_ulps > 1e5 && row.kept == Some(true)), "{log:?}");
    assert!(rows(card, "a / b").iter().all(|row| row.not_nearest == 0));
    assert!(card.integers.iter().all(|row| row.wrong == 0), "{:?}", card.integers);
    let bytes = card.quantising.as_ref().unwrap();
    assert!(
        bytes.direction == "to the nearest byte" && bytes.clamped && bytes.bytes_kept,
        "{bytes:?}"
    );
    for row in &card.passages {
        assert!(row.nan && row.infinities && row.negative_zero && row.largest, "{row:?}");
        assert_eq!(row.denormals, !row.way.contains("blending"), "{row:?}");
    }
    // Lines through centres are exact, lines along sides miss the first column.
    for row in &card.lines {
        assert_eq!(row.is_exact(), row.line.contains("centres"), "{row:?}");
    }
}

#[test]
fn every_flavour_has_its_card_and_llvmpipe_the_one_that_is_known() {
    crate::common::each(|context| {
        let card = made(context);
        must_be_whole(context, &card);
        if card.device.contains("llvmpipe") {
            must_be_llvmpipe(&card);
        }
    });
}

#[test]
fn floats_count_to_two_to_the_24() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let card = made(context);
        let of = |way: &str| {
            card.indexing.iter().filter(|row| row.way.contains(way)).collect::<Vec<_>>()
        };
        // The first index without a float of its own is 2^24 + 1; the next neighbour is one
        // earlier.
        assert_eq!(of("in floats")[0].first_wrong, Some((1 << 24) + 1));
        let floors = of("floor()");
        assert!(
            floors.len() == 4 && floors[..3].iter().all(|row| row.first_wrong.is_none()),
            "{floors:?}"
        );
        assert_eq!(floors[3].first_wrong, Some(1 << 24));
        let wrong =
            quadrille::stream::facts::misplaced_by_floor(context, Extent::new(4099, 4099)).unwrap();
        assert!(wrong > 0, "the doctor's probe and the card must agree");
    });
}

#[test]
fn sentences_follow_what_was_found() {
    let context = Context::headless().unwrap();
    let whole = made(&context);
    let with = |change: &dyn Fn(&mut Card)| {
        let mut card = whole.clone();
        change(&mut card);
        card
    };
    let fused =
        with(&|card| card.contraction.iter_mut().for_each(|row| row.fusion = Fusion::Fused));
    assert!(section(&fused, "contraction").contains("a * b + c is fused, however it is written"));
    assert!(section(&fused, "contraction").contains("`precise` is supported and NOT respected"));
    assert!(section(&fused, "contraction").contains("fma() rounds once"));
    let cut = with(&|card| {
        card.rounding.iter_mut().for_each(|row| row.direction = Direction::TowardZero)
    });
    assert!(
        section(&cut, "rounding").contains("a + b, a * b, a / b"),
        "{}",
        section(&cut, "rounding")
    );
    assert!(
        section(&cut, "rounding").contains("toward zero")
            && !section(&cut, "rounding").contains("to even")
    );
    let coarse = with(&|card| {
        for row in card.accuracy.iter_mut().filter(|row| row.operation == "a / b") {
            (row.max_ulps, row.not_nearest, row.kept) = (7.0, 9, Some(false));
        }
    });
    for text in [
        "a / b has an error of up to 7.00 ULP",
        "error bounds of GLSL 4.60 and ES 3.20 NOT kept: a / b",
    ] {
        assert!(
            section(&coarse, "arithmetic").contains(text),
            "{}",
            section(&coarse, "arithmetic")
        );
    }
    let kept =
        with(&|card| card.specials.iter_mut().for_each(|row| row.ieee = row.ieee.map(|_| true)));
    assert!(!section(&kept, "denormals").contains("flushed"));
    assert!(section(&kept, "contraction").contains("expressions are computed as written"));
    let quiet = with(&|card| {
        for row in
            card.specials.iter_mut().filter(|row| row.group == Group::Nan && row.what == "0 / 0")
        {
            (row.ieee, row.gives) = (Some(false), "0".into());
        }
    });
    assert!(section(&quiet, "NaN").contains("unlike IEEE 754: 0 / 0 gives 0"));
    let lost = with(&|card| card.passages[0].nan = false);
    assert!(section(&lost, "ways of numbers").contains("upload and readback: loses NaN"));
    let missed = with(&|card| card.indexing[0].first_wrong = Some(8193));
    assert!(section(&missed, "places of texels").contains("wrong from texel 8193"));
    let differs = with(&|card| {
        let mut rows = card.rounding.iter_mut();
        rows.find(|row| row.engine == Engine::Vertex).unwrap().direction = Direction::Mixed;
    });
    assert!(section(&differs, "engines").contains("vertex shaders differ in a + b"));
    let one_wrong = with(&|card| card.integers[2].wrong = 3);
    assert!(section(&one_wrong, "arithmetic").contains("wrong: i * j (3 of"));
}

#[test]
fn it_stops_where_its_observer_says_so() {
    let context = Context::headless().unwrap();
    let seen = RefCell::new(Vec::new());
    let mut observer = |progress: &Progress| {
        seen.borrow_mut().push(progress.done);
        if progress.done < 3 { Control::Continue } else { Control::Stop }
    };
    let card = card::run(&context, 1, &mut observer).unwrap();
    assert!(card.stopped && !card.accuracy.is_empty() && card.lines.is_empty());
    assert_eq!(*seen.borrow(), [0, 1, 2, 3]);
    // What is there is told, and what is not is not guessed.
    let titles: Vec<_> = card.verdicts().iter().map(|section| section.title).collect();
    assert_eq!(titles.first(), Some(&"arithmetic"));
    assert!(!titles.contains(&"lines") && !titles.contains(&"NaN"), "{titles:?}");
}
