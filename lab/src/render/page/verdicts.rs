//! The claims and wishes of the papers, judged.

use maud::{Markup, html};

use super::super::super::report::{Document, Finding, Verdict};
use super::super::super::reproduce::Outcome;

/// The counts, large.
pub(super) fn tally(outcome: &Outcome) -> Markup {
    html! {
        @if outcome.findings().next().is_some() {
            ul.tally {
                @for verdict in Verdict::ALL {
                    li class=(class(verdict)) { strong { (outcome.count(verdict)) } " " (verdict.name()) }
                }
            }
        }
    }
}

/// A row for each finding, below its paper. The roles replace those that the layout for narrow screens
/// removes.
pub(super) fn findings(outcome: &Outcome) -> Option<Markup> {
    outcome.findings().next()?;
    Some(html! {
        table.findings role="table" {
            (head(["The paper says", "This device", "Verdict"]))
            @for document in Document::ALL {
                @let of = outcome.findings().filter(|finding| finding.document == document);
                @let of: Vec<&Finding> = of.collect();
                @if !of.is_empty() {
                    tbody role="rowgroup" {
                        tr role="row" { th.whose scope="rowgroup" colspan="3" role="rowheader" {
                            (document.title()) " " span.origin { (document.origin()) }
                        } }
                        @for finding in of { (row(finding)) }
                    }
                }
            }
        }
    })
}

/// The columns' names. The roles replace those that the layout for narrow screens removes.
fn head(columns: [&str; 3]) -> Markup {
    html! {
        thead role="rowgroup" {
            tr role="row" {
                @for column in columns {
                    th scope="col" role="columnheader" { (column) }
                }
            }
        }
    }
}

fn row(finding: &Finding) -> Markup {
    html! {
        tr role="row" {
            td.claim role="cell" {
                (finding.claim)
                @if !finding.quotation.is_empty() {
                    p.quotation { q { (finding.quotation) } " (" (finding.place) ")" }
                }
            }
            td role="cell" {
                (finding.measured)
                @if let Some(words) = &finding.on_cpu { p.on-cpu { "On a CPU: " (words) } }
            }
            td role="cell" {
                (badge(finding))
                @if let Some(stability) = finding.stability { p.stability { (stability.name()) } }
            }
        }
    }
}

/// A word and a sign, and only then a colour.
fn badge(finding: &Finding) -> Markup {
    let verdict = finding.verdict;
    let sign = match verdict {
        Verdict::Confirmed => "✓",
        Verdict::Contradicted => "✗",
        Verdict::NotMeasurable => "?",
    };
    html! {
        span.verdict.(class(verdict)) {
            span aria-hidden="true" { (sign) } " " (finding.word())
        }
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Confirmed => "confirmed",
        Verdict::Contradicted => "contradicted",
        Verdict::NotMeasurable => "open",
    }
}

/// A row for each wish.
pub(super) fn wishes(outcome: &Outcome) -> Option<Markup> {
    outcome.wishes().next()?;
    Some(html! {
        table.findings role="table" {
            (head(["The wish", "The answer in OpenGL today", "What it buys here"]))
            tbody role="rowgroup" {
                @for wish in outcome.wishes() {
                    tr role="row" {
                        td.claim role="cell" { (wish.wish) }
                        td role="cell" { (wish.answer) }
                        td role="cell" { (wish.buys) }
                    }
                }
            }
        }
    })
}
