//! Reports as people and programs read them: figures as SVG, tables as CSV, a page of HTML, JSON.

mod chart;
pub mod csv;
mod figure;
mod json;
mod page;
mod summary;
mod text;

pub use figure::{svg, svg_of_all};
pub use json::json;
#[cfg(test)]
pub(crate) use page::central;
pub use page::page;
pub use summary::{reservations, sentence, setting, span};
pub(crate) use text::text;
pub use text::{aligned, broken};
