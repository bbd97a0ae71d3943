//! Sorts and different numbers of device arrays, and in a module of their own histograms.

pub(crate) mod histogram;

use std::rc::Rc;

use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArrayMethods};
use pyo3::types::PyTuple;
use quadrille::primitives::Sort;

use super::cache::Cache;
use super::lazy::{Element, Node};
use super::operands::uploaded_as;
use super::tables::functions;
use super::whole::{Kind, Whole, of_any_type};
use crate::array::Array;
use crate::arrays::as_array;
use crate::context::{Context, chosen};
use crate::error::Failure;
use crate::prelude::*;
use crate::worker::state::State;

/// How an array is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Order {
    descending: bool,
    /// The bits of unsigned numbers that are not all 0. Fewer of them take less time.
    bits: u32,
}

impl Order {
    pub(crate) fn new(descending: bool) -> Order {
        Order { descending, bits: u32::BITS }
    }
}

/// Numbers that arrays are sorted by.
trait Sortable: Element {
    fn sort_by_bits(sort: Sort<Self>, _bits: u32) -> Sort<Self> {
        sort
    }
}

impl Sortable for f32 {}
impl Sortable for i32 {}
impl Sortable for u32 {
    fn sort_by_bits(sort: Sort<u32>, bits: u32) -> Sort<u32> {
        sort.bits(bits)
    }
}

fn sort_of<T: Sortable>(state: &mut State, order: Order) -> Result<Rc<Sort<T>>, Failure> {
    let context = state.context()?;
    state.shared(Cache::<Order, Sort<T>>::new)?.get_or(order, |order| {
        let sort = Sort::new(&context)?;
        let sort = if order.descending { sort.descending() } else { sort };
        Ok(T::sort_by_bits(sort, order.bits))
    })
}

impl Array {
    /// The length of the last axis, along which sorts go.
    fn columns(&self) -> usize {
        self.shape.last().copied().unwrap_or_default()
    }

    /// Returns the numbers in their order along the last axis.
    pub(crate) fn in_order(&self, py: Python<'_>, order: Order) -> PyResult<Array> {
        let (columns, length) = (self.columns(), self.node.length());
        let node = of_any_type!(self, py, |x| {
            let sorted = x.make(py, move |state, x| {
                let sort = sort_of(state, order)?;
                Ok(if columns == length { sort.keys(x) } else { sort.rows(x, columns) }?)
            })?;
            Node::stored(sorted, length)
        });
        Ok(self.with(node, self.boolean))
    }

    /// Returns the indices along the last axis that sort the numbers.
    pub(crate) fn order(&self, py: Python<'_>, order: Order) -> PyResult<Array> {
        let (columns, length) = (self.columns(), self.node.length());
        let places = of_any_type!(self, py, |x| x.make(py, move |state, x| {
            let sort = sort_of(state, order)?;
            Ok(if columns == length { sort.indices(x) } else { sort.row_indices(x, columns) }?)
        }))?;
        Ok(self.with(Node::stored(places, length), false))
    }

    /// Returns the different numbers in their order.
    pub(crate) fn different(&self, py: Python<'_>, order: Order) -> PyResult<Array> {
        let keeper = self.node.worker.clone();
        let node = of_any_type!(self, py, |x| x.call(py, move |state, x| {
            let different = sort_of(state, order)?.unique(x)?;
            let length = different.len();
            Ok(Node::stored(keeper.keep(state, different), length))
        }))?;
        Ok(Array::flat(node, self.boolean))
    }

    /// Returns the greatest or least numbers, and their places.
    fn firsts(&self, py: Python<'_>, count: usize, order: Order) -> PyResult<[Array; 2]> {
        let (keeper, length) = (self.node.worker.clone(), count.min(self.node.length()));
        let (values, places) = of_any_type!(self, py, |x| x.call(py, move |state, x| {
            let (values, places) = sort_of(state, order)?.first_with_indices(x, count)?;
            let values = Node::stored(keeper.keep(state, values), length);
            Ok((values, Node::stored(keeper.keep(state, places), length)))
        }))?;
        Ok([Array::flat(values, self.boolean), Array::flat(places, false)])
    }
}

