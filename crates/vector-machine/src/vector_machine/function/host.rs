//! A run on the host, by the simulator.

use quadrille::memory::{self, NoMemory};

use super::super::{Number, Profile, Result};
use super::Call;
use crate::vector_machine::vector::number::through_pixel;

impl Call<'_> {
    /// Returns the numbers of a function to a vector.
    pub(super) fn simulate_vector<T: Number>(&self) -> Result<Vec<T>> {
        let keep = |number: f32| match (self.function.body.profile(), T::IS_BYTE) {
            (Profile::Period, false) => T::from_f32(through_pixel(number)),
            _ => T::from_f32(number),
        };
        let quads = self.simulate()?;
        let numbers = quads.as_flattened().iter().map(|number| keep(*number));
        Ok(memory::collected(self.length, numbers)?)
    }

    /// Returns the number of a function to a scalar, its parts summed in double precision.
    pub(super) fn simulate_scalar(&self) -> Result<f32> {
        let keep = |quad: &[f32; 4]| match self.function.body.profile() {
            Profile::Modern => f64::from(quad[0]),
            Profile::Period => f64::from(through_pixel(quad[0])),
        };
        Ok(self.simulate()?.iter().map(keep).sum::<f64>() as f32)
    }

    /// Simulates every invocation and returns each o\[1\].
    fn simulate(&self) -> Result<Vec<[f32; 4]>> {
        let (function, semantics) = (self.function, self.function.semantics);
        let Some(simulator) = &function.body.simulator else { return Ok(Vec::new()) };
        let padding = self.padding();
        let invocations = semantics.invocations(self.length);
        let mut vectors = Vec::new();
        for input in self.inputs {
            let mut numbers = input.floats()?;
            let filled = invocations * semantics.elements();
            let more = filled.saturating_sub(numbers.len());
            numbers.try_reserve_exact(more).map_err(|_| NoMemory::of::<f32>(filled))?;
            numbers.resize(filled, padding);
            vectors.push(numbers);
        }
        let mut registers = [[0.0; 4]; 16];
        let mut results = memory::with_room(invocations)?;
        for invocation in 0..invocations {
            for (vector, numbers) in vectors.iter().enumerate() {
                let from = invocation * semantics.elements();
                let quads = numbers[from..from + semantics.elements()].as_chunks::<4>().0;
                for (quad, value) in quads.iter().enumerate() {
                    registers[semantics.register(vector, quad)] = *value;
                }
            }
            results.push(simulator.run(&function.constants, &registers)[1]);
        }
        Ok(results)
    }
}
