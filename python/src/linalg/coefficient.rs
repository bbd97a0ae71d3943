//! Coefficients of diffusion, at points or at faces, as `solve` takes them instead of a matrix.

use numpy::{PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use quadrille::Shape;
use quadrille::data::{self, Faces, Grid3, GridMatrix, SystemMatrix};

use crate::arrays::doubles::doubles;
use crate::error::{Failure, wrong};

/// Numbers of two axes.
pub(crate) struct Numbers<'py> {
    shape: Shape,
    numbers: PyReadonlyArrayDyn<'py, f64>,
}

/// The argument, before it is looked at.
pub(crate) enum Coefficient<'py> {
    Points(Numbers<'py>),
    /// At the points of a grid of three dimensions, of the shape (z, y, x).
    Space([usize; 3], PyReadonlyArrayDyn<'py, f64>),
    Faces {
        x: Numbers<'py>,
        y: Numbers<'py>,
    },
}

/// The numbers as work on a worker's thread borrows them.
#[derive(Clone, Copy)]
pub(crate) enum Borrowed<'a> {
    Points { shape: Shape, k: &'a [f64] },
    Space { shape: [usize; 3], k: &'a [f64] },
    Faces { x: (Shape, &'a [f64]), y: (Shape, &'a [f64]) },
}

impl<'py> Numbers<'py> {
    fn of(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Numbers<'py>> {
        let numbers = doubles(name, object)?;
        match *numbers.shape() {
            [rows, cols] => Ok(Numbers { shape: Shape::new(rows, cols), numbers }),
            ref shape => {
                let text = format!(
                    "{name}: expected an array of the shape (height, width) or (z, y, x), a coefficient at each point, or a pair of arrays (at the faces along x, along y); got the shape {shape:?}"
                );
                Err(wrong(object.py(), text))
            }
        }
    }

    fn borrowed(&self) -> PyResult<(Shape, &[f64])> {
        Ok((self.shape, self.numbers.as_slice()?))
    }
}

impl<'py> Coefficient<'py> {
    /// Takes an array, or a tuple of two.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Coefficient<'py>> {
        let Ok(pair) = object.cast::<PyTuple>() else {
            let numbers = doubles("coefficient", object)?;
            if let [z, y, x] = *numbers.shape() {
                return Ok(Coefficient::Space([z, y, x], numbers));
            }
            return Ok(Coefficient::Points(Numbers::of("coefficient", object)?));
        };
        match pair.len() {
            2 => Ok(Coefficient::Faces {
                x: Numbers::of("coefficient[0]", &pair.get_item(0)?)?,
                y: Numbers::of("coefficient[1]", &pair.get_item(1)?)?,
            }),
            count => {
                let text = format!(
                    "coefficient: expected one array, at points, or a pair (at the faces along x, along y); got a tuple of {count}"
                );
                Err(wrong(object.py(), text))
            }
        }
    }

    pub(crate) fn borrowed(&self) -> PyResult<Borrowed<'_>> {
        Ok(match self {
            Coefficient::Points(k) => {
                let (shape, k) = k.borrowed()?;
                Borrowed::Points { shape, k }
            }
            Coefficient::Space(shape, k) => Borrowed::Space { shape: *shape, k: k.as_slice()? },
            Coefficient::Faces { x, y } => Borrowed::Faces { x: x.borrowed()?, y: y.borrowed()? },
        })
    }
}

impl Borrowed<'_> {
    pub(crate) fn matrix(self) -> Result<SystemMatrix, Failure> {
        let made = match self {
            Borrowed::Points { shape, k } => data::diffusion(shape, k).map(SystemMatrix::from),
            Borrowed::Space { shape: [z, y, x], k } => Grid3::new(x, y, z)
                .and_then(|grid| GridMatrix::diffusion(grid, k))
                .map(SystemMatrix::from),
            Borrowed::Faces { x: (along_x, x), y: (along_y, y) } => Faces::grid(along_x, along_y)
                .and_then(|shape| {
                    data::diffusion_by_faces(shape, Faces { x: x.into(), y: y.into() })
                })
                .map(SystemMatrix::from),
        };
        made.map_err(|error| Failure::new(error.kind(), format!("coefficient: {error}")))
    }
}
