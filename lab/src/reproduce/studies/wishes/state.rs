//! State across invocations, and finding a value: what a program leaves on the device for the next.

use super::super::prelude::*;

use super::{Measurement, Request};
use crate::bench::functions::modern;
use quadrille_vp::vector_machine::{DVector, Machine, Processor};

pub(super) const STATE: Request = Request {
    wish: "state that is preserved across invocations",
    answer: "Results stay on the device and are the next function's input: textures that take turns \
        (stream::PingPong), transform feedback (engine feedback), storage buffers in compute shaders. A program's \
        own vectors stay on the device unless the host reads them.",
    measure: keep,
};

pub(super) const FIND: Request = Request {
    wish: "finding a value and its index",
    answer: "Machine::find: a pass compares, further ones fold the first match of each 8 x 8 texels, and one position \
             is read back.",
    measure: find,
};

/// Steps that need the one before.
const STEPS: usize = 20;
/// x' = 3.7 x (1 - x), whose numbers stay in 0..1.
const LOGISTIC: &str = "MUL R1, v[1], c[11]; MAD o[1], -R1, v[1], R1;";

fn keep(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let length = lab.scale.pick(1 << 16, 1 << 20);
    let usual = Machine::new(context);
    let machines = [usual.clone(), usual.clone(), usual.with(Processor::Feedback)?];
    let mut functions = Vec::new();
    for machine in &machines {
        let mut function = modern(machine, LOGISTIC)?;
        function.set_constant(11, 3.7)?;
        functions.push(function);
    }
    let start = DVector::<f32>::random(length, 0.1..0.9, lab.seed).into_vec()?;
    let mut ends: [Vec<f32>; 3] = Default::default();
    let mut run = |way: usize| -> Result<Duration, Error> {
        let mut vectors = [DVector::from_slice(&start), DVector::zeros(length)];
        if let Some(memory) = machines[way].memory() {
            memory.send(&vectors[0])?;
        }
        let ((), time) = Clock::Wall.time(context, || -> Result<(), Error> {
            for _ in 0..STEPS {
                let [from, to] = &mut vectors;
                functions[way].execute(&[&*from], to)?;
                if way == 1 {
                    // By way of the host, as the paper had to.
                    to.read_mut()?;
                }
                vectors.swap(0, 1);
            }
            Ok(())
        })?;
        ends[way] = vectors[0].read()?.to_vec();
        Ok(time)
    };
    let Some(times) = interleaved(lab, [0.9, 10.0], &mut run)? else { return Ok(None) };
    let [kept, sent, _] = &ends;
    must_hold("state that stays on the device", kept == sent)?;
    must_hold("state", kept.iter().all(|x| (0.0..=1.0).contains(x)))?;
    let ways = [
        "state stays, usual engine",
        "state by way of the host",
        "state stays, transform feedback",
    ];
    Ok(Some(Measurement::new(kept_words(length, usual.engine(), &times), &ways, &times)))
}

fn kept_words(length: usize, engine: Processor, [stays, host, feedback]: &[Summary; 3]) -> String {
    format!(
        "{STEPS} steps of x' = 3.7 x (1 - x) on {length} elements: {stays} ms where the state stays on the device (engine \
         {engine}), {feedback} ms by transform feedback, {host} ms through the host after each step, {} times as long",
        short(host.over(stays))
    )
}

/// The value that is searched, as in the paper.
const WANTED: f32 = 42.0;

fn find(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let length = lab.scale.pick(1 << 18, 1 << 22);
    let machine = Machine::new(context);
    let copy = modern(&machine, "MOV o[1], v[1];")?;
    let mut input = DVector::<f32>::random(length, 0.0..1.0, lab.seed);
    // Near the end, and once more behind.
    let place = length - length / 16;
    for index in [place, place + 3] {
        if let Some(number) = input.read_mut()?.get_mut(index) {
            *number = WANTED;
        }
    }
    let mut vector = DVector::<f32>::zeros(length);
    let mut right = true;
    let mut look = |way: usize| -> Result<Duration, Error> {
        // Numbers that the host has not got, as a function leaves them.
        copy.execute(&[&input], &mut vector)?;
        let (found, time) = Clock::Wall.time(context, || -> Result<Option<usize>, Error> {
            match way {
                0 => Ok(machine.find(&vector, WANTED)?),
                _ => Ok(vector.read()?.iter().position(|number| *number == WANTED)),
            }
        })?;
        right &= found == Some(place);
        Ok(time)
    };
    let times = interleaved(lab, [0.7, 8.0], &mut look)?;
    must_hold("the index of 42", right)?;
    let ways = ["find on the device", "read all back, and look"];
    Ok(times.map(|times| Measurement::new(found_words(length, place, &times), &ways, &times)))
}

fn found_words(length: usize, place: usize, [device, host]: &[Summary; 2]) -> String {
    format!(
        "42 is found at index {place} of {length} in {device} ms on the device, in {host} ms if all is read back and the \
         host searches: a speedup of {}",
        short(host.over(device))
    )
}
