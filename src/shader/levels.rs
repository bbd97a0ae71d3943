//! Finds the samplers whose levels a text asks for: by a function of GLSL with a level, a bias or
//! derivatives, which it calls by itself, through macros, or through functions with a sampler among
//! their parameters.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::lexer::preprocess::preprocessed;
use super::lexer::tokens::Word;

/// The samplers whose levels a text asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LevelReads {
    names: HashSet<String>,
    /// Whether the text is too involved to tell, so that any sampler may be among them.
    may_be_any: bool,
}

impl LevelReads {
    /// Finds those of an expanded text.
    pub(in crate::shader) fn of(text: &str) -> LevelReads {
        match preprocessed(text) {
            Some(words) => LevelReads { names: Calls::of(&words).names(), may_be_any: false },
            None => LevelReads { may_be_any: true, ..LevelReads::default() },
        }
    }

    /// Returns whether a sampler is among them; `name` may be that of a field or an element.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.may_be_any
            || name.split(['.', '[']).next().is_some_and(|name| self.names.contains(name))
    }
}

/// Returns the index of the argument that chooses the level for a function of GLSL whose first
/// argument is a sampler, an inner `None` where all of its calls choose one; `None` for any other
/// function.
fn built_in(name: &str) -> Option<Option<usize>> {
    Some(match name {
        "textureSize" => Some(1),
        "texture"
        | "textureProj"
        | "textureLod"
        | "textureLodOffset"
        | "textureProjLod"
        | "textureProjLodOffset"
        | "texelFetch"
        | "texelFetchOffset" => Some(2),
        "textureOffset" | "textureProjOffset" => Some(3),
        "textureGrad"
        | "textureGradOffset"
        | "textureProjGrad"
        | "textureProjGradOffset"
        | "textureQueryLevels"
        | "textureQueryLod"
        | "textureQueryLOD" => None,
        _ => return None,
    })
}

/// What a function does with the sampler that it is given as an argument: it asks for its levels,
/// unless the argument that chooses the level, if there is one, is left out or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Asks {
    sampler: usize,
    level: Option<usize>,
}

/// The name of a function, and how many arguments it takes.
type Signature<'a> = (&'a str, usize);

struct Function<'a> {
    name: &'a str,
    parameters: Vec<Parameter<'a>>,
    body: Range<usize>,
}

struct Parameter<'a> {
    name: &'a str,
    is_sampler: bool,
    is_written: bool,
}

/// The calls of a text without macros.
struct Calls<'a> {
    words: &'a [Word],
    /// For each opening parenthesis the closing one.
    closing: HashMap<usize, usize>,
    functions: Vec<Function<'a>>,
    /// The names of constants that are 0.
    zeros: HashSet<&'a str>,
}

const KEYWORDS: [&str; 5] = ["if", "for", "while", "switch", "return"];

impl<'a> Calls<'a> {
    fn of(words: &'a [Word]) -> Calls<'a> {
        let mut calls =
            Calls { words, closing: closing(words), functions: Vec::new(), zeros: HashSet::new() };
        calls.functions = calls.find_functions();
        calls.zeros = calls.find_zeros();
        calls
    }

    fn name(&self, at: usize) -> Option<&'a str> {
        match self.words.get(at) {
            Some(Word::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.words.get(at) == Some(&Word::Mark(mark))
    }

    /// Returns the functions in their order, the first what stands before all of them.
    fn find_functions(&self) -> Vec<Function<'a>> {
        let end = self.words.len();
        let mut functions = vec![Function { name: "", parameters: Vec::new(), body: 0..end }];
        for at in 0..end {
            let (Some(name), Some(close)) = (self.name(at), self.closing.get(&(at + 1))) else {
                continue;
            };
            if KEYWORDS.contains(&name) || !self.is_mark(close + 1, '{') {
                continue;
            }
            if let Some(last) = functions.last_mut() {
                last.body.end = at;
            }
            let parameters = self.arguments(at + 1, *close).into_iter();
            let parameters = parameters.map(|range| self.parameter(range)).collect();
            functions.push(Function { name, parameters, body: close + 1..end });
        }
        functions
    }

    fn parameter(&self, range: Range<usize>) -> Parameter<'a> {
        let all: Vec<&str> = range.clone().filter_map(|at| self.name(at)).collect();
        let array = range.clone().find(|at| self.is_mark(*at, '[')).unwrap_or(range.end);
        let name = (range.start..array).rev().find_map(|at| self.name(at)).unwrap_or_default();
        let is_sampler = all.iter().any(|word| word.contains("sampler"));
        Parameter { name, is_sampler, is_written: all.contains(&"out") || all.contains(&"inout") }
    }

