//! The studies of matmul-2004 and cuda-matmul, in very little time: complete, well formed, and
//! honest about what a context lacks.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::common::{Flavour, is_thorough, on};
use quadrille::Context;
use quadrille::{Control, Progress};
use quadrille_lab::matmul::Contender;
use quadrille_lab::report::{Cell, Document, Finding, Part, Plot, Verdict};
use quadrille_papers::{Lab, Scale, Study, studies};

/// How many claims the tutorial makes, each with its number.
const TUTORIAL: usize = 17;
/// The claims that the program's text decides, and those that no kernel is needed for.
const OF_ITS_TEXT: [usize; 8] = [3, 4, 5, 6, 12, 13, 14, 15];
const OF_THE_HOST: usize = 10;
/// The claim that fragments decide as well as kernels.
const OF_BRANCHES: usize = 16;

/// How many claims the slides make, each with its number.
const SLIDES: usize = 23;

fn of_the_slides(part: &Part) -> impl Iterator<Item = &Finding> {
    part.findings.iter().filter(|found| found.document == Document::Matmul2004)
}

/// The names of the tables and figures.
const TABLES: [&str; 16] = [
    "matmul-2004-peaks",
    "matmul-2004-data-paths",
    "matmul-2004-methods",
    "matmul-2004-intensity",
    "matmul-2004-blocks",
    "matmul-2004-geometry",
    "matmul-2004-unrolling",
    "matmul-2004-mapping",
    "matmul-2004-gpubench",
    "matmul-2004-transfers",
    "cuda-matmul-times",
    "cuda-matmul-tiles",
    "cuda-matmul-copies",
    "cuda-matmul-limits",
    "cuda-matmul-divergence",
    "cuda-matmul-memory",
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

fn of_the_tutorial(part: &Part, number: usize) -> &Finding {
    let id = format!("cuda-matmul-{number}");
    let found: Vec<&Finding> = part.findings.iter().filter(|finding| finding.id == id).collect();
    assert_eq!(found.len(), 1, "{id}");
    found[0]
}

/// Checks what holds on every device, however slow.
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
    for number in 1..=TUTORIAL {
        assert!(!of_the_tutorial(part, number).measured.is_empty(), "{number}");
    }
    let slides: HashSet<&str> = of_the_slides(part).map(|found| found.id.as_str()).collect();
    let expected: Vec<String> =
        (1..=SLIDES).map(|number| format!("matmul-2004-{number}")).collect();
    assert!(expected.iter().all(|id| slides.contains(id.as_str())), "{slides:?}");
    assert_eq!(part.findings.len(), TUTORIAL + SLIDES);
}

/// Checks that the methods are ones that the command takes.
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
        let heavy = ["matmul-2004-peaks", "matmul-2004-methods", "cuda-matmul-architecture"];
        let part = run(context, |study| match heavy.contains(&study.id) {
            true => Duration::from_secs(if is_thorough() { 8 } else { 4 }),
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
        for number in OF_ITS_TEXT {
            let found = of_the_tutorial(&part, number);
            assert_eq!(found.verdict, Verdict::Contradicted, "{}", found.measured);
        }
        assert_eq!(of_the_tutorial(&part, 1).verdict, Verdict::Confirmed);
        // A speedup over the printed loop, whatever it is, or a note of the size.
        let speedup = of_the_tutorial(&part, 7);
        assert!(speedup.estimate.is_some() || speedup.measured.contains("n = "));
    });
}

#[test]
fn a_context_without_compute_shaders_says_so_in_its_rows() {
    on(&[Flavour::Gles30], |context| {
        let part = run(context, |_| Duration::from_millis(100));
        must_be_well_formed(&part);
        let without = [&OF_ITS_TEXT[..], &[OF_THE_HOST, OF_BRANCHES]].concat();
        let of_kernels = (1..=TUTORIAL).filter(|number| !without.contains(number));
        for number in of_kernels {
            let found = of_the_tutorial(&part, number);
            assert_eq!(found.verdict, Verdict::NotMeasurable, "{}", found.claim);
            assert!(found.measured.contains("compute shaders"), "{}", found.measured);
        }
        assert!(of_the_tutorial(&part, OF_THE_HOST).estimate.is_some());
        let peak = of_the_slides(&part).find(|found| found.id == "matmul-2004-18");
        assert_eq!(peak.unwrap().verdict, Verdict::NotMeasurable);
        let left_out = part.left_out.join("\n");
        assert!(
            left_out.contains("block8x8 at 64: ") && left_out.contains("compute-tiled"),
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

/// Runs on an idle machine, once the driver has the shaders in its cache or not.
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
