//! The studies of matmul-2004 and cuda-matmul, in very little time: complete, well formed, and honest about what a
//! context lacks.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::common::{Flavour, on};
use quadrille::Context;
use quadrille::observer::{Control, Progress};
use quadrille_lab::matmul::Contender;
use quadrille_lab::report::{Cell, Document, Finding, Part, Plot, Verdict};
use quadrille_lab::reproduce::{Lab, Scale, Study, studies};

/// What the tutorial claims, by words of which no other claim has the same.
const CLAIMS: [&str; 13] = [
    "faster than the serial one",
    "Shared memory has the best runtime",
    "New hardware",
    "Short and float take the same",
    "host takes longer for float",
    "size of the block may matter",
    "fixed size of 16 x 16",
    "four cases",
    "512 elements",
    "tile must divide C",
    "tile that divides C will do",
    "width and height of a tile",
    "30 x 30",
];

/// How many claims the slides make, each with its number.
const SLIDES: usize = 22;

fn of_the_slides(part: &Part) -> impl Iterator<Item = &Finding> {
    part.findings.iter().filter(|found| found.document == Document::Matmul2004)
}

/// Their tables and figures.
const TABLES: [&str; 13] = [
    "matmul-2004-peaks",
    "matmul-2004-data-paths",
    "matmul-2004-methods",
    "matmul-2004-intensity",
    "matmul-2004-blocks",
    "matmul-2004-geometry",
    "matmul-2004-unrolling",
    "matmul-2004-mapping",
    "matmul-2004-gpubench",
    "cuda-matmul-times",
    "cuda-matmul-tiles",
    "cuda-matmul-copies",
    "cuda-matmul-limits",
];
const FIGURES: [&str; 10] = [
    "matmul-2004-peak-arithmetic",
    "matmul-2004-observed-bandwidth",
    "matmul-2004-fetch-costs",
    "matmul-2004-gflops",
    "matmul-2004-fetched",
    "matmul-2004-efficiency",
    "matmul-2004-blocks-by-dimension",
    "matmul-2004-unrolling-lines",
    "cuda-matmul-speedup",
    "cuda-matmul-tile-sizes",
];

fn ours() -> Vec<Study> {
    let ours = [Some(Document::Matmul2004), Some(Document::CudaMatmul)];
    studies().into_iter().filter(|study| ours.contains(&study.document)).collect()
}

/// All studies, each in so much time.
fn run(context: &Context, time: impl Fn(&Study) -> Duration) -> Part {
    let mut whole = Part::default();
    for study in ours() {
        let begun = Instant::now();
        let mut watch = ();
        let mut lab = Lab::new(context, Scale::Quick, 7, time(&study), &mut watch);
        let part = (study.run)(&mut lab).unwrap();
        eprintln!("{}: {:.1} s", study.id, begun.elapsed().as_secs_f64());
        whole.tables.extend(part.tables);
        whole.figures.extend(part.figures);
        whole.findings.extend(part.findings);
        whole.left_out.extend(part.left_out);
    }
    for finding in &whole.findings {
        eprintln!("{}\n    {}: {}", finding.claim, finding.word(), finding.measured);
        if let Some(id) = &finding.evidence {
            let is_table = whole.tables.iter().any(|table| table.id == *id);
            let is_there = is_table || whole.figures.iter().any(|figure| figure.id == *id);
            assert!(is_there || finding.estimate.is_none(), "{}: no {id}", finding.id);
        }
    }
    whole
}

fn finding<'a>(part: &'a Part, claim: &str) -> &'a Finding {
    let found: Vec<&Finding> =
        part.findings.iter().filter(|finding| finding.claim.contains(claim)).collect();
    assert_eq!(found.len(), 1, "{claim}");
    found[0]
}

/// What holds on every device, however slow.
fn must_be_well_formed(part: &Part) {
    let mut ids = HashSet::new();
    for table in &part.tables {
        assert!(ids.insert(&table.id), "{}", table.id);
        for row in &table.rows {
            assert_eq!(row.len(), table.columns.len(), "{}: {row:?}", table.id);
        }
        must_be_a_command(&table.command);
    }
    for figure in &part.figures {
        assert!(ids.insert(&figure.id), "{}", figure.id);
        let is_empty = match &figure.plot {
            Plot::Bars { series, groups, .. } => {
                assert!(groups.iter().all(|(_, bars)| bars.len() == series.len()), "{}", figure.id);
                groups.is_empty()
            }
            Plot::Lines { lines, .. } => lines.iter().all(|line| line.points.is_empty()),
        };
        assert!(!is_empty, "{}", figure.id);
    }
    for claim in CLAIMS {
        assert!(!finding(part, claim).measured.is_empty(), "{claim}");
    }
    let slides: HashSet<&str> = of_the_slides(part).map(|found| found.id.as_str()).collect();
    let expected: Vec<String> =
        (1..=SLIDES).map(|number| format!("matmul-2004-{number}")).collect();
    assert!(expected.iter().all(|id| slides.contains(id.as_str())), "{slides:?}");
    assert_eq!(part.findings.len(), CLAIMS.len() + SLIDES);
}

