//! Checks the lengths of a palette and of its transparencies. The decoder of PNG does not check
//! them, and panics.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use quadrille::internal::io::whole_file;
use quadrille::io::{Error, Result};

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// A palette has at most 256 colours of three bytes.
const MOST_COLOURS: u32 = 256;
/// The bytes behind a chunk's data.
const CHECKSUM: i64 = 4;

/// Refuses a PNG with an invalid palette. Other files, and those that end early, are left to the
/// decoder.
pub(super) fn check(file: impl Read + Seek, path: &Path) -> Result<()> {
    let Some(got) = fault(file) else { return Ok(()) };
    let expected = "a palette of at most 256 colours, three bytes each, and no more transparencies than colours";
    Err(Error::Syntax { place: whole_file(path), expected: expected.into(), got })
}

fn fault(mut file: impl Read + Seek) -> Option<String> {
    if array(&mut file).ok()? != SIGNATURE {
        return None;
    }
    let mut colours = None;
    // The palette comes before the pixels.
    while let Ok((length, name)) = chunk(&mut file)
        && name != *b"IDAT"
    {
        match (&name, colours) {
            (b"PLTE", _) if length % 3 != 0 || length > 3 * MOST_COLOURS => {
                return Some(format!("a palette of {length} bytes"));
            }
            (b"PLTE", _) => colours = Some(length / 3),
            (b"tRNS", Some(colours)) if length > colours => {
                return Some(format!("{length} transparencies for {colours} colours"));
            }
            _ => {}
        }
        file.seek(SeekFrom::Current(i64::from(length) + CHECKSUM)).ok()?;
    }
    None
}

/// Returns the length of the next chunk's data, and its name.
fn chunk(file: &mut impl Read) -> io::Result<(u32, [u8; 4])> {
    Ok((u32::from_be_bytes(array(file)?), array(file)?))
}

fn array<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map(|()| bytes)
}
