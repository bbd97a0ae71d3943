//! Steps of Jacobi's iteration on several ranks: with messages behind computing, with devices that
//! wait for them, and without any.

use std::time::{Duration, Instant};

use quadrille::cluster::jacobi::Jacobi;
use quadrille::cluster::{Communicator, Partition, Team, collective};
use quadrille::data::Stencil;
use quadrille::grid::Halo;
use quadrille::linalg::jacobi::{Jacobi as OneRank, Variant};
use quadrille::testing::Comparison;

use super::messages::longest;
use super::row::{Row, Scaling, Ways, Work, rate};
use crate::{Result, Summary};

/// A grid on some ranks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) scaling: Scaling,
    pub(super) across: [usize; 2],
    pub(super) size: [usize; 2],
    pub(super) halo: usize,
}

/// A run takes about so long.
const RUN: f64 = 0.1;

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Hidden,
    Exposed,
    Unsent,
    ExposedUnsent,
    Alone,
}

const ALL: [Mode; 5] =
    [Mode::Hidden, Mode::Exposed, Mode::Unsent, Mode::ExposedUnsent, Mode::Alone];

pub(super) fn row(team: &Team, case: &Case, runs: usize) -> Result<Row> {
    let ranks = team.communicator();
    let mut several = Steps::new(team, case)?;
    let comparison = several.check(team, case)?;
    let modes = if ranks.size() == 1 { &[Mode::Alone] } else { &ALL[..] };
    // The first steps compile, the second ones show how many make a run.
    let warm = 2 * case.halo as u64;
    for mode in modes {
        several.timed(ranks, *mode, warm)?;
    }
    let each = several.timed(ranks, Mode::Alone, warm)?.as_secs_f64() / warm as f64;
    let of_time = |seconds: f64| ((seconds / each.max(1e-7)) as u64).clamp(4, 20_000);
    several.timed(ranks, Mode::Alone, of_time(clocks_rise_in(team)?))?;
    // At full clocks.
    let each = several.timed(ranks, Mode::Alone, warm)?.as_secs_f64() / warm as f64;
    let steps = ((RUN / each.max(1e-7)) as u64).clamp(4, 20_000).next_multiple_of(case.halo as u64);
    let mut times = vec![Vec::new(); modes.len()];
    for _ in 0..runs {
        for (mode, times) in modes.iter().zip(&mut times) {
            times.push(several.timed(ranks, *mode, steps)?);
        }
    }
    let all: Vec<_> = times.iter().map(|times| Summary::of(times, steps)).collect();
    let (summary, ways) = match all[..] {
        [hidden, exposed, unsent, exposed_unsent, alone] => {
            (hidden, Some(Ways { alone, exposed, unsent, exposed_unsent }))
        }
        _ => (Summary::of(times.first().map_or(&[][..], Vec::as_slice), steps), None),
    };
    let [width, height] = case.size;
    let sent = vec![
        several.jacobi.bytes() as f64 / ranks.local().len().max(1) as f64;
        ranks.local().len()
    ];
    Ok(Row {
        work: Work::Jacobi,
        scaling: case.scaling,
        ranks: ranks.size(),
        across: case.across,
        size: case.size,
        halo: Some(case.halo),
        rate: rate(&summary, (width * height) as f64),
        ways,
        summary,
        iterations: None,
        sent_bytes: Some(collective::largest(ranks, &sent)? as usize),
        efficiency: None,
        comparison,
    })
}

/// The seconds of work after which a device's clocks are those of a long computation: a GPU lowers
/// them while the host sets up.
fn clocks_rise_in(team: &Team) -> Result<f64> {
    let hardware = team.contexts().iter().any(|context| !context.abilities().software);
    Ok(if collective::any(team.communicator(), hardware)? { 0.8 } else { 0.0 })
}

struct Steps {
    jacobi: Jacobi,
    stencil: Stencil,
}

/// The stencil, whose matrix is made where it is needed.
fn stencil([width, height]: [usize; 2]) -> Result<Stencil> {
    Ok(format!("heat9:{width}x{height}").parse::<Stencil>()?)
}

fn partition(case: &Case, steps: usize) -> Result<Partition> {
    let [width, height] = case.size;
    let halo = Halo { steps, across_ends: false };
    Ok(Partition::new((width * height, width), case.across, halo)?)
}

