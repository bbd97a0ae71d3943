//! A model of Jacobi's steps on any number of ranks, fitted to what was measured, and what it
//! predicts: plain arithmetic.
//!
//! A rank computes its points and those of its halo, in a fixed time and a time for each point. An
//! exchange, every k-th step, takes a fixed time on the device and the host, the latency of each
//! message, and a time for each byte; a part of it is hidden behind what the device computes
//! meanwhile. It says nothing of networks with other distances than those between the measured
//! ranks.

use super::messages::Line;
use super::row::{Row, Scaling, Work};
use crate::numbers::statistics::line_through;
use crate::report::table::{Column, column};

/// The fitted model. Times are in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    pub message: Line,
    /// The time of a step.
    pub step_us: f64,
    pub point_us: f64,
    /// The time of an exchange, without the latency of its messages.
    pub exchange_us: f64,
    pub byte_us: f64,
    /// The share of exchanges that is hidden, where devices compute long enough.
    pub hidden: f64,
    /// The largest error of the model for a measured row, over what was measured.
    pub worst: f64,
}

/// The model's prediction for a number of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    pub scaling: Scaling,
    pub ranks: usize,
    pub across: [usize; 2],
    pub size: [usize; 2],
    pub halo: usize,
    pub step_ms: f64,
    pub efficiency: f64,
}

/// The numbers of ranks that are predicted: squares.
const RANKS: [usize; 2] = [64, 1024];

/// The block of a rank in the middle, and whom it exchanges its border with.
#[derive(Clone, Copy, Debug)]
struct Share {
    width: f64,
    height: f64,
    /// Neighbours beside it and above or below it: at most two each.
    beside: f64,
    above: f64,
    halo: f64,
}

impl Share {
    fn of([width, height]: [usize; 2], [columns, rows]: [usize; 2], halo: usize) -> Share {
        Share {
            width: width as f64 / columns as f64,
            height: height as f64 / rows as f64,
            beside: (columns - 1).min(2) as f64,
            above: (rows - 1).min(2) as f64,
            halo: halo as f64,
        }
    }

    /// Halos beside it are whole texels of four numbers wide.
    fn beside_halo(&self) -> f64 {
        4.0 * (self.halo / 4.0).ceil()
    }

    fn points(&self) -> f64 {
        let width = self.width + self.beside * self.beside_halo();
        width * (self.height + self.above * self.halo)
    }

    fn messages(&self) -> f64 {
        self.beside + self.above + self.beside * self.above
    }

    fn bytes(&self) -> f64 {
        let (across, down) = (self.beside_halo(), self.halo);
        let numbers = self.beside * across * self.height
            + self.above * down * self.width
            + self.beside * self.above * across * down;
        4.0 * numbers
    }
}

impl Model {
    /// Fits it to rows of one depth of halos; `None` where too little was measured.
    pub fn fit(rows: &[Row], message: Line) -> Option<Model> {
        let steps: Vec<&Row> = rows.iter().filter(|row| row.work == Work::Jacobi).collect();
        let one: Vec<(f64, f64)> = steps
            .iter()
            .filter(|row| row.ranks == 1)
            .map(|row| (share(row).points(), 1e3 * row.summary.median_ms))
            .collect();
        let (step_us, point_us) = line_through(&one).filter(|(_, slope)| *slope > 0.0)?;
        let exchanges: Vec<(f64, f64)> = steps
            .iter()
            .filter_map(|row| {
                let halo = row.halo? as f64;
                let us = 1e3 * halo * row.exchange_ms()?;
                Some((share(row).bytes(), us - share(row).messages() * message.latency_us))
            })
            .collect();
        if exchanges.is_empty() {
            return None;
        }
        let mean = |of: fn(&(f64, f64)) -> f64| {
            exchanges.iter().map(of).sum::<f64>() / exchanges.len() as f64
        };
        // Where the line falls, or all have as many bytes, a byte takes what it takes in a message.
        let (exchange_us, byte_us) = line_through(&exchanges)
            .filter(|(fixed, slope)| *fixed >= 0.0 && *slope >= 0.0)
            .unwrap_or_else(|| {
                let byte_us = 1e-3 / message.gb_s;
                ((mean(|point| point.1) - byte_us * mean(|point| point.0)).max(0.0), byte_us)
            });
        let hidden: Vec<f64> = steps.iter().filter_map(|row| row.hidden()).collect();
        let hidden =
            if hidden.is_empty() { 0.0 } else { hidden.iter().sum::<f64>() / hidden.len() as f64 };
        let step_us = step_us.max(0.0);
        let mut model =
            Model { message, step_us, point_us, exchange_us, byte_us, hidden, worst: 0.0 };
        let error =
            |row: &&&Row| (model.step(&share(row)) / (1e3 * row.summary.median_ms) - 1.0).abs();
        let errors = steps.iter().filter(|row| row.scaling != Scaling::Less);
        model.worst = errors.map(|row| error(&row)).fold(0.0, f64::max);
        Some(model)
    }

    /// The time of a step of a rank.
    fn step(&self, share: &Share) -> f64 {
        let alone = self.step_us + self.point_us * share.points();
        if share.messages() == 0.0 {
            return alone;
        }
        let exchange = self.exchange_us
            + self.message.latency_us * share.messages()
            + self.byte_us * share.bytes();
        // No more is hidden than the device computes in the step that does so.
        let seen = exchange - (self.hidden * exchange).min(alone);
        alone + seen / share.halo
    }

