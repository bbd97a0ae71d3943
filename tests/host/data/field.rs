//! Fields from files and to files: what comes back, and what is refused.

use crate::files::{Folder, doubles, npy, singles};
use quadrille::Extent;
use quadrille::data::{Field, Values};
use quadrille::internal::reference::is_near;
use quadrille_run::io::ColourMap;
use quadrille_run::io::field::{self, Depth, PictureOptions};

fn read(folder: &Folder, name: &str) -> Field {
    field::read(folder.file(name)).unwrap().0
}

#[track_caller]
fn refused(folder: &Folder, name: &str, parts: &[&str]) {
    let error = field::read(folder.file(name)).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "`{part}` in {error}");
    }
}

fn made(width: u32, height: u32, channels: usize, numbers: impl Into<Values>) -> Field {
    Field::new(Extent::new(width, height), channels, numbers).unwrap()
}

/// The bytes of a PNG, and its channels.
fn pixels(folder: &Folder, name: &str) -> (Vec<u8>, usize) {
    let picture = image::open(folder.file(name)).unwrap();
    let channels = usize::from(picture.color().channel_count());
    (picture.into_bytes(), channels)
}

#[test]
fn arrays_of_every_shape_and_class_come_back() {
    let folder = Folder::new();
    let floats: Vec<f32> = (0..24).map(|i| i as f32 / 7.0 - 1.0).collect();
    let fields = [
        Field::line(floats.clone()).unwrap(),
        made(6, 4, 1, floats.clone()),
        made(1, 24, 1, floats.clone()),
        made(24, 1, 1, floats.clone()),
        made(2, 3, 4, floats.clone()),
        made(4, 2, 3, floats),
        made(3, 1, 2, vec![i32::MIN, -1, 0, 1, 2, i32::MAX]),
        made(1, 3, 1, vec![0, 1 << 31, u32::MAX]),
    ];
    for field in fields {
        field::write(folder.file("a.npy"), &field, PictureOptions::default()).unwrap();
        assert_eq!(read(&folder, "a.npy"), field);
    }
}

#[test]
fn every_type_of_array_is_read_as_what_it_is() {
    let folder = Folder::new();
    let file = |kind: &str, bytes: &[u8]| {
        folder.write("a.npy", npy(kind, false, "(2,)", bytes));
        read(&folder, "a.npy").into_values()
    };
    assert_eq!(
        file("<f4", &singles(&[1.5, f32::NEG_INFINITY])),
        vec![1.5, f32::NEG_INFINITY].into()
    );
    assert_eq!(file("|u1", &[0, 255]), vec![0_u32, 255].into());
    assert_eq!(file("|b1", &[0, 1]), vec![0_u32, 1].into());
    assert_eq!(file("<u2", &[1, 0, 0, 1]), vec![1_u32, 256].into());
    assert_eq!(file("<u4", &[255, 255, 255, 255, 1, 0, 0, 0]), vec![u32::MAX, 1].into());
    assert_eq!(file("|i1", &[128, 127]), vec![-128, 127].into());
    assert_eq!(file("<i2", &[255, 255, 1, 0]), vec![-1, 1].into());
    assert_eq!(file(">i4", &[0, 0, 0, 7, 255, 255, 255, 255]), vec![7, -1].into());
    let eight: Vec<u8> = [-5_i64, 5].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(file("<i8", &eight), vec![-5, 5].into());
}

#[test]
fn doubles_are_rounded_and_the_notes_say_so() {
    let folder = Folder::new();
    folder.write("a.npy", npy("<f8", false, "(2,)", &doubles(&[0.1, 2.0])));
    let (field, notes) = field::read(folder.file("a.npy")).unwrap();
    assert_eq!(field.values(), &Values::F32(vec![0.1, 2.0]));
    assert!(notes.rounded);
    folder.write("a.npy", npy("<f8", false, "(2,)", &doubles(&[0.5, 2.0])));
    assert!(!field::read(folder.file("a.npy")).unwrap().1.rounded);
}

