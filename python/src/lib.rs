//! The extension module `quadrille._quadrille`: it converts arguments and results, and leaves all computing to the library.
//!
//! How to add a function, in a file of its own:
//!
//! 1. Convert the arguments while the interpreter is held: arrays by [`arrays`], the rest by PyO3.
//! 2. Do the work on the thread of the context: `context::chosen(py, context)?.call(py, |state, watch| ...)` gives a
//!    `quadrille::Context` by `state.context()`, and an observer, `watch`, for whatever iterates. What shall stay on the device is kept
//!    by `state.keep` and named by a `Handle` ([`worker`], [`state`], [`handle`]).
//! 3. Return library errors by `?`: [`error`] makes a Python exception of each by its kind.
//! 4. Add it to the module below, to `__init__.py` and to `_quadrille.pyi`, with a docstring whose example runs.

// What PyO3 and maturin need is public to nobody else.
#![allow(missing_docs, reason = "docstrings are Python's")]

mod arguments;
mod array;
mod arrays;
mod context;
mod device;
mod doubles;
mod elementwise;
mod error;
mod experiment;
mod handle;
mod kernel;
mod keywords;
mod lazy;
mod matmul;
mod matrix;
mod methods;
mod operands;
mod outputs;
mod passes;
mod picture;
mod progress;
mod results;
mod run_file;
mod sampling;
mod sat;
mod sizes;
mod solve;
mod solved;
mod source;
mod state;
mod testing;
mod ufunc;
mod unknown;
mod vp;
mod worker;

use pyo3::prelude::*;

/// The compiled part of quadrille; use the module `quadrille`.
#[pymodule]
mod _quadrille {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::context::{Context, Device, devices};
    #[pymodule_export]
    use crate::device::{card, doctor};
    #[pymodule_export]
    use crate::elementwise::{choose, maximum, minimum};
    #[pymodule_export]
    use crate::experiment::Experiment;
    #[pymodule_export]
    use crate::kernel::{Kernel, run};
    #[pymodule_export]
    use crate::matmul::matmul;
    #[pymodule_export]
    use crate::matrix::{Stencil, stencil};
    #[pymodule_export]
    use crate::methods::array;
    #[pymodule_export]
    use crate::passes::Pass;
    #[pymodule_export]
    use crate::sat::sat;
    #[pymodule_export]
    use crate::solve::solve;
    #[pymodule_export]
    use crate::testing::{compare, judge_test, read_test, run_test, shown};
    #[pymodule_export]
    use crate::vp::vp;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.setattr("_lose", wrap_pyfunction!(crate::context::lose, module)?)?;
        crate::kernel::attach(module)?;
        super::end_at_exit(module)
    }
}

/// Contexts end before the interpreter does, in whatever order its modules and objects are taken apart afterwards.
fn end_at_exit(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let end = wrap_pyfunction!(worker::end_all, module)?;
    module.py().import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}
