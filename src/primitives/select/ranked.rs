//! How many numbers that are kept stand before each, and the predicate that says which are.

use crate::gl::Texture;
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::Error;

use super::super::number::Number;
use super::super::scan::Scan;

/// The name of a predicate in error messages.
const NAME: &str = "predicate";

/// The ranks of a vector's numbers.
pub(in super::super) struct Ranks {
    pub(super) ranks: DeviceVector<u32>,
    /// How many are kept before each panel, and in all at the end.
    pub(super) before: Vec<u32>,
}

impl Ranks {
    /// Scans flags, 1 for what is kept and else 0.
    pub(in super::super) fn of(
        scan: &Scan<u32>,
        flags: &DeviceVector<u32>,
    ) -> Result<Ranks, Error> {
        let mut ranks = DeviceVector::uninit(flags.context(), flags.len())?;
        scan.of(flags).exclusive().run(&mut ranks)?;
        let mut before = vec![0];
        for ((flags, length), (ranks, _)) in flags.panels().zip(ranks.panels()) {
            let [rank, flag] = [number_at(ranks, length - 1)?, number_at(flags, length - 1)?];
            before.push(rank + flag);
        }
        Ok(Ranks { ranks, before })
    }

    pub(in super::super) fn total(&self) -> u32 {
        self.before.last().copied().unwrap_or_default()
    }
}

/// Reads a number of a panel.
fn number_at(panel: &Texture<[u32; 4]>, index: usize) -> Result<u32, Error> {
    let (texel, width) = ((index / 4) as u32, panel.extent().width);
    let place = crate::Rectangle::new(texel % width, texel / width, 1, 1);
    let texels = panel.read_rectangle(place)?;
    Ok(texels.first().map(|texel| texel[index % 4]).unwrap_or_default())
}

/// Puts a predicate into a shader of this module.
pub(in super::super) fn with_predicate<T: Number>(
    source: Source,
    predicate: &str,
    masked: bool,
) -> Source {
    let source = source.define(T::DEFINE, 1).file_shown_as("predicate", NAME, predicate);
    if masked { source.define("MASKED", 1) } else { source }
}
