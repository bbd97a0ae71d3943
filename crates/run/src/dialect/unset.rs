//! Variables of plain shaders that are read before they are set: nothing gives them zeros.
//!
//! What is found is certain but for functions that are not called and loops that do not run: a
//! variable whose first use is a read that no condition stands before. Others may be missed.

use std::ops::Range;

use quadrille::Place;
use quadrille::internal::shader::{Expanded, Token, preprocess};

use super::variables::{Declared, Function, Role, Variable, declared};

/// Returns the variables of the author's lines that are read before they are set, each with the
/// position of its name.
pub(crate) fn unset(text: &Expanded) -> Vec<(Place, String)> {
    let tokens = preprocess(&text.text, &text.language().macros(), &[]).unwrap_or_default();
    let declared = declared(&tokens);
    let uses = Uses { text: &tokens, declared: &declared };
    let place = |variable: &Variable| {
        let from = tokens.get(variable.named)?.from;
        let (line, column) = from.start;
        let place = text.is_authors(line).then(|| text.place(line).at_column(column + 1))?;
        Some((place, variable.name.to_string()))
    };
    let unset = declared.variables.iter().filter(|variable| uses.read_unset(variable));
    unset.filter_map(place).collect()
}

/// What the text does with a variable at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It is no use of the variable, but a member of its name, or its length.
    None,
    /// All of it or a part is written.
    Set,
    /// It is read, and may then be written.
    Read,
    /// A function may write it.
    Given,
    /// Another variable of its name is declared.
    Other,
}

struct Uses<'a> {
    text: &'a [Token],
    declared: &'a Declared,
}

/// The operators that read before they write.
const CHANGES: [&str; 12] =
    ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

/// The functions of the language that write what they are given.
const WRITING: [&str; 6] =
    ["modf", "frexp", "uaddCarry", "usubBorrow", "umulExtended", "imulExtended"];

