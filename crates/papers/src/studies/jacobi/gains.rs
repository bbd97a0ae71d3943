//! The gain of each trick over the one before, in the same rounds: the step as printed, its
//! reciprocal, three passes, and interpolated neighbours; and what is not the fragment shader's: an
//! empty pass, and the host's time.

use super::super::prelude::*;
use std::time::Instant;

use super::claims;
use super::printed::{Form, Printed};
use crate::studies::time_limit::{Turns, turns};
use quadrille::Extent;
use quadrille::linalg::jacobi::{Jacobi, Layout, Optimization, Variant};
use quadrille::shader::{self, Reads, Source, Stage};
use quadrille::stream::{Kernel, PingPong};
use quadrille_lab::twin::System;

/// The paper does not say at which size.
const SIZE: [usize; 2] = [65_536, 1_048_576];

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let n = lab.scale.pick(SIZE[0], SIZE[1]);
    let Some(host) = host(lab)? else { return Ok(Part::default()) };
    let system = System::random(n, n.isqrt(), lab.seed)?;
    let mut variants = StepVariant::all(lab.context, &system)?;
    let steps = must_agree(&mut variants, &system)?;
    let context = lab.context;
    let mut run = |way: usize| -> Result<Duration, Error> {
        let work = || variants[way].iterate(steps);
        Ok(Clock::of(context).time(context, work)?.1)
    };
    let time = lab.left().mul_f64(0.8);
    let Some(turns) = turns(lab, NAMES.len(), time, &mut run)? else {
        return Ok(Part::default());
    };
    let tables = vec![table(&turns, &host, n, steps)];
    Ok(Part { tables, findings: findings(&turns, n), ..Part::default() })
}

/// Unknowns of so small a system that the host's calls take longer than the device's work.
const SMALL: usize = 1024;
/// Steps that the host submits without waiting.
const SUBMITTED: u64 = 16;

/// The host's time of [`SUBMITTED`] steps, until the last is submitted.
fn host(lab: &mut Lab<'_>) -> Result<Option<Turns>> {
    let system = System::random(SMALL, SMALL.isqrt(), lab.seed)?;
    let mut variants = StepVariant::all(lab.context, &system)?;
    must_agree(&mut variants, &system)?;
    let (context, time) = (lab.context, lab.left().mul_f64(0.1));
    turns(lab, NAMES.len(), time, |way| {
        context.finish()?;
        let begun = Instant::now();
        variants[way].iterate(SUBMITTED)?;
        Ok(begun.elapsed())
    })
}

enum StepVariant {
    Printed(Box<Printed>),
    Library(Box<Jacobi>),
    Empty(Box<(Kernel, PingPong<f32>)>),
}

/// The names of the variants, each with its calls of floor a fragment.
const NAMES: [(&str, Option<u32>); 7] = [
    ("as printed: X + (B - A X) / DD", Some(2)),
    ("as printed, with a reciprocal: X + (B - A X) inv", Some(2)),
    ("rearranged: (B - others) inv", Some(2)),
    ("the library's first stage but one: (B - others) inv", Some(6)),
    ("three passes, boundary", Some(0)),
    ("neighbours interpolated, neighbours", Some(0)),
    ("no step: one pass whose fragment shader writes a constant", None),
];
/// The indices of variants in the list.
const DIVIDED: usize = 0;
const INVERSE: usize = 1;
const REARRANGED: usize = 2;
const BOUNDARY: usize = 4;
const NEIGHBOURS: usize = 5;

impl StepVariant {
    fn all(context: &Context, system: &System) -> Result<Vec<StepVariant>, Error> {
        let printed = |form| {
            Ok::<_, Error>(StepVariant::Printed(Box::new(Printed::new(context, system, form)?)))
        };
        let library = |stage| -> Result<StepVariant, Error> {
            let variant = Variant::default().layout(Layout::Red).optimization(stage);
            let systems = std::iter::once(system);
            Ok(StepVariant::Library(Box::new(System::solver(
                context,
                systems,
                variant.reads(Reads::Sample),
            )?)))
        };
        let [divided, inverse, _, rearranged] = Form::ALL;
        Ok(vec![
            printed(divided)?,
            printed(inverse)?,
            printed(rearranged)?,
            library(Optimization::Reciprocal)?,
            library(Optimization::Boundary)?,
            library(Optimization::Neighbours)?,
            StepVariant::empty(context, system)?,
        ])
    }

    fn empty(context: &Context, system: &System) -> Result<StepVariant, Error> {
        let m = system.matrix.m();
        let extent = Extent::new(m as u32, (system.matrix.n() / m) as u32);
        let x = PingPong::new(context.uninit(extent)?, context.uninit(extent)?)?;
        Ok(StepVariant::Empty(Box::new((context.kernel(empty()?)?, x))))
    }

    fn iterate(&mut self, steps: u64) -> Result<()> {
        match self {
            StepVariant::Printed(printed) => printed.iterate(steps),
            StepVariant::Library(jacobi) => Ok(jacobi.iterate(steps)?),
            StepVariant::Empty(empty) => {
                let (kernel, x) = &mut **empty;
                (0..steps).try_for_each(|_| Ok(x.step(|_, new| kernel.pass().draw(new))?))
            }
        }
    }

    fn read(&self) -> Result<Vec<f32>> {
        match self {
            StepVariant::Printed(printed) => printed.read(),
            StepVariant::Library(jacobi) => Ok(jacobi.read()?.pop().unwrap_or_default()),
            StepVariant::Empty(empty) => Ok(empty.1.newest().read()?),
        }
    }
}

