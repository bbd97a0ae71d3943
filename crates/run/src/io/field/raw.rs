//! Fields as raw pixels, for a video encoder.

use std::path::Path;

use image::ExtendedColorType;

use super::picture::{self, Pixels};
use super::{Depth, PictureOptions, Written};
use quadrille::data::{Field, Values};
use quadrille::internal::io::{no_memory, whole_file};
use quadrille::internal::named;
use quadrille::io::{self, Error};
use quadrille::memory;

/// The pixel format of a stream of frames: row by row from y = 0 on, without a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Raw {
    /// A byte of grey, of a field of one channel; colour maps do not apply.
    Gray,
    /// Three bytes: red, green, blue. One channel goes through the colour map, and alpha is left
    /// out.
    Rgb24,
    /// Four bytes, of any field that a picture shows.
    Rgba,
    /// The floats of all channels, with the low byte first.
    F32,
}

// The names are those of video encoders, which have none for floats.
named!(Raw: "raw format" {
    Gray: "gray",
    Rgb24: "rgb24",
    Rgba: "rgba",
    F32: "f32",
});

impl Raw {
    /// Refuses a field that has no such pixels, before the field is computed; `name` is that of the
    /// stream in errors.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn check(self, name: impl AsRef<Path>, channels: usize, floats: bool) -> io::Result<()> {
        let name = name.as_ref();
        let accepted = match self {
            Raw::Gray if channels != 1 => "1 channel",
            Raw::F32 if !floats => "floats",
            Raw::Rgb24 | Raw::Rgba => return picture::check(name, channels),
            Raw::Gray | Raw::F32 => return Ok(()),
        };
        let what = if floats { "floats" } else { "integers" };
        let got = format!("{channels} channels of {what} as raw {self}");
        Err(Error::Unsupported { place: whole_file(name), got, accepted })
    }

    /// Returns the bytes of a field, as [`write()`](super::write()) would draw it with eight bits.
    ///
    /// ```
    /// use quadrille::{Extent, data::Field};
    /// use quadrille_run::io::field::{PictureOptions, Raw};
    /// let red = Field::new(Extent::new(1, 1), 4, vec![1.0_f32, 0.0, 0.0, 1.0])?;
    /// let (bytes, _) = Raw::Rgb24.bytes("frame", &red, PictureOptions::plain())?;
    /// assert_eq!(bytes, [255, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`check`](Raw::check); [`Error::Data`] without memory.
    pub fn bytes(
        self,
        name: impl AsRef<Path>,
        field: &Field,
        options: PictureOptions,
    ) -> io::Result<(Vec<u8>, Written)> {
        let name = name.as_ref();
        self.check(name, field.channels(), matches!(field.values(), Values::F32(_)))?;
        memory::must_have(field.extent().texels().saturating_mul(16)).map_err(no_memory(name))?;
        if let (Raw::F32, Values::F32(numbers)) = (self, field.values()) {
            let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            return Ok((bytes, Written::default()));
        }
        let colours = options.colours.filter(|_| self != Raw::Gray);
        let options = PictureOptions { colours, depth: Depth::Eight, ..options };
        let (pixels, mut told) = picture::pixels(field, options);
        let bytes = match self {
            Raw::Rgb24 => coloured(pixels.opaque(&mut told)).bytes,
            Raw::Rgba => with_alpha(coloured(pixels)),
            Raw::Gray | Raw::F32 => pixels.bytes,
        };
        // Who asks for pixels without alpha knows that there is none.
        Ok((bytes, Written { transparent: 0, ..told }))
    }
}

/// Converts grey levels to colours.
fn coloured(pixels: Pixels) -> Pixels {
    if pixels.kind != ExtendedColorType::L8 {
        return pixels;
    }
    let bytes = pixels.bytes.iter().flat_map(|grey| [*grey; 3]).collect();
    Pixels { bytes, kind: ExtendedColorType::Rgb8 }
}

/// Colours with an alpha, opaque where they have none.
fn with_alpha(pixels: Pixels) -> Vec<u8> {
    if pixels.kind == ExtendedColorType::Rgba8 {
        return pixels.bytes;
    }
    let (colours, _) = pixels.bytes.as_chunks::<3>();
    colours.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, u8::MAX]).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::io::ColourMap;
    use quadrille::Extent;

    fn bytes(raw: Raw, channels: usize, numbers: &[f32], options: PictureOptions) -> Vec<u8> {
        let extent = Extent::new((numbers.len() / channels) as u32, 1);
        let field = Field::new(extent, channels, numbers.to_vec()).unwrap();
        raw.bytes("-", &field, options).unwrap().0
    }

    #[test]
    fn pixels_have_the_channels_of_the_format() {
        let plain = PictureOptions::plain();
        let colour = [0.0, 0.2, 1.0, 1.5, -1.0, 0.6];
        let alpha = [0.0, 0.2, 1.0, 0.4];
        assert_eq!(bytes(Raw::Gray, 1, &[0.0, 0.2, 1.0], plain), [0, 51, 255]);
        assert_eq!(bytes(Raw::Rgb24, 1, &[0.2], plain), [51; 3]);
        assert_eq!(bytes(Raw::Rgb24, 3, &colour, plain), [0, 51, 255, 255, 0, 153]);
        assert_eq!(bytes(Raw::Rgb24, 4, &alpha, plain), [0, 51, 255]);
        assert_eq!(bytes(Raw::Rgba, 1, &[0.2], plain), [51, 51, 51, 255]);
        assert_eq!(bytes(Raw::Rgba, 3, &colour[..3], plain), [0, 51, 255, 255]);
        assert_eq!(bytes(Raw::Rgba, 4, &alpha, plain), [0, 51, 255, 102]);
        let two = [1.0_f32, -0.5];
        assert_eq!(bytes(Raw::F32, 2, &two, plain), two.map(f32::to_le_bytes).concat());
    }

    #[test]
    fn a_colour_map_applies_to_colours_alone() {
        let mapped = PictureOptions { range: Some((0.0, 2.0)), ..PictureOptions::default() };
        assert_eq!(bytes(Raw::Gray, 1, &[1.0], mapped), [128]);
        assert_eq!(bytes(Raw::Rgb24, 1, &[1.0], mapped), ColourMap::Viridis.at(0.5));
    }

    #[test]
    fn other_fields_are_refused() {
        for (raw, channels, floats, accepted) in [
            (Raw::Gray, 3, true, "1 channel"),
            (Raw::F32, 1, false, "floats"),
            (Raw::Rgb24, 2, true, "3 or 4"),
            (Raw::Rgba, 2, true, "3 or 4"),
        ] {
            let error = raw.check("-", channels, floats).unwrap_err().to_string();
            assert!(error.contains(accepted), "{error}");
        }
    }
}
