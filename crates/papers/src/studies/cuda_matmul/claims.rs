//! The statements of "Parallel programming using CUDA" (2010), in its order.

use crate::claim::{Claim, Statement, about, at_least, claims};
use quadrille_lab::report::Document;

const fn claim<K: Copy>(id: &'static str, place: &'static str, kind: K) -> Claim<K> {
    Claim::new(Document::CudaMatmul, id, place, kind)
}

/// A section, and its function.
const KERNEL: &str = "The shared memory tiled parallel solution, Kernel_Matrix_Multiply_Fancy";

const DIVERGENCE: Option<&str> = Some("cuda-matmul-divergence");
const MEMORY: Option<&str> = Some("cuda-matmul-memory");
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

/// Vectors are warps.
const LANES: Option<&str> =
    Some("its warps are the vectors of the CPU, whose lanes wait for those that take a branch");

/// Kinds of memory are one.
const NO_KINDS: Option<&str> = Some(
    "all kinds of memory are the CPU's own, and what differs is whether its caches hold what is read",
);

/// The speedup of the tutorial's first card with shared memory, for float.
const SHARED: f64 = 32.1 / 2.5;

claims! {
    #[cfg(test)]
    STATEMENTS: Claim<Statement>;

    COPY = claim("cuda-matmul-3", "Matrix multiply, Copy", Statement::Erratum)
        .quoting("a function (Copy, lines 467-537) that takes into account the four cases of copying: host to host, \
                  host to device, device to host, and device to device")
        .claiming("The printed Copy copies in all four cases")
        .shown_in(COPIES);
    BOUNDS = claim("cuda-matmul-4", "The simple tiled parallel solution", Statement::Erratum)
        .quoting("The size of the block is assumed to be an integral number that tile the grid (lines 255-268). \
                  However, this is not necessary because the kernel code checks for an out of bounds element of C")
        .claiming("With the kernel's check of bounds, tiles need not divide C")
        .shown_in(LIMITS);
    INNER = claim("cuda-matmul-5", "The shared memory tiled parallel solution, Multiply_Fancy_Tile", Statement::Erratum)
        .quoting("// Note if the tile is not sized so that an integral number fit exactly into the // product, \
                  return error.")
        .claiming("A tile that divides C need not divide the inner dimension")
        .shown_in(LIMITS);
    LOW_TILES = claim("cuda-matmul-6", KERNEL, Statement::Erratum)
        .quoting("Load the matrices from device memory // to shared memory; each thread loads // one element of each matrix")
        .claiming("One element a thread is a whole tile of A and of B, whatever the width and the height of a block")
        .shown_in(LIMITS);
    CLUSTERS = claim("cuda-matmul-12", "the Tesla Architecture", Statement::Erratum)
        .quoting("With each TPC containing 16 streaming multiprocessors (Figure 6), there are 112 stream processors in \
                  the GPU.")
        .claiming("A texture/processor cluster has 16 streaming multiprocessors");
    COORDINATES = claim("cuda-matmul-13", "The CUDA Programming Model", Statement::Erratum)
        .quoting("The variables blockIdx.x, blockIdx.y, blockIdx.z are the coordinates of the block that the thread \
                  belongs to; the variables threadIdx.x and threadIdx.y are the coordinates of the thread within the block.")
        .claiming("A block has three coordinates, and a thread within it two");
    WALK = claim("cuda-matmul-14", "The shared memory tiled parallel solution, figure 11", Statement::Erratum)
        .quoting("The partial sum for C12 A10*B02 A11*B12 + A13*B32 + A14*B42.")
        .claiming("After the second tile the sum for C12 has the products of k = 0, 1, 3 and 4");
    TILE_OF_B = claim("cuda-matmul-15", KERNEL, Statement::Erratum)
        .quoting("So it is wTile units high, // and hTile units wide.")
        .claiming("A tile of B is wTile high and hTile wide");
}

claims! {
    MEASURED: Claim;

    DIVERGENCE_COSTS = claim("cuda-matmul-16", "The Tesla Architecture", about(2.0, 1.4))
        .quoting("As such, if there is branching to different instructions, serialization of sets of threads in a warp \
                  will occur.")
        .claiming("Where every other square of 2 x 2 threads computes, so that warps have threads of both kinds, a result \
                   takes twice the time of one where all compute")
        .shown_in(DIVERGENCE)
        .on_a_cpu(LANES);
    QUICK = claim("cuda-matmul-17", "The Tesla Architecture, table 1", at_least(1.5))
        .quoting("Shared, constant, and texture memory are shared among the eight streaming processors, and access is \
                  very quick.")
        .claiming("Compute shaders read shared memory, constants and cached textures at least 1.5 times as fast as \
                   global memory that they read once")
        .shown_in(MEMORY)
        .on_a_cpu(NO_KINDS);
    THREADS = claim("cuda-matmul-1", "The CUDA Programming Model", at_least(512.0))
        .quoting("The maximum number of threads per block is 512 (or higher for some newer chips)")
        .claiming("A block has at most 512 threads, or more on newer chips")
        .shown_in(LIMITS);
    BLOCK = claim("cuda-matmul-2", "Matrix multiply", at_least(1.2).of(1.0, f64::INFINITY).one_suffices().asked())
        .quoting("The example breaks up the problem into blocks of a fixed size of 16 by 16 threads. Does the size \
                  of the block matter?")
        .claiming("The size of a square block from 8 by 8 to 32 by 32 matters: the slowest takes at least 1.2 times as \
                   long as the fastest")
        .shown_in(TILES);
    PARALLEL = claim("cuda-matmul-7", "Comparing the runtime", at_least(1.5))
        .quoting("The runtime for parallel matrix multiplication is significantly better than the serial CPU \
                  implementation")
        .claiming("Tiled is at least 1.5 times as fast as Multiply_Host as printed, for short and for float")
        .shown_in(TIMES)
        .on_a_cpu(NO_GPU);
    FASTEST = claim("cuda-matmul-8", "Comparing the runtime", at_least(1.0))
        .quoting("with the shared memory tiled algorithm having the best runtime")
        .claiming("Shared memory is faster than tiled, and than Multiply_Host as printed")
        .shown_in(TIMES)
        .on_a_cpu(NO_SHARED);
    SAME = claim("cuda-matmul-9", "Comparing the runtime, figure 12", about(1.0, 1.25))
        .quoting("short 22.7 s 5.8 s 2.5 s float 32.1 s 5.7 s 2.5 s")
        .claiming("Short and float take about the same time on the device")
        .shown_in(TIMES);
    LONGER = claim("cuda-matmul-10", "Comparing the runtime, figure 12", at_least(1.1))
        .quoting("short 22.7 s 5.8 s 2.5 s float 32.1 s 5.7 s 2.5 s")
        .claiming("Multiply_Host as printed takes longer for float than for short")
        .shown_in(TIMES);
    NEWER = claim("cuda-matmul-11", "the author's first comment", at_least(SHARED))
        .quoting("New hardware can give even better performance.")
        .claiming("Shared memory gains more over Multiply_Host as printed than on the tutorial's first card, 12.8 times")
        .shown_in(TIMES)
        .on_a_cpu(NO_GPU);
}
