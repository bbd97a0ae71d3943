//! Zeros for variables that are declared without a value, and for outputs: browsers set them so,
//! and what is pasted from there may count on it.
//!
//! Where drivers see that a variable is written before it is read, its zero costs nothing.

use std::collections::{BTreeMap, BTreeSet};

use quadrille::internal::shader::{Edit, Lowered, Position, Token};

use super::variables::{Declared, Function, Role, declared};

/// The function that sets what no initial value can: it is called first.
const ZEROS: &str = "quadrille_zeros";

/// Returns the changes by which the author's lines of a text have zeros. A function `image` takes
/// its output as its host has it.
pub(super) fn lowered(text: &[Token], image: &str, is_own: &dyn Fn(usize) -> bool) -> Lowered {
    let is_own = |at: usize| text.get(at).is_some_and(|token| is_own(token.from.start.0));
    let declared = declared(text);
    let entry = entry(&declared, image, is_own);
    let mut insertions = Insertions { text, behind: BTreeMap::new(), front: None };
    let mut globals = Vec::new();
    for variable in declared.variables.iter().filter(|variable| is_own(variable.last)) {
        let (name, kind) = (&variable.name, &variable.kind);
        match (&variable.role, kind.zero()) {
            (Role::Global | Role::Local { .. }, Some(zero)) => {
                insertions.add(variable.last, &format!(" = {zero}"));
            }
            (Role::Local { end, is_counter: false }, None) => {
                insertions.add(*end, &format!(" {}", kind.zeroed(name)));
            }
            (Role::Global | Role::Output, _) => globals.push(kind.zeroed(name)),
            (Role::Parameter { function }, _) => {
                let function = &declared.functions[*function];
                let is_image = *function.name == *image && entry == Some(function);
                if !is_image {
                    insertions.add(function.body.start, &format!(" {}", kind.zeroed(name)));
                }
            }
            (Role::Local { .. }, None) => {}
        }
    }
    let mut behind = Vec::new();
    if let (Some(entry), false) = (entry, globals.is_empty()) {
        insertions.front = Some((entry.first, format!("void {ZEROS}(); ")));
        insertions.add(entry.body.start, &format!(" {ZEROS}();"));
        behind.push(format!("void {ZEROS}() {{ {} }}", globals.join(" ")));
    }
    Lowered { edits: insertions.edits(), behind }
}

/// Returns the author's function that runs first.
fn entry<'a>(
    declared: &'a Declared,
    image: &str,
    is_own: impl Fn(usize) -> bool,
) -> Option<&'a Function> {
    let own = |name: &str| {
        let mut functions = declared.functions.iter();
        functions.find(|function| *function.name == *name && is_own(function.first))
    };
    own("main").or_else(|| own("quadrille_own_main")).or_else(|| own(image))
}

/// Texts that are put between tokens.
struct Insertions<'a> {
    text: &'a [Token],
    /// Each behind a token.
    behind: BTreeMap<usize, String>,
    /// One in front of a token.
    front: Option<(usize, String)>,
}

impl Insertions<'_> {
    fn add(&mut self, at: usize, text: &str) {
        self.behind.entry(at).or_default().push_str(text);
    }

    /// Returns the changes of lines. What would stand within the use of a macro has what the macro
    /// leaves take the place of that.
    fn edits(mut self) -> Vec<Edit> {
        let start = |at: usize| self.text.get(at).map(|token| token.from.start);
        let is_within = |at: usize| start(at) == start(at + 1);
        let mut edits = Vec::new();
        if let Some((at, text)) = self.front.take() {
            match at.checked_sub(1).filter(|before| is_within(*before)) {
                Some(before) => self.behind.entry(before).or_default().push_str(&text),
                None => edits.extend(start(at).map(|place| inserted(place, text))),
            }
        }
        let within: BTreeSet<Position> =
            self.behind.keys().filter(|at| is_within(**at)).filter_map(|at| start(*at)).collect();
        let mut replaced: BTreeMap<Position, Replaced> = BTreeMap::new();
        for (at, token) in self.text.iter().enumerate() {
            if !within.contains(&token.from.start) {
                if let Some(text) = self.behind.get(&at) {
                    edits.push(inserted(token.from.end, text.clone()));
                }
                continue;
            }
            let of_macro = replaced.entry(token.from.start).or_insert_with(|| Replaced {
                end: token.from.end,
                text: String::new(),
                is_painted: false,
            });
            of_macro.is_painted |= token.is_painted;
            for part in [" ", &*token.text, self.behind.get(&at).map_or("", String::as_str)] {
                of_macro.text.push_str(part);
            }
        }
        // A driver would replace what is painted once more.
        let replaced = replaced.into_iter().filter(|(_, of_macro)| !of_macro.is_painted);
        edits.extend(replaced.flat_map(|(start, of_macro)| of_macro.edits(start)));
        edits
    }
}

fn inserted((line, column): Position, text: String) -> Edit {
    Edit { line, start: column, end: column, text }
}

/// What takes the place of the use of a macro.
struct Replaced {
    end: Position,
    text: String,
    is_painted: bool,
}

impl Replaced {
    /// Returns the changes of the lines from this position on.
    fn edits(self, (first, start): Position) -> Vec<Edit> {
        let (last, end) = self.end;
        let of_line = |line: usize| Edit {
            line,
            start: if line == first { start } else { 0 },
            end: if line == last { end } else { usize::MAX },
            text: if line == first { self.text.clone() } else { String::new() },
        };
        (first..=last).map(of_line).collect()
    }
}
