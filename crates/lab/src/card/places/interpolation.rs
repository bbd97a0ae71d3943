//! The errors of neighbours' coordinates after the rasterizer has interpolated them, against the
//! centres of texels, and whether they still meet the texels.

use quadrille::gl::Texture;
use quadrille::stream::Kernel;

use super::strips::{Indexing, interpolated, judge as index, places, shown, sides};
use crate::card::arithmetic::units::units_off;
use crate::card::prelude::*;
use crate::report::names::reads_name;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interpolation {
    /// Whether they are in texels (`fetch`) or in fractions of the side (`sample`).
    pub reads: &'static str,
    pub extent: String,
    /// The largest distance from a centre, in texels; half of one is too much.
    pub max_texels: f64,
    /// The largest error in units in the last place of the coordinate.
    pub max_ulps: f64,
    /// The number of texels, of three for each place, that were not the intended ones.
    pub misread: usize,
}

/// Lengths of strips, up to the device's own limit.
const LENGTHS: [u32; 6] = [3, 17, 127, 1000, 1023, 4095];

fn vertex() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Vertex, "card/neighbours.vert")?)
}

fn fragment(down: bool, texels: bool) -> Result<Source, stream::Error> {
    let mut source = crate::shaders::source(Stage::Fragment, "card/neighbours.frag")?;
    for (define, wanted) in [("DOWN", down), ("TEXELS", texels)] {
        source = if wanted { source.define(define, 1) } else { source };
    }
    Ok(source)
}

pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    let mut sources = vec![vertex()?];
    for down in [false, true] {
        sources.extend([fragment(down, false)?, fragment(down, true)?]);
    }
    Ok(sources)
}

/// Measures along both sides, in both ways of reading, and how far the texel in the middle is met.
pub(crate) fn measure(context: &Context) -> Result<(Vec<Interpolation>, Vec<Indexing>)> {
    let most = context.abilities().max_texture_size;
    let lengths = LENGTHS.into_iter().filter(|length| *length < most).chain([most]);
    let lengths: Vec<u32> = lengths.collect();
    let (mut rows, mut indices) = (Vec::new(), Vec::new());
    for reads in [Reads::Fetch, Reads::Sample] {
        for down in [false, true] {
            let make = |texels| Kernel::new(context, &vertex()?, &fragment(down, texels)?, reads);
            let (coordinates, texels) = (make(false)?, make(true)?);
            for length in &lengths {
                let extent = sides(*length)[usize::from(down)];
                let image = places(context, extent)?;
                let got = three(&coordinates, &image)?;
                let read = three(&texels, &image)?;
                rows.push(judge(reads, extent, &got, &read));
                if *length == most {
                    let here: Vec<i32> = read.iter().map(|three| three[1]).collect();
                    indices.push(index(interpolated(reads), extent, &here));
                }
            }
        }
    }
    Ok((rows, indices))
}

fn three(kernel: &Kernel, image: &Texture<i32>) -> Result<Vec<[i32; 4]>> {
    let mut output = image.context().uninit::<[i32; 4]>(image.extent())?;
    kernel.pass().input("image", image).draw(&mut output)?;
    Ok(output.read()?)
}

fn judge(
    reads: Reads,
    extent: Extent,
    coordinates: &[[i32; 4]],
    texels: &[[i32; 4]],
) -> Interpolation {
    let length = extent.texels() as f64;
    let side = if reads == Reads::Sample { length } else { 1.0 };
    let (mut max_texels, mut max_ulps) = (0.0_f64, 0.0_f64);
    for (place, three) in coordinates.iter().enumerate() {
        for (bits, step) in three.iter().zip([-0.5, 0.5, 1.5]) {
            let (got, exact) = (f32::from_bits(*bits as u32), (place as f64 + step) / side);
            let texels = (f64::from(got) * side - exact * side).abs();
            max_texels = max_texels.max(if texels.is_nan() { f64::INFINITY } else { texels });
            max_ulps = max_ulps.max(units_off(got, exact, 0.0));
        }
    }
    let last = extent.texels() as i32 - 1;
    let meant = |place: usize, step: i32| (place as i32 + step).clamp(0, last);
    let wrong = |(place, three): (usize, &[i32; 4])| {
        three.iter().zip([-1, 0, 1]).filter(|(got, step)| **got != meant(place, *step)).count()
    };
    let misread = texels.iter().enumerate().map(wrong).sum();
    Interpolation { reads: reads_name(reads), extent: shown(extent), max_texels, max_ulps, misread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_that_drifts_and_a_texel_that_is_missed_show() {
        let extent = Extent::new(4, 1);
        let right: Vec<[i32; 4]> = (0..4)
            .map(|x| [-0.5, 0.5, 1.5, 0.0].map(|step| (x as f32 + step).to_bits() as i32))
            .collect();
        let mut texels = vec![[0, 0, 1, 0], [0, 1, 2, 0], [1, 2, 3, 0], [2, 3, 3, 0]];
        let fine = judge(Reads::Fetch, extent, &right, &texels);
        assert_eq!((fine.max_texels, fine.max_ulps, fine.misread), (0.0, 0.0, 0));
        let mut drifted = right.clone();
        drifted[3][2] = 4.75_f32.to_bits() as i32;
        texels[2][1] = 3;
        let off = judge(Reads::Fetch, extent, &drifted, &texels);
        assert_eq!((off.max_texels, off.misread), (0.25, 1));
        let scaled: Vec<[i32; 4]> = right
            .iter()
            .map(|three| three.map(|bits| (f32::from_bits(bits as u32) / 4.0).to_bits() as i32))
            .collect();
        assert_eq!(judge(Reads::Sample, extent, &scaled, &texels).max_texels, 0.0);
    }
}
