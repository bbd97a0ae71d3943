//! The part of a system that a rank has, made or read without the rest.

use std::ops::Range;
use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use quadrille::cluster::Partition;
use quadrille::data::{Block, NineBanded, Stencil};
use quadrille::internal::memory::{self, NoMemory};
use quadrille::io::matrix_market::{self, Outline};
use quadrille::linalg::jacobi::Error;

use super::super::ranks::{of_block, part_of, read};
use super::arguments::Arguments;
use super::system::System;

/// Where parts of the matrix come from.
pub(super) enum Source {
    Stencil(Stencil),
    File { path: PathBuf, outline: Outline },
}

impl Source {
    pub(super) fn load(arguments: &Arguments) -> anyhow::Result<Source> {
        if let Some(stencil) = &arguments.stencil {
            return Ok(Source::Stencil(*stencil));
        }
        let path = arguments.matrix.clone().unwrap_or_default();
        let outline = matrix_market::outline(&path, arguments.width)?;
        Ok(Source::File { path, outline })
    }

    pub(super) fn name(&self) -> String {
        match self {
            Source::Stencil(stencil) => stencil.to_string(),
            Source::File { path, .. } => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }

    /// The unknowns, and those of a row of the grid.
    pub(super) fn size(&self) -> (usize, usize) {
        match self {
            Source::Stencil(stencil) => {
                let (width, height) = stencil.grid();
                (width.saturating_mul(height), width)
            }
            Source::File { outline, .. } => (outline.n, outline.m),
        }
    }

    pub(super) fn couples_across_ends(&self) -> bool {
        match self {
            Source::Stencil(_) => false,
            Source::File { outline, .. } => outline.couples_across_ends,
        }
    }

    fn block(&self, block: &Block) -> anyhow::Result<NineBanded> {
        Ok(match self {
            Source::Stencil(stencil) => stencil.block(block)?,
            Source::File { path, outline } => matrix_market::read_block(path, outline, block)?,
        })
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

/// A block in rows and columns of one around it.
fn inside(inner: &Block, outer: &Block) -> Block {
    let less = |range: &Range<usize>, by: usize| range.start - by..range.end - by;
    Block {
        columns: less(&inner.columns, outer.columns.start),
        rows: less(&inner.rows, outer.rows.start),
    }
}

impl Part {
    pub(super) fn load(
        arguments: &Arguments,
        source: &Source,
        partition: &Partition,
        rank: usize,
    ) -> anyhow::Result<Part> {
        let size = partition.size();
        let (stored, owned) = (partition.stored(rank), partition.owned(rank));
        let reached = stored.grown(REACH, size.0, size.1);
        let around = source.block(&reached)?;
        let matrix = around.block(&inside(&stored, &reached))?;
        if let Some(row) = matrix.first_zero_diagonal() {
            return Err(Error::ZeroDiagonal { row: partition.whole_row(rank, row) }.into());
        }
        let side = match &arguments.rhs {
            Some(path) => Some(read(path, &stored, size)?),
            None => None,
        };
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
        let numbers = |range: Range<usize>| {
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