    /// Weak and strong scaling from one rank with a square grid of this side.
    pub fn predictions(&self, side: usize, halo: usize) -> Vec<Prediction> {
        let one = self.step(&Share::of([side, side], [1, 1], halo));
        let both = RANKS.into_iter().flat_map(|ranks| {
            let across = ranks.isqrt();
            [Scaling::Weak, Scaling::Strong].map(|scaling| (scaling, ranks, across))
        });
        let mut all: Vec<Prediction> = both
            // Blocks at least as high as a halo is deep.
            .filter(|(scaling, _, across)| {
                *scaling == Scaling::Weak || side / across >= halo.max(4)
            })
            .map(|(scaling, ranks, across)| {
                let weak = scaling == Scaling::Weak;
                let whole = if weak { side * across } else { side };
                let step = self.step(&Share::of([whole; 2], [across; 2], halo));
                let speedup = if weak { one / step } else { one / step / ranks as f64 };
                Prediction {
                    scaling,
                    ranks,
                    across: [across; 2],
                    size: [whole; 2],
                    halo,
                    step_ms: 1e-3 * step,
                    efficiency: speedup,
                }
            })
            .collect();
        all.sort_by_key(|one| (one.scaling != Scaling::Weak, one.ranks));
        all
    }
}

fn share(row: &Row) -> Share {
    Share::of(row.size, row.across, row.halo.unwrap_or(1))
}

impl Prediction {
    pub fn columns() -> Vec<Column<Prediction>> {
        vec![
            column("scaling", "scaling", "", |row: &Prediction| row.scaling.name().into()),
            column("ranks", "ranks", "", |row| row.ranks.into()),
            column("across", "across", "", |row| {
                format!("{}x{}", row.across[0], row.across[1]).into()
            }),
            column("size", "size", "", |row| format!("{}x{}", row.size[0], row.size[1]).into()),
            column("halo", "halo", "steps", |row| row.halo.into()),
            column("step_ms", "step", "ms", |row| row.step_ms.into()),
            column("efficiency", "efficiency", "", |row| row.efficiency.into()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::Ways;
    use super::*;
    use crate::Summary;
    use quadrille::testing::Comparison;

    const MESSAGE: Line = Line { latency_us: 2.0, gb_s: 5.0 };

    fn row(model: &Model, scaling: Scaling, size: [usize; 2], across: [usize; 2]) -> Row {
        let share = Share::of(size, across, 2);
        let alone = model.step_us + model.point_us * share.points();
        let exchange = model.exchange_us + 2.0 * share.messages() + model.byte_us * share.bytes();
        let ranks = across[0] * across[1];
        Row {
            work: Work::Jacobi,
            scaling,
            ranks,
            across,
            size,
            halo: Some(2),
            summary: Summary::still(1e-3 * model.step(&share)),
            ways: (ranks > 1).then(|| Ways {
                alone: Summary::still(1e-3 * alone),
                exposed: Summary::still(1e-3 * (alone + exchange / 2.0)),
                unsent: Summary::still(1e-3 * alone),
                exposed_unsent: Summary::still(1e-3 * alone),
            }),
            iterations: None,
            sent_bytes: None,
            rate: 1.0,
            efficiency: None,
            comparison: Comparison::RIGHT,
        }
    }

    /// Rows that are as a model says give the model.
    #[test]
    fn a_model_is_found_again() {
        let right = Model {
            message: MESSAGE,
            step_us: 20.0,
            point_us: 1e-4,
            exchange_us: 50.0,
            byte_us: 4e-4,
            hidden: 0.75,
            worst: 0.0,
        };
        let rows = [
            (Scaling::Weak, [1024, 1024], [1, 1]),
            (Scaling::Less, [512, 512], [1, 1]),
            (Scaling::Weak, [1024, 2048], [1, 2]),
            (Scaling::Weak, [2048, 2048], [2, 2]),
            (Scaling::Strong, [1024, 1024], [2, 2]),
        ]
        .map(|(scaling, size, across)| row(&right, scaling, size, across));
        let found = Model::fit(&rows, MESSAGE).unwrap();
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6 * other.abs().max(1e-3);
        assert!(near(found.step_us, 20.0) && near(found.point_us, 1e-4), "{found:?}");
        assert!(near(found.exchange_us, 50.0) && near(found.byte_us, 4e-4), "{found:?}");
        assert!(near(found.hidden, 0.75) && found.worst < 1e-6, "{found:?}");
        let [first, second, ..] = &found.predictions(1024, 2)[..] else { panic!("too few") };
        assert_eq!((first.ranks, first.size), (64, [8192, 8192]));
        // A rank in the middle of either has as much to do.
        assert_eq!(second.ranks, 1024);
        assert!(near(first.efficiency, second.efficiency) && first.efficiency < 1.0);
        let strong =
            found.predictions(1024, 2).into_iter().filter(|one| one.scaling == Scaling::Strong);
        let efficiencies: Vec<f64> = strong.map(|one| one.efficiency).collect();
        assert!(efficiencies.len() == 2 && efficiencies[1] < efficiencies[0]);
        assert_eq!(Model::fit(&rows[..1], MESSAGE), None);
        assert_eq!(Model::fit(&rows[..2], MESSAGE), None);
    }

    #[test]
    fn a_rank_in_the_middle_has_eight_neighbours() {
        let share = Share::of([4096, 4096], [4, 4], 3);
        assert_eq!((share.messages(), share.points()), (8.0, (1024.0 + 8.0) * (1024.0 + 6.0)));
        assert_eq!(
            share.bytes(),
            4.0 * (2.0 * 4.0 * 1024.0 + 2.0 * 3.0 * 1024.0 + 4.0 * 4.0 * 3.0)
        );
        assert_eq!(Share::of([64, 64], [1, 1], 3).messages(), 0.0);
    }
}
