//! The header of a `.npy` file, looked at before the library reads it: the library makes room for
//! whatever length in a file, multiplies any sizes in it, and recurses as deep as its brackets.

use std::io::{BufRead, Read};
use std::path::Path;

use npyz::{NpyFile, NpyHeader};

use super::super::error::whole_file;
use super::super::{Error, Result};
use super::not_npy;

/// The most bytes of its text; NumPy itself reads at most 10000 by default.
const LONGEST: u64 = 1 << 16;

/// The most brackets within each other; an array's shape needs two.
const DEEPEST: usize = 16;

/// Reads the header.
pub(super) fn read<R: BufRead>(path: &Path, mut reader: R) -> Result<NpyFile<R>> {
    let mut bytes = Vec::new();
    let mut more = |bytes: &mut Vec<u8>, count: u64| {
        let read = reader.by_ref().take(count).read_to_end(bytes);
        read.map(drop).map_err(|error| not_npy(path, error))
    };
    let refused = |expected: String, got: String| {
        Err(Error::Syntax { place: whole_file(path), expected, got })
    };
    // The magic, the version, and the length of the text, which has two bytes more from version 2
    // on.
    more(&mut bytes, 10)?;
    if matches!(bytes[..], [_, _, _, _, _, _, 2 | 3, ..]) {
        more(&mut bytes, 2)?;
    }
    let promised = match bytes[..] {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, low, high] => {
            u16::from_le_bytes([low, high]).into()
        }
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _, a, b, c, d] => {
            u32::from_le_bytes([a, b, c, d]).into()
        }
        _ => 0,
    };
    if promised > LONGEST {
        let expected = format!("a .npy header of at most {LONGEST} bytes");
        return refused(expected, format!("one of {promised} bytes"));
    }
    let start = bytes.len();
    more(&mut bytes, promised)?;
    if let Err((expected, got)) = check(bytes.get(start..).unwrap_or_default()) {
        return refused(expected.to_owned(), got.to_owned());
    }
    let header = NpyHeader::from_reader(&bytes[..]).map_err(|error| not_npy(path, error))?;
    Ok(NpyFile::with_header(header, reader))
}

/// Refuses text that the library could not take: sizes whose product overflows, and deep brackets.
/// What is in quotes is no number. The library reports other errors in a header.
fn check(text: &[u8]) -> std::result::Result<(), (&'static str, &'static str)> {
    let header = "the header of a .npy array";
    if [&b"'''"[..], b"\"\"\""].iter().any(|three| text.windows(3).any(|part| part == *three)) {
        return Err((header, "a text in three quotes"));
    }
    let (mut quote, mut escaped, mut depth) = (None, false, 0_usize);
    let mut product = Some(1_u64);
    let mut word = Vec::new();
    for &byte in text.iter().chain(b" ") {
        if let Some(open) = quote {
            quote = (escaped || byte != open).then_some(open);
            escaped = !escaped && byte == b'\\';
            continue;
        }
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            word.push(byte);
            continue;
        }
        product = product.and_then(|product| times(product, &word));
        word.clear();
        match byte {
            b'\'' | b'"' => quote = Some(byte),
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err((header, "brackets within each other without an end"));
        }
    }
    match product {
        Some(_) => Ok(()),
        None => Err(("sizes whose product fits 64 bits, in the header", "larger ones")),
    }
}

/// Returns the product with a word's number, unless that is zero; `None` where it overflows or is
/// not in plain digits.
fn times(product: u64, word: &[u8]) -> Option<u64> {
    if !word.first().is_some_and(u8::is_ascii_digit) {
        return Some(product);
    }
    let number: u64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    product.checked_mul(number.max(1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_numpy_writes_passes() {
        for shape in ["()", "(3,)", "(2, 3)", "(0, 4294967296)", "(2147483648, 4294967295)"] {
            let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n");
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
        assert_eq!(check(br"{'descr': [('it\'s 9', '<f8', (2, 3))], 'shape': (7,)}"), Ok(()));
    }

    #[test]
    fn what_the_library_could_not_take_is_refused() {
        for shape in
            ["(9223372036854775807, 3)", "(4294967296, 4294967296, 0)", "(0xffff,)", "(1_0,)"]
        {
            let text = format!("{{'descr': '<f4', 'shape': {shape}}}");
            assert!(check(text.as_bytes()).is_err(), "{text}");
        }
        assert!(check("(".repeat(1000).as_bytes()).is_err());
        assert!(check(b"{'''a'b''': (9223372036854775807, 3), '''c'd''': 1}").is_err());
    }
}
