//! A report in a few sentences.

use std::time::Duration;

use crate::Outcome;
use quadrille_lab::report::{Kind, Verdict};

/// The counts of verdicts, in a few sentences: measurements first, then what no measurement
/// decides.
pub fn sentence(outcome: &Outcome) -> String {
    let counts = |kind| Verdict::ALL.map(|verdict| outcome.count_of(kind, verdict));
    let sentences = [
        measured(counts(Kind::Measurement)),
        asked(counts(Kind::Question)),
        checked(Kind::Erratum, counts(Kind::Erratum)),
        checked(Kind::DesignStatement, counts(Kind::DesignStatement)),
    ];
    let sentences: Vec<String> = sentences.into_iter().flatten().collect();
    match sentences.is_empty() {
        true => "No finding of the papers was judged.".into(),
        false => sentences.join(" "),
    }
}

fn measured([confirmed, contradicted, open]: [usize; 3]) -> Option<String> {
    let measured = match open {
        0 => "all could be measured".into(),
        open => format!("{open} cannot be measured"),
    };
    let all = confirmed + contradicted + open;
    (all > 0).then(|| {
        format!(
            "Of {all} measured claims of the papers, {confirmed} {} confirmed here and \
             {contradicted} {} contradicted; {measured}.",
            is(confirmed),
            is(contradicted)
        )
    })
}

fn asked([yes, no, open]: [usize; 3]) -> Option<String> {
    let (answered, all) = (yes + no, yes + no + open);
    let questions = if all == 1 { "question" } else { "questions" };
    (all > 0).then(|| format!("Of {all} {questions}, {answered} {} answered.", is(answered)))
}

fn checked(kind: Kind, [right, wrong, not_checked]: [usize; 3]) -> Option<String> {
    let all = right + wrong + not_checked;
    let (what, yes, no) = match kind {
        Kind::Erratum => ("statements that need no measurement", "right", "wrong"),
        _ => ("descriptions of a design", "shown to work", "not"),
    };
    let rest = match not_checked {
        0 => String::new(),
        some => format!("; {some} could not be checked"),
    };
    (all > 0)
        .then(|| format!("Of {all} {what}, {right} {} {yes} and {wrong} {no}{rest}.", is(right)))
}

fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

pub fn setting(outcome: &Outcome) -> String {
    let machine = &outcome.machine;
    let renderer = &machine.renderer;
    let kind = if renderer.software { ", a software renderer" } else { "" };
    let threads = match machine.host.threads {
        1 => "one thread".into(),
        threads => format!("{threads} threads"),
    };
    format!(
        "Measured on {}{kind}, in {}, with {threads} of {}, on {} UTC, at the {} scale with seed {}.",
        renderer.name,
        renderer.api,
        machine.host.cpu,
        machine.began,
        machine.scale.name(),
        machine.seed
    )
}

/// Sentences about parts that are missing or from an earlier run.
pub fn reservations(outcome: &Outcome) -> Vec<String> {
    let (all, run) = (outcome.entries.len(), outcome.run());
    let mut words = Vec::new();
    if run < all {
        words.push(format!(
            "This report is not finished: {run} of {all} studies have been run. The command goes on \
             where it ended."
        ));
    }
    if let Some((count, first, last)) = outcome.kept() {
        let when = if first == last { first.into() } else { format!("{first} to {last}") };
        words.push(format!("{count} of {all} parts are from {when} UTC, of an earlier run."));
    }
    words
}

/// How much of the processors other programs had, where that disturbed times, and what to do;
/// `None` where nothing did.
pub fn disturbance(outcome: &Outcome) -> Option<String> {
    let parts = outcome.parts().map(|(_, part)| part).filter(|part| part.is_disturbed());
    let mut shares: Vec<f64> = parts.map(|part| 100.0 * part.others).collect();
    shares.sort_by(f64::total_cmp);
    let [least, most] = [shares.first()?, shares.last()?].map(|share| format!("{share:.0}"));
    let range = if least == most { least } else { format!("{least} to {most}") };
    let (disturbed, all) = (shares.len(), outcome.parts().count());
    Some(format!(
        "They had {range} % of the processors in {disturbed} of {all} studies: claims that times decide are open there \
         unless the number is far from its limit. Run the command again with --fresh when nothing else runs."
    ))
}

pub fn span(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 0.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}
