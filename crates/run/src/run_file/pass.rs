//! The tables of passes.

use std::path::{Path, PathBuf};

use crate::dialect::{Dialect, Dialects, with_defaults};
use crate::io::description::{Entry, Error, Places, Table};
use quadrille::Extent;
use quadrille::shader::{Source, Stage};

use crate::run_file::keys::{entries, texts_of, uniforms};
use crate::run_file::primitive;
use crate::setup::scale::Size;
use crate::setup::settings::Settings;
use crate::setup::{PassSetup, Program};

const KEYS: [&str; 10] = [
    "shader",
    "primitive",
    "dialect",
    "read",
    "uniform",
    "define",
    "size",
    "groups",
    "repeat",
    "feedback",
];

/// The source of a pass's shader, or what runs.
#[derive(Clone, Debug)]
pub(super) enum Shader {
    /// A file, its dialect unless it is recognised, and its macros.
    File {
        path: PathBuf,
        dialect: Option<Dialect>,
        defines: Vec<(String, String)>,
    },
    Given(Program),
}

/// A pass, as its table describes it.
pub(super) type Pass = PassSetup<Shader>;

impl Shader {
    pub(super) fn file(path: PathBuf) -> Shader {
        Shader::File { path, dialect: None, defines: Vec::new() }
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Shader::File { path, .. } => Some(path),
            Shader::Given(_) => None,
        }
    }

    /// Returns what runs: a text in its own dialect and with its own macros, or a primitive.
    pub(super) fn program(&self) -> Result<Program, crate::Error> {
        let (path, dialect, defines) = match self {
            Shader::File { path, dialect, defines } => (path, dialect, defines),
            Shader::Given(program) => return Ok(program.clone()),
        };
        let stage = Stage::of_file(path).unwrap_or(Stage::Fragment);
        let source = Source::read(stage, path)?.with_vertices_beside()?;
        Ok(Program::Shader(with_defaults(source, *dialect, defines)))
    }
}

impl Pass {
    /// Returns the passes of a description, in their order.
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
        if let Some(name) = table.get("primitive") {
            let program = Program::Primitive(primitive::of(&table, &name)?);
            let reads = texts_of(&table, "read")?;
            let pass = PassSetup::plain(entry.key.to_owned(), Shader::Given(program));
            return Ok(Pass { reads, ..pass });
        }
        table.only(&KEYS)?;
        let Some(shader) = table.get("shader") else {
            let (place, key) = (entry.place(), format!("{}.shader", entry.path));
            return Err(Error::Missing {
                place,
                key,
                what: "the file of the shader, or a `primitive`",
            });
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
        let file = places.file(&shader)?;
        let is_own = |key: &str| ["dialect", "define", "groups"].contains(&key);
        let Settings { dialect: told, defines, groups, .. } =
            Settings::some(&table, places, is_own)?;
        let is_compute = Stage::of_file(&file) == Some(Stage::Compute);
        if let Some(dialect) = table.get("dialect").filter(|_| is_compute && told.is_some()) {
            return Err(dialect.unfit(format!(
                "`{}`: expected a fragment shader; {} is a compute shader, which has no dialect: leave it out",
                dialect.path,
                file.display()
            )));
        }
        let key = entry.key.to_owned();
        Ok(Pass {
            reads: texts_of(&table, "read")?,
            uniforms: uniforms(&table)?,
            size: Size::read(&table)?,
            groups,
            repeat,
            feedback,
            ..PassSetup::plain(key, Shader::File { path: file, dialect: told, defines })
        })
    }

    /// Lets others' macros and uniforms take precedence over those of its table.
    pub(super) fn forget(&mut self, settings: &Settings) {
        if let Shader::File { defines, .. } = &mut self.source {
            forget(defines, &settings.defines);
            forget(&mut self.uniforms, &settings.uniforms);
        }
    }
}

/// Leaves out what others name too.
fn forget<T>(pairs: &mut Vec<(String, T)>, others: &[(String, T)]) {
    pairs.retain(|(name, _)| others.iter().all(|(other, _)| other != name));
}

fn repeat(entry: &Entry<'_>) -> Result<u32, Error> {
    u32::try_from(entry.whole(1)?).map_err(|_| entry.wrong("an integer of 32 bits"))
}

impl Size {
    /// Returns the size of a pass or a buffer, if its table has one.
    pub(super) fn read(table: &Table<'_>) -> Result<Option<Size>, Error> {
        const EXPECTED: &str = "the width and the height, integers from 1 on, as in [64, 48], or a part of another size, as in \
                                \"image / 2\"";
        let Some(entry) = table.get("size") else { return Ok(None) };
        if entry.value().is_str() {
            let scale = entry.text()?.parse();
            let scale = scale.map_err(|_: crate::Error| entry.wrong(EXPECTED));
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
