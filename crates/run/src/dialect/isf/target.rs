//! The target of a pass of an ISF shader: its size, and whether the next frame still finds its
//! contents.

use super::expression::evaluate;
use crate::dialect::Error;
use crate::dialect::SizeMistake;
use quadrille::Extent;
use quadrille::Place;
use quadrille::shader::Excerpt;

/// The target that a pass writes, unless it writes the picture.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The name by which later passes read it.
    pub name: String,
    /// Whether it keeps its numbers to the next step.
    pub is_persistent: bool,
    /// Whether it holds more than the numbers from 0 to 1.
    pub(super) is_float: bool,
    /// The width and the height, where the header has them.
    pub(super) sides: [Option<Side>; 2],
    pub(crate) place: Place,
    pub(super) excerpt: Box<Excerpt>,
}

/// The expression of a width or a height.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(super) key: String,
    pub(crate) text: String,
    /// The inputs whose numbers it holds.
    pub(crate) names: Vec<String>,
    pub(crate) place: Place,
    pub(super) excerpt: Box<Excerpt>,
}

impl Target {
    /// Returns the inputs from whose numbers its size follows.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.sides.iter().flatten().flat_map(|side| &side.names)
    }

    /// Computes the extent from that of the picture and from the numbers of inputs.
    pub(crate) fn extent(
        &self,
        picture: Extent,
        number: impl Fn(&str) -> f64,
        limit: u32,
    ) -> Result<Extent, Error> {
        let Extent { width, height } = picture;
        let mut value_of = |name: &str| {
            Ok(match name {
                "WIDTH" => f64::from(width),
                "HEIGHT" => f64::from(height),
                other => number(other),
            })
        };
        let mut side = |side: &Option<Side>, whole: u32| match side {
            Some(side) => side.length(&mut value_of, limit),
            None => Ok(whole),
        };
        Ok(Extent::new(side(&self.sides[0], width)?, side(&self.sides[1], height)?))
    }

    /// Merges this target with an earlier one of the same name: each gets the values that only the
    /// other has.
    pub(crate) fn join(&mut self, earlier: &mut Target) -> Result<(), Error> {
        for (own, other) in self.sides.iter_mut().zip(&mut earlier.sides) {
            match (&own, &other) {
                (Some(side), Some(before)) if !side.is_alike(before) => {
                    let expected = "the size that an earlier pass of this target has";
                    let (place, excerpt) = (side.place.clone(), side.excerpt.clone());
                    let (key, got) = (side.key.clone(), side.text.clone());
                    return Err(Error::Value { place, key, expected, got, excerpt });
                }
                (None, Some(_)) => *own = other.clone(),
                (Some(_), None) => *other = own.clone(),
                _ => {}
            }
        }
        self.is_persistent |= earlier.is_persistent;
        self.is_float |= earlier.is_float;
        (earlier.is_persistent, earlier.is_float) = (self.is_persistent, self.is_float);
        Ok(())
    }

    /// Returns the error of a pass that leaves some of its texels as an earlier pass wrote them.
    pub(crate) fn discarded(&self, writer: usize) -> Error {
        let (place, excerpt) = (self.place.clone(), self.excerpt.clone());
        Error::Discard { place, target: self.name.clone(), writer, excerpt }
    }

    /// Returns the error of a pass that reads it before it is written.
    pub(crate) fn unwritten(&self, reader: usize, writer: usize) -> Error {
        let (place, excerpt) = (self.place.clone(), self.excerpt.clone());
        Error::Unwritten { place, target: self.name.clone(), reader, writer, excerpt }
    }
}

impl Side {
    /// Returns whether both are one expression, however it is spaced, or one number.
    fn is_alike(&self, other: &Side) -> bool {
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let number = |side: &Side| {
            let mut none =
                |found: &str| Err(SizeMistake::NoName { found: found.to_owned(), has: Vec::new() });
            evaluate(&side.text, &mut none).ok()
        };
        let same_number = || number(self).is_some_and(|own| number(other) == Some(own));
        bare(&self.text) == bare(&other.text) || same_number()
    }

    /// Computes the length, rounded down, and at least 1: of a small picture, a hundredth may be
    /// less than a texel.
    fn length(
        &self,
        value_of: &mut dyn FnMut(&str) -> Result<f64, SizeMistake>,
        limit: u32,
    ) -> Result<u32, Error> {
        let (place, key, excerpt) = (self.place.clone(), self.key.clone(), self.excerpt.clone());
        match evaluate(&self.text, value_of) {
            Ok(got) if got >= 0.0 && got < f64::from(limit) + 1.0 => Ok((got as u32).max(1)),
            Ok(got) => Err(Error::Extent { place, key, limit, got, excerpt }),
            Err((_, mistake)) => Err(Error::Size { place, key, mistake, excerpt }),
        }
    }
}
