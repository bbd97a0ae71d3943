//! `card` and `doctor`: what devices can be trusted for.

use pyo3::types::PyDict;
use quadrille_lab::card::{Card, Section};
use quadrille_lab::survey::{self, Survey};
use serde::Serialize;

use crate::arguments::progress::Telling;
use crate::arguments::unknown_keywords::refuse;
use crate::context::{Context, chosen};
use crate::error::Failure;
use crate::prelude::*;
use crate::results::report;

/// Measures the accuracy of a device's arithmetic, in fragment, vertex and compute shaders: the
/// accuracy card.
///
/// The result has the fields of `quadrille card --json`: `device`, `api`, `driver`, `engines`;
/// `accuracy`, the error of each operation and built-in function in units in the last place (ULP);
/// `rounding`, `contraction`, `specials` (denormals, NaN, infinities), `indexing`, `lines`,
/// `interpolation`, `loop_budget` and more; and `verdicts`, sentences by sections, those to `care`
/// about marked. `seed` is that of random arguments. Takes seconds, up to a minute in software;
/// Ctrl-C stops it.
///
/// >>> import quadrille_gl as q
/// >>> card = q.card()
/// >>> all(row.wrong == 0 for row in card.integers)
/// True
#[pyfunction]
#[pyo3(signature = (*, seed=1, progress=None, context=None, **unknown),
    text_signature = "(*, seed=1, progress=None, context=None)")]
pub(crate) fn card<'py>(
    py: Python<'py>,
    seed: u64,
    progress: Option<Object<'py>>,
    context: Option<&Context>,
    unknown: Option<&Bound<'py, PyDict>>,
) -> Returned<'py> {
    refuse(py, "card", unknown)?;
    #[derive(Serialize)]
    struct Whole {
        #[serde(flatten)]
        card: Card,
        verdicts: Vec<Section>,
    }
    let telling = Telling::of(py, progress, "questions")?;
    let worker = chosen(py, context)?;
    let whole = worker.call_telling(py, Some(&telling), move |state, watch| {
        let card = quadrille_lab::card::run(&state.context()?, seed, watch)?;
        let verdicts = card.verdicts();
        Ok(Whole { card, verdicts })
    });
    telling.end(None)?;
    report(py, &whole?)
}

/// Examines every device that EGL lists, in OpenGL and OpenGL ES: what a context supports, what
/// probes find, and whether a sum and Jacobi iterations agree with the host to within rounding.
///
/// The result has the fields of `quadrille doctor --json` that are about devices: `devices`, each
/// with `index`, `label` and `contexts`, whose `found`, `probes`, `proofs` and `troubles` say what
/// works, what does not, and what may repair it; and `default`, the index of the device that is
/// used by default. `working` counts the contexts that could be made, and `right` is whether all of
/// them compute what the host does. `mpi.compiled_in` is False: several processes share work by the
/// command, built with MPI, alone. Takes seconds.
///
/// Raises `DeviceError` without a driver, and says what to install.
///
/// >>> import quadrille_gl as q
/// >>> found = q.doctor()
/// >>> found.right, found.devices[found.default].index == found.default
/// (True, True)
#[pyfunction]
pub(crate) fn doctor(py: Python<'_>) -> Returned<'_> {
    #[derive(Serialize)]
    struct Mpi {
        compiled_in: bool,
    }
    #[derive(Serialize)]
    struct Whole {
        #[serde(flatten)]
        survey: Survey,
        mpi: Mpi,
        working: usize,
        right: bool,
    }
    // On a thread that OpenGL may be used on.
    let worker = chosen(py, None)?;
    let whole = worker.call(py, |_, _| {
        let survey = survey::run(|_| {}).map_err(Failure::from)?;
        let (working, right) = (survey.working(), survey.is_right());
        Ok(Whole { survey, mpi: Mpi { compiled_in: false }, working, right })
    })?;
    report(py, &whole)
}
