//! Functions over vectors: six semantics, every engine, both profiles, against the simulator.

mod errors;
mod glsl;

use crate::common::planted::faults_must_be_seen;
use crate::common::sums::{self, Expected};
use crate::common::systems::gamma;
use crate::common::{by_turns, each, on_extremes};
use quadrille::internal::Ability;
use quadrille::internal::reference::{first_wrong, is_near};
use quadrille::{Context, Kind};
use quadrille_vp::vector_machine::{
    AnyVector, DFunction, DProgram, DScalar, DVector, Error, Fold, Machine, Processor, Profile,
    Semantics,
};
use std::time::Duration;

/// Awkward lengths: none, one, around a quad, around an invocation, and over a row of texels.
const LENGTHS: [usize; 12] = [0, 1, 3, 4, 5, 59, 60, 61, 120, 257, 1023, 5000];

fn program(text: &str, profile: Profile) -> DProgram {
    DProgram::parse("test.vp", text, profile).unwrap()
}

fn machines(context: &Context) -> Vec<Machine> {
    let machine = Machine::new(context);
    Processor::of(context).into_iter().map(|engine| machine.with(engine).unwrap()).collect()
}

fn vectors(count: usize, length: usize) -> Vec<DVector<f32>> {
    (0..count).map(|i| DVector::<f32>::random(length, -1.0..1.0, 7 + i as u64)).collect()
}

fn any(vectors: &[DVector<f32>]) -> Vec<&dyn AnyVector> {
    vectors.iter().map(|v| v as &dyn AnyVector).collect()
}

/// Uses each input that the semantics fill, and two constants.
fn mixing(semantics: Semantics) -> String {
    let mut text = String::from("MOV R0, c[3];\n");
    for input in 1..=semantics.inputs() {
        text += &format!("MUL R1, v[{input}], v[{input}].wxyz;\nADD R0, R0.yzwx, R1;\n");
        text += "MUL R0, R0, c[40].x;\n";
    }
    text + if semantics.is_to_scalar() { "DP4 o[1], R0, R0;" } else { "SUB o[COL0], R0, v[1];" }
}

/// A function of such a program.
fn function(machine: &Machine, program: &DProgram, semantics: Semantics) -> DFunction {
    let mut function = DFunction::new(machine, program, semantics).unwrap();
    function.set_constant(3, [0.1, 0.2, 0.3, 0.4]).unwrap();
    function.set_constant(40, 0.75).unwrap();
    function.set_padding(0.25);
    function
}

fn mixed(function: &mut DFunction, semantics: Semantics, vectors: &[DVector<f32>]) -> Vec<f32> {
    match semantics.is_to_scalar() {
        true => vec![function.total(&any(vectors)).unwrap()],
        false => function.apply(&any(vectors)).unwrap().into_vec().unwrap(),
    }
}

/// The allowed errors of engines: a contraction differs by some units of the largest sum, 4 or so;
/// a pixel by one of its 255 steps; a scalar sums 85 of either at most.
fn within(numbers: &[f32], profile: Profile, semantics: Semantics, length: usize) -> Vec<Expected> {
    let parts = if semantics.is_to_scalar() { semantics.invocations(length) } else { 1 };
    let step = if profile == Profile::Period { 1.0 / 255.0 } else { 0.0 };
    numbers.iter().map(|number| (f64::from(*number), parts as f64 * (step + 4e-6))).collect()
}

#[test]
fn a_result_that_is_twice_its_bound_away_or_lost_an_invocation_is_wrong() {
    let simulator = Machine::simulator();
    for (profile, semantics) in
        Profile::ALL.into_iter().flat_map(|p| Semantics::ALL.map(|semantics| (p, semantics)))
    {
        let program = program(&mixing(semantics), profile);
        let of = |length: usize| {
            let vectors: Vec<DVector<f32>> = vectors(semantics.vectors(), 120)
                .into_iter()
                .map(|vector| DVector::from_slice(&vector.read().unwrap()[..length]))
                .collect();
            mixed(&mut function(&simulator, &program, semantics), semantics, &vectors)
        };
        for length in [1, 4, 60] {
            let numbers = of(length);
            let expected = within(&numbers, profile, semantics, length);
            faults_must_be_seen(&expected, |got| {
                first_wrong(got.iter().copied(), expected.iter().copied()).is_none()
            });
            let invocations = semantics.invocations(length);
            let fewer = (0..length).rev().find(|n| semantics.invocations(*n) < invocations);
            let lost = first_wrong(of(fewer.unwrap()), expected);
            assert!(lost.is_some(), "{profile} {semantics} of {length}");
        }
    }
}

