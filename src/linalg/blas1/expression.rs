//! Expressions of vectors and scalars as GLSL: plain text, no GL.

use std::fmt::Write;

use crate::error::Place;
use crate::shader::{Diagnostic, Diagnostics, Excerpt, Severity, Source, token_column};
use crate::stream::{Error, Result};

/// The name of a user's expression in error messages.
const NAME: &str = "expression";

/// NVIDIA's compiler takes the first number of a vector where one number must be returned. A
/// structure is an error everywhere. No input's name begins with `_`.
const NUMBERS_ONLY: &str = "float _one_number(float value) { return value; }
struct _two_numbers { vec2 value; };
_two_numbers _one_number(vec2 value) { return _two_numbers(value); }
struct _three_numbers { vec3 value; };
_three_numbers _one_number(vec3 value) { return _three_numbers(value); }
struct _four_numbers { vec4 value; };
_four_numbers _one_number(vec4 value) { return _four_numbers(value); }
";

/// Expressions of the numbers of named vectors and of named scalars.
#[derive(Clone, Debug)]
pub(super) struct Expressions {
    pub(super) vectors: Vec<String>,
    pub(super) scalars: Vec<String>,
    /// The expressions, one for each result, at most two.
    texts: Vec<String>,
    /// Whether the texts are the library's, which call functions of `include/blas1.glsl`.
    own: bool,
    /// Whether the last text is no result but added up.
    pub(super) summed: bool,
    /// Whether scalars are passed to the texts as the texels that hold their parts.
    whole: bool,
}

/// The properties that require a kernel of their own for the same operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Specialization {
    /// A bit for each scalar that is on the device.
    pub(super) on_device: u32,
    /// A bit for each of these whose negative is meant.
    pub(super) negated: u32,
    /// A bit for each that is a quotient of two numbers on the device.
    pub(super) divided: u32,
    /// Whether there may be padding among the texels that it writes.
    pub(super) padded: bool,
}

/// Returns the name of a vector's texture in the shader.
pub(super) fn vector(index: usize) -> String {
    format!("vector_{index}")
}

/// Returns the name of a scalar in the shader.
pub(super) fn scalar(index: usize) -> String {
    format!("scalar_{index}")
}

/// Returns the name of a scalar's divisor.
pub(super) fn divisor(index: usize) -> String {
    format!("divisor_{index}")
}

impl Expressions {
    /// Creates a user's expression. A text that is not one is refused here, since a driver might
    /// read it, together with the code around it, as something else.
    pub(super) fn new(text: &str, vectors: &[&str], scalars: &[&str]) -> Result<Self> {
        let names: Vec<&str> = vectors.iter().chain(scalars).copied().collect();
        for (index, name) in names.iter().enumerate() {
            must_be_a_name(name)?;
            if names.iter().take(index).any(|other| other == name) {
                return Err(wrong(None, format!("two inputs have the name `{name}`")));
            }
        }
        must_be_one(text)?;
        Ok(Expressions { own: false, ..Expressions::own(&[text], vectors, scalars) })
    }

    /// Expressions of the library.
    pub(super) fn own(texts: &[&str], vectors: &[&str], scalars: &[&str]) -> Self {
        let [texts, vectors, scalars] =
            [texts, vectors, scalars].map(|list| list.iter().map(|text| (*text).into()).collect());
        Expressions { vectors, scalars, texts, own: true, summed: false, whole: false }
    }

    /// Passes scalars as the texels that hold their parts. They must be on the device.
    pub(super) fn of_texels(self) -> Self {
        Expressions { whole: true, ..self }
    }

    /// Adds up the last text instead of storing it, which only compute shaders do.
    pub(super) fn summed(self) -> Self {
        Expressions { summed: true, ..self }
    }

    /// Returns the name of the operation in error messages.
    pub(super) fn name(&self) -> &str {
        if self.own { self.texts.first().map_or(NAME, String::as_str) } else { NAME }
    }

    /// Puts the expressions into a shader of the library.
    pub(super) fn complete(&self, shader: Source, specialization: Specialization) -> Source {
        let two = self.texts.len() - usize::from(self.summed) == 2;
        let shader = if two { shader.define("TARGETS", 2) } else { shader };
        let shader = if self.summed { shader.define("SUMMED", 1) } else { shader };
        let shader = if specialization.padded { shader.define("PADDED", 1) } else { shader };
        let shader = shader.file("inputs.glsl", self.glsl(specialization));
        self.texts.iter().enumerate().fold(shader, |shader, (index, text)| {
            shader.file_shown_as(format!("{NAME}_{index}"), NAME, text.clone())
        })
    }

