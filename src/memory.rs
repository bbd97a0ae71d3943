//! Allocation that can fail. The standard containers end the process when memory runs out; sizes
//! that a user chooses need an error instead.
//!
//! ```
//! use quadrille::memory;
//! assert_eq!(memory::filled(1.0_f32, 3)?, [1.0; 3]);
//! assert_eq!(memory::filled(1.0_f32, 1 << 50).unwrap_err().bytes, 1 << 52);
//! # Ok::<(), quadrille::NoMemory>(())
//! ```

pub(crate) mod host_threads;

use bytemuck::Zeroable;

use crate::error::{Kind, failure};

/// The host ran out of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory: {bytes} bytes were asked for{}; use less data", readable(*bytes))]
pub struct NoMemory {
    /// The bytes of the allocation that failed; saturated where they do not fit.
    pub bytes: usize,
}

failure!(NoMemory; kinds {
    _ => Kind::OutOfMemory,
});

impl NoMemory {
    /// Makes the error of an allocation of `count` items.
    pub fn of<T>(count: usize) -> NoMemory {
        NoMemory { bytes: count.saturating_mul(size_of::<T>()) }
    }
}

fn readable(bytes: usize) -> String {
    match bytes >> 20 {
        0 => String::new(),
        mebibytes => format!(" ({mebibytes} MiB)"),
    }
}

/// Makes an empty vector of this capacity.
///
/// # Errors
/// [`NoMemory`].
pub fn with_room<T>(count: usize) -> Result<Vec<T>, NoMemory> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| NoMemory::of::<T>(count))?;
    Ok(items)
}

/// Makes a vector of `count` copies of an item.
///
/// # Errors
/// [`NoMemory`].
pub fn filled<T: Clone>(item: T, count: usize) -> Result<Vec<T>, NoMemory> {
    let mut items = with_room(count)?;
    items.resize(count, item);
    Ok(items)
}

/// Makes a vector of `count` zeros, in pages that the system clears when they are first used.
///
/// # Errors
/// [`NoMemory`].
pub fn zeroed<T: Zeroable>(count: usize) -> Result<Vec<T>, NoMemory> {
    bytemuck::allocation::try_zeroed_vec(count).map_err(|()| NoMemory::of::<T>(count))
}

/// Collects the first `count` items, or all if there are fewer.
///
/// # Errors
/// [`NoMemory`].
pub fn collected<T>(count: usize, items: impl IntoIterator<Item = T>) -> Result<Vec<T>, NoMemory> {
    let mut collected = with_room(count)?;
    collected.extend(items.into_iter().take(count));
    Ok(collected)
}

/// Copies items.
///
/// # Errors
/// [`NoMemory`].
pub fn copied<T: Copy>(items: &[T]) -> Result<Vec<T>, NoMemory> {
    let mut copy = with_room(items.len())?;
    copy.extend_from_slice(items);
    Ok(copy)
}

/// Adds an item to a vector whose length is not known before.
///
/// # Errors
/// [`NoMemory`].
pub fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), NoMemory> {
    if items.len() == items.capacity() {
        let count = items.len().max(4);
        items.try_reserve(count).map_err(|_| NoMemory::of::<T>(items.len() + count))?;
    }
    items.push(item);
    Ok(())
}

/// Joins several vectors, one after the other.
///
/// # Errors
/// [`NoMemory`].
pub fn joined<T: Copy>(parts: &[Vec<T>]) -> Result<Vec<T>, NoMemory> {
    let mut whole = with_room(parts.iter().map(Vec::len).sum())?;
    parts.iter().for_each(|part| whole.extend_from_slice(part));
    Ok(whole)
}

/// Checks that this number of bytes can be allocated, before code that would end the process
/// otherwise.
///
/// # Errors
/// [`NoMemory`].
pub fn must_have(bytes: usize) -> Result<(), NoMemory> {
    // The compiler may remove an unused allocation.
    std::hint::black_box(with_room::<u8>(bytes)?);
    Ok(())
}

/// Returns the bytes that the machine has left for this process, where it reports them: on Linux
/// what the system could give without swapping, and what a control group (cgroup v2) allows.
#[doc(hidden)]
pub fn available() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let bytes = line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10;
    let of_group = |name: &str| {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse::<u64>().ok()
    };
    let allowed = of_group("memory.max").zip(of_group("memory.current"));
    Some(allowed.map_or(bytes, |(most, taken)| bytes.min(most.saturating_sub(taken))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_is_an_error_with_its_bytes() {
        // More than any address space holds, more than a vector may hold, and more than a number
        // can tell.
        for (count, bytes) in [(1 << 50, 1 << 52), (1 << 62, usize::MAX), (usize::MAX, usize::MAX)]
        {
            let failed = Some(NoMemory { bytes });
            assert_eq!(with_room::<f32>(count).err(), failed);
            assert_eq!(filled(1.0_f32, count).err(), failed);
            assert_eq!(zeroed::<f32>(count).err(), failed);
            assert_eq!(collected(count, [1.0_f32]).err(), failed);
        }
        let text = NoMemory { bytes: 1 << 32 }.to_string();
        assert_eq!(
            text,
            "not enough memory: 4294967296 bytes were asked for (4096 MiB); use less data"
        );
    }

    #[test]
    fn what_fits_is_there() {
        assert_eq!(filled(2, 3).unwrap(), [2, 2, 2]);
        assert_eq!(zeroed::<u16>(3).unwrap(), [0, 0, 0]);
        assert_eq!(collected(2, 0..9).unwrap(), [0, 1]);
        assert_eq!(copied(&[1, 2]).unwrap(), [1, 2]);
        assert_eq!(joined(&[vec![1, 2], vec![], vec![3]]).unwrap(), [1, 2, 3]);
        let mut items = Vec::new();
        (0..1000).for_each(|i| push(&mut items, i).unwrap());
        assert!(items.iter().copied().eq(0..1000));
    }
}
