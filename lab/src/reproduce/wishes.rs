//! The eight wishes of Thompson, Hahn and Oskin (2002), section 6: what answers each today, and what that
//! buys on this device.

mod booleans;
mod compiler;
mod memory;
mod precision;
mod state;
mod transfers;

use super::super::report::{Cell, Document, FeatureRequest, Part, Table};
use super::super::{Error, Summary};
use super::words::alone;
use super::{Lab, Study};

const DOCUMENT: Document = Document::Vectors2002;

/// Three wishes, three, and two.
pub(super) const STUDIES: [Study; 3] = [
    Study {
        id: "wishes-memory",
        document: Some(DOCUMENT),
        title: "Wishes: a faster memory interface, transfers back, managed memory",
        seconds: [3, 60],
        run: of_memory,
    },
    Study {
        id: "wishes-arithmetic",
        document: Some(DOCUMENT),
        title: "Wishes: precision, logical operations, a compiler",
        seconds: [3, 60],
        run: of_arithmetic,
    },
    Study {
        id: "wishes-state",
        document: Some(DOCUMENT),
        title: "Wishes: state across invocations, finding a value and its index",
        seconds: [3, 60],
        run: of_state,
    },
];

fn of_memory(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    measure_request(lab, &mut part, &transfers::UPLOAD)?;
    measure_request(lab, &mut part, &transfers::BACK)?;
    measure_request(lab, &mut part, &memory::MANAGED)?;
    part.findings.push(transfers::overlap(lab)?);
    with_table(part, "memory")
}

fn of_arithmetic(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    measure_request(lab, &mut part, &precision::PRECISION)?;
    part.findings = precision::findings(lab)?;
    measure_request(lab, &mut part, &booleans::BOOLEANS)?;
    measure_request(lab, &mut part, &compiler::COMPILER)?;
    with_table(part, "arithmetic")
}

fn of_state(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    measure_request(lab, &mut part, &state::STATE)?;
    measure_request(lab, &mut part, &state::FIND)?;
    with_table(part, "state")
}

/// Every shader of this module.
pub(super) fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::stream::Error> {
    booleans::sources()
}

/// A wish of the paper, and how its effect is measured.
struct Request {
    /// The missing feature.
    wish: &'static str,
    /// Its replacement today.
    answer: &'static str,
    /// Measures; none if the user stopped it.
    measure: fn(&mut Lab<'_>) -> Result<Option<Measurement>, Error>,
}

/// The measured effect of a wish.
struct Measurement {
    /// In a sentence.
    summary: String,
    /// The alternatives, and their times.
    timings: Vec<(String, Summary)>,
}

impl Measurement {
    fn new(summary: String, names: &[&str], times: &[Summary]) -> Measurement {
        let names = names.iter().map(|name| (*name).to_owned());
        Measurement { summary, timings: names.zip(times.iter().copied()).collect() }
    }
}

/// Measures, and adds rows to the table of the part.
fn measure_request(lab: &mut Lab<'_>, part: &mut Part, request: &Request) -> Result<(), Error> {
    if lab.stopped() {
        return Ok(());
    }
    let buys = match (request.measure)(lab) {
        Ok(None) => return Ok(()),
        Ok(Some(measurement)) => {
            let rows = measurement.timings.iter().map(|(way, time)| row(request.wish, way, *time));
            table_of(part).rows.extend(rows);
            measurement.summary
        }
        Err(error) if cannot(&error) => {
            part.left_out.push(format!("the wish for {}: {error}", request.wish));
            format!("not measured on this device: {error}")
        }
        Err(error) => return Err(error),
    };
    part.wishes.push(FeatureRequest {
        wish: request.wish.into(),
        answer: request.answer.into(),
        buys,
    });
    Ok(())
}

/// Whether the device merely lacks something.
fn cannot(error: &Error) -> bool {
    error.kind().is_device_limit()
}

fn row(wish: &str, way: &str, time: Summary) -> Vec<Cell> {
    vec![
        wish.into(),
        way.into(),
        time.median_ms.into(),
        (100.0 * time.relative_spread()).into(),
        time.runs.into(),
    ]
}

fn table_of(part: &mut Part) -> &mut Table {
    if part.tables.is_empty() {
        part.tables.push(Table {
            id: String::new(),
            title: "The effect of the wishes: alternatives of the same work, measured in turn"
                .into(),
            columns: ["wish", "way", "time [ms]", "spread [%]", "runs"].map(String::from).to_vec(),
            rows: Vec::new(),
            notes: vec![
                "The results of the alternatives were compared with each other or with the host's."
                    .into(),
            ],
            command: String::new(),
        });
    }
    // There is one now.
    let last = part.tables.len() - 1;
    &mut part.tables[last]
}

fn with_table(mut part: Part, name: &str) -> Result<Part, Error> {
    for table in &mut part.tables {
        table.id = format!("vectors-2002-wishes-{name}");
        table.command = alone(&format!("wishes-{name}"));
    }
    Ok(part)
}
