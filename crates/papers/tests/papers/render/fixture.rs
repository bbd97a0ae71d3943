//! A report with everything that can be in one, and with text that must be escaped.

use quadrille_lab::Error;
use quadrille_lab::report::{
    Basis, Cell, Document, Estimate, Figure, Finding, Kind, Line, Part, Plot, Stability, Table,
    Verdict,
};
use quadrille_lab::survey::Host;
use quadrille_papers::{Entry, Failure, Lab, Machine, Outcome, Record, Renderer, Scale, Study};

/// A text that must be escaped wherever it appears.
pub(super) const HOSTILE: &str = "<script>alert(\"1\")</script> & 'é' </td></svg>";

pub(super) fn nothing(_: &mut Lab<'_>) -> Result<Part, Error> {
    Ok(Part::default())
}

pub(super) fn study(id: &'static str, document: Option<Document>) -> Study {
    Study { id, document, title: HOSTILE, seconds: [1, 1], run: nothing }
}

pub(super) fn machine() -> Machine {
    Machine {
        host: Host {
            quadrille: "0.1.0",
            system: "Linux".into(),
            kernel: "6.1".into(),
            architecture: "x86_64".into(),
            cpu: HOSTILE.into(),
            threads: 2,
        },
        build: "0123456789abcdef".into(),
        release: false,
        features: vec![],
        command: "quadrille reproduce --fresh --output 'a b'".into(),
        began: "2026-11-21 12:03".into(),
        ended: "2026-11-21 12:05".into(),
        scale: Scale::Quick,
        seed: 1,
        cores: Some(2),
        memory_gib: 7.8,
        load_before: [0.1, 0.2, 0.3],
        load_after: [1.9, 0.8, 0.4],
        renderer: Renderer {
            device: "Mesa".into(),
            name: HOSTILE.into(),
            vendor: "Mesa".into(),
            driver: "4.5".into(),
            api: "OpenGL 4.5".into(),
            software: true,
            max_texture_size: 16_384,
            max_targets: 8,
            max_inputs: 32,
            max_vertex_uniforms: 4096,
            max_fragment_uniforms: 4096,
            compute: None,
            has: vec!["float targets"],
            lacks: vec!["timers"],
        },
    }
}

pub(super) fn table(id: &str) -> Table {
    Table {
        id: id.into(),
        title: HOSTILE.into(),
        columns: ["size", HOSTILE, "time [ms]"].map(String::from).into(),
        rows: vec![
            vec![4096_usize.into(), HOSTILE.into(), 1.234_567.into()],
            vec![1_048_576_usize.into(), "a \"b\", c".into(), f64::NAN.into()],
            vec![1_usize.into(), Cell::Empty, f64::INFINITY.into()],
        ],
        notes: vec![HOSTILE.into()],
        command: HOSTILE.into(),
    }
}

pub(super) fn bars() -> Figure {
    let groups =
        vec![(HOSTILE.to_owned(), vec![Some(1.5), None]), ("b".into(), vec![Some(f64::NAN)])];
    let series = vec!["here".to_owned(), HOSTILE.into()];
    let plot = Plot::Bars { unit: HOSTILE.into(), series, groups };
    Figure { id: "bars".into(), title: HOSTILE.into(), plot, notes: vec![] }
}

pub(super) fn lines() -> Figure {
    let line = |name: &str, quoted| Line {
        name: name.into(),
        points: vec![[1.0, 0.5], [10.0, f64::INFINITY], [100.0, 20.0]],
        quoted,
    };
    let lines = vec![line(HOSTILE, false), line("document", true)];
    let plot = Plot::Lines { axes: [HOSTILE.into(), "ms".into()], logarithmic: true, lines };
    Figure { id: "lines".into(), title: HOSTILE.into(), plot, notes: vec![HOSTILE.into()] }
}

/// Findings with these names, which are unique in a report.
pub(super) fn part(name: &str) -> Part {
    let finding = |number: usize, verdict| Finding {
        id: format!("{name}-{number}"),
        document: Document::Jacobi,
        kind: Kind::Measurement,
        place: HOSTILE.into(),
        quotation: HOSTILE.into(),
        claim: HOSTILE.into(),
        measured: "2.1 times".into(),
        estimate: Some(Estimate { value: 2.1, scatter: 0.5, basis: Basis::default() }),
        verdict,
        stability: Some(Stability::NearTheLimit),
        evidence: Some("same".into()),
        on_cpu: Some(HOSTILE.into()),
        answer: None,
        is_open: false,
    };
    let design = Finding {
        kind: Kind::DesignStatement,
        estimate: None,
        stability: None,
        ..finding(4, Verdict::Confirmed)
    };
    Part {
        tables: vec![table("same"), table("same")],
        figures: vec![bars(), lines()],
        findings: (1..)
            .zip(Verdict::ALL)
            .map(|(number, verdict)| finding(number, verdict))
            .chain([design])
            .collect(),
        left_out: vec![HOSTILE.into()],
        ..Part::default()
    }
}

pub(super) fn record(part: Part, failure: Option<Failure>) -> Option<Record> {
    let key = machine().key();
    Some(Record { key, date: "2026-11-20 09:00".into(), seconds: 3.5, part, failure })
}

pub(super) fn failure(wrong: bool) -> Option<Failure> {
    Some(Failure { kind: "out of memory".into(), reason: HOSTILE.into(), wrong })
}

pub(super) fn entry(id: &'static str, document: Option<Document>, record: Option<Record>) -> Entry {
    Entry { study: study(id, document), kept: record.is_some(), record }
}

pub(super) fn outcome() -> Outcome {
    let entries = vec![
        entry("full", Some(Document::Jacobi), record(part("full").finite(), None)),
        entry("again", Some(Document::Matmul2004), record(part("again").finite(), None)),
        entry("device", None, record(part("device").finite(), None)),
        entry("failed", Some(Document::CudaMatmul), record(Part::default(), failure(false))),
        entry("not-run", Some(Document::CudaMatmul), None),
    ];
    Outcome::new(machine(), entries, true)
}
