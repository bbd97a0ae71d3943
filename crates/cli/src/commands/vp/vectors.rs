//! Vectors from files.

use crate::prelude::*;
use quadrille::io::npy;
use quadrille::memory;
use quadrille_vp::vector_machine::{AnyVector, DVector};

pub(super) enum Vector {
    Floats(DVector<f32>),
    Bytes(DVector<u8>),
}

impl Vector {
    pub(super) fn any(&self) -> &dyn AnyVector {
        match self {
            Vector::Floats(vector) => vector,
            Vector::Bytes(vector) => vector,
        }
    }
}

/// Reads vectors, which must be of one length.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Vector>> {
    let mut vectors: Vec<Vector> = Vec::new();
    for path in paths {
        let vector = read_one(path)?;
        if let (Some(first), Some(first_path)) = (vectors.first(), paths.first()) {
            let (expected, got) = (first.any().length(), vector.any().length());
            if expected != got {
                let (first, this) = (first_path.display(), path.display());
                let text = format!(
                    "{this} has {got} numbers and {first} has {expected}: all vectors must have as many"
                );
                return Err(Failure::Input { text }.into());
            }
        }
        vectors.push(vector);
    }
    Ok(vectors)
}

fn read_one(path: &Path) -> anyhow::Result<Vector> {
    let array = npy::read_vector(path)?;
    if array.rounded {
        let path = path.display();
        output::note(&format!("note: {path}: its 64-bit floats were rounded to 32 bits"));
    }
    Ok(match array.bytes {
        // Whole numbers from 0 to 255: the cast is exact.
        true => {
            let bytes = array.data.iter().map(|number| *number as u8);
            Vector::Bytes(DVector::from(memory::collected(bytes.len(), bytes)?))
        }
        false => Vector::Floats(DVector::from(array.data)),
    })
}
