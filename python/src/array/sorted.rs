//! Sorts, different numbers and histograms of device arrays.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use quadrille::grid::DeviceVector;
use quadrille::primitives::{Histogram, Number, Operation, Scan, Sort};
use quadrille::stream::Engine;

use super::lazy::{Node, Vector, vector};
use super::operands::{sent, uploaded_as};
use super::whole::{Kind, Whole};
use crate::array::Array;
use crate::arrays::as_array;
use crate::context::{Context, chosen};
use crate::error::{Failure, wrong};
use crate::worker::handle::Handle;
use crate::worker::state::State;

/// The sorts of a worker's context, ascending and descending.
struct Sorts<T: Number>(RefCell<[Option<Rc<Sort<T>>>; 2]>);

fn sort_of<T: Number>(state: &mut State, descending: bool) -> Result<Rc<Sort<T>>, Failure> {
    let context = state.context()?;
    let sorts = state.shared(|_| Sorts::<T>(RefCell::default()))?;
    let mut sorts = sorts.0.borrow_mut();
    let sort = &mut sorts[usize::from(descending)];
    if let Some(sort) = sort {
        return Ok(sort.clone());
    }
    let engine = Engine::default_for(&context);
    let made = match descending {
        true => Sort::descending(&context, engine)?,
        false => Sort::on(&context, engine)?,
    };
    Ok(sort.insert(Rc::new(made)).clone())
}

/// What is made of an array by a sort.
#[derive(Clone, Copy)]
enum Task {
    Sorted { columns: usize },
    Places { columns: usize },
    Unique,
}

impl Task {
    fn gives_places(self) -> bool {
        matches!(self, Task::Places { .. })
    }

    /// Returns numbers of the vector's type.
    fn numbers<T: Number>(
        self,
        sort: &Sort<T>,
        x: &DeviceVector<T>,
    ) -> Result<DeviceVector<T>, Failure> {
        Ok(match self {
            Task::Sorted { columns } if columns == x.len() => sort.keys(x)?,
            Task::Sorted { columns } => sort.rows(x, columns)?,
            _ => sort.unique(x)?,
        })
    }

    fn places<T: Number>(
        self,
        sort: &Sort<T>,
        x: &DeviceVector<T>,
    ) -> Result<DeviceVector<u32>, Failure> {
        Ok(match self {
            Task::Places { columns } if columns != x.len() => sort.row_indices(x, columns)?,
            _ => sort.indices(x)?,
        })
    }
}

/// A vector that a call keeps for Python.
type Kept<T> = Arc<Handle<DeviceVector<T>>>;

impl Array {
    /// Does a task, whose result has a vector of its own.
    fn made(&self, py: Python<'_>, task: Task, descending: bool) -> PyResult<Array> {
        if task.gives_places() {
            let places = self.places(py, task, descending)?;
            return self.of_whole(py, Whole::U32(places), task);
        }
        match self.node.whole() {
            Some(Whole::I32(x)) => {
                let made = self.numbers_of(py, &x, task, descending)?;
                self.of_whole(py, Whole::I32(made), task)
            }
            Some(Whole::U32(x)) => {
                let made = self.numbers_of(py, &x, task, descending)?;
                self.of_whole(py, Whole::U32(made), task)
            }
            None => {
                let x = vector(py, &self.worker, &self.node)?;
                let made: Vector = self.numbers_of(py, &x, task, descending)?;
                let length = self.length_of(py, &made)?;
                let array = self.with(Node::stored(made, length), self.boolean);
                Ok(Array { shape: self.shape_of(task, length), ..array })
            }
        }
    }

