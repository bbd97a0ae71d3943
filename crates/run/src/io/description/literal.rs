//! Numbers that stand in the description itself.

use std::fmt;

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use quadrille::Extent;
use quadrille::data::{Field, Values};

use super::table::{number, whole};

/// Numbers of a grid, written in the description: `[[0, 1], [2, 3]]` are two rows of two texels,
/// and a further level of lists has the channels of each texel.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    extent: Extent,
    channels: usize,
    numbers: Vec<Digits>,
}

/// A number in both precisions: the digits are rounded once.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Digits {
    single: f32,
    double: f64,
}

impl Literal {
    /// Returns the numbers of a list of rows, or of one row; none where the rows differ in length or
    /// no float is near a number.
    pub(crate) fn of(value: &DeValue<'_>) -> Option<Literal> {
        let items = value.as_array()?;
        if items.iter().all(|item| !item.get_ref().is_array()) {
            return Literal::rows(&[items]);
        }
        Literal::rows(&lists(items)?)
    }

    /// Reads one texel: a number, or a list of the numbers of its channels.
    pub(crate) fn texel(value: &DeValue<'_>) -> Option<Literal> {
        let numbers = match value {
            DeValue::Array(items) => digits(items)?,
            value => vec![Digits::of(value)?],
        };
        Literal::new(Extent::new(1, 1), numbers.len(), numbers)
    }

    /// Creates one texel of zeros.
    pub(crate) fn zeros(channels: usize) -> Literal {
        let numbers = vec![Digits { single: 0.0, double: 0.0 }; channels];
        Literal { extent: Extent::new(1, 1), channels, numbers }
    }

    /// Repeats the first number in each channel.
    pub(crate) fn in_all(self, channels: usize) -> Literal {
        let numbers = self.numbers.into_iter().cycle().take(channels).collect();
        Literal { channels, numbers, ..self }
    }

    fn rows(rows: &[&DeArray<'_>]) -> Option<Literal> {
        let width = rows.first()?.len();
        let mut channels = None;
        let mut numbers = Vec::new();
        for row in rows {
            let texels: Vec<Literal> =
                row.iter().map(|item| Literal::texel(item.get_ref())).collect::<Option<_>>()?;
            let same = |texel: &Literal| *channels.get_or_insert(texel.channels) == texel.channels;
            if row.len() != width || !texels.iter().all(same) {
                return None;
            }
            numbers.extend(texels.into_iter().flat_map(|texel| texel.numbers));
        }
        let extent = Extent::new(u32::try_from(width).ok()?, u32::try_from(rows.len()).ok()?);
        Literal::new(extent, channels?, numbers)
    }

    fn new(extent: Extent, channels: usize, numbers: Vec<Digits>) -> Option<Literal> {
        (1..=4).contains(&channels).then_some(Literal { extent, channels, numbers })
    }

    /// Returns the extent and the channels of the numbers.
    pub fn shape(&self) -> (Extent, usize) {
        (self.extent, self.channels)
    }

    /// Returns the numbers as a field of the same type as these; none where one of them is no such
    /// number.
    pub fn field(&self, like: &Values) -> Option<Field> {
        let values = self.values(like)?;
        Field::new(self.extent, self.channels, values).ok()
    }

    /// Returns a field of this extent, all of whose texels are the first one.
    pub fn repeated(&self, extent: Extent, like: &Values) -> Option<Field> {
        let values: Values = match self.values(like)? {
            Values::F32(values) => repeated(&values, extent).into(),
            Values::I32(values) => repeated(&values, extent).into(),
            Values::U32(values) => repeated(&values, extent).into(),
        };
        Field::new(extent, self.channels, values).ok()
    }

    fn values(&self, like: &Values) -> Option<Values> {
        let singles = || self.numbers.iter().map(|digits| digits.single);
        Some(match like {
            Values::F32(_) => singles().collect::<Vec<_>>().into(),
            Values::I32(_) => self.wholes(|number| number as i32)?.into(),
            Values::U32(_) => self.wholes(|number| number as u32)?.into(),
        })
    }

    /// Returns the numbers as integers, where all of them are.
    fn wholes<T: Copy + Into<f64>>(&self, turn: impl Fn(f64) -> T) -> Option<Vec<T>> {
        let whole = |Digits { double, .. }: &Digits| {
            Some(turn(*double)).filter(|number| (*number).into() == *double)
        };
        self.numbers.iter().map(whole).collect()
    }
}

/// The numbers of the first texel.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.numbers.iter().take(self.channels);
        let numbers: Vec<String> = numbers.map(|digits| digits.double.to_string()).collect();
        f.write_str(&numbers.join(","))
    }
}

fn repeated<T: Copy>(texel: &[T], extent: Extent) -> Vec<T> {
    let count = extent.texels() * texel.len();
    texel.iter().copied().cycle().take(count).collect()
}

fn lists<'a>(items: &'a DeArray<'a>) -> Option<Vec<&'a DeArray<'a>>> {
    items.iter().map(|item| item.get_ref().as_array()).collect()
}

fn digits(items: &DeArray<'_>) -> Option<Vec<Digits>> {
    items.iter().map(Spanned::get_ref).map(Digits::of).collect()
}

impl Digits {
    /// Returns a number that a float holds, however rounded; infinite only where it is written so.
    fn of(value: &DeValue<'_>) -> Option<Digits> {
        let single: f32 = match value {
            DeValue::Float(float) => float.as_str().parse().ok()?,
            value => whole(value)? as f32,
        };
        let too_large = single.is_infinite() && !is_infinity(value);
        (!too_large).then_some(Digits { single, double: number(value)? })
    }
}

fn is_infinity(value: &DeValue<'_>) -> bool {
    matches!(value, DeValue::Float(float) if float.as_str().ends_with("inf"))
}