    /// Returns a driver's messages about a user's expression, without the code around it. A message
    /// about another line, such as that of the end of the function, is shown at the name that it
    /// quotes, else at the end of the expression.
    pub(super) fn explain(&self, diagnostics: Diagnostics) -> Diagnostics {
        let Some(text) = self.texts.first().filter(|_| !self.own) else { return diagnostics };
        let at = |(line, text): (usize, &str), column| Excerpt {
            line: line + 1,
            text: text.to_owned(),
            column: Some(column),
        };
        let last = text.lines().enumerate().last().unwrap_or_default();
        let end = at(last, last.1.trim_end().chars().count() + 1);
        let quoted = |message: &str| {
            let mut lines = text.lines().enumerate();
            lines.find_map(|line| Some(at(line, token_column::of_name(line.1, message)?)))
        };
        let is_inside =
            |item: &Diagnostic| item.place.as_ref().is_some_and(|place| place.file == NAME);
        // Other errors lead to errors of the result.
        let is_told = diagnostics.items.iter().any(is_inside);
        let told = |item: Diagnostic| {
            let inside = is_inside(&item);
            let item = Diagnostic { included_from: Vec::new(), ..item };
            match item.severity {
                _ if inside => Some(item),
                Severity::Error if !is_told && is_about_result(&item.message) => Some(Diagnostic {
                    message: "expected an expression of one number, which is a float".into(),
                    place: Some(Place::line(NAME, end.line)),
                    excerpt: Some(end.clone()),
                    ..item
                }),
                Severity::Error => {
                    let excerpt = quoted(&item.message).unwrap_or_else(|| end.clone());
                    let place = Some(Place::line(NAME, excerpt.line));
                    Some(Diagnostic { place, excerpt: Some(excerpt), ..item })
                }
                _ => None,
            }
        };
        let mut items: Vec<Diagnostic> = diagnostics.items.into_iter().filter_map(told).collect();
        items.dedup();
        Diagnostics { items }
    }

    /// Returns the declarations of the inputs, and for each expression a function of one number of
    /// each.
    fn glsl(&self, specialization: Specialization) -> String {
        let mut text = String::new();
        let mut reads = String::new();
        if self.own {
            text.push_str("#include \"include/blas1.glsl\"\n");
        }
        for index in 0..self.vectors.len() {
            let vector = vector(index);
            _ = writeln!(text, "uniform sampler2D {vector};");
            _ = write!(reads, " vec4 input_{index} = READ({vector}, place);");
        }
        for index in 0..self.scalars.len() {
            let scalar = scalar(index);
            if specialization.on_device & 1 << index == 0 {
                _ = writeln!(text, "uniform float {scalar};");
                continue;
            }
            _ = writeln!(text, "uniform sampler2D {scalar};");
            _ = write!(reads, " vec4 parts_{index} = READ({scalar}, ivec2(0));");
            if specialization.divided & 1 << index != 0 {
                let divisor = divisor(index);
                _ = writeln!(text, "uniform sampler2D {divisor};");
                _ = write!(reads, " vec4 below_{index} = READ({divisor}, ivec2(0));");
            }
        }
        if !self.own {
            text.push_str(NUMBERS_ONLY);
            // Few expressions call them, and compiling them takes longer than the rest.
            if self.texts.iter().any(|text| text.contains("_of")) {
                text.push_str("#include \"include/elementary.glsl\"\n");
            }
        }
        let kind = if self.whole { "vec4" } else { "float" };
        let vectors = self.vectors.iter().map(|name| format!("float {name}"));
        let parameters = vectors.chain(self.scalars.iter().map(|name| format!("{kind} {name}")));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        for index in 0..self.texts.len() {
            let only = if self.own { "" } else { "_one_number" };
            _ = writeln!(text, "float number_{index}({parameters}) {{ return {only}(");
            _ = writeln!(text, "#include \"{NAME}_{index}\"\n); }}");
            let value = |lane| format!("number_{index}({})", self.arguments(lane, specialization));
            let values = ['x', 'y', 'z', 'w'].map(value).join(", ");
            _ = writeln!(text, "#define VALUES_{index} vec4({values})");
        }
        _ = writeln!(text, "#define READ_INPUTS(place){reads}");
        text
    }

    /// Returns the numbers of one lane.
    fn arguments(&self, lane: char, specialization: Specialization) -> String {
        let vectors = (0..self.vectors.len()).map(|index| format!("input_{index}.{lane}"));
        let scalars =
            (0..self.scalars.len()).map(|index| match specialization.on_device & 1 << index {
                0 => scalar(index),
                _ if self.whole => format!("parts_{index}"),
                _ if specialization.negated & 1 << index != 0 => format!("-SUM(parts_{index})"),
                _ if specialization.divided & 1 << index != 0 => {
                    format!("quotient(SUM(parts_{index}), SUM(below_{index}))")
                }
                _ => format!("SUM(parts_{index})"),
            });
        vectors.chain(scalars).collect::<Vec<_>>().join(", ")
    }
}

/// Refuses what no function of GLSL can have as a parameter.
fn must_be_a_name(name: &str) -> Result<()> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let reserved = name.starts_with("gl_") || name.contains("__");
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts && name.chars().all(letter) && !reserved {
        return Ok(());
    }
    let expected = "expected letters, digits and single _ that start with a letter";
    Err(wrong(None, format!("`{name}` cannot be the name of an input: {expected}")))
}

