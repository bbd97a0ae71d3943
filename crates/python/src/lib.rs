//! The extension module `quadrille_gl._quadrille`: it converts arguments and results, and leaves
//! all computing to the library.
//!
//! How to add a function, in a file of its own:
//!
//! 1. Convert the arguments while the interpreter is held: arrays by [`arrays`], the rest by PyO3.
//! 2. Do the work on the thread of the context: `context::chosen(py, context)?.call(py, |state,
//!    watch| ...)` gives a `quadrille::Context` by `state.context()`, and an observer, `watch`, for
//!    whatever iterates. What shall stay on the device is kept by `state.keep` and named by a
//!    `Handle` ([`worker`]).
//! 3. Return library errors by `?`: [`error`] makes a Python exception of each by its kind.
//! 4. Add it to the module below, to `__init__.py` and to `_quadrille.pyi`, with a docstring whose
//!    example runs.

// What PyO3 and maturin need is public to nobody else.
#![allow(missing_docs, reason = "docstrings are Python's")]

mod arguments;
mod array;
mod arrays;
mod context;
mod error;
mod experiment;
mod linalg;
mod prelude;
mod results;
mod sat;
mod testing;
mod vp;
mod worker;

use pyo3::prelude::*;

/// The compiled part of quadrille; use the module `quadrille_gl`.
#[pymodule]
mod _quadrille {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::array::complex::ComplexArray;
    #[pymodule_export]
    use crate::array::convolution::{convolve, convolve1d, correlate, correlate1d};
    #[pymodule_export]
    use crate::array::elementwise::{choose, maximum, minimum};
    #[pymodule_export]
    use crate::array::fourier::{dct, dst, fft, fft2, idct, idst, ifft, ifft2, irfft, rfft};
    #[pymodule_export]
    use crate::array::methods::array;
    #[pymodule_export]
    use crate::array::sorted::histogram::{bincount, histogram};
    #[pymodule_export]
    use crate::array::sorted::{argsort, sort, topk, unique};
    #[pymodule_export]
    use crate::context::device::{card, doctor};
    #[pymodule_export]
    use crate::context::{Context, Device, devices};
    #[pymodule_export]
    use crate::experiment::Experiment;
    #[pymodule_export]
    use crate::experiment::kernel::{Kernel, run};
    #[pymodule_export]
    use crate::experiment::passes::Pass;
    #[pymodule_export]
    use crate::linalg::matmul::matmul;
    #[pymodule_export]
    use crate::linalg::matrix::{Stencil, stencil};
    #[pymodule_export]
    use crate::linalg::solve::solve;
    #[pymodule_export]
    use crate::linalg::sparse::{SparseMatrix, sparse};
    #[pymodule_export]
    use crate::sat::sat;
    #[pymodule_export]
    use crate::testing::{compare, judge_test, read_test, run_test, shown};
    #[pymodule_export]
    use crate::vp::vp;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.setattr("_lose", wrap_pyfunction!(crate::context::lose, module)?)?;
        crate::experiment::kernel::attach(module)?;
        super::end_at_exit(module)
    }
}

/// Contexts end before the interpreter does, in whatever order its modules and objects are taken
/// apart afterwards.
fn end_at_exit(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let end = wrap_pyfunction!(worker::end_all, module)?;
    module.py().import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}
