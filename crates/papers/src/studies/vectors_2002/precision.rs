//! Arithmetic precision, section 6: floats instead of 8-bit pixels, and a logarithm at full
//! precision.

use super::super::prelude::*;

use super::claims;
use quadrille::internal::reference;
use quadrille_lab::bench::functions::{assembled, bundled};
use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};

/// The error from 0.5 to 1 of numbers of 16 bits, whose fractions have 10: logarithms of 1 to 2 are
/// there.
const HALF: f64 = 1.0 / 4096.0;
/// Elements whose errors are looked at.
const ELEMENTS: usize = 1 << 14;

#[derive(Clone, Copy)]
struct Errors {
    /// The errors of numbers from 0 to 1 that come back through 8-bit pixels and as floats.
    pixels: f64,
    floats: f64,
    /// The errors of LOG's z, the logarithm to the base 2, from 1 to 2.
    period: f64,
    modern: f64,
    /// The error of the refinement by the exponent and the mantissa.
    refined: f64,
}

fn function(machine: &Machine, text: &str, profile: Profile) -> Result<DFunction> {
    assembled(machine, text, profile, Semantics::VToV)
}

/// The largest error of a function against another on the host.
fn largest(function: &DFunction, input: &DVector<f32>, exact: fn(f64) -> f64) -> Result<f64> {
    let got: DVector<f32> = function.apply(&[input])?;
    let pairs = input.read()?.iter().zip(got.read()?);
    let errors = pairs.map(|(x, y)| exact(f64::from(*x)) - f64::from(*y));
    Ok(reference::largest(errors))
}

const COPY: &str = "MOV o[1], v[1];";
/// The program that takes LOG of all four elements.
const LOG: &str = "\
LOG R1, v[1].x; MOV R2.x, R1.z;
LOG R1, v[1].y; MOV R2.y, R1.z;
LOG R1, v[1].z; MOV R2.z, R1.z;
LOG R1, v[1].w; MOV R2.w, R1.z;
MOV o[1], R2;";

fn errors(lab: &Lab<'_>) -> Result<Errors> {
    let machine = Machine::new(lab.context);
    let unit = DVector::<f32>::random(ELEMENTS, 0.0..1.0, lab.seed);
    let mantissas = DVector::<f32>::random(ELEMENTS, 1.0..2.0, lab.seed);
    let largest_log = |profile, log: fn(f64) -> f64| -> Result<f64> {
        largest(&function(&machine, LOG, profile)?, &mantissas, log)
    };
    Ok(Errors {
        pixels: largest(&function(&machine, COPY, Profile::Period)?, &unit, |x| x)?,
        floats: largest(&function(&machine, COPY, Profile::Modern)?, &unit, |x| x)?,
        period: period_log(lab.seed)?,
        modern: largest_log(Profile::Modern, f64::log2)?,
        refined: refined(&machine, &mantissas)?,
    })
}

/// The period's LOG before pixels round it, which only the simulator can show.
fn period_log(seed: u64) -> Result<f64> {
    let numbers = DVector::<f32>::random(ELEMENTS, 1.0..2.0, seed).into_vec()?;
    let program = DProgram::parse("log.vp", "LOG o[1], v[1].x;", Profile::Period)?;
    let simulator = quadrille_vp::vector_machine::Simulator::new(&program);
    let constants = [[0.0; 4]; 96];
    let errors = numbers.into_iter().map(|number| {
        let mut inputs = [[0.0; 4]; 16];
        inputs[1] = [number; 4];
        f64::from(number).log2() - f64::from(simulator.run(&constants, &inputs)[1][2])
    });
    Ok(reference::largest(errors))
}

/// log2.vp, the refinement of the specification.
fn refined(machine: &Machine, mantissas: &DVector<f32>) -> Result<f64> {
    let Some(file) = BundledProgram::named("log2") else { return Ok(f64::NAN) };
    largest(&bundled(machine, &file)?, mantissas, f64::log2)
}

pub(super) fn findings(lab: &Lab<'_>) -> Result<Vec<Finding>> {
    let errors = errors(lab)?;
    must_hold("numbers that come back as floats", errors.floats == 0.0)?;
    Ok(judge(errors))
}

fn judge(errors: Errors) -> Vec<Finding> {
    let finding = |claim, words, right| check(claim, Ok((words, right)));
    vec![
        finding(
            &claims::PIXELS,
            format!(
                "numbers from 0 to 1 are off by up to {} through pixels of the period's profile, half of 1/255; all \
                 others are clamped. As float targets they come back to the bit (error {})",
                short(errors.pixels),
                short(errors.floats)
            ),
            errors.pixels > 1e-3 && errors.floats == 0.0,
        ),
        finding(
            &claims::COARSE_LOG,
            format!(
                "from 1 to 2 it is off by up to {} by the period's specification, {} at full precision on this \
                 device (whether that made it fast cannot be measured on a device of today)",
                short(errors.period),
                short(errors.modern)
            ),
            errors.period > 10.0 * errors.modern,
        ),
        finding(
            &claims::SIXTEEN_BITS,
            format!(
                "section 4.3 says single precision. The refinement of LOG that the specification describes is off by up to \
                 {} from 1 to 2: numbers of 16 bits, with 10 of the fraction, are off by {} there",
                short(errors.refined),
                short(HALF)
            ),
            errors.refined >= HALF,
        ),
        finding(
            &claims::REFINED_LOG,
            format!(
                "a polynomial of the mantissa that LOG gives is off by up to {}, where LOG's own result is off by up \
                 to {}",
                short(errors.refined),
                short(errors.period)
            ),
            errors.refined < 0.1 * errors.period,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_is_judged_by_its_errors() {
        let verdicts = |pixels, period, refined| {
            let errors = Errors { pixels, floats: 0.0, period, modern: 1e-7, refined };
            judge(errors).iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        use Verdict::{Confirmed, Contradicted};
        let expected = [Confirmed, Confirmed, Contradicted, Confirmed];
        assert_eq!(verdicts(0.002, 5e-4, 2e-7), expected);
        assert_eq!(verdicts(1e-8, 5e-7, 4e-7), [Contradicted; 4]);
        assert_eq!(verdicts(0.002, 5e-4, 3e-4)[2], Confirmed);
    }
}
