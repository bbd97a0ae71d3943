//! Colour scales, from the crate colorous.

use crate::reference::colour::Pixel;

/// A colour scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// Dark blue by green to yellow; each step looks as large as another.
    #[default]
    Viridis,
    /// Black to white.
    Grey,
    /// Blue by white to red, for numbers on both sides of a middle.
    Diverging,
    /// Black by red and yellow to white.
    Inferno,
    /// Round and back, for angles.
    Cyclic,
}

impl Scale {
    /// All scales, in the order of [`next`](Scale::next).
    pub const ALL: [Scale; 5] =
        [Scale::Viridis, Scale::Grey, Scale::Diverging, Scale::Inferno, Scale::Cyclic];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Viridis => "viridis",
            Scale::Grey => "grey",
            Scale::Diverging => "diverging",
            Scale::Inferno => "inferno",
            Scale::Cyclic => "cyclic",
        }
    }

    /// The next scale, or the first after the last.
    ///
    /// ```
    /// use quadrille::view::Scale;
    /// assert_eq!(Scale::Viridis.next(), Scale::Grey);
    /// assert_eq!(Scale::Cyclic.next(), Scale::Viridis);
    /// ```
    pub fn next(self) -> Scale {
        let place = Scale::ALL.iter().position(|scale| *scale == self).unwrap_or(0);
        Scale::ALL[(place + 1) % Scale::ALL.len()]
    }

    /// Its colours, that of the lowest number first.
    pub fn colours(self) -> [Pixel; 256] {
        std::array::from_fn(|index| {
            let part = index as f64 / 255.0;
            match self {
                Scale::Viridis => colorous::VIRIDIS.eval_continuous(part).into_array(),
                Scale::Grey => [index as u8; 3],
                // Blue, the colder, is low.
                Scale::Diverging => colorous::RED_BLUE.eval_continuous(1.0 - part).into_array(),
                Scale::Inferno => colorous::INFERNO.eval_continuous(part).into_array(),
                Scale::Cyclic => colorous::SINEBOW.eval_continuous(part).into_array(),
            }
        })
    }
}
