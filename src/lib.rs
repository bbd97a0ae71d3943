//! Numeric computing through OpenGL: numbers in float textures, a fragment or compute shader as the
//! inner loop, no display.
//!
//! # A kernel
//!
//! A [`Context`] is a connection to a device. A [`Kernel`] is a program with named inputs, uniforms
//! and outputs, compiled from a fragment shader; one [pass](stream::Pass) of it computes every
//! texel of a target. One text serves OpenGL 3.3 and OpenGL ES 3.0: the
//! [prelude](shader#the-prelude) declares the version and the precision, and `READ` and `TEXEL`.
//!
//! ```
//! use quadrille::{Context, Extent, Source};
//!
//! let context = Context::headless()?;
//! let kernel = context.kernel(Source::fragment("scale.frag", "
//!     uniform sampler2D x;
//!     uniform float factor;
//!     out float y;
//!     void main() { y = factor * READ(x, TEXEL).r; }"))?;
//! let x = context.texture(Extent::new(2, 2), &[1.0_f32, 2.0, 3.0, 4.0])?;
//! let mut y = context.uninit::<f32>(x.extent())?;
//! kernel.pass().input("x", &x).uniform("factor", 0.5).draw(&mut y)?;
//! assert_eq!(y.read()?, [0.5, 1.0, 1.5, 2.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pass borrows its inputs and, mutably, its targets, so a pass that reads the texture it writes
//! does not compile. A name that the shader does not have, a missing input or a wrong type is an
//! error that lists what was expected.
//!
//! # Ping-pong
//!
//! An iteration needs two textures, the old and the new values, which swap at each step:
//! [`PingPong`].
//!
//! ```
//! # use quadrille::{Context, Extent, Source};
//! use quadrille::PingPong;
//!
//! # let context = Context::headless()?;
//! let kernel = context.kernel(Source::fragment("heat.frag", "
//!     uniform sampler2D heat;
//!     out float next;
//!     void main() {
//!         float left = READ_CLAMPED(heat, TEXEL - ivec2(1, 0)).r;
//!         float right = READ_CLAMPED(heat, TEXEL + ivec2(1, 0)).r;
//!         next = 0.5 * READ(heat, TEXEL).r + 0.25 * (left + right);
//!     }"))?;
//! let bar = context.texture(Extent::new(3, 1), &[0.0_f32, 4.0, 0.0])?;
//! let mut heat = PingPong::new(bar, context.uninit(Extent::new(3, 1))?)?;
//! for _ in 0..2 {
//!     heat.step(|old, new| kernel.pass().input("heat", old).draw(new))?;
//! }
//! assert_eq!(heat.newest().read()?, [1.25, 1.5, 1.25]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A reduction
//!
//! A [`Reducer`] computes sums, dot products, norms and extrema on the device and reads back one
//! number, with a documented bound of its error.
//!
//! ```
//! # use quadrille::{Context, Extent};
//! use quadrille::Reducer;
//!
//! # let context = Context::headless()?;
//! let x = context.texture(Extent::new(2, 2), &[1.0_f32, 2.0, 3.0, 4.0])?;
//! let reducer = Reducer::new(&context);
//! assert_eq!(reducer.sum(&x)?, 10.0);
//! assert_eq!(reducer.max(&x)?, 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Vectors
//!
//! [`linalg::blas1`] has the operations of BLAS level 1 on [vectors](grid::DeviceVector) of any
//! length, and element-wise expressions; results that later operations need stay on the device.
//!
//! ```
//! # use quadrille::Context;
//! use quadrille::{grid::DeviceVector, linalg::blas1::Blas1};
//!
//! # let context = Context::headless()?;
//! let blas = Blas1::new(&context);
//! let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 3.0])?;
//! let mut y = DeviceVector::uninit(&context, x.len())?;
//! blas.map("1.0 / x", &["x"], &[])?.apply().vector("x", &x).run(&mut y)?;
//! assert!((blas.dot(&x, &y)? - 3.0).abs() <= blas.error_bound(3) * 3.0 + 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! With the feature `files`, the module `io` reads and writes NumPy arrays (`.npy`) and Matrix
//! Market files (`.mtx`). What cannot be represented exactly is an error or is reported.
//!
//! ```no_run
//! # #[cfg(feature = "files")] {
//! use quadrille::io::npy;
//!
//! let (matrix, notes) = npy::read_matrix::<f32>("a.npy")?; // the notes report, for example, rounding to f32
//! npy::write_matrix("b.npy", &matrix)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Linear algebra
//!
//! [`linalg::matmul`] multiplies matrices by the method expected to be fastest on the device,
//! [`linalg::nine_banded`] applies the matrices of stencils to grids of any size, and
//! [`linalg::jacobi`] solves nine-banded systems:
//!
//! ```
//! # use quadrille::{Context, Shape, data::Matrix};
//! use quadrille::data::Stencil;
//! use quadrille::linalg::jacobi::{Jacobi, Stop, Variant};
//! use quadrille::linalg::matmul::{self, Options};
//!
//! # let context = Context::headless()?;
//! let a = Matrix::<f32>::random(Shape::new(100, 70), 1)?;
//! let b = Matrix::<f32>::random(Shape::new(70, 30), 2)?;
//! let c = matmul::multiply(&context, &a, &b, Options::new())?;
//! assert_eq!(c.shape(), Shape::new(100, 30));
//!
//! let matrix = "heat9:64".parse::<Stencil>()?.matrix()?;
//! let rhs = vec![1.0; matrix.n()];
//! let solution = Jacobi::new(&context, &matrix, Variant::default())?.solve(&rhs, Stop::residual(1e-5))?;
//! assert!(solution.residual <= 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Vertex programs of 2002 over vectors, and the search for models of Boolean formulas, are in
//! [quadrille-vp](https://docs.rs/quadrille-vp).
//!
//! # Tests
//!
//! [`testing`] compares results with expected ones by tolerances in ULP, absolute or relative, and
//! says which number is worst:
//!
//! ```
//! use quadrille::{assert_same, testing::Rule};
//! assert_same!([0.1_f32 + 0.2], [0.3_f32], Rule::ulp(1));
//! ```
//!
//! # Experiments
//!
//! The package [quadrille-run](https://docs.rs/quadrille-run) runs a user's shader over arrays and
//! pictures, in passes and steps, checks every name before the first step, reads the dialects of
//! other hosts, and has tests of shaders that files describe.
//!
//! # Errors
//!
//! Every error type is a [`Failure`]: it has `kind()`, which distinguishes [invalid input from
//! failed work](Kind), and fields for the expected value, the value found and its position.
//! [`Error`] is any of them. What a device cannot do is an error; results are never silently wrong.
//!
//! # Other crates
//!
//! Crates whose types occur in signatures here are re-exported, in the version that is used:
//! [`glow`] and [`raw_window_handle`] (contexts and windows of the caller), [`half`] (texels of 16
//! bits), [`bytemuck`] (what a texel must be), and `ndarray` with the feature of that name.
//!
//! # Features
//!
//! None is on by default: the library depends on glow, glutin, raw-window-handle, bytemuck, half,
//! thiserror and libc. `files`: the module `io`. `window`: contexts that draw to X11 and Wayland
//! windows. `ndarray`: conversion of matrices. `primitives`: scans, selections, sorts, histograms,
//! Fourier transforms and convolutions. `solve`: systems of equations, by Krylov methods, multigrid in two
//! and three dimensions or transforms, and sparse matrices; it brings `primitives`. `cluster`: solvers and
//! products on several ranks; it brings `solve`.
//! `mpi`: ranks of several processes, which needs an MPI library and libclang.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::missing_errors_doc)]

