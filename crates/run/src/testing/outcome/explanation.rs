//! Explains why devices differ: an operation that a shader uses is less exact on one of them.

use serde::{Deserialize, Serialize};

/// The accuracy of an operation that a shader uses on a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exactness {
    /// The operation.
    pub operation: String,
    /// The range of the arguments.
    pub range: String,
    /// The largest error in units in the last place; `None` where a result is NaN or infinite.
    pub max_ulps: Option<f64>,
}

/// An operation that devices compute with different errors.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The name of the test.
    pub name: String,
    /// The operation.
    pub operation: String,
    /// The range of the arguments.
    pub range: String,
    /// The largest error on each device, in units in the last place.
    pub errors: Vec<(String, Option<f64>)>,
}

impl Exactness {
    /// Makes the accuracy of an operation from the largest error that was measured, in units in the
    /// last place, which need not be finite.
    pub fn new(operation: &str, range: &str, max_ulps: f64) -> Exactness {
        let max_ulps = Some(max_ulps).filter(|ulps| ulps.is_finite());
        Exactness { operation: operation.to_owned(), range: range.to_owned(), max_ulps }
    }
}

/// Errors that differ by less than this are the same.
const SAME: f64 = 0.25;

/// Finds the operations whose errors differ between devices, those that differ most first.
pub fn explain(name: &str, devices: &[(String, Vec<Exactness>)]) -> Vec<Explanation> {
    let Some((_, first)) = devices.first() else { return Vec::new() };
    let of = |exactness: &Exactness| {
        let on = |(device, all): &(String, Vec<Exactness>)| {
            let same = |other: &&Exactness| {
                (&other.operation, &other.range) == (&exactness.operation, &exactness.range)
            };
            Some((device.clone(), all.iter().find(same)?.max_ulps))
        };
        let errors: Vec<(String, Option<f64>)> = devices.iter().map(on).collect::<Option<_>>()?;
        let (operation, range) = (exactness.operation.clone(), exactness.range.clone());
        Some(Explanation { name: name.to_owned(), operation, range, errors })
    };
    let mut all: Vec<Explanation> = first.iter().filter_map(of).collect();
    all.retain(|explanation| explanation.spread() > SAME);
    all.sort_by(|a, b| b.spread().total_cmp(&a.spread()));
    all
}

impl Explanation {
    /// Returns the spread of the errors; infinite where one is not finite.
    fn spread(&self) -> f64 {
        let errors = self.errors.iter().map(|(_, ulps)| ulps.unwrap_or(f64::INFINITY));
        let (low, high) = errors
            .fold((f64::INFINITY, 0.0_f64), |(low, high), ulps| (low.min(ulps), high.max(ulps)));
        if low == high { 0.0 } else { high - low }
    }

    /// Returns the explanation in a line: `exp2(a), -1 .. 1: off by 0.5 ULP on llvmpipe, 12.0 on
    /// softpipe`.
    pub fn text(&self) -> String {
        let Explanation { operation, range, errors, .. } = self;
        let error = |(device, ulps): &(String, Option<f64>)| match ulps {
            Some(ulps) => format!("{ulps:.1} ULP on {device}"),
            None => format!("without bound on {device}"),
        };
        let errors: Vec<String> = errors.iter().map(error).collect();
        format!("{operation}, {range}: off by {}", errors.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactness(operation: &str, max_ulps: Option<f64>) -> Exactness {
        Exactness { operation: operation.into(), range: "any".into(), max_ulps }
    }

    #[test]
    fn what_differs_most_comes_first_and_what_does_not_is_left_out() {
        let here = [
            ("sqrt(a)", Some(0.5)),
            ("exp(a)", Some(1.0)),
            ("log(a)", Some(2.0)),
            ("sin(a)", Some(3.0)),
        ];
        let there = [
            ("sin(a)", Some(3.1)),
            ("sqrt(a)", Some(9.0)),
            ("exp(a)", None),
            ("log(a)", Some(1.0)),
        ];
        let all = |list: [(&str, Option<f64>); 4]| {
            list.map(|(name, ulps)| exactness(name, ulps)).to_vec()
        };
        let devices = [("a".to_owned(), all(here)), ("b".to_owned(), all(there))];
        let found = explain("test", &devices);
        let operations: Vec<&str> = found.iter().map(|one| one.operation.as_str()).collect();
        assert_eq!(operations, ["exp(a)", "sqrt(a)", "log(a)"]);
        assert_eq!(found[1].text(), "sqrt(a), any: off by 0.5 ULP on a, 9.0 ULP on b");
        assert_eq!(found[0].text(), "exp(a), any: off by 1.0 ULP on a, without bound on b");
        assert!(explain("test", &devices[..1]).is_empty() && explain("test", &[]).is_empty());
    }
}
