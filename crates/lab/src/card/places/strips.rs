//! The distance up to which texels are distinguished: strips whose texels hold their own place,
//! read in every way.

use quadrille::gl::Texture;
use quadrille::stream::Kernel;

use crate::card::prelude::*;
use crate::report::names::reads_name;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Indexing {
    pub way: String,
    /// The strip, or the rows that were counted through.
    pub extent: String,
    /// The number of texels that were tried, from 0 on.
    pub texels: u64,
    pub first_wrong: Option<u64>,
}

/// The width of the rows whose texels are counted through, so that a row's end is at no power of
/// two.
const ROW: u32 = 4099;

fn reading() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Fragment, "card/index.frag")?)
}

fn linear() -> Result<Source, stream::Error> {
    Ok(reading()?.define("LINEAR", 1))
}

fn floor() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Fragment, "probe/floor.frag")?)
}

pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    [reading(), linear()].into_iter().collect()
}

/// Reads by place, in both forms, along both sides, as far as textures go.
pub(crate) fn by_place(context: &Context) -> Result<Vec<Indexing>> {
    let mut rows = Vec::new();
    for reads in [Reads::Fetch, Reads::Sample] {
        let kernel = Kernel::from_fragment(context, &reading()?, reads)?;
        for extent in sides(context.abilities().max_texture_size) {
            let image = places(context, extent)?;
            let mut numbers = context.uninit::<i32>(extent)?;
            kernel.pass().input("image", &image).draw(&mut numbers)?;
            let way = match reads {
                Reads::Fetch => "texelFetch at a place",
                Reads::Sample => "sample at a texel's centre",
            };
            rows.push(judge(way.into(), extent, &numbers.read()?));
        }
    }
    Ok(rows)
}

pub(super) fn sides(length: u32) -> [Extent; 2] {
    [Extent::new(length, 1), Extent::new(1, length)]
}

pub(crate) fn shown(extent: Extent) -> String {
    format!("{} x {}", extent.width, extent.height)
}

/// A strip whose texels hold their place in it.
pub(crate) fn places(context: &Context, extent: Extent) -> Result<Texture<i32>> {
    let places: Vec<i32> = (0..extent.texels() as i32).collect();
    Ok(context.texture(extent, &places)?)
}

pub(crate) fn judge(way: String, extent: Extent, got: &[i32]) -> Indexing {
    let wrong = got.iter().enumerate().find(|(place, got)| *place as i32 != **got);
    Indexing {
        way,
        extent: shown(extent),
        texels: got.len() as u64,
        first_wrong: wrong.map(|(place, _)| place as u64),
    }
}

/// The name of a way of reading where a coordinate was interpolated.
pub(super) fn interpolated(reads: Reads) -> String {
    format!("interpolated coordinate, {}", reads_name(reads))
}

/// An index over rows, computed in floats: every texel up to 2^24 has a float of its own. Rows are
/// looked at near the start and around 2^24, where the first to fail must be.
pub(crate) fn in_floats(context: &Context) -> Result<Indexing> {
    let kernel = context.kernel(linear()?)?;
    let width = ROW.min(context.abilities().max_texture_size);
    let band = Extent::new(width, 64);
    let mut numbers = context.uninit::<i32>(band)?;
    let rows = (1 << 24) / width + 64;
    let mut first_wrong = None;
    for first in [0, rows / 3, rows / 2, rows - 128, rows - 64] {
        let pass = kernel.pass().uniform("width", width as f32).uniform("first_row", first as f32);
        pass.draw(&mut numbers)?;
        let start = u64::from(first) * u64::from(width);
        let got = numbers.read()?;
        let wrong =
            got.iter().enumerate().find(|(place, got)| start + *place as u64 != **got as u64);
        first_wrong = first_wrong.or(wrong.map(|(place, _)| start + place as u64));
    }
    let extent = Extent::new(width, rows);
    let texels = extent.texels() as u64;
    Ok(Indexing {
        way: "index over rows, in floats".into(),
        extent: shown(extent),
        texels,
        first_wrong,
    })
}

/// The position of an index by `floor`, as in Göddeke 2005.
pub(crate) fn by_floor(context: &Context, extent: Extent) -> Result<Indexing> {
    let kernel = Kernel::from_fragment(context, &floor()?, Reads::Fetch)?;
    let mut wrong = context.uninit::<f32>(extent)?;
    kernel.pass().uniform("width", extent.width as i32).draw(&mut wrong)?;
    let marks = wrong.read()?;
    let first = marks.iter().position(|wrong| *wrong != 0.0);
    Ok(Indexing {
        way: "neighbours by floor()".into(),
        extent: shown(extent),
        texels: marks.len() as u64,
        first_wrong: first.map(|place| place as u64),
    })
}

/// The sizes for the floor algebra: narrow, odd and wide rows, the last ones beyond 2^24.
pub(crate) fn floor_extents(context: &Context) -> Vec<Extent> {
    let most = context.abilities().max_texture_size;
    let fit = |(width, height): (u32, u32)| Extent::new(width.min(most), height.min(most));
    [(3, 16384), (1000, 1000), (1023, 1025), (ROW, ROW)].map(fit).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_texel_that_is_missed_is_named() {
        let extent = Extent::new(5, 1);
        assert_eq!(judge("x".into(), extent, &[0, 1, 2, 3, 4]).first_wrong, None);
        assert_eq!(judge("x".into(), extent, &[0, 1, 2, 2, 2]).first_wrong, Some(3));
    }
}
