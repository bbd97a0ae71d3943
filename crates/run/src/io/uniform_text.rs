//! Uniforms from text, by the type that the shader declares.

use std::str::FromStr;

use quadrille::gl::{Class, Type, TypeKind, Value, Words};

/// Parses a text as a value of this type.
pub(crate) fn value(glsl: Type, text: &str) -> Option<Value> {
    let Type { kind, length } = glsl;
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if Some(parts.len()) != glsl.count() {
        return None;
    }
    match kind {
        TypeKind::Number { class: Class::Float, components } => {
            floats(components, length, all(&parts, float)?)
        }
        TypeKind::Number { class: Class::Int, components } if length == 1 || components == 1 => {
            numbers(components, length, all(&parts, whole::<i32>)?)
        }
        TypeKind::Number { class: Class::Uint, components } if length == 1 || components == 1 => {
            numbers(components, length, all(&parts, whole::<u32>)?)
        }
        TypeKind::Matrix(side) if length == 1 => {
            let numbers = all(&parts, float)?;
            Some(match side {
                2 => Value::Mat2(numbers.try_into().ok()?),
                3 => Value::Mat3(numbers.try_into().ok()?),
                _ => Value::Mat4(numbers.try_into().ok()?),
            })
        }
        TypeKind::Bool if length == 1 => truth(parts.first()?).map(Value::Bool),
        kind => Words::new(glsl, all(&parts, |part| word(kind, part))?).map(Value::Words),
    }
}