#[test]
fn the_order_of_the_file_does_not_matter() {
    let folder = Folder::new();
    folder.write("a.npy", npy("<f4", true, "(2, 3)", &singles(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])));
    assert_eq!(read(&folder, "a.npy"), made(3, 2, 1, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
}

#[test]
fn what_is_no_grid_is_refused_with_what_is_one() {
    let folder = Folder::new();
    for (shape, count) in [("(1, 1, 5)", 5), ("(1, 1, 1, 1)", 1), ("()", 1)] {
        folder.write("a.npy", npy("<f4", false, shape, &singles(&vec![0.0; count])));
        refused(&folder, "a.npy", &["a.npy", "1 to 4 numbers"]);
    }
    for shape in ["(0,)", "(0, 3)", "(2, 0, 3)"] {
        folder.write("a.npy", npy("<f4", false, shape, &[]));
        refused(&folder, "a.npy", &["a.npy", "at least one cell"]);
    }
    folder.write("a.npy", npy("<c8", false, "(1,)", &[0; 8]));
    refused(&folder, "a.npy", &["c8", "f4", "u4 or bool"]);
    folder.write("a.npy", npy("<u8", false, "(1,)", &[0; 8]));
    refused(&folder, "a.npy", &["u8", "u4"]);
    folder.write("a.npy", npy("<f4", false, "(2,)", &[0; 4]));
    refused(&folder, "a.npy", &["a.npy"]);
    refused(&folder, "none.npy", &["none.npy", "cannot read"]);
    refused(&folder, "a.tif", &["a.tif", ".npy, .png, .jpg"]);
}

#[test]
fn pictures_are_read_top_row_first_in_their_channels() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..24).map(|i| i * 10).collect();
    let colours: Vec<f32> = bytes.iter().map(|x| f32::from(*x) / 255.0).collect();
    for (kind, width, channels) in [
        (image::ExtendedColorType::L8, 6, 1),
        (image::ExtendedColorType::La8, 3, 2),
        (image::ExtendedColorType::Rgb8, 2, 3),
    ] {
        image::save_buffer(folder.file("a.png"), &bytes, width, 4, kind).unwrap();
        assert_eq!(read(&folder, "a.png"), made(width, 4, channels, colours.clone()));
    }
    let kind = image::ExtendedColorType::Rgba8;
    image::save_buffer(folder.file("a.png"), &bytes, 2, 3, kind).unwrap();
    assert_eq!(read(&folder, "a.png"), made(2, 3, 4, colours));
    let deep = image::ImageBuffer::<image::Luma<u16>, _>::from_vec(2, 1, vec![1, 65535]).unwrap();
    deep.save(folder.file("a.png")).unwrap();
    assert_eq!(read(&folder, "a.png"), made(2, 1, 1, vec![1.0 / 65535.0, 1.0]));
}

/// A JPEG loses a little; a flat one little more than nothing.
#[test]
fn a_jpeg_is_read_whatever_its_name_says_of_it() {
    let folder = Folder::new();
    let flat = image::RgbImage::from_pixel(16, 8, image::Rgb([200, 100, 50]));
    for name in ["a.jpg", "a.jpeg"] {
        flat.save(folder.file(name)).unwrap();
        let field = read(&folder, name);
        assert_eq!((field.extent(), field.channels()), (Extent::new(16, 8), 3));
        let wanted = [200.0, 100.0, 50.0].map(|x| x / 255.0);
        for (i, number) in field.values().doubles().enumerate() {
            assert!(is_near(number, wanted[i % 3], 0.02), "{number} at {i}");
        }
    }
    std::fs::rename(folder.file("a.jpg"), folder.file("b.png")).unwrap();
    assert_eq!(read(&folder, "b.png").extent(), Extent::new(16, 8));
}

#[test]
fn what_is_no_picture_is_refused() {
    let folder = Folder::new();
    folder.write("a.png", "no picture");
    refused(&folder, "a.png", &["a.png", "PNG or JPEG"]);
    folder.write("a.jpg", "");
    refused(&folder, "a.jpg", &["a.jpg"]);
    image::RgbImage::new(64, 64).save(folder.file("b.png")).unwrap();
    let whole = std::fs::read(folder.file("b.png")).unwrap();
    folder.write("c.png", &whole[..whole.len() / 2]);
    refused(&folder, "c.png", &["c.png"]);
}

#[test]
fn colours_are_clamped_and_what_was_outside_is_counted() {
    let folder = Folder::new();
    let field = made(2, 1, 3, vec![0.0, 0.5, 1.0, -0.1, f32::INFINITY, f32::NAN]);
    let written = field::write(folder.file("a.png"), &field, PictureOptions::default()).unwrap();
    assert_eq!((written.outside, written.nan), (2, 1));
    assert_eq!(pixels(&folder, "a.png"), (vec![0, 128, 255, 0, 255, 0], 3));
    let field = made(1, 1, 4, vec![7, 300, -1, 128]);
    let written = field::write(folder.file("a.png"), &field, PictureOptions::default()).unwrap();
    assert_eq!((written.outside, written.nan), (2, 0));
    assert_eq!(pixels(&folder, "a.png"), (vec![7, 255, 0, 128], 4));
}

