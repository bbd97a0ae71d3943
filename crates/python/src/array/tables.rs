//! Macros for methods and functions of Python that are alike: one writes those that both classes of
//! device arrays have, the others take tables of names and what is computed.

/// Defines methods that are expressions in GLSL of each element: operators, whose other operand is
/// `{1}`, and functions of one element.
macro_rules! element_methods {
    (
        impl $class:ident;
        operators { $($operator:ident = $of_two:literal;)* }
        functions { $($(#[$($doc:tt)*])* $function:ident = $of_one:literal;)* }
    ) => {
        #[pymethods]
        impl $class {
            $(fn $operator<'py>(&self, other: &Object<'py>) -> Returned<'py> {
                self.binary($of_two, other)
            })*
            $($(#[$($doc)*])* fn $function<'py>(&self, py: Python<'py>) -> Returned<'py> {
                self.unary(py, $of_one)
            })*
        }
    };
}

/// Defines the methods of device arrays that are the same of real and of complex numbers; errors
/// call the array by a letter.
macro_rules! array_methods {
    (impl $class:ident, $letter:literal) => {
        #[pymethods]
        impl $class {
            /// The lengths of its axes.
            #[getter]
            fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, &self.shape)
            }

            /// The number of its axes.
            #[getter]
            fn ndim(&self) -> usize {
                self.shape.len()
            }

            /// The number of elements.
            #[getter]
            fn size(&self) -> usize {
                self.shape.iter().product()
            }

            /// The name of the device that it is on.
            #[getter]
            fn device(&self, py: Python<'_>) -> PyResult<String> {
                self.node.worker.renderer(py)
            }

            /// Reads it back: a new array, or `out` of the same shape and dtype.
            #[pyo3(signature = (out=None))]
            fn to_numpy<'py>(&self, py: Python<'py>, out: Option<Object<'py>>) -> Returned<'py> {
                must_fit(out.as_ref(), &PyArrayDescr::new(py, self.kind())?, &self.shape)?;
                placed(out.as_ref(), self.read(py)?)
            }

            #[pyo3(signature = (dtype=None, copy=None))]
            fn __array__<'py>(
                &self,
                py: Python<'py>,
                dtype: Option<Object<'py>>,
                copy: Option<bool>,
            ) -> Returned<'py> {
                on_host($letter, dtype, copy, || self.read(py))
            }

            fn __len__(&self) -> usize {
                self.shape.first().copied().unwrap_or_default()
            }
        }
    };
}

/// Defines functions of the module that have the same arguments, each by its result.
macro_rules! functions {
    ($(
        #[pyo3 $options:tt]
        fn $arguments:tt {
            $($(#[$($doc:tt)*])* $name:ident = $result:expr;)*
        }
    )*) => {
        $($(
            $(#[$($doc)*])*
            #[pyfunction]
            #[pyo3 $options]
            pub(crate) fn $name<'py> $arguments -> Returned<'py> {
                $result
            }
        )*)*
    };
}

pub(crate) use {array_methods, element_methods, functions};
