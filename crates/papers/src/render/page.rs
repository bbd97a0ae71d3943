//! `report.html`: the report as one page that needs nothing else.

mod claims;
mod conclusion;
mod drawings;
mod machine;
mod parts;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use quadrille_run::internal::PAGE_STYLE;

use super::summary;
use crate::{Entry, Outcome};
use quadrille_lab::report::Document;

/// The whole page. Every text of a study is escaped.
pub fn page(outcome: &Outcome) -> String {
    let title = format!("quadrille on {}", outcome.machine.renderer.name);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(PAGE_STYLE)) }
            }
            body {
                header { (head(outcome)) }
                main { (content(outcome)) }
                footer {
                    p { "Made by quadrille " (outcome.machine.host.quadrille) " with " code { (outcome.machine.command) } }
                }
            }
        }
    };
    page.into_string()
}

fn head(outcome: &Outcome) -> Markup {
    html! {
        p.kicker { "quadrille reproduce" }
        h1 { "Tables and figures of four papers on " (outcome.machine.renderer.name) }
        p.lead { (summary::sentence(outcome)) " " (summary::setting(outcome)) }
        @for words in summary::reservations(outcome) { p { (words) } }
        @if let Some(words) = summary::disturbance(outcome) {
            p.alarm { strong { "Other programs were at work. " } (words) }
        }
        @if !outcome.machine.release {
            p.alarm { strong { "Built without optimisation. " } "Times of a debug build say little: \
                build with " code { "cargo build --release" } " and run it again." }
        }
        @for wrong in outcome.wrong() {
            p.alarm { strong { "Wrong result. " } (wrong) }
        }
        p { "Every row of the papers, and where it is in quadrille, is in " code { "docs/papers.md" } "." }
        (claims::tally(outcome))
    }
}

/// The sections that a report has, each with the name by which it is found: the papers first, the
/// machine last.
fn content(outcome: &Outcome) -> Markup {
    let mut sections: Vec<(&str, &str, Markup)> = Vec::new();
    let mut add = |id, title, body: Option<Markup>| {
        sections.extend(body.map(|body| (id, title, body)));
    };
    for document in Document::ALL {
        add(document.name(), document.title(), of_document(outcome, document));
    }
    add("device", "What this device can be trusted for", parts::section(&entries(outcome, None)));
    add("left-out", "What was left out, and why", left_out(outcome));
    add("reading", "How to read this", Some(machine::reading(&outcome.machine)));
    add("machine", "The machine", Some(machine::section(&outcome.machine)));
    html! {
        nav aria-label="Contents" {
            ol { @for (id, title, _) in &sections { li { a href={ "#" (id) } { (title) } } } }
        }
        @for (id, title, body) in &sections {
            section id=(id) { h2 { (title) } (body) }
        }
    }
}

/// The conclusion, the claims, and the figures and tables that they rest on.
fn of_document(outcome: &Outcome, document: Document) -> Option<Markup> {
    let entries = entries(outcome, Some(document));
    let findings = claims::of(outcome, document);
    let evidence = parts::section(&entries);
    if findings.is_empty() && evidence.is_none() {
        return None;
    }
    Some(html! {
        p.origin { (document.origin()) }
        @if !findings.is_empty() {
            (conclusion::paragraph(document, &findings))
            (claims::list(&findings, |id| parts::shown_as(outcome, id)))
        }
        @if let Some(evidence) = evidence { (evidence) }
    })
}

fn entries(outcome: &Outcome, document: Option<Document>) -> Vec<&Entry> {
    outcome.entries.iter().filter(|entry| entry.study.document == document).collect()
}

fn left_out(outcome: &Outcome) -> Option<Markup> {
    let lines: Vec<(&Entry, Vec<String>)> = outcome
        .entries
        .iter()
        .map(|entry| (entry, entry.left_out()))
        .filter(|(_, reasons)| !reasons.is_empty())
        .collect();
    (!lines.is_empty()).then(|| {
        html! {
            dl.left-out {
                @for (entry, reasons) in &lines {
                    dt { (entry.study.title) " " code { (entry.study.id) } }
                    @for reason in reasons { dd { (reason) } }
                }
            }
        }
    })
}
