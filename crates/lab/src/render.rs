//! Reports as people and programs read them: figures as SVG, tables as CSV, a page of HTML, JSON.

mod chart;
pub mod csv;
mod figure;
mod json;
mod page;
mod summary;

pub use figure::{svg, svg_of_all};
pub use json::json;
pub use page::page;
pub use summary::{disturbance, reservations, sentence, setting, span};
