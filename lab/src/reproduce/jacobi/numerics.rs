//! The accuracy of the optimizations: reciprocals, wraps, interpolated neighbours.

use super::super::super::Error;
use super::super::super::report::{Cell, Finding, Part, Table, Verdict};
use super::super::super::twin::{self, Comparison};
use super::super::Lab;
use super::super::words::{must_be_right, short};
use super::{System, boundary, finding, finding_or, name};
use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::internal::facts;
use quadrille::internal::reference::jacobi::step_f64;
use quadrille::linalg::jacobi::{self, Jacobi, Layout, Optimization, Variant};
use quadrille::observer::{Control, Observer, Progress};
use quadrille::shader::Reads;

use super::Engine;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let context = lab.context;
    let mut part = Part::default();
    let mut done = 0;
    let mut go_on = |lab: &mut Lab<'_>| {
        done += 1;
        let progress = Progress { done, expected: Some(4), residual: None };
        lab.observer().observe(&progress) == Control::Continue
    };
    let systems = lab.scale.pick(6, 24);
    let errors = accuracy(context, lab.seed, systems, &mut part.left_out)?;
    part.tables.push(table(&errors));
    part.findings.push(more_accurate(&errors));
    if !go_on(lab) {
        return Ok(part);
    }
    part.findings.push(wraps(context)?);
    part.findings.push(interpolated(context, lab.seed, &mut part.left_out)?);
    if !go_on(lab) {
        return Ok(part);
    }
    part.findings.push(boundary::covers(context)?);
    part.findings.extend(boundary::beside_quads(lab)?);
    Ok(part)
}

/// The errors of steps, over all unknowns of some systems.
struct Errors {
    layout: Layout,
    stage: Optimization,
    /// The root of the mean square, in units of roundoff of each unknown.
    rms: f64,
    /// The largest of them.
    most: f64,
}

/// The unit roundoff of single precision.
const UNIT: f64 = 1.0 / 16_777_216.0;
/// Unknowns of each system.
const N: usize = 4096;

/// One step of each of both stages from the same random starts, against double precision.
fn accuracy(
    context: &Context,
    seed: u64,
    systems: u64,
    left_out: &mut Vec<String>,
) -> Result<Vec<Errors>, Error> {
    let mut all = Vec::new();
    let systems: Vec<System> =
        (0..systems).map(|i| System::random(N, seed.wrapping_add(i))).collect::<Result<_, _>>()?;
    for layout in [Layout::Red, Layout::Packed] {
        for stage in [Optimization::Generic, Optimization::Reciprocal] {
            let variant = Variant { layout: Some(layout), optimization: Some(stage), reads: None };
            let (mut squares, mut most) = (0.0, 0.0_f64);
            for system in &systems {
                let Some(got) = possible(steps(context, system, variant, 1), variant, left_out)?
                else {
                    return Ok(all);
                };
                let rounded = twin::iterate(&system.matrix, &system.side, &system.start, 1)?;
                must_be_right(&format!("jacobi, {layout}, {stage}"), rounded.compare(&got))?;
                let wide = |numbers: &[f32]| -> Vec<f64> {
                    numbers.iter().map(|number| f64::from(*number)).collect()
                };
                let exact = step_f64(&system.matrix, &wide(&system.side), &wide(&system.start));
                for (got, exact) in got.iter().zip(&exact) {
                    let off = (f64::from(*got) - exact) / (UNIT * exact.abs().max(0.1));
                    squares += off * off;
                    most = most.max(off.abs());
                }
            }
            let count = (N * systems.len()).max(1) as f64;
            all.push(Errors { layout, stage, rms: (squares / count).sqrt(), most });
        }
    }
    Ok(all)
}

/// The result of a variant after some steps.
fn steps(
    context: &Context,
    system: &System,
    variant: Variant,
    steps: u64,
) -> Result<Vec<f32>, jacobi::Error> {
    let layout = variant.layout.unwrap_or(Layout::Red);
    let count = layout.systems();
    let mut jacobi = Jacobi::with_systems(context, &vec![&system.matrix; count], variant)?;
    jacobi
        .set_systems(&vec![system.side.as_slice(); count], &vec![system.start.as_slice(); count])?;
    jacobi.iterate(steps)?;
    Ok(jacobi.read()?.pop().unwrap_or_default())
}

