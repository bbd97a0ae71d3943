//! The sharing of work among ranks, as arguments.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;

use quadrille::cluster::{Error, Partition};
use quadrille::grid::Halo;

use crate::process::failure::Failure;

/// Arguments of every command whose work ranks share.
#[derive(Args)]
pub(crate) struct Ranks {
    /// How the processes that mpirun starts share the work: P columns by Q rows of them [default:
    /// those with the shortest cuts]
    #[arg(long, value_name = "PxQ", help_heading = "Ranks")]
    ranks: Option<Across>,
}

/// Arguments of commands that share a grid.
#[derive(Args)]
pub(crate) struct Sharing {
    #[command(flatten)]
    ranks: Ranks,

    /// The steps between two exchanges of messages, for which each rank computes K rows and columns
    /// of its neighbours too [default: 8, or as many as the parts have]
    #[arg(long, value_name = "K", help_heading = "Ranks")]
    halo: Option<NonZeroUsize>,
}

/// P x Q ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Across {
    columns: usize,
    rows: usize,
}

impl FromStr for Across {
    type Err = String;

    fn from_str(text: &str) -> Result<Across, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
        let pair = text.split_once('x').and_then(|(p, q)| Some((number(p)?, number(q)?)));
        let (columns, rows) =
            pair.ok_or("expected P columns by Q rows of ranks, both at least 1, as in 2x3")?;
        Ok(Across { columns, rows })
    }
}

impl Ranks {
    /// The columns and rows of `processes` ranks, if they are set.
    pub(crate) fn across(&self, processes: usize) -> Result<Option<[usize; 2]>, Failure> {
        let Some(Across { columns, rows }) = self.ranks else { return Ok(None) };
        let (ranks, are) =
            (columns.saturating_mul(rows), if processes == 1 { "is" } else { "are" });
        if ranks == processes {
            return Ok(Some([columns, rows]));
        }
        let text = format!(
            "--ranks {columns}x{rows} needs {ranks} processes, but there {are} {processes}: start them by \
             `mpirun -n {ranks} quadrille ...`, or omit --ranks"
        );
        Err(Failure::Input { text })
    }
}

impl Ranks {
    /// The columns and rows of `ranks` ranks, for a grid of this many numbers in rows of a width.
    pub(crate) fn of_grid(
        &self,
        ranks: usize,
        size: (usize, usize),
        across_ends: bool,
    ) -> Result<[usize; 2], Failure> {
        // Where the grid has too few rows and columns, the error of its partition says how many.
        let usual = || Partition::across_for(ranks, size, across_ends).unwrap_or([1, ranks]);
        Ok(self.across(ranks)?.unwrap_or_else(usual))
    }
}

impl Sharing {
    /// Refuses what says how several ranks share the work of one.
    pub(crate) fn must_be_of_one(&self) -> Result<(), Failure> {
        self.ranks.across(1)?;
        match self.halo {
            None => Ok(()),
            Some(_) => {
                let text = "--halo says how ranks share a grid, but there is one: start several by `mpirun -n N quadrille \
                            ...`, or omit --halo";
                Err(Failure::Input { text: text.into() })
            }
        }
    }

    /// The parts of ranks of a grid of this many numbers in rows of a width.
    pub(crate) fn partition(
        &self,
        ranks: usize,
        size: (usize, usize),
        across_ends: bool,
    ) -> anyhow::Result<Partition> {
        let across = self.ranks.of_grid(ranks, size, across_ends)?;
        let cut = |steps| Partition::new(size, across, Halo { steps, across_ends });
        if let Some(steps) = self.halo {
            return Ok(cut(steps.get())?);
        }
        let mut steps = USUAL;
        loop {
            match cut(steps) {
                Err(Error::DeepHalo { owned, .. }) if steps > 1 => {
                    steps = owned.clamp(1, steps - 1)
                }
                cut => return Ok(cut?),
            }
        }
    }
}

/// The usual steps between exchanges.
const USUAL: usize = 8;

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_columns_by_rows() {
        assert_eq!("3x2".parse(), Ok(Across { columns: 3, rows: 2 }));
        for wrong in ["", "3", "x", "3x", "0x2", "2x0", "2x-1", "2x2x2", "2 x 2"] {
            assert!(wrong.parse::<Across>().is_err(), "{wrong}");
        }
        let ranks = Ranks { ranks: "3x2".parse().ok() };
        assert_eq!(ranks.across(6).unwrap(), Some([3, 2]));
        let text = ranks.across(4).unwrap_err().to_string();
        assert!(text.contains("--ranks 3x2 needs 6 processes, but there are 4"), "{text}");
    }

    #[test]
    fn halos_are_as_deep_as_parts_are_if_not_told() {
        let sharing = |halo: Option<usize>| Sharing {
            ranks: Ranks { ranks: None },
            halo: halo.and_then(NonZeroUsize::new),
        };
        let steps = |halo, size| {
            let partition = sharing(halo).partition(4, size, false);
            partition.map(|partition| (partition.across(), partition.halo().steps))
        };
        assert_eq!(steps(None, (64 * 64, 64)).unwrap(), ([2, 2], 8));
        assert_eq!(steps(None, (4 * 9, 4)).unwrap(), ([1, 4], 2));
        assert_eq!(steps(Some(3), (64 * 64, 64)).unwrap(), ([2, 2], 3));
        let text = steps(Some(3), (4 * 9, 4)).unwrap_err().to_string();
        assert!(text.contains("a halo of 3 steps is deeper"), "{text}");
        assert!(steps(None, (4 * 3, 4)).unwrap_err().to_string().contains("1 x 4 ranks"));
    }
}
