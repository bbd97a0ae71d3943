//! The part of a system that a rank has, made or read without the rest.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use quadrille::cluster::Partition;
use quadrille::data::{Block, NineBanded, Stencil};
use quadrille::internal::memory::{self, NoMemory};
use quadrille::linalg::jacobi::Error;

use super::super::ranks::{of_block, part_of, read};
use super::arguments::Arguments;
use super::system::{System, of_file};

/// Where parts of the matrix come from.
pub(super) enum Source {
    Stencil(Stencil),
    /// A file has its entries in any order.
    File {
        name: String,
        matrix: NineBanded,
    },
}

impl Source {
    pub(super) fn load(arguments: &Arguments) -> anyhow::Result<Source> {
        if let Some(stencil) = &arguments.stencil {
            return Ok(Source::Stencil(*stencil));
        }
        let (name, matrix) = of_file(arguments)?;
        Ok(Source::File { name, matrix })
    }

    pub(super) fn name(&self) -> String {
        match self {
            Source::Stencil(stencil) => stencil.to_string(),
            Source::File { name, .. } => name.clone(),
        }
    }

    /// The unknowns, and those of a row of the grid.
    pub(super) fn size(&self) -> (usize, usize) {
        match self {
            Source::Stencil(stencil) => {
                let (width, height) = stencil.grid();
                (width.saturating_mul(height), width)
            }
            Source::File { matrix, .. } => (matrix.n(), matrix.m()),
        }
    }

    pub(super) fn couples_across_ends(&self) -> bool {
        match self {
            Source::Stencil(_) => false,
            Source::File { matrix, .. } => matrix.couples_across_ends(),
        }
    }

    fn block(&self, block: &Block) -> Result<NineBanded, quadrille::data::Error> {
        match self {
            Source::Stencil(stencil) => stencil.block(block),
            Source::File { matrix, .. } => matrix.block(block),
        }
    }
}

/// What a rank stores of the system, and around it what its right-hand sides are made from.
pub(super) struct Part {
    pub(super) matrix: NineBanded,
    side: Option<Vec<f32>>,
    stored: Block,
    owned: Block,
    /// What couplings of the stored part reach, and theirs.
    around: (Block, NineBanded),
    size: (usize, usize),
}

/// A coupling reaches a row and a number further, or across the end of a row another row.
const REACH: usize = 2;

impl Part {
    pub(super) fn load(
        arguments: &Arguments,
        source: &Source,
        partition: &Partition,
        rank: usize,
    ) -> anyhow::Result<Part> {
        let size = partition.size();
        let (stored, owned) = (partition.stored(rank), partition.owned(rank));
        let matrix = source.block(&stored)?;
        if let Some(row) = matrix.first_zero_diagonal() {
            return Err(Error::ZeroDiagonal { row: partition.whole_row(rank, row) }.into());
        }
        let side = match &arguments.rhs {
            Some(path) => Some(read(path, &stored, size)?),
            None => None,
        };
        let reached = stored.grown(REACH, size.0, size.1);
        let around = source.block(&reached)?;
        Ok(Part { matrix, side, stored, owned, around: (reached, around), size })
    }

    /// The user's system first; others have the same matrix and right-hand sides from random solutions: the numbers that one rank
    /// has for them.
    pub(super) fn systems(&self, count: usize, seed: u64) -> Result<Vec<System>, NoMemory> {
        let mut systems = Vec::new();
        if let Some(side) = &self.side {
            systems.push(System { side: memory::copied(side)?, solution: None });
        }
        let given = systems.len();
        for at in given..count {
            systems.push(self.seeded(seed, (at - given) * self.size.0)?);
        }
        Ok(systems)
    }

    /// A system whose solution is known: uniform in -1..1, the numbers from one on of a generator's.
    fn seeded(&self, seed: u64, first: usize) -> Result<System, NoMemory> {
        let (reached, matrix) = &self.around;
        let numbers = |range: std::ops::Range<usize>| {
            let mut generator = Pcg64Mcg::seed_from_u64(seed);
            generator.advance((first + range.start) as u128);
            range.map(move |_| generator.random_range(-1.0..1.0_f32))
        };
        let x = of_block(reached, self.size, numbers);
        let exact = memory::collected(x.len(), x.iter().map(|x| f64::from(*x)))?;
        let mut product = memory::zeroed(x.len())?;
        matrix.add_product(&exact, &mut product);
        let side = part_of(&self.stored, reached, self.size, &product);
        let side = memory::collected(side.len(), side.iter().map(|b| *b as f32))?;
        Ok(System { side, solution: Some(part_of(&self.owned, reached, self.size, &x)) })
    }
}
