//! The interface of `quadrille_gl.testing` and the plugin of pytest: comparisons by rules, and
//! tests described by files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille::Kind;
use quadrille::data::Field;
use quadrille::internal::{Folder, harmless};
use quadrille::shader::Api;
use quadrille::testing::{Denormals, Nan, Rule};
use quadrille_run::testing::outcome::{Answer, Case, Conditions, Termination};
use quadrille_run::testing::{self, TestFile};

use crate::arrays::Array;
use crate::context::Context;
use crate::error::{Failure, exception, wrong};
use crate::prelude::*;

/// Compares arrays: none where `got` is as `expected`, else what `quadrille test` says of it. Use
/// `quadrille_gl.testing.assert_same`.
#[pyfunction]
#[pyo3(signature = (got, expected, *, exact, ulp, absolute, relative, outliers, nan, denormals))]
#[allow(clippy::too_many_arguments, reason = "they are the keys of a rule")]
pub(crate) fn compare(
    got: &Object<'_>,
    expected: &Object<'_>,
    exact: bool,
    ulp: Option<u64>,
    absolute: Option<f64>,
    relative: Option<f64>,
    outliers: usize,
    nan: &str,
    denormals: Option<&str>,
) -> PyResult<Option<String>> {
    let py = got.py();
    let rule = rule(py, exact, ulp, absolute, relative)?.outliers(outliers);
    let rule = rule.nan(named(py, "nan", nan, &[("equal", Nan::Equal), ("forbid", Nan::Forbid)])?);
    let words = [("any", Denormals::Any), ("keep", Denormals::Keep), ("flush", Denormals::Flush)];
    let rule = match denormals {
        Some(word) => rule.denormals(named(py, "denormals", word, &words)?),
        None => rule,
    };
    let (got, expected) = (Array::take("got", got)?, Array::take("expected", expected)?);
    let shapes =
        format!("expected an array of shape {:?}, got {:?}", expected.shape(), got.shape());
    let same_shape = got.shape() == expected.shape();
    if got.shape().contains(&0) || expected.shape().contains(&0) {
        return Ok((!same_shape).then_some(shapes));
    }
    let difference = quadrille::testing::compare(&field(py, &got)?, &field(py, &expected)?, &rule);
    Ok(match difference {
        Err(mismatch) => Some(mismatch.to_string()),
        Ok(difference) if !difference.is_right() => Some(difference.to_string()),
        Ok(_) => (!same_shape).then_some(shapes),
    })
}

fn rule(
    py: Python<'_>,
    exact: bool,
    ulp: Option<u64>,
    absolute: Option<f64>,
    relative: Option<f64>,
) -> PyResult<Rule> {
    let bound = |name: &str, bound: Option<f64>| match bound.unwrap_or(0.0) {
        bound if bound >= 0.0 && bound.is_finite() => Ok(bound),
        bound => Err(wrong(py, format!("{name}: expected a finite number from 0 on, got {bound}"))),
    };
    match (exact, ulp, absolute.or(relative)) {
        (true, None, None) => Ok(Rule::exact()),
        (false, Some(ulp), None) => Ok(Rule::ulp(ulp)),
        (false, None, Some(_)) => {
            Ok(Rule::close(bound("absolute", absolute)?, bound("relative", relative)?))
        }
        _ => Err(wrong(
            py,
            "expected one tolerance: exact=True, ulp, or absolute or relative or both",
        )),
    }
}

fn named<T: Copy>(py: Python<'_>, key: &str, word: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(known, _)| format!("{known:?}")).collect();
        wrong(py, format!("{key}: expected {}, got {word:?}", known.join(" or ")))
    })
}

fn field(py: Python<'_>, array: &Array<'_>) -> PyResult<Field> {
    Field::copied(array.shape(), array.values()?).or_raise(py)
}

/// A text with pictures of the control characters in it, which a terminal would obey.
#[pyfunction]
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    harmless(text)
}

