//! The part of the systems that a rank has.

use std::ops::Range;

use quadrille::cluster::Partition;
use quadrille::data::SplitMix64;
use quadrille::linalg::jacobi::Error;
use quadrille::{NoMemory, memory};

use super::arguments::Arguments;
use super::system::System;
use crate::ranks;
use crate::ranks::{Source, read};

/// The source of the matrix.
pub(super) fn source(arguments: &Arguments) -> anyhow::Result<Source> {
    if let Some(stencil) = arguments.stencil {
        return Ok(Source::Stencil(stencil));
    }
    let path = arguments.matrix.as_deref().unwrap_or("".as_ref());
    Ok(Source::file(path, arguments.width)?)
}

/// The matrix and the right-hand side where a rank stores them.
pub(super) struct Part {
    pub(super) of_matrix: ranks::Part<f32>,
    side: Option<Vec<f32>>,
    unknowns: usize,
}

impl Part {
    pub(super) fn load(
        arguments: &Arguments,
        source: &Source,
        partition: &Partition,
        rank: usize,
    ) -> anyhow::Result<Part> {
        let of_matrix = ranks::Part::load(source, partition, rank)?;
        if let Some(row) = of_matrix.matrix.first_zero_diagonal() {
            return Err(Error::ZeroDiagonal { row: partition.whole_row(rank, row) }.into());
        }
        let side = match &arguments.rhs {
            Some(path) => Some(read(path, &of_matrix.stored, partition.size())?),
            None => None,
        };
        Ok(Part { of_matrix, side, unknowns: partition.size().0 })
    }

    /// The user's system first; others have the same matrix and right-hand sides from random
    /// solutions: the numbers that one rank has for them.
    pub(super) fn systems(&self, count: usize, seed: u64) -> Result<Vec<System>, NoMemory> {
        let mut systems = Vec::new();
        if let Some(side) = &self.side {
            systems.push(System { side: memory::copied(side)?, solution: None });
        }
        let given = systems.len();
        for at in given..count {
            systems.push(self.seeded(seed, (at - given) * self.unknowns)?);
        }
        Ok(systems)
    }

    /// A system whose solution is known: uniform in -1..1, the numbers from one on of a
    /// generator's.
    fn seeded(&self, seed: u64, first: usize) -> Result<System, NoMemory> {
        let known = self.of_matrix.known(|range: Range<usize>| {
            let mut generator = SplitMix64::after(seed, (first + range.start) as u64);
            range.map(move |_| generator.symmetric())
        })?;
        let side = memory::collected(known.side.len(), known.side.iter().map(|b| *b as f32))?;
        Ok(System { side, solution: Some(known.solution) })
    }
}
