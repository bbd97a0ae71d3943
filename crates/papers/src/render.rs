//! Reports as people and programs read them: figures as SVG, tables as CSV, a page of HTML, JSON.

pub mod csv;
mod figure;
mod json;
mod page;
mod summary;

pub use json::json;
pub use page::page;
pub use summary::{disturbance, reservations, sentence, setting, span};
