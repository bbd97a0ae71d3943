//! The storage of numbers in storage buffers.

use crate::data::Number;
use crate::gl;
use crate::gl::Texel;

/// A number as a buffer holds it. GLSL reads words of 32 bits: an `i16` takes one too, with its
/// sign, and the shader narrows each sum, so that the results are those of wrapping 16-bit
/// arithmetic.
pub(crate) trait Stored: Number + Texel {
    /// The type in the buffer.
    type Word: gl::Element + Default;

    fn word(self) -> Self::Word;

    fn from_word(word: Self::Word) -> Self;
}

impl Stored for f32 {
    type Word = f32;

    fn word(self) -> f32 {
        self
    }

    fn from_word(word: f32) -> f32 {
        word
    }
}

impl Stored for i32 {
    type Word = i32;

    fn word(self) -> i32 {
        self
    }

    fn from_word(word: i32) -> i32 {
        word
    }
}

impl Stored for i16 {
    type Word = i32;

    fn word(self) -> i32 {
        self.into()
    }

    /// Converts a word to a number. The shader narrowed the word, so nothing is cut off here.
    fn from_word(word: i32) -> i16 {
        word as i16
    }
}