/// A picture that was read is written as it was, whatever its channels and its depth.
#[test]
fn pictures_survive_both_ways() {
    use image::ExtendedColorType as Kind;
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..=255).flat_map(|i| [i, 255 - i, i / 2, i / 3]).collect();
    // All the levels that 16 bits have, and in every channel.
    let words: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_ne_bytes).collect();
    for (levels, width, height, kind) in [
        (&bytes, 32, 32, Kind::L8),
        (&bytes[..768].to_vec(), 16, 16, Kind::Rgb8),
        (&bytes, 16, 16, Kind::Rgba8),
        (&words, 256, 256, Kind::L16),
        (&words[..2 * 65535].to_vec(), 85, 257, Kind::Rgb16),
        (&words, 128, 128, Kind::Rgba16),
    ] {
        image::save_buffer(folder.file("a.png"), levels, width, height, kind).unwrap();
        let (read, notes) = field::read(folder.file("a.png")).unwrap();
        let depth = notes.picture.unwrap();
        assert_eq!(depth == Depth::Sixteen, levels.len() > bytes.len(), "{kind:?}");
        let look = PictureOptions::plain().depth(depth);
        let written = field::write(folder.file("b.png"), &read, look).unwrap();
        assert_eq!((written.outside, written.nan, written.range), (0, 0, Some((0.0, 1.0))));
        let picture = image::open(folder.file("b.png")).unwrap();
        assert_eq!(Kind::from(picture.color()), kind);
        assert_eq!(picture.as_bytes(), &levels[..], "{kind:?}");
    }
    let line = Field::line(vec![0.0]).unwrap();
    field::write(folder.file("a.npy"), &line, PictureOptions::default()).unwrap();
    assert_eq!(field::read(folder.file("a.npy")).unwrap().1.picture, None);
}

#[test]
fn a_range_is_that_of_black_and_white_and_not_of_colours() {
    let folder = Folder::new();
    let shown = |field: &Field, look| {
        let written = field::write(folder.file("a.png"), field, look).unwrap();
        (pixels(&folder, "a.png"), written.outside)
    };
    let grey = made(5, 1, 1, vec![-0.5, 0.0, 0.5, 1.5, f32::NAN]);
    assert_eq!(shown(&grey, PictureOptions::plain()), ((vec![0, 0, 128, 255, 0], 1), 2));
    let wide = PictureOptions::plain().range((-0.5, 1.5));
    assert_eq!(shown(&grey, wide), ((vec![0, 64, 128, 255, 0], 1), 0));
    let colour = made(1, 1, 4, vec![-0.5, 0.5, 1.5, 0.5]);
    assert_eq!(shown(&colour, wide), ((vec![0, 128, 255, 128], 4), 2));
    let whole = made(3, 1, 1, vec![0, 200, 70000]);
    assert_eq!(shown(&whole, PictureOptions::plain()), ((vec![0, 200, 255], 1), 1));
    let deep = PictureOptions::plain().depth(Depth::Sixteen);
    shown(&whole, deep);
    let words = image::open(folder.file("a.png")).unwrap().into_luma16().into_raw();
    assert_eq!(words, [0, 200, 65535]);
}

#[test]
fn one_channel_goes_through_the_scale() {
    let folder = Folder::new();
    let field = made(4, 1, 1, vec![0.0, 1.0, 2.0, f32::NAN]);
    let shown = |colours, range| {
        let look = PictureOptions::new().colours(colours).range(range);
        let written = field::write(folder.file("a.png"), &field, look).unwrap();
        (pixels(&folder, "a.png").0, written.outside, written.nan)
    };
    let red = [230, 40, 40];
    let grey = |levels: [u8; 3]| [levels.map(|x| [x; 3]).concat(), red.to_vec()].concat();
    assert_eq!(shown(ColourMap::Grey, None), (grey([0, 128, 255]), 0, 1));
    assert_eq!(shown(ColourMap::Grey, Some((0.0, 1.0))), (grey([0, 255, 255]), 1, 1));
    // The ends of viridis, as its authors have them.
    let (viridis, ..) = shown(ColourMap::Viridis, None);
    assert_eq!((&viridis[..3], &viridis[6..9]), (&[68, 1, 84][..], &[253, 231, 37][..]));
}

#[test]
fn two_channels_are_no_picture_and_the_error_says_the_way_out() {
    let folder = Folder::new();
    let field = made(1, 1, 2, vec![0.0, 1.0]);
    let error = field::write(folder.file("a.png"), &field, PictureOptions::default()).unwrap_err();
    assert!(error.to_string().contains("second output"), "{error}");
    let error = field::write(folder.file("a.png"), &field, PictureOptions::plain()).unwrap_err();
    assert!(error.to_string().contains("grey with alpha is a vec4"), "{error}");
    let error = field::write(folder.file("a.jpg"), &field, PictureOptions::default()).unwrap_err();
    assert!(error.to_string().contains("write a .npy"), "{error}");
    assert_eq!(folder.names(), Vec::<String>::new());
}
