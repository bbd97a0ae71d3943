//! Reports of [outcomes](super::outcome): a page with pictures for people, and JUnit's XML for CI
//! services.

mod blocks;
mod distances;
mod figures;
mod junit;
mod page;
mod picture;

pub use figures::figures;
pub use junit::junit;
pub(crate) use page::PAGE_STYLE;
pub use page::page;
