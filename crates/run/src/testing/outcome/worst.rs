//! The worst number of a comparison, as JSON has it.

use serde::{Deserialize, Serialize};

use quadrille::testing::{self, Number, Wanted};

/// The number that is farthest from the expected one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Worst {
    /// The column and the row.
    pub at: [u32; 2],
    /// The channel.
    pub channel: usize,
    /// The expected number.
    pub expected: Value,
    /// The number that was computed.
    pub got: Value,
    /// The distance in units in the last place, of floats.
    pub ulp: Option<u64>,
    /// The difference, where it is finite.
    pub absolute: Option<f64>,
}

/// A number, as text where JSON has no number for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number that JSON has.
    Number(f64),
    /// Any other number, as text.
    Text(String),
}

impl Worst {
    pub(super) fn of(worst: &testing::Worst) -> Worst {
        let testing::Worst { x, y, channel, expected, got, ulp, absolute, .. } = worst;
        Worst {
            at: [*x, *y],
            channel: *channel,
            expected: match expected {
                Wanted::Number(number) => Value::of(*number),
                wanted => Value::Text(wanted.to_string()),
            },
            got: Value::of(*got),
            ulp: *ulp,
            absolute: Some(*absolute).filter(|absolute| absolute.is_finite()),
        }
    }
}

impl Value {
    /// Returns the fewest digits that identify the number, which the same float in double precision
    /// would not have.
    fn of(number: Number) -> Value {
        let text = number.to_string();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => Value::Text(text),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_lacks_are_text() {
        let json = |number| serde_json::to_string(&Value::of(number)).unwrap();
        assert_eq!(json(Number::Float(0.1)), "0.1");
        assert_eq!(json(Number::Integer(-7)), "-7.0");
        assert_eq!(json(Number::Float(f32::NAN)), "\"NaN\"");
        assert_eq!(json(Number::Float(f32::INFINITY)), "\"inf\"");
        assert_eq!(serde_json::from_str::<Value>("\"inf\"").unwrap(), Value::Text("inf".into()));
    }
}
