//! The variables of a text that are declared without a value, where the preprocessor has left it.

mod kind;

use std::ops::Range;
use std::rc::Rc;

use quadrille::internal::shader::Token;

pub(super) use kind::Kind;

/// A variable that is declared without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: Rc<str>,
    pub(super) kind: Kind,
    /// The token of its name.
    pub(super) named: usize,
    /// The last token of its declarator.
    pub(super) last: usize,
    pub(super) role: Role,
}

/// The kind of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Global,
    /// An output of the stage.
    Output,
    /// A local variable, with the `;` behind it; the counter of a loop stands in its header.
    Local {
        end: usize,
        is_counter: bool,
    },
    /// An `out` parameter of the function of this index.
    Parameter {
        function: usize,
    },
}

/// A function and its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: Rc<str>,
    /// The first token of its declaration.
    pub(super) first: usize,
    /// The tokens from its `{` to its `}`.
    pub(super) body: Range<usize>,
}

/// All that a text declares.
#[derive(Debug, Default)]
pub(super) struct Declared {
    pub(super) variables: Vec<Variable>,
    pub(super) functions: Vec<Function>,
}

/// Reads the tokens of a text.
pub(super) fn declared(text: &[Token]) -> Declared {
    let mut reader = Reader { text, at: 0, structs: Vec::new(), found: Declared::default() };
    while reader.at < text.len() {
        reader.outermost();
    }
    reader.found
}

/// The words in front of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    None,
    Out,
    /// What has its value from elsewhere.
    Given,
}

