//! The numbers of NumPy arrays as work on a worker's thread has them: it may outlive the call that
//! waits for it, and an array lives as long as what was lent of it.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use numpy::ndarray::Dimension;
use numpy::{Element, PyReadonlyArray, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use quadrille::data::{ValuesMut, ValuesRef};

/// Numbers to read: of an array in C order, or made for the work.
pub(crate) enum Lent<T> {
    Array(Slice<T>),
    Own(Vec<T>),
}

/// A part of the memory of an array, which stays as long as this does.
pub(crate) struct Slice<T> {
    start: *mut T,
    length: usize,
    /// Holds the memory. Dropped without the interpreter, it is given back at its next use.
    _array: Py<PyAny>,
}

// SAFETY: numbers without anything behind them, in memory that stays where it is. That Python writes
// to an array while a call reads it is said to be wrong where arrays are taken.
#[allow(unsafe_code, reason = "a pointer is not Send by itself")]
unsafe impl<T: Send> Send for Slice<T> {}

impl<T> Slice<T> {
    fn as_slice(&self) -> &[T] {
        // SAFETY: made of a slice of this length, whose array is held.
        #[allow(unsafe_code, reason = "the slice that this was made of, without its lifetime")]
        unsafe {
            std::slice::from_raw_parts(self.start, self.length)
        }
    }
}

impl<T: Element> Lent<T> {
    /// Lends the numbers of an array in C order.
    pub(crate) fn of<D: Dimension>(array: &PyReadonlyArray<'_, T, D>) -> PyResult<Lent<T>> {
        let numbers = array.as_slice()?;
        let (start, length) = (numbers.as_ptr().cast_mut(), numbers.len());
        let _array = array.as_any().clone().unbind();
        Ok(Lent::Array(Slice { start, length, _array }))
    }
}

impl<T: Element + Clone> Lent<T> {
    /// Lends numbers that an object of Python holds, or takes those that were made of it.
    pub(crate) fn of_cow(numbers: Cow<'_, [T]>, holder: Py<PyAny>) -> Lent<T> {
        match numbers {
            Cow::Owned(numbers) => Lent::Own(numbers),
            Cow::Borrowed(numbers) => {
                let (start, length) = (numbers.as_ptr().cast_mut(), numbers.len());
                Lent::Array(Slice { start, length, _array: holder })
            }
        }
    }
}

impl<T> From<Vec<T>> for Lent<T> {
    fn from(numbers: Vec<T>) -> Lent<T> {
        Lent::Own(numbers)
    }
}

impl<T> Deref for Lent<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Lent::Array(slice) => slice.as_slice(),
            Lent::Own(numbers) => numbers,
        }
    }
}

/// Numbers of one of the types that samplers read.
pub(crate) enum LentValues {
    F32(Lent<f32>),
    I32(Lent<i32>),
    U32(Lent<u32>),
}

impl LentValues {
    pub(crate) fn values(&self) -> ValuesRef<'_> {
        match self {
            LentValues::F32(numbers) => ValuesRef::F32(numbers),
            LentValues::I32(numbers) => ValuesRef::I32(numbers),
            LentValues::U32(numbers) => ValuesRef::U32(numbers),
        }
    }
}

/// An array to write to.
pub(crate) struct LentMut<T>(Slice<T>);

impl<T: Element> LentMut<T> {
    pub(crate) fn of(array: &mut PyReadwriteArrayDyn<'_, T>) -> PyResult<LentMut<T>> {
        let numbers = array.as_slice_mut()?;
        let (start, length) = (numbers.as_mut_ptr(), numbers.len());
        let _array = array.as_any().clone().unbind();
        Ok(LentMut(Slice { start, length, _array }))
    }
}

impl<T> Deref for LentMut<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_slice()
    }
}

impl<T> DerefMut for LentMut<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: made of an exclusive slice of this length, whose array is held.
        #[allow(unsafe_code, reason = "the slice that this was made of, without its lifetime")]
        unsafe {
            std::slice::from_raw_parts_mut(self.0.start, self.0.length)
        }
    }
}

/// An array to write to, of one of the types that outputs have.
pub(crate) enum LentValuesMut {
    F32(LentMut<f32>),
    I32(LentMut<i32>),
    U32(LentMut<u32>),
}

impl LentValuesMut {
    pub(crate) fn values(&mut self) -> ValuesMut<'_> {
        match self {
            LentValuesMut::F32(numbers) => ValuesMut::F32(numbers),
            LentValuesMut::I32(numbers) => ValuesMut::I32(numbers),
            LentValuesMut::U32(numbers) => ValuesMut::U32(numbers),
        }
    }
}
