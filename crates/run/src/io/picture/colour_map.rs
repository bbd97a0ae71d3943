//! Colour maps, from the crate colorous.

/// A colour map, which assigns colours to the numbers from the lowest to the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColourMap {
    /// Dark blue through green to yellow; equal steps look equally large, also in print and to
    /// colour-blind eyes.
    #[default]
    Viridis,
    /// Black through grey to white.
    Grey,
    /// Blue through white to red, for numbers on both sides of a middle.
    Diverging,
    /// Black through red and yellow to white.
    Inferno,
    /// A map whose ends have one colour, for angles.
    Cyclic,
}

quadrille::internal::named!(ColourMap: "colour map" {
    Viridis: "viridis",
    Grey: "grey",
    Diverging: "diverging",
    Inferno: "inferno",
    Cyclic: "cyclic",
});

impl ColourMap {
    /// Returns the next map, or the first after the last.
    ///
    /// ```
    /// use quadrille_run::io::ColourMap;
    /// assert_eq!(ColourMap::Viridis.next(), ColourMap::Grey);
    /// assert_eq!(ColourMap::Cyclic.next(), ColourMap::Viridis);
    /// ```
    pub fn next(self) -> ColourMap {
        let place = ColourMap::ALL.iter().position(|map| *map == self).unwrap_or(0);
        ColourMap::ALL[(place + 1) % ColourMap::ALL.len()]
    }

    /// Returns the colour, red, green and blue, at a position from 0, the lowest number, to 1.
    pub fn at(self, position: f64) -> [u8; 3] {
        let position = position.clamp(0.0, 1.0);
        let gradient = match self {
            ColourMap::Viridis => colorous::VIRIDIS,
            ColourMap::Grey => return [(255.0 * position).round() as u8; 3],
            // Blue, the colder, is low.
            ColourMap::Diverging => {
                return colorous::RED_BLUE.eval_continuous(1.0 - position).into_array();
            }
            ColourMap::Inferno => colorous::INFERNO,
            ColourMap::Cyclic => colorous::SINEBOW,
        };
        gradient.eval_continuous(position).into_array()
    }

    /// Returns 256 colours, that of the lowest number first.
    pub fn colours(self) -> [[u8; 3]; 256] {
        std::array::from_fn(|index| self.at(index as f64 / 255.0))
    }
}
