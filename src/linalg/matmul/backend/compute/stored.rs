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

macro_rules! stored {
    ($($type:ty as $word:ty),*) => { $(
        impl Stored for $type {
            type Word = $word;

            fn word(self) -> $word {
                self.into()
            }

            /// Converts a word to a number. The shader narrowed the word, so nothing is cut off here.
            fn from_word(word: $word) -> $type {
                word as $type
            }
        }
    )* };
}

stored!(f32 as f32, i32 as i32, i16 as i32);
