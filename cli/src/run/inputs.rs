//! The inputs of the shader: files, and values made on the spot.

use std::str::FromStr;

use quadrille::data::{Field, SplitMix64};
use quadrille::internal::memory;
use quadrille::io::field::{self, Depth, Notes};
use quadrille::{Extent, gl};

use super::super::prelude::*;
use super::assignment::{Assignment, sides};

pub(super) struct Input {
    pub(super) name: String,
    pub(super) from: String,
    pub(super) field: Field,
    /// The depth of the picture that it was; none for an array.
    pub(super) picture: Option<Depth>,
}

pub(super) fn read(
    context: &Context,
    assignments: &[Assignment<Origin>],
    seed: u64,
) -> anyhow::Result<Vec<Input>> {
    let mut generator = SplitMix64::new(seed);
    let mut inputs = Vec::new();
    for Assignment { name, value: Origin { text, made } } in assignments {
        let (field, notes) = match made {
            Some(made) => (made.field(context, name, &mut generator)?, Notes::default()),
            None => load(text)?,
        };
        let (name, from) = (name.clone(), text.clone());
        inputs.push(Input { name, from, field, picture: notes.picture });
    }
    Ok(inputs)
}

fn load(file: &str) -> anyhow::Result<(Field, Notes)> {
    let (field, notes) = field::read(file)?;
    if notes.rounded {
        output::note(&format!("note: {file}: its 64-bit floats were rounded to 32 bits"));
    }
    Ok((field, notes))
}

/// Where the values of an input come from: made on the spot, else the file of this name.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    text: String,
    made: Option<Made>,
}

/// Values that no file holds.
#[derive(Clone, Debug, PartialEq)]
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

impl FromStr for Origin {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Origin, Failure> {
        Ok(Origin { text: text.to_owned(), made: Made::parse(text).transpose()? })
    }
}

impl Made {
    /// None for the name of a file.
    fn parse(text: &str) -> Option<Result<Made, Failure>> {
        let (sort, size) = text.split_once(':')?;
        let sort = match sort {
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
                let text = format!(
                    "expected WIDTHxHEIGHT{channels} after the colon, as in {}64x48; got `{text}`",
                    text.split_inclusive(':').next().unwrap_or_default()
                );
                Err(Failure::Input { text })
            }
        })
    }

    fn field(
        &self,
        context: &Context,
        name: &str,
        generator: &mut SplitMix64,
    ) -> anyhow::Result<Field> {
        self.must_fit(context, name)?;
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

    /// Refuses what the device could not take, before the host makes it.
    fn must_fit(&self, context: &Context, name: &str) -> Result<(), gl::Error> {
        let limit = context.abilities().max_texture_size;
        if self.extent.width.max(self.extent.height) <= limit {
            return Ok(());
        }
        Err(gl::Error::TooLarge {
            what: format!("input `{name}`"),
            request: self.extent.to_string(),
            limit: limit.into(),
            remedy: format!("up to {limit} x {limit} texels fit"),
        })
    }
}

#[cfg(test)]
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
    }

    #[test]
    fn a_wrong_size_says_what_is_right() {
        for text in ["random:", "random:3", "zeros:0x3", "zeros:3x3x5", "ramp:3x3x2", "ramp:axb"] {
            let error = Made::parse(text).unwrap().unwrap_err().to_string();
            assert!(error.contains("WIDTHxHEIGHT") && error.contains(text), "{error}");
        }
    }
}
