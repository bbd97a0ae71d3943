//! The tables of passes.

use std::path::PathBuf;

use crate::Extent;
use crate::io::description::{Entry, Error, Places, Table};
use crate::shader::{Dialect, Stage};

use crate::experiment;
use crate::experiment::Scale;
use crate::experiment::run_file::settings::{
    defines, dialect, entries, groups, texts_of, uniforms,
};

const KEYS: [&str; 9] =
    ["shader", "dialect", "read", "uniform", "define", "size", "groups", "repeat", "feedback"];

/// A pass, as its table describes it.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    /// Empty for the one shader without a name.
    pub(super) name: String,
    pub(super) shader: PathBuf,
    pub(super) dialect: Option<Dialect>,
    pub(super) reads: Vec<(String, String)>,
    pub(super) uniforms: Vec<(String, String)>,
    pub(super) defines: Vec<(String, String)>,
    pub(super) size: Option<Size>,
    pub(super) groups: Option<[u32; 3]>,
    pub(super) repeat: Option<u32>,
    /// Its outputs, and the samplers that read them in the next repetition.
    pub(super) feedback: Vec<(String, String)>,
}

/// An extent, or what it follows from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Size {
    Extent(Extent),
    Scale(Scale),
}

impl Pass {
    /// A shader by itself.
    pub(super) fn only(shader: PathBuf) -> Pass {
        Pass {
            name: String::new(),
            shader,
            dialect: None,
            reads: Vec::new(),
            uniforms: Vec::new(),
            defines: Vec::new(),
            size: None,
            groups: None,
            repeat: None,
            feedback: Vec::new(),
        }
    }

    /// The passes of a description, in their order.
    pub(super) fn all(table: &Table<'_>, places: &mut Places<'_>) -> Result<Vec<Pass>, Error> {
        let passes = entries(table, "pass")?;
        if passes.is_empty() {
            let (place, key) = (table.place(), "pass".to_owned());
            let what = "at least one pass, as in `[pass.NAME]` with a `shader`";
            return Err(Error::Missing { place, key, what });
        }
        passes.iter().map(|entry| Pass::of(entry, places)).collect()
    }

    fn of(entry: &Entry<'_>, places: &mut Places<'_>) -> Result<Pass, Error> {
        let table = entry.table()?;
        table.only(&KEYS)?;
        let Some(shader) = table.get("shader") else {
            let (place, key) = (entry.place(), format!("{}.shader", entry.path));
            return Err(Error::Missing { place, key, what: "the file of the shader" });
        };
        let repeat = table.get("repeat").map(|entry| repeat(&entry)).transpose()?;
        let feedback = texts_of(&table, "feedback")?;
        if let Some(feedback) = table.get("feedback").filter(|_| repeat.is_none()) {
            return Err(feedback.unfit(format!(
                "`{}` is what the next repetition reads, and pass `{}` has no `repeat`; what the next step reads is a buffer, \
                 `[buffer.NAME]` with `from = \"{}.OUTPUT\"`",
                feedback.path, entry.key, entry.key
            )));
        }
        let (file, told) = (places.file(&shader)?, dialect(&table)?);
        let is_compute = Stage::of_file(&file) == Some(Stage::Compute);
        if let Some(dialect) = table.get("dialect").filter(|_| is_compute && told.is_some()) {
            return Err(dialect.unfit(format!(
                "`{}`: expected a fragment shader; {} is a compute shader, which has no dialect: leave it out",
                dialect.path,
                file.display()
            )));
        }
        Ok(Pass {
            name: entry.key.to_owned(),
            shader: file,
            dialect: told,
            reads: texts_of(&table, "read")?,
            uniforms: uniforms(&table)?,
            defines: defines(&table)?,
            size: Size::of(&table)?,
            groups: groups(&table)?,
            repeat,
            feedback,
        })
    }
}

fn repeat(entry: &Entry<'_>) -> Result<u32, Error> {
    u32::try_from(entry.whole(1)?).map_err(|_| entry.wrong("an integer of 32 bits"))
}

impl Size {
    /// The size of a pass or a buffer, if its table has one.
    pub(super) fn of(table: &Table<'_>) -> Result<Option<Size>, Error> {
        const EXPECTED: &str = "the width and the height, integers from 1 on, as in [64, 48], or a part of another size, as in \
                                \"image / 2\"";
        let Some(entry) = table.get("size") else { return Ok(None) };
        if entry.value().is_str() {
            let scale = entry.text()?.parse();
            let scale = scale.map_err(|_: experiment::Error| entry.wrong(EXPECTED));
            return scale.map(|scale| Some(Size::Scale(scale)));
        }
        match entry.integers(EXPECTED)? {
            [width, height] if width > 0 && height > 0 => {
                Ok(Some(Size::Extent(Extent::new(width, height))))
            }
            _ => Err(entry.wrong(EXPECTED)),
        }
    }
}
