//! Scans: sums, products, minima and maxima of all numbers of a vector up to each of them, also by
//! segments (Blelloch, "Prefix Sums and Their Applications", 1990).
//!
//! **By fragments** a scan goes up and down a pyramid. Each level has the totals of blocks of 16
//! numbers of the level below, four in a texel; on the way down each number joins what stands
//! before its block and what stands before it in the block.
//!
//! **By compute shaders** it takes three dispatches: the totals of strips of rows, the scan of these
//! totals by one group, and the scan of each strip. Each number is read twice and written once.
//!
//! **Error.** Integers are exact, modulo 2^32; minima and maxima are exact. A sum of floats is off
//! by at most [`Scan::error_bound`] times the sum of the magnitudes up to there, which grows with
//! log n, and a product by a rounding for each factor. The order depends on the length alone, so
//! repeated scans give identical bits.
//!
//! **Range of floats.** Runs of numbers are joined that begin anywhere, not at the first alone, and
//! each must be in the range of floats. Sums are as said while the greatest and the least prefix are
//! less than 2^127 apart, 0 being one of them; products while the greatest magnitude of a prefix is
//! less than 2^126 times the least, 1 being one of them. Beyond that a prefix that a loop would have
//! finite may come out infinite, 0 or NaN.

mod dispatched;
mod drawn;
mod middle;
mod plan;
mod variant;

use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::{Engine, Result};

use super::number::{Number, Operation};

use dispatched::StripScan;
use drawn::PyramidScan;
pub(super) use middle::{Middle, Totals, side};
pub(super) use plan::gamma;
use variant::ScanVariant;

/// Scans vectors of one context, on one engine. Kernels are compiled when they are first needed and
/// kept, as are textures and buffers for partial results.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::{Operation, Scan}};
/// let context = Context::headless()?;
/// let scan = Scan::new(&context);
/// let x = DeviceVector::from_host(&context, &[3_i32, 1, 4, 1, 5])?;
/// let mut y = DeviceVector::uninit(&context, x.len())?;
/// scan.of(&x).run(&mut y)?;
/// assert_eq!(y.read()?, [3, 4, 8, 9, 14]);
/// scan.of(&x).exclusive().run(&mut y)?;
/// assert_eq!(y.read()?, [0, 3, 4, 8, 9]);
/// scan.of(&x).operation(Operation::Max).run(&mut y)?;
/// assert_eq!(y.read()?, [3, 3, 4, 4, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scan<T: Number = f32> {
    algorithm: Algorithm<T>,
}

enum Algorithm<T: Number> {
    Pyramid(PyramidScan<T>),
    Strips(StripScan<T>),
}

/// A scan of one vector.
#[must_use = "a scan does nothing until it is run"]
pub struct Prefixes<'a, T: Number> {
    scan: &'a Scan<T>,
    x: &'a DeviceVector<T>,
    starts: Option<&'a DeviceVector<u32>>,
    variant: ScanVariant,
}

impl<T: Number> Scan<T> {
    /// Creates a scan on the engine that is usually the fastest ([`Engine::default_for`]).
    pub fn new(context: &Context) -> Scan<T> {
        Scan::by(context, Engine::default_for(context))
    }

    /// Creates a scan on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Scan<T>> {
        engine.must_run_on(context, "a scan by compute shaders")?;
        Ok(Scan::by(context, engine))
    }

    fn by(context: &Context, engine: Engine) -> Scan<T> {
        let algorithm = match engine {
            Engine::Fragment => Algorithm::Pyramid(PyramidScan::new(context)),
            Engine::Compute => Algorithm::Strips(StripScan::new(context)),
        };
        Scan { algorithm }
    }

    /// Begins the scan of a vector: inclusive, by sums, of one segment.
    pub fn of<'a>(&'a self, x: &'a DeviceVector<T>) -> Prefixes<'a, T> {
        Prefixes { scan: self, x, starts: None, variant: ScanVariant::default() }
    }

    /// Returns a bound on the error of a prefix sum of floats, of vectors of this length: the sum of
    /// the magnitudes that it adds, times this. It holds while the greatest and the least prefix, or
    /// 0, are less than 2^127 apart.
    pub fn error_bound(&self, length: usize) -> f64 {
        let additions = match &self.algorithm {
            Algorithm::Pyramid(_) => plan::drawn_chain(length),
            Algorithm::Strips(scan) => scan.chain(length),
        };
        plan::gamma(additions)
    }
}

impl<'a, T: Number> Prefixes<'a, T> {
    /// Joins numbers by another operation than the sum.
    pub fn operation(mut self, operation: Operation) -> Self {
        self.variant.operation = operation;
        self
    }

    /// Leaves out the number itself: the first result is the operation's identity (0, 1, or the
    /// greatest or the least number, which are infinities of floats).
    pub fn exclusive(mut self) -> Self {
        self.variant.exclusive = true;
        self
    }

    /// Starts a new segment, which what stands before it does not reach, wherever a flag is not 0.
    pub fn segments(mut self, starts: &'a DeviceVector<u32>) -> Self {
        self.starts = Some(starts);
        self.variant.segmented = true;
        self
    }

    /// Writes the prefixes.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ,
    /// [`gl::Error::Foreign`](crate::gl::Error::Foreign) for a vector of another context, and
    /// errors of the device.
    pub fn run(self, out: &mut DeviceVector<T>) -> Result<()> {
        out.must_have(self.x.len(), "a scan: the prefixes")?;
        if let Some(starts) = self.starts {
            starts.must_have(self.x.len(), "a scan: the starts of segments")?;
        }
        match &self.scan.algorithm {
            Algorithm::Pyramid(scan) => scan.run(self.variant, self.x, self.starts, out),
            Algorithm::Strips(scan) => scan.run(self.variant, self.x, self.starts, out),
        }
    }
}

impl<T: Number> std::fmt::Debug for Scan<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engine = match &self.algorithm {
            Algorithm::Pyramid(_) => Engine::Fragment,
            Algorithm::Strips(_) => Engine::Compute,
        };
        write!(f, "Scan<{}>({engine})", T::GLSL)
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for operation in Operation::ALL {
        for (exclusive, segmented) in [(false, false), (false, true), (true, false), (true, true)] {
            let variant = ScanVariant { operation, exclusive, segmented };
            sources.extend(of_number::<f32>(variant)?);
            sources.extend(of_number::<i32>(variant)?);
            sources.extend(of_number::<u32>(variant)?);
        }
    }
    Ok(sources)
}

fn of_number<T: Number>(variant: ScanVariant) -> Result<Vec<Source>> {
    let mut sources = drawn::sources::<T>(variant)?;
    sources.extend(dispatched::sources::<T>(variant)?);
    Ok(sources)
}
