//! The framework, section 4.2: each of its classes used, its calls counted, its simulator compared.

use super::super::prelude::*;
use super::{branch, claims, overlap, precision};
use quadrille::testing::farthest;
use quadrille::{Control, Observer, Progress};
use quadrille_vp::vector_machine::bundled::BundledProgram;
use quadrille_vp::vector_machine::{
    AnyVector, DFunction, DProgram, DScalar, DVector, Machine, Processor, Profile, Semantics,
};

/// Elements of the vectors whose calls are counted: more than one call's, and the last call not
/// full.
const LENGTH: usize = 6010;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let machine = Machine::new(lab.context);
    let mut part = Part::default();
    let calls = calls(&machine)?;
    part.findings.push(sixty(&calls));
    part.tables.push(semantics(&calls));
    part.tables.push(classes(&machine)?);
    let progress = Progress::new(1, Some(3));
    if lab.observer().observe(&progress) == Control::Stop {
        return Ok(part);
    }
    part.findings.push(simulated(&machine, lab.seed)?);
    part.findings.push(branch::by_element(&machine)?);
    part.findings.extend(branch::between_functions(lab, &machine)?);
    part.findings.extend(precision::findings(lab)?);
    part.findings.push(overlap::measured(lab)?);
    Ok(part)
}

/// Counts the device's calls of a program for each kind of function: each call gives 1, or a quad
/// of ones.
fn calls(machine: &Machine) -> Result<Vec<(Semantics, usize)>> {
    let vectors = [0; 3].map(|_| DVector::<f32>::zeros(LENGTH));
    let count = |semantics: Semantics| {
        let ones = "MOV o[1], c[11];";
        let mut function = functions::assembled(machine, ones, Profile::Modern, semantics)?;
        function.set_constant(11, 1.0)?;
        function.set_padding(0.0);
        let inputs: Vec<&dyn AnyVector> =
            vectors.iter().take(semantics.vectors()).map(|v| v as &dyn AnyVector).collect();
        let calls = match semantics.is_to_scalar() {
            true => function.total(&inputs)? as usize,
            false => {
                let got: DVector<f32> = function.apply(&inputs)?;
                (got.read()?.iter().sum::<f32>() as usize).div_ceil(4)
            }
        };
        let what = format!("the calls of a function {semantics}");
        must_hold(&what, calls == semantics.invocations(LENGTH))?;
        Ok((semantics, calls))
    };
    Semantics::ALL.into_iter().map(count).collect()
}

fn sixty(calls: &[(Semantics, usize)]) -> Finding {
    let counted = calls.iter().find(|(semantics, _)| *semantics == Semantics::VToS);
    let counted = counted.map_or(0, |(_, calls)| *calls);
    let claimed = LENGTH.div_ceil(15);
    let words = format!(
        "counted: {counted} for {LENGTH} elements, ceil(n / 60), since 15 quads are 60 elements; ceil(n / 15) \
         would be {claimed}"
    );
    check(&claims::CALLS, Ok((words, counted == claimed)))
}

/// The number of calls of a function by the paper's words.
fn claimed(semantics: Semantics) -> Option<usize> {
    match semantics {
        Semantics::VToS => Some(LENGTH.div_ceil(15)),
        _ if !semantics.is_to_scalar() => Some(LENGTH.div_ceil(4)),
        _ => None,
    }
}

fn semantics(calls: &[(Semantics, usize)]) -> Table {
    let columns = vec![
        only_text("takes and gives", "", |(semantics, _): &(Semantics, usize)| {
            semantics.to_string().into()
        }),
        only_text("quads of each vector a call", "", |(semantics, _)| semantics.quads().into()),
        only_text("inputs", "", |(semantics, _)| {
            format!("v[1] to v[{}]", semantics.inputs()).into()
        }),
        only_text("calls, paper", "", |(semantics, _)| claimed(*semantics).into()),
        only_text("calls counted", "", |(_, calls)| (*calls).into()),
    ];
    let notes = [
        "How two or three vectors share the 15 inputs of a function to a scalar is not said: 7 quads each \
         and 5 each here, the second vector's from v[8] or v[6], the third's from v[11].",
        "Nor what a last call that is not full finds: the caller names a padding here, or such lengths \
         are refused.",
    ];
    let title = format!("The six kinds of function, section 4.2.3, calls for n = {LENGTH}");
    let command = alone("vectors-framework");
    Rows { columns, rows: calls }.table("vectors-2002-semantics", title, notes, command)
}

