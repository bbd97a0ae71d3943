//! Transfers between host and device. Slices go through mapped buffers: threads of the host copy
//! pieces while the device transfers others.

pub(super) mod copies;
mod made;
pub(super) mod mapped;
pub(super) mod read_pixels;
pub(super) mod readback;
pub(super) mod staging;

use std::ops::Range;
use std::time::Duration;

use crate::Rectangle;

use super::sync::Fence;
use super::texture::raw::Raw;
use super::{Error, Result};
use copies::{PIECE, copy_pieces};
use mapped::{Mapped, Use};
use read_pixels::{ReadFormat, read_format, to_buffer};

/// The most bytes in a buffer: a buffer of this length is allocated once and used again for each
/// part of a transfer.
const PART: usize = 64 << 20;

/// The number of bytes up to which a software renderer reads in one piece, since it draws during
/// the call: a fence for each piece and a second thread take longer than the copy.
const WHOLE_ON_SOFTWARE: usize = 4 << 20;

/// Yields bands of whole rows, each of at most `bytes` if a row fits.
fn bands(place: Rectangle, row: usize, bytes: usize) -> impl Iterator<Item = Rectangle> {
    let rows = u32::try_from(bytes / row.max(1)).unwrap_or(u32::MAX).max(1);
    let end = place.y + place.height;
    (place.y..end).step_by(rows as usize).map(move |y| Rectangle {
        y,
        height: rows.min(end - y),
        ..place
    })
}

/// Copies a slice to a rectangle of a texture. It returns when the slice is copied, and the device
/// may still work.
///
/// The context has mapped buffers, the rectangle is inside the texture, and the slice holds it.
pub(super) fn upload(raw: &Raw, place: Rectangle, mut bytes: &[u8], threads: usize) -> Result<()> {
    let row = place.width as usize * raw.format.bytes;
    for part in bands(place, row, PART) {
        let (now, later) = bytes.split_at(part.height as usize * row);
        upload_part(raw, part, now, row, threads)?;
        bytes = later;
    }
    Ok(())
}

fn upload_part(
    raw: &Raw,
    place: Rectangle,
    bytes: &[u8],
    row: usize,
    threads: usize,
) -> Result<()> {
    let pieces: Vec<Rectangle> = bands(place, row, PIECE).collect();
    let length = pieces.first().map_or(0, |first| first.height as usize * row).max(1);
    let mut stage = Mapped::take(&raw.owned.context(), bytes.len())?;
    let name = Some(stage.name());
    let to = stage.bytes_mut()?.chunks_mut(length);
    let copied = copy_pieces(threads, bytes.chunks(length).zip(to).map(Ok), |number| {
        let from = glow::PixelUnpackData::BufferOffset((number * length) as u32);
        let piece = pieces.get(number).copied().unwrap_or_default();
        raw.upload(piece, from, name, 0)
    });
    // After a failure too: the device may read what was copied before it.
    stage.used(Use::Reads).and(copied)
}

/// Returns whether [`read`] can read this texture: the driver returns its texels as they are.
pub(super) fn returns_exact(raw: &Raw) -> Result<bool> {
    Ok(read_format(raw)? == ReadFormat::Exact)
}

/// Reads a rectangle of a texture into a slice.
///
/// The context has mapped buffers, the texels are returned as they are, the rectangle is inside the
/// texture, and the slice holds it.
pub(super) fn read(
    raw: &Raw,
    place: Rectangle,
    mut bytes: &mut [u8],
    threads: usize,
) -> Result<()> {
    let row = place.width as usize * raw.format.bytes;
    for part in bands(place, row, PART) {
        let (now, later) = bytes.split_at_mut(part.height as usize * row);
        Arriving::start(raw, part, ReadFormat::Exact, row)?.copy_to(now, threads)?;
        bytes = later;
    }
    Ok(())
}

/// Texels on their way into a mapped buffer, piece by piece: the host copies those that have
/// arrived while the device sends others.
pub(super) struct Arriving {
    stage: Mapped,
    /// The range of each piece in the buffer, and the fence after it; the last piece arrives with
    /// all.
    pieces: Vec<(Range<usize>, Option<Fence>)>,
}

