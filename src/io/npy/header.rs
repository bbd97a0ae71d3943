//! The header of a `.npy` file, read and written: versions 1 to 3 of the format that `numpy.lib.format` describes. It is a
//! literal of Python with three keys; whatever else a file has in its place is refused before room is made for numbers.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::super::error::{reading, whole_file};
use super::super::{Error, Result};
use super::dtype::{DType, descr};
use crate::data::Element;

const MAGIC: [u8; 6] = *b"\x93NUMPY";

/// The most bytes of its text; NumPy itself reads at most 10000 by default.
const LONGEST: u64 = 1 << 16;

/// The values in a file that is written begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// What it says of the numbers that follow.
#[derive(Debug)]
pub(super) struct Header {
    pub dtype: DType,
    pub fortran: bool,
    pub shape: Vec<usize>,
}

/// What was expected and what came.
type Fault = (String, String);

/// Reads a header, to its end.
pub(super) fn read(path: &Path, reader: &mut impl Read) -> Result<Header> {
    let refused = |(expected, got)| Error::Syntax { place: whole_file(path), expected, got };
    let text = text(reader).map_err(|error| not_npy(path, error))?.map_err(refused)?;
    parse(&text).map_err(refused)
}

/// Returns the text that follows the magic, the version and the text's length.
fn text(reader: &mut impl Read) -> io::Result<std::result::Result<Vec<u8>, Fault>> {
    let mut start = [0; 8];
    reader.read_exact(&mut start)?;
    let mut length = [0; 4];
    let bytes = match start {
        [magic @ .., 1, _] if magic == MAGIC => 2,
        [magic @ .., 2 | 3, _] if magic == MAGIC => 4,
        [magic @ .., major, _] if magic == MAGIC => {
            return Ok(Err(fault(format!("one of version {major} of the format"))));
        }
        _ => return Ok(Err(fault("other bytes than its first".into()))),
    };
    reader.read_exact(&mut length[..bytes])?;
    let length = u32::from_le_bytes(length).into();
    if length > LONGEST {
        let expected = format!("a .npy header of at most {LONGEST} bytes");
        return Ok(Err((expected, format!("one of {length} bytes"))));
    }
    let mut text = Vec::new();
    reader.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(Ok(text)) }
}

fn not_npy(path: &Path, error: io::Error) -> Error {
    let got = match error.kind() {
        ErrorKind::IsADirectory => return reading(path)(error),
        ErrorKind::UnexpectedEof => "the end of the file".into(),
        _ => error.to_string(),
    };
    let expected = "the header of a .npy array".into();
    Error::Syntax { place: whole_file(path), expected, got }
}

fn fault(got: String) -> Fault {
    ("the header of a .npy array".into(), got)
}

fn parse(text: &[u8]) -> std::result::Result<Header, Fault> {
    let mut rest = Literal(text);
    let (mut dtype, mut fortran, mut shape) = (None, None, None);
    rest.must_take(b'{')?;
    while !rest.takes(b'}') {
        let key = rest.quoted()?;
        rest.must_take(b':')?;
        match key {
            b"descr" if dtype.is_none() => dtype = Some(DType::of(rest.value()?)),
            b"fortran_order" if fortran.is_none() => fortran = Some(rest.truth()?),
            b"shape" if shape.is_none() => shape = Some(rest.axes()?),
            _ => return Err(fault(format!("the key {}, again or unknown", shown(key)))),
        }
        if !rest.takes(b',') {
            rest.must_take(b'}')?;
            break;
        }
    }
    if !rest.first().is_empty() {
        return Err(rest.unexpected("the end"));
    }
    match (dtype, fortran, shape) {
        (Some(dtype), Some(fortran), Some(shape)) => Ok(Header { dtype, fortran, shape }),
        _ => Err(fault("one without `descr`, `fortran_order` or `shape`".into())),
    }
}

fn shown(text: &[u8]) -> String {
    format!("`{}`", String::from_utf8_lossy(&text[..text.len().min(20)]).escape_debug())
}

/// What is left of a literal of Python.
struct Literal<'a>(&'a [u8]);