struct Reader<'a> {
    text: &'a [Token],
    at: usize,
    /// The structs that are known here, the innermost last; those that hold more than numbers are
    /// not.
    structs: Vec<(Rc<str>, Kind)>,
    found: Declared,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.text.get(at).map_or("", |token| &token.text)
    }

    fn here(&self) -> &str {
        self.word(self.at)
    }

    fn is_name(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(Token::is_name)
    }

    /// Goes on behind a token, if it is the next.
    fn takes(&mut self, word: &str) -> bool {
        let is = self.here() == word;
        self.at += usize::from(is);
        is
    }

    /// Goes to the next of these tokens that stands in no brackets, or out of those around.
    fn find(&mut self, words: &[&str]) {
        let mut depth = 0_i32;
        while self.at < self.text.len() {
            let word = self.here();
            if depth == 0 && (words.contains(&word) || [")", "]", "}"].contains(&word)) {
                return;
            }
            depth += i32::from(["(", "[", "{"].contains(&word));
            depth -= i32::from([")", "]", "}"].contains(&word));
            self.at += 1;
        }
    }

    /// Goes on behind the bracket that closes the one here.
    fn close(&mut self) {
        self.at += 1;
        self.find(&[]);
        self.at += 1;
    }

    /// Reads a declaration, or a part of one that is not known.
    fn outermost(&mut self) {
        let first = self.at;
        let storage = self.storage();
        if self.here() == "precision" {
            self.find(&[";"]);
        }
        let kind = self.kind();
        if self.is_name(self.at) && self.word(self.at + 1) == "(" {
            return self.function(first);
        }
        let role = match storage {
            Storage::None => Some(Role::Global),
            Storage::Out => Some(Role::Output),
            Storage::Given => None,
        };
        match kind.zip(role) {
            Some((kind, role)) => self.declarators(&kind, |_| role.clone()),
            None => self.find(&[";", "{"]),
        }
        match self.here() {
            "{" => self.close(),
            _ => self.at += 1,
        }
    }

    /// Passes the words in front of a type.
    fn storage(&mut self) -> Storage {
        let mut storage = Storage::None;
        loop {
            match self.here() {
                "layout" => {
                    self.at += 1;
                    self.close();
                    continue;
                }
                "out" => storage = Storage::Out,
                "const" | "uniform" | "in" | "inout" | "varying" | "attribute" | "buffer"
                | "shared" => storage = Storage::Given,
                "highp" | "mediump" | "lowp" | "precise" | "invariant" | "flat" | "smooth"
                | "noperspective" | "centroid" | "sample" | "coherent" | "volatile"
                | "restrict" | "readonly" | "writeonly" | "PRECISE" => {}
                _ => return storage,
            }
            self.at += 1;
        }
    }

    /// Passes a type, and returns it where it is known.
    fn kind(&mut self) -> Option<Kind> {
        let name = match self.here() {
            "struct" => {
                let kind = self.structure();
                let lengths = self.lengths()?;
                return Some(kind?.arrays(&lengths));
            }
            _ if !self.is_name(self.at) => return None,
            name => name.to_owned(),
        };
        self.at += 1;
        let known = self.structs.iter().rev().find(|(known, _)| **known == *name);
        let kind = known.map(|(_, kind)| kind.clone()).or(Kind::basic(&name));
        let lengths = self.lengths()?;
        Some(kind?.arrays(&lengths))
    }

    /// Passes a struct, and returns it if it holds numbers alone.
    fn structure(&mut self) -> Option<Kind> {
        self.at += 1;
        let name = self.is_name(self.at).then(|| Rc::from(self.here()));
        self.at += usize::from(name.is_some());
        if self.here() != "{" {
            return None;
        }
        let start = self.at;
        let members = self.members();
        self.at = start;
        self.close();
        let kind = Kind::Struct { name: name.clone(), members: Rc::new(members?) };
        self.structs.extend(name.map(|name| (name, kind.clone())));
        Some(kind)
    }

    fn members(&mut self) -> Option<Vec<(Rc<str>, Kind)>> {
        let mut members = Vec::new();
        self.at += 1;
        while self.here() != "}" {
            self.storage();
            let kind = self.kind()?;
            loop {
                let name = self.is_name(self.at).then(|| Rc::from(self.here()))?;
                self.at += 1;
                let lengths = self.lengths()?;
                members.push((name, kind.clone().arrays(&lengths)));
                if !self.takes(",") {
                    break;
                }
            }
            self.takes(";").then_some(())?;
        }
        Some(members)
    }

    /// Passes the brackets of an array, and returns the lengths that are written as numbers. `None`
    /// for an array without a length.
    fn lengths(&mut self) -> Option<Vec<Option<usize>>> {
        let (mut lengths, mut are_all) = (Vec::new(), true);
        while self.here() == "[" {
            let start = self.at + 1;
            self.close();
            let inside = start..self.at - 1;
            are_all &= !inside.is_empty();
            let number = self.word(start).trim_end_matches(['u', 'U']).parse().ok();
            lengths.push(number.filter(|_| inside.len() == 1));
        }
        are_all.then_some(lengths)
    }

    /// Passes the variables behind a type, up to what ends the declaration, whose index gives them
    /// their role.
    fn declarators(&mut self, kind: &Kind, role: impl Fn(usize) -> Role) {
        let mut unset = Vec::new();
        while self.is_name(self.at) {
            let (named, name) = (self.at, Rc::from(self.here()));
            self.at += 1;
            let lengths = self.lengths();
            let last = self.at - 1;
            match (self.takes("="), lengths) {
                (true, _) => self.find(&[",", ";"]),
                (false, Some(lengths)) => {
                    let kind = kind.clone().arrays(&lengths);
                    unset.push(Variable { name, kind, named, last, role: Role::Global });
                }
                (false, None) => {}
            }
            if !self.takes(",") {
                break;
            }
        }
        if self.here() != ";" {
            return self.find(&[";"]);
        }
        let end = self.at;
        let own = unset.into_iter().filter(|variable| !variable.name.starts_with("gl_"));
        let own = own.map(|variable| Variable { role: role(end), ..variable });
        self.found.variables.extend(own);
    }

    /// Reads a function, whose name is next, or a prototype.
    fn function(&mut self, first: usize) {
        let name = Rc::from(self.here());
        self.at += 1;
        let start = self.at;
        self.close();
        let (body, behind) = (self.at, self.at);
        if self.here() != "{" {
            return;
        }
        let function = self.found.functions.len();
        self.found.functions.push(Function { name, first, body: body..body });
        self.at = start + 1;
        while self.at < behind {
            self.parameter(function);
        }
        self.at = body;
        self.body();
        self.found.functions[function].body.end = self.at;
    }

    fn parameter(&mut self, function: usize) {
        let is_out = self.storage() == Storage::Out;
        let kind = self.kind();
        let (named, name) = (self.at, Rc::from(self.here()));
        if let (true, true, Some(kind)) = (is_out, self.is_name(named), kind) {
            self.at += 1;
            if let Some(lengths) = self.lengths() {
                let (kind, last) = (kind.arrays(&lengths), self.at - 1);
                let role = Role::Parameter { function };
                self.found.variables.push(Variable { name, kind, named, last, role });
            }
        }
        self.find(&[","]);
        self.at += 1;
    }

    /// Reads the body of a function, up to behind its `}`.
    fn body(&mut self) {
        let mut scopes = Vec::new();
        let mut begins = false;
        while self.at < self.text.len() {
            if begins && self.local(false) {
                continue;
            }
            begins = matches!(self.here(), "{" | "}" | ";" | ":" | "else" | "do");
            let word = self.here().to_owned();
            self.at += 1;
            match word.as_str() {
                "{" => scopes.push(self.structs.len()),
                "}" => {
                    self.structs.truncate(scopes.pop().unwrap_or_default());
                    if scopes.is_empty() {
                        return;
                    }
                }
                "for" if self.takes("(") => drop(self.local(true)),
                _ => {}
            }
        }
    }

    /// Passes a declaration, if one is here, up to its `;`.
    fn local(&mut self, is_counter: bool) -> bool {
        let start = self.at;
        let storage = self.storage();
        let is_struct = self.here() == "struct";
        match self.kind() {
            Some(kind) if is_struct || self.is_name(self.at) => match storage {
                Storage::None => self.declarators(&kind, |end| Role::Local { end, is_counter }),
                _ => self.find(&[";"]),
            },
            _ => self.at = start,
        }
        self.at > start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille::internal::shader::preprocess;

    #[track_caller]
    fn is(text: &str, wanted: &[&str]) {
        let tokens = preprocess(text, &[], &[]).unwrap_or_default();
        let declared = declared(&tokens);
        let told = declared.variables.iter().map(|variable| {
            let kind = variable.kind.zero().unwrap_or("?".into());
            let role = match &variable.role {
                Role::Global => "global".to_owned(),
                Role::Output => "output".to_owned(),
                Role::Local { is_counter: true, .. } => "counter".to_owned(),
                Role::Local { .. } => "local".to_owned(),
                Role::Parameter { function } => declared.functions[*function].name.to_string(),
            };
            format!("{role} {} {kind}", variable.name)
        });
        assert_eq!(told.collect::<Vec<_>>(), wanted, "{text}");
    }

    #[test]
    fn declarations_without_a_value_are_found() {
        is(
            "float a, b = f(1, 2), c[2];",
            &["global a float(0)", "global c float[2](float(0), float(0))"],
        );
        is("void f() { highp vec3 c; a = b; int i; }", &["local c vec3(0)", "local i int(0)"]);
        is("void f() { for (int i, j = 0; i < 3; i++) float x; }", &["counter i int(0)"]);
        is(
            "void f() { if (a) { bool x; } else { mat2 y; } }",
            &["local x bool(0)", "local y mat2(0)"],
        );
        is(
            "void f() { switch (a) { case 1: float x; break; default: float y; } }",
            &["local x float(0)", "local y float(0)"],
        );
        is("struct S { vec2 a, b; } s;", &["global s S(vec2(0), vec2(0))"]);
        is(
            "struct S { float a; }; struct T { S s[2]; }; void f() { T t; }",
            &["local t T(S[2](S(float(0)), S(float(0))))"],
        );
        is("void f() { struct S { int a; }; S s; } S t; void g() { S u; }", &["local s S(int(0))"]);
        is(
            "float f(out vec3 a, inout float b, in float c, out int d[2]) { return 1.0; }",
            &["f a vec3(0)", "f d int[2](int(0), int(0))"],
        );
        is("void f(out float a); void f(float a) {} void f(out float a) {}", &["f a float(0)"]);
        is(
            "layout(location = 1) out vec4 o; out vec4 p;",
            &["output o vec4(0)", "output p vec4(0)"],
        );
        is(
            "float[2] a[3]; void f() { float[2] b; }",
            &[
                "global a float[3][2](float[2](float(0), float(0)), float[2](float(0), float(0)), float[2](float(0), float(0)))",
                "local b float[2](float(0), float(0))",
            ],
        );
        is(
            "#define R3 vec3\n#define D(t, n) t n;\nvoid f() { R3 a; D(R3, b) }",
            &["local a vec3(0)", "local b vec3(0)"],
        );
    }

    #[test]
    fn what_has_its_value_from_elsewhere_is_none() {
        for text in [
            "uniform float a; in vec2 b; const float c = 1.0; varying vec2 d; attribute vec4 e;",
            "uniform B { float a; } b; buffer C { float x[]; }; shared float y[4];",
            "precision highp float; uniform sampler2D s; struct S { sampler2D s; }; uniform S t;",
            "vec4 gl_FragColor; float f(float x); float x[] = float[](1.0);",
            "void f(float x, in vec2 y, const in vec3 z, inout vec4 w, out float) {}",
            "void f() { const float x = 1.0; float y = x, z = y; f(x); return; a.b = c[1]; }",
            "float f(float x) { return x > 0.0 ? x : -x; } vec2 g() { return vec2[2](a, b)[0]; }",
        ] {
            is(text, &[]);
        }
    }
}
