//! The paper's test programs, and their correct results.

use std::fmt;

use quadrille::memory;
use quadrille::testing::Comparison;
use quadrille_vp::internal::reference::vectors;
use quadrille_vp::vector_machine::bundled::{self, BundledProgram};
use quadrille_vp::vector_machine::{DFunction, DVector, Machine};

use super::super::functions;
use super::{host, lanes};
use crate::Result;

/// A program of tables 4 and 5 and figures 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// log(pi x^3).
    Arithmetic,
    /// x^50.
    Exponents,
    /// x! of 0 to 9.
    Factorial,
    /// A number of multiplications.
    Muls(usize),
}

/// The unit roundoff of single precision.
const UNIT: f64 = 1.0 / 16_777_216.0;

/// gamma_k = k u / (1 - k u): Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1.
fn gamma(roundings: f64) -> f64 {
    roundings * UNIT / (1.0 - roundings * UNIT)
}

impl Subject {
    /// The programs of table 4.
    pub const TABLE_4: [Subject; 3] = [Subject::Arithmetic, Subject::Exponents, Subject::Factorial];

    pub fn name(self) -> &'static str {
        match self {
            Subject::Arithmetic => "arithmetic",
            Subject::Exponents => "exponents",
            Subject::Factorial => "factorial",
            Subject::Muls(_) => "muls",
        }
    }

    /// The file in `crates/vector-machine/programs/`, for subjects that are not generated.
    fn file(self) -> Option<BundledProgram> {
        BundledProgram::named(self.name())
    }

    /// Instructions, without those of the framework.
    pub fn opcodes(self) -> usize {
        match self {
            Subject::Muls(opcodes) => opcodes,
            other => other.file().map_or(0, |file| file.opcodes),
        }
    }

    pub fn function(self, machine: &Machine) -> Result<DFunction> {
        // All of muls have the constants of the files of that name.
        let (text, file) = match self {
            Subject::Muls(opcodes) => (bundled::muls(opcodes), BundledProgram::named("muls-10")),
            other => (other.file().map_or("", |file| file.text).to_owned(), other.file()),
        };
        let mut function = functions::modern(machine, &text)?;
        file.iter().try_for_each(|file| functions::set_constants(&mut function, file))?;
        Ok(function)
    }

    pub fn inputs(self, n: usize) -> Result<Vec<f32>> {
        let seed = n as u64;
        // The numbers, and the bytes of which some are made.
        memory::must_have(n.saturating_mul(5))?;
        match self {
            Subject::Arithmetic => Ok(DVector::<f32>::random(n, 0.1..3.0, seed).into_vec()?),
            Subject::Exponents => Ok(DVector::<f32>::random(n, 0.5..1.5, seed).into_vec()?),
            Subject::Muls(_) => Ok(DVector::<f32>::random(n, -100.0..100.0, seed).into_vec()?),
            Subject::Factorial => {
                let digits = DVector::<u8>::random(n, 0..=9, seed);
                Ok(digits.read()?.iter().map(|digit| f32::from(*digit)).collect())
            }
        }
    }

    /// Whether there is a loop that works on several numbers at a time.
    pub(super) fn has_lanes(self) -> bool {
        matches!(self, Subject::Exponents | Subject::Muls(_))
    }

    /// Several numbers at a time where there is such a loop.
    pub(super) fn in_lanes(self, x: &[f32], y: &mut [f32]) {
        match self {
            Subject::Exponents => lanes::exponents(x, y),
            Subject::Muls(opcodes) => lanes::muls(x, y, opcodes),
            Subject::Arithmetic | Subject::Factorial => self.on_host(x, y),
        }
    }

    /// One number after the other.
    pub(super) fn on_host(self, x: &[f32], y: &mut [f32]) {
        match self {
            Subject::Arithmetic => host::arithmetic(x, y),
            Subject::Exponents => host::exponents(x, y),
            Subject::Factorial => host::factorial(x, y),
            Subject::Muls(opcodes) => host::muls(x, y, opcodes),
        }
    }

    /// The result for a number in double precision, and the error bound of single precision.
    fn expected(self, x: f32) -> (f64, f64) {
        match self {
            Subject::Arithmetic => {
                let exact = vectors::arithmetic(x);
                (exact, arithmetic_bound(exact))
            }
            Subject::Exponents => {
                let exact = vectors::exponents(x);
                (exact, gamma(49.0) * exact.abs())
            }
            Subject::Factorial => (vectors::factorial(x), 0.0),
            Subject::Muls(opcodes) => {
                let exact = vectors::muls(x, opcodes);
                (exact, gamma(opcodes as f64) * exact.abs())
            }
        }
    }

    pub fn compare(self, x: &[f32], got: &[f32]) -> Comparison {
        Comparison::of(got.iter().copied(), x.iter().map(|x| self.expected(*x)))
    }
}

/// Four roundings in the argument, of which the logarithm makes an absolute error; then relative
/// ones: one ULP of the logarithm, and the roundings of ln 2 and of the product.
fn arithmetic_bound(exact: f64) -> f64 {
    gamma(4.0) + gamma(4.0) * exact.abs()
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Muls(opcodes) => f.pad(&format!("muls-{opcodes}")),
            other => f.pad(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::faults_must_be_seen;

    const ALL: [Subject; 6] = [
        Subject::Arithmetic,
        Subject::Exponents,
        Subject::Factorial,
        Subject::Muls(10),
        Subject::Muls(55),
        Subject::Muls(120),
    ];

    #[test]
    fn the_host_is_right_at_every_length() {
        for subject in ALL {
            for n in [0, 1, 15, 16, 17, 1023] {
                let x = subject.inputs(n).unwrap();
                for work in [Subject::on_host, Subject::in_lanes] {
                    let mut y = vec![f32::NAN; n];
                    work(subject, &x, &mut y);
                    let comparison = subject.compare(&x, &y);
                    assert!(comparison.is_right(), "{subject} of {n}: {comparison:?}");
                }
            }
        }
    }

    #[test]
    fn a_result_that_is_a_little_wrong_is_seen() {
        for subject in ALL {
            let x = subject.inputs(100).unwrap();
            let mut y = vec![0.0; 100];
            subject.on_host(&x, &mut y);
            y[37] *= 1.0001;
            assert!(!subject.compare(&x, &y).is_right(), "{subject}");
            assert!(!subject.compare(&x, &y[1..]).is_right());
        }
    }

    #[test]
    fn a_result_that_is_twice_its_bound_away_and_a_lost_opcode_are_seen() {
        for subject in ALL {
            let x = subject.inputs(100).unwrap();
            let expected: Vec<_> = x.iter().map(|x| subject.expected(*x)).collect();
            faults_must_be_seen(&expected, |got| subject.compare(&x, got).is_right());
        }
        for opcodes in [1, 2, 10, 120] {
            let x = Subject::Muls(opcodes).inputs(100).unwrap();
            let mut y = vec![0.0; 100];
            Subject::Muls(opcodes - 1).on_host(&x, &mut y);
            assert!(!Subject::Muls(opcodes).compare(&x, &y).is_right(), "{opcodes}");
        }
    }

    #[test]
    fn the_simulator_runs_each_of_them() {
        for subject in ALL {
            let x = subject.inputs(101).unwrap();
            let function = subject.function(&Machine::simulator()).unwrap();
            let y = function.apply(&[&DVector::from_slice(&x)]).unwrap().into_vec().unwrap();
            assert!(subject.compare(&x, &y).is_right(), "{subject}");
        }
        assert_eq!(ALL.map(Subject::opcodes), [13, 49, 59, 10, 55, 120]);
    }
}
