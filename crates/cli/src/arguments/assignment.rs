//! `NAME=VALUE`, as an argument.

use std::convert::Infallible;
use std::str::FromStr;

use crate::process::failure::Failure;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment<T = String> {
    pub(crate) name: String,
    pub(crate) value: T,
}

/// The pairs of a repeated argument.
pub(crate) fn pairs<T: Clone, U: From<T>>(assignments: &[Assignment<T>]) -> Vec<(String, U)> {
    let pair = |pair: &Assignment<T>| (pair.name.clone(), pair.value.clone().into());
    assignments.iter().map(pair).collect()
}

/// Returns the name and the value of `NAME=VALUE`.
pub(crate) fn assigned(text: &str) -> Result<(&str, &str), String> {
    let wrong = |why: String| {
        Err(format!("expected NAME=VALUE, where NAME is a name in the shader; {why}"))
    };
    let Some((name, value)) = text.split_once('=') else {
        return wrong(format!("there is no = in `{text}`"));
    };
    // A member of a struct is `light.power`, of an array of them `lights[1].power`.
    let letters = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    let name = name.trim();
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match starts && name.chars().all(letters) {
        true if value.is_empty() => wrong(format!("`{name}=` has no value")),
        true => Ok((name, value)),
        false => wrong(format!("`{name}` is not a valid name")),
    }
}

impl<T: FromStr> FromStr for Assignment<T>
where
    Failure: From<T::Err>,
{
    type Err = Failure;

    fn from_str(text: &str) -> Result<Assignment<T>, Failure> {
        let (name, value) = assigned(text).map_err(|text| Failure::Input { text })?;
        Ok(Assignment { name: name.to_owned(), value: value.parse()? })
    }
}

/// A value for one output, or, without a name, for the only one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Of<T = String> {
    pub(crate) name: Option<String>,
    pub(crate) value: T,
}

impl<T: FromStr> FromStr for Of<T>
where
    Failure: From<T::Err>,
{
    type Err = Failure;

    fn from_str(text: &str) -> Result<Of<T>, Failure> {
        if !text.contains('=') {
            return Ok(Of { name: None, value: text.parse()? });
        }
        let Assignment::<T> { name, value } = Assignment::from_str(text)?;
        Ok(Of { name: Some(name), value })
    }
}

/// Any text is a value.
impl From<Infallible> for Failure {
    fn from(never: Infallible) -> Failure {
        match never {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_cut_at_its_first_equals_sign() {
        let assignment: Assignment = "image=a=b.png".parse().unwrap();
        assert_eq!((assignment.name.as_str(), assignment.value.as_str()), ("image", "a=b.png"));
        let member: Assignment = "lights[1].power=2".parse().unwrap();
        assert_eq!(member.name, "lights[1].power");
        for text in ["", "image", "=a", "image=", "2d=a", "a b=c", ".b=c"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_has_no_name_is_of_the_only_output() {
        let of = |text: &str| text.parse::<Of>();
        assert_eq!(of("a.npy").unwrap(), Of { name: None, value: "a.npy".into() });
        assert_eq!(of("y=a.npy").unwrap(), Of { name: Some("y".into()), value: "a.npy".into() });
        for text in ["=a.npy", "y=", "2d=a.npy"] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
