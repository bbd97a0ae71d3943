//! The studies of the papers vectors-2002 and jacobi: small, on a context that has
//! everything and on one that has little.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::common::{Flavour, is_thorough};
use quadrille::Context;
use quadrille::{Control, Progress};
use quadrille_lab::report::{Cell, Part, Plot, Verdict};
use quadrille_papers::{Lab, Scale, Study, studies};

/// The number of claims of Thompson, Hahn and Oskin (2002).
const OF_2002: usize = 37;

/// The claims of Göddeke 2005 have the numbers from 2 to this: the first, about a BLAS, is not
/// judged.
const JACOBI: usize = 13;

/// The claims of figure 5 and table 5, whose program of 480 opcodes takes as long to compile as
/// everything else: only where the test is to be thorough.
const OF_FIGURE_5: std::ops::RangeInclusive<usize> = 24..=29;

fn is_in_time(study: &Study) -> bool {
    is_thorough() || study.id != "vectors-figure-5"
}

fn ours() -> Vec<Study> {
    let all = studies().into_iter();
    all.filter(|study| ["vectors-", "jacobi-"].iter().any(|room| study.id.starts_with(room)))
        .filter(is_in_time)
        .collect()
}

/// Every study, with as good as no time, one after the other.
fn parts(context: &Context) -> Vec<(Study, Part)> {
    let run = |study: Study| {
        let mut nobody = ();
        let time = Duration::from_millis(1);
        let begun = std::time::Instant::now();
        let mut lab = Lab::new(context, Scale::Quick, 1, time, &mut nobody);
        let part = (study.run)(&mut lab).expect(study.id);
        eprintln!("{} {:.1?}", study.id, begun.elapsed());
        (study, part)
    };
    ours().into_iter().map(run).collect()
}

fn every_claim_once(parts: &[(Study, Part)]) {
    let findings = || parts.iter().flat_map(|(_, part)| &part.findings);
    let ids: BTreeSet<&str> = findings().map(|finding| finding.id.as_str()).collect();
    let wanted = |number: &usize| is_thorough() || !OF_FIGURE_5.contains(number);
    for number in (1..=OF_2002).filter(wanted) {
        assert!(ids.contains(format!("vectors-2002-{number}").as_str()), "{number}: {ids:?}");
    }
    for number in 2..=JACOBI {
        assert!(ids.contains(format!("jacobi-{number}").as_str()), "{number}: {ids:?}");
    }
    let expected = (1..=OF_2002).filter(wanted).count() + JACOBI - 1;
    let claims: BTreeSet<&str> = findings().map(|finding| finding.claim.as_str()).collect();
    assert_eq!((findings().count(), claims.len()), (expected, expected));
    for finding in findings() {
        assert!(!finding.measured.is_empty() && !finding.measured.contains("NaN"), "{finding:?}");
    }
}

fn well_formed(parts: &[(Study, Part)]) {
    let mut ids: Vec<&str> = parts.iter().map(|(study, _)| study.id).collect();
    for (_, part) in parts {
        for table in &part.tables {
            ids.push(&table.id);
            assert!(table.command.starts_with("quadrille "), "{}", table.id);
            assert!(!table.rows.is_empty(), "{}", table.id);
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{}", table.id);
            }
        }
        for figure in &part.figures {
            ids.push(&figure.id);
            match &figure.plot {
                Plot::Lines { lines, .. } => {
                    assert!(lines.iter().any(|line| !line.quoted), "{}", figure.id);
                    assert!(lines.iter().all(|line| !line.points.is_empty()), "{}", figure.id);
                }
                Plot::Bars { series, groups, .. } => {
                    assert!(!groups.is_empty(), "{}", figure.id);
                    for (_, bars) in groups {
                        assert_eq!(bars.len(), series.len(), "{}", figure.id);
                    }
                }
            }
        }
    }
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')));
    let of_figure_5: &[&str] = if is_thorough() { &["figure-5", "table-5"] } else { &[] };
    for id in ["table-4", "figure-4", "figure-6", "figure-7"].iter().chain(of_figure_5) {
        assert!(ids.contains(&format!("vectors-2002-{id}").as_str()), "{id}");
    }
}

