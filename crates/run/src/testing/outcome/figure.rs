//! The pictures of one comparison.

use serde::{Deserialize, Serialize};

/// The pictures of one comparison, and counts of its distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Figure {
    /// The output.
    pub output: String,
    /// The key of what was expected of it.
    pub claim: String,
    /// Whether the output is as expected.
    pub right: bool,
    /// The expected numbers, the computed ones and the difference, as far as there are such.
    pub pictures: Vec<Picture>,
    /// The names of distances, and the counts of numbers that are so far off.
    pub histogram: Vec<(String, usize)>,
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Picture {
    /// The heading.
    pub title: String,
    /// The content of the picture, in words.
    pub about: String,
    /// A `.png` in base 64.
    pub png: String,
    /// The width and height on the page, in pixels of CSS.
    pub size: (usize, usize),
    /// Whether its cells are shown as squares, since each has two pixels and more.
    pub enlarged: bool,
    /// The scale of its colours, where they stand for numbers.
    pub scale: Option<ColourScale>,
}

/// The colours of numbers, from the least to the greatest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ColourScale {
    /// The colours: red, green and blue.
    pub colours: Vec<[u8; 3]>,
    /// The numbers at its ends, or at its ends and in the middle.
    pub labels: Vec<String>,
}
