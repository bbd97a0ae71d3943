//! The pictures that are cloned where none are given, drawn by formulas: a balloon in the light of
//! noon, and an evening with stars.

use quadrille::Extent;

use crate::picture::Picture;

const EXTENT: Extent = Extent { width: 320, height: 240 };
/// The middle of the balloon.
const BALLOON: (f64, f64) = (178.0, 66.0);

type Colour = [f64; 3];

/// Source, mask and destination.
pub(crate) fn all() -> [Picture; 3] {
    [noon, mask, evening].map(|drawing| Picture::drawn(EXTENT, drawing))
}

/// An ellipse with room around the balloon.
fn mask(x: f64, y: f64) -> Colour {
    let (x, y) = ((x - BALLOON.0) / 62.0, (y - BALLOON.1 - 14.0) / 71.0);
    [if x * x + y * y < 1.0 { 1.0 } else { 0.0 }; 3]
}

/// A balloon before a bright sky.
fn noon(x: f64, y: f64) -> Colour {
    let haze = 0.06 * (clouds(x / 60.0, y / 30.0) - 0.5);
    let sky = mixed([0.30, 0.52, 0.84], [0.58, 0.74, 0.92], y / 240.0).map(|light| light + haze);
    let (x, y) = (x - BALLOON.0, y - BALLOON.1);
    let basket = edge(8.0 - x.abs()) * edge(7.0 - (y - 66.0).abs());
    let ropes =
        edge(1.2 - (x.abs() - (10.0 - 0.12 * (y - 40.0))).abs()) * edge(y - 40.0) * edge(60.0 - y);
    let with_basket = mixed(sky, [0.35, 0.22, 0.12], basket.max(0.8 * ropes));
    // Narrower below, and with stripes that meet at the poles.
    let narrow = if y > 0.0 { 1.0 - 0.25 * (y / 46.0).powi(2) } else { 1.0 };
    let (u, v) = (x / (42.0 * narrow), y / 46.0);
    let round = (1.0 - v * v).max(1e-3).sqrt();
    let is_stripe = (5.0 * (u / round).clamp(-1.0, 1.0).asin()).sin() > 0.0;
    let stripe = if is_stripe { [0.86, 0.20, 0.16] } else { [0.97, 0.90, 0.72] };
    let shade = 0.62 + 0.38 * (1.0 - (u - 0.35).powi(2) - (v + 0.35).powi(2)).max(0.0);
    mixed(with_basket, stripe.map(|light| light * shade), edge(42.0 * (1.0 - u.hypot(v))))
}

/// Stars above the afterglow, hills, and a lake.
fn evening(x: f64, y: f64) -> Colour {
    let horizon = 178.0;
    let glow = (-((x - 60.0) / 150.0).powi(2) - ((y - horizon) / 55.0).powi(2)).exp();
    let night = mixed([0.05, 0.07, 0.20], [0.42, 0.26, 0.38], y / horizon);
    let banks = 0.35 * glow * (clouds(x / 50.0, y / 9.0) - 0.4);
    let mut sky = mixed(night, [1.0, 0.62, 0.28], 0.85 * glow + banks);
    let star = 0.9 * stars(x, y) * (1.0 - y / horizon).max(0.0);
    sky = sky.map(|light| light + star);
    let hills = horizon - 26.0 * clouds(x / 70.0, 3.0) - 5.0 * clouds(x / 9.0, 7.0);
    let slope = mixed([0.10, 0.09, 0.13], [0.22, 0.13, 0.14], glow * clouds(x / 12.0, y / 8.0));
    let lake =
        mixed([0.10, 0.10, 0.22], [0.95, 0.55, 0.30], 0.8 * glow * clouds(x / 26.0, y / 2.5));
    let land = mixed(slope, lake, edge(y - horizon));
    mixed(sky, land, edge(y - hills))
}

/// From 0 to 1 across an edge of a pixel.
fn edge(distance: f64) -> f64 {
    (distance + 0.5).clamp(0.0, 1.0)
}

fn mixed(a: Colour, b: Colour, part: f64) -> Colour {
    let part = part.clamp(0.0, 1.0);
    [0, 1, 2].map(|channel| (1.0 - part) * a[channel] + part * b[channel])
}

/// A few pixels with a light of their own.
fn stars(x: f64, y: f64) -> f64 {
    let cell = |x: f64| (x / 14.0).floor();
    let random = |which: f64| hash(cell(x) + 57.0 * which, cell(y));
    let star =
        (14.0 * cell(x) + 2.0 + 10.0 * random(1.0), 14.0 * cell(y) + 2.0 + 10.0 * random(2.0));
    let square = (x - star.0).powi(2) + (y - star.1).powi(2);
    random(3.0) * (-square / 0.8).exp()
}

/// Value noise of four octaves, from 0 to 1 (Perlin 1985 describes the idea).
fn clouds(x: f64, y: f64) -> f64 {
    let octave = |k: i32| {
        let (x, y) = (x * f64::from(1 << k), y * f64::from(1 << k));
        let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
        let (i, j, s, t) = (x.floor(), y.floor(), smooth(x - x.floor()), smooth(y - y.floor()));
        let row = |j| (1.0 - s) * hash(i, j) + s * hash(i + 1.0, j);
        ((1.0 - t) * row(j) + t * row(j + 1.0)) / f64::from(2 << k)
    };
    (0..4).map(octave).sum::<f64>() / (1.0 - 1.0 / 16.0)
}

/// A number from 0 to 1 for each pair of whole numbers: the mixing of SplitMix64.
fn hash(x: f64, y: f64) -> f64 {
    let mut z =
        (x as i64 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (y as i64 as u64).rotate_left(32);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
