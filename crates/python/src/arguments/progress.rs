//! The argument `progress` of long work: `True` for a bar, or a callable that gets the progress; and `checkpoint`, a
//! callable that gets x on the way.
//!
//! Make one by [`Telling::of`], give it to `Worker::call_telling`, and [`end`](Telling::end) it.

use pyo3::types::PyBool;
use quadrille::Progress;

use crate::arrays::shaped;
use crate::error::wrong;
use crate::prelude::*;

/// x after a number of iterations.
pub(crate) type Reached = (u64, Vec<f64>);

/// The receivers of progress and of x on the way, which has this shape.
pub(crate) struct Telling<'py> {
    tell: Option<Object<'py>>,
    keep: Option<(Object<'py>, Vec<usize>)>,
}

impl<'py> Telling<'py> {
    /// Takes the argument; `unit` is what a bar counts.
    pub(crate) fn of(
        py: Python<'py>,
        progress: Option<Object<'py>>,
        unit: &str,
    ) -> PyResult<Telling<'py>> {
        let Some(progress) = progress else { return Ok(Telling { tell: None, keep: None }) };
        let tell = match progress.cast::<PyBool>() {
            Ok(wanted) if wanted.is_true() => {
                Some(py.import("quadrille_gl._progress")?.call_method1("bar", (unit,))?)
            }
            Ok(_) => None,
            Err(_) if progress.is_callable() => Some(progress),
            Err(_) => {
                let kind = progress.get_type().to_string();
                return Err(wrong(
                    py,
                    format!("progress: expected True, False or a callable, got {kind}"),
                ));
            }
        };
        Ok(Telling { tell, keep: None })
    }

    /// Sets who gets x on the way, in this shape.
    pub(crate) fn keeping(self, keep: Option<Object<'py>>, shape: &[usize]) -> PyResult<Self> {
        if let Some(keep) = keep.as_ref().filter(|keep| !keep.is_callable()) {
            let text = format!("checkpoint: expected a callable, got {}", keep.get_type());
            return Err(wrong(keep.py(), text));
        }
        Ok(Telling { keep: keep.map(|keep| (keep, shape.to_vec())), ..self })
    }

    /// Calls `progress(done, expected, residual)` and `checkpoint(iterations, x)` with what is new.
    pub(crate) fn tell(
        &self,
        progress: Option<Progress>,
        reached: Option<Reached>,
    ) -> PyResult<()> {
        if let (Some(tell), Some(progress)) = (&self.tell, progress) {
            tell.call1((progress.done, progress.expected, progress.residual))?;
        }
        if let (Some((keep, shape)), Some((iterations, x))) = (&self.keep, reached) {
            keep.call1((iterations, shaped(keep.py(), shape, x)?))?;
        }
        Ok(())
    }

    /// Reports the last progress, if the work has one, and ends the bar.
    pub(crate) fn end(self, last: Option<Progress>) -> PyResult<()> {
        self.tell(last, None)?;
        let Some(tell) = self.tell else { return Ok(()) };
        match tell.getattr_opt("close")? {
            Some(close) => close.call0().map(|_| ()),
            None => Ok(()),
        }
    }
}