/// Checks that the table or figure that shows a finding exists.
fn evidence_is_there(parts: &[(Study, Part)]) {
    let tables = || parts.iter().flat_map(|(_, part)| &part.tables);
    for finding in parts.iter().flat_map(|(_, part)| &part.findings) {
        let Some(id) = finding.evidence.as_ref().filter(|_| finding.estimate.is_some()) else {
            continue;
        };
        assert!(tables().any(|table| table.id == *id), "{}: no {id}", finding.id);
    }
}

fn eight_wishes(parts: &[(Study, Part)]) {
    let tables = || parts.iter().flat_map(|(_, part)| &part.tables);
    let table = tables().find(|table| table.id == "vectors-2002-wishes").unwrap();
    let words = [
        "faster memory interface",
        "DMA",
        "management of video memory",
        "precision",
        "Boolean",
        "state",
        "compiler",
        "finding a value",
    ];
    assert_eq!(table.rows.len(), words.len());
    for word in words {
        let has = |row: &&Vec<Cell>| matches!(&row[0], Cell::Text(wish) if wish.contains(word));
        assert_eq!(table.rows.iter().filter(has).count(), 1, "{word}");
    }
}

#[test]
fn every_claim_figure_and_wish_is_there_however_little_time() {
    let flavours: &[Flavour] =
        if is_thorough() { &[Flavour::Gl, Flavour::Gles30] } else { &[Flavour::Gl] };
    crate::common::on(flavours, |context| {
        let parts = parts(context);
        every_claim_once(&parts);
        well_formed(&parts);
        evidence_is_there(&parts);
        eight_wishes(&parts);
        // What the paper gets wrong does not depend on the device.
        let findings = || parts.iter().flat_map(|(_, part)| &part.findings);
        for words in ["ceil(n / 15)", "16 temporary", "8 times, has 59", "factorials of 0 to 9"] {
            let finding = findings().find(|finding| finding.claim.contains(words)).unwrap();
            assert_eq!(finding.verdict, Verdict::Contradicted, "{finding:?}");
        }
        // Sizes for which there was no time are told.
        let left_out = || parts.iter().flat_map(|(_, part)| &part.left_out);
        let blas = "\"yielding better performance when linked against the BLAS library\"";
        let of_figure_5 = is_thorough().then_some("figure 5 at");
        for what in ["table 4 at", "figure 6 at", "the results at", "the stages at", blas]
            .into_iter()
            .chain(of_figure_5)
        {
            assert!(left_out().any(|line| line.starts_with(what)), "{what}");
        }
    });
}

#[test]
fn a_user_who_stops_is_heard_by_every_study() {
    let context = Flavour::Gl.builder().build().unwrap();
    for study in ours() {
        let mut looks = 0;
        let mut stop = |_: &Progress| {
            looks += 1;
            Control::Stop
        };
        let mut lab = Lab::new(&context, Scale::Quick, 1, Duration::from_secs(60), &mut stop);
        (study.run)(&mut lab).expect(study.id);
        assert!(lab.stopped() || study.id == "vectors-programs", "{}", study.id);
    }
}

#[test]
fn ids_are_unique_and_times_are_within_the_reports() {
    let all = studies();
    let ids: BTreeSet<&str> = all.iter().map(|study| study.id).collect();
    assert_eq!(ids.len(), all.len());
    let sum = |scale| all.iter().map(|study| study.time(scale).as_secs()).sum::<u64>();
    assert!(sum(Scale::Quick) <= 170, "{}", sum(Scale::Quick));
    assert!(sum(Scale::Whole) <= 1700, "{}", sum(Scale::Whole));
}