fn empty() -> Result<Source, shader::Error> {
    crate::shaders::source(Stage::Fragment, "jacobi/empty.frag")
}

pub(crate) fn sources() -> Result<Vec<Source>, shader::Error> {
    Ok(vec![empty()?])
}

/// A run takes about this long.
const RUN: Duration = Duration::from_millis(10);
/// Steps before a result is compared.
const STEPS: u64 = 4;

/// Compares every variant with double precision, and says how many steps a run should have.
fn must_agree(variants: &mut [StepVariant], system: &System) -> Result<u64, Error> {
    let expected = system.after(STEPS)?;
    let mut slowest = Duration::ZERO;
    for (variant, (name, _)) in variants.iter_mut().zip(NAMES) {
        variant.iterate(STEPS)?;
        if !matches!(variant, StepVariant::Empty(..)) {
            must_be_right(&format!("jacobi, {name}"), expected.compare(&variant.read()?))?;
        }
        let begun = Instant::now();
        variant.iterate(STEPS)?;
        variant.read()?;
        slowest = slowest.max(begun.elapsed());
    }
    let runs = RUN.as_secs_f64() / slowest.as_secs_f64().max(1e-6);
    Ok(STEPS * (runs.ceil() as u64).clamp(1, 256))
}

/// A claim, the way before its trick and the way after it.
const JUDGED: [(&Claim, usize, usize); 3] = [
    (&claims::RECIPROCAL_SPEED, DIVIDED, INVERSE),
    (&claims::MULTIPASS, REARRANGED, BOUNDARY),
    (&claims::INTERPOLATED_SPEED, BOUNDARY, NEIGHBOURS),
];

fn findings(turns: &Turns, n: usize) -> Vec<Finding> {
    let judged = |(claim, before, after): (&Claim, usize, usize)| {
        let gain = turns.ratio(before, after);
        let words = format!(
            "{} times the rate of \"{}\" at N = {n} (RED), over {} rounds",
            short(gain.value),
            NAMES[before].0,
            turns.count()
        );
        judge(claim, Ok(Answer::of(words, gain)))
    };
    JUDGED.into_iter().map(judged).collect()
}

fn table(turns: &Turns, host: &Turns, n: usize, steps: u64) -> Table {
    let row = |(way, (name, floors)): (usize, (&str, Option<u32>))| -> Vec<Cell> {
        let summary = turns.summary(way, steps);
        let judged = JUDGED.iter().find(|(.., after)| *after == way);
        let gain = judged.map(|(_, before, _)| turns.ratio(*before, way).value);
        let paper = judged.and_then(|(claim, ..)| claims::gain(claim));
        vec![
            name.into(),
            floors.map(f64::from).into(),
            floors.map(|_| summary.rate(20.0 * n as f64) / 1e6).into(),
            (1e3 * summary.median_ms).into(),
            (1e3 * host.summary(way, SUBMITTED).median_ms).into(),
            gain.into(),
            paper.into(),
            (100.0 * summary.relative_spread()).into(),
        ]
    };
    let columns = [
        "a step",
        "calls of floor a fragment",
        "MFLOP/s",
        "a step [us]",
        "the host's part [us]",
        "times the one it is judged by",
        "the paper, of its fastest result",
        "spread [%]",
    ];
    Table {
        id: "jacobi-table-of-gains".into(),
        title: format!("What each trick gains, N = {n}, one system, in the same rounds"),
        columns: columns.map(String::from).into(),
        rows: NAMES.into_iter().enumerate().map(row).collect(),
        notes: vec![
            "The paper gives gains in MFLOP/s, of cards that reach 283 to 2358, and does not say of which. Its gains of \
             100, 400 and 300 that end at 2358 (6800, RED) are 1.06, 1.24 and 1.15 times the rate before."
                .into(),
            "Three passes are judged by the printed shader with two calls of floor and the same sum, the interpolated \
             neighbours by three passes."
                .into(),
            format!(
                "The host's part is the time until steps of a system of {SMALL} unknowns are submitted, without waiting for \
                 them: three passes have three programs, of which the paper says that the \"CPU overhead\" is bigger. The last \
                 row says how much of a step is not the work of its fragment shader, by which \"the pipeline is still \
                 dominated\"."
            ),
        ],
        command: alone("jacobi-gains"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::report::Verdict::{Confirmed, Contradicted};

    #[test]
    fn a_pass_without_a_step_has_a_time_and_no_rate() {
        let turns =
            |ms: [u64; 7]| Turns::of(ms.map(|ms| vec![Duration::from_millis(ms); 3]).into());
        let host = turns([16, 16, 16, 16, 48, 48, 16]);
        let table = table(&turns([8, 8, 8, 8, 4, 4, 2]), &host, 1000, 2);
        let row = |row: usize| &table.rows[row][1..5];
        assert_eq!(row(4), [0.0, 10.0, 2000.0, 3000.0].map(Cell::Number));
        assert_eq!(row(6), [Cell::Empty, Cell::Empty, 1000.0.into(), 1000.0.into()]);
    }

    #[test]
    fn gains_are_judged_by_the_ways_before_them() {
        let verdicts = |ms: [u64; 6]| {
            let times = ms.map(|ms| vec![Duration::from_millis(ms); 9]).into();
            let findings = findings(&Turns::of(times), 64);
            findings.iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        assert_eq!(verdicts([200, 170, 170, 400, 120, 100]), [Confirmed; 3]);
        assert_eq!(verdicts([200, 200, 170, 400, 170, 170]), [Contradicted; 3]);
        assert_eq!(verdicts([200, 170, 170, 400, 170, 100]), [Confirmed, Contradicted, Confirmed]);
    }
}