    /// Returns the ranges between the commas of the parentheses that open and close here.
    fn arguments(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let (mut arguments, mut start, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            if self.is_mark(at, ',') {
                arguments.push(start..at);
                start = at + 1;
            }
            at = self.closing.get(&at).map_or(at, |inner| *inner) + 1;
        }
        if start < close || !arguments.is_empty() {
            arguments.push(start..close);
        }
        arguments
    }

    /// Returns the names of constants that are 0 and of nothing else.
    fn find_zeros(&self) -> HashSet<&'a str> {
        let mut zeros = HashSet::new();
        for at in 0..self.words.len() {
            if self.name(at) != Some("const") {
                continue;
            }
            let Some(equals) = (at..at + 6).find(|at| self.is_mark(*at, '=')) else { continue };
            let Some(name) = self.name(equals - 1) else { continue };
            let ends = |at: &usize| self.is_mark(*at, ';') || self.is_mark(*at, ',');
            let end = (equals..self.words.len()).find(ends).unwrap_or(self.words.len());
            if self.is_zero(equals + 1..end) && self.is_declared_once(name) {
                zeros.insert(name);
            }
        }
        zeros
    }

    fn is_declared_once(&self, name: &str) -> bool {
        let declared = |at: &usize| {
            let typed = at.checked_sub(1).and_then(|before| self.name(before));
            self.name(*at) == Some(name) && typed.is_some_and(|before| !KEYWORDS.contains(&before))
        };
        (0..self.words.len()).filter(declared).count() == 1
    }

    /// Returns whether words are 0 written as a number, or a constant that is.
    fn is_zero(&self, range: Range<usize>) -> bool {
        let mut text = String::new();
        for word in self.words.get(range).unwrap_or_default() {
            match word {
                Word::Name(name) if ["float", "int", "uint"].contains(&name.as_str()) => {}
                Word::Mark('(' | ')' | '+' | '-') => {}
                Word::Name(name) if self.zeros.contains(name.as_str()) => text.push('0'),
                Word::Name(name) => text.push_str(name.trim_end_matches(['f', 'F', 'u', 'U'])),
                Word::Mark(mark) => text.push(*mark),
                _ => return false,
            }
        }
        text.parse() == Ok(0.0_f64)
    }

    /// Returns the names of the samplers that are asked for levels, and of no parameter.
    fn names(&self) -> HashSet<String> {
        let mut asking: HashMap<Signature<'a>, HashSet<Asks>> = HashMap::new();
        let mut names = HashSet::new();
        loop {
            let mut grows = false;
            for function in &self.functions {
                for (sampler, level) in self.asked_in(function, &asking) {
                    let Some(name) = self.name(sampler) else { continue };
                    match function.parameters.iter().position(|known| known.name == name) {
                        None => drop(names.insert(name.to_owned())),
                        Some(sampler) => {
                            let level = level.and_then(|level| self.as_parameter(function, level));
                            let signature = (function.name, function.parameters.len());
                            let asks = asking.entry(signature).or_default();
                            grows |= asks.insert(Asks { sampler, level });
                        }
                    }
                }
            }
            if !grows {
                return names;
            }
        }
    }

    /// Returns where a function names samplers that it asks for levels, and what chooses the level.
    fn asked_in(
        &self,
        function: &Function<'a>,
        asking: &HashMap<Signature<'a>, HashSet<Asks>>,
    ) -> Vec<(usize, Option<Range<usize>>)> {
        let mut asked = Vec::new();
        for at in function.body.clone() {
            let (Some(name), Some(close)) = (self.name(at), self.closing.get(&(at + 1))) else {
                continue;
            };
            let arguments = self.arguments(at + 1, *close);
            let own = asking.get(&(name, arguments.len())).into_iter().flatten().copied();
            let level = built_in(name).filter(|_| !self.replaces(name, arguments.len()));
            for asks in own.chain(level.map(|level| Asks { sampler: 0, level })) {
                let level = asks.level.map(|level| arguments.get(level).cloned());
                if level.as_ref().is_some_and(|level| self.is_level_0(level.as_ref())) {
                    continue;
                }
                let range = arguments.get(asks.sampler).cloned().unwrap_or_default();
                let is_own =
                    |at: &usize| !at.checked_sub(1).is_some_and(|at| self.is_mark(at, '.'));
                asked.extend(range.filter(is_own).map(|at| (at, level.clone().flatten())));
            }
        }
        asked
    }

    /// Returns whether an argument that was left out, or is 0, chooses level 0.
    fn is_level_0(&self, argument: Option<&Range<usize>>) -> bool {
        argument.is_none_or(|range| self.is_zero(range.clone()))
    }

    /// Returns whether the text has a function in place of this one of GLSL.
    fn replaces(&self, name: &str, arguments: usize) -> bool {
        self.functions.iter().any(|function| {
            let parameters = &function.parameters;
            let takes = parameters.first().is_some_and(|first| first.is_sampler);
            function.name == name && parameters.len() == arguments && takes
        })
    }

    /// Returns the parameter of a function that an argument is, as the function was given it.
    fn as_parameter(&self, function: &Function<'a>, argument: Range<usize>) -> Option<usize> {
        let name = self.name(argument.start).filter(|_| argument.len() == 1)?;
        let index = function.parameters.iter().position(|known| known.name == name)?;
        let is_changed = |at: usize| self.name(at) == Some(name) && self.is_written(at);
        (!function.body.clone().any(is_changed)).then_some(index)
    }

    /// Returns whether a name is assigned to here, or given to a function that may do so.
    fn is_written(&self, at: usize) -> bool {
        let mark = |at: usize| match self.words.get(at) {
            Some(Word::Mark(mark)) => *mark,
            _ => ' ',
        };
        let before = |back: usize| at.checked_sub(back).map_or(' ', mark);
        let (first, second) = (mark(at + 1), mark(at + 2));
        let steps = |a, b| a == b && (a == '+' || a == '-');
        let assigns = match first {
            '=' => second != '=',
            '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' => second == '=',
            '<' | '>' => second == first && mark(at + 3) == '=',
            _ => false,
        };
        let is_argument = [',', '('].contains(&before(1)) && [',', ')'].contains(&first);
        assigns
            || steps(first, second)
            || steps(before(1), before(2))
            || is_argument && self.is_given_to_a_writer(at)
    }

    /// Returns whether the call around an argument is of a function of the text that writes some
    /// of its parameters.
    fn is_given_to_a_writer(&self, at: usize) -> bool {
        let writes = |name: &str| {
            let mut called = self.functions.iter().filter(|function| function.name == name);
            called.any(|function| function.parameters.iter().any(|known| known.is_written))
        };
        let around = self.closing.iter().filter(|(open, close)| (**open..**close).contains(&at));
        let inner = around.map(|(open, _)| *open).max().and_then(|open| open.checked_sub(1));
        inner.and_then(|at| self.name(at)).is_some_and(writes)
    }
}

