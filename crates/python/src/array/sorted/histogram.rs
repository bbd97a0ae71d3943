//! Histograms of device arrays: of whole numbers, and of floats by equal bins of a range.

use numpy::PyArray1;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Convert, Histogram, Number, Operation, Scan};
use quadrille::stream::Error;

use super::Given;
use crate::array::Array;
use crate::array::lazy::{Node, Vector};
use crate::array::operands::{on_device, sent, uploaded_as};
use crate::array::whole::{Kept, Kind, Whole};
use crate::context::Context;
use crate::error::wrong;
use crate::prelude::*;

impl Array {
    /// Returns how many numbers there are of each from 0 on, or the sums of their weights.
    fn counted(&self, py: Python<'_>, weights: Option<Vector>, least: usize) -> PyResult<Array> {
        let Some(whole) = self.node.whole() else {
            let text = format!(
                "bincount: expected whole numbers, got {}: v.astype(\"uint32\") converts them",
                self.kind()
            );
            return Err(wrong(py, text));
        };
        let x = match whole {
            Whole::U32(x) => x,
            Whole::I32(x) => unsigned(py, &x)?,
        };
        let bins = greatest(py, &x)?.map_or(0, |greatest| greatest as usize + 1).max(least);
        if bins == 0 {
            let none = sent::<u32>(py, &self.node.worker, Vec::new().into())?;
            return Ok(Array::flat(Node::stored(none, 0), false));
        }
        let make = move |context: &_| Histogram::<u32>::of_numbers(context, bins);
        Ok(self.bins(py, &x, weights, bins, make)?.0)
    }

    /// Returns the counts of a histogram or its sums of weights, and the edges of its bins.
    fn bins<T: Number>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        weights: Option<Vector>,
        bins: usize,
        make: impl FnOnce(&quadrille::Context) -> Result<Histogram<T>, Error> + Send + 'static,
    ) -> PyResult<(Array, Vec<f32>)> {
        let keeper = self.node.worker.clone();
        let (node, edges) = x.call(py, move |state, x| {
            let histogram = make(&state.context()?)?;
            let edges = histogram.edges().unwrap_or_default().to_vec();
            let node = match weights {
                None => Node::stored(keeper.keep(state, histogram.of(x)?), bins),
                Some(weights) => {
                    let sums = histogram.weighted(x, &*state.get(&weights)?)?;
                    Node::stored(keeper.keep(state, sums), bins)
                }
            };
            Ok((node, edges))
        })?;
        Ok((Array::flat(node, false), edges))
    }

    /// Returns weights, one for each number, as an array of the same device.
    fn weights(&self, weights: Option<&Object<'_>>) -> PyResult<Option<Vector>> {
        let Some(given) = weights else { return Ok(None) };
        let py = given.py();
        let weights = on_device(given, &self.node.worker, Some(Kind::Float32))?;
        self.fitting(py, weights.get())?.vector(py).map(Some)
    }

    /// Returns the ends of the range that NumPy takes if none is given.
    fn whole_range(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        let ends = self.extreme(py, false)?.zip(self.extreme(py, true)?);
        match ends.unwrap_or((0.0, 1.0)) {
            (low, high) if !(low.is_finite() && high.is_finite()) => {
                let text = format!(
                    "histogram: expected finite numbers, got a least of {low} and a greatest of {high}: range=(low, high) leaves out what is not between its ends"
                );
                Err(wrong(py, text))
            }
            (low, high) if low == high => Ok((low - 0.5, high + 0.5)),
            ends => Ok(ends),
        }
    }
}

/// Returns numbers of which none is below 0.
fn unsigned(py: Python<'_>, x: &Kept<i32>) -> PyResult<Kept<u32>> {
    x.make(py, |state, x| Ok(state.shared(Convert::<i32, u32>::new)?.of(x)?))
}

/// Returns the greatest number, if there is one.
fn greatest(py: Python<'_>, x: &Kept<u32>) -> PyResult<Option<u32>> {
    x.call(py, |state, x| {
        let (context, scan) = (state.context()?, state.shared(Scan::<u32>::new)?);
        let mut scanned = DeviceVector::uninit(&context, x.len())?;
        scan.of(x).operation(Operation::Max).run(&mut scanned)?;
        Ok(scanned.get(x.len().wrapping_sub(1))?)
    })
}

/// How many of the numbers are 0, 1 and so on, up to the greatest or to `minlength`, as uint32; or the
/// sums of their weights, as float32. There are at most 65536 bins.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.bincount(np.array([3, 1, 3]))
/// array([0, 1, 0, 2], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (x, /, weights=None, minlength=0, *, context=None))]
pub(crate) fn bincount<'py>(
    x: &Object<'py>,
    weights: Option<&Object<'py>>,
    minlength: usize,
    context: Option<&Context>,
) -> Returned<'py> {
    let (py, given) = (x.py(), Given::take(x, context)?);
    let weights = given.array.weights(weights)?;
    given.give(py, given.array.counted(py, weights, minlength)?)
}

/// How many of the numbers are in each of `bins` equal bins of a range, as uint32, or the sums of their
/// weights, as float32; and the edges of the bins, as float32. The range is that from the least number
/// to the greatest unless one is given. There are at most 65536 bins. A bin has its lower edge, the
/// last its upper too, and edges are rounded to float32 before numbers are compared with them.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.histogram(np.float32([0.1, 0.5, 0.9, 1.0]), 2, range=(0, 1))
/// (array([1, 3], dtype=uint32), array([0. , 0.5, 1. ], dtype=float32))
#[pyfunction]
#[pyo3(signature = (x, /, bins=10, range=None, weights=None, *, context=None))]
pub(crate) fn histogram<'py>(
    x: &Object<'py>,
    bins: usize,
    range: Option<(f64, f64)>,
    weights: Option<&Object<'py>>,
    context: Option<&Context>,
) -> PyResult<(Object<'py>, Bound<'py, PyArray1<f32>>)> {
    let (py, given) = (x.py(), Given::take(x, context)?);
    let array = match given.array.node.whole() {
        None => given.array.with(given.array.node.clone(), false),
        Some(_) => {
            let numbers = given.array.read(py)?;
            uploaded_as(&numbers, &given.array.node.worker, Some(Kind::Float32))?
        }
    };
    let weights = array.weights(weights)?;
    let (low, high) = range.map_or_else(|| array.whole_range(py), Ok)?;
    let numbers = array.node.vector(py)?;
    let make = move |context: &_| Histogram::between(context, bins, low as f32, high as f32);
    let (counts, edges) = array.bins(py, &numbers, weights, bins, make)?;
    Ok((given.give(py, counts)?, PyArray1::from_vec(py, edges)))
}
