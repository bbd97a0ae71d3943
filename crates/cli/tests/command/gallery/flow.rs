//! The gallery's fluid, and the Voronoi diagram by jump flooding.

use super::*;

/// A torus of numbers, one field a channel.
struct Torus {
    w: isize,
    h: isize,
}

impl Torus {
    fn at(&self, field: &[f64], x: isize, y: isize) -> f64 {
        field[(y.rem_euclid(self.h) * self.w + x.rem_euclid(self.w)) as usize]
    }

    fn cells(&self) -> impl Iterator<Item = (isize, isize)> + use<> {
        let w = self.w;
        (0..self.w * self.h).map(move |i| (i % w, i / w))
    }

    /// The field a step ago where the velocity leads back to.
    fn carried(&self, field: &[f64], flow: &[Vec<f64>; 2], dt: f64) -> Vec<f64> {
        let cell = |(x, y): (isize, isize)| {
            let back =
                [x as f64 - dt * self.at(&flow[0], x, y), y as f64 - dt * self.at(&flow[1], x, y)];
            let [i, j] = back.map(|p| p.floor() as isize);
            let [a, b] = back.map(|p| p - p.floor());
            let row = |j| (1.0 - a) * self.at(field, i, j) + a * self.at(field, i + 1, j);
            (1.0 - b) * row(j) + b * row(j + 1)
        };
        self.cells().map(cell).collect()
    }

    fn slope(&self, field: &[f64], (x, y): (isize, isize), axis: usize) -> f64 {
        let (a, b) = if axis == 0 { (1, 0) } else { (0, 1) };
        0.5 * (self.at(field, x + a, y + b) - self.at(field, x - a, y - b))
    }

    /// A step of the fluid, with so many repetitions of Jacobi's iteration.
    fn step(
        &self,
        flow: &[Vec<f64>; 2],
        pressure: &[f64],
        dt: f64,
        repeat: u32,
    ) -> ([Vec<f64>; 2], Vec<f64>) {
        let moved = [0, 1].map(|axis| self.carried(&flow[axis], flow, dt));
        let excess = |cell| self.slope(&moved[0], cell, 0) + self.slope(&moved[1], cell, 1);
        let excess: Vec<f64> = self.cells().map(excess).collect();
        let mut pressure = pressure.to_vec();
        for _ in 0..repeat {
            let cell = |(x, y): (isize, isize)| {
                let sum: f64 = CROSS.iter().map(|(a, b)| self.at(&pressure, x + a, y + b)).sum();
                0.25 * (sum - self.at(&excess, x, y))
            };
            pressure = self.cells().map(cell).collect();
        }
        let next = [0, 1].map(|axis: usize| {
            let cell = |(i, at)| moved[axis][i] - self.slope(&pressure, at, axis);
            self.cells().enumerate().map(cell).collect()
        });
        (next, pressure)
    }
}

#[test]
fn the_fluid_flows_as_in_double_precision() {
    each(|context| {
        let (torus, dt) = (Torus { w: 31, h: 18 }, 0.8);
        let count = (torus.w * torus.h) as usize;
        let numbers = random(2 * count, 11);
        let ink = random(count, 12);
        let mut given = settings(
            vec![("velocity", field(31, 18, 2, &numbers)), ("ink", field(31, 18, 1, &ink))],
            // Not the layers that it begins with.
            &[("iteration", "1")],
        );
        given.size = Some(Extent::new(31, 18));
        let mut fluid = described(context, "fluid.run.toml", given);
        let axis =
            |axis: usize| numbers.iter().skip(axis).step_by(2).copied().collect::<Vec<f64>>();
        let (mut flow, mut pressure, mut ink) = ([axis(0), axis(1)], vec![0.0; count], ink);
        let mut fewer = flow.clone();
        for _ in 0..3 {
            fewer = torus.step(&flow, &pressure, dt, 19).0;
            (flow, pressure) = torus.step(&flow, &pressure, dt, 20);
            ink = torus.carried(&ink, &flow, dt);
            fluid.step().unwrap();
        }
        let woven = |flow: &[Vec<f64>; 2]| -> Vec<f64> {
            flow[0].iter().zip(&flow[1]).flat_map(|(x, y)| [*x, *y]).collect()
        };
        near(&read(&fluid, "project.next"), &woven(&flow), 1e-4);
        far(&read(&fluid, "project.next"), &woven(&fewer), 1e-4);
        near(&read(&fluid, "solve.next"), &pressure, 1e-4);
        near(&read(&fluid, "carry.next"), &ink, 1e-4);
        let colours = read(&fluid, "picture.colour");
        assert!(colours.iter().all(|part| (0.0..=1.0).contains(part)));
    });
}

/// No cell knows a seed that is nearer than the nearest, and nearly all know the nearest.
#[test]
fn nearly_every_cell_knows_its_nearest_seed() {
    each(|context| {
        let (w, h) = (157_i32, 91_i32);
        let mut noise = random((w * h) as usize, 21);
        noise.iter_mut().for_each(|x| *x *= 0.99);
        for i in 0..40 {
            noise[(i * 353 + 17) % (w * h) as usize] = 1.0;
        }
        let seeds: Vec<(i32, i32)> =
            (0..w * h).filter(|i| noise[*i as usize] == 1.0).map(|i| (i % w, i / w)).collect();
        let noise = field(w as u32, h as u32, 1, &noise);
        let mut voronoi =
            described(context, "voronoi.run.toml", settings(vec![("noise", noise)], &[]));
        voronoi.step().unwrap();
        let field = voronoi.read("flood.next").unwrap();
        let Values::I32(known) = field.values() else { panic!("integers") };
        let mut farther = 0;
        for (i, seed) in (0..).zip(known.as_chunks::<2>().0) {
            let squared = |(x, y): (i32, i32)| (x - i % w).pow(2) + (y - i / w).pow(2);
            assert!(seeds.contains(&(seed[0], seed[1])), "{seed:?} is a seed");
            let nearest = seeds.iter().map(|seed| squared(*seed)).min().unwrap();
            farther += usize::from(squared((seed[0], seed[1])) > nearest);
        }
        assert!(farther * 200 < known.len() / 2, "{farther} cells know no nearest seed");
    });
}