    fn numbers_of<T: Number>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        task: Task,
        descending: bool,
    ) -> PyResult<Kept<T>> {
        self.worker.call(py, |state, _| {
            let (sort, x) = (sort_of::<T>(state, descending)?, state.get(x)?);
            let made = task.numbers(&sort, &x)?;
            Ok(Arc::new(Handle::new(&self.worker, state.keep(made))))
        })
    }

    fn places(&self, py: Python<'_>, task: Task, descending: bool) -> PyResult<Kept<u32>> {
        match self.node.whole() {
            Some(Whole::I32(x)) => self.places_of(py, &x, task, descending),
            Some(Whole::U32(x)) => self.places_of(py, &x, task, descending),
            None => {
                let x = vector(py, &self.worker, &self.node)?;
                self.places_of(py, &x, task, descending)
            }
        }
    }

    fn places_of<T: Number>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        task: Task,
        descending: bool,
    ) -> PyResult<Kept<u32>> {
        self.worker.call(py, |state, _| {
            let (sort, x) = (sort_of::<T>(state, descending)?, state.get(x)?);
            let made = task.places(&sort, &x)?;
            Ok(Arc::new(Handle::new(&self.worker, state.keep(made))))
        })
    }

    fn of_whole(&self, py: Python<'_>, whole: Whole, task: Task) -> PyResult<Array> {
        let length = match &whole {
            Whole::I32(vector) => self.length_of(py, vector)?,
            Whole::U32(vector) => self.length_of(py, vector)?,
        };
        let array = self.with(Node::whole_of(whole, length), false);
        Ok(Array { shape: self.shape_of(task, length), ..array })
    }

    fn length_of<T: Number>(&self, py: Python<'_>, x: &Kept<T>) -> PyResult<usize> {
        self.worker.call(py, |state, _| Ok(state.get(x)?.len()))
    }

    /// Sorts keep the shape; what has another length is flat.
    fn shape_of(&self, task: Task, length: usize) -> Vec<usize> {
        match task {
            Task::Sorted { .. } | Task::Places { .. } => self.shape.clone(),
            _ => vec![length],
        }
    }

    /// The length of the last axis, along which sorts go.
    fn columns(&self) -> usize {
        self.shape.last().copied().unwrap_or_default()
    }

    /// Returns the numbers in their order along the last axis.
    pub(crate) fn in_order(&self, py: Python<'_>, descending: bool) -> PyResult<Array> {
        self.made(py, Task::Sorted { columns: self.columns() }, descending)
    }

    /// Returns the indices along the last axis that sort the numbers.
    pub(crate) fn order(&self, py: Python<'_>, descending: bool) -> PyResult<Array> {
        self.made(py, Task::Places { columns: self.columns() }, descending)
    }

    /// Returns the different numbers in their order.
    pub(crate) fn different(&self, py: Python<'_>) -> PyResult<Array> {
        self.made(py, Task::Unique, false)
    }

    /// Returns the greatest or least numbers, and their places.
    fn firsts(&self, py: Python<'_>, count: usize, largest: bool) -> PyResult<[Array; 2]> {
        let length = count.min(self.shape.iter().product());
        let (values, places) = match self.node.whole() {
            Some(Whole::I32(x)) => {
                let (values, places) = self.firsts_of(py, &x, count, largest)?;
                (Node::whole_of(Whole::I32(values), length), places)
            }
            Some(Whole::U32(x)) => {
                let (values, places) = self.firsts_of(py, &x, count, largest)?;
                (Node::whole_of(Whole::U32(values), length), places)
            }
            None => {
                let x = vector(py, &self.worker, &self.node)?;
                let (values, places) = self.firsts_of(py, &x, count, largest)?;
                (Node::stored(values, length), places)
            }
        };
        let places = self.with(Node::whole_of(Whole::U32(places), length), false);
        let both = [self.with(values, self.boolean), places];
        Ok(both.map(|array| Array { shape: vec![length], ..array }))
    }

    fn firsts_of<T: Number>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        count: usize,
        largest: bool,
    ) -> PyResult<(Kept<T>, Kept<u32>)> {
        self.worker.call(py, |state, _| {
            let (sort, x) = (sort_of::<T>(state, largest)?, state.get(x)?);
            let (values, places) = sort.first_with_indices(&x, count)?;
            let values = Arc::new(Handle::new(&self.worker, state.keep(values)));
            Ok((values, Arc::new(Handle::new(&self.worker, state.keep(places)))))
        })
    }

    /// Returns how many numbers there are of each from 0 on, or the sums of their weights.
    pub(crate) fn counted(
        &self,
        py: Python<'_>,
        weights: Option<&Array>,
        least: usize,
    ) -> PyResult<Array> {
        let Some(whole) = self.node.whole() else {
            let text = format!(
                "bincount: expected whole numbers, got {}: v.astype(\"uint32\") converts them",
                self.kind()
            );
            return Err(wrong(py, text));
        };
        let weights = weights.map(|weights| self.weights(py, weights)).transpose()?;
        match whole {
            Whole::I32(x) => {
                let extremes = self.extremes(py, &x)?;
                if let Some((lowest, _)) = extremes.filter(|(lowest, _)| *lowest < 0) {
                    let text = format!("bincount: expected no number below 0, got {lowest}");
                    return Err(wrong(py, text));
                }
                let bins = extremes.map_or(0, |(_, highest)| highest as usize + 1).max(least);
                self.bins(py, &x, weights, bins, Histogram::<i32>::of_numbers)
            }
            Whole::U32(x) => {
                let extremes = self.extremes(py, &x)?;
                let bins = extremes.map_or(0, |(_, highest)| highest as usize + 1).max(least);
                self.bins(py, &x, weights, bins, Histogram::<u32>::of_numbers)
            }
        }
    }

    fn bins<T: Number>(
        &self,
        py: Python<'_>,
        x: &Kept<T>,
        weights: Option<Vector>,
        bins: usize,
        make: impl FnOnce(&quadrille::Context, usize) -> Result<Histogram<T>, quadrille::stream::Error>
        + Send,
    ) -> PyResult<Array> {
        if bins == 0 {
            let none = sent::<u32>(py, &self.worker, &[])?;
            return Ok(Array {
                shape: vec![0],
                ..self.with(Node::whole_of(Whole::U32(none), 0), false)
            });
        }
        let node = match weights {
            None => {
                let counts = self.worker.call(py, |state, _| {
                    let (histogram, x) = (make(&state.context()?, bins)?, state.get(x)?);
                    let made = histogram.of(&x)?;
                    Ok(Arc::new(Handle::new(&self.worker, state.keep(made))))
                })?;
                Node::whole_of(Whole::U32(counts), bins)
            }
            Some(weights) => {
                let sums = self.worker.call(py, |state, _| {
                    let (histogram, x) = (make(&state.context()?, bins)?, state.get(x)?);
                    let made = histogram.weighted(&x, &*state.get(&weights)?)?;
                    Ok(Arc::new(Handle::new(&self.worker, state.keep(made))))
                })?;
                Node::stored(sums, bins)
            }
        };
        Ok(Array { shape: vec![bins], ..self.with(node, false) })
    }

    fn weights(&self, py: Python<'_>, weights: &Array) -> PyResult<Vector> {
        let node = self.fitting(py, weights)?;
        vector(py, &self.worker, &node)
    }

    /// Returns the least and the greatest number, if there is one.
    fn extremes<T: Number + Send>(&self, py: Python<'_>, x: &Kept<T>) -> PyResult<Option<(T, T)>> {
        self.worker.call(py, |state, _| {
            let (context, scan) = (state.context()?, state.shared(Scan::<T>::new)?);
            let x = state.get(x)?;
            let mut scanned = DeviceVector::uninit(&context, x.len())?;
            let mut last = |operation| {
                scan.of(&x).operation(operation).run(&mut scanned)?;
                Ok::<_, Failure>(scanned.get(x.len().wrapping_sub(1))?)
            };
            Ok(last(Operation::Min)?.zip(last(Operation::Max)?))
        })
    }
}