impl<'a> Literal<'a> {
    /// What is left behind blanks.
    fn first(&mut self) -> &'a [u8] {
        self.0 = self.0.trim_ascii_start();
        self.0
    }

    fn unexpected(&self, expected: &str) -> Fault {
        match self.0 {
            [] => fault(format!("its end where {expected} is expected")),
            rest => fault(format!("{} where {expected} is expected", shown(rest))),
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.first().first() == Some(&byte);
        self.0 = &self.0[usize::from(is_there)..];
        is_there
    }

    fn must_take(&mut self, byte: u8) -> std::result::Result<(), Fault> {
        let taken = self.takes(byte);
        taken.then_some(()).ok_or_else(|| self.unexpected(&format!("`{}`", char::from(byte))))
    }

    /// Takes a text in quotes, without what would be escaped.
    fn quoted(&mut self) -> std::result::Result<&'a [u8], Fault> {
        let end = match self.first() {
            [quote @ (b'\'' | b'"'), text @ ..] => text.iter().position(|byte| byte == quote),
            _ => None,
        };
        let Some(end) = end else { return Err(self.unexpected("a key in quotes")) };
        let (text, rest) = self.0[1..].split_at(end);
        self.0 = &rest[1..];
        Ok(text)
    }

    /// Takes any value, to the comma or bracket behind it.
    fn value(&mut self) -> std::result::Result<&'a [u8], Fault> {
        let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
        let end = self.first().iter().position(|&byte| {
            if let Some(open) = quote {
                quote = (escaped || byte != open).then_some(open);
                escaped = !escaped && byte == b'\\';
                return false;
            }
            match byte {
                b',' | b'}' if depth == 0 => return true,
                b'\'' | b'"' => quote = Some(byte),
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            false
        });
        let Some(end) = end else { return Err(self.unexpected("a value and its end")) };
        let (value, rest) = self.0.split_at(end);
        self.0 = rest;
        Ok(value.trim_ascii_end())
    }

    fn truth(&mut self) -> std::result::Result<bool, Fault> {
        match self.value()? {
            b"True" => Ok(true),
            b"False" => Ok(false),
            other => Err(fault(format!("{} where True or False is expected", shown(other)))),
        }
    }

    /// Takes a tuple of lengths whose product, without those of 0, fits 64 bits.
    fn axes(&mut self) -> std::result::Result<Vec<usize>, Fault> {
        let too_large = || {
            let expected = "sizes whose product fits 64 bits, in the header";
            (expected.to_owned(), "larger ones".to_owned())
        };
        let (mut axes, mut product) = (Vec::new(), 1_u64);
        self.must_take(b'(')?;
        while !self.takes(b')') {
            let digits = self.first().iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (number, rest) = self.0.split_at(digits);
            if number.is_empty() {
                return Err(self.unexpected("a length in digits"));
            }
            self.0 = rest;
            let number = std::str::from_utf8(number).ok().and_then(|text| text.parse::<u64>().ok());
            let axis = number.ok_or_else(too_large)?;
            product = product.checked_mul(axis.max(1)).ok_or_else(too_large)?;
            axes.push(usize::try_from(axis).map_err(|_| too_large())?);
            // A number alone in brackets is no tuple.
            let comma = self.takes(b',');
            if !comma && (axes.len() == 1 || self.first().first() != Some(&b')')) {
                return Err(self.unexpected("`,`"));
            }
        }
        Ok(axes)
    }
}

/// Returns the bytes before the values of an array, the last axis fastest.
pub(super) fn of<T: Element>(shape: &[usize]) -> io::Result<Vec<u8>> {
    let axes: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let (descr, axes) = (descr::<T>(), axes.join(", "));
    let text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({axes}{comma}), }}");
    let start = MAGIC.len() + 4;
    let length = (start + text.len() + 1).next_multiple_of(ALIGNMENT) - start;
    let promised = u16::try_from(length).map_err(|_| {
        io::Error::other(format!("{} axes are too many for a .npy file", shape.len()))
    })?;
    let text = format!("{text:<width$}\n", width = length - 1);
    Ok([&MAGIC[..], &[1, 0], &promised.to_le_bytes(), text.as_bytes()].concat())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn of_text(text: &str) -> std::result::Result<Header, Fault> {
        parse(text.as_bytes())
    }

    #[test]
    fn what_numpy_writes_is_read() {
        for (shape, axes) in [
            ("()", &[][..]),
            ("(3,)", &[3]),
            ("(2, 3)", &[2, 3]),
            ("(0, 4294967296)", &[0, 4294967296]),
            ("(2147483648, 4294967295)", &[2147483648, 4294967295]),
        ] {
            let text =
                format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}   \n");
            let header = of_text(&text).unwrap();
            assert_eq!((&header.shape[..], header.fortran), (axes, false), "{text}");
            assert_eq!(header.dtype.descr(), "'<f4'");
        }
        let text = r#"{"shape":(7,),'fortran_order':True,'descr':[('it\'s 9, }', '<f8', (2, 3))]}"#;
        let header = of_text(text).unwrap();
        assert_eq!(header.dtype.descr(), r"[('it\'s 9, }', '<f8', (2, 3))]");
        assert!(header.dtype.scalar().is_none() && header.fortran);
    }

    #[test]
    fn what_is_written_is_what_numpy_writes() {
        let bytes = of::<f32>(&[2, 3]).unwrap();
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!((bytes.len(), &bytes[..10]), (128, &b"\x93NUMPY\x01\0\x76\0"[..]));
        assert_eq!(String::from_utf8_lossy(&bytes[10..]), format!("{text:<117}\n"));
        for shape in [&[][..], &[0], &[1, 2, 3], &[usize::MAX >> 1]] {
            let header = read(Path::new("x"), &mut &of::<u8>(shape).unwrap()[..]).unwrap();
            assert_eq!((&header.shape[..], header.dtype.descr()), (shape, "'|u1'".into()));
        }
        assert!(of::<f32>(&[1; 30000]).is_err());
    }

    #[test]
    fn other_texts_are_refused() {
        for (shape, got) in [
            ("(9223372036854775807, 3)", "larger ones"),
            ("(4294967296, 4294967296, 0)", "larger ones"),
            ("(99999999999999999999,)", "larger ones"),
            ("(0xffff,)", "`xffff,)"),
            ("(1_0,)", "`_0,)"),
            ("(-1,)", "`-1,)"),
            ("(3L,)", "`L,)"),
            ("(3)", "`)}` where `,`"),
            ("[3, 4]", "where `(`"),
            ("(3, 4", "`}` where `,`"),
            ("(3,) 4", "`4}` where `}`"),
            ("(3,), 'shape': (4,)", "`shape`, again"),
            ("(3,), 'other': 1", "`other`"),
            ("(3,)} }", "`}}` where the end"),
        ] {
            let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}");
            let (expected, said) = of_text(&text).err().unwrap();
            assert!(said.contains(got), "{text}: expected {expected}, got {said}");
        }
        for text in [
            "",
            "{}",
            "(",
            "{'descr': '<f4'",
            "{'shape': (3,",
            "{'descr: 1}",
            "{'fortran_order': 0}",
        ] {
            assert!(of_text(text).is_err(), "{text}");
        }
        assert!(of_text(&format!("{{'descr': {}", "(".repeat(60000))).is_err());
    }
}
