//! The layout of masks and lists in textures: plain arithmetic, no GL.

use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::shader::Source;

use super::super::{Error, Grid, Result};
use crate::cnf::Cnf;

/// The number of candidates in a group: the bits of a texel.
pub const GROUP: usize = 128;

/// The layout of masks and lists in textures, one texel for each variable, clause or block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The grid, which determines the length of a row.
    pub(super) grid: Grid,
    /// The number of groups of candidates.
    pub(super) groups: usize,
    /// The number of variables.
    pub(super) variables: usize,
    /// The number of clauses.
    pub(super) clauses: usize,
    /// Whether a clause has more than three literals.
    pub(super) linked: bool,
    /// The number of clauses in a block, and of blocks in a top block: the least whose cube is all
    /// clauses or more, so that the three searches for an unsatisfied clause are as short as each
    /// other.
    pub(super) block: usize,
}

impl Layout {
    /// Returns the layout for a formula without empty clauses, on a device with this limit of
    /// texels.
    pub(super) fn new(cnf: &Cnf, candidates: usize, limit: u32) -> Result<Layout> {
        let layout = Layout {
            grid: Grid::within(limit),
            groups: candidates.div_ceil(GROUP),
            variables: cnf.variables(),
            clauses: cnf.len(),
            linked: cnf.clauses().any(|clause| clause.len() > 3),
            block: block(cnf.len()),
        };
        layout.must_fit(cnf.literals().len(), limit).map(|()| layout)
    }

    /// Returns the number of candidates.
    pub(super) fn candidates(&self) -> usize {
        self.groups * GROUP
    }

    /// Returns the number of blocks of clauses.
    pub(super) fn blocks(&self) -> usize {
        self.clauses.div_ceil(self.block)
    }

    /// Returns the number of blocks of blocks.
    pub(super) fn tops(&self) -> usize {
        self.blocks().div_ceil(self.block)
    }

    /// Bits of a choice, which is a variable from 1 or 0.
    pub(super) fn planes(&self) -> u32 {
        usize::BITS - self.variables.leading_zeros()
    }

    /// Returns the extent of a texture for this number of texels in each group.
    pub(super) fn extent(&self, things: usize) -> Extent {
        self.grid.extent(things, self.groups)
    }

    /// Defines the numbers of the layout in a shader.
    pub(super) fn define(&self, source: Source) -> Source {
        let counts = [("VARIABLE", self.variables), ("CLAUSE", self.clauses)];
        let counts = counts.into_iter().chain([("BLOCK", self.blocks()), ("TOP", self.tops())]);
        let source = counts.fold(source, |source, (name, count)| {
            source
                .define(format!("{name}S"), count)
                .define(format!("{name}_ROWS"), self.grid.rows(count))
        });
        let source = source.define("LOG_WIDTH", self.grid.log_width).define("BLOCK", self.block);
        let source = source.define("PLANES", self.planes());
        if self.linked { source.define("LINKED", 1) } else { source }
    }

    fn must_fit(&self, literals: usize, limit: u32) -> Result<()> {
        // Each variable, clause and three occurrences of a literal begin a texel of a list.
        let lists = self.grid.rows(self.clauses.max(2 * self.variables) + literals / 3 + 1);
        let masks = self.grid.rows(self.clauses.max(self.variables));
        let limit_rows = limit as usize;
        if lists > limit_rows || masks > limit_rows {
            let Layout { clauses, variables, .. } = *self;
            let height = lists.max(masks);
            return Err(Error::FormulaTooLarge { clauses, variables, height, limit });
        }
        if masks * self.groups <= limit_rows {
            return Ok(());
        }
        Err(Error::TooManyCandidates {
            candidates: self.candidates(),
            height: masks * self.groups,
            limit,
            most: limit_rows / masks * GROUP,
        })
    }
}

/// Returns the default number of candidates for a device and a formula: enough to fill the device,
/// with masks of at most a few hundred megabytes.
pub fn default_candidates(context: &Context, cnf: &Cnf) -> usize {
    let abilities = context.abilities();
    let (groups, texels) = if abilities.software { (16, 1 << 20) } else { (256, 1 << 23) };
    let things = cnf.len().max(cnf.variables()).max(1);
    let limit = abilities.max_texture_size;
    let fit = limit as usize / Grid::within(limit).rows(things);
    groups.min(texels / things).min(fit).max(1) * GROUP
}

fn block(clauses: usize) -> usize {
    (1..).find(|side: &usize| side.pow(3) >= clauses).unwrap_or(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::cnf::random_cnf;

    #[test]
    fn blocks_cover_all_clauses_in_three_steps() {
        for clauses in [1, 2, 7, 8, 9, 91, 1065, 1_000_001] {
            let cnf = Cnf::new(1, std::iter::repeat_n([1], clauses)).unwrap();
            let layout = Layout::new(&cnf, 1, 16384).unwrap();
            assert!(layout.block * layout.blocks() >= clauses);
            assert!(layout.block * layout.tops() >= layout.blocks());
            assert!(layout.tops() <= layout.block);
        }
    }

    #[test]
    fn wide_formulas_wrap() {
        let cnf = random_cnf(100, 300, 3, 1).unwrap();
        let layout = Layout::new(&cnf, 129, 32).unwrap();
        assert_eq!((layout.groups, layout.planes()), (2, 7));
        assert_eq!(layout.extent(layout.variables), Extent::new(32, 8));
        let error = Layout::new(&cnf, 500, 32).unwrap_err().to_string();
        assert_eq!(
            error,
            "512 candidates need a texture 40 texels high, but this device's limit is 32; \
             384 candidates fit"
        );
        assert!(Layout::new(&cnf, 1, 8).is_err());
    }
}
