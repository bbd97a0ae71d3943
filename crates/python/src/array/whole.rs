//! Device arrays of whole numbers, int32 and uint32: what is sorted, counted and summed exactly. Other
//! operations take float32, and `astype` converts what is exact.

use std::sync::Arc;

use numpy::{PyArrayDescrMethods, PyUntypedArrayMethods};
use quadrille::data::Values;
use quadrille::grid::DeviceVector;

use crate::error::wrong;
use crate::prelude::*;
use crate::worker::handle::Handle;

/// A vector on a device that arrays share.
pub(crate) type Kept<T> = Arc<Handle<DeviceVector<T>>>;

/// Whole numbers on a device.
#[derive(Clone)]
pub(crate) enum Whole {
    I32(Kept<i32>),
    U32(Kept<u32>),
}

/// The type of a device array's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Float32,
    Bool,
    Int32,
    Uint32,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Float32 => "float32",
            Kind::Bool => "bool",
            Kind::Int32 => "int32",
            Kind::Uint32 => "uint32",
        }
    }

    /// Returns the type that NumPy makes of a name or a dtype.
    pub(crate) fn of(dtype: &Object<'_>) -> PyResult<Kind> {
        let py = dtype.py();
        let made = py.import("numpy")?.call_method1("dtype", (dtype,))?;
        let name: String = made.getattr("name")?.extract()?;
        let all = [Kind::Float32, Kind::Bool, Kind::Int32, Kind::Uint32];
        all.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let text = format!(
                "dtype: device arrays have numbers of float32, bool, int32, uint32 and complex64, got {name}"
            );
            wrong(py, text)
        })
    }

    /// Returns the type that holds the numbers of a host's array, integers as integers.
    pub(crate) fn natural(array: &Bound<'_, numpy::PyUntypedArray>) -> Kind {
        match array.dtype().kind() {
            b'b' => Kind::Bool,
            b'i' => Kind::Int32,
            b'u' => Kind::Uint32,
            _ => Kind::Float32,
        }
    }
}

impl Whole {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Whole::I32(_) => Kind::Int32,
            Whole::U32(_) => Kind::Uint32,
        }
    }

    /// Reads the numbers to the host.
    pub(crate) fn read(&self, py: Python<'_>) -> PyResult<Values> {
        match self {
            Whole::I32(x) => x.call(py, |_, x| Ok(Values::I32(x.read()?))),
            Whole::U32(x) => x.call(py, |_, x| Ok(Values::U32(x.read()?))),
        }
    }
}

/// Evaluates an expression of an array's vector, whichever type of numbers it has.
macro_rules! of_any_type {
    ($array:expr, $py:expr, |$x:ident| $result:expr) => {
        match $array.node.whole() {
            Some(Whole::I32($x)) => $result,
            Some(Whole::U32($x)) => $result,
            None => {
                let $x = $array.node.vector($py)?;
                $result
            }
        }
    };
}
pub(super) use of_any_type;

/// Returns the error of an operation that takes floats.
pub(crate) fn no_floats(py: Python<'_>, whole: &Whole) -> PyErr {
    let text = format!(
        "expected a device array of float32 or bool, got one of {}: v.astype(\"float32\") converts it where float32 holds all of its numbers",
        whole.kind().name()
    );
    wrong(py, text)
}
