//! The source of the numbers of an input: a file, or a rule.

use std::fmt;
use std::io::stdin;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::InputError;
use crate::io::field::{self, Notes};
use crate::io::{FileNames, Numbered};
use quadrille::data::sides;
use quadrille::data::{Field, SplitMix64};
use quadrille::{Extent, memory};

use crate::{Error, Frames, Result};

/// The source of the numbers of an input, as text: the name of a `.npy`, `.png` or `.jpg` file, or
/// a rule that makes the numbers.
///
/// * `-`: a `.npy` array on standard input;
/// * `frame-%04d.png`: a [sequence](crate::Frames) of numbered files, one for each step;
/// * `random:64x48`, `random:64x48x4`: uniform in [0, 1), in 1 to 4 channels;
/// * `zeros:64x48`, `zeros:64x48x4`;
/// * `ramp:64x48`: from 0 in the first column to 1 in the last.
///
/// ```
/// use quadrille_run::{Origin, arrays};
/// let ramp: Origin = "ramp:5x2".parse()?;
/// let array = arrays([("x", &ramp)], 1)?.remove(0);
/// assert_eq!(array.shape(), [2, 5]);
/// assert!("ramp:5".parse::<Origin>().is_err());
/// # Ok::<(), quadrille_run::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    text: String,
    source: InputSource,
}

#[derive(Clone, Debug, PartialEq)]
enum InputSource {
    Field(Field),
    File(PathBuf),
    Each(Numbered),
    Stream,
    Made(Made),
}

/// Values that no file holds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Made {
    sort: Sort,
    extent: Extent,
    channels: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Random,
    Zeros,
    Ramp,
}

impl Origin {
    /// Returns the numbers, and the sequence of which they are the first; the generator makes
    /// random ones.
    pub(crate) fn read(
        &self,
        generator: &mut SplitMix64,
    ) -> Result<(Field, Notes, Option<Frames>)> {
        let (field, notes) = match &self.source {
            InputSource::Field(field) => (field.try_clone()?, Notes::default()),
            InputSource::File(path) => field::read_with_layers(path)?,
            InputSource::Each(files) => {
                let (frames, first, notes) = Frames::find(files)?;
                return Ok((first, notes, Some(frames)));
            }
            InputSource::Stream => field::read_from(stdin().lock(), "standard input")?,
            InputSource::Made(made) => (made.field(generator)?, Notes::default()),
        };
        Ok((field, notes, None))
    }

    /// Replaces the numbers by these, under the text as it is.
    pub(crate) fn with(self, field: Field) -> Origin {
        Origin { source: InputSource::Field(field), ..self }
    }

    /// Replaces the path of a file by another path to it.
    pub fn below(self, path: impl FnOnce(&str) -> PathBuf) -> Origin {
        let source = match self.source {
            InputSource::File(file) => InputSource::File(path(&file.to_string_lossy())),
            InputSource::Each(files) => InputSource::Each(files.below(path)),
            InputSource::Stream => InputSource::Stream,
            InputSource::Field(field) => InputSource::Field(field),
            InputSource::Made(made) => InputSource::Made(made),
        };
        Origin { source, ..self }
    }

    /// Returns the file, unless the numbers are there or made.
    pub fn file(&self) -> Option<&PathBuf> {
        match &self.source {
            InputSource::File(path) => Some(path),
            InputSource::Field(_)
            | InputSource::Each(_)
            | InputSource::Stream
            | InputSource::Made(_) => None,
        }
    }

    /// Returns whether the numbers come on standard input.
    pub fn is_stream(&self) -> bool {
        self.source == InputSource::Stream
    }

    /// Returns whether the numbers follow from a seed.
    pub fn is_random(&self) -> bool {
        matches!(self.source, InputSource::Made(Made { sort: Sort::Random, .. }))
    }

    /// Returns the numbered files, if it is a sequence of them.
    pub fn files(&self) -> Option<&Numbered> {
        match &self.source {
            InputSource::Each(files) => Some(files),
            InputSource::Field(_)
            | InputSource::File(_)
            | InputSource::Stream
            | InputSource::Made(_) => None,
        }
    }
}