/// Reads the description of a test, and checks all that needs no device: returns the APIs that it
/// runs on, and its time limit in seconds. Raises `InputError` with the line and the key. Only with
/// `allow_outside` may it name files outside of the folder, or be a link out of its own.
#[pyfunction]
#[pyo3(signature = (path, *, allow_outside=false))]
pub(crate) fn read_test(
    py: Python<'_>,
    path: PathBuf,
    allow_outside: bool,
) -> PyResult<(Vec<&'static str>, f64)> {
    if !allow_outside && !Folder::of_description(&path, None).holds(&path) {
        return Err(wrong(py, format!("{}: it is a link out of its folder", path.display())));
    }
    let test = read(py, &path)?;
    let test = if allow_outside { test.allow_outside() } else { test };
    test.must_be_whole(false).map_err(|error| bad(py, &error))?;
    let apis = test.apis.iter().map(|api| api_name(*api)).collect();
    Ok((apis, test.timeout.as_secs_f64()))
}

/// Runs a test on a context: returns its answer, for `judge_test` of the process that waits for it.
#[pyfunction]
#[pyo3(signature = (path, context, *, allow_outside=false))]
pub(crate) fn run_test(
    py: Python<'_>,
    path: PathBuf,
    context: &Context,
    allow_outside: bool,
) -> PyResult<String> {
    context.worker().call(py, move |state, _| {
        let context = state.context()?;
        let test = TestFile::read(&path).map_err(testing::Error::from);
        let test = test.map(|test| if allow_outside { test.allow_outside() } else { test });
        let answer = match test.and_then(|test| testing::run(&context, &test)) {
            Ok(ran) => Answer::of(&ran),
            Err(error) => Answer::bad(explained(&error, &path)),
        };
        serde_json::to_string(&answer)
            .map_err(|error| Failure::new(Kind::Driver, error.to_string()))
    })
}

/// Explains an error with its place, and with what writes the numbers that are missing: the
/// command, which comes with the package.
fn explained(error: &testing::Error, path: &Path) -> String {
    let text = error.placed(path);
    match error.lacks_expected_numbers() {
        true => format!("{text}; `quadrille test --bless` writes it"),
        false => text,
    }
}

/// Judges how a test ended on a device, as `quadrille test` does: by an `answer`, by `late`
/// seconds, else by a crash with a signal or an exit code and the last words. Returns the outcome,
/// "pass", "fail", "skip", "known", "crash", "timeout" or "bad", and the reasons.
#[pyfunction]
#[pyo3(signature = (path, api, device, *, answer=None, late=None, signal=None, code=None, words=""))]
#[allow(clippy::too_many_arguments, reason = "they are Python's keyword arguments")]
pub(crate) fn judge_test(
    py: Python<'_>,
    path: PathBuf,
    api: &str,
    device: String,
    answer: Option<&str>,
    late: Option<f64>,
    signal: Option<i32>,
    code: Option<i32>,
    words: &str,
) -> PyResult<(&'static str, Vec<String>)> {
    let no_answer = |error: serde_json::Error| exception(py, Kind::Driver, error.to_string());
    let ended = match (answer, late) {
        (Some(answer), _) => {
            Termination::Answered(serde_json::from_str(answer).map_err(no_answer)?)
        }
        (_, Some(late)) => {
            Termination::TimedOut(Duration::try_from_secs_f64(late).unwrap_or_default())
        }
        _ => Termination::crashed(signal, code, words),
    };
    let test = read(py, &path)?;
    let known = test.known_on(&device).cloned();
    let api = if api == api_name(Api::Gles) { api_name(Api::Gles) } else { api_name(Api::Gl) };
    // Neither is passed on: pytest has its own.
    let (took, command) = (Duration::ZERO, String::new());
    let conditions = Conditions { device, api, took, command, known };
    let case = Case::judged(String::new(), conditions, ended);
    // The last words of a process and the texts of files are shown as they are.
    let reasons = case.reasons.iter().map(|reason| harmless(reason).into_owned()).collect();
    Ok((case.outcome.name(), reasons))
}

fn read(py: Python<'_>, path: &PathBuf) -> PyResult<TestFile> {
    TestFile::read(path).map_err(|error| bad(py, &error))
}

fn bad(py: Python<'_>, error: &testing::file::Error) -> PyErr {
    exception(py, error.kind(), error.to_string())
}

fn api_name(api: Api) -> &'static str {
    match api {
        Api::Gl => "gl",
        Api::Gles => "gles",
    }
}
