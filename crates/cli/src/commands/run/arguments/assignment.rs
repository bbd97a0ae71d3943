//! `NAME=VALUE`, `WIDTHxHEIGHT` and `LOW:HIGH`, as arguments.

use std::convert::Infallible;
use std::str::FromStr;

use quadrille::Extent;
use quadrille::data::sides;

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

impl<T: FromStr> FromStr for Assignment<T>
where
    Failure: From<T::Err>,
{
    type Err = Failure;

    fn from_str(text: &str) -> Result<Assignment<T>, Failure> {
        let wrong = |why: String| {
            let text = format!("expected NAME=VALUE, where NAME is a name in the shader; {why}");
            Failure::Input { text }
        };
        let Some((name, value)) = text.split_once('=') else {
            return Err(wrong(format!("there is no = in `{text}`")));
        };
        // A member of a struct is `light.power`, of an array of them `lights[1].power`.
        let letters = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
        let name = name.trim();
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.chars().all(letters) {
            return Err(wrong(format!("`{name}` is not a valid name")));
        }
        if value.is_empty() {
            return Err(wrong(format!("`{name}=` has no value")));
        }
        Ok(Assignment { name: name.to_owned(), value: value.parse()? })
    }
}

/// A value for one input or output, or, without a name, for all inputs or the only output.
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

/// An extent of at least one cell.
pub(super) fn size(text: &str) -> Result<Extent, String> {
    match sides(text).as_deref() {
        Some(&[width, height]) => Ok(Extent::new(width, height)),
        _ => Err(format!(
            "expected WIDTHxHEIGHT, integers of at least 1, as in 640x480; got `{text}`"
        )),
    }
}

/// Numbers of work groups along x, y and z, each at least 1; those left out are 1.
pub(super) fn groups(text: &str) -> Result<[u32; 3], String> {
    match sides(text).as_deref() {
        Some(&[x]) => Ok([x, 1, 1]),
        Some(&[x, y]) => Ok([x, y, 1]),
        Some(&[x, y, z]) => Ok([x, y, z]),
        _ => Err(format!(
            "expected the numbers of work groups along x, y and z, as in 16x16x1 or 64; got `{text}`"
        )),
    }
}

/// The ends of a range.
pub(super) fn range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let ends = text.split_once(':').map(|(low, high)| (number(low), number(high)));
    match ends {
        Some((Some(low), Some(high))) if low < high => Ok((low, high)),
        _ => Err(format!("expected LOW:HIGH with LOW less than HIGH, as in -1:1; got `{text}`")),
    }
}

/// Steps a second.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|rate| *rate > 0.0 && f64::is_finite(*rate)).ok_or_else(|| {
        format!("expected a number of steps a second above 0, as in 24 or 29.97; got `{text}`")
    })
}

#[cfg(test)]
mod tests {
    use quadrille::gl::Wrap;

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
    fn what_has_no_name_is_of_all_inputs() {
        let of = |text: &str| text.parse::<Of<Wrap>>();
        assert_eq!(of("repeat").unwrap(), Of { name: None, value: Wrap::Repeat });
        let image = Of { name: Some("image".into()), value: Wrap::Mirror };
        assert_eq!(of("image=mirror").unwrap(), image);
        for text in ["", "image", "=clamp", "image=", "image=linear", "2d=clamp", "a=b=clamp"] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_two_whole_numbers_from_1() {
        assert_eq!(size("7x11"), Ok(Extent::new(7, 11)));
        for text in ["", "7", "0x5", "5x0", "7x11x1", "-1x2", "7X11", "1.5x2", "99999999999x1"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn work_groups_have_one_to_three_numbers() {
        let groups = |text: &str| groups(text).ok();
        assert_eq!(groups("64"), Some([64, 1, 1]));
        assert_eq!(groups("7x5"), Some([7, 5, 1]));
        assert_eq!(groups("7x5x3"), Some([7, 5, 3]));
        for text in ["", "0", "1x0", "1x1x1x1", "ax1", "-1", "1.5"] {
            assert_eq!(groups(text), None, "{text}");
        }
    }

    #[test]
    fn a_range_ascends() {
        assert_eq!(range("-1:0.5"), Ok((-1.0, 0.5)));
        for text in ["", "1", "1:1", "2:1", "a:1", "nan:1", "0:inf"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_rate_is_above_0() {
        assert_eq!(rate("29.97"), Ok(29.97));
        for text in ["", "0", "-1", "nan", "inf", "a"] {
            assert!(rate(text).is_err(), "{text}");
        }
    }
}
