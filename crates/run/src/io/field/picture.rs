//! Pictures as fields, a pixel a cell.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat,
    ImageReader, Limits,
};

use super::{Depth, PictureOptions, Written, palette};
use crate::io::ColourMap;
use crate::io::picture::NOT_FINITE;
use quadrille::data::{Field, Values};
use quadrille::internal::io::{in_file, no_memory, reading, whole_file};
use quadrille::io::{Error, Result};
use quadrille::{Extent, memory};

/// Reads colours of 0 to 1, in as many channels as the picture has.
pub(super) fn read(path: &Path) -> Result<(Field, Depth)> {
    let file = File::open(path).map_err(reading(path))?;
    decoded(BufReader::new(file), path)
}

/// Reads a picture as [`read`] does, from bytes whose name is for errors. The format is the
/// content's; the name's is tried where the content has none.
pub(super) fn decoded(mut file: impl BufRead + Seek, path: &Path) -> Result<(Field, Depth)> {
    palette::check(&mut file, path)?;
    file.rewind().map_err(reading(path))?;
    let mut reader = ImageReader::new(file);
    if let Ok(format) = ImageFormat::from_path(path) {
        reader.set_format(format);
    }
    let reader = reader.with_guessed_format().map_err(reading(path))?;
    let picture = reader.into_decoder().map_err(of_library(path))?;
    // What a few bytes may claim has the library's own limit, which only its `decode` looks at.
    Limits::default().reserve(picture.total_bytes()).map_err(of_library(path))?;
    // The library ends the process where it gets no memory; there may be a second copy of all
    // pixels.
    let bytes = usize::try_from(picture.total_bytes()).unwrap_or(usize::MAX);
    memory::must_have(bytes.saturating_mul(2)).map_err(no_memory(path))?;
    let picture = DynamicImage::from_decoder(picture).map_err(of_library(path))?;
    let extent = Extent::new(picture.width(), picture.height());
    let channels = usize::from(picture.color().channel_count());
    let deep = picture.color().bytes_per_pixel() > picture.color().channel_count();
    let bytes = |bytes: Vec<u8>| {
        memory::collected(bytes.len(), bytes.iter().map(|x| f32::from(*x) / 255.0))
    };
    let words = |words: Vec<u16>| {
        memory::collected(words.len(), words.iter().map(|x| f32::from(*x) / 65535.0))
    };
    let numbers = match picture {
        DynamicImage::ImageLuma8(picture) => bytes(picture.into_raw()),
        DynamicImage::ImageLumaA8(picture) => bytes(picture.into_raw()),
        DynamicImage::ImageRgb8(picture) => bytes(picture.into_raw()),
        DynamicImage::ImageRgba8(picture) => bytes(picture.into_raw()),
        DynamicImage::ImageLuma16(picture) => words(picture.into_raw()),
        DynamicImage::ImageLumaA16(picture) => words(picture.into_raw()),
        DynamicImage::ImageRgb16(picture) => words(picture.into_raw()),
        DynamicImage::ImageRgba16(picture) => words(picture.into_raw()),
        other => {
            return Err(Error::Unsupported {
                place: whole_file(path),
                got: format!("a picture of {:?}", other.color()),
                accepted: "8 or 16 bits of grey or colour, with or without alpha",
            });
        }
    };
    let numbers = numbers.map_err(no_memory(path))?;
    let field = Field::new(extent, channels, numbers).map_err(in_file(path))?;
    Ok((field, if deep { Depth::Sixteen } else { Depth::Eight }))
}

/// Adds the file to an error of the library.
fn of_library(path: &Path) -> impl Fn(ImageError) -> Error {
    move |error| match error {
        ImageError::IoError(reason) if reason.raw_os_error().is_some() => reading(path)(reason),
        error => Error::Syntax {
            place: whole_file(path),
            expected: "a picture, PNG or JPEG".into(),
            got: error.to_string(),
        },
    }
}

/// Refuses a field of two numbers per cell, which are neither a level of grey nor a colour.
pub(super) fn check(path: &Path, channels: usize) -> Result<()> {
    if channels != 2 {
        return Ok(());
    }
    Err(Error::Unsupported {
        place: whole_file(path),
        got: "a picture of 2 channels".into(),
        accepted: "1 channel, a shade of grey or a number through a colour map, or 3 or 4, a colour: write a .npy, or \
                   let the shader give a second output as a float or a vec3; grey with alpha is a vec4 too",
    })
}

/// The formats that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
}

/// The quality, from 1 to 100: edges stay sharp at a tenth of the bytes of a `.png` of a
/// photograph.
const JPEG_QUALITY: u8 = 90;