#[test]
fn engines_agree_for_every_semantics_length_and_profile() {
    // An even number of semantics for each profile, so that both flavours have both profiles.
    let cases =
        Profile::ALL.into_iter().flat_map(|one| Semantics::ALL.map(|semantics| (one, semantics)));
    by_turns(cases, |context, &(profile, semantics)| {
        let program = program(&mixing(semantics), profile);
        let machines = machines(context);
        let mut functions: Vec<(Processor, DFunction)> = machines
            .iter()
            .map(|machine| (machine.engine(), function(machine, &program, semantics)))
            .collect();
        for length in LENGTHS {
            let vectors = vectors(semantics.vectors(), length);
            let seen: Vec<(Processor, Vec<f32>)> = functions
                .iter_mut()
                .map(|(engine, function)| (*engine, mixed(function, semantics, &vectors)))
                .collect();
            let (_, expected) = seen.last().unwrap();
            for (engine, result) in &seen {
                let expected = within(expected, profile, semantics, length);
                let wrong = first_wrong(result.iter().copied(), expected);
                assert_eq!(wrong, None, "{profile} {semantics} of {length} on {engine}");
            }
        }
    });
}

/// Both are the vertex stage, and differ only in how they come by their inputs.
#[test]
fn attributes_are_the_bits_that_are_fetched() {
    let odd = [f32::NAN, f32::INFINITY, -0.0, 1e-40, f32::MAX, -1.5];
    each(|context| {
        for semantics in Semantics::ALL {
            let program = program(&mixing(semantics), Profile::Modern);
            let of = |engine| {
                let machine = Machine::new(context).with(engine).unwrap();
                let mut function = function(&machine, &program, semantics);
                function.set_fold(Fold::Host);
                LENGTHS.map(|length| {
                    let mut vectors = vectors(semantics.vectors(), length);
                    let numbers = mixed(&mut function, semantics, &vectors);
                    // What is not a number, in the last places.
                    let last = vectors.last_mut().unwrap().read_mut().unwrap();
                    last.iter_mut().rev().zip(odd).for_each(|(number, odd)| *number = odd);
                    let more = mixed(&mut function, semantics, &vectors);
                    // The sign of a NaN is any of its operands'.
                    let bits = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
                    numbers.into_iter().chain(more).map(bits).collect::<Vec<u32>>()
                })
            };
            assert_eq!(of(Processor::Attributes), of(Processor::Vertex), "{semantics}");
        }
    });
}

/// The products of the first eight of each 28 elements, summed. One after the other adds the eight
/// and the sums of all invocations.
fn eight_of_28(vectors: &[DVector<f32>]) -> Expected {
    let (a, b) = (vectors[0].read().unwrap(), vectors[1].read().unwrap());
    let products = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
    let products = products.enumerate().filter(|(i, _)| i % 28 < 8).map(|(_, product)| product);
    sums::of_terms(products, gamma((8 + a.len() / 28) as f64))
}

#[test]
fn a_fold_that_is_twice_its_bound_away_or_lost_a_term_is_wrong() {
    for length in [28, 56] {
        let mut vectors = vectors(2, length);
        let (exact, bound) = eight_of_28(&vectors);
        faults_must_be_seen(&[(exact, bound)], |got| {
            first_wrong(got.iter().copied(), [(exact, bound)]).is_none()
        });
        for lost in (0..length).filter(|i| i % 28 < 8) {
            let number = std::mem::take(&mut vectors[0].read_mut().unwrap()[lost]);
            let (other, _) = eight_of_28(&vectors);
            assert!(!is_near(other, exact, bound), "{lost} of {length}");
            vectors[0].read_mut().unwrap()[lost] = number;
        }
    }
}

