//! Options as text, for commands, reports and the tuner.

use std::fmt;
use std::str::FromStr;

use crate::error::{UnknownName, named};
use crate::shader::Reads;

use crate::linalg::matmul::{Cell, Cover, Error, Mapping, OperandReads, Options, Result, Tile};

/// The text of a method that is not set.
const AUTO: &str = "auto";
/// The names of the options.
const OPTIONS: [&str; 12] = [
    "unroll", "passes", "split", "tile", "order", "cover", "padding", "strips", "a", "b", "cell",
    "reads",
];

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.method {
            Some(method) => write!(f, "{method}")?,
            None => f.write_str(AUTO)?,
        }
        option(f, "unroll", self.unroll)?;
        option(f, "passes", self.passes)?;
        option(f, "split", self.split)?;
        option(f, "tile", self.tile)?;
        option(f, "order", self.order)?;
        option(f, "cover", self.cover)?;
        if let Some(mapping) = self.mapping {
            write!(f, " {mapping}")?;
        }
        option(f, "cell", self.cell)?;
        option(f, "reads", self.reads)
    }
}

fn option(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name}={value}"))
}

impl FromStr for Options {
    type Err = Error;

    /// Parses a method, or `auto`, and its options in any order.
    fn from_str(text: &str) -> Result<Options> {
        let mut words = text.split_whitespace();
        let method = match words.next() {
            Some(AUTO) | None => None,
            Some(method) => Some(method.parse()?),
        };
        let mut options = Options { method, ..Options::default() };
        let mut seen = Vec::new();
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let known = OPTIONS.into_iter().find(|option| *option == name);
            let option = known.ok_or_else(|| unknown(word))?;
            if seen.contains(&option) {
                return Err(Error::Twice { option, text: text.to_owned() });
            }
            seen.push(option);
            options.set(option, value)?;
        }
        Ok(options)
    }
}

impl Options {
    fn set(&mut self, option: &str, value: &str) -> Result<()> {
        match option {
            "unroll" => self.unroll = Some(number("unroll", "a positive integer", value)?),
            "passes" => self.passes = Some(number("passes", "a positive integer", value)?),
            "split" => self.split = Some(number("split", "a positive integer", value)?),
            "tile" => self.tile = Some(value.parse()?),
            "order" => self.order = Some(value.parse()?),
            "cover" => self.cover = Some(value.parse()?),
            "padding" => {
                self.mapping_mut().padding = number("padding", "a number of texels", value)?;
            }
            "strips" => {
                self.mapping_mut().strips = number("strips", "a number of texels", value)?;
            }
            "a" => self.mapping_mut().a_transposed = transposed(value)?,
            "b" => self.mapping_mut().b_transposed = transposed(value)?,
            "cell" => self.cell = Some(value.parse()?),
            "reads" => self.reads = Some(value.parse()?),
            _ => return Err(unknown(option)),
        }
        Ok(())
    }

    /// Returns the mapping, to be changed; options of a mapping that are not set have their
    /// defaults.
    pub(super) fn mapping_mut(&mut self) -> &mut Mapping {
        self.mapping.get_or_insert(Mapping::DEFAULT)
    }
}

fn unknown(option: &str) -> Error {
    UnknownName::new("option", option, OPTIONS).into()
}

fn number(what: &'static str, expected: &'static str, text: &str) -> Result<u32> {
    text.parse().map_err(|_| Error::Invalid { what, got: text.to_owned(), expected })
}

fn transposed(text: &str) -> Result<bool> {
    match text {
        "plain" => Ok(false),
        "transposed" => Ok(true),
        _ => Err(UnknownName::new("mapping", text, ["plain", "transposed"]).into()),
    }
}

impl fmt::Display for Mapping {
    /// Returns the text of the options that make it: `padding=5 b=transposed`. `a=` is left out
    /// where A is not transposed, and `strips=` where there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "padding={}", self.padding)?;
        if self.strips > 0 {
            write!(f, " strips={}", self.strips)?;
        }
        if self.a_transposed {
            f.write_str(" a=transposed")?;
        }
        write!(f, " b={}", if self.b_transposed { "transposed" } else { "plain" })
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Tile {
    type Err = Error;

    /// Parses `16x8`, width first, or `16` for a square.
    fn from_str(text: &str) -> Result<Tile> {
        let (width, height) = text.split_once('x').unwrap_or((text, text));
        match (width.parse(), height.parse()) {
            (Ok(width), Ok(height)) if width > 0 && height > 0 => Ok(Tile { width, height }),
            _ => Err(Error::Invalid {
                what: "tile",
                got: text.to_owned(),
                expected: "a width and a height of at least 1, as in 16x8",
            }),
        }
    }
}

impl OperandReads {
    /// The list of all ways of reading operands.
    pub const ALL: [OperandReads; 3] = [
        OperandReads::Texture(Reads::Fetch),
        OperandReads::Texture(Reads::Sample),
        OperandReads::Buffer,
    ];

