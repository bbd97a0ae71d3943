//! The line that a person looks at first where an output is wrong.

use quadrille::Place;
use quadrille::internal::shader::declarations;
use quadrille::shader::Stage;

use crate::testing::file::{TestFile, Tested};

/// Finds the line of the shader that declares an output; where it declares none, as in most
/// dialects, or where several passes are tested, the first expectation of the output.
pub(super) fn of_output(test: &TestFile, output: &str) -> Option<Place> {
    let expectation = || test.expectations.iter().find(|of| of.output == output);
    declared(&test.tested, output).or_else(|| expectation().map(|of| of.place.clone()))
}

fn declared(tested: &Tested, output: &str) -> Option<Place> {
    let Tested::Shader(path) = tested else { return None };
    let text = std::fs::read_to_string(path).ok()?;
    let file = path.display().to_string();
    let declared = declarations(&text, Stage::Fragment, |line| Place::line(file.as_str(), line));
    declared.outputs.into_iter().find(|of| of.name == output).map(|of| of.place)
}