#[test]
fn every_fold_gives_the_sum() {
    on_extremes(|context| {
        let program = program(
            "MOV R2, v[8]; MOV R3, v[9]; DP4 R0, v[1], R2; DP4 R1, v[2], R3; ADD o[1].x, R0, R1;",
            Profile::Modern,
        );
        for length in [56, 560, 56 * 5000] {
            let vectors = vectors(2, length);
            let (exact, bound) = eight_of_28(&vectors);
            // Of signs every sum is exact, so that no bound hides a lost term.
            let sign = |number: &f32| if *number < 0.0 { -1.0_f32 } else { 1.0 };
            let signs: Vec<DVector<f32>> = vectors
                .iter()
                .map(|vector| vector.read().unwrap().iter().map(sign).collect::<Vec<_>>().into())
                .collect();
            let of_signs = eight_of_28(&signs).0;
            for machine in machines(context) {
                for fold in Fold::ALL {
                    let mut function =
                        DFunction::new(&machine, &program, Semantics::VvToS).unwrap();
                    function.set_fold(fold);
                    let total = function.total(&any(&vectors));
                    let blends = context.abilities().float_blending;
                    if fold == Fold::Blending && !blends && machine.engine() != Processor::Simulator
                    {
                        assert_eq!(total.unwrap_err().kind(), Kind::Unsupported);
                        continue;
                    }
                    let total = total.unwrap();
                    let place = format!("{length} {fold} on {}", machine.engine());
                    assert!(is_near(total, exact, bound), "{place}: {total}, not {exact}");
                    let total = f64::from(function.total(&any(&signs)).unwrap());
                    assert_eq!(total, of_signs, "{place}");
                }
            }
        }
    });
}

#[test]
fn bytes_go_in_and_come_out_on_every_engine() {
    each(|context| {
        let program = program("MOV R0, v[2]; MAD o[1], v[1], c[0].x, R0;", Profile::Modern);
        let bytes = DVector::<u8>::range(0..=255);
        let floats = DVector::<f32>::random(256, -300.0..300.0, 3);
        let expected: Vec<u8> = bytes
            .read()
            .unwrap()
            .iter()
            .zip(floats.read().unwrap())
            .map(|(b, f)| (f32::from(*b) * 2.0 + f).round().clamp(0.0, 255.0) as u8)
            .collect();
        for machine in machines(context) {
            let mut function = DFunction::new(&machine, &program, Semantics::VvToV).unwrap();
            function.set_constant(0, 2.0).unwrap();
            let result: DVector<u8> = function.apply(&[&bytes, &floats]).unwrap();
            assert_eq!(result.read().unwrap(), expected, "{}", machine.engine());
            // A result is an input again, on whatever engine.
            let twice: DVector<f32> = function.apply(&[&result, &floats]).unwrap();
            let again: Vec<f32> = expected
                .iter()
                .zip(floats.read().unwrap())
                .map(|(b, f)| f32::from(*b) * 2.0 + f)
                .collect();
            assert_eq!(twice.read().unwrap(), again, "{}", machine.engine());
        }
    });
}

#[test]
fn the_period_keeps_eight_bits_of_a_result() {
    each(|context| {
        let program = program("MOV o[1], v[1];", Profile::Period);
        let input = DVector::from_slice(&[-1.0_f32, 0.0, 0.3, 0.5, 1.0, 720.0]);
        for machine in machines(context) {
            let function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
            let result: DVector<f32> = function.apply(&[&input]).unwrap();
            let steps: Vec<f32> = result.read().unwrap().iter().map(|n| n * 255.0).collect();
            let rounded: Vec<f32> = steps.iter().map(|n| n.round()).collect();
            assert_eq!(rounded[..3], [0.0, 0.0, 77.0], "{}", machine.engine());
            assert_eq!(rounded[4..], [255.0, 255.0]);
            let whole = rounded.iter().map(|step| (f64::from(*step), 1e-4));
            assert_eq!(first_wrong(steps.iter().copied(), whole), None);
        }
    });
}

#[test]
fn relative_addresses_beyond_the_constants_read_zeros() {
    each(|context| {
        let program = program("ARL A0.x, v[1].x; MOV o[1], c[A0.x + 2];", Profile::Modern);
        let input = [
            -3.0_f32, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 93.0, 0.0, 0.0, 0.0,
            94.0, 0.0, 0.0, 0.0, 1e9, 0.0, 0.0, 0.0,
        ];
        let input = DVector::from_slice(&input);
        for machine in machines(context) {
            let mut function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
            for register in 0..96 {
                function.set_constant(register, register as f32 + 1.0).unwrap();
            }
            let result: DVector<f32> = function.apply(&[&input]).unwrap();
            let firsts: Vec<f32> = result.read().unwrap().iter().step_by(4).copied().collect();
            assert_eq!(firsts, [0.0, 1.0, 4.0, 96.0, 0.0, 0.0], "{}", machine.engine());
        }
    });
}

