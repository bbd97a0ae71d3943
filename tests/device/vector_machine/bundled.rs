//! The document's programs as a user runs them: every file, every engine, both profiles, against
//! the simulator and against plain mathematics; and its matrix multiply, a call an element.

use crate::common::planted::faults_must_be_seen;
use crate::common::sums::{self, Expected};
use crate::common::systems::gamma;
use crate::common::{by_turns, each, on_extremes, random};
use quadrille::internal::reference::{first_wrong, is_near};
use quadrille_vp::internal::reference::vectors as twin;
use quadrille_vp::vector_machine::bundled::{BundledProgram, muls};
use quadrille_vp::vector_machine::{
    AnyVector, DFunction, DProgram, DVector, Fold, Machine, Processor, Profile, Semantics,
};

/// A length that fills neither quads nor invocations.
const LENGTH: usize = 1021;

fn function(machine: &Machine, program: &BundledProgram, profile: Profile) -> DFunction {
    let parsed = DProgram::parse(program.name, program.text, profile).unwrap();
    assert_eq!(parsed.instructions().len(), program.opcodes, "{}", program.name);
    let mut function = DFunction::new(machine, &parsed, program.semantics).unwrap();
    for (register, value) in program.constants {
        function.set_constant(usize::from(*register), *value).unwrap();
    }
    function.set_padding(0.0);
    function
}

/// Numbers that suit each program: no overflow, and where a period's pixels can show them.
fn inputs(program: &BundledProgram) -> Vec<DVector<f32>> {
    let count = program.semantics.vectors();
    let input = |seed| match program.name {
        "factorial" | "factorial-2002" => {
            let digits = DVector::<u8>::random(LENGTH, 0..=9, seed).into_vec().unwrap();
            digits.into_iter().map(f32::from).collect::<Vec<f32>>().into()
        }
        "arithmetic" | "log2" => DVector::<f32>::random(LENGTH, 0.1..10.0, seed),
        "exponents" => DVector::<f32>::random(LENGTH, 0.5..1.2, seed),
        _ => DVector::<f32>::random(LENGTH, -1.0..1.0, seed),
    };
    (0..count).map(|i| input(i as u64 + 3)).collect()
}

/// A dot product, and what the roundings of a product and of its sums explain.
fn dot(x: &[f32], y: &[f32]) -> Expected {
    sums::dot(x, y, gamma(x.len() as f64))
}

/// A program's elements, where it has such, with their bounds: 120 roundings at most, and 4e-7 of
/// the refinements of EXP and LOG.
fn elements(program: &BundledProgram, x: &[f32]) -> Option<Vec<Expected>> {
    let element = element(program.name)?;
    let expected = x.iter().map(|x| {
        let exact = element(*x);
        (exact, 120.0 * 0.5_f64.powi(24) * exact.abs().max(1.0) + 4e-7)
    });
    Some(expected.collect())
}

/// Pixels, of which a number between two steps may become either.
fn pixels(numbers: &[f32]) -> Vec<Expected> {
    numbers.iter().map(|number| (f64::from(*number), 1.01 / 255.0)).collect()
}

/// The expected results of `opcodes` multiplications, each rounded.
fn multiplied(x: &[f32], opcodes: usize) -> Vec<Expected> {
    let exact = x.iter().map(|x| twin::muls(*x, opcodes));
    exact.map(|exact| (exact, gamma(opcodes as f64) * exact.abs())).collect()
}

/// The mathematics of a program, an element; none for those to a scalar.
fn element(name: &str) -> Option<fn(f32) -> f64> {
    match name {
        "arithmetic" => Some(twin::arithmetic),
        "exponents" => Some(twin::exponents),
        "factorial" => Some(twin::factorial),
        "factorial-2002" => Some(twin::factorial_of_2002),
        "exp2" => Some(twin::exp2),
        "log2" => Some(twin::log2),
        "muls-10" => Some(|x| twin::muls(x, 10)),
        "muls-50" => Some(|x| twin::muls(x, 50)),
        "muls-120" => Some(|x| twin::muls(x, 120)),
        _ => None,
    }
}

fn as_inputs(vectors: &[DVector<f32>]) -> Vec<&dyn AnyVector> {
    vectors.iter().map(|vector| vector as &dyn AnyVector).collect()
}

#[test]
fn every_program_is_right_on_every_engine() {
    by_turns(BundledProgram::ALL, |context, program| {
        let machine = Machine::new(context);
        let vectors = inputs(program);
        let inputs = as_inputs(&vectors);
        for engine in Processor::of(context) {
            let function = function(&machine.with(engine).unwrap(), program, Profile::Modern);
            let name = format!("{} on {engine}", program.name);
            let numbers = |i: usize| vectors[i].read().unwrap();
            let Some(expected) = elements(program, numbers(0)) else {
                let (exact, bound) = dot(numbers(0), numbers(vectors.len() - 1));
                let total = function.total(&inputs).unwrap();
                assert!(is_near(total, exact, bound), "{name}: {total}, not {exact}");
                continue;
            };
            let result: DVector<f32> = function.apply(&inputs).unwrap();
            let got = result.read().unwrap().iter().copied();
            assert_eq!(first_wrong(got, expected), None, "{name}");
        }
    });
}

