//! The eight wishes of Thompson, Hahn and Oskin (2002), section 6: what answers each today, and what that
//! buys on this device.

mod booleans;
mod compiler;
mod memory;
mod precision;
mod state;
mod transfers;

use super::super::report::{Cell, Document, Part, Table, Wish};
use super::super::{Error, Summary};
use super::{Lab, Study};
use quadrille::error::{Classified, Kind};

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
    grant(lab, &mut part, &transfers::UPLOAD)?;
    grant(lab, &mut part, &transfers::BACK)?;
    grant(lab, &mut part, &memory::MANAGED)?;
    part.findings.push(transfers::overlap(lab)?);
    with_table(part, "memory")
}

fn of_arithmetic(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    grant(lab, &mut part, &precision::PRECISION)?;
    part.findings = precision::findings(lab)?;
    grant(lab, &mut part, &booleans::BOOLEANS)?;
    grant(lab, &mut part, &compiler::COMPILER)?;
    with_table(part, "arithmetic")
}

fn of_state(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let mut part = Part::default();
    grant(lab, &mut part, &state::STATE)?;
    grant(lab, &mut part, &state::FIND)?;
    with_table(part, "state")
}

/// Every shader of this room.
pub(super) fn sources() -> Result<Vec<quadrille::shader::Source>, quadrille::stream::Error> {
    booleans::sources()
}

/// A wish, and how what it buys is measured.
struct Wanted {
    /// What was missing.
    wish: &'static str,
    /// What answers it today.
    answer: &'static str,
    /// Measures; nothing where the user stopped it.
    measure: fn(&mut Lab<'_>) -> Result<Option<Bought>, Error>,
}

/// What was measured of a wish.
struct Bought {
    /// In a sentence.
    buys: String,
    /// Ways of doing the same, and their times.
    ways: Vec<(String, Summary)>,
}

impl Bought {
    fn new(buys: String, names: &[&str], times: &[Summary]) -> Bought {
        let names = names.iter().map(|name| (*name).to_owned());
        Bought { buys, ways: names.zip(times.iter().copied()).collect() }
    }
}

/// The part's table, in which every wish puts its rows.
fn grant(lab: &mut Lab<'_>, part: &mut Part, wanted: &Wanted) -> Result<(), Error> {
    if lab.stopped() {
        return Ok(());
    }
    let buys = match (wanted.measure)(lab) {
        Ok(None) => return Ok(()),
        Ok(Some(bought)) => {
            let rows = bought.ways.iter().map(|(way, time)| row(wanted.wish, way, *time));
            table_of(part).rows.extend(rows);
            bought.buys
        }
        Err(error) if cannot(&error) => {
            part.left_out.push(format!("the wish for {}: {error}", wanted.wish));
            format!("not measured on this device: {error}")
        }
        Err(error) => return Err(error),
    };
    part.wishes.push(Wish { wish: wanted.wish.into(), answer: wanted.answer.into(), buys });
    Ok(())
}

/// Whether the device merely lacks something.
fn cannot(error: &Error) -> bool {
    matches!(error.kind(), Kind::Limit | Kind::Unsupported | Kind::OutOfMemory)
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
            title: "What the wishes buy: the same work, by turns".into(),
            columns: ["wish", "way", "time [ms]", "spread [%]", "runs"].map(String::from).to_vec(),
            rows: Vec::new(),
            notes: vec![
                "Every way's result was compared with the others' or with the host's.".into(),
            ],
            command: super::vectors_2002::ALL.into(),
        });
    }
    // There is one now.
    let last = part.tables.len() - 1;
    &mut part.tables[last]
}

fn with_table(mut part: Part, name: &str) -> Result<Part, Error> {
    for table in &mut part.tables {
        table.id = format!("vectors-2002-wishes-{name}");
    }
    Ok(part)
}