#[test]
fn an_asynchronous_call_loses_nothing() {
    each(|context| {
        let program = program("ADD o[1], v[1], c[1];", Profile::Modern);
        for machine in machines(context) {
            let mut function = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
            function.set_constant(1, 1.0).unwrap();
            let mut vectors = [DVector::<f32>::zeros(1000), DVector::<f32>::zeros(1000)];
            for turn in 0..10 {
                let [a, b] = &mut vectors;
                let (from, to) = if turn % 2 == 0 { (&*a, b) } else { (&*b, a) };
                let semaphore = function.execute_async(&[from], to).unwrap();
                match turn {
                    0 => semaphore.wait().unwrap(),
                    1 => while !semaphore.is_done().unwrap() {},
                    2 => while !semaphore.wait_at_most(Duration::from_millis(1)).unwrap() {},
                    _ => drop(semaphore),
                }
            }
            assert!(vectors[0].read().unwrap().iter().all(|n| *n == 10.0), "{}", machine.engine());
        }
    });
}

#[test]
fn a_scalar_waits_until_it_is_asked() {
    each(|context| {
        let program = program("DP4 o[1].x, v[1], c[0];", Profile::Modern);
        for machine in machines(context) {
            let mut function = DFunction::new(&machine, &program, Semantics::VToS).unwrap();
            function.set_constant(0, 1.0).unwrap();
            let mut scalar = DScalar::new();
            let semaphore = function
                .execute_async(&[&DVector::from_slice(&[1.0_f32; 120])], &mut scalar)
                .unwrap();
            drop(semaphore);
            assert_eq!([scalar.value().unwrap(), scalar.value().unwrap()], [8.0, 8.0]);
            function.execute(&[&DVector::from_slice(&[1.0_f32; 60])], &mut scalar).unwrap();
            assert_eq!(scalar.value().unwrap(), 4.0);
        }
    });
}

#[test]
fn a_number_is_found_where_it_is() {
    each(|context| {
        for machine in machines(context) {
            for length in [1, 4, 5, 63, 1000, 70_001] {
                let mut numbers = vec![1.0_f32; length];
                let vector = DVector::from_slice(&numbers);
                assert_eq!(machine.find(&vector, 42.0).unwrap(), None, "{length}");
                // What fills up the last texels is zeros, which are not there.
                assert_eq!(machine.find(&vector, 0.0).unwrap(), None, "{length}");
                for index in [length - 1, length / 2, 0] {
                    numbers[index] = 42.0;
                    let vector = DVector::from_slice(&numbers);
                    assert_eq!(machine.find(&vector, 42.0).unwrap(), Some(index), "{length}");
                    assert_eq!(machine.find(&vector, f32::NAN).unwrap(), None);
                }
                let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
                let found = machine.find(&DVector::from_slice(&bytes), 250).unwrap();
                assert_eq!(found, (length > 250).then_some(250), "{length}");
            }
            assert_eq!(machine.find(&DVector::<u8>::zeros(0), 0).unwrap(), None);
            // Denormals are neither zeros nor each other; the zeros are one number.
            let small = DVector::from_slice(&[1e-40_f32, 3e-40, -0.0, 0.0, f32::INFINITY]);
            for (number, index) in [(0.0, 2), (-0.0, 2), (3e-40, 1), (1e-40, 0), (f32::INFINITY, 4)]
            {
                let found = machine.find(&small, number).unwrap();
                assert_eq!(found, Some(index), "{number} on {}", machine.engine());
            }
            assert_eq!(machine.find(&small, 2e-40).unwrap(), None);
        }
    });
}

#[test]
fn a_shorter_vector_leaves_nothing_of_a_longer_one_in_a_sum() {
    each(|context| {
        let dot = program("DP4 o[1].x, v[1], v[1];", Profile::Modern);
        for machine in machines(context) {
            let sum = DFunction::new(&machine, &dot, Semantics::VToS).unwrap();
            // All take 64 x 64 texels for their partial results.
            for invocations in [4096, 4033, 4090] {
                let ones = DVector::from_slice(&vec![1.0_f32; 60 * invocations]);
                let total = sum.total(&[&ones]).unwrap();
                assert_eq!(total, 4.0 * invocations as f32, "on {}", machine.engine());
            }
        }
    });
}
