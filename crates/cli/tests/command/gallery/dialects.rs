//! The gallery's shaders in the dialects of others, beside what their formulas say.

use super::*;

fn smoothstep(from: f64, to: f64, x: f64) -> f64 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The colours of a shader that computes each from the place of the centre of its pixel, the last
/// row first as there.
fn colours<const N: usize>((w, h): (u32, u32), colour: impl Fn(f64, f64) -> [f64; N]) -> Vec<f64> {
    let pixel = |i: u32| colour(f64::from(i % w) + 0.5, f64::from(h - 1 - i / w) + 0.5);
    (0..w * h).flat_map(pixel).collect()
}

fn plasma((w, h): (f64, f64), t: f64, (x, y): (f64, f64)) -> [f64; 4] {
    let (x, y) = ((2.0 * x - w) / h, (2.0 * y - h) / h);
    let across = (5.0 * x + t).sin();
    let turning = (5.0 * (x * (0.5 * t).sin() + y * (0.3 * t).cos()) + t).sin();
    let middle = (x + 0.5 * (0.2 * t).sin(), y + 0.5 * (0.3 * t).cos());
    let rings = (7.0 * middle.0.hypot(middle.1) + t).sin();
    let part = |shift: f64| 0.5 + 0.5 * (2.0 * (across + turning + rings) + shift).cos();
    [part(0.0), part(2.0), part(4.0), 1.0]
}

#[test]
fn plasma_is_a_sum_of_three_waves() {
    each(|context| {
        let (w, h) = (53, 31);
        let setup = || Setup::new().extent(Extent::new(w, h));
        let wanted =
            |t: f64| colours((w, h), |x, y| plasma((f64::from(w), f64::from(h)), t, (x, y)));
        let mut still = experiment(context, "plasma.frag", setup().uniform("iTime", "4"));
        still.step().unwrap();
        // Sines and cosines of angles below 30: an error of the angle counts twice.
        near(&read(&still, "colour"), &wanted(4.0), 1e-4);
        far(&read(&still, "colour"), &wanted(4.01), 1e-4);
        let mut moving = experiment(context, "plasma.frag", setup());
        for step in 0..4 {
            moving.step().unwrap();
            near(&read(&moving, "colour"), &wanted(f64::from(step) / 60.0), 1e-4);
        }
    });
}

#[test]
fn discs_are_where_their_tiles_say() {
    each(|context| {
        let (w, h) = (61, 37);
        let disc = |t: f64| {
            colours((w, h), move |x, y| {
                let (x, y) = (6.0 * x / f64::from(h), 6.0 * y / f64::from(h));
                let (tile, inside) =
                    ((x.floor(), y.floor()), (x - x.floor() - 0.5, y - y.floor() - 0.5));
                let radius = 0.3 + 0.15 * (t + 0.9 * tile.0 + 0.6 * tile.1).sin();
                let far = inside.0.hypot(inside.1);
                let disc = 1.0 - smoothstep(radius - 0.03, radius + 0.03, far);
                let tint = [0.9, 0.3 + 0.1 * tile.1, 0.25 + 0.07 * tile.0];
                let mixed = |(ground, tint): (f64, f64)| ground + disc * (tint - ground);
                let [r, g, b] = [(0.1, tint[0]), (0.12, tint[1]), (0.2, tint[2])].map(mixed);
                [r, g, b, 1.0]
            })
        };
        let setup = Setup::new().extent(Extent::new(w, h)).uniform("u_time", "2");
        let mut discs = experiment(context, "discs.frag", setup);
        discs.step().unwrap();
        near(&read(&discs, "colour"), &disc(2.0), 1e-3);
        far(&read(&discs, "colour"), &disc(2.2), 1e-3);
    });
}

/// Written for WebGL 1, it has no idea of a bottom: its rows stay.
#[test]
fn the_vignette_browns_and_darkens_a_picture() {
    each(|context| {
        let (w, h) = (43_u32, 29_u32);
        let image = random(3 * (w * h) as usize, 41);
        let old = |strength: f64| -> Vec<f64> {
            let pixel = |i: u32| {
                let rgb = &image[3 * i as usize..][..3];
                let x = (f64::from(i % w) + 0.5) / f64::from(w) - 0.5;
                let y = (f64::from(i / w) + 0.5) / f64::from(h) - 0.5;
                let light = 1.0 - strength * smoothstep(0.1, 0.55, x * x + y * y);
                let dot = |a: f64, b: f64, c: f64| (a * rgb[0] + b * rgb[1] + c * rgb[2]).min(1.0);
                let brown =
                    [dot(0.393, 0.769, 0.189), dot(0.349, 0.686, 0.168), dot(0.272, 0.534, 0.131)];
                [brown[0] * light, brown[1] * light, brown[2] * light, 1.0]
            };
            (0..w * h).flat_map(pixel).collect()
        };
        let setup = Setup::new().input("uSampler", field(w, h, 3, &image));
        let mut vignette = experiment(context, "vignette.frag", setup.uniform("uStrength", "0.9"));
        vignette.step().unwrap();
        near(&read(&vignette, "colour"), &old(0.9), 1e-5);
        far(&read(&vignette, "colour"), &old(0.91), 1e-5);
    });
}