/// Returns the file of a picture, whose name is for errors.
pub(super) fn encoded(
    path: &Path,
    field: &Field,
    options: PictureOptions,
    format: Format,
) -> Result<(Vec<u8>, Written)> {
    let options = match format {
        Format::Png => options,
        Format::Jpeg => PictureOptions { depth: Depth::Eight, ..options },
    };
    // The pixels and the file, which may be a little longer than they are.
    let bytes = field.extent().texels().saturating_mul(field.channels().max(3));
    memory::must_have(bytes.saturating_mul(3 * options.depth.bytes())).map_err(no_memory(path))?;
    let (pixels, mut told) = pixels(field, options);
    let Extent { width, height } = field.extent();
    let mut bytes = Vec::new();
    let encoded = match format {
        Format::Png => {
            PngEncoder::new(&mut bytes).write_image(&pixels.bytes, width, height, pixels.kind)
        }
        Format::Jpeg => {
            let pixels = pixels.opaque(&mut told);
            let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
            encoder.write_image(&pixels.bytes, width, height, pixels.kind)
        }
    };
    encoded.map_err(|error| {
        let reason = std::io::Error::other(error);
        Error::Write { place: whole_file(path), reason }
    })?;
    Ok((bytes, told))
}

/// Returns the pixels of a field, which is not of two channels.
pub(super) fn pixels(field: &Field, options: PictureOptions) -> (Pixels, Written) {
    match (field.channels(), options.colours) {
        (1, Some(colours)) => on_scale(field, colours, options.range),
        _ => as_light(field, options),
    }
}

/// The encoder's input: levels row by row, those of 16 bits in this machine's byte order.
pub(super) struct Pixels {
    pub(super) bytes: Vec<u8>,
    pub(super) kind: ExtendedColorType,
}

impl Pixels {
    /// Removes an alpha of eight bits, and counts the pixels that it made transparent.
    pub(super) fn opaque(self, told: &mut Written) -> Pixels {
        if self.kind != ExtendedColorType::Rgba8 {
            return self;
        }
        let (pixels, _) = self.bytes.as_chunks::<4>();
        told.transparent += pixels.iter().filter(|[.., alpha]| *alpha < u8::MAX).count();
        let bytes = pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
        Pixels { bytes, kind: ExtendedColorType::Rgb8 }
    }
}

/// Maps one number per cell through a colour map.
fn on_scale(field: &Field, colours: ColourMap, range: Option<(f64, f64)>) -> (Pixels, Written) {
    let range = range.or_else(|| finite_range(field.values())).unwrap_or((0.0, 1.0));
    let mut told = Written { range: Some(range), ..Written::default() };
    let mut bytes = Vec::with_capacity(3 * field.extent().texels());
    for number in field.values().doubles() {
        let part = told.part(number, range);
        bytes.extend(if number.is_nan() { NOT_FINITE.0 } else { colours.at(part) });
    }
    (Pixels { bytes, kind: ExtendedColorType::Rgb8 }, told)
}

/// Returns the least and the greatest of the finite numbers.
fn finite_range(numbers: &Values) -> Option<(f64, f64)> {
    numbers.doubles().filter(|number| number.is_finite()).fold(None, |range, number| {
        let (low, high) = range.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    })
}

/// Takes one, three or four numbers per cell as the levels of the channels.
fn as_light(field: &Field, options: PictureOptions) -> (Pixels, Written) {
    let white = options.depth.white();
    let full = if matches!(field.values(), Values::F32(_)) { 1.0 } else { white };
    let range = options.range.filter(|_| field.channels() == 1).unwrap_or((0.0, full));
    let mut told = Written { range: Some(range), ..Written::default() };
    let mut bytes = Vec::with_capacity(field.values().len() * options.depth.bytes());
    for number in field.values().doubles() {
        // As an integer, NaN is 0.
        let level = (told.part(number, range) * white).clamp(0.0, white).round();
        match options.depth {
            Depth::Eight => bytes.push(level as u8),
            Depth::Sixteen => bytes.extend((level as u16).to_ne_bytes()),
        }
    }
    let kind = match (field.channels(), options.depth) {
        (1, Depth::Eight) => ExtendedColorType::L8,
        (1, Depth::Sixteen) => ExtendedColorType::L16,
        (3, Depth::Eight) => ExtendedColorType::Rgb8,
        (3, Depth::Sixteen) => ExtendedColorType::Rgb16,
        (_, Depth::Eight) => ExtendedColorType::Rgba8,
        (_, Depth::Sixteen) => ExtendedColorType::Rgba16,
    };
    (Pixels { bytes, kind }, told)
}

impl Depth {
    /// Returns the greatest level.
    fn white(self) -> f64 {
        match self {
            Depth::Eight => 255.0,
            Depth::Sixteen => 65535.0,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Depth::Eight => 1,
            Depth::Sixteen => 2,
        }
    }
}

impl Written {
    /// Maps a number from the range to 0 to 1, and counts numbers outside of the range and NaN.
    fn part(&mut self, number: f64, (low, high): (f64, f64)) -> f64 {
        self.nan += usize::from(number.is_nan());
        self.outside += usize::from(number < low || number > high);
        // Where all numbers are equal, they are in the middle.
        if high > low { (number - low) / (high - low) } else { 0.5 }
    }
}
