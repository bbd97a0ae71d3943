//! Pictures: PNG of every type of colour and depth, and JPEG.

use super::mutation::mutate;
use super::npy::assert_placed;
use super::png::{self, Png};
use super::scratch::{self, Scratch, bounded};
use super::{Choices, Target, Verdicts};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use quadrille::data::{Field, Values};
use quadrille_run::io::field::{self, Depth, PictureOptions};

pub const TARGET: Target = Target { name: "picture", file, generated };

const WORDS: [&str; 8] = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "\x01\x02", "\0\0\0\0"];

/// A PNG that claims more is left out: the decoder makes room for all that is below its own limit.
const MOST_PIXELS: u64 = 1 << 20;

fn file(bytes: &[u8]) -> Verdicts {
    scratch::with(|scratch| read_all(scratch, bytes))
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    scratch::with(|scratch| {
        let file = match choices.one_in(4) {
            true => valid_jpeg(scratch, &mut choices),
            false => valid_png(scratch, &mut choices),
        };
        read_all(scratch, &file)
    })
}

/// A PNG that is read back exactly; then the same with a mutation of one chunk, whose checksum is
/// right again, or of the whole file.
fn valid_png(scratch: &Scratch, choices: &mut Choices) -> Vec<u8> {
    let picture = picture(choices);
    let mut chunks = picture.chunks();
    let path = scratch.file("valid.png", &png::file(&chunks));
    let field = field::read(&path).unwrap().0;
    let extent = field.extent();
    assert_eq!((extent.width, extent.height), (picture.width, picture.height));
    let expected = expected(&picture);
    assert_eq!(field.channels(), expected.len() / extent.texels());
    assert!(
        *field.values() == Values::F32(expected),
        "{} bits of type {}",
        picture.bits,
        picture.colour
    );
    if choices.one_in(4) {
        let mut file = png::file(&chunks);
        mutate(&mut file, choices, &WORDS);
        return file;
    }
    let chunk = choices.below(chunks.len());
    mutate(&mut chunks[chunk].1, choices, &WORDS);
    png::file(&chunks)
}

fn picture(choices: &mut Choices) -> Png {
    let (colour, bits) = choices.pick(&[
        (0, 1),
        (0, 2),
        (0, 4),
        (0, 8),
        (0, 16),
        (2, 8),
        (2, 16),
        (3, 1),
        (3, 2),
        (3, 4),
        (3, 8),
        (4, 8),
        (4, 16),
        (6, 8),
        (6, 16),
    ]);
    let (width, height) = (choices.between(1, 12) as u32, choices.between(1, 12) as u32);
    let colours = choices.between(1, 1 << u8::min(bits, 8));
    let palette = (0..colours).map(|_| [choices.byte(), choices.byte(), choices.byte()]).collect();
    let filters = (0..4).map(|_| choices.below(5) as u8).collect();
    let mut picture = Png { width, height, bits, colour, palette, samples: Vec::new(), filters };
    let most = if colour == 3 { colours } else { 1 << bits };
    let count = (width * height) as usize * picture.channels();
    picture.samples = (0..count).map(|_| choices.below(most) as u16).collect();
    picture
}

/// Colours from 0 to 1.
fn expected(picture: &Png) -> Vec<f32> {
    let samples = picture.samples.iter();
    match (picture.colour, picture.bits) {
        (3, _) => {
            let colours = samples.flat_map(|&index| picture.palette[usize::from(index)]);
            colours.map(|part| f32::from(part) / 255.0).collect()
        }
        (_, 16) => samples.map(|&sample| f32::from(sample) / 65535.0).collect(),
        (_, bits) => {
            // Few bits are repeated until they fill a byte: 255 is a multiple of 1, 3, 15 and 255.
            let step = 255 / ((1_u16 << bits) - 1);
            samples.map(|&sample| f32::from(sample * step) / 255.0).collect()
        }
    }
}

/// A JPEG of one colour, which the format keeps to a few steps of 255; then the same with one
/// mutation.
fn valid_jpeg(scratch: &Scratch, choices: &mut Choices) -> Vec<u8> {
    let (width, height) = (choices.between(1, 40) as u32, choices.between(1, 40) as u32);
    let grey = choices.one_in(2);
    let (colours, kind) = match grey {
        true => (vec![choices.byte()], ExtendedColorType::L8),
        false => (vec![choices.byte(), choices.byte(), choices.byte()], ExtendedColorType::Rgb8),
    };
    let pixels = colours.repeat((width * height) as usize);
    let mut file = Vec::new();
    JpegEncoder::new_with_quality(&mut file, 95).encode(&pixels, width, height, kind).unwrap();
    let field = field::read(scratch.file("valid.jpg", &file)).unwrap().0;
    assert_eq!((field.extent().width, field.extent().height), (width, height));
    assert_eq!(field.channels(), colours.len());
    for (number, want) in field.values().doubles().zip(&pixels) {
        let apart = (number * 255.0 - f64::from(*want)).abs();
        assert!(apart < 8.0, "{} for {want}", number * 255.0);
    }
    mutate(&mut file, choices, &["\u{7f}", "\0"]);
    file
}

/// The pixels that a PNG's header claims.
fn claimed_pixels(bytes: &[u8]) -> u64 {
    let side = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    match (bytes.starts_with(b"\x89PNG"), side(16), side(20)) {
        (true, Some(width), Some(height)) => u64::from(width) * u64::from(height),
        _ => 0,
    }
}

/// Reads any bytes.
fn read_all(scratch: &Scratch, bytes: &[u8]) -> Verdicts {
    let mut verdicts = Verdicts::default();
    if claimed_pixels(bytes) > MOST_PIXELS {
        return verdicts;
    }
    let path = scratch.file("any.png", bytes);
    // A deflated byte becomes at most 1032, each of them eight pixels, each of four floats; and
    // JPEG is bounded by the decoder's own limit of 512 MiB, which a few bytes may claim.
    let read = bounded(3 << 30, || field::read(&path));
    verdicts.count(&read);
    match read {
        Ok((field, notes)) => {
            assert_eq!(field.extent().texels() * field.channels(), field.values().len());
            assert!(field.values().doubles().all(|number| (0.0..=1.0).contains(&number)));
            if field.extent().texels() < 1 << 16 {
                assert_same_when_written_again(scratch, &field, notes.picture.unwrap());
            }
        }
        Err(error) => assert_placed(&error, "any.png"),
    }
    verdicts
}

/// Written as an array it is the same, and as a picture of its own depth too, where that has its
/// channels.
fn assert_same_when_written_again(scratch: &Scratch, field: &Field, depth: Depth) {
    let look = PictureOptions::plain().depth(depth);
    let names =
        if field.channels() == 2 { &["again.npy"][..] } else { &["again.npy", "again.png"] };
    for name in names {
        let again = scratch.path(name);
        field::write(&again, field, look).unwrap();
        assert!(field::read(&again).unwrap().0 == *field, "{name}");
    }
}