/// What a function of arrays was given: a device array, or one of NumPy, which is uploaded as what it
/// holds.
struct Given<'py> {
    array: Array,
    /// The type of NumPy's array.
    dtype: Option<Bound<'py, PyArrayDescr>>,
}

impl<'py> Given<'py> {
    fn take(x: &Object<'py>, context: Option<&Context>) -> PyResult<Given<'py>> {
        if let Ok(array) = x.cast::<Array>() {
            let array = array.get();
            let array = array.with(array.node.clone(), array.boolean);
            return Ok(Given { array, dtype: None });
        }
        let worker = chosen(x.py(), context)?;
        let host = as_array("array", x)?;
        let array = uploaded_as(&host, &worker, Some(Kind::natural(&host)))?;
        Ok(Given { array, dtype: Some(host.dtype()) })
    }

    fn order(&self, descending: bool) -> Order {
        let narrow = self.dtype.as_ref().filter(|dtype| dtype.kind() == b'u');
        let bits = narrow.map_or(u32::BITS, |dtype| 8 * dtype.itemsize().min(4) as u32);
        Order { descending, bits }
    }

    /// Returns a result as what was given.
    fn give(&self, py: Python<'py>, made: Array) -> Returned<'py> {
        match self.dtype {
            None => Ok(Bound::new(py, made)?.into_any()),
            Some(_) => made.read(py),
        }
    }

    /// Returns some of the numbers as what was given, in NumPy's type but for float64.
    fn give_numbers(&self, py: Python<'py>, made: Array) -> Returned<'py> {
        let given = self.give(py, made)?;
        match &self.dtype {
            Some(dtype) if (dtype.kind(), dtype.itemsize()) != (b'f', 8) => {
                given.call_method1("astype", (dtype,))
            }
            _ => Ok(given),
        }
    }
}

functions! {
    #[pyo3(signature = (x, /, *, descending=false, context=None))]
    fn(x: &Object<'py>, descending: bool, context: Option<&Context>) {
        /// The numbers in their order along the last axis, stable: of floats -0 before 0, and NaN last. A
        /// device array gives a device array, and a NumPy array one of NumPy; float64 is rounded to float32.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.sort(np.int32([3, -1, 2]))
        /// array([-1,  2,  3], dtype=int32)
        sort = {
            let (py, given) = (x.py(), Given::take(x, context)?);
            given.give_numbers(py, given.array.in_order(py, given.order(descending))?)
        };

        /// The indices along the last axis that sort the numbers, as uint32; of equal numbers the first comes
        /// first.
        ///
        /// >>> import numpy as np, quadrille_gl as q
        /// >>> q.argsort(np.int32([3, -1, 2]))
        /// array([1, 2, 0], dtype=uint32)
        argsort = {
            let (py, given) = (x.py(), Given::take(x, context)?);
            given.give(py, given.array.order(py, given.order(descending))?)
        };
    }
}

/// The different numbers in their order, flat: NaN counts as one, and -0 as 0; denormals are numbers
/// of their own.
///
/// >>> import numpy as np, quadrille_gl as q
/// >>> q.unique(np.uint8([3, 1, 3]))
/// array([1, 3], dtype=uint8)
#[pyfunction]
#[pyo3(signature = (x, /, *, context=None))]
pub(crate) fn unique<'py>(x: &Object<'py>, context: Option<&Context>) -> Returned<'py> {
    let (py, given) = (x.py(), Given::take(x, context)?);
    given.give_numbers(py, given.array.different(py, given.order(false))?)
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
    x: &Object<'py>,
    count: usize,
    largest: bool,
    context: Option<&Context>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (py, given) = (x.py(), Given::take(x, context)?);
    let [values, places] = given.array.firsts(py, count, given.order(largest))?;
    PyTuple::new(py, [given.give_numbers(py, values)?, given.give(py, places)?])
}