pub mod error;
pub mod memory;
pub mod options;

pub mod data;
#[cfg(feature = "files")]
pub mod io;
#[allow(clippy::missing_errors_doc)] // Of `internal` alone, and its errors are `NoMemory`.
mod reference;
pub mod shader;

pub mod gl;

pub mod stream;

pub mod grid;

pub mod linalg;

#[cfg(feature = "primitives")]
pub mod primitives;

mod advice;
mod clock;
#[cfg(feature = "cluster")]
pub mod cluster;
mod paths;
pub mod testing;

pub use data::{Extent, Rectangle, Shape};
pub use error::visible::visible;
pub use error::{Error, Failure, Kind, Place};
pub use gl::{Context, Texture};
pub use memory::NoMemory;
pub use shader::Source;
pub use stream::observer::{Checkpoints, Control, Observer, Progress};
pub use stream::reduce::Reducer;
pub use stream::{Kernel, PingPong};

// Their types stand in signatures here; callers of those need the same version.
#[cfg(feature = "ndarray")]
pub use ndarray;
pub use {bytemuck, glow, half, raw_window_handle};

error::failures! {
    NoMemory,
    std::io::Error,
    error::UnknownName,
    options::Error,
    data::Error,
    #[cfg(feature = "files")] io::Error,
    shader::Error,
    gl::Error,
    stream::Error,
    grid::Error,
    linalg::jacobi::Error,
    linalg::matmul::Error,
    #[cfg(feature = "solve")] linalg::multigrid::Error,
    linalg::nine_banded::Error,
    #[cfg(feature = "solve")] linalg::solve::Error,
    #[cfg(feature = "solve")] linalg::solve::NotConverged,
    #[cfg(feature = "solve")] linalg::solve::SideError,
    #[cfg(feature = "cluster")] cluster::Error,
    #[cfg(all(feature = "cluster", feature = "files"))] cluster::checkpoint::Error,
    #[cfg(feature = "cluster")] cluster::matmul::Error,
    testing::Mismatch,
}

