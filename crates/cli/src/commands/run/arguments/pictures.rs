//! The arguments of outputs: their files, and how values become pixels.

use clap::ValueEnum;

use quadrille_run::RunFile;
use quadrille_run::io::ColourMap;
use quadrille_run::io::field::{Depth, PictureOptions, Raw};

use super::flags::count;
use super::inputs::Input;
use crate::arguments::assignment::Of;
use crate::commands::run::view::Beginning;
use crate::prelude::*;

#[derive(Args)]
pub(crate) struct OutputArguments {
    /// Write an output, as an array of f4 (f2 where it is held in half precision), i4 or u4, or as a picture with one pixel per cell; NAME may be left out where
    /// there is one output; can be repeated
    ///
    /// In a picture 3 or 4 channels are a colour (floats from 0 to 1, integers from 0 to 255), and 1 channel
    /// is a shade of grey or is drawn with --colours. Of frame-%04d.png there is one file for every step, or every
    /// K-th (--every), with the number of the step. NAME=- writes a .npy array, or frames (--raw), to standard
    /// output; the report goes to standard error then.
    #[arg(long = "output", value_name = "[NAME=]FILE.npy|.png|.jpg", help_heading = "Results")]
    pub(crate) files: Vec<Of>,

    /// Write the frame of a sequence after every K-th step [default: 1], and the checkpoint if
    /// --checkpoint-every is not given
    #[arg(long, value_name = "K", help_heading = "Results", value_parser = count, allow_negative_numbers = true)]
    pub(crate) every: Option<u64>,

    /// Write frames to standard output (--output NAME=-) as pixels for a video encoder: gray,
    /// rgb24, rgba or f32
    #[arg(long, value_name = "FORMAT", help_heading = "Results")]
    pub(crate) raw: Option<Raw>,

    /// The colour map of a picture of one channel, in which NaN is red; `none` draws shades of grey
    /// [default: none if an input is a picture, else viridis]
    #[arg(long, value_name = "COLOURS", help_heading = "Results")]
    colours: Option<ColoursName>,

    /// The values at the ends of the map, or of black and white, in a picture of one channel [default: the least and
    /// the greatest value on a colour map, 0 and 1 in shades of grey]
    #[arg(long, value_name = "LO:HI", value_parser = range, allow_hyphen_values = true, help_heading = "Results")]
    range: Option<(f64, f64)>,

    /// The bits of each channel of a picture [default: as in the deepest input picture, else 8]
    #[arg(long, value_name = "BITS", help_heading = "Results")]
    bits: Option<Bits>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColoursName {
    Viridis,
    Grey,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bits {
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

impl OutputArguments {
    /// The settings that the window begins with.
    pub(crate) fn beginning(&self, run: &RunFile, options: PictureOptions) -> Beginning {
        let map = options.colours.unwrap_or(ColourMap::Grey);
        let range = self.range.map(|(low, high)| (low as f32, high as f32));
        Beginning { limit: run.settings().iterate, map, range }
    }

    /// The conversion of values to pixels: if an input is a picture, the outputs are pictures;
    /// arrays are shown in colours.
    pub(crate) fn picture_options(&self, inputs: &[Input]) -> PictureOptions {
        let deepest = inputs.iter().filter_map(|input| input.picture).max();
        let colours = match self.colours {
            None => deepest.is_none().then_some(ColourMap::Viridis),
            Some(ColoursName::Viridis) => Some(ColourMap::Viridis),
            Some(ColoursName::Grey) => Some(ColourMap::Grey),
            Some(ColoursName::None) => None,
        };
        let depth = self.depth().or(deepest).unwrap_or_default();
        PictureOptions::plain().colours(colours).range(self.range).depth(depth)
    }

    /// The depth of pictures, if --bits sets it.
    pub(crate) fn depth(&self) -> Option<Depth> {
        self.bits.map(|bits| match bits {
            Bits::Eight => Depth::Eight,
            Bits::Sixteen => Depth::Sixteen,
        })
    }
}

/// The ends of a range.
fn range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let ends = text.split_once(':').map(|(low, high)| (number(low), number(high)));
    match ends {
        Some((Some(low), Some(high))) if low < high => Ok((low, high)),
        _ => Err(format!("expected LOW:HIGH with LOW less than HIGH, as in -1:1; got `{text}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ascends() {
        assert_eq!(range("-1:0.5"), Ok((-1.0, 0.5)));
        for text in ["", "1", "1:1", "2:1", "a:1", "nan:1", "0:inf"] {
            assert!(range(text).is_err(), "{text}");
        }
    }
}
