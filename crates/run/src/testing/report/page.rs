//! The outcomes as one page that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::outcome::{Case, ColourScale, Explanation, Figure, Outcome, Picture, Tally};
use super::distances::EQUAL;

/// The style that this page shares with the reports of papers.
pub(crate) const PAGE_STYLE: &str = include_str!("page.css");
/// The style of this page.
const STYLE: &str = concat!(include_str!("page.css"), include_str!("outcomes.css"));

/// Renders the page of all tests.
pub fn page(cases: &[Case], explanations: &[Explanation]) -> String {
    // What is wrong comes first.
    let mut rows: Vec<(usize, &Case)> = cases.iter().enumerate().collect();
    rows.sort_by_key(|(_, case)| !case.outcome.is_wrong());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Shader tests" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "quadrille test" }
                    h1 { "Shader tests" }
                    (tally(cases))
                }
                main {
                    (overview(&rows))
                    (differences(explanations))
                    @for (index, case) in &rows { (section(*index, case)) }
                }
                footer { p { "Made by quadrille " (env!("CARGO_PKG_VERSION")) } }
            }
        }
    };
    page.into_string()
}

fn tally(cases: &[Case]) -> Markup {
    let Tally { passed, failed, skipped, known, bad } = Tally::of(cases);
    let counts = [
        (passed, "passed", "good"),
        (failed, "failed", "bad"),
        (bad, "with a wrong description", "bad"),
        (known, "known to fail", "open"),
        (skipped, "skipped", "open"),
    ];
    html! {
        ul.tally {
            @for (count, words, class) in counts {
                @if count > 0 { li.outcome.(class) { strong { (count) } " " (words) } }
            }
        }
    }
}

fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "good",
        Outcome::Skip | Outcome::Known => "open",
        _ => "bad",
    }
}

/// Returns the operations that devices compute with different errors.
fn differences(explanations: &[Explanation]) -> Markup {
    html! {
        @if !explanations.is_empty() {
            h2 { "Why devices differ" }
            ul {
                @for explanation in explanations {
                    li { (explanation.name) ": " (explanation.text()) }
                }
            }
        }
    }
}

/// Returns a row for each outcome.
fn overview(rows: &[(usize, &Case)]) -> Markup {
    html! {
        div.scroll {
            table {
                thead { tr { th { "Test" } th { "Device" } th { "API" } th { "Outcome" } th { "Texels that miss" } th { "Largest distance" } } }
                tbody {
                    @for (index, case) in rows {
                        tr {
                            td { a href={ "#test-" (index) } { (case.name) } }
                            td { (case.device) }
                            td { (case.api) }
                            td { span.outcome.(class(case.outcome)) { (case.outcome.name()) } }
                            td { (case.missed) }
                            td { (case.distance()) }
                        }
                    }
                }
            }
        }
    }
}

fn section(index: usize, case: &Case) -> Markup {
    html! {
        section id={ "test-" (index) } {
            h2 { (case.name) " " span.outcome.(class(case.outcome)) { (case.outcome.name()) } }
            p.origin { (case.device) ", " (case.api) }
            @for reason in &case.reasons { pre.reason { (reason) } }
            p { code { (case.command) } }
            @for figure in &case.figures { (drawn(figure)) }
        }
    }
}

fn drawn(figure: &Figure) -> Markup {
    let Figure { output, claim, right, pictures, histogram } = figure;
    // Most numbers are equal, and beside their bar those of the others would have no length.
    let differ = histogram.iter().filter(|(name, _)| name != EQUAL).map(|(_, count)| *count);
    let most = differ.max().unwrap_or(0).max(1);
    let (class, word) = if *right { ("good", "as expected") } else { ("bad", "not as expected") };
    html! {
        h3 { "Output " code { (output) } ", " code { (claim) } " " span.outcome.(class) { (word) } }
        div.pictures {
            @for picture in pictures { (shown(picture)) }
        }
        @if !histogram.is_empty() {
            table.histogram {
                thead { tr { th { "Distance" } th { "Numbers" } th {} } }
                tbody {
                    @for (name, count) in histogram {
                        tr {
                            td { (name) }
                            td.number { (count) }
                            td { @if name != EQUAL { meter min="0" max=(most) value=(count) {} } }
                        }
                    }
                }
            }
        }
    }
}

fn shown(picture: &Picture) -> Markup {
    let Picture { title, about, png, size: (width, height), enlarged, scale } = picture;
    html! {
        figure {
            figcaption { (title) }
            img.enlarged[*enlarged] alt=(title) width=(width) height=(height)
                src={ "data:image/png;base64," (png) };
            @if let Some(scale) = scale {
                div.colours style={ "background: " (gradient(scale)) } {}
                div.labels { @for label in &scale.labels { span { (label) } } }
            }
            p { (about) }
        }
    }
}

fn gradient(scale: &ColourScale) -> String {
    let colours =
        scale.colours.iter().map(|[red, green, blue]| format!("rgb({red} {green} {blue})"));
    format!("linear-gradient(to right, {})", colours.collect::<Vec<_>>().join(", "))
}
