//! The description of an experiment: a file `*.run.toml` with several passes, or one shader, and
//! the settings beside them.

mod buffer;
mod check;
mod described;
mod dry;
mod given;
mod keys;
mod lower;
mod pass;
mod primitive;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::io::description::{Error, Named, NamedFiles, Places, Table, Text};
use quadrille::Place;

use crate::run_file::buffer::{Buffer, First};
use crate::run_file::pass::{Pass, Shader};
use crate::setup::PassSetup;
use crate::setup::settings::Settings;

pub use crate::run_file::dry::Declares;
pub use crate::run_file::dry::dry;
pub(crate) use crate::run_file::keys::{entries, keys};

/// The description of an experiment: the passes of a file `*.run.toml`, the arrays between them,
/// and [`Settings`]; or one shader. Paths are relative to the file's folder, and lead into the folder
/// in which the process was started, or if the file is not below that, into its own:
/// [`allow_outside`](RunFile::allow_outside).
///
/// ```
/// use quadrille::{Context, data::Field};
/// use quadrille_run::RunFile;
/// # let folder = std::env::temp_dir().join("quadrille-run-file-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("sums.run.toml");
/// std::fs::write(folder.join("add.frag"), "
///     uniform sampler2D a;
///     uniform sampler2D sum;
///     out float next;
///     void main() { next = READ(a, TEXEL).r + READ(sum, TEXEL).r; }")?;
/// std::fs::write(&path, r#"
///     iterate = 3
///     input.a = "ramp:3x1"
///     [buffer.sum]
///     size = "a"
///     channels = 1
///     from = "add.next"
///     [pass.add]
///     shader = "add.frag"
/// "#)?;
/// let run = RunFile::read(&path)?;
/// let context = Context::headless()?;
/// let mut experiment = run.experiment(&context, run.setup(run.arrays()?))?;
/// experiment.advance(run.iterate(), &mut ())?;
/// assert_eq!(experiment.read("add.next")?.values().doubles().collect::<Vec<_>>(), [0.0, 1.5, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RunFile {
    path: PathBuf,
    settings: Settings,
    passes: Vec<Pass>,
    buffers: Vec<Buffer>,
    /// The files that it names.
    named: NamedFiles,
}

impl RunFile {
    /// The ending of the names of these files.
    pub const ENDING: &str = ".run.toml";

    /// Returns whether a name is that of such a file.
    pub fn is_named(path: impl AsRef<Path>) -> bool {
        let name = path.as_ref().file_name().unwrap_or_default();
        name.to_string_lossy().to_lowercase().ends_with(RunFile::ENDING)
    }

