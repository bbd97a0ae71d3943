//! A model of a driver's preprocessor, as far as the conditions of these tests go.

use quadrille::internal::shader::Expanded;

/// The statements that a driver's preprocessor leaves of an expanded text.
pub fn seen(expanded: &Expanded) -> Vec<String> {
    let mut driver = Driver::default();
    for line in logical(&expanded.text) {
        driver.line(line.trim());
    }
    driver.statements
}

/// The lines of a text without comments, with continued ones joined.
fn logical(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let (mut bare, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find('/') {
        bare += &rest[..at];
        rest = &rest[at..];
        // What replaces a comment, and its length.
        let (blank, length) = match rest.as_bytes().get(1) {
            Some(b'/') => ("", rest.find('\n')),
            Some(b'*') => (" ", rest[2..].find("*/").map(|end| end + 4)),
            _ => ("/", Some(1)),
        };
        bare += blank;
        rest = &rest[length.unwrap_or(rest.len())..];
    }
    bare += rest;
    bare.lines().map(str::to_owned).collect()
}

/// Conditions over the macros of these tests: others count as 0.
#[derive(Default)]
struct Driver {
    macros: Vec<(String, i64)>,
    /// The state of each open `#if`: whether it is taken now, whether any branch was, and whether
    /// what is around it is.
    open: Vec<(bool, bool, bool)>,
    statements: Vec<String>,
}

impl Driver {
    fn line(&mut self, line: &str) {
        let active = self.open.last().is_none_or(|(now, ..)| *now);
        let Some(directive) = line.strip_prefix('#') else {
            let name = line.strip_prefix("float s").and_then(|rest| rest.strip_suffix(';'));
            if let Some(name) = name.filter(|_| active) {
                self.statements.push(format!("s{name}"));
            }
            return;
        };
        let directive = directive.trim();
        let (word, rest) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        let rest = rest.trim();
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = match word {
                    "if" => self.value(rest) != 0,
                    _ => self.is_defined(rest) == (word == "ifdef"),
                };
                self.open.push((active && holds, holds, active));
            }
            "elif" | "else" => {
                let holds = word == "else" || self.value(rest) != 0;
                if let Some((now, any, around)) = self.open.last_mut() {
                    *now = *around && !*any && holds;
                    *any |= holds;
                }
            }
            "endif" => {
                self.open.pop();
            }
            "define" if active => {
                let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
                self.macros.push((name.to_owned(), value.trim().parse().unwrap_or(0)));
            }
            "undef" if active => self.macros.retain(|(name, _)| name != rest),
            _ => {}
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.iter().any(|(known, _)| known == name)
    }

    fn value(&self, text: &str) -> i64 {
        let mut words = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let double = ["&&", "||", "==", "!=", ">="].iter().any(|sign| rest.starts_with(sign));
            let length = match rest.find(|c: char| !is_word(c)) {
                Some(0) if double => 2,
                Some(0) => first.len_utf8(),
                Some(length) => length,
                None => rest.len(),
            };
            words.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
        words.reverse();
        self.operand(&mut words)
    }

    /// A number, a name, `defined(NAME)`, what is not, or two of them in parentheses.
    fn operand(&self, words: &mut Vec<&str>) -> i64 {
        match words.pop() {
            Some("!") => i64::from(self.operand(words) == 0),
            Some("defined") => {
                words.pop();
                let name = words.pop().unwrap_or_default();
                words.pop();
                i64::from(self.is_defined(name))
            }
            Some("(") => {
                let a = self.operand(words);
                let sign = words.pop().unwrap_or_default();
                let b = self.operand(words);
                words.pop();
                two(sign, a, b)
            }
            Some(word) => {
                let known = || self.macros.iter().rev().find(|(name, _)| name == word);
                word.parse().ok().or_else(|| known().map(|(_, value)| *value)).unwrap_or(0)
            }
            None => 0,
        }
    }
}

/// An operator of conditions.
pub fn two(sign: &str, a: i64, b: i64) -> i64 {
    match sign {
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        ">=" => i64::from(a >= b),
        "+" => a + b,
        _ => a * b,
    }
}
