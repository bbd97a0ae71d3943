//! Pictures in shades of grey: colours to pasted shaders, and as many channels as they have to
//! plain ones.

use super::{EXTENT, Field, Setup, floats, nearest, pasted};
use crate::common::{each, random};
use image::{ImageBuffer, Luma, LumaA, Rgb};
use quadrille::shader::Source;
use quadrille_run::io::{FileNames, field};
use quadrille_run::{Dialect, Dialects};
use quadrille_run::{Experiment, Frames};
use std::path::Path;

const TEXTS: [(Dialect, &str); 5] = [
    (
        Dialect::Shadertoy,
        "void mainImage(out vec4 o, vec2 p) { o = texelFetch(iChannel0, ivec2(p), 0); }",
    ),
    (
        Dialect::Sandbox,
        "uniform vec2 resolution; uniform sampler2D iChannel0;
        void main() { gl_FragColor = texture2D(iChannel0, gl_FragCoord.xy / resolution); }",
    ),
    (
        Dialect::Legacy,
        "uniform sampler2D iChannel0; varying vec2 c; void main() { gl_FragColor = texture2D(iChannel0, c); }",
    ),
    (
        Dialect::Isf,
        "/*{ \"INPUTS\": [{ \"NAME\": \"iChannel0\", \"TYPE\": \"image\" }] }*/
        void main() { gl_FragColor = IMG_THIS_PIXEL(iChannel0); }",
    ),
    (
        Dialect::Plain,
        "uniform sampler2D iChannel0; out vec4 colour; void main() { colour = READ(iChannel0, TEXEL); }",
    ),
];

/// Levels of light, so that the array and the picture hold the same.
fn levels(count: usize, seed: u64) -> Vec<u8> {
    random(count, seed).iter().map(|x| (x.abs() * 255.0) as u8).collect()
}

fn light(level: u8) -> f32 {
    (f64::from(level) / 255.0) as f32
}

/// Writes a picture of one to three channels.
fn write(path: &Path, channels: usize, levels: Vec<u8>) {
    let (width, height) = (EXTENT.width, EXTENT.height);
    match channels {
        1 => ImageBuffer::<Luma<u8>, _>::from_raw(width, height, levels).unwrap().save(path),
        2 => ImageBuffer::<LumaA<u8>, _>::from_raw(width, height, levels).unwrap().save(path),
        _ => ImageBuffer::<Rgb<u8>, _>::from_raw(width, height, levels).unwrap().save(path),
    }
    .unwrap();
}

/// The values that a shader reads from a picture of these levels.
fn seen(dialect: Dialect, channels: usize, levels: &[u8]) -> Vec<f32> {
    let texel = |texel: &[u8]| {
        let v = light(texel[0]);
        match (dialect, channels) {
            (Dialect::Plain, 1) => [v, 0.0, 0.0, 1.0],
            (Dialect::Plain, 2) => [v, light(texel[1]), 0.0, 1.0],
            (_, 1) => [v, v, v, 1.0],
            (_, 2) => [v, v, v, light(texel[1])],
            _ => [v, light(texel[1]), light(texel[2]), 1.0],
        }
    };
    levels.chunks(channels).flat_map(texel).collect()
}

fn setup(dialect: Dialect) -> Setup {
    if dialect == Dialect::Plain { Setup::new() } else { nearest() }
}

fn result(mut experiment: Experiment) -> Vec<f32> {
    experiment.step().unwrap();
    floats(&experiment.read("colour").unwrap()).to_vec()
}

#[test]
fn shades_of_grey_are_colours_to_pasted_shaders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grey.png");
    for channels in [1, 2, 3] {
        let levels = levels(EXTENT.texels() * channels, channels as u64);
        write(&path, channels, levels.clone());
        let (picture, _) = field::read(&path).unwrap();
        assert_eq!(picture.channels(), channels);
        assert!(picture.is_picture());
        for (dialect, text) in TEXTS {
            let source = pasted(text).dialect(dialect);
            each(|context| {
                let given = setup(dialect).input("iChannel0", picture.clone());
                let got = result(Experiment::new(context, &source, given).unwrap());
                assert_eq!(got, seen(dialect, channels, &levels), "{dialect}, {channels} channels");
                // An array keeps its channels.
                let array = Field::new(EXTENT, channels, floats(&picture).to_vec()).unwrap();
                let given = setup(dialect).input("iChannel0", array);
                let got = result(Experiment::new(context, &source, given).unwrap());
                assert_eq!(got, seen(Dialect::Plain, channels, &levels), "{dialect}, an array");
            });
        }
    }
}

#[test]
fn frames_in_shades_of_grey_are_colours_too() {
    let folder = tempfile::tempdir().unwrap();
    let frames: Vec<(usize, Vec<u8>)> =
        [1, 3, 1].map(|channels| (channels, levels(EXTENT.texels() * channels, 5))).into();
    for (index, (channels, levels)) in frames.iter().enumerate() {
        write(&folder.path().join(format!("f-{index}.png")), *channels, levels.clone());
    }
    let names = format!("{}/f-%d.png", folder.path().display());
    let FileNames::Each(files) = FileNames::parse(&names).unwrap() else { panic!("{names}") };
    let (dialect, text) = TEXTS[0];
    let source = pasted(text).dialect(dialect);
    each(|context| {
        let (sequence, first, _) = Frames::find(&files).unwrap();
        let given = nearest().frames("iChannel0", sequence, first);
        let mut experiment = Experiment::new(context, &source, given).unwrap();
        for (channels, levels) in &frames {
            experiment.step().unwrap();
            let got = experiment.read("colour").unwrap();
            assert_eq!(floats(&got), seen(dialect, *channels, levels));
        }
    });
}

#[test]
fn what_feeds_back_may_begin_with_shades_of_grey() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grey.png");
    let levels = levels(EXTENT.texels(), 3);
    write(&path, 1, levels.clone());
    let (picture, _) = field::read(&path).unwrap();
    let text =
        "void mainImage(out vec4 o, vec2 p) { o = 0.5 * texelFetch(iChannel0, ivec2(p), 0); }";
    let source = pasted(text);
    each(|context| {
        let given = nearest().input("iChannel0", picture.clone()).feedback("colour", "iChannel0");
        let mut experiment = Experiment::new(context, &source, given).unwrap();
        experiment.advance(2, &mut ()).unwrap();
        let wanted: Vec<f32> =
            seen(Dialect::Shadertoy, 1, &levels).iter().map(|light| light * 0.25).collect();
        assert_eq!(floats(&experiment.read("colour").unwrap()), wanted);
    });
}

#[test]
fn a_picture_has_no_layers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("colours.png");
    write(&path, 3, levels(EXTENT.texels() * 3, 1));
    let (picture, _) = field::read(&path).unwrap();
    let text = "uniform sampler2DArray x; out vec4 y;
        void main() { y = texelFetch(x, ivec3(TEXEL, 0), 0); }";
    each(|context| {
        let source = Source::fragment("layers.frag", text);
        let given = Setup::new().input("x", picture.clone());
        let error = Experiment::new(context, &source, given).err().unwrap();
        assert_eq!(
            error.to_string(),
            "input `x` is a picture, and a sampler2DArray reads layers: give a .npy array of layers, rows and columns, or of layers, \
             rows, columns and channels; or declare sampler2D x"
        );
    });
}