impl Uses<'_> {
    fn word(&self, at: usize) -> &str {
        self.text.get(at).map_or("", |token| &token.text)
    }

    /// Returns whether a variable is read before it is set.
    fn read_unset(&self, variable: &Variable) -> bool {
        match variable.role {
            Role::Local { .. } => self.within(variable, variable.last + 1, 1),
            Role::Parameter { function } => {
                let start = self.declared.functions.get(function).map(|found| found.body.start);
                start.is_some_and(|start| self.within(variable, start, 0))
            }
            Role::Global => self.anywhere(variable),
            Role::Output => false,
        }
    }

    /// Returns whether the first use of a variable from here on, up to where this many braces are
    /// closed, is a read without a condition.
    fn within(&self, variable: &Variable, start: usize, depth: usize) -> bool {
        let mut open = vec![false; depth];
        let (mut statement, mut parentheses) = (start, 0_i32);
        for at in start..self.text.len() {
            match self.word(at) {
                "{" => {
                    open.push(self.has_condition(statement..at));
                    statement = at + 1;
                }
                "}" => {
                    open.pop();
                    statement = at + 1;
                    if open.is_empty() {
                        return false;
                    }
                }
                ";" if parentheses == 0 => statement = at + 1,
                "(" => parentheses += 1,
                ")" => parentheses -= 1,
                word if *word == *variable.name => match self.kind_of_use(at) {
                    Use::None => {}
                    Use::Read => {
                        return !open.contains(&true) && !self.has_condition(statement..at);
                    }
                    Use::Set | Use::Given | Use::Other => return false,
                },
                _ => {}
            }
        }
        false
    }

    /// Returns whether a global variable is read and nothing sets it.
    fn anywhere(&self, variable: &Variable) -> bool {
        let uses = (0..self.text.len()).filter(|at| *at != variable.named);
        let uses = uses.filter(|at| *self.word(*at) == *variable.name);
        let uses: Vec<Use> = uses.map(|at| self.kind_of_use(at)).collect();
        let is_set = uses.iter().any(|kind| ![Use::None, Use::Read].contains(kind));
        uses.contains(&Use::Read) && !is_set
    }

    /// Returns whether a part of a statement may leave out what follows it: the condition itself
    /// does not.
    fn has_condition(&self, part: Range<usize>) -> bool {
        let (start, end) = (part.start, part.end);
        (start..end).any(|at| match self.word(at) {
            "if" | "switch" => self.closed(at + 1) <= end,
            word => ["else", "case", "default", "?", "&&", "||"].contains(&word),
        })
    }

    fn kind_of_use(&self, at: usize) -> Use {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let behind = self.behind(at);
        let is_type = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        match self.word(behind) {
            _ if before == "." => Use::None,
            _ if is_type(before) && !["return", "else", "do"].contains(&before) => Use::Other,
            "(" => Use::None,
            "=" => Use::Set,
            word if CHANGES.contains(&word) => Use::Read,
            _ if self.is_given(at) => Use::Given,
            _ => Use::Read,
        }
    }

    /// Returns the first token behind a variable and the parts that are taken of it.
    fn behind(&self, at: usize) -> usize {
        let mut behind = at + 1;
        loop {
            match self.word(behind) {
                "." => behind += 2,
                "[" => behind = self.closed(behind),
                _ => return behind,
            }
        }
    }

    /// Returns the first token behind brackets.
    fn closed(&self, open: usize) -> usize {
        let mut depth = 0_i32;
        for at in open..self.text.len() {
            depth += i32::from(["(", "["].contains(&self.word(at)));
            depth -= i32::from([")", "]"].contains(&self.word(at)));
            if depth == 0 {
                return at + 1;
            }
        }
        self.text.len()
    }

    /// Returns whether what stands here is an argument of a function that may write it.
    fn is_given(&self, at: usize) -> bool {
        let mut depth = 0_i32;
        for before in (0..at).rev() {
            match self.word(before) {
                ")" | "]" => depth += 1,
                "(" | "[" if depth > 0 => depth -= 1,
                "(" => {
                    let called = before.checked_sub(1).map_or("", |name| self.word(name));
                    let is_called = |function: &Function| *function.name == *called;
                    return WRITING.contains(&called)
                        || self.declared.functions.iter().any(is_called);
                }
                "[" | ";" | "{" | "}" => return false,
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use quadrille::Source;
    use quadrille::internal::shader::{Language, expand};
    use quadrille::shader::{Api, Reads};

    #[track_caller]
    fn is(text: &str, wanted: &[&str]) {
        let language = Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };
        let expanded = expand(&Source::fragment("t.frag", text), &language).unwrap();
        let told: Vec<String> =
            unset(&expanded).into_iter().map(|(place, name)| format!("{place} {name}")).collect();
        assert_eq!(told, wanted, "{text}");
    }

    #[test]
    fn a_first_use_that_reads_is_told() {
        for (body, column) in [
            ("vec3 c;\nfor (int i = 0; i < 4; i++) c += 0.1;", 6),
            ("float x; y = x;", 7),
            ("float x; if (y > 0.0) y = 2.0; y += x;", 7),
            ("bool x; if (x) y = 1.0;", 6),
            ("float x[3]; x[0] += 1.0;", 7),
            ("vec2 x; x.x++;", 6),
            ("float a, x; y = sin(x);", 10),
            ("int x; for (; x < 3; x++) y++;", 5),
            ("for (int x; x < 3; x++) y++;", 10),
            ("for (int i = 0; i < 3; i++) { float x; x *= 2.0; }", 37),
            ("float x, z = x;", 7),
            ("vec4 x; y = f(vec2(x));", 6),
        ] {
            let text =
                format!("float f(vec2 p) {{ return p.x; }}\nvoid g(inout float y) {{\n{body} }}");
            let name = if body.starts_with("vec3 c") { "c" } else { "x" };
            is(&text, &[&format!("t.frag:3:{column} {name}")]);
        }
        is("float g;\nvoid main() { g += 1.0; }", &["t.frag:1:7 g"]);
        is("void f(out float x) {\nx += 1.0; }", &["t.frag:1:18 x"]);
        is("#define D(n) float n\nvoid f() { D(x); x += 1.0; }", &["t.frag:2:12 x"]);
    }

    #[test]
    fn written_shaders_are_left_alone() {
        let of_folder = |folder: &str| {
            let folder = format!("{}/../{folder}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
        };
        let folders = [
            "run/gallery",
            "../glsl/jacobi",
            "../glsl/multigrid",
            "../glsl/matmul",
            "../glsl/reduce",
        ];
        let files = folders.into_iter().flat_map(of_folder);
        let mut count = 0;
        for path in files.filter(|path| path.extension().is_some_and(|end| end == "frag")) {
            is(&std::fs::read_to_string(path).unwrap(), &[]);
            count += 1;
        }
        assert!(count > 30, "{count}");
    }

    #[test]
    fn ordinary_code_is_left_alone() {
        for body in [
            "float x; x = y; y = x;",
            "vec3 x; x.x = y; y = x.x;",
            "float x[3]; for (int i = 0; i < 3; i++) x[i] = y; y = x[0];",
            "float x; if (y > 0.0) x = 1.0; else x = 2.0; y = x;",
            "float x; if (y < 0.0) y = x; x = 1.0;",
            "float x; for (int i = 0; i < 3; i++) { if (i > 0) y += x; x = y; }",
            "float x; for (int i = 0; i < 3; i++) { y = i > 0 ? x : 0.0; x = y; }",
            "float x; h(x); y = x;",
            "float x; y = modf(y, x); y = x;",
            "float x; s.x = y; y = s.x;",
            "float x[3]; for (int i = 0; i < x.length(); i++) x[i] = y;",
            "{ float x; } float x = y; y = x;",
            "int x; switch (int(y)) { case 0: x = 1; break; default: x = 2; } y = float(x);",
            "bool x; int i = 0; if (i > 0 && x) y = 1.0; x = true;",
            "for (int x = 0; x < 3; x++) y++;",
            "float x; { float x = 2.0; y = x; } x = y;",
        ] {
            let text = format!(
                "struct S {{ float x; }};\nvoid h(out float z) {{ z = 1.0; }}\nvoid g(inout float y) {{ S s = S(1.0); {body} }}"
            );
            is(&text, &[]);
        }
        for text in [
            "float g; void f() { g += 1.0; } void main() { g = 0.0; f(); }",
            "float g; void main() { }",
            "float g; void f(out float x) { x = 1.0; } void main() { f(g); float y = g; }",
            "out float y; void main() { y += 1.0; }",
            "#if 0\nfloat g;\n#endif\nuniform float g; out float y; void main() { y = g; }",
        ] {
            is(text, &[]);
        }
    }
}
