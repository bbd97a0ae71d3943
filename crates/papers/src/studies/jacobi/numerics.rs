//! The accuracy of the optimizations: reciprocals, wraps, interpolated neighbours.

use super::super::prelude::*;
use super::super::race::or_left_out;
use super::printed::{Form, Printed};
use super::{boundary, claims};
use quadrille::Extent;
use quadrille::internal::reference::jacobi::step_f64;
use quadrille::linalg::jacobi::{Layout, Optimization, Variant};
use quadrille::shader::Reads;
use quadrille::stream::facts;
use quadrille::testing::largest;
use quadrille::{Control, Observer, Progress};
use quadrille_lab::twin::System;

use quadrille_lab::bench::jacobi::Engine;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let context = lab.context;
    let mut part = Part::default();
    let mut done = 0;
    let mut go_on = |lab: &mut Lab<'_>| {
        done += 1;
        let progress = Progress::new(done, Some(4));
        lab.observer().observe(&progress) == Control::Continue
    };
    let systems = lab.scale.pick(6, 24);
    let errors = accuracy(context, lab.seed, systems)?;
    part.tables.push(table(&errors));
    part.findings.push(more_accurate(&errors));
    if !go_on(lab) {
        return Ok(part);
    }
    part.findings.push(wraps(context, lab.seed)?);
    part.findings.push(interpolated(context, lab.seed, &mut part.left_out)?);
    if !go_on(lab) {
        return Ok(part);
    }
    part.findings.push(boundary::covers(context)?);
    Ok(part)
}

/// The errors of one step of a form, in units of roundoff of each unknown.
struct Errors {
    form: Form,
    /// The root of the mean square, by system.
    rms: Vec<f64>,
    /// The largest of all systems.
    most: f64,
}

/// The unit roundoff of single precision.
const UNIT: f64 = 1.0 / 16_777_216.0;
/// Unknowns of each system.
const N: usize = 4096;

/// Compares a step of each form from the same random starts with double precision.
fn accuracy(context: &Context, seed: u64, systems: u64) -> Result<Vec<Errors>> {
    let blank = |form| Errors { form, rms: Vec::new(), most: 0.0 };
    let mut all = Form::ALL.map(blank);
    for number in 0..systems {
        let system = System::random(N, N.isqrt(), seed.wrapping_add(number))?;
        let wide = |numbers: &[f32]| numbers.iter().map(|number| f64::from(*number)).collect();
        let (side, start): (Vec<f64>, Vec<f64>) = (wide(&system.side), wide(&system.start));
        let exact = step_f64(&system.matrix, &side, &start);
        let bounds = system.after(1)?;
        for errors in &mut all {
            let mut printed = Printed::new(context, &system, errors.form)?;
            printed.iterate(1)?;
            let got = printed.read()?;
            let what = format!("a step as printed, {}", errors.form.name());
            must_be_right(&what, bounds.compare(&got))?;
            let off = |(got, exact): (&f32, &f64)| {
                ((f64::from(*got) - exact) / (UNIT * exact.abs().max(0.1))).abs()
            };
            let off: Vec<f64> = got.iter().zip(&exact).map(off).collect();
            let squares: f64 = off.iter().map(|off| off * off).sum();
            errors.rms.push((squares / N as f64).sqrt());
            errors.most = largest(off.into_iter().chain([errors.most]));
        }
    }
    Ok(all.into())
}

impl Errors {
    fn mean(&self) -> f64 {
        let squares: f64 = self.rms.iter().map(|rms| rms * rms).sum();
        (squares / self.rms.len().max(1) as f64).sqrt()
    }
}

/// The result of a variant after some steps.
fn steps(context: &Context, system: &System, variant: Variant, steps: u64) -> Result<Vec<f32>> {
    let count = variant.layout.unwrap_or(Layout::Red).systems();
    let mut jacobi = System::solver(context, std::iter::repeat_n(system, count), variant)?;
    jacobi.iterate(steps)?;
    Ok(jacobi.read()?.pop().unwrap_or_default())
}

fn table(errors: &[Errors]) -> Table {
    let columns = vec![
        only_text("a step", "", |errors: &Errors| errors.form.name().into()),
        only_text("formula of", "", |errors| {
            if errors.form.rearranged { "the library" } else { "the paper" }.into()
        }),
        only_text("root mean square", "u", |errors| errors.mean().into()),
        only_text("largest", "u", |errors| errors.most.into()),
    ];
    let title = format!("The error of one step, N = {N}, against double precision");
    let notes = [
        "u is 2^-24 of the unknown, or of 0.1 where it is smaller. inv is 1 / DD, rounded on the host. others: all \
         products but that with the diagonal, so that x is not added and subtracted again.",
    ];
    Rows { columns, rows: errors }.table("jacobi-accuracy", title, notes, alone("jacobi-numerics"))
}

