//! The eight wishes of Thompson, Hahn and Oskin (2002), section 6: what answers each today, and what that
//! buys on this device.

mod booleans;
mod compiler;
mod memory;
mod precision;
mod state;
mod transfers;

use super::prelude::*;
use crate::report::FeatureRequest;
use crate::reproduce::list_studies;

const DOCUMENT: Document = Document::Vectors2002;

list_studies! {
    /// Three wishes, three, and two.
    STUDIES of Some(DOCUMENT);

    "wishes-memory", [3, 60], of_memory,
        "Wishes: a faster memory interface, transfers back, managed memory";
    "wishes-arithmetic", [3, 60], of_arithmetic,
        "Wishes: precision, logical operations, a compiler";
    "wishes-state", [3, 60], of_state,
        "Wishes: state across invocations, finding a value and its index";
}

fn of_memory(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let requests = [&transfers::UPLOAD, &transfers::BACK, &memory::MANAGED];
    let mut part = measured(lab, "memory", &requests)?;
    part.findings.push(transfers::overlap(lab)?);
    Ok(part)
}

fn of_arithmetic(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let findings = precision::findings(lab)?;
    let requests = [&precision::PRECISION, &booleans::BOOLEANS, &compiler::COMPILER];
    Ok(Part { findings, ..measured(lab, "arithmetic", &requests)? })
}

fn of_state(lab: &mut Lab<'_>) -> Result<Part, Error> {
    measured(lab, "state", &[&state::STATE, &state::FIND])
}

pub(in crate::reproduce) fn sources()
-> Result<Vec<quadrille::shader::Source>, quadrille::stream::Error> {
    booleans::sources()
}

struct Request {
    wish: &'static str,
    answer: &'static str,
    /// Measures; `None` if the user stopped it.
    measure: fn(&mut Lab<'_>) -> Result<Option<Measurement>, Error>,
}

struct Measurement {
    summary: String,
    timings: Vec<(String, Summary)>,
}

impl Measurement {
    fn new(summary: String, names: &[&str], times: &[Summary]) -> Measurement {
        let names = names.iter().map(|name| (*name).to_owned());
        Measurement { summary, timings: names.zip(times.iter().copied()).collect() }
    }
}

/// A line of the table: the request, the alternative, and its time.
type Line = (&'static str, String, Summary);

/// Measures requests, one after the other until the user stops it.
fn measured(lab: &mut Lab<'_>, name: &str, requests: &[&Request]) -> Result<Part, Error> {
    let (mut part, mut rows) = (Part::default(), Vec::new());
    for request in requests {
        if lab.stopped() {
            break;
        }
        let wish = request.wish;
        let buys = match (request.measure)(lab) {
            Ok(None) => continue,
            Ok(Some(measurement)) => {
                let timings = measurement.timings.into_iter();
                rows.extend(timings.map(|(way, time)| (wish, way, time)));
                measurement.summary
            }
            Err(error) if error.kind().is_device_limit() => {
                part.left_out.push(format!("the wish for {wish}: {error}"));
                format!("not measured on this device: {error}")
            }
            Err(error) => return Err(error),
        };
        let (wish, answer) = (wish.into(), request.answer.into());
        part.wishes.push(FeatureRequest { wish, answer, buys });
    }
    let columns = vec![
        only_text("wish", "", |(wish, ..): &Line| (*wish).into()),
        only_text("way", "", |(_, way, _)| way.as_str().into()),
        only_text("time", "ms", |(.., time)| time.median_ms.into()),
        only_text("spread", "%", |(.., time)| time.spread_percent().into()),
        only_text("runs", "", |(.., time)| time.runs.into()),
    ];
    let title = "The effect of the wishes: alternatives of the same work, measured in turn";
    let notes =
        ["The results of the alternatives were compared with each other or with the host's."];
    let (id, command) = (format!("vectors-2002-wishes-{name}"), alone(&format!("wishes-{name}")));
    if !rows.is_empty() {
        part.tables.push(Rows { columns, rows: &rows }.table(&id, title, notes, command));
    }
    Ok(part)
}