/// A number of each row of the whole matrix, the same wherever it is: from -1 to 1.
pub(super) fn number(row: usize, salt: u64) -> f32 {
    let mixed = (row as u64 ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    mixed as f32 / f32::from(1_u16 << 11) / f32::from(1_u16 << 12) - 1.0
}

/// The right-hand side and the first x of what a rank stores.
fn vectors(partition: &Partition, rank: usize) -> [Vec<f32>; 2] {
    let (count, _) = partition.stored_size(rank);
    [1, 2].map(|salt| (0..count).map(|row| number(partition.whole_row(rank, row), salt)).collect())
}

impl Steps {
    fn new(team: &Team, case: &Case) -> Result<Steps> {
        let (stencil, partition) = (stencil(case.size)?, partition(case, case.halo)?);
        let local = team.communicator().local();
        let blocks = local.map(|rank| stencil.block(&partition.stored(rank)));
        let blocks = blocks.collect::<Result<Vec<_>, _>>()?;
        let blocks: Vec<_> = blocks.iter().map(|block| [block]).collect();
        let systems: Vec<&[_]> = blocks.iter().map(|block| &block[..]).collect();
        Ok(Steps { jacobi: Jacobi::new(team, &partition, &systems, Variant::default())?, stencil })
    }

    fn reset(&mut self, ranks: &dyn Communicator) -> Result<()> {
        let partition = self.jacobi.partition().clone();
        let all: Vec<[Vec<f32>; 2]> = ranks.local().map(|rank| vectors(&partition, rank)).collect();
        let of = |which: usize| all.iter().map(|both| [&both[which][..]]).collect::<Vec<_>>();
        let (rhs, x0) = (of(0), of(1));
        let rhs: Vec<&[&[f32]]> = rhs.iter().map(|one| &one[..]).collect();
        let x0: Vec<&[&[f32]]> = x0.iter().map(|one| &one[..]).collect();
        Ok(self.jacobi.set_systems(&rhs, &x0)?)
    }

    /// All ranks begin together; the time is that of the last.
    fn timed(&mut self, ranks: &dyn Communicator, mode: Mode, steps: u64) -> Result<Duration> {
        self.jacobi.finish()?;
        collective::any(ranks, false)?;
        let begun = Instant::now();
        match mode {
            Mode::Alone => self.jacobi.iterate_alone(steps)?,
            _ => {
                self.jacobi.overlap(matches!(mode, Mode::Hidden | Mode::Unsent));
                self.jacobi.send(matches!(mode, Mode::Hidden | Mode::Exposed));
                self.jacobi.iterate(steps)?;
            }
        }
        self.jacobi.finish()?;
        longest(ranks, begun.elapsed())
    }

    /// Compares some steps with those of one rank that stores enough around each block to need no
    /// message.
    fn check(&mut self, team: &Team, case: &Case) -> Result<Comparison> {
        let ranks = team.communicator();
        let steps = 2 * case.halo + 1;
        let around = match partition(case, steps) {
            Ok(around) => around,
            // Blocks that are less high than that many steps: the whole grid is stored.
            Err(_) if ranks.size() == 1 => partition(case, case.halo)?,
            Err(error) => return Err(error),
        };
        self.reset(ranks)?;
        self.jacobi.iterate(steps as u64)?;
        let mut worst = Comparison::RIGHT;
        for ((rank, context), got) in team.local().zip(self.jacobi.read()?) {
            let matrix = self.stencil.block(&around.stored(rank))?;
            let [b, x] = vectors(&around, rank);
            let mut one = OneRank::new(context, &matrix, Variant::default())?;
            one.set_systems(&[&b], &[&x])?;
            one.iterate(steps as u64)?;
            let right =
                one.read()?.iter().flat_map(|x| around.owned_of(rank, x)).collect::<Vec<_>>();
            for (got, right) in got.iter().flatten().zip(&right) {
                // Of one rank's NaN nothing is known, and nothing is right.
                let bound = if right.is_finite() { steps as f64 * ROUNDING } else { f64::NAN };
                worst = worst.worse(Comparison::of_number((*got).into(), (*right).into(), bound));
            }
        }
        agreed(ranks, worst)
    }
}

/// The rounding that a step of each of two ways may add to numbers up to about 1: products and sums
/// of nine neighbours.
const ROUNDING: f64 = 2.0 * 2.0 * 20.0 / 16_777_216.0;

/// The worst of all ranks.
pub(super) fn agreed(ranks: &dyn Communicator, own: Comparison) -> Result<Comparison> {
    let count = ranks.local().len();
    Ok(Comparison {
        max_error: collective::largest(ranks, &vec![own.max_error; count])?,
        of_bound: collective::largest(ranks, &vec![own.of_bound; count])?,
    })
}