fn more_accurate(errors: &[Errors]) -> Finding {
    let of = |form: Form| errors.iter().find(|errors| errors.form == form);
    let [divided, inverse, our_divided, our_inverse] = Form::ALL.map(of);
    let told = || -> AnswerOrReason {
        let missing = "nothing was computed";
        let (divided, inverse) = (divided.ok_or(missing)?, inverse.ok_or(missing)?);
        let ours = [our_divided, our_inverse].map(|errors| errors.map_or(0.0, Errors::mean));
        let words = format!(
            "the error of a step, root mean square in units of 2^-24: {} divided and {} times the reciprocal; without x in \
             the sum, as here, {} and {}",
            short(divided.mean()),
            short(inverse.mean()),
            short(ours[0]),
            short(ours[1])
        );
        Ok(Answer::of(words, sampled_pairs(&divided.rms, &inverse.rms)))
    };
    judge(&claims::RECIPROCAL_ACCURACY, told())
}

/// Extents of textures of vectors: narrow, odd, and as large as the paper's.
const PLACES: [(u32, u32); 5] = [(64, 64), (129, 129), (1000, 30), (1024, 1024), (2048, 2048)];

/// The widths of the systems that are stepped as printed.
const PRINTED: [usize; 4] = [3, 31, 64, 129];

/// Random couplings show a neighbour that is wrong; larger extents are tested by their places
/// alone.
fn wraps(context: &Context, seed: u64) -> Result<Finding> {
    let mut wrong = 0;
    for width in PRINTED {
        let system = System::random(width * width, width, seed)?;
        let mut printed = Printed::new(context, &system, Form::ALL[0])?;
        printed.iterate(1)?;
        let expected = system.after(1)?;
        wrong += usize::from(!expected.compare(&printed.read()?).is_right());
    }
    let limit = context.abilities().max_texture_size;
    let mut words = Vec::new();
    for (width, height) in PLACES.into_iter().filter(|(width, _)| *width <= limit) {
        let misplaced = facts::misplaced_by_floor(context, Extent::new(width, height))?;
        words.push(format!("{misplaced} of {width} x {height}"));
        wrong += misplaced;
    }
    let words = format!(
        "systems with rows of {} are stepped as printed and compared; texels whose neighbour a division and floor get \
         wrong: {}. Floats cannot count more than 2^24 texels, so all but the first two stages use integers",
        PRINTED.map(|width| width.to_string()).join(", "),
        words.join(", ")
    );
    Ok(check(&claims::FLOOR, Ok((words, wrong == 0))))
}

/// Awkward widths at which places are interpolated.
const WIDTHS: [usize; 4] = [31, 65, 130, 257];
/// Steps before a result is compared.
const STEPS: u64 = 4;

fn interpolated(context: &Context, seed: u64, left_out: &mut Vec<String>) -> Result<Finding> {
    let mut worst = Comparison::RIGHT;
    let mut runs = 0;
    for width in WIDTHS {
        let system = System::random(width * width, width, seed)?;
        let expected = system.after(STEPS)?;
        for layout in Layout::ALL {
            for reads in [Reads::Fetch, Reads::Sample] {
                let stage = Optimization::Neighbours;
                let variant = Variant::new().layout(layout).optimization(stage).reads(reads);
                let got = steps(context, &system, variant, STEPS);
                let Some(got) = or_left_out(got, &format!("jacobi, {variant:?}"), left_out)? else {
                    continue;
                };
                let comparison = expected.compare(&got);
                let what = Engine::Device(layout, stage, reads);
                must_be_right(&format!("jacobi, {what}, rows of {width}"), comparison)?;
                worst = worst.worse(comparison);
                runs += 1;
            }
        }
    }
    let words = format!(
        "{runs} runs with rows of {}, in every layout that fits and with both ways of reading, with random couplings \
         across the ends of rows: the largest error is {} of the bound of rounding",
        WIDTHS.map(|width| width.to_string()).join(", "),
        short(worst.of_bound)
    );
    let told = match runs {
        0 => Err("no layout could run here".into()),
        _ => Ok((words, worst.is_right())),
    };
    Ok(check(&claims::INTERPOLATED, told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_judged_system_by_system() {
        let errors = |form, rms: [f64; 5]| Errors { form, rms: rms.into(), most: 9.0 };
        let verdict = |divided, inverse| {
            let both = [errors(Form::ALL[0], divided), errors(Form::ALL[1], inverse)];
            more_accurate(&both).verdict
        };
        assert_eq!(verdict([1.0; 5], [0.9; 5]), Verdict::Confirmed);
        assert_eq!(verdict([0.9; 5], [1.0; 5]), Verdict::Contradicted);
        let scattered = verdict([1.0; 5], [0.9, 1.2, 0.95, 1.05, 0.8]);
        assert_eq!([scattered, more_accurate(&[]).verdict], [Verdict::NotMeasurable; 2]);
    }
}
