//! The reasons why a test allows no statement about the shader.

use std::path::Path;

use quadrille::Place;
use quadrille::internal::failure;

use crate::io::description;
use crate::testing::file;

/// The reason why a test allows no statement about the shader.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The description of the test is wrong.
    #[error(transparent)]
    File(#[from] file::Error),
    /// The shader, the inputs and the uniforms do not fit together.
    #[error(transparent)]
    Experiment(#[from] crate::Error),
}

failure!(Error: File, Experiment);

impl Error {
    /// Returns whether a file of expected numbers is not there, which [`record`](super::record)
    /// computes.
    pub fn lacks_expected_numbers(&self) -> bool {
        let Error::File(file::Error::Description(error)) = self else { return false };
        matches!(error, description::Error::NoFile { key, .. } if key.ends_with(".equals"))
    }

    /// Returns the message with the place in the test: messages about a shader do not name the
    /// test.
    pub fn placed(&self, test: &Path) -> String {
        let message = quadrille::internal::advised(self);
        if matches!(self, Error::File(_) | Error::Experiment(crate::Error::Description(_))) {
            return message;
        }
        format!("{}: {message}", self.named_in(test))
    }

    /// Returns the place that the error is about: that of a shader or of a file that the test
    /// names, or else one in the test.
    pub fn place_in(&self, test: &Path) -> Place {
        self.place().cloned().unwrap_or_else(|| self.named_in(test))
    }

    /// Returns the line of the test that names what the message is about.
    fn named_in(&self, test: &Path) -> Place {
        let text = std::fs::read_to_string(test).unwrap_or_default();
        let file = test.display().to_string();
        match line_naming(&text, &self.to_string()) {
            Some(line) => Place::line(file, line),
            None => Place::file(file),
        }
    }
}

/// Returns the first line, from 1, with a name that a message about the shader has between
/// backticks.
fn line_naming(text: &str, message: &str) -> Option<usize> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = message.split('`').skip(1).step_by(2);
    let line_of = |name: &str| {
        let has = |line: &str| {
            let code = line.split('#').next().unwrap_or_default();
            code.split(|c| !letter(c)).any(|word| word == name)
        };
        text.lines().position(has).map(|index| index + 1)
    };
    names.filter(|name| !name.is_empty()).find_map(line_of)
}

#[cfg(test)]
mod tests {
    use super::line_naming;

    #[test]
    fn a_message_about_the_shader_is_placed_where_the_test_names_its_subject() {
        let text =
            "shader = \"a.frag\"\n# streng\nuniform.streng = 1\nfeedback = { nex = \"s\" }\n";
        let line = |message: &str| line_naming(text, message);
        assert_eq!(line("a.frag has no uniform `streng`; it has: strength"), Some(3));
        assert_eq!(line("a.frag has no output `nex`; it has: next"), Some(4));
        assert_eq!(line("`size` is not told"), None);
        assert_eq!(line("the device has no memory"), None);
    }
}