/// Every class, used: what is not right is an error.
fn classes(machine: &Machine) -> Result<Table> {
    let mut bytes = DVector::<u8>::range(250..=255);
    bytes.read_mut()?[1] = 7;
    must_hold("elements of a vector", bytes.read()? == [250, 7, 252, 253, 254, 255])?;
    let random = DVector::<u8>::random(1000, 0..=9, 5);
    must_hold("random bytes", random.read()?.iter().all(|digit| *digit <= 9))?;
    let lines = ["MOV R1, v[1];", "MUL R1, R1, c[11];", "MOV o[1], R1;"];
    let program = DProgram::from_lines("lines.vp", &lines, Profile::Period)?;
    let assembled = program.assembled(Semantics::VToV);
    let mut function = DFunction::new(machine, &program, Semantics::VToV)?;
    function.set_constant(11, 0.5)?;
    let (input, mut output) = (DVector::from_slice(&[1.0_f32, 2.0]), DVector::<f32>::zeros(2));
    function.execute_async(&[&input], &mut output)?.wait()?;
    // Of the period: through an 8-bit pixel, which has no half.
    must_hold("a function of the period", output.read()? == [128.0 / 255.0, 1.0])?;
    let sum = DFunction::new(machine, &program, Semantics::VToS).and_then(|mut sum| {
        sum.set_padding(0.0);
        let mut scalar = DScalar::new();
        sum.execute(&[&input], &mut scalar)?;
        scalar.value()
    })?;
    must_hold("a sum", sum == 0.0)?;
    let engines: Vec<&str> = match machine.memory() {
        Some(memory) => Processor::of(memory.context()).into_iter().map(Processor::name).collect(),
        None => vec![Processor::Simulator.name()],
    };
    let rows = [
        (
            "DVector",
            "float or byte, fixed size, element access, random vectors and byte ranges",
            "as there",
        ),
        (
            "DProgram",
            "from strings; bookkeeping is inserted",
            "as there, with the place of every error",
        ),
        (
            "DFunction",
            "six semantics, setConstant, execute, executeAsync",
            "as there, and from GLSL",
        ),
        ("DSemaphore", "waitForCompletion", "wait, wait_at_most, is_done, by a fence"),
        (
            "memory manager",
            "a buffer for each vector",
            "least recently used copies go first; state and counts",
        ),
        ("who runs it", "vertex programs; a functional simulator", &engines.join(", ")),
    ];
    let columns: Vec<Column<(&str, &str, &str)>> = vec![
        only_text("class", "", |(class, ..)| (*class).into()),
        only_text("paper", "", |(_, paper, _)| (*paper).into()),
        only_text("here, and used in this run", "", |(.., here)| (*here).into()),
    ];
    let own = assembled.own().len();
    let notes = [format!("The bookkeeping is {own} instruction, which writes the position.")];
    let title = "The framework's classes, section 4.2";
    let command = alone("vectors-framework");
    Ok(Rows { columns, rows: &rows }.table("vectors-2002-framework", title, notes, command))
}

/// The furthest results of three programs on a device from those of the simulator.
fn simulated(machine: &Machine, seed: u64) -> Result<Finding> {
    let mut worst = (0, "", 0);
    for (name, range) in [("exponents", 0.5..1.5), ("log2", 0.01..100.0), ("exp2", -4.0..4.0)] {
        let Some(file) = BundledProgram::named(name) else { continue };
        let input = DVector::<f32>::random(1000, range, seed);
        let on = |machine: &Machine| -> Result<Vec<f32>> {
            Ok(functions::bundled(machine, &file)?.apply::<f32>(&[&input])?.into_vec()?)
        };
        let (device, simulator) = (on(machine)?, on(&Machine::simulator())?);
        let apart = farthest(&device, &simulator).unwrap_or(u64::MAX);
        if apart >= worst.0 {
            worst = (apart, name, file.opcodes);
        }
    }
    let (apart, name, opcodes) = worst;
    Ok(judge_simulator(machine.engine(), apart, name, opcodes))
}

/// Rounding alone may part them: an opcode rounds once, or a unit once for each of its sums.
fn judge_simulator(engine: Processor, apart: u64, name: &str, opcodes: usize) -> Finding {
    let words = match apart {
        0 => format!(
            "three programs of 1000 numbers on engine {engine} agree with it to the last bit"
        ),
        _ => format!(
            "of three programs of 1000 numbers on engine {engine} the furthest result, of {name} with \
             {opcodes} opcodes, is {apart} units in the last place from it"
        ),
    };
    check(&claims::SIMULATOR, Ok((words, apart <= 4 * opcodes as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulator_that_differs_by_more_than_rounding_is_not_identical() {
        let verdict = |apart| judge_simulator(Processor::Vertex, apart, "exponents", 49).verdict;
        assert_eq!([0, 196, 197].map(verdict), {
            use Verdict::{Confirmed, Contradicted};
            [Confirmed, Confirmed, Contradicted]
        });
    }

    #[test]
    fn calls_are_judged_by_their_count() {
        let verdict = |calls| sixty(&[(Semantics::VToS, calls)]).verdict;
        assert_eq!(verdict(101), Verdict::Contradicted);
        assert_eq!(verdict(401), Verdict::Confirmed);
    }
}