/// Refuses a text that would end the expression, or begin something else.
fn must_be_one(text: &str) -> Result<()> {
    if text.trim().is_empty() {
        return Err(wrong(None, "it is empty: expected an expression, such as `a * x`".into()));
    }
    let mut open = Vec::new();
    let of_line = |(line, text): (usize, &str)| {
        let characters: Vec<char> = text.chars().collect();
        characters.into_iter().enumerate().map(move |(column, c)| ((line, column), c))
    };
    for (at, c) in text.lines().enumerate().flat_map(of_line) {
        let opens = |opening| matches!(open.last(), Some((_, last)) if *last == opening);
        let fits = match c {
            ')' => opens('('),
            ']' => opens('['),
            ';' | '{' | '}' | '#' | '\\' | '"' => false,
            _ => true,
        };
        if !fits {
            return Err(unexpected(text, at, format!("`{c}` does not fit in an expression here")));
        }
        match c {
            '(' | '[' => open.push((at, c)),
            ')' | ']' => _ = open.pop(),
            _ => {}
        }
    }
    match open.pop() {
        Some((at, c)) => Err(unexpected(text, at, format!("`{c}` is not closed"))),
        None => Ok(()),
    }
}

/// Returns whether a driver's message names the code around an expression that makes sure that its
/// result is one number, or is NVIDIA's about the function that returns it.
fn is_about_result(message: &str) -> bool {
    let ours = ["_one_number", "_two_numbers", "_three_numbers", "_four_numbers", "`number_"];
    let names = ours.iter().any(|name| message.contains(name));
    names || message.contains("incompatible with function return type")
}

fn unexpected(text: &str, (line, column): (usize, usize), message: String) -> Error {
    let shown = text.lines().nth(line).unwrap_or_default().to_owned();
    wrong(Some(Excerpt { line: line + 1, text: shown, column: Some(column + 1) }), message)
}

fn wrong(excerpt: Option<Excerpt>, message: String) -> Error {
    let place = excerpt.as_ref().map(|excerpt| Place {
        line: Some(excerpt.line),
        column: excerpt.column,
        ..Place::file(NAME)
    });
    let severity = Severity::Error;
    let item = Diagnostic { severity, place, message, excerpt, included_from: Vec::new() };
    Error::Compile { kernel: NAME.into(), diagnostics: Diagnostics { items: vec![item] } }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_expression_is_refused_with_a_caret() {
        for (text, column) in [
            ("a * x; y", 6),
            ("a * (x + y", 5),
            ("a * x)", 6),
            ("a[0)", 4),
            ("x } float f() { return 0.0", 3),
            ("#define x", 1),
        ] {
            let error = Expressions::new(text, &["x", "y"], &["a"]).expect_err(text).to_string();
            let caret = format!("\n    1 | {text}\n      | {}^", " ".repeat(column - 1));
            assert!(error.starts_with("expression does not compile\nexpression:1:"), "{error}");
            assert!(error.ends_with(&caret), "{error}");
        }
        let second = Expressions::new("x +\n y )", &["x", "y"], &[]).expect_err("`)`").to_string();
        assert!(second.ends_with("\n    2 |  y )\n      |    ^"), "{second}");
        assert!(Expressions::new(" ", &["x"], &[]).is_err());
    }

    /// NVIDIA reports a function's last line for an error in its return statement, and no column.
    #[test]
    fn a_message_about_another_line_is_shown_at_the_name_that_it_quotes() {
        let expressions = Expressions::new("a * x\n + missing", &["x"], &["a"]).unwrap();
        let shown = |message: &str| {
            let (severity, message) = (Severity::Error, message.to_owned());
            let place = Some(Place::line("inputs.glsl", 4));
            let item =
                Diagnostic { severity, place, message, excerpt: None, included_from: Vec::new() };
            expressions.explain(Diagnostics { items: vec![item] }).to_string()
        };
        let quoted = shown("C1503: undefined variable \"missing\"");
        assert!(quoted.starts_with("expression:2: error"), "{quoted}");
        assert!(quoted.ends_with("\n    2 |  + missing\n      |    ^"), "{quoted}");
        let vector = shown("C1035: assignment of incompatible types: _two_numbers");
        assert!(
            vector.starts_with("expression:2: error: expected an expression of one number"),
            "{vector}"
        );
        let returned = shown("C1016: expression type incompatible with function return type");
        assert!(returned.contains("expected an expression of one number"), "{returned}");
        let other = shown("C0000: unexpected ')'");
        assert!(other.ends_with("\n    2 |  + missing\n      |           ^"), "{other}");
    }

    #[test]
    fn names_are_those_that_glsl_allows() {
        for name in ["", "2x", "a b", "gl_x", "a__b", "_x", "é"] {
            assert!(Expressions::new("1.0", &[name], &[]).is_err(), "{name}");
        }
        assert!(Expressions::new("x", &["x"], &["x"]).is_err());
        assert!(Expressions::new("x + x_1", &["x"], &["x_1"]).is_ok());
    }
}
