//! The outcomes as one page that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::distances::EQUAL;
use super::entry::{Entry, Outcome, Tally};
use super::explanation::Explanation;
use super::figure::Figure;
use super::picture::{Picture, Scale};

const STYLE: &str = concat!(include_str!("../render/page/page.css"), include_str!("page.css"));

/// The page of all tests.
pub fn page(entries: &[Entry], explanations: &[Explanation]) -> String {
    // What is wrong comes first.
    let mut rows: Vec<(usize, &Entry)> = entries.iter().enumerate().collect();
    rows.sort_by_key(|(_, entry)| !entry.outcome.is_wrong());
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
                    (tally(entries))
                }
                main {
                    (overview(&rows))
                    (differences(explanations))
                    @for (index, entry) in &rows { (section(*index, entry)) }
                }
                footer { p { "Made by quadrille " (env!("CARGO_PKG_VERSION")) } }
            }
        }
    };
    page.into_string()
}

fn tally(entries: &[Entry]) -> Markup {
    let Tally { passed, failed, skipped, known, bad } = Tally::of(entries);
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

/// The operations that devices compute with different errors.
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

/// A row for each outcome.
fn overview(rows: &[(usize, &Entry)]) -> Markup {
    html! {
        div.scroll {
            table {
                thead { tr { th { "Test" } th { "Device" } th { "API" } th { "Outcome" } th { "Texels that miss" } th { "Largest distance" } } }
                tbody {
                    @for (index, entry) in rows {
                        tr {
                            td { a href={ "#test-" (index) } { (entry.name) } }
                            td { (entry.device) }
                            td { (entry.api) }
                            td { span.outcome.(class(entry.outcome)) { (entry.outcome.name()) } }
                            td { (entry.missed) }
                            td { (entry.distance()) }
                        }
                    }
                }
            }
        }
    }
}

fn section(index: usize, entry: &Entry) -> Markup {
    html! {
        section id={ "test-" (index) } {
            h2 { (entry.name) " " span.outcome.(class(entry.outcome)) { (entry.outcome.name()) } }
            p.origin { (entry.device) ", " (entry.api) }
            @for reason in &entry.reasons { pre.reason { (reason) } }
            p { code { (entry.command) } }
            @for figure in &entry.figures { (drawn(figure)) }
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

fn gradient(scale: &Scale) -> String {
    let colours =
        scale.colours.iter().map(|[red, green, blue]| format!("rgb({red} {green} {blue})"));
    format!("linear-gradient(to right, {})", colours.collect::<Vec<_>>().join(", "))
}
