//! A vortex that fills a box and that Euler's equations keep: its stream function is sin(x) sin(y)
//! with x and y from 0 to pi. What it carries moves on known paths.

use std::f64::consts::PI;

use anyhow::Result;
use quadrille::testing::Comparison;
use quadrille::{Context, Extent};

use crate::flow::Flow;

/// The largest velocity, in cells for each step.
const FASTEST: f64 = 0.5;

/// The largest errors after the fastest fluid has moved by half a side of the box.
pub(crate) struct Errors {
    /// Of a velocity, over the largest velocity.
    pub(crate) velocity: f64,
    /// Of a density, which is from -1 to 1.
    pub(crate) density: f64,
}

impl Errors {
    /// In a box with `cells` cells along each side, in `cells` steps.
    pub(crate) fn of(context: &Context, cells: u32) -> Result<Errors> {
        let exact = |x: f64, y: f64| velocity(cells, x, y);
        let density = |x: f64, _: f64| (PI * x / f64::from(cells)).cos();
        let mut flow = Flow::new(context, Extent::new(cells, cells), exact, density)?;
        for _ in 0..cells {
            flow.step(0.0)?;
        }
        let [u, v] = flow.velocities()?;
        let along_x = against(u, places(cells + 1, cells, 0.0, 0.5), |x, y| exact(x, y).0);
        let along_y = against(v, places(cells, cells + 1, 0.5, 0.0), |x, y| exact(x, y).1);
        let carried = against(flow.density()?, places(cells, cells, 0.5, 0.5), |x, y| {
            let (x, y) = origin(cells, x, y);
            density(x, y)
        });
        let velocity = along_x.worse(along_y).max_error / FASTEST;
        Ok(Errors { velocity, density: carried.max_error })
    }
}

fn against(
    ours: Vec<f32>,
    places: impl Iterator<Item = (f64, f64)>,
    exact: impl Fn(f64, f64) -> f64,
) -> Comparison {
    Comparison::of(ours, places.map(|(x, y)| (exact(x, y), 1.0)))
}

/// Places a cell apart, row by row.
fn places(columns: u32, rows: u32, left: f64, top: f64) -> impl Iterator<Item = (f64, f64)> {
    let row = move |y| (0..columns).map(move |x| (f64::from(x) + left, f64::from(y) + top));
    (0..rows).flat_map(row)
}

/// Of the vortex in a box with `cells` cells along each side.
fn velocity(cells: u32, x: f64, y: f64) -> (f64, f64) {
    let scale = PI / f64::from(cells);
    let ((sx, cx), (sy, cy)) = ((scale * x).sin_cos(), (scale * y).sin_cos());
    (FASTEST * sx * cy, -FASTEST * cx * sy)
}

/// Where the fluid at a place was `cells` steps before, by the method of Runge and Kutta of fourth
/// order.
fn origin(cells: u32, mut x: f64, mut y: f64) -> (f64, f64) {
    for _ in 0..cells {
        let back = |(u, v): (f64, f64), step: f64| velocity(cells, x - step * u, y - step * v);
        let first = velocity(cells, x, y);
        let second = back(first, 0.5);
        let third = back(second, 0.5);
        let fourth = back(third, 1.0);
        x -= (first.0 + 2.0 * (second.0 + third.0) + fourth.0) / 6.0;
        y -= (first.1 + 2.0 * (second.1 + third.1) + fourth.1) / 6.0;
    }
    (x, y)
}
