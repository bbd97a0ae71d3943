//! What "Parallel programming using CUDA" (2010) says, in its order.

use super::super::super::report::Document;
use super::super::claim::{Claim, Statement, about, at_least, claims};

/// A measurement, of which the fields that differ are named.
const MEASUREMENT: Claim = Claim {
    id: "",
    document: Document::CudaMatmul,
    place: "",
    quotation: "",
    claim: "",
    kind: at_least(1.0),
    evidence: None,
    on_cpu: None,
};

/// A statement, likewise.
const STATED: Claim<Statement> = Claim {
    id: "",
    document: Document::CudaMatmul,
    place: "",
    quotation: "",
    claim: "",
    kind: Statement::Erratum,
    evidence: None,
    on_cpu: None,
};

const COPIES: Option<&str> = Some("cuda-matmul-copies");
const LIMITS: Option<&str> = Some("cuda-matmul-limits");
const TILES: Option<&str> = Some("cuda-matmul-tiles");
const TIMES: Option<&str> = Some("cuda-matmul-times");

/// The kernels are loops of the same processor.
const NO_GPU: Option<&str> =
    Some("the kernels run on the cores of the CPU whose serial loop they are compared with");
/// Shared memory is memory.
const NO_SHARED: Option<&str> =
    Some("shared memory is ordinary memory: to load it costs what it saves");

/// The speedup of the tutorial's first card with shared memory, for float.
const SHARED: f64 = 32.1 / 2.5;

claims! {
    /// What is right or wrong by the printed program's text.
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    COPY = Claim {
        id: "cuda-matmul-3",
        place: "Matrix multiply, Copy",
        quotation: "a function (Copy, lines 467-537) that takes into account the four cases of copying: host to host, \
                    host to device, device to host, and device to device",
        claim: "The printed Copy copies in all four cases",
        evidence: COPIES,
        ..STATED
    };
    BOUNDS = Claim {
        id: "cuda-matmul-4",
        place: "The simple tiled parallel solution",
        quotation: "The size of the block is assumed to be an integral number that tile the grid (lines 255-268). \
                    However, this is not necessary because the kernel code checks for an out of bounds element of C",
        claim: "With the kernel's check of bounds, tiles need not divide C",
        evidence: LIMITS,
        ..STATED
    };
    INNER = Claim {
        id: "cuda-matmul-5",
        place: "The shared memory tiled parallel solution, Multiply_Fancy_Tile",
        quotation: "// Note if the tile is not sized so that an integral number fit exactly into the // product, \
                    return error.",
        claim: "A tile that divides C need not divide the inner dimension",
        evidence: LIMITS,
        ..STATED
    };
    LOW_TILES = Claim {
        id: "cuda-matmul-6",
        place: "The shared memory tiled parallel solution, Kernel_Matrix_Multiply_Fancy",
        quotation: "So it is wTile units high, // and hTile units wide.",
        claim: "Width and height of a shared tile are free",
        evidence: LIMITS,
        ..STATED
    };
}

claims! {
    /// What a device may confirm or contradict.
    MEASURED: Claim;

    THREADS = Claim {
        id: "cuda-matmul-1",
        place: "The CUDA Programming Model",
        quotation: "The maximum number of threads per block is 512 (or higher for some newer chips)",
        claim: "A block has at most 512 threads, or more on newer chips",
        kind: at_least(512.0),
        evidence: LIMITS,
        ..MEASUREMENT
    };
    BLOCK = Claim {
        id: "cuda-matmul-2",
        place: "Matrix multiply",
        quotation: "The example breaks up the problem into blocks of a fixed size of 16 by 16 threads. Does the size \
                    of the block matter?",
        claim: "The size of a square block from 8 by 8 to 32 by 32 matters: the slowest takes at least 1.2 times as \
                long as the fastest",
        kind: at_least(1.2).of(1.0, f64::INFINITY).one_suffices(),
        evidence: TILES,
        ..MEASUREMENT
    };
    PARALLEL = Claim {
        id: "cuda-matmul-7",
        place: "Comparing the runtime",
        quotation: "The runtime for parallel matrix multiplication is significantly better than the serial CPU \
                    implementation",
        claim: "Tiled is at least 1.5 times as fast as Multiply_Host as printed, for short and for float",
        kind: at_least(1.5),
        evidence: TIMES,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
    FASTEST = Claim {
        id: "cuda-matmul-8",
        place: "Comparing the runtime",
        quotation: "with the shared memory tiled algorithm having the best runtime",
        claim: "Shared memory is faster than tiled, and than Multiply_Host as printed",
        kind: at_least(1.0),
        evidence: TIMES,
        on_cpu: NO_SHARED,
        ..MEASUREMENT
    };
    SAME = Claim {
        id: "cuda-matmul-9",
        place: "Comparing the runtime, figure 12",
        quotation: "short 22.7 s 5.8 s 2.5 s float 32.1 s 5.7 s 2.5 s",
        claim: "Short and float take about the same time on the device",
        kind: about(1.0, 1.25),
        evidence: TIMES,
        ..MEASUREMENT
    };
    LONGER = Claim {
        id: "cuda-matmul-10",
        place: "Comparing the runtime, figure 12",
        quotation: "short 22.7 s 5.8 s 2.5 s float 32.1 s 5.7 s 2.5 s",
        claim: "Multiply_Host as printed takes longer for float than for short",
        kind: at_least(1.1),
        evidence: TIMES,
        ..MEASUREMENT
    };
    NEWER = Claim {
        id: "cuda-matmul-11",
        place: "the author's first comment",
        quotation: "New hardware can give even better performance.",
        claim: "Shared memory gains more over Multiply_Host as printed than on the tutorial's first card, 12.8 times",
        kind: at_least(SHARED),
        evidence: TIMES,
        on_cpu: NO_GPU,
        ..MEASUREMENT
    };
}
