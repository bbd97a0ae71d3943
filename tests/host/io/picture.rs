//! The heat map: its size, its colours, its words, and what it refuses.

use image::{Rgb, RgbImage};
use quadrille_run::io::picture::{HeatMap, check_name};

const RED: Rgb<u8> = Rgb([230, 40, 40]);
const VIRIDIS_LOW: Rgb<u8> = Rgb([68, 1, 84]);
const VIRIDIS_HIGH: Rgb<u8> = Rgb([253, 231, 37]);

fn drawn(width: usize, height: usize, values: &[f32], title: &str) -> RgbImage {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.png");
    HeatMap::new(width, height, values).title(title).write(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    image::open(path).unwrap().into_rgb8()
}

fn count(picture: &RgbImage, colour: Rgb<u8>) -> usize {
    picture.pixels().filter(|pixel| **pixel == colour).count()
}

/// Smooth data, for looking at.
fn hill(width: usize, height: usize) -> Vec<f32> {
    let at = |i: usize, n: usize| i as f32 / n as f32 * 6.0 - 3.0;
    (0..width * height)
        .map(|i| (at(i % width, width), at(i / width, height)))
        .map(|(x, y)| x * (-(x * x + y * y) / 2.0).exp() + 0.2 * (3.0 * y).cos())
        .collect()
}

#[test]
fn every_shape_gives_a_picture_of_400_to_1000_pixels() {
    for (width, height) in
        [(1, 1), (3, 200), (200, 3), (64, 64), (640, 640), (641, 641), (3, 20000)]
    {
        let picture = drawn(width, height, &hill(width, height), "shape");
        let (across, down) = picture.dimensions();
        assert!((400..=1000).contains(&across), "{width} x {height}: {across} across");
        assert!((400..=1000).contains(&down), "{width} x {height}: {down} down");
    }
}

#[test]
fn row_zero_is_at_the_top_and_its_first_number_left() {
    let picture = drawn(2, 2, &[0.0, 0.5, 0.5, 1.0], "corners");
    // Margins of 24, a title of 16, then two squares of 320 pixels each way.
    assert_eq!(*picture.get_pixel(24, 64), VIRIDIS_LOW);
    assert_eq!(*picture.get_pixel(24 + 639, 64 + 639), VIRIDIS_HIGH);
    assert_eq!(picture.get_pixel(24 + 639, 64), picture.get_pixel(24, 64 + 639));
}

#[test]
fn large_grids_are_averaged() {
    // Columns of 0 and 1 by turns: every block of 2 x 2 has the mean 0.5.
    let stripes: Vec<f32> = (0..1280 * 4).map(|i| (i % 2) as f32).collect();
    let picture = drawn(1280, 4, &stripes, "stripes");
    let middle = picture.height() / 2;
    let colours: std::collections::HashSet<_> =
        (24..24 + 640).map(|x| picture.get_pixel(x, middle - 16).0).collect();
    assert_eq!(colours.len(), 1);
    assert!(!colours.contains(&VIRIDIS_LOW.0) && !colours.contains(&VIRIDIS_HIGH.0));
}

#[test]
fn nan_and_infinity_are_red_and_said() {
    let clean = drawn(4, 4, &hill(4, 4), "t");
    assert_eq!(count(&clean, RED), 0);
    let mut values = hill(4, 4);
    (values[5], values[6]) = (f32::NAN, f32::INFINITY);
    let holes = drawn(4, 4, &values, "t");
    assert_eq!(count(&holes, RED), 2 * 160 * 160 + 16 * 16, "two squares and the legend's");
    assert!(holes.height() > clean.height(), "the legend has its own line");
}

#[test]
fn constant_and_not_finite_data_are_drawn() {
    drawn(5, 5, &[7.0; 25], "constant");
    drawn(5, 5, &[0.0; 25], "zero");
    drawn(5, 5, &[f32::NAN; 25], "nothing but NaN");
    drawn(2, 1, &[f32::MIN, f32::MAX], "all there is");
}

#[test]
fn a_short_last_row_stays_blank() {
    let picture = drawn(2, 2, &[0.0, 1.0, 1.0], "three");
    assert_eq!(*picture.get_pixel(24 + 600, 64 + 600), Rgb([255; 3]));
    assert_eq!(*picture.get_pixel(24, 64 + 600), VIRIDIS_HIGH);
}

#[test]
fn a_long_title_widens_the_picture_and_is_then_cut() {
    let narrow = drawn(1, 1, &[0.0], "short").width();
    let wide = drawn(3, 300, &hill(3, 300), &"a title of some length ".repeat(2)).width();
    let widest = drawn(1, 1, &[0.0], &"x".repeat(500)).width();
    assert!(wide > 600 && widest <= 1000 && narrow <= 1000);
}

#[test]
fn what_is_refused_says_what_would_do() {
    let text = |width, height, values: &[f32], name: &str| {
        let map = HeatMap::new(width, height, values);
        map.write(name).unwrap_err().to_string()
    };
    assert_eq!(
        text(3, 2, &[0.0; 7], "map.png"),
        "map.png: expected 4 to 6 numbers for a grid of 3 x 2, got shape [7]"
    );
    assert_eq!(
        text(0, 2, &[], "map.png"),
        "map.png: expected a picture of at least one number, got shape [0]"
    );
    assert_eq!(text(1, 1, &[0.0], "map.jpg"), "map.jpg: expected a name ending in .png, got .jpg");
    assert_eq!(
        check_name("map").unwrap_err().to_string(),
        "map: expected a name ending in .png, got none"
    );
    assert!(
        text(1, 1, &[0.0], "no/such/folder/map.png")
            .starts_with("no/such/folder/map.png: cannot write it: No such file or directory")
    );
}
