//! The sampling of a texture: between the centres of texels, and outside of it.

use crate::gl::{Error, Result};

/// The value of a sample between the centres of texels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Filter {
    /// The nearest texel.
    #[default]
    Nearest,
    /// The bilinear interpolation of the four texels around it.
    Linear,
    /// The same in the two levels of the texture that are nearest in size to what is drawn, and
    /// between these, so that what is shrunk is averaged. Each texel of a level is the mean of the
    /// part of the level before that it covers.
    Mipmap,
}

/// The value of a sample outside of the texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wrap {
    /// The nearest texel of the edge.
    #[default]
    Clamp,
    /// The texture repeats, as on a periodic domain.
    Repeat,
    /// The texture repeats, and each other copy is mirrored.
    Mirror,
}

/// The way `texture()` samples a texture. The prelude's `READ` reads texels exactly, whatever this
/// is. Functions that name a level read levels by any filter: see [`shader`](crate::shader#levels).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sampling {
    /// The filter between the centres of texels.
    pub filter: Filter,
    /// The wrap mode outside of the texture.
    pub wrap: Wrap,
}

/// Modes of sampling are shown by their names, and read by them; the text lists those for whom any other is an error.
macro_rules! modes {
    ($($type:ident, $what:literal, $all:literal: $($mode:ident $name:literal),+;)+) => { $(
        impl std::str::FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<$type> {
                match text {
                    $($name => Ok($type::$mode),)+
                    got => Err(Error::UnknownSampling { what: $what, expected: $all, got: got.into() }),
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self {
                    $($type::$mode => $name,)+
                })
            }
        }
    )+ };
}

modes! {
    Filter, "filter", "nearest, linear or mipmap": Nearest "nearest", Linear "linear", Mipmap "mipmap";
    Wrap, "wrap mode", "clamp, repeat or mirror": Clamp "clamp", Repeat "repeat", Mirror "mirror";
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_say_what_is_expected() {
        for filter in [Filter::Nearest, Filter::Linear, Filter::Mipmap] {
            assert_eq!(filter.to_string().parse::<Filter>().unwrap(), filter);
        }
        for wrap in [Wrap::Clamp, Wrap::Repeat, Wrap::Mirror] {
            assert_eq!(wrap.to_string().parse::<Wrap>().unwrap(), wrap);
        }
        let error = "bilinear".parse::<Filter>().unwrap_err().to_string();
        assert_eq!(error, "unknown filter `bilinear`: expected nearest, linear or mipmap");
        let error = "Repeat".parse::<Wrap>().unwrap_err().to_string();
        assert_eq!(error, "unknown wrap mode `Repeat`: expected clamp, repeat or mirror");
    }
}