    /// Returns the name in commands and reports.
    pub fn name(self) -> &'static str {
        match self {
            OperandReads::Texture(Reads::Fetch) => "fetch",
            OperandReads::Texture(Reads::Sample) => "sample",
            OperandReads::Buffer => "buffer",
        }
    }
}

named!(OperandReads: "way to read operands");
named!(
    Cover: "cover" { Quad: "quad", Triangle: "triangle" },
    Cell: "cell" { One: "1", Four: "4", Square: "2x2" },
);

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::linalg::matmul::Method;
    use crate::stream::Order;
    use proptest::option::of;
    use proptest::prelude::*;
    use proptest::sample::select;

    prop_compose! {
        fn mappings()(
            a_transposed: bool,
            b_transposed: bool,
            padding: u32,
            strips: u32,
        ) -> Mapping {
            Mapping { a_transposed, b_transposed, padding, strips }
        }
    }

    prop_compose! {
        fn tiles()(width in 1..=u32::MAX, height in 1..=u32::MAX) -> Tile {
            Tile { width, height }
        }
    }

    prop_compose! {
        fn any_options()(
            method in of(select(&Method::ALL[..])),
            unroll: Option<u32>,
            passes: Option<u32>,
            split: Option<u32>,
            tile in of(tiles()),
            order in of(select(&Order::ALL[..])),
            cover in of(select(&Cover::ALL[..])),
            mapping in of(mappings()),
            cell in of(select(&Cell::ALL[..])),
            reads in of(select(&OperandReads::ALL[..])),
        ) -> Options {
            Options { method, unroll, passes, split, tile, order, cover, mapping, cell, reads }
        }
    }

    proptest! {
        #[test]
        fn options_are_read_back_from_their_text(options in any_options()) {
            prop_assert_eq!(options.to_string().parse::<Options>().unwrap(), options, "{}", options);
        }
    }

    fn refused(text: &str) -> String {
        text.parse::<Options>().unwrap_err().to_string()
    }

    #[test]
    fn the_text_is_what_a_person_would_write() {
        let text = "block8x8 unroll=8 padding=5 b=transposed reads=sample";
        let options: Options =
            "block8x8 reads=sample  b=transposed a=plain unroll=8 padding=5".parse().unwrap();
        assert_eq!(options.to_string(), text);
        assert_eq!(Options::new().to_string(), "auto");
        assert_eq!("".parse::<Options>().unwrap(), Options::new());
    }

    #[test]
    fn what_is_left_open_of_a_mapping_is_as_usual() {
        for (text, full) in [
            ("cp padding=3", "cp padding=3 b=transposed"),
            ("cp a=transposed", "cp padding=5 a=transposed b=transposed"),
            ("cp b=plain", "cp padding=5 b=plain"),
        ] {
            assert_eq!(text.parse::<Options>().unwrap().to_string(), full);
        }
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
        let options = OPTIONS.join(", ");
        for word in ["fast=1", "triangle=no", "a4", "=1"] {
            assert_eq!(
                refused(&format!("cp {word}")),
                format!("unknown option `{word}`: expected one of: {options}")
            );
        }
        assert_eq!(
            refused("cp reads=all"),
            "unknown way to read operands `all`: expected one of: fetch, sample, buffer"
        );
        assert_eq!(refused("cp cell=3"), "unknown cell `3`: expected one of: 1, 4, 2x2");
        assert_eq!(
            refused("cp order=z"),
            "unknown order `z`: expected one of: rows, columns, morton, hilbert"
        );
        assert_eq!(refused("cp unroll=-1"), "invalid unroll `-1`: expected a positive integer");
        assert_eq!(
            refused("cp a=yes"),
            "unknown mapping `yes`: expected one of: plain, transposed"
        );
        assert_eq!(
            refused("cp unroll=1 unroll=2"),
            "the option `unroll` is given twice in `cp unroll=1 unroll=2`"
        );
        assert!(refused("reads=all").starts_with("unknown method `reads=all`"));
    }
}
