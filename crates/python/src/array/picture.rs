//! Device arrays as pictures.

use quadrille::Extent;
use quadrille::data::Field;
use quadrille_run::io::field::{self, PictureOptions};
use quadrille_run::io::picture::HeatMap;

use crate::error::Failure;
use crate::prelude::*;

/// The picture that an array is.
pub(crate) enum Picture {
    /// Numbers through a colour map, with a scale.
    Map { height: usize, width: usize },
    /// Colours from 0 to 1, with or without alpha, a pixel each.
    Colours { extent: Extent, channels: usize },
}

impl Picture {
    /// Returns the picture that an array of this shape is; `None` for other shapes.
    pub(crate) fn of(shape: &[usize]) -> Option<Picture> {
        match *shape {
            _ if shape.contains(&0) => None,
            [height, width] | [height, width, 1] => Some(Picture::Map { height, width }),
            [height, width, channels @ (3 | 4)] => {
                let extent = Extent::new(width.try_into().ok()?, height.try_into().ok()?);
                Some(Picture::Colours { extent, channels })
            }
            _ => None,
        }
    }

    /// Returns the bytes of a PNG file.
    pub(crate) fn png(self, py: Python<'_>, values: Vec<f32>) -> PyResult<Vec<u8>> {
        py.detach(|| self.drawn(values)).or_raise(py)
    }

    fn drawn(self, values: Vec<f32>) -> Result<Vec<u8>, Failure> {
        match self {
            Picture::Map { height, width } => {
                let title = format!("{height} x {width}");
                Ok(HeatMap::new(width, height, &values).title(&title).png()?)
            }
            Picture::Colours { extent, channels } => {
                let field = Field::new(extent, channels, values)?;
                Ok(field::png(&field, PictureOptions::plain())?)
            }
        }
    }
}
