//! Runs generic work with the type of a file's numbers.

use std::path::Path;

use super::super::error::whole_file;
use super::super::{Error, Result};
use super::dtype::DType;
use super::stored::{InMemory, Stored};

/// Work with the numbers of a file of type `F`.
pub(super) trait ByType {
    fn run<F: Stored>(self) -> Result<()>;
}

/// Does it with the type of the file, if a number of type `T` can be made of it.
pub(super) fn by_type<T: InMemory>(path: &Path, dtype: &DType, work: impl ByType) -> Result<()> {
    let floats = T::IS_FLOAT;
    match dtype.scalar().map(|scalar| (scalar.kind, scalar.size)) {
        Some((b'f', 2)) if floats => work.run::<half::f16>(),
        Some((b'f', 4)) if floats => work.run::<f32>(),
        Some((b'f', 8)) if floats => work.run::<f64>(),
        Some((b'i', 1)) => work.run::<i8>(),
        Some((b'i', 2)) => work.run::<i16>(),
        Some((b'i', 4)) => work.run::<i32>(),
        Some((b'i', 8)) => work.run::<i64>(),
        Some((b'u', 1)) => work.run::<u8>(),
        Some((b'u', 2)) if T::UNSIGNED => work.run::<u16>(),
        Some((b'u', 4)) if T::UNSIGNED => work.run::<u32>(),
        Some((b'b', 1)) if T::UNSIGNED => work.run::<bool>(),
        _ => Err(Error::Unsupported {
            place: whole_file(path),
            got: format!("an array of {}", dtype.descr()),
            accepted: match (floats, size_of::<T>()) {
                _ if T::UNSIGNED => "u1, u2, u4 or bool (in NumPy: array.astype('u4'))",
                (true, _) => "f2, f4, f8, i1, i2, i4, i8 or u1 (in NumPy: array.astype('f4'))",
                (false, 2) => "i1, i2, i4, i8 or u1 (in NumPy: array.astype('i2'))",
                (false, _) => "i1, i2, i4, i8 or u1 (in NumPy: array.astype('i4'))",
            },
        }),
    }
}
