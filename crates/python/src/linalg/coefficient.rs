//! Coefficients of diffusion, at points or at faces, as `solve` takes them instead of a matrix.

use numpy::PyUntypedArrayMethods;
use pyo3::types::PyTuple;
use quadrille::Shape;
use quadrille::data::{self, Faces, Grid3, GridMatrix, SystemMatrix};

use crate::arrays::doubles::doubles;
use crate::arrays::lent::Lent;
use crate::error::{Failure, wrong};
use crate::prelude::*;

/// The values of a coefficient on a grid of two dimensions.
pub(crate) struct CoefficientGrid {
    shape: Shape,
    numbers: Lent<f64>,
}

/// The argument, before it is looked at.
pub(crate) enum Coefficient {
    Points(CoefficientGrid),
    /// At the points of a grid of three dimensions, of the shape (z, y, x).
    Space([usize; 3], Lent<f64>),
    Faces {
        x: CoefficientGrid,
        y: CoefficientGrid,
    },
}

impl CoefficientGrid {
    fn of(name: &str, object: &Object<'_>) -> PyResult<CoefficientGrid> {
        let numbers = doubles(name, object)?;
        match *numbers.shape() {
            [rows, cols] => {
                Ok(CoefficientGrid { shape: Shape::new(rows, cols), numbers: Lent::of(&numbers)? })
            }
            ref shape => {
                let text = format!(
                    "{name}: expected an array of the shape (height, width) or (z, y, x), a coefficient at each point, or a pair of arrays (at the faces along x, along y); got the shape {shape:?}"
                );
                Err(wrong(object.py(), text))
            }
        }
    }
}

impl Coefficient {
    /// Takes an array, or a tuple of two.
    pub(crate) fn of(object: &Object<'_>) -> PyResult<Coefficient> {
        let Ok(pair) = object.cast::<PyTuple>() else {
            let numbers = doubles("coefficient", object)?;
            if let [z, y, x] = *numbers.shape() {
                return Ok(Coefficient::Space([z, y, x], Lent::of(&numbers)?));
            }
            return Ok(Coefficient::Points(CoefficientGrid::of("coefficient", object)?));
        };
        match pair.len() {
            2 => Ok(Coefficient::Faces {
                x: CoefficientGrid::of("coefficient[0]", &pair.get_item(0)?)?,
                y: CoefficientGrid::of("coefficient[1]", &pair.get_item(1)?)?,
            }),
            count => {
                let text = format!(
                    "coefficient: expected one array, at points, or a pair (at the faces along x, along y); got a tuple of {count}"
                );
                Err(wrong(object.py(), text))
            }
        }
    }

    pub(crate) fn matrix(&self) -> Result<SystemMatrix, Failure> {
        let made = match self {
            Coefficient::Points(k) => data::diffusion(k.shape, &*k.numbers).map(SystemMatrix::from),
            Coefficient::Space([z, y, x], k) => Grid3::new(*x, *y, *z)
                .and_then(|grid| GridMatrix::diffusion(grid, k))
                .map(SystemMatrix::from),
            Coefficient::Faces { x, y } => Faces::grid(x.shape, y.shape)
                .and_then(|shape| {
                    let faces = Faces { x: (&*x.numbers).into(), y: (&*y.numbers).into() };
                    data::diffusion_by_faces(shape, faces)
                })
                .map(SystemMatrix::from),
        };
        made.map_err(|error| Failure::of_argument("coefficient", error))
    }
}