/// Returns an array of a device, and whether it was one before: a NumPy array is uploaded as what it
/// holds.
fn on_device(x: &Bound<'_, PyAny>, context: Option<&Context>) -> PyResult<(Array, bool)> {
    if let Ok(array) = x.cast::<Array>() {
        let array = array.get();
        return Ok((array.with(array.node.clone(), array.boolean), true));
    }
    let worker = chosen(x.py(), context)?;
    let kind = Kind::natural(&as_array("array", x)?);
    Ok((uploaded_as(x, &worker, Some(kind))?, false))
}

/// Returns a result as what was given: a device array, or one of NumPy.
fn given_back<'py>(py: Python<'py>, made: Array, device: bool) -> PyResult<Bound<'py, PyAny>> {
    match device {
        true => Ok(Bound::new(py, made)?.into_any()),
        false => made.read(py),
    }
}

/// The numbers in their order along the last axis, stable: of floats -0 before 0, and NaN last. A
/// device array gives a device array, and a NumPy array one of NumPy; float64 is rounded to float32.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.sort(np.int32([3, -1, 2]))
/// array([-1,  2,  3], dtype=int32)
#[pyfunction]
#[pyo3(signature = (x, /, *, descending=false, context=None))]
pub(crate) fn sort<'py>(
    x: &Bound<'py, PyAny>,
    descending: bool,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let (array, device) = on_device(x, context)?;
    given_back(x.py(), array.in_order(x.py(), descending)?, device)
}

/// The indices along the last axis that sort the numbers, as uint32; of equal numbers the first comes
/// first.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.argsort(np.int32([3, -1, 2]))
/// array([1, 2, 0], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (x, /, *, descending=false, context=None))]
pub(crate) fn argsort<'py>(
    x: &Bound<'py, PyAny>,
    descending: bool,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let (array, device) = on_device(x, context)?;
    given_back(x.py(), array.order(x.py(), descending)?, device)
}

/// The different numbers in their order, flat: NaN counts as one, and -0 as 0.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.unique(np.uint8([3, 1, 3]))
/// array([1, 3], dtype=uint32)
#[pyfunction]
#[pyo3(signature = (x, /, *, context=None))]
pub(crate) fn unique<'py>(
    x: &Bound<'py, PyAny>,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let (array, device) = on_device(x, context)?;
    given_back(x.py(), array.different(x.py())?, device)
}

/// The `count` greatest numbers of all, the greatest first, and their places in C order; the least
/// with `largest=False`. Of equal numbers the first comes first.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.topk(np.float32([3, -1, 7]), 2)
/// (array([7., 3.], dtype=float32), array([2, 0], dtype=uint32))
#[pyfunction]
#[pyo3(signature = (x, count, /, *, largest=true, context=None))]
pub(crate) fn topk<'py>(
    x: &Bound<'py, PyAny>,
    count: usize,
    largest: bool,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = x.py();
    let (array, device) = on_device(x, context)?;
    let both = array.firsts(py, count, largest)?;
    let both: Vec<_> =
        both.into_iter().map(|made| given_back(py, made, device)).collect::<PyResult<_>>()?;
    PyTuple::new(py, both)
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
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
    minlength: usize,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let (array, device) = on_device(x, context)?;
    let weights = weights.map(|weights| match weights.cast::<Array>() {
        Ok(weights) => Ok(weights.get().with(weights.get().node.clone(), false)),
        Err(_) => uploaded_as(weights, &array.worker, Some(Kind::Float32)),
    });
    let weights = weights.transpose()?;
    given_back(py, array.counted(py, weights.as_ref(), minlength)?, device)
}