/// None, and a note, if this device cannot run it.
fn possible(
    result: Result<Vec<f32>, jacobi::Error>,
    variant: Variant,
    left_out: &mut Vec<String>,
) -> Result<Option<Vec<f32>>, Error> {
    match result {
        Ok(got) => Ok(Some(got)),
        Err(error) if error.kind().is_device_limit() => {
            left_out.push(format!("jacobi, {variant:?}: {error}"));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn table(errors: &[Errors]) -> Table {
    let row = |errors: &Errors| -> Vec<Cell> {
        vec![
            errors.layout.to_string().into(),
            errors.stage.to_string().into(),
            errors.rms.into(),
            errors.most.into(),
        ]
    };
    Table {
        id: "jacobi-accuracy".into(),
        title: format!("The error of one step, N = {N}, against double precision"),
        columns: ["layout", "stage", "root mean square [u]", "largest [u]"].map(String::from).to_vec(),
        rows: errors.iter().map(row).collect(),
        notes: vec![
            "u is 2^-24 of the unknown. The stage generic divides by the diagonal; from reciprocal on the step is (b \
             - others) times the reciprocal of the diagonal, rounded on the host."
                .into(),
        ],
        command: "quadrille bench jacobi --sizes 4096 --layouts red,packed --stages generic,reciprocal \
                  --no-cpu"
            .into(),
    }
}

fn more_accurate(errors: &[Errors]) -> Finding {
    let of = |stage| errors.iter().find(|e| e.layout == Layout::Red && e.stage == stage);
    let judged = of(Optimization::Generic).zip(of(Optimization::Reciprocal)).map(|(divided, multiplied)| {
        let words = format!(
            "the error of a step, root mean square in units of 2^-24 of each unknown: {} with a division, {} with \
             the reciprocal, where x itself is not part of the sum; the largest {} and {}",
            short(divided.rms),
            short(multiplied.rms),
            short(divided.most),
            short(multiplied.most)
        );
        // With so many unknowns, half a percent less is not by chance.
        (words, Verdict::of(multiplied.rms < 0.995 * divided.rms))
    });
    finding_or(
        "Multiplying with a precomputed reciprocal is more accurate than dividing",
        judged,
        "one of the variants could not run here",
    )
}

/// Extents of textures of vectors: narrow, odd, and as large as the paper's.
const PLACES: [(u32, u32); 5] = [(64, 64), (129, 129), (1000, 30), (1024, 1024), (2048, 2048)];

fn wraps(context: &Context) -> Result<Finding, Error> {
    let limit = context.abilities().max_texture_size;
    let mut words = Vec::new();
    let mut wrong = 0;
    for (width, height) in PLACES.into_iter().filter(|(width, _)| *width <= limit) {
        let misplaced = facts::misplaced_by_floor(context, Extent::new(width, height))?;
        words.push(format!("{misplaced} of {width} x {height}"));
        wrong += misplaced;
    }
    Ok(judge_wraps(&words, wrong))
}

fn judge_wraps(words: &[String], wrong: usize) -> Finding {
    let words = format!(
        "texels whose neighbour a division and floor get wrong: {}. Floats cannot count more than 2^24 texels, so \
         all but the first two variants use integers",
        words.join(", ")
    );
    finding(
        "Neighbours at the ends of rows are found by straightforward algebra with floor",
        words,
        Verdict::of(wrong == 0),
    )
}

/// Awkward widths at which places are interpolated.
const WIDTHS: [usize; 4] = [31, 65, 130, 257];
/// Steps before a result is compared.
const STEPS: u64 = 4;

fn interpolated(
    context: &Context,
    seed: u64,
    left_out: &mut Vec<String>,
) -> Result<Finding, Error> {
    let mut worst = Comparison::RIGHT;
    let mut runs = 0;
    for width in WIDTHS {
        let system = System::random(width * width, seed)?;
        let expected = twin::iterate(&system.matrix, &system.side, &system.start, STEPS)?;
        for layout in Layout::ALL {
            for reads in [Reads::Fetch, Reads::Sample] {
                let stage = Optimization::Neighbours;
                let variant =
                    Variant { layout: Some(layout), optimization: Some(stage), reads: Some(reads) };
                let got = steps(context, &system, variant, STEPS);
                let Some(got) = possible(got, variant, left_out)? else { continue };
                let comparison = expected.compare(&got);
                let what = name(Engine::Device(layout, stage, reads));
                must_be_right(&format!("jacobi, {what}, rows of {width}"), comparison)?;
                worst = worst.worse(comparison);
                runs += 1;
            }
        }
    }
    let judged = (runs > 0).then(|| {
        let words = format!(
            "{runs} runs with rows of {}, in every layout that fits and with both ways of reading, with random \
             couplings across the ends of rows: the largest error is {} of the bound of rounding",
            WIDTHS.map(|width| width.to_string()).join(", "),
            short(worst.of_bound)
        );
        (words, Verdict::of(worst.is_right()))
    });
    Ok(finding_or(
        "Neighbours' coordinates depend linearly on the corners', and come correctly interpolated",
        judged,
        "no layout could run here",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_judged_by_the_mean() {
        let errors = |stage, rms| Errors { layout: Layout::Red, stage, rms, most: 9.0 };
        let verdict = |divided, multiplied| {
            let both = [
                errors(Optimization::Generic, divided),
                errors(Optimization::Reciprocal, multiplied),
            ];
            more_accurate(&both).verdict
        };
        assert_eq!(verdict(1.0, 0.9), Verdict::Confirmed);
        assert_eq!(verdict(1.0, 0.999), Verdict::Contradicted);
        assert_eq!(verdict(0.9, 1.0), Verdict::Contradicted);
        assert_eq!(more_accurate(&[]).verdict, Verdict::NotMeasurable);
    }

    #[test]
    fn one_misplaced_texel_contradicts() {
        let verdicts = [0, 1].map(|wrong| judge_wraps(&[], wrong).verdict);
        assert_eq!(verdicts, [Verdict::Confirmed, Verdict::Contradicted]);
    }
}
