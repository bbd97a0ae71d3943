//! The line that a handler writes, prepared before.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// The line, in a form that a handler may read at any time; longer names are cut.
static LINE: [AtomicU8; 512] = [const { AtomicU8::new(0) }; 512];
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Keeps the line for the handler, from its end, with the length last.
pub(super) fn keep(line: &str) {
    let length = line.len().min(LINE.len());
    let bytes = line.bytes().take(length - 1).chain([b'\n']);
    for (place, byte) in LINE.iter().zip(bytes) {
        place.store(byte, Ordering::Relaxed);
    }
    LENGTH.store(length, Ordering::Release);
}

/// Gives the line to who writes it, once: an abort that follows a fault does not repeat it. It calls
/// only what a handler may.
pub(super) fn take(write: impl FnOnce(&[u8])) {
    let mut line = [0; LINE.len()];
    for (byte, place) in line.iter_mut().zip(&LINE) {
        *byte = place.load(Ordering::Relaxed);
    }
    let length = LENGTH.swap(0, Ordering::AcqRel);
    write(&line[..length]);
}