/// The numbers themselves.
impl From<Field> for Origin {
    fn from(field: Field) -> Origin {
        Origin { text: "an array".to_owned(), source: InputSource::Field(field) }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Origin {
    type Err = Error;

    fn from_str(text: &str) -> Result<Origin> {
        let source = match Made::parse(text) {
            Some(made) => InputSource::Made(made?),
            None if text == "-" => InputSource::Stream,
            None => match FileNames::parse(text)? {
                FileNames::One(path) => InputSource::File(path),
                FileNames::Each(files) => InputSource::Each(files),
            },
        };
        Ok(Origin { text: text.to_owned(), source })
    }
}

impl Made {
    /// Parses a rule; `None` for the name of a file.
    fn parse(text: &str) -> Option<Result<Made>> {
        let (word, size) = text.split_once(':')?;
        let sort = match word {
            "random" => Sort::Random,
            "zeros" => Sort::Zeros,
            "ramp" => Sort::Ramp,
            _ => return None,
        };
        let made = |width, height, channels| {
            Ok(Made { sort, extent: Extent::new(width, height), channels: channels as usize })
        };
        Some(match sides(size).as_deref() {
            Some(&[width, height]) => made(width, height, 1),
            Some(&[width, height, channels @ 1..=4]) if sort != Sort::Ramp => {
                made(width, height, channels)
            }
            _ => {
                let channels =
                    if sort == Sort::Ramp { "" } else { "[xCHANNELS], 1 to 4 channels," };
                let (word, got) = (word.to_owned(), text.to_owned());
                Err(InputError::Made { word, channels, got }.into())
            }
        })
    }

    fn field(&self, generator: &mut SplitMix64) -> Result<Field> {
        let count = self.extent.texels() * self.channels;
        let width = self.extent.width;
        let last = width.saturating_sub(1).max(1) as f32;
        let all = 0..count;
        let numbers: Vec<f32> = match self.sort {
            Sort::Zeros => memory::zeroed(count)?,
            // As many bits as a float has: no step of this rounds.
            Sort::Random => memory::collected(
                count,
                all.map(|_| (generator.next() >> 40) as f32 / (1 << 24) as f32),
            )?,
            Sort::Ramp => {
                memory::collected(count, all.map(|i| (i % width as usize) as f32 / last))?
            }
        };
        Ok(Field::new(self.extent, self.channels, numbers)?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn made_numbers_are_told_from_files() {
        let made = |sort, width, height, channels| Made {
            sort,
            extent: Extent::new(width, height),
            channels,
        };
        let parsed = |text| Made::parse(text).unwrap().unwrap();
        assert_eq!(parsed("random:3x5"), made(Sort::Random, 3, 5, 1));
        assert_eq!(parsed("zeros:3x5x2"), made(Sort::Zeros, 3, 5, 2));
        assert_eq!(parsed("ramp:3x5"), made(Sort::Ramp, 3, 5, 1));
        assert!(Made::parse("a.npy").is_none());
        assert!(Made::parse("c:a.npy").is_none());
        let file: Origin = "a.npy".parse().unwrap();
        let below = file.below(|name| PathBuf::from("tests").join(name));
        assert_eq!(below.file().unwrap(), &PathBuf::from("tests/a.npy"));
        assert_eq!(below.to_string(), "a.npy");
        let each: Origin = "a-%02d.npy".parse().unwrap();
        let below = each.below(|name| PathBuf::from("tests").join(name));
        assert_eq!(below.files().unwrap().name(3), PathBuf::from("tests/a-03.npy"));
        assert_eq!(below.file(), None);
        assert!("a-%x.npy".parse::<Origin>().is_err());
    }

    #[test]
    fn a_wrong_size_says_what_is_right() {
        for text in ["random:", "random:3", "zeros:0x3", "zeros:3x3x5", "ramp:3x3x2", "ramp:axb"] {
            let error = text.parse::<Origin>().unwrap_err().to_string();
            assert!(error.contains("WIDTHxHEIGHT") && error.contains(text), "{error}");
        }
    }
}
