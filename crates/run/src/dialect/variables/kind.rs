//! The types of variables, and the zeros of each.

use std::rc::Rc;

/// A type whose values are numbers or flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `float`, `ivec3`, `mat4x2`.
    Basic(Rc<str>),
    /// An array; its length where it is written as a number.
    Array { of: Box<Kind>, length: Option<usize> },
    /// A struct, by its name if it has one, and its members.
    Struct { name: Option<Rc<str>>, members: Rc<Vec<(Rc<str>, Kind)>> },
}

/// The longest value that is written out, in bytes; a longer one is set by loops.
const LONGEST: usize = 2000;

impl Kind {
    /// Returns a type of the language.
    pub(super) fn basic(word: &str) -> Option<Kind> {
        let scalar = ["float", "int", "uint", "bool", "double"].contains(&word);
        let vector = || {
            let (start, size) = word.split_once("vec")?;
            let known = ["", "i", "u", "b", "d"].contains(&start) && is_size(size);
            known.then_some(())
        };
        let matrix = || {
            let size = word.strip_prefix("mat").or(word.strip_prefix("dmat"))?;
            let sides = size
                .split_once('x')
                .map_or(is_size(size), |(columns, rows)| is_size(columns) && is_size(rows));
            sides.then_some(())
        };
        let is = scalar || vector().is_some() || matrix().is_some();
        is.then(|| Kind::Basic(word.into()))
    }

    /// Returns the type of arrays of this type, by the lengths from the outermost on.
    pub(super) fn arrays(self, lengths: &[Option<usize>]) -> Kind {
        lengths
            .iter()
            .rev()
            .fold(self, |of, length| Kind::Array { of: Box::new(of), length: *length })
    }

    /// Returns its zero as a constant expression, unless that would be long.
    pub(crate) fn zero(&self) -> Option<String> {
        let text = match self {
            Kind::Basic(name) => format!("{name}(0)"),
            Kind::Array { of, length } => {
                let (one, count) = (of.zero()?, (*length)?);
                if one.len().saturating_mul(count) > LONGEST {
                    return None;
                }
                format!("{}({})", self.name()?, vec![one; count].join(", "))
            }
            Kind::Struct { name, members } => {
                let zeros = members.iter().map(|(_, kind)| kind.zero());
                let zeros: Vec<String> = zeros.collect::<Option<_>>()?;
                format!("{}({})", name.as_deref()?, zeros.join(", "))
            }
        };
        (text.len() <= LONGEST).then_some(text)
    }

    /// Returns statements that set a variable of it, or a part of one, to zero.
    pub(crate) fn zeroed(&self, variable: &str) -> String {
        self.zeroed_within(variable, 0)
    }

    fn zeroed_within(&self, place: &str, depth: usize) -> String {
        if let Some(zero) = self.zero() {
            return format!("{place} = {zero};");
        }
        match self {
            Kind::Array { of, .. } => {
                let index = format!("quadrille_{depth}");
                let each = of.zeroed_within(&format!("{place}[{index}]"), depth + 1);
                format!("for (int {index} = 0; {index} < {place}.length(); {index}++) {{ {each} }}")
            }
            Kind::Struct { members, .. } => {
                let member = |(name, kind): &(Rc<str>, Kind)| {
                    kind.zeroed_within(&format!("{place}.{name}"), depth)
                };
                members.iter().map(member).collect::<Vec<_>>().join(" ")
            }
            Kind::Basic(_) => String::new(),
        }
    }

    /// Returns the name of its constructor, if it has one.
    fn name(&self) -> Option<String> {
        let (mut lengths, mut kind) = (String::new(), self);
        loop {
            match kind {
                Kind::Array { of, length } => {
                    lengths += &format!("[{}]", (*length)?);
                    kind = of;
                }
                Kind::Basic(name) => return Some(format!("{name}{lengths}")),
                Kind::Struct { name, .. } => return Some(format!("{}{lengths}", name.as_deref()?)),
            }
        }
    }
}

fn is_size(text: &str) -> bool {
    matches!(text, "2" | "3" | "4")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn basic(word: &str) -> Kind {
        Kind::basic(word).unwrap()
    }

    #[test]
    fn types_of_the_language_are_known() {
        for word in ["float", "bool", "uvec2", "bvec4", "mat3", "mat2x4", "dmat4", "dvec3"] {
            assert!(Kind::basic(word).is_some(), "{word}");
        }
        for word in ["void", "vec5", "vec", "mat", "mat4x5", "fvec2", "sampler2D", "vec2x", ""] {
            assert!(Kind::basic(word).is_none(), "{word}");
        }
    }

    #[test]
    fn zeros_are_written_out_or_set_by_loops() {
        let two_of_three = basic("vec2").arrays(&[Some(2), Some(3)]);
        let zeros = "vec2[3](vec2(0), vec2(0), vec2(0))";
        assert_eq!(two_of_three.zero().unwrap(), format!("vec2[2][3]({zeros}, {zeros})"));
        let many = basic("float").arrays(&[None]);
        let looped = "for (int quadrille_0 = 0; quadrille_0 < x.length(); quadrille_0++) { x[quadrille_0] = float(0); }";
        assert_eq!((many.zero(), many.zeroed("x")), (None, looped.to_owned()));
        assert_eq!(basic("int").arrays(&[Some(1000)]).zero(), None);
        let members = vec![("a".into(), basic("float")), ("b".into(), many)];
        let members = Rc::new(members);
        let whole = Kind::Struct { name: Some("S".into()), members: members.clone() };
        assert!(whole.zeroed("s").starts_with("s.a = float(0); for (int quadrille_0 = 0;"));
        let members = Rc::new(members[..1].to_vec());
        let small = Kind::Struct { name: Some("S".into()), members };
        assert_eq!(small.arrays(&[Some(1)]).zero().unwrap(), "S[1](S(float(0)))");
    }
}
