//! Runs a test on a context.

mod claims;
mod computed;
mod error;
mod finding;
mod part;
mod position;
mod record;

use quadrille::Place;
use quadrille::error::Kind;
use quadrille::gl::{Abilities, Context};
use quadrille::shader::Source;

use super::file::{self, Require, TestFile};

use self::computed::{Subject, run_of};

pub use self::error::Error;
pub use self::finding::Finding;
pub use self::record::{Recorded, Recording, record};

/// The outcome of a test on a context.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ran {
    /// The verdict. Devices on which the test is known to fail do not count here.
    pub verdict: Verdict,
    /// The comparisons that were made.
    pub findings: Vec<Finding>,
    /// The line to look at first, where the test failed and one is known: that of a shader, or of
    /// the description.
    pub place: Option<Place>,
}

/// The verdict on a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All outputs are as expected.
    Pass,
    /// The outputs are not as expected, for these reasons.
    Fail(Vec<String>),
    /// The device lacks what the test needs.
    Skip(String),
}

/// Runs a test twice, which must give the same results, and once more for each variation, and
/// compares the results with the expectations.
///
/// ```
/// use quadrille::Context;
/// use quadrille_run::testing::{TestFile, Verdict, run};
/// # let folder = std::env::temp_dir().join("quadrille-testing-doc");
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("halve.test.toml");
/// std::fs::write(folder.join("halve.frag"), "
///     uniform sampler2D x;
///     out float y;
///     void main() { y = 0.5 * READ(x, TEXEL).r; }")?;
/// std::fs::write(&path, r#"
///     shader = "halve.frag"
///     input.x = "ramp:3x1"
///     [expect.y]
///     values = [[0.0, 0.25, 0.5]]
///     exact = true
/// "#)?;
/// let ran = run(&Context::headless()?, &TestFile::read(&path)?)?;
/// assert_eq!(ran.verdict, Verdict::Pass);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] where the description is wrong. A shader that does not compile is a [`Verdict::Fail`].
pub fn run(context: &Context, test: &TestFile) -> Result<Ran, Error> {
    if let Some(reason) = lacks(&test.require, context.abilities()) {
        return Ok(Ran { verdict: Verdict::Skip(reason), findings: Vec::new(), place: None });
    }
    let run = run_of(test, &test.tested)?;
    let sources = match run.sources() {
        Err(error) => return refused(test, error),
        Ok(sources) => sources,
    };
    if let Some(message) = &test.error {
        return Ok(must_not_compile(context, &sources, message));
    }
    match Subject::new(context, test, run).and_then(|subject| claims::all(&subject)) {
        Ok(findings) => Ok(judged(test, findings)),
        Err(Error::Experiment(error)) => refused(test, error),
        Err(error) => Err(error),
    }
}

fn judged(test: &TestFile, findings: Vec<Finding>) -> Ran {
    let mut wrong = findings.iter().filter(|finding| !finding.is_right());
    let reasons: Vec<String> = wrong.clone().map(Finding::reason).collect();
    let place = wrong.next().and_then(|finding| position::of_output(test, &finding.output));
    let verdict = if reasons.is_empty() { Verdict::Pass } else { Verdict::Fail(reasons) };
    Ran { verdict, findings, place }
}

/// Turns an error into a failure of the test, if the shader or the device caused it; an error of
/// the test's description is returned.
fn refused(test: &TestFile, error: crate::Error) -> Result<Ran, Error> {
    let (text, place) = (error.to_string(), error.place().cloned());
    match error.kind() {
        Kind::Input | Kind::Io => Err(error.into()),
        _ if test.error.as_deref().is_some_and(|part| text.contains(part)) => {
            Ok(judged(test, Vec::new()))
        }
        _ => Ok(Ran { verdict: Verdict::Fail(vec![text]), findings: Vec::new(), place }),
    }
}

/// Compiles the shaders, of which the first that does not compile must fail with this message.
fn must_not_compile(context: &Context, sources: &[Source], message: &str) -> Ran {
    let compiled = sources.iter().map(|source| context.kernel(source.clone()));
    let error = compiled.filter_map(Result::err).next();
    let place = error.as_ref().and_then(|error| error.place().cloned());
    let verdict = match error {
        None => {
            let names: Vec<&str> = sources.iter().map(Source::name).collect();
            let (names, verb) =
                (names.join(", "), if names.len() == 1 { "compiles" } else { "compile" });
            Verdict::Fail(vec![format!(
                "{names} {verb}, but a message with `{message}` was expected"
            )])
        }
        Some(error) if error.to_string().contains(message) => Verdict::Pass,
        Some(error) => {
            Verdict::Fail(vec![format!("expected a message with `{message}`, got: {error}")])
        }
    };
    Ran { verdict, findings: Vec::new(), place }
}

/// Describes the first ability that a test needs and the device lacks.
fn lacks(require: &Require, has: &Abilities) -> Option<String> {
    let named = |name: &String| file::is_part(name, &has.renderer);
    let side = has.max_texture_size;
    [
        (require.precise && !has.precise, "it has no `precise`".to_owned()),
        (require.compute && has.compute.is_none(), "it has no compute shaders".into()),
        (require.float_blending && !has.float_blending, "it does not blend floats".into()),
        (require.hardware && has.software, "it is a software renderer".into()),
        (
            side < require.max_texture_size,
            format!(
                "its textures have at most {side} texels a side, not {}",
                require.max_texture_size
            ),
        ),
        (
            !require.devices.is_empty() && !require.devices.iter().any(named),
            format!("its name contains none of: {}", require.devices.join(", ")),
        ),
    ]
    .into_iter()
    .find_map(|(lacks, reason)| lacks.then_some(reason))
}
