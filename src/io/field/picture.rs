//! Pictures as fields, a pixel a cell.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, ImageReader, RgbaImage};

use super::{Look, Written};
use crate::Extent;
use crate::data::{Field, Numbers};
use crate::io::error::{in_file, reading, whole_file};
use crate::io::picture::NOT_FINITE;
use crate::io::whole::write_whole;
use crate::io::{Error, Result};

/// Colours of 0 to 1, in as many channels as the picture has.
pub(super) fn read(path: &Path) -> Result<Field> {
    let reader = ImageReader::open(path).and_then(ImageReader::with_guessed_format);
    let picture = reader.map_err(reading(path))?.decode().map_err(|error| match error {
        image::ImageError::IoError(reason) if reason.raw_os_error().is_some() => {
            reading(path)(reason)
        }
        error => Error::Syntax {
            place: whole_file(path),
            expected: "a picture, PNG or JPEG".into(),
            got: error.to_string(),
        },
    })?;
    let extent = Extent::new(picture.width(), picture.height());
    let channels = usize::from(picture.color().channel_count());
    let bytes = |bytes: Vec<u8>| bytes.iter().map(|x| f32::from(*x) / 255.0).collect::<Vec<f32>>();
    let words = |words: Vec<u16>| words.iter().map(|x| f32::from(*x) / 65535.0).collect();
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
    Field::new(extent, channels, numbers).map_err(in_file(path))
}

/// Two numbers are neither a shade nor a colour.
pub(super) fn check(path: &Path, channels: usize) -> Result<()> {
    if channels != 2 {
        return Ok(());
    }
    Err(Error::Unsupported {
        place: whole_file(path),
        got: "a picture of 2 channels".into(),
        accepted: "1 channel, which a colour scale shows, or 3 or 4, a colour: write a .npy, or let the shader give \
                   a second output as a float or a vec3",
    })
}

pub(super) fn write(path: &Path, field: &Field, look: Look) -> Result<Written> {
    let (pixels, told) = match field.channels() {
        1 => shades(field, look),
        channels => colours(field, channels),
    };
    let Extent { width, height } = field.extent();
    let failed = |reason| Error::Write { place: whole_file(path), reason };
    let mut picture = RgbaImage::from_raw(width, height, pixels)
        .map(DynamicImage::ImageRgba8)
        .ok_or_else(|| failed(std::io::Error::other("it is too large for a picture")))?;
    if field.channels() != 4 {
        picture = DynamicImage::ImageRgb8(picture.into_rgb8());
    }
    let mut bytes = Cursor::new(Vec::new());
    let written = picture.write_to(&mut bytes, ImageFormat::Png);
    written.map_err(|error| failed(std::io::Error::other(error)))?;
    write_whole(path, |file| std::io::Write::write_all(file, bytes.get_ref()))?;
    Ok(told)
}

/// One number a cell by a scale of colours.
fn shades(field: &Field, look: Look) -> (Vec<u8>, Written) {
    let (low, high) = look.range.or_else(|| range(field.numbers())).unwrap_or((0.0, 1.0));
    let mut told = Written::default();
    let mut pixels = Vec::with_capacity(4 * field.extent().texels());
    for number in field.numbers().doubles() {
        told.nan += usize::from(number.is_nan());
        told.outside += usize::from(number < low || number > high);
        // Where all numbers are one, it lies in the middle of the scale.
        let part = if high > low { (number - low) / (high - low) } else { 0.5 };
        let [red, green, blue] = if number.is_nan() { NOT_FINITE.0 } else { look.colours.at(part) };
        pixels.extend([red, green, blue, 255]);
    }
    (pixels, told)
}

/// The least and the greatest of the finite numbers.
fn range(numbers: &Numbers) -> Option<(f64, f64)> {
    numbers.doubles().filter(|number| number.is_finite()).fold(None, |range, number| {
        let (low, high) = range.unwrap_or((number, number));
        Some((low.min(number), high.max(number)))
    })
}

/// Three or four numbers a cell, each a part of a colour.
fn colours(field: &Field, channels: usize) -> (Vec<u8>, Written) {
    let full = if matches!(field.numbers(), Numbers::F32(_)) { 1.0 } else { 255.0 };
    let mut told = Written::default();
    let mut pixels = Vec::with_capacity(4 * field.extent().texels());
    for (index, number) in field.numbers().doubles().enumerate() {
        told.nan += usize::from(number.is_nan());
        told.outside += usize::from(number < 0.0 || number > full);
        // As an integer, NaN is 0.
        pixels.push((number / full * 255.0).clamp(0.0, 255.0).round() as u8);
        if channels == 3 && index % 3 == 2 {
            pixels.push(255);
        }
    }
    (pixels, told)
}