impl Arriving {
    /// Starts to read a rectangle inside a texture whose rows have this number of bytes in this
    /// format.
    pub(super) fn start(
        raw: &Raw,
        place: Rectangle,
        format: ReadFormat,
        row: usize,
    ) -> Result<Arriving> {
        let context = raw.owned.context();
        let bytes = place.height as usize * row;
        let stage = Mapped::take(&context, bytes)?;
        let software = context.abilities().software;
        let piece = if software && bytes <= WHOLE_ON_SOFTWARE { bytes } else { PIECE };
        let mut start = 0;
        let started = bands(place, row, piece).map(|piece| {
            let range = start..start + piece.height as usize * row;
            start = range.end;
            to_buffer(raw, piece, format, stage.name(), range.start)?;
            if range.end == bytes {
                return Ok((range, None));
            }
            if range.start == 0 {
                context.flush()?; // The device need not wait for the calls of the other pieces.
            }
            Ok((range, Some(Fence::new(&context)?)))
        });
        let pieces: Result<Vec<_>> = started.collect();
        // After a failure too: the device may write what was started before it.
        stage.used(Use::Writes)?;
        Ok(Arriving { stage, pieces: pieces? })
    }

    /// Returns whether all have arrived, after waiting at most this long.
    pub(super) fn wait(&self, limit: Duration) -> Result<bool> {
        self.stage.wait(limit)
    }

    /// Copies all to a slice of their length, waiting for each piece.
    pub(super) fn copy_to(&self, bytes: &mut [u8], threads: usize) -> Result<()> {
        let length = self.pieces.first().map_or(0, |(range, _)| range.len()).max(1);
        let arrived = self.pieces.iter().zip(bytes.chunks_mut(length));
        let arrived = arrived.map(|((range, fence), to)| {
            match fence {
                Some(fence) => fence.wait_long()?,
                None => self.stage.wait_long()?,
            }
            // SAFETY: the device wrote this part before the fence, and no later command writes it.
            Ok((unsafe { self.stage.part(range.clone()) }, to))
        });
        copy_pieces::<Error>(threads.min(self.pieces.len()), arrived, |_| Ok(()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::gl::texture::Upload;
    use crate::{Context, Extent};

    #[test]
    fn bands_cover_a_rectangle_once() {
        for (height, row, bytes) in [(0, 8, 64), (1, 8, 64), (17, 8, 64), (16, 8, 1), (5, 0, 64)] {
            let place = Rectangle::new(3, 2, 4, height);
            let mut next = place.y;
            for band in bands(place, row, bytes) {
                assert_eq!((band.x, band.y, band.width), (place.x, next, place.width));
                assert!(band.height == 1 || band.height as usize * row <= bytes);
                next += band.height;
            }
            assert_eq!(next, place.y + height);
        }
    }

    /// Several pieces, the last one shorter, at every number of threads.
    #[test]
    fn pieces_arrive_in_their_places() {
        let context = Context::headless().unwrap();
        let (extent, place) = (Extent::new(521, 701), Rectangle::new(4, 1, 509, 699));
        let sent: Vec<[f32; 4]> = (0..place.texels()).map(|i| [i as f32, 0.5, -1.0, 2.0]).collect();
        let mut texture = context.uninit::<[f32; 4]>(extent).unwrap();
        for threads in [1, 2, 5] {
            texture.fill([-7.0; 4]).unwrap();
            texture.write_by(Upload::Mapped(threads), place, &sent).unwrap();
            assert!(texture.read_rectangle(place).unwrap() == sent, "{threads} threads");
            let around = texture.read().unwrap();
            assert_eq!(
                around.iter().filter(|texel| **texel == [-7.0; 4]).count(),
                521 * 701 - 509 * 699
            );
            let mut back = vec![[9.0; 4]; place.texels()];
            assert!(texture.read_by_mapped(threads, place, &mut back).unwrap());
            assert!(back == sent, "{threads} threads");
        }
        // What is read later is the texture of now.
        let later = texture.read_async().unwrap();
        let now = texture.read().unwrap();
        texture.fill([5.0; 4]).unwrap();
        assert!(later.read().unwrap() == now);
    }
}