/// Its methods are ones that the command takes.
fn must_be_a_command(text: &str) {
    assert!(text.starts_with("quadrille "), "{text}");
    let Some((_, methods)) = text.split_once("--methods ") else { return };
    let methods = methods.trim_matches('"').split(',');
    methods.for_each(|method| {
        method.parse::<Contender>().expect(text);
    });
}

fn tables(part: &Part) -> HashSet<&str> {
    part.tables.iter().map(|table| table.id.as_str()).collect()
}

#[test]
fn every_row_of_the_papers_comes_out() {
    on(&[Flavour::Gl], |context| {
        let heavy = ["matmul-2004-peaks", "matmul-2004-methods"];
        let part = run(context, |study| match heavy.contains(&study.id) {
            true => Duration::from_secs(8),
            false => Duration::from_millis(300),
        });
        must_be_well_formed(&part);
        // A machine that is busy may be too slow for the peaks alone.
        let tables = tables(&part);
        let slow = part.left_out.iter().any(|line| line.contains("too slow"));
        let missing: Vec<_> = TABLES.iter().filter(|id| !tables.contains(**id)).collect();
        assert!(missing.is_empty() || slow, "{missing:?}");
        let figures: HashSet<&str> = part.figures.iter().map(|figure| figure.id.as_str()).collect();
        let missing: Vec<_> = FIGURES.iter().filter(|id| !figures.contains(**id)).collect();
        assert!(missing.is_empty() || slow, "{missing:?}");
        for claim in ["width and height of a tile", "tile that divides C will do"] {
            let found = finding(&part, claim);
            assert_eq!(found.verdict, Verdict::Contradicted, "{}", found.measured);
        }
        for claim in ["four cases", "tile must divide C"] {
            let found = finding(&part, claim);
            assert_eq!(found.verdict, Verdict::Confirmed, "{}", found.measured);
        }
        assert!(finding(&part, "faster than the serial one").verdict != Verdict::NotMeasurable);
    });
}

#[test]
fn a_context_without_compute_shaders_says_so_in_its_rows() {
    on(&[Flavour::Gles30], |context| {
        let part = run(context, |_| Duration::from_millis(100));
        must_be_well_formed(&part);
        for claim in CLAIMS.iter().filter(|claim| **claim != "four cases") {
            let found = finding(&part, claim);
            if claim.contains("host takes longer") {
                assert_ne!(found.verdict, Verdict::NotMeasurable);
                continue;
            }
            assert_eq!(found.verdict, Verdict::NotMeasurable, "{claim}");
            assert!(found.measured.contains("compute shaders"), "{}", found.measured);
        }
        let peak = of_the_slides(&part).find(|found| found.id == "matmul-2004-18");
        assert_eq!(peak.unwrap().verdict, Verdict::NotMeasurable);
        let left_out = part.left_out.join("\n");
        assert!(
            left_out.contains("block8x8 at n = 64: ") && left_out.contains("compute-tiled"),
            "{left_out}"
        );
        // What is drawn stands beside the host's loop.
        let times = part.tables.iter().find(|table| table.id == "cuda-matmul-times").unwrap();
        let drawn = Cell::from("element");
        assert_eq!(times.rows.iter().filter(|row| row[2] == drawn).count(), 3);
    });
}

#[test]
fn who_stops_is_not_kept_waiting() {
    on(&[Flavour::Gl], |context| {
        for study in ours() {
            let mut told = 0;
            let mut stop = |_: &Progress| {
                told += 1;
                Control::Stop
            };
            let time = Duration::from_secs(600);
            let mut lab = Lab::new(context, Scale::Whole, 7, time, &mut stop);
            let begun = Instant::now();
            (study.run)(&mut lab).unwrap();
            let copies = study.id == "cuda-matmul-class";
            assert!(lab.stopped() || copies, "{}", study.id);
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", study.id);
        }
    });
}

/// On an idle machine, once the driver has the shaders in its cache or not.
#[test]
#[ignore = "takes the studies' whole quick time"]
fn each_study_keeps_its_quick_time() {
    on(&[Flavour::Gl], |context| {
        for study in ours() {
            let mut watch = ();
            let time = study.time(Scale::Quick);
            let mut lab = Lab::new(context, Scale::Quick, 7, time, &mut watch);
            let begun = Instant::now();
            let part = (study.run)(&mut lab).unwrap();
            let spent = begun.elapsed();
            eprintln!("{}: {:.1} s of {:.1}", study.id, spent.as_secs_f64(), time.as_secs_f64());
            eprintln!("{:?}", part.left_out);
            assert!(spent < 2 * time, "{}", study.id);
        }
    });
}