/// Returns for each opening parenthesis the closing one.
fn closing(words: &[Word]) -> HashMap<usize, usize> {
    let (mut open, mut closing) = (Vec::new(), HashMap::new());
    for (at, word) in words.iter().enumerate() {
        match word {
            Word::Mark('(') => open.push(at),
            Word::Mark(')') => drop(open.pop().and_then(|opened| closing.insert(opened, at))),
            _ => {}
        }
    }
    closing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<String> {
        let mut names: Vec<String> = LevelReads::of(text).names.into_iter().collect();
        names.sort();
        names
    }

    #[test]
    fn functions_of_levels_name_their_samplers() {
        for call in [
            "textureLod(t, uv, 8.0)",
            "textureLod(t, uv, level)",
            "texture(t, uv, 1.5)",
            "texture(t, uv, -1.0)",
            "textureProj(t, vec3(uv, 1.0), 2.0)",
            "textureOffset(t, uv, ivec2(1, 2), 2.0)",
            "textureProjOffset(t, vec3(uv, 1.0), ivec2(1, 2), bias)",
            "textureGrad(t, uv, dFdx(uv), dFdy(uv))",
            "textureGradOffset(t, uv, a, b, ivec2(1))",
            "textureProjLod(t, vec3(uv, 1.0), 2.0)",
            "textureProjLodOffset(t, vec3(uv, 1.0), 2.0, ivec2(1))",
            "textureProjGrad(t, p, a, b)",
            "textureLodOffset(t, uv, 3.0, ivec2(1))",
            "texelFetch(t, ivec2(0), 1)",
            "texelFetch(t, ivec2(0), int(time))",
            "texelFetchOffset(t, ivec2(0), 1 + 1, ivec2(1))",
            "textureSize(t, 2)",
            "textureQueryLevels(t)",
            "textureQueryLod(t, uv)",
            "texture /* of */ (\n t, // t\n uv, (f(1.0, 2.0)))",
        ] {
            assert_eq!(asked(&format!("void main() {{ o = {call}; }}")), ["t"], "{call}");
        }
    }

    #[test]
    fn level_0_is_no_level() {
        for call in [
            "texture(t, uv)",
            "texture(t, f(uv, 1.0))",
            "textureLod(t, uv, 0.0)",
            "textureLod(t, uv, 0.)",
            "textureLod(t, uv, -0.0f)",
            "textureLod(t, uv, float(0))",
            "textureLod(t, uv, .0)",
            "texture(t, uv, 0.0)",
            "texelFetch(t, ivec2(1, 2), 0)",
            "texelFetch(t, ivec2(1, 2), (0u))",
            "textureSize(t, 0)",
            "textureOffset(t, uv, ivec2(1, 2))",
            "textureGather(t, uv, 1)",
            "textureLods(t, uv, 3.0)",
            "my_textureLod(t, uv, 3.0)",
            "textureLod(uv, 3.0)",
            "/* textureLod(t, uv, 3.0) */ 1.0; // texture(t, uv, 2.0)",
            "texelFetch(t, p, LEVEL)",
        ] {
            let text = format!("const int LEVEL = 0; void main() {{ o = {call}; }}");
            assert!(asked(&text).iter().all(|name| name != "t"), "{call}: {:?}", asked(&text));
        }
    }

    #[test]
    fn macros_and_functions_lead_to_the_samplers() {
        for (text, wanted) in [
            ("#define T(u, l) textureLod(t, u, l)\nvoid main() { T(uv, 2.0); }", "t"),
            ("#define T(u, l) textureLod(t, u, l)\nvoid main() { T(uv, 0.0); }", ""),
            ("#define T(s, l) textureLod(s, uv, l)\nvoid main() { T(a, 0.0); T(b, 1.0); }", "b"),
            ("#define F textureLod\nvoid main() { F(t, uv, 1.0); }", "t"),
            ("#define J(a) texture##a\nvoid main() { J(Lod)(t, uv, 1.0); }", "t"),
            ("#if 0\nvoid main() { textureLod(t, uv, 1.0); }\n#endif", ""),
            ("#ifdef GL_x\nvoid main() { textureLod(t, uv, 1.0); }\n#endif", "t"),
            (
                "vec4 f(sampler2D s, float l) { return textureLod(s, uv, l); } void main() { f(a, 0.0); f(b, 1.0); }",
                "b",
            ),
            (
                "vec4 f(sampler2D s, float l) { l += 1.0; return textureLod(s, uv, l); } void main() { f(a, 0.0); }",
                "a",
            ),
            (
                "vec4 f(sampler2D s, float l) { ++l; return textureLod(s, uv, l); } void main() { f(a, 0.0); }",
                "a",
            ),
            (
                "void g(inout float x) { x = 3.0; } vec4 f(sampler2D s, float l) { g(l); return textureLod(s, uv, l); } \
              void main() { f(a, 0.0); }",
                "a",
            ),
            (
                "vec4 f(sampler2D s, float l) { return l == 0.0 ? x : textureLod(s, uv, l); } void main() { f(a, 0.0); }",
                "",
            ),
            (
                "vec4 f(float l, sampler2D s) { return g(s, l); } vec4 g(sampler2D s, float l) { return textureLod(s, uv, l); } \
              void main() { f(2.0, a); f(0.0, b); }",
                "a",
            ),
            ("vec4 f(sampler2D s) { return texture(s, uv); } void main() { f(a); }", ""),
            (
                "vec4 f(sampler2D s) { return textureLod(s, uv, 3.0); } void main() { f(a); g(b); }",
                "a",
            ),
            (
                "vec4 f(sampler2D s, vec2 p) { return texture(s, p); } vec4 f(sampler2D s, vec2 p, float b) { return texture(s, p, b); } \
              void main() { f(a, uv); f(b, uv, 1.0); }",
                "b",
            ),
            (
                "vec4 textureLod(sampler2D s, vec2 p, float l) { return texture(s, p); } void main() { textureLod(a, uv, 3.0); }",
                "",
            ),
            (
                "vec4 textureLod(vec2 p, float l, int n) { return vec4(l); } void main() { textureLod(a, uv, 3.0); }",
                "a",
            ),
            ("const float L = 0.0; void main() { float L = 3.0; textureLod(a, uv, L); }", "a"),
            ("vec4 x = textureLod(a, uv, 3.0);", "a"),
            ("void main() { textureLod(m.a, uv, 3.0); }", "m"),
            ("void main() { for (int i = 0; i < 3; i++) { texelFetch(a, p, i); } }", "a"),
        ] {
            assert_eq!(asked(text).join(" "), wanted, "{text}");
        }
    }

    proptest::proptest! {
        /// Whatever the words, the search ends.
        #[test]
        fn any_words_are_searched(words in proptest::collection::vec(0..WORDS.len(), 0..60)) {
            let text: String = words.into_iter().map(|word| WORDS[word]).collect();
            let _found = LevelReads::of(&text);
        }
    }

    const WORDS: [&str; 24] = [
        "#define F(a, b) a##b\n",
        "#define T textureLod\n",
        "#define F\\\n",
        "#undef F\n",
        "#if F(1, 2) > T\n",
        "#ifdef GL_x\n",
        "#else\n",
        "#endif\n",
        "(",
        ")",
        "{",
        "}",
        ",",
        ";",
        " F",
        " T",
        " textureLod",
        " sampler2D s",
        " const float L = 0.0",
        " f",
        "##",
        "=",
        "++",
        ".",
    ];

    #[test]
    fn a_text_that_is_too_involved_may_ask_for_any() {
        let doubling: String =
            (0..40).map(|i| format!("#define A{i} A{0} A{0}\n", i + 1)).collect();
        assert!(LevelReads::of(&format!("{doubling}A0")).contains("any"));
        assert!(LevelReads::of("void main() { textureLod(a[2], uv, 3.0); }").contains("a[0]"));
    }
}