/// Items for the other packages of this workspace and the tests, apart from the public interface.
/// They may change at any time.
#[doc(hidden)]
pub mod internal {
    pub use crate::__embed as embed;
    pub use crate::__failure as failure;
    pub use crate::__failures as failures;
    pub use crate::__named as named;
    pub use crate::advice::{advice, advised};
    pub use crate::clock::Instant;
    pub use crate::error::visible::{harmless, turns, visible_name};
    pub use crate::error::with_article;
    pub use crate::gl::masks::{Ability, Limit};
    pub use crate::gl::texture::Upload;
    pub mod data {
        pub use crate::data::field::Layout;
    }
    pub mod gl {
        pub use crate::gl::internal::*;
    }
    #[cfg(feature = "files")]
    pub mod io {
        pub use crate::io::error::{in_file, no_memory, reading, whole_file};
        pub use crate::io::whole::{is_synced, remove_unfinished};
    }
    pub use crate::paths::{Folder, resolved};
    pub mod stream {
        pub use crate::stream::internal::*;
    }
    pub mod testing {
        pub use crate::testing::comparison::{check_part, compare_part};
    }

    #[cfg(feature = "files")]
    pub mod checkpoint {
        pub use crate::io::checkpoint::*;
    }
    pub mod group {
        pub use crate::stream::group::*;
    }
    pub mod pack {
        pub use crate::data::pack::*;
    }
    pub mod host {
        pub use crate::linalg::host::*;
    }
    #[cfg(feature = "solve")]
    pub mod plan {
        pub use crate::linalg::grid3::plan::LevelPlan as SpaceLevelPlan;
        pub use crate::linalg::multigrid::plan::{Axis, LevelPlan};
    }
    pub mod reference {
        pub use crate::reference::*;
    }
    pub mod shader {
        pub use crate::shader::internal::*;
    }

    /// Returns every shader that quadrille runs, in every variant, to be checked as a set.
    pub fn sources() -> Result<Vec<crate::shader::Source>, Box<dyn std::error::Error>> {
        let mut sources = crate::stream::facts::sources()?;
        sources.extend(crate::stream::capture::sources()?);
        sources.extend(crate::stream::level_sources()?);
        sources.extend(crate::stream::reduce::sources()?);
        #[cfg(feature = "cluster")]
        sources.extend(crate::cluster::halo::sources()?);
        sources.extend(crate::grid::sources()?);
        sources.extend(crate::linalg::blas1::sources()?);
        sources.extend(crate::linalg::jacobi::sources()?);
        sources.extend(crate::linalg::matmul::sources()?);
        sources.extend(crate::linalg::nine_banded::sources()?);
        #[cfg(feature = "solve")]
        sources.extend(crate::linalg::solve::sources()?);
        #[cfg(feature = "primitives")]
        sources.extend(crate::primitives::sources()?);
        Ok(sources)
    }
}

/// The code blocks of README.md, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
