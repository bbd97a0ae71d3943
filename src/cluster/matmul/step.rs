//! A step of a product: a panel of A and B for a pass, which ranks have it, and what each has of
//! it.

use std::ops::Range;

use crate::cluster::matmul::broadcast::{Role, role, rounds};
use crate::data::Block;

use super::tiling::Pass;
use super::{Layout, RankGrid};

/// The operand that a strip belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A, whose panels go along rows of ranks.
    A,
    /// B, whose panels go along columns of ranks.
    B,
}

/// Each pass has all panels, one a step.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) number: usize,
    layout: &'a Layout,
    pub(super) pass: &'a Pass,
    panel: usize,
}

impl<'a> Step<'a> {
    /// Creates the step of this number; `None` behind the last.
    pub(super) fn new(layout: &'a Layout, passes: &'a [Pass], number: usize) -> Option<Step<'a>> {
        let panels = layout.panels();
        let pass = passes.get(number / panels)?;
        Some(Step { number, layout, pass, panel: number % panels })
    }

    pub(super) fn ends_pass(self) -> bool {
        self.panel + 1 == self.layout.panels()
    }

    /// Returns the number of strips of an operand in the pass.
    pub(super) fn strips(self, operand: Operand) -> usize {
        match operand {
            Operand::A => self.pass.rows.len(),
            Operand::B => self.pass.columns.len(),
        }
    }

    /// Returns the block of a strip that the rank itself owns; `None` if the panel is another
    /// rank's.
    pub(super) fn own_block(self, operand: Operand, rank: usize, strip: usize) -> Option<Block> {
        let Step { layout, pass, panel, .. } = self;
        let (c, inner) = (layout.of_c(rank), layout.panel(panel));
        match operand {
            Operand::A if layout.owner_of_a(panel) == layout.grid.column_of(rank) => {
                Some(Block { columns: inner, rows: within(pass.rows.get(strip)?, &c.rows) })
            }
            Operand::B if layout.owner_of_b(panel) == layout.grid.row_of(rank) => {
                Some(Block { columns: within(pass.columns.get(strip)?, &c.columns), rows: inner })
            }
            _ => None,
        }
    }

    /// Returns the rounds of messages after which all ranks have the panel.
    pub(super) fn rounds(self) -> u32 {
        let RankGrid { columns, rows } = self.layout.grid;
        rounds(columns).max(rounds(rows))
    }

    /// Returns the role of a rank for a strip of an operand in a round.
    pub(super) fn role(self, operand: Operand, rank: usize, round: u32) -> Role {
        let Step { layout, panel, .. } = self;
        let grid = layout.grid;
        let (column, row) = (grid.column_of(rank), grid.row_of(rank));
        match operand {
            Operand::A => role(column, layout.owner_of_a(panel), grid.columns, round)
                .numbered(|column| grid.rank(column, row)),
            Operand::B => role(row, layout.owner_of_b(panel), grid.rows, round)
                .numbered(|row| grid.rank(column, row)),
        }
    }
}

/// Returns a strip, counted from the beginning of a block, in the whole matrix, as far as the block
/// goes.
pub(super) fn within(strip: &Range<usize>, block: &Range<usize>) -> Range<usize> {
    let at = |at: usize| (block.start + at).min(block.end);
    at(strip.start)..at(strip.end)
}
