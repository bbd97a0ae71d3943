//! The coefficients of an operator on the device, in its form, as kernels ask
//! `glsl/include/coefficients.glsl` for them.

use crate::data::{Band, Constant, NineBanded};
use crate::gl::{Texture, Value};
use crate::memory::NoMemory;
use crate::shader::Source;
use crate::stream::launch::Launch;
use crate::{Extent, Rectangle};

use super::bands::{CORNERS, ORDER, Places};

/// What a kernel reads of the coefficients in one panel.
#[derive(Clone, Copy)]
pub(crate) enum Coefficients<'a> {
    Stored {
        bands: &'a Texture<[f32; 4]>,
        /// Whether no point is coupled to one across a corner.
        star: bool,
    },
    Constant(&'a ConstantCoefficients),
}

/// How kernels ask for coefficients, by which they are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reading {
    pub(crate) constant: bool,
    /// Whether points are coupled along x and along y alone, so that four of nine are not asked for.
    pub(crate) star: bool,
}

impl Reading {
    /// Nine numbers of each point.
    pub(crate) const ALL: Reading = Reading { constant: false, star: false };

    /// Returns every way, to compile the shaders of each.
    pub(crate) fn every() -> impl Iterator<Item = Reading> {
        [false, true]
            .into_iter()
            .flat_map(|constant| [false, true].map(|star| Reading { constant, star }))
    }
}

/// The numbers of a constant operator, for a panel of its grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantCoefficients {
    form: Constant<f32>,
    /// In the order of the bands on the device.
    couplings: [f32; 9],
    /// The sums of rows, in the first row of points, the inner ones and the last, and of each in the
    /// first, the inner and the last column.
    sums: [f32; 9],
    /// The column and the row of the panel's first point, and the points of the grid along x and y.
    rectangle: [i32; 4],
}

impl ConstantCoefficients {
    /// Takes the numbers for the panel whose texels begin here.
    pub(super) fn new(form: &Constant<f32>, owned: Rectangle) -> ConstantCoefficients {
        let (width, height) = form.points();
        let sum = |(x, y): (usize, usize)| {
            Band::ALL.iter().map(|band| f64::from(form.entry(*band, x, y))).sum::<f64>() as f32
        };
        let mut sums = [0.0; 9];
        let rows = form.representatives().into_iter().flatten();
        sums.iter_mut().zip(rows).for_each(|(to, row)| *to = sum(row));
        let [column, row] = [4 * owned.x, owned.y];
        ConstantCoefficients {
            form: *form,
            couplings: ORDER.map(|band| form.coupling(band)),
            sums,
            rectangle: [column as i32, row as i32, width as i32, height as i32],
        }
    }

    fn is_star(&self) -> bool {
        CORNERS.iter().all(|band| self.form.coupling(*band) == 0.0)
    }

    /// Returns the uniforms by name.
    pub(crate) fn uniforms(&self) -> [(&'static str, Value); 3] {
        [
            ("couplings", Value::Mat3(self.couplings)),
            ("row_sums", Value::Mat3(self.sums)),
            ("rectangle", self.rectangle.into()),
        ]
    }

    /// Returns the texels of the panel, which has this extent, whose points have all their neighbours.
    fn inner(&self, extent: Extent) -> Option<Rectangle> {
        let [column, row, width, height] = self.rectangle.map(i64::from);
        // A texel has `numbers` points.
        let range = |first: i64, numbers: i64, points: i64, texels: u32| {
            let fits = |texel: i64| {
                let from = first + numbers * texel;
                from >= 1 && from + numbers < points
            };
            let mut all = (0..i64::from(texels)).filter(|texel| fits(*texel));
            let from = all.next()?;
            let to = all.next_back().unwrap_or(from);
            Some((from as u32, (to - from + 1) as u32))
        };
        let (x, wide) = range(column, 4, width, extent.width)?;
        let (y, high) = range(row, 1, height, extent.height)?;
        Some(Rectangle { x, y, width: wide, height: high })
    }

    /// Returns the texels that these would be if they were stored.
    pub(crate) fn texels(
        &self,
        places: Places,
        owned: Rectangle,
    ) -> Result<Vec<[f32; 4]>, NoMemory> {
        places.texels(&NineBanded::of_constant(self.form), owned)
    }

    /// Returns the entry of the band of this number on the device, at a point.
    pub(crate) fn entry(&self, k: usize, x: usize, y: usize) -> f32 {
        self.form.entry(ORDER[k], x, y)
    }
}

impl<'a> Coefficients<'a> {
    /// Returns the [inner](ConstantCoefficients::inner) texels of a target, which are drawn by themselves: of a
    /// constant operator, and not few.
    pub(crate) fn inner(self, extent: Extent) -> Option<Rectangle> {
        match self {
            Coefficients::Stored { .. } => None,
            Coefficients::Constant(numbers) => {
                numbers.inner(extent).filter(|inner| 2 * inner.texels() > extent.texels())
            }
        }
    }

    /// Gives them to a launch.
    pub(crate) fn bind<'b>(self, launch: Launch<'b>) -> Launch<'b>
    where
        'a: 'b,
    {
        match self {
            Coefficients::Stored { bands, .. } => launch.input("bands", bands),
            Coefficients::Constant(numbers) => {
                let all = numbers.uniforms().into_iter();
                all.fold(launch, |launch, (name, value)| launch.uniform(name, value))
            }
        }
    }

    pub(crate) fn reading(self) -> Reading {
        match self {
            Coefficients::Stored { star, .. } => Reading { constant: false, star },
            Coefficients::Constant(numbers) => Reading { constant: true, star: numbers.is_star() },
        }
    }
}

/// Lets a kernel ask for coefficients in this way.
pub(crate) fn define(source: Source, reading: Reading) -> Source {
    let source = if reading.constant { source.define("CONSTANT", 1) } else { source };
    if reading.star { source.define("STAR", 1) } else { source }
}

/// Returns the rectangles of an extent around one in it.
pub(crate) fn around(extent: Extent, inner: Rectangle) -> impl Iterator<Item = Rectangle> {
    let (right, above) = (inner.x + inner.width, inner.y + inner.height);
    let all = [
        Rectangle { x: 0, y: 0, width: extent.width, height: inner.y },
        Rectangle { x: 0, y: inner.y, width: inner.x, height: inner.height },
        Rectangle { x: right, y: inner.y, width: extent.width - right, height: inner.height },
        Rectangle { x: 0, y: above, width: extent.width, height: extent.height - above },
    ];
    all.into_iter().filter(|one| one.width > 0 && one.height > 0)
}