/// Parses one of the numbers of a value.
fn word(kind: TypeKind, text: &str) -> Option<u32> {
    match kind {
        TypeKind::Number { class: Class::Int, .. } => whole::<i32>(text).map(i32::cast_unsigned),
        TypeKind::Number { class: Class::Uint, .. } => whole(text),
        TypeKind::Bool | TypeKind::BoolVector(_) => truth(text).map(u32::from),
        _ => float(text).map(f32::to_bits),
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Returns the value of this type whose numbers are all 0.
pub(crate) fn zero(glsl: Type) -> Option<Value> {
    value(glsl, &vec!["0"; glsl.count()?].join(","))
}

/// Describes the text of a value of this type.
pub(crate) fn expected(glsl: Type) -> String {
    let (what, whats) = match glsl.kind {
        TypeKind::Number { class: Class::Float, .. } => ("a number that a float holds", "numbers"),
        TypeKind::Number { class: Class::Int, .. } => {
            ("a whole number of 32 bits", "whole numbers")
        }
        TypeKind::Number { class: Class::Uint, .. } => {
            ("a whole number from 0 to 4294967295", "whole numbers from 0 on")
        }
        TypeKind::Bool | TypeKind::BoolVector(_) => ("true or false", "of true and false"),
        _ => ("", "numbers"),
    };
    match glsl.count() {
        Some(1) => what.to_owned(),
        Some(count) => format!("{count} {whats} with commas between them"),
        None => "a type that text can give: numbers, or true and false".into(),
    }
}

fn floats(components: u32, length: usize, all: Vec<f32>) -> Option<Value> {
    fn grouped<const N: usize>(numbers: &[f32]) -> Vec<[f32; N]> {
        numbers.as_chunks::<N>().0.to_vec()
    }
    match (length, components) {
        (2.., 2) => Some(grouped::<2>(&all).into()),
        (2.., 3) => Some(grouped::<3>(&all).into()),
        (2.., 4) => Some(grouped::<4>(&all).into()),
        _ => numbers(components, length, all),
    }
}

/// Returns a number, a vector of two to four of them, or an array of numbers.
fn numbers<T: Copy>(components: u32, length: usize, all: Vec<T>) -> Option<Value>
where
    Value: From<T> + From<[T; 2]> + From<[T; 3]> + From<[T; 4]> + From<Vec<T>>,
{
    Some(match (length, components) {
        (1, 1) => Value::from(*all.first()?),
        (1, 2) => Value::from(<[T; 2]>::try_from(all).ok()?),
        (1, 3) => Value::from(<[T; 3]>::try_from(all).ok()?),
        (1, _) => Value::from(<[T; 4]>::try_from(all).ok()?),
        _ => Value::from(all),
    })
}

fn all<T>(parts: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    parts.iter().map(|part| read(part)).collect()
}

/// Returns a number that a float can hold.
fn float(text: &str) -> Option<f32> {
    text.parse::<f32>().ok().filter(|number| number.is_finite())
}

fn whole<T: FromStr + TryFrom<i64>>(text: &str) -> Option<T> {
    match text.strip_prefix("0x") {
        // `from_str_radix` accepts a sign.
        Some(digits) if digits.starts_with(['+', '-']) => None,
        Some(digits) => T::try_from(i64::from_str_radix(digits, 16).ok()?).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn number(class: Class, components: u32) -> TypeKind {
        TypeKind::Number { class, components }
    }

    #[test]
    fn every_type_that_text_can_give_is_read() {
        let (float, int, uint) =
            (|n| number(Class::Float, n), |n| number(Class::Int, n), |n| number(Class::Uint, n));
        let wide = TypeKind::Rectangular { columns: 3, rows: 2 };
        let last = [0, 0, 0, 0, 0, 0, 0, 1.0_f32.to_bits()];
        let words = |kind, length, words: &[u32]| {
            Value::Words(Words::new(Type { kind, length }, words.to_vec()).unwrap())
        };
        let cases = [
            (float(1), 1, "-1.5e-3", Value::Float(-1.5e-3)),
            (float(2), 1, "1, 2", Value::Vec2([1.0, 2.0])),
            (float(1), 3, "1,2,3", Value::Floats(vec![1.0, 2.0, 3.0])),
            (float(2), 2, "1,2,3,4", Value::Vec2s(vec![[1.0, 2.0], [3.0, 4.0]])),
            (float(3), 2, "1,2,3,4,5,6", Value::Vec3s(vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])),
            (int(1), 1, "-7", Value::Int(-7)),
            (int(2), 1, "-7,0x10", Value::IVec2([-7, 16])),
            (int(1), 2, "1,2", Value::Ints(vec![1, 2])),
            (uint(1), 1, "4294967295", Value::Uint(u32::MAX)),
            (uint(3), 1, "1,2,3", Value::UVec3([1, 2, 3])),
            (TypeKind::Bool, 1, "true", Value::Bool(true)),
            (TypeKind::Matrix(2), 1, "1,2,3,4", Value::Mat2([1.0, 2.0, 3.0, 4.0])),
            (int(2), 2, "1,-2,3,4", words(int(2), 2, &[1, u32::MAX - 1, 3, 4])),
            (uint(3), 2, "1,2,3,4,5,6", words(uint(3), 2, &[1, 2, 3, 4, 5, 6])),
            (TypeKind::Bool, 2, "true,0", words(TypeKind::Bool, 2, &[1, 0])),
            (TypeKind::BoolVector(2), 1, "false,1", words(TypeKind::BoolVector(2), 1, &[0, 1])),
            (wide, 1, "0,0,0,0,0,1", words(wide, 1, &[0, 0, 0, 0, 0, 1.0_f32.to_bits()])),
            (TypeKind::Matrix(2), 2, "0,0,0,0,0,0,0,1", words(TypeKind::Matrix(2), 2, &last)),
        ];
        for (kind, length, text, wanted) in cases {
            let got = value(Type { kind, length }, text);
            assert_eq!(got.as_ref(), Some(&wanted), "{kind} {length} {text}");
            assert_eq!(got.unwrap().glsl(), Type { kind, length });
        }
    }

    #[test]
    fn what_is_no_value_of_the_type_is_none() {
        for (kind, text) in [
            (number(Class::Float, 1), "a"),
            (number(Class::Float, 1), ""),
            (number(Class::Float, 1), "1e39"),
            (number(Class::Float, 1), "nan"),
            (number(Class::Float, 2), "1"),
            (number(Class::Float, 1), "1,2"),
            (number(Class::Int, 1), "1.5"),
            (number(Class::Int, 1), "2147483648"),
            (number(Class::Int, 1), "0x-5"),
            (number(Class::Int, 1), "0x+5"),
            (number(Class::Uint, 1), "-1"),
            (TypeKind::Bool, "yes"),
            (TypeKind::Other(0x8b65), "1"),
        ] {
            assert_eq!(value(kind.into(), text), None, "{kind} {text}");
            assert!(!expected(kind.into()).is_empty());
        }
        assert!(expected(number(Class::Int, 3).into()).starts_with("3 whole numbers"));
        assert!(expected(TypeKind::Matrix(2).into()).starts_with("4 numbers"));
        assert!(expected(Type { kind: TypeKind::Matrix(2), length: 2 }).starts_with("8 numbers"));
    }
}