#[test]
fn the_period_shows_its_pixels_on_every_engine_alike() {
    by_turns(BundledProgram::ALL, |context, program| {
        let machine = Machine::new(context);
        // 120 multiplies and the framework's own instruction are within the period's 128.
        let vectors = inputs(program);
        let inputs = as_inputs(&vectors);
        if program.semantics.is_to_scalar() {
            return;
        }
        let run = |engine| {
            let function = function(&machine.with(engine).unwrap(), program, Profile::Period);
            function.apply::<f32>(&inputs).unwrap().into_vec().unwrap()
        };
        let expected = run(Processor::Simulator);
        for engine in Processor::of(context) {
            let wrong = first_wrong(run(engine), pixels(&expected));
            assert_eq!(wrong, None, "{} on {engine}", program.name);
        }
    });
    on_extremes(|context| {
        let machine = Machine::new(context);
        // The factorial of 6 does not fit, but the paper of 2002 stored it in a byte.
        let program = BundledProgram::named("factorial").unwrap();
        let function = function(&machine, &program, Profile::Period);
        let six: DVector<u8> = function.apply(&[&DVector::from_slice(&[6_u8, 5, 3, 0])]).unwrap();
        assert_eq!(six.read().unwrap(), [255, 120, 6, 1]);
    });
}

#[test]
fn muls_take_any_number_of_opcodes() {
    each(|context| {
        let machine = Machine::new(context);
        let input = DVector::<f32>::random(LENGTH, 1.0..2.0, 5);
        for opcodes in [1, 10, 35, 120] {
            let program = DProgram::parse("muls", &muls(opcodes), Profile::Period).unwrap();
            assert_eq!(program.instructions().len(), opcodes);
            let program = DProgram::parse("muls", &muls(opcodes), Profile::Modern).unwrap();
            let mut function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
            for (register, factor) in [11, 12].into_iter().zip(twin::MULS_FACTORS) {
                function.set_constant(register, factor).unwrap();
            }
            let result: DVector<f32> = function.apply(&[&input]).unwrap();
            let expected = multiplied(input.read().unwrap(), opcodes);
            let wrong = first_wrong(result.read().unwrap().iter().copied(), expected);
            assert_eq!(wrong, None, "{opcodes}");
        }
    });
}

#[test]
fn a_matrix_multiply_is_a_call_an_element() {
    let (rows, inner, columns) = (5, 67, 4);
    each(|context| {
        let machine = Machine::new(context);
        let matrix = |count: usize, seed| -> Vec<DVector<f32>> {
            random(count * inner, seed).chunks(inner).map(DVector::from_slice).collect()
        };
        // The second source is transposed: its columns are vectors.
        let (a, b) = (matrix(rows, 1), matrix(columns, 2));
        let program = BundledProgram::named("dot").unwrap();
        for engine in Processor::of(context) {
            for fold in [Fold::Host, Fold::Device] {
                let mut dot = function(&machine.with(engine).unwrap(), &program, Profile::Modern);
                dot.set_fold(fold);
                for row in &a {
                    for column in &b {
                        let (exact, bound) = self::dot(row.read().unwrap(), column.read().unwrap());
                        let c = dot.total(&[row, column]).unwrap();
                        assert!(is_near(c, exact, bound), "{engine}, {fold}: {c}, not {exact}");
                    }
                }
            }
        }
        let uploads = machine.memory().unwrap().state().counts.uploads;
        assert_eq!(uploads as usize, rows + columns, "each row and column goes up once");
    });
}

#[test]
fn a_result_that_is_twice_its_bound_away_or_lost_a_term_is_wrong() {
    let checked = |expected: &[Expected]| {
        faults_must_be_seen(expected, |got| {
            first_wrong(got.iter().copied(), expected.iter().copied()).is_none()
        });
    };
    for program in BundledProgram::ALL {
        let vectors = inputs(&program);
        let numbers = |i: usize| &vectors[i].read().unwrap()[..100];
        match elements(&program, numbers(0)) {
            Some(expected) => checked(&expected),
            None => checked(&[dot(numbers(0), numbers(vectors.len() - 1))]),
        }
    }
    checked(&pixels(&[0.0, 0.5, 1.0]));
    let x = DVector::<f32>::random(100, 1.0..2.0, 5).into_vec().unwrap();
    for opcodes in [1, 2, 10] {
        let expected = multiplied(&x, opcodes);
        checked(&expected);
        let fewer = multiplied(&x, opcodes - 1).into_iter().map(|(exact, _)| exact);
        assert_eq!(first_wrong(fewer, expected), Some(0), "{opcodes}");
    }
    sums::lost_terms_must_be_seen(gamma(67.0));
}
