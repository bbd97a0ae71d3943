//! The boundaries as lines: what those of the paper cover, and what lines through the centres of
//! texels do.

use super::super::prelude::*;
use super::claims;
use quadrille_lab::card;

/// Draws lines from (0, 0) and from (texWidth - 1, 0), as printed.
pub(super) fn covers(context: &Context) -> Result<Finding> {
    let all = card::lines(context)?;
    let upward =
        |shifted: bool| all.iter().find(|line| line.upward && line.is_shifted() == shifted);
    let told = match (upward(true), upward(false)) {
        (Some(printed), Some(centres)) => Ok(judge(printed, centres)),
        _ => Err("no line was drawn".into()),
    };
    Ok(check(&claims::LINES, told))
}

fn judge(printed: &card::Coverage, centres: &card::Coverage) -> (String, bool) {
    let words = format!(
        "{} of {} lines cover their column, each texel once and no other; {} texels are missed and {} of other columns are \
         drawn. OpenGL does not specify which column a line between two columns covers. Shifted by half a texel, \
         through the centres, {} of {} are exact: the solver draws lines only where they are",
        printed.exact, printed.lines, printed.missed, printed.strays, centres.exact, centres.lines
    );
    (words, printed.is_exact())
}
