//! Facts found by doing, and which of them are trouble.

use serde::Serialize;

use quadrille::Extent;
use quadrille::gl::Context;

use quadrille::stream::{Error, LineDirection, facts};

use super::{DISTRUST, Trouble};

/// The findings of the probes of [`card`](crate::card).
#[derive(Clone, Debug, Serialize)]
pub struct Probes {
    /// Whether row 0 that is uploaded is row 0 that is drawn and read.
    pub rows_ascend: bool,
    /// The lines that cover the boundary columns, at some extents.
    pub lines: Vec<Lines>,
    /// Texels that a sample at the computed centre takes from elsewhere, at the largest size.
    pub misread_texels: usize,
    /// Unknowns whose neighbour the floor algebra misplaces, of 1024 x 1024.
    pub misplaced_by_floor: usize,
    /// The iterations after which all loops of an invocation end; `None` where no limit was found.
    pub loop_budget: Option<u32>,
}

/// The lines that cover exactly the boundary columns of an extent.
#[derive(Clone, Debug, Serialize)]
pub struct Lines {
    pub width: u32,
    pub height: u32,
    /// Whether lines one way draw each texel of the first and last columns once, and no other.
    pub exact: bool,
    /// Whether these go upward, which is tried first; nothing where lines neither way are exact.
    pub upward: Option<bool>,
}

/// The extents from the least to the usual; a narrow and a wide one.
const EXTENTS: [(u32, u32); 5] = [(2, 2), (17, 13), (3, 1000), (1000, 3), (1024, 1024)];

pub(in super::super) fn run(context: &Context) -> Result<Probes, Error> {
    let largest = context.abilities().max_texture_size;
    let mut lines = Vec::new();
    for (width, height) in EXTENTS {
        let heading = facts::covering_lines(context, Extent::new(width, height))?;
        let upward = heading.map(|heading| heading == LineDirection::Up);
        lines.push(Lines { width, height, exact: heading.is_some(), upward });
    }
    Ok(Probes {
        rows_ascend: facts::rows_ascend(context)?,
        lines,
        misread_texels: facts::misread_texels(context, Extent::new(largest, largest))?,
        misplaced_by_floor: facts::misplaced_by_floor(context, Extent::new(1024, 1024))?,
        loop_budget: context.loop_budget()?,
    })
}

impl Probes {
    pub fn lines_are_exact(&self) -> bool {
        self.lines.iter().all(|lines| lines.exact)
    }

    /// Whether lines go upward at every extent, or downward at every one.
    pub fn lines_go_upward(&self) -> Option<bool> {
        let first = self.lines.first()?.upward?;
        self.lines.iter().all(|lines| lines.upward == Some(first)).then_some(first)
    }

    pub fn loops(&self) -> String {
        match self.loop_budget {
            Some(budget) => format!("end after {budget} iterations of an invocation in total"),
            None => format!("no limit found up to {} iterations", Context::PROBED_ITERATIONS),
        }
    }

    /// Returns the troubles. Only a flip is one: for the others the solver has another way, and
    /// takes it.
    pub(super) fn troubles(&self) -> Vec<Trouble> {
        if self.rows_ascend {
            return Vec::new();
        }
        vec![Trouble {
            what: "order of rows".into(),
            reason:
                "the first row that is uploaded is not the first row that is drawn and read back"
                    .into(),
            mend: DISTRUST.into(),
        }]
    }

    /// Explanations of why a variant is refused or drawn differently.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.lines_are_exact() {
            remarks.push(
                "lines miss texels, upward and downward, so boundaries are drawn as thin quads"
                    .into(),
            );
        }
        if self.misread_texels > 0 {
            let count = self.misread_texels;
            remarks.push(format!(
                "sampling misreads {count} texels at the largest size: use --reads fetch there"
            ));
        }
        if self.misplaced_by_floor > 0 {
            remarks.push("floor algebra is inexact: --stage generic and reciprocal are refused at large sizes".into());
        }
        remarks
    }
}
