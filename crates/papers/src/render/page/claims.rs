//! The statements of a paper, in its own order: the quotation, the finding, and the verdict.

use maud::{Markup, html};

use crate::Outcome;
use quadrille_lab::report::{Document, Finding, Kind, Verdict};

pub(super) fn tally(outcome: &Outcome) -> Markup {
    html! {
        @if outcome.findings().any(|finding| finding.kind == Kind::Measurement) {
            ul.tally {
                @for verdict in Verdict::ALL {
                    li class=(class(verdict)) { strong { (outcome.count(verdict)) } " " (verdict.name()) }
                }
            }
        }
    }
}

/// The findings about a paper, in the order of its pages.
pub(super) fn of(outcome: &Outcome, document: Document) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> =
        outcome.findings().filter(|finding| finding.document == document).collect();
    findings.sort_by_key(|finding| position(&finding.id));
    findings
}

/// The number at the end of an id, which counts in the paper's order.
fn position(id: &str) -> usize {
    id.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(usize::MAX)
}

/// A list of claims. `shown` says whether the page has a table or figure of this name, and as what.
pub(super) fn list(findings: &[&Finding], shown: impl Fn(&str) -> Option<&'static str>) -> Markup {
    html! {
        ol.claims {
            @for finding in findings { (claim(finding, &shown)) }
        }
    }
}

fn claim(finding: &Finding, shown: impl Fn(&str) -> Option<&'static str>) -> Markup {
    let evidence = finding.evidence.as_deref();
    let evidence = evidence.and_then(|id| Some((shown(id)?, id)));
    html! {
        li.claim id=(finding.id) {
            div.says {
                p.cite { a href={ "#" (finding.id) } { (finding.id) } " " (finding.place) }
                @if !finding.quotation.is_empty() { blockquote { "“" (finding.quotation) "”" } }
                p { (finding.claim) "." }
            }
            div.found {
                p { (badge(finding)) " " span.stability { (mark(finding)) } }
                p.measured {
                    (finding.measured)
                    @if let Some((what, id)) = evidence { " " a href={ "#" (what) "-" (id) } { "See the " (what) } "." }
                }
                @if let Some(words) = &finding.on_cpu { p.on-cpu { "On a CPU: " (words) } }
            }
        }
    }
}

/// The certainty of a verdict; for a statement that no measurement decides, its kind.
fn mark(finding: &Finding) -> &'static str {
    match (finding.kind, finding.stability) {
        (Kind::Measurement | Kind::Question, stability) => {
            stability.map_or("", |stability| stability.name())
        }
        (Kind::Erratum, _) => "decided by its text",
        (Kind::DesignStatement, _) => "a description of a design",
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

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn claims_are_in_the_order_of_their_numbers() {
        assert!(position("jacobi-9") < position("jacobi-10"));
        assert!(position("jacobi-10") < position("jacobi"));
    }
}
