//! Descriptions: files of TOML whose errors name the file, the line and the key.

mod error;
mod literal;
mod places;
mod table;

pub use self::error::Error;
pub use self::literal::Literal;
pub(crate) use self::places::{Named, NamedFiles, Places};
pub(crate) use self::table::{Entry, Table, Text, number, whole};
