//! How ranks share a grid, as arguments.

use std::str::FromStr;

use clap::Args;

use super::super::failure::Failure;

/// The arguments of every command whose work ranks share.
#[derive(Args)]
pub(crate) struct Ranks {
    /// How mpirun's processes share the work: P columns by Q rows of ranks [default: as square as the work
    /// is]
    #[arg(long, value_name = "PxQ", help_heading = "Ranks")]
    ranks: Option<Columns>,
}

/// P x Q ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Columns {
    columns: usize,
    rows: usize,
}

impl FromStr for Columns {
    type Err = String;

    fn from_str(text: &str) -> Result<Columns, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
        let pair = text.split_once('x').and_then(|(p, q)| Some((number(p)?, number(q)?)));
        let (columns, rows) =
            pair.ok_or("expected P columns by Q rows of ranks, both at least 1, as in 2x3")?;
        Ok(Columns { columns, rows })
    }
}

impl Ranks {
    /// The columns and rows of ranks, if they are given: as many ranks as there are processes.
    pub(crate) fn given(&self) -> Result<Option<(usize, usize)>, Failure> {
        let Some(Columns { columns, rows }) = self.ranks else { return Ok(None) };
        let processes = super::processes();
        let (ranks, is) = (columns.saturating_mul(rows), if processes == 1 { "is" } else { "are" });
        if ranks == processes {
            return Ok(Some((columns, rows)));
        }
        let text = format!(
            "--ranks {columns}x{rows} are {ranks} ranks, but there {is} {processes} here: start as many by \
             `mpirun -n {ranks} quadrille ...`, or leave --ranks out"
        );
        Err(Failure::Input { text })
    }
}