    /// Reads a description and checks everything that can be checked without a device.
    ///
    /// # Errors
    /// [`Error`], with the line and the key, and the keys that exist.
    pub fn read(path: impl AsRef<Path>) -> Result<RunFile, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|reason| {
            let place = Place::file(path.display().to_string());
            Error::Read { place, reason }
        })?;
        RunFile::parse(path, &text)
    }

    /// Parses and checks the text of a description; the path is that of the file that would hold
    /// it.
    ///
    /// # Errors
    /// As [`read`](RunFile::read).
    pub fn parse(path: impl AsRef<Path>, text: &str) -> Result<RunFile, Error> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let text = Text { file: &file, what: "run", text };
        let parsed = text.parse()?;
        RunFile::of(path, &Table::root(text, &parsed))
    }

    /// Creates the run of a single shader file, whose outputs keep their own names.
    pub fn shader(path: impl Into<PathBuf>) -> RunFile {
        let path = path.into();
        RunFile::made(path.clone(), vec![Pass::plain(String::new(), Shader::file(path))])
    }

    /// Creates a run of passes whose shaders are given as texts, or of one shader as a pass without
    /// a name; `title` takes the place of the file's name.
    pub fn of_passes(title: impl Into<PathBuf>, passes: Vec<PassSetup>) -> RunFile {
        let given = |pass: PassSetup| pass.with(Shader::Given(pass.source.clone()));
        RunFile::made(title.into(), passes.into_iter().map(given).collect())
    }

    fn made(path: PathBuf, passes: Vec<Pass>) -> RunFile {
        let named = NamedFiles::new(&path);
        RunFile { path, settings: Settings::default(), passes, buffers: Vec::new(), named }
    }

    fn of(path: &Path, table: &Table<'_>) -> Result<RunFile, Error> {
        let (known, old) = keys();
        table.only_or(&[&known[..], &["buffer", "pass"]].concat(), &old)?;
        let mut places = Places::of(path);
        let run = RunFile {
            path: path.to_owned(),
            settings: Settings::read(table, &mut places)?,
            buffers: Buffer::all(table, &mut places)?,
            passes: Pass::all(table, &mut places)?,
            named: NamedFiles::new(path),
        };
        check::names(&run, table)?;
        Ok(RunFile { named: places.named, ..run })
    }

    /// Lets it name files that are outside of the folder in which the process was started, or of its own
    /// where it is not below that. Without this they are refused before any file is opened: a
    /// description may come from a stranger, and errors quote files.
    pub fn allow_outside(mut self) -> RunFile {
        self.named.allow_outside();
        self
    }

    /// Lets it name what a file that names it may name.
    pub(crate) fn allow_as(mut self, other: &NamedFiles) -> RunFile {
        self.named.allow_as(other);
        self
    }

    /// Replaces settings by others. An input among them also replaces the first numbers of a buffer
    /// of that name, and a uniform takes precedence over a pass's own.
    pub fn with(mut self, mut settings: Settings) -> RunFile {
        self.passes.iter_mut().for_each(|pass| pass.forget(&settings));
        for (name, _) in &settings.inputs {
            let keys = [format!("input.{name}"), format!("buffer.{name}.first")];
            self.named.retain(|named| !keys.contains(&named.key));
        }
        self.named.retain(|named| settings.common.is_none() || named.key != "common");
        for buffer in &mut self.buffers {
            if let Some(at) = settings.inputs.iter().position(|(name, _)| *name == buffer.name) {
                buffer.first = First::Array(settings.inputs.remove(at).1);
            }
            if let Some(at) = settings.feedback.iter().position(|(_, input)| *input == buffer.name)
            {
                buffer.from = settings.feedback.remove(at).0;
            }
        }
        self.settings = self.settings.replaced(settings);
        self
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the files of the shaders, in the order of the passes.
    pub fn shaders(&self) -> impl Iterator<Item = &Path> {
        self.passes.iter().filter_map(|pass| pass.source.path())
    }

    /// Returns the settings beside the passes.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the number of steps.
    pub fn iterate(&self) -> u64 {
        self.settings.iterate.unwrap_or(1)
    }

    /// Returns the names of its inputs and buffers.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        let inputs = self.settings.inputs.iter().map(|(name, _)| name.as_str());
        inputs.chain(self.buffers.iter().map(|buffer| buffer.name.as_str()))
    }

    /// Returns the outputs that inputs and buffers hold from the next step on, with their names.
    pub fn fed(&self) -> impl Iterator<Item = (&str, &str)> {
        let buffers =
            self.buffers.iter().map(|buffer| (buffer.from.as_str(), buffer.name.as_str()));
        let feedback = self.settings.feedback.iter();
        buffers.chain(feedback.map(|(output, input)| (output.as_str(), input.as_str())))
    }

    /// Returns the source of the numbers of an input or a buffer, as text.
    pub fn given_as(&self, input: &str) -> Option<String> {
        let given = self.settings.inputs.iter().find(|(name, _)| name == input);
        given.map(|(_, origin)| origin.to_string()).or_else(|| {
            let buffer = self.buffers.iter().find(|buffer| buffer.name == input)?;
            Some(buffer.first.to_string())
        })
    }

    /// Returns the name of the array that a sampler of a pass reads: an input, a buffer or
    /// `pass.output`; the sampler's own name where the file names none. Passes count from 0.
    pub fn read_by<'a>(&'a self, pass: usize, sampler: &'a str) -> &'a str {
        let reads = self.passes.get(pass).map(|pass| pass.reads.as_slice()).unwrap_or_default();
        reads.iter().find(|(known, _)| known == sampler).map_or(sampler, |(_, from)| from)
    }

    /// Refuses a description whose files are not all there, or not where it may name them.
    ///
    /// # Errors
    /// [`Error::NoFile`], [`Error::Outside`].
    pub fn must_be_whole(&self) -> Result<(), Error> {
        self.must_have(|_| true)
    }

    /// Checks that the files of these keys exist, and that all are where it may name them.
    fn must_have(&self, needed: impl Fn(&str) -> bool) -> Result<(), Error> {
        self.named.must_have(|named: &Named| needed(&named.key))
    }
}
