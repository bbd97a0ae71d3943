//! The boundaries as lines: what they cover, and what they cost beside quads one texel wide.

use std::time::Duration;

use super::super::super::report::{Finding, Verdict};
use super::super::super::{Error, Summary};
use super::super::Lab;
use super::super::pace::interleaved;
use super::super::words::{beyond_chance, scatters, short};
use super::finding;
use quadrille::Extent;
use quadrille::gl::{Blend, Context};
use quadrille::internal::facts;
use quadrille::shader::{Reads, Stage};
use quadrille::stream::{Clock, Geometry, Kernel, LineDirection};

/// Textures of which the first and the last column are drawn.
const EXTENTS: [(u32, u32); 6] =
    [(64, 64), (257, 64), (31, 77), (2, 9), (1024, 1024), (2048, 2048)];

/// Whether lines cover just the columns that they should.
pub(super) fn covers(context: &Context) -> Result<Finding, Error> {
    let limit = context.abilities().max_texture_size;
    let (mut wrong, mut downward) = (Vec::new(), 0);
    let fitting = EXTENTS.into_iter().filter(|(width, height)| (*width).max(*height) <= limit);
    let all: Vec<(u32, u32)> = fitting.collect();
    for (width, height) in &all {
        match facts::covering_lines(context, Extent::new(*width, *height))? {
            None => wrong.push(format!("{width} x {height}")),
            Some(heading) => downward += usize::from(heading == LineDirection::Down),
        }
    }
    Ok(judge(all.len(), &wrong, downward))
}

/// Of so many extents, those where lines neither way cover the columns, and how many where downward
/// ones alone do.
fn judge(extents: usize, wrong: &[String], downward: usize) -> Finding {
    let words = match wrong {
        [] => format!(
            "in {extents} extents, {} through the centres of texels, each texel once. OpenGL does not specify which \
             column lines from the corner, as in the paper, cover",
            way(extents, downward)
        ),
        some => format!(
            "they miss or stray in {} of {extents} extents ({}), even through the centres of texels, upward and \
             downward: quads one texel wide replace them, after a probe",
            some.len(),
            some.join(", ")
        ),
    };
    finding(
        "A line from the first row to the last activates the texels of the left or right boundary",
        words,
        Verdict::of(wrong.is_empty()),
    )
}

fn way(extents: usize, downward: usize) -> String {
    match downward {
        0 => "from bottom to top".into(),
        all if all == extents => {
            "from top to bottom (from bottom to top they miss texels here)".into()
        }
        some => {
            format!(
                "from bottom to top, but in {some} of them from top to bottom, since upward they miss texels,"
            )
        }
    }
}

/// How high the columns are, and how often both are drawn in a run.
const HEIGHT: u32 = 1024;
const DRAWS: u32 = 50;

/// Both boundaries as lines and as thin quads; nothing where the user stopped it.
pub(super) fn beside_quads(lab: &mut Lab<'_>) -> Result<Option<Finding>, Error> {
    let context = lab.context;
    let source = crate::shaders::source(Stage::Fragment, "probe/one.frag")?;
    let kernel = Kernel::from_fragment(context, &source, Reads::Fetch)?;
    let height = HEIGHT.min(context.abilities().max_texture_size);
    let extent = Extent::new(height, height);
    let heading = facts::covering_lines(context, extent)?.unwrap_or(LineDirection::Up);
    let mut target = context.uninit::<f32>(extent)?;
    target.fill(0.0)?;
    // Adding keeps a renderer from leaving out what the next draw covers.
    let blend = if context.abilities().float_blending { Blend::Add } else { Blend::Replace };
    let mut draw = |way: usize| -> Result<Duration, Error> {
        let both = [0, height - 1].map(|x| match way {
            0 => Geometry::Line(x, heading),
            _ => Geometry::Column(x),
        });
        let work = || -> Result<(), Error> {
            for _ in 0..DRAWS {
                for column in both {
                    kernel.pass().over(column).blend(blend).draw(&mut target)?;
                }
            }
            Ok(())
        };
        Ok(Clock::of(context).time(context, work)?.1)
    };
    let time = Duration::from_secs_f64(lab.scale.pick(0.3, 2.0));
    Ok(interleaved(lab, 2, time, &mut draw)?.map(|times| judge_cost(height, &times)))
}

fn judge_cost(height: u32, times: &[Summary]) -> Finding {
    let us = |way: usize| times.get(way).map_or(0.0, |t| t.median_ms) * 1e3 / f64::from(DRAWS);
    let (lines, quads) = (us(0), us(1));
    let scatter = times.iter().map(Summary::relative_spread).fold(0.0, f64::max);
    let words = format!(
        "both boundaries of {height} rows: {} us as lines, {} us as quads one texel wide ({})",
        short(lines),
        short(quads),
        scatters(scatter)
    );
    let verdict = beyond_chance(quads / lines.max(1e-9), scatter, |times| times > 1.0);
    finding(
        "The boundaries are rendered as lines (interpreted as: faster than thin quads)",
        words,
        verdict,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_judged_by_what_they_cover_and_cost() {
        for (downward, word) in
            [(0, "bottom to top through"), (3, "miss texels here"), (1, "in 1 of")]
        {
            let finding = judge(3, &[], downward);
            assert_eq!(finding.verdict, Verdict::Confirmed);
            assert!(finding.measured.contains(word), "{}", finding.measured);
        }
        assert_eq!(judge(3, &["2 x 9".into()], 0).verdict, Verdict::Contradicted);
        let time = |median_ms| Summary { median_ms, spread_ms: 0.0, runs: 1 };
        let verdict = |lines, quads| judge_cost(9, &[time(lines), time(quads)]).verdict;
        assert_eq!(verdict(1.0, 2.0), Verdict::Confirmed);
        assert_eq!(verdict(2.0, 1.0), Verdict::Contradicted);
    }
}
