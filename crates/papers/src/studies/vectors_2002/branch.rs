//! Branches: of each element, and of the program, the host looking at a vector in between.

use super::super::prelude::*;

use super::claims;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{DFunction, DVector, Machine, Profile, Semantics};

const COLLATZ: &str = include_str!("collatz.glsl");

fn steps(mut x: u32) -> u32 {
    let mut count = 0;
    while x > 1 {
        x = if x.is_multiple_of(2) { x / 2 } else { 3 * x + 1 };
        count += 1;
    }
    count
}

/// Each element loops and branches for itself: the steps of Collatz's sequence to 1.
pub(super) fn by_element(machine: &Machine) -> Result<Finding> {
    let function =
        DFunction::from_glsl(machine, "collatz.glsl", COLLATZ, Profile::Modern, Semantics::VToV)?;
    let numbers: Vec<f32> = (1..=1000_u16).map(f32::from).collect();
    let got: DVector<f32> = function.apply(&[&DVector::from(numbers)])?;
    let got = got.read()?;
    let expected = (1..=1000).map(|x| (f64::from(steps(x)), 0.0));
    must_be_right(
        "the steps of Collatz's sequence",
        Comparison::of(got.iter().copied(), expected),
    )?;
    let most = got.iter().copied().fold(0.0, f32::max);
    let words = format!(
        "so it is of the instruction set. A function from GLSL, which the framework of 2002 did not have, branches on engine \
         {}: 1000 elements take 0 to {most} turns of a loop, a branch in each, and all are right",
        machine.engine()
    );
    Ok(check(&claims::BRANCH_OF_ELEMENTS, Ok((words, true))))
}

/// Elements of the vector that is looked at.
const ELEMENTS: usize = 100_000;

/// Two functions with a look between them, and without; nothing where the user stopped it.
pub(super) fn between_functions(lab: &mut Lab<'_>, machine: &Machine) -> Result<Option<Finding>> {
    let function = |text: &str| -> Result<DFunction> {
        let mut function = functions::modern(machine, text)?;
        function.set_constant(11, 2.0)?;
        Ok(function)
    };
    let (double, halve) =
        (function("MUL o[1], v[1], c[11];")?, function("RCP R1, c[11].x; MUL o[1], v[1], R1;")?);
    let add = function("ADD o[1], v[1], c[11];")?;
    let input = DVector::<f32>::random(ELEMENTS, 0.0..1.0, lab.seed);
    let [mut between, mut output] = [(); 2].map(|()| DVector::<f32>::zeros(ELEMENTS));
    let context = lab.context;
    let mut turn = |looks: bool| -> Result<Duration> {
        let ((), time) = Clock::Wall.time(context, || -> Result<()> {
            double.execute(&[&input], &mut between)?;
            let large = looks && between.read()?.iter().any(|number| *number >= 2.0);
            let next = if large { &add } else { &halve };
            Ok(next.execute(&[&between], &mut output)?)
        })?;
        Ok(time)
    };
    let Some(times) = interleaved(lab, [0.3, 1.0], |way| turn(way == 1))? else { return Ok(None) };
    let expected = input.read()?.iter().map(|x| (f64::from(*x), 0.0));
    must_be_right(
        "a function after a branch",
        Comparison::of(output.read()?.iter().copied(), expected),
    )?;
    Ok(Some(judge(times)))
}

fn judge([without, with]: [Summary; 2]) -> Finding {
    let words = format!(
        "two functions of {ELEMENTS} elements take {without} ms, and {with} ms where the host looks at the vector between \
         them, which chooses the second: a branch costs a readback"
    );
    check(&claims::BRANCH, Ok((words, true)))
}
