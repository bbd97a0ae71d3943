//! The requests of a paper to future hardware.

use maud::{Markup, html};

use super::super::super::reproduce::Outcome;

/// A row for each request; nothing where there is none.
pub(super) fn table(outcome: &Outcome) -> Option<Markup> {
    outcome.wishes().next()?;
    Some(html! {
        h3 { "What the hardware of 2002 lacked" }
        // The roles replace those that the layout for narrow screens removes.
        table.requests role="table" {
            thead role="rowgroup" {
                tr role="row" {
                    @for column in ["The paper asks for", "The answer in OpenGL today", "Its effect here"] {
                        th scope="col" role="columnheader" { (column) }
                    }
                }
            }
            tbody role="rowgroup" {
                @for request in outcome.wishes() {
                    tr role="row" {
                        td.asked role="cell" { (request.wish) }
                        td role="cell" { (request.answer) }
                        td role="cell" { (request.buys) }
                    }
                }
            }
        }
    })
}
