//! Uniforms from text, by the type that the shader declares.

use std::str::FromStr;

use crate::gl::{Class, ParameterKind, Value};

/// Parses a text as a value of this type.
pub(super) fn value(kind: ParameterKind, length: usize, text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != count(kind, length) {
        return None;
    }
    match kind {
        ParameterKind::Number { class: Class::Float, components } => {
            floats(components, length, all(&parts, float)?)
        }
        ParameterKind::Number { class: Class::Int, components } => {
            let numbers = all(&parts, whole::<i32>)?;
            Some(match (length, components) {
                (1, 1) => Value::Int(*numbers.first()?),
                (1, 2) => Value::IVec2(numbers.try_into().ok()?),
                (1, 3) => Value::IVec3(numbers.try_into().ok()?),
                (1, _) => Value::IVec4(numbers.try_into().ok()?),
                (_, 1) => Value::Ints(numbers),
                _ => return None,
            })
        }
        ParameterKind::Number { class: Class::Uint, components } => {
            let numbers = all(&parts, whole::<u32>)?;
            Some(match (length, components) {
                (1, 1) => Value::Uint(*numbers.first()?),
                (1, 2) => Value::UVec2(numbers.try_into().ok()?),
                (1, 3) => Value::UVec3(numbers.try_into().ok()?),
                (1, _) => Value::UVec4(numbers.try_into().ok()?),
                (_, 1) => Value::Uints(numbers),
                _ => return None,
            })
        }
        ParameterKind::Matrix(side) if length == 1 => {
            let numbers = all(&parts, float)?;
            Some(match side {
                2 => Value::Mat2(numbers.try_into().ok()?),
                3 => Value::Mat3(numbers.try_into().ok()?),
                _ => Value::Mat4(numbers.try_into().ok()?),
            })
        }
        ParameterKind::Bool if length == 1 => match *parts.first()? {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

/// Describes the text of a value of this type.
pub(super) fn expected(kind: ParameterKind, length: usize) -> String {
    let (what, whats) = match kind {
        ParameterKind::Number { class: Class::Float, .. } | ParameterKind::Matrix(_) => {
            ("a number that a float holds", "numbers")
        }
        ParameterKind::Number { class: Class::Int, components: 1 } if length == 1 => {
            ("a whole number of 32 bits", "")
        }
        ParameterKind::Number { class: Class::Int, components }
            if length == 1 || components == 1 =>
        {
            ("", "whole numbers")
        }
        ParameterKind::Number { class: Class::Uint, components }
            if length == 1 || components == 1 =>
        {
            ("a whole number from 0 to 4294967295", "whole numbers from 0 on")
        }
        ParameterKind::Bool if length == 1 => ("true or false", ""),
        _ => {
            return "a type that text can give (no bvec, and no array of bools, matrices or integer vectors)"
                .into();
        }
    };
    match count(kind, length) {
        1 => what.to_owned(),
        count => format!("{count} {whats} with commas between them"),
    }
}

fn count(kind: ParameterKind, length: usize) -> usize {
    let components = match kind {
        ParameterKind::Number { components, .. } => components as usize,
        ParameterKind::Matrix(side) => (side * side) as usize,
        _ => 1,
    };
    components * length
}

fn floats(components: u32, length: usize, numbers: Vec<f32>) -> Option<Value> {
    fn grouped<const N: usize>(numbers: &[f32]) -> Vec<[f32; N]> {
        numbers.as_chunks::<N>().0.to_vec()
    }
    Some(match (length, components) {
        (1, 1) => Value::Float(*numbers.first()?),
        (1, 2) => Value::Vec2(numbers.try_into().ok()?),
        (1, 3) => Value::Vec3(numbers.try_into().ok()?),
        (1, _) => Value::Vec4(numbers.try_into().ok()?),
        (_, 1) => Value::Floats(numbers),
        (_, 2) => Value::Vec2s(grouped(&numbers)),
        (_, 3) => Value::Vec3s(grouped(&numbers)),
        _ => Value::Vec4s(grouped(&numbers)),
    })
}

fn all<T>(parts: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    parts.iter().map(|part| read(part)).collect()
}

/// A number as written, unless it is beyond what a float holds.
fn float(text: &str) -> Option<f32> {
    text.parse::<f32>().ok().filter(|number| number.is_finite())
}

fn whole<T: FromStr + TryFrom<i64>>(text: &str) -> Option<T> {
    match text.strip_prefix("0x") {
        // `from_str_radix` takes a sign.
        Some(digits) if digits.starts_with(['+', '-']) => None,
        Some(digits) => T::try_from(i64::from_str_radix(digits, 16).ok()?).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn number(class: Class, components: u32) -> ParameterKind {
        ParameterKind::Number { class, components }
    }

    #[test]
    fn every_type_that_text_can_give_is_read() {
        let (float, int, uint) =
            (|n| number(Class::Float, n), |n| number(Class::Int, n), |n| number(Class::Uint, n));
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
            (ParameterKind::Bool, 1, "true", Value::Bool(true)),
            (ParameterKind::Matrix(2), 1, "1,2,3,4", Value::Mat2([1.0, 2.0, 3.0, 4.0])),
        ];
        for (kind, length, text, wanted) in cases {
            let got = value(kind, length, text);
            assert_eq!(got.as_ref(), Some(&wanted), "{kind} {length} {text}");
            assert_eq!(got.unwrap().kind(), (kind, length));
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
            (ParameterKind::Bool, "yes"),
            (ParameterKind::Other(0x8b65), "1"),
        ] {
            assert_eq!(value(kind, 1, text), None, "{kind} {text}");
            assert!(!expected(kind, 1).is_empty());
        }
        assert!(expected(number(Class::Int, 3), 1).starts_with("3 whole numbers"));
    }
}
