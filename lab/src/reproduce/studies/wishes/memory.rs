//! Managed memory: vectors that stay, and vectors that are evicted.

use super::super::prelude::*;

use super::{Measurement, Request};
use quadrille::internal::reference::compare;
use quadrille::testing::Comparison;
use quadrille_vp::vector_machine::{BUDGET, DVector, Machine};

pub(super) const MANAGED: Request = Request {
    wish: "operating system management of video memory",
    answer: "Drivers page video memory and protect the memory of each process. quadrille's Memory keeps the copies \
        of vectors within a budget: the least recently used are evicted first, after a readback if the host has no \
        copy, and are sent again when a function needs them.",
    measure,
};

const VECTORS: usize = 12;
/// The alternatives: all stay; a third fits; each is sent for each call.
const WAYS: [&str; 3] =
    ["vectors stay on the device", "room for a third of them", "sent for each call"];

fn measure(lab: &mut Lab<'_>) -> Result<Option<Measurement>, Error> {
    let context = lab.context;
    let elements = lab.scale.pick(1 << 16, 1 << 20);
    let machine = Machine::new(context);
    let Some(memory) = machine.memory() else { return Ok(None) };
    let function = functions::modern(&machine, "ADD o[1], v[1], v[1];")?;
    let seeds = 0..VECTORS as u64;
    let mut vectors: Vec<DVector<f32>> = seeds
        .map(|i| DVector::<f32>::random(elements, 0.0..1.0, lab.seed.wrapping_add(i)))
        .collect();
    let mut output = DVector::<f32>::zeros(elements);
    let third = (VECTORS / 3 * elements * 4) as u64;
    let mut right = Comparison::RIGHT;
    let mut evictions = 0;
    let mut turn = |way: usize| -> Result<Duration, Error> {
        memory.set_budget(if way == 1 { third } else { BUDGET })?;
        if way == 0 {
            vectors.iter().try_for_each(|vector| memory.send(vector))?;
        }
        let before = memory.state().counts.evictions;
        let ((), time) = Clock::Wall.time(context, || -> Result<(), Error> {
            for vector in &mut vectors {
                if way == 2 {
                    // The host may have written it, so it is sent again.
                    vector.read_mut()?;
                }
                function.execute(&[&*vector], &mut output)?;
            }
            Ok(())
        })?;
        if way == 1 {
            evictions = memory.state().counts.evictions - before;
        }
        let last = vectors.last().map_or(Ok(&[][..]), DVector::read)?;
        let expected = last.iter().map(|once| (2.0 * f64::from(*once), 0.0));
        right = right.worse(compare(output.read()?.iter().copied(), expected));
        Ok(time)
    };
    let times = interleaved(lab, [0.7, 8.0], &mut turn)?;
    memory.set_budget(BUDGET)?;
    must_be_right("functions of vectors that were evicted", right)?;
    Ok(times.map(|times| Measurement::new(words(elements, evictions, &times), &WAYS, &times)))
}

fn words(elements: usize, evictions: u64, [stay, third, sent]: &[Summary; 3]) -> String {
    format!(
        "{VECTORS} functions, each of a vector of {elements} elements: {stay} ms where the vectors stay on the device, \
         {sent} ms where each is sent for its call, {} times as long; {third} ms with memory for a third of them, where \
         {evictions} copies were evicted and every result was right",
        short(sent.over(stay))
    )
}
