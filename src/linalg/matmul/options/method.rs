//! The methods, and their names.

use crate::error::named;
use crate::stream::Engine;

/// A method of multiplication. The CUDA tutorial is *Parallel programming using CUDA* (2010).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Three loops on one core: the CUDA tutorial's `Multiply_Host` with the loops over j and k
    /// exchanged, so that B is read by rows.
    Serial,
    /// Each fragment computes one element of C.
    Element,
    /// Column packed: four elements of a column of C a fragment (Larsen and McAllister, 2001).
    Cp,
    /// Submatrix packed: 2 x 2 elements of C a fragment (Hall, Carr and Hart, 2003).
    Sp,
    /// 4 x 4 elements of C a fragment, in four render targets.
    Block4x4,
    /// 8 x 4 elements of C a fragment, in eight render targets.
    Block8x4,
    /// 8 x 8 elements of C a fragment, stored in a buffer.
    Block8x8,
    /// 16 x 8 elements of C a fragment, stored in a buffer.
    Block16x8,
    /// The CUDA tutorial's `Multiply_Simple`: one work group, one invocation for each element.
    ComputeSimple,
    /// `Multiply_Simple_Tile` of the paper: a work group for each tile of C, one invocation for
    /// each element.
    ComputeTiled,
    /// `Multiply_Fancy_Tile` of the paper: [`ComputeTiled`](Method::ComputeTiled) with tiles of A
    /// and B in shared memory.
    ComputeShared,
    /// Large, double-buffered tiles in shared memory, and a register block of C in each invocation
    /// (Volkov and Demmel 2008; Nath, Tomov and Dongarra 2010).
    ComputeBlocked,
}

impl Method {
    /// Returns a description in one line.
    pub fn about(self) -> &'static str {
        match self {
            Method::Serial => {
                "three loops on one core (the CUDA tutorial's Multiply_Host, its loops over j and k exchanged)"
            }
            Method::Element => "one element of C a fragment",
            Method::Cp => "column packed: four elements of a column of C a fragment",
            Method::Sp => "submatrix packed: 2 x 2 elements of C a fragment",
            Method::Block4x4 => "4 x 4 elements of C a fragment, in four targets",
            Method::Block8x4 => "8 x 4 elements of C a fragment, in eight targets",
            Method::Block8x8 => "8 x 8 elements of C a fragment, stored in a buffer",
            Method::Block16x8 => "16 x 8 elements of C a fragment, stored in a buffer",
            Method::ComputeSimple => "one work group, an invocation an element (Multiply_Simple)",
            Method::ComputeTiled => "a work group a tile of C (Multiply_Simple_Tile)",
            Method::ComputeShared => {
                "the same through tiles in shared memory (Multiply_Fancy_Tile)"
            }
            Method::ComputeBlocked => "large tiles in shared memory, blocks of C in registers",
        }
    }

    /// Returns the engine that does the arithmetic; `None` on the host.
    pub fn engine(self) -> Option<Engine> {
        Some(match self {
            Method::Serial => return None,
            Method::ComputeSimple
            | Method::ComputeTiled
            | Method::ComputeShared
            | Method::ComputeBlocked => Engine::Compute,
            _ => Engine::Fragment,
        })
    }

    /// Returns whether it multiplies `i16` and `i32` too: methods with one element for each
    /// invocation do.
    pub fn takes_integers(self) -> bool {
        matches!(
            self,
            Method::Serial
                | Method::Element
                | Method::ComputeSimple
                | Method::ComputeTiled
                | Method::ComputeShared
        )
    }
}

named!(Method: "method" {
    Serial: "serial",
    Element: "element",
    Cp: "cp",
    Sp: "sp",
    Block4x4: "block4x4",
    Block8x4: "block8x4",
    Block8x8: "block8x8",
    Block16x8: "block16x8",
    ComputeSimple: "compute-simple",
    ComputeTiled: "compute-tiled",
    ComputeShared: "compute-shared",
    ComputeBlocked: "compute-blocked",
});
