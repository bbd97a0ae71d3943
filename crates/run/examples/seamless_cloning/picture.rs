//! Pictures as planes of numbers, one for each colour.

use anyhow::ensure;
use quadrille::Extent;
use quadrille::data::Field;
use quadrille_run::io::field::{self, PictureOptions};

/// A plane for each colour, in double precision, row by row; 1 is full light.
pub(crate) struct Picture {
    pub(crate) extent: Extent,
    pub(crate) planes: Vec<Vec<f64>>,
}

impl Picture {
    /// The colour of each pixel, by its position.
    pub(crate) fn drawn(extent: Extent, colour: impl Fn(f64, f64) -> [f64; 3]) -> Picture {
        let pixels: Vec<[f64; 3]> = positions(extent).map(|(x, y)| colour(x, y)).collect();
        let plane = |channel: usize| pixels.iter().map(|pixel| pixel[channel]).collect();
        Picture { extent, planes: (0..3).map(plane).collect() }
    }

    /// Reads a picture, grey or in colours; what it has of alpha is left out.
    pub(crate) fn read(path: &str) -> anyhow::Result<Picture> {
        let (picture, _) = field::read(path)?;
        let channels = picture.channels();
        let plane = |channel| picture.values().doubles().skip(channel).step_by(channels).collect();
        let colours = if channels < 3 { 1 } else { 3 };
        Ok(Picture { extent: picture.extent(), planes: (0..colours).map(plane).collect() })
    }

    pub(crate) fn write(&self, path: &str) -> anyhow::Result<()> {
        let pixels = 0..self.extent.texels();
        let numbers = pixels.flat_map(|i| self.planes.iter().map(move |plane| plane[i] as f32));
        let field = Field::new(self.extent, self.planes.len(), numbers.collect::<Vec<f32>>())?;
        field::write(path, &field, PictureOptions::plain())?;
        Ok(())
    }

    /// Refuses a picture of another size or with another number of colours.
    pub(crate) fn must_be_like(&self, other: &Picture, what: &str) -> anyhow::Result<()> {
        let (ours, theirs) = (self.planes.len(), other.planes.len());
        ensure!(
            self.extent == other.extent && ours == theirs,
            "{what} has {} pixels of {ours} colours, but the destination {} of {theirs}; pictures must have one size",
            self.extent,
            other.extent
        );
        Ok(())
    }

    /// The picture plus x² - y² + x y, from the middle: to differences as to derivatives a harmonic
    /// function.
    pub(crate) fn plus_harmonic(&self) -> Picture {
        let (width, height) = (f64::from(self.extent.width), f64::from(self.extent.height));
        let harmonic = |(x, y): (f64, f64)| {
            let (x, y) = ((x - width / 2.0) / height, (y - height / 2.0) / height);
            x * x - y * y + x * y
        };
        let plus = |plane: &Vec<f64>| {
            positions(self.extent).zip(plane).map(|(at, old)| old + harmonic(at)).collect()
        };
        Picture { extent: self.extent, planes: self.planes.iter().map(plus).collect() }
    }

    /// Pictures of one size beside each other.
    pub(crate) fn side_by_side(pictures: &[Picture]) -> Picture {
        let Some(first) = pictures.first() else {
            return Picture { extent: Extent::new(0, 0), planes: Vec::new() };
        };
        let width = first.extent.width as usize;
        let rows = |plane: usize| {
            let row = move |y: usize| {
                pictures.iter().flat_map(move |p| &p.planes[plane][y * width..(y + 1) * width])
            };
            (0..first.extent.height as usize).flat_map(row).copied().collect()
        };
        let extent = Extent::new(pictures.len() as u32 * first.extent.width, first.extent.height);
        Picture { extent, planes: (0..first.planes.len()).map(rows).collect() }
    }
}

/// The positions of pixels, row by row.
fn positions(extent: Extent) -> impl Iterator<Item = (f64, f64)> {
    let row = move |y| (0..extent.width).map(move |x| (f64::from(x), f64::from(y)));
    (0..extent.height).flat_map(row)
}
