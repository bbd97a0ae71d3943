//! Operations on vectors: the BLAS of level 1 (Lawson, Hanson, Kincaid and Krogh 1979), and
//! element-wise operations from an expression.
//!
//! [`Blas1`] compiles and runs them on [`DeviceVector`]s. Nothing is read back unless the result is
//! a number of the host; one that later operations need can stay on the device as a [`Scalar`], and
//! chains of operations never wait.
//!
//! A conjugate gradient iteration for a diagonal matrix, which reads nothing until its end:
//!
//! ```
//! use quadrille::grid::{DeviceVector, Scalar};
//! use quadrille::linalg::blas1::Blas1;
//! let context = quadrille::Context::headless()?;
//! let blas = Blas1::new(&context);
//! let diagonal = DeviceVector::from_host(&context, &[1.0_f32, 2.0, 4.0])?;
//! let mut x = DeviceVector::zeros(&context, 3)?;
//! let mut r = DeviceVector::from_host(&context, &[1.0_f32; 3])?;
//! let mut p = DeviceVector::from_host(&context, &[1.0_f32; 3])?;
//! let mut q = DeviceVector::uninit(&context, 3)?;
//! let multiply = blas.map("d * p", &["d", "p"], &[])?;
//! let quotient = blas.map("b > 0.0 ? a / b : 0.0", &[], &["a", "b"])?; // 0 once the residual is
//! let negate = blas.map("-a", &[], &["a"])?;
//! let zero = || Scalar::new(&context, 0.0);
//! let (mut rr, mut last, mut pq) = (zero()?, zero()?, zero()?);
//! let (mut alpha, mut minus_alpha, mut beta) = (zero()?, zero()?, zero()?);
//! blas.dot_into(&r, &r, &mut rr)?;
//! for _ in 0..3 {
//!     multiply.apply().vector("d", &diagonal).vector("p", &p).run(&mut q)?;
//!     blas.dot_into(&p, &q, &mut pq)?;
//!     quotient.apply().scalar("a", &rr).scalar("b", &pq).run_scalar(&mut alpha)?;
//!     negate.apply().scalar("a", &alpha).run_scalar(&mut minus_alpha)?;
//!     blas.axpy(&alpha, &p, &mut x)?;
//!     blas.axpy(&minus_alpha, &q, &mut r)?;
//!     std::mem::swap(&mut rr, &mut last);
//!     blas.dot_into(&r, &r, &mut rr)?;
//!     quotient.apply().scalar("a", &rr).scalar("b", &last).run_scalar(&mut beta)?;
//!     blas.axpby(1.0, &r, &beta, &mut p)?;
//! }
//! let solution = x.read()?;
//! assert!(solution.iter().zip([1.0, 0.5, 0.25]).all(|(x, exact)| (x - exact).abs() < 1e-5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod element_wise;
mod expression;
mod grids;
mod map;
mod operation;
mod reductions;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{Context, Texture};
#[cfg(doc)]
use crate::grid::{DeviceVector, Scalar};
use crate::shader::Source;
use crate::stream::group::{Group, Setup};
use crate::stream::reduce::{Reducer, Searcher};
use crate::stream::{Engine, Result};

pub use apply::Apply;
pub use grids::Grids;
pub use map::{Coefficient, Map};

use expression::{Expressions, Specialization};
use operation::Operation;

/// A panel of a vector or grid.
type Panel = Texture<[f32; 4]>;

/// The operations of BLAS level 1 on vectors of one context, on one engine. Kernels are compiled
/// when first needed.
///
/// Operations that change a vector in place write another texture and exchange the two, so the
/// largest panels that were used stay allocated once or twice more, until this is dropped.
///
/// ```
/// use quadrille::grid::DeviceVector;
/// use quadrille::linalg::blas1::Blas1;
/// let context = quadrille::Context::headless()?;
/// let blas = Blas1::new(&context);
/// let x = DeviceVector::from_host(&context, &[1.0_f32, -2.0, 3.0])?;
/// let mut y = DeviceVector::from_host(&context, &[10.0_f32, 10.0, 10.0])?;
/// blas.axpy(2.0, &x, &mut y)?;
/// assert_eq!(y.read()?, [12.0, 6.0, 16.0]);
/// assert_eq!((blas.dot(&x, &y)?, blas.asum(&x)?, blas.iamax(&x)?), (48.0, 6.0, Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Blas1 {
    context: Context,
    setup: Setup,
    reducer: Reducer,
    searcher: OnceCell<Searcher>,
    maps: RefCell<HashMap<Operation, Rc<Map>>>,
    /// Textures to write what replaces a panel.
    spare: RefCell<HashMap<Extent, Vec<Texture<[f32; 4]>>>>,
}

/// The name of the element-wise operations among the tuned choices.
const OPERATION: &str = "blas1";
/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 16;

/// Returns the setup that is usually the fastest on an engine.
fn usual(context: &Context, engine: Engine) -> Setup {
    let side = Engine::group_side(context, SIDE);
    Setup::new(engine, Group::new(side, side))
}

/// Returns every shader of this module.
pub(crate) fn sources() -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for engine in Engine::ALL {
        let all = Operation::ALL.into_iter();
        for operation in all.filter(|o| engine == Engine::Compute || !o.is_summed()) {
            for (on_device, divided, padded) in [
                (0, 0, true),
                (u32::MAX, 0, true),
                (u32::MAX, 0, false),
                (u32::MAX, u32::MAX, true),
            ] {
                if on_device & operation.on_device() == operation.on_device() {
                    let specialization = Specialization { on_device, negated: 0, divided, padded };
                    let source = map::source(Setup::new(engine, Group::new(16, 16)))?;
                    sources.push(operation.expressions().complete(source, specialization));
                }
            }
        }
        // A user's, with the functions that they may call.
        let source = map::source(Setup::new(engine, Group::new(16, 16)))?;
        let expressions = Expressions::new("power_of(tanh_of(x), sin_of(x))", &["x"], &[])?;
        sources.push(
            expressions
                .complete(source, Specialization { padded: true, ..Specialization::default() }),
        );
    }
    Ok(sources)
}

impl Blas1 {
    /// Returns the operations in the way that was tuned for this device
    /// ([`choice`](crate::stream::choice)), else on the engine that is usually the fastest
    /// ([`Engine::default_for`]). Reductions have a choice of their own.
    pub fn new(context: &Context) -> Blas1 {
        let usual = || usual(context, Engine::default_for(context));
        let setup = Setup::tuned(context, OPERATION).unwrap_or_else(usual);
        Blas1::by(context, setup, Reducer::new(context))
    }

    /// Returns the operations on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Blas1> {
        let reducer = Reducer::on(context, engine)?;
        let tuned = Setup::tuned(context, OPERATION).filter(|setup| setup.engine() == engine);
        Ok(Blas1::by(context, tuned.unwrap_or_else(|| usual(context, engine)), reducer))
    }

    fn by(context: &Context, setup: Setup, reducer: Reducer) -> Blas1 {
        let (searcher, maps, spare) = Default::default();
        Blas1 { context: context.clone(), setup, reducer, searcher, maps, spare }
    }

    /// Returns the engine of the element-wise operations.
    pub fn engine(&self) -> Engine {
        self.setup.engine()
    }

    /// Returns the setup of the element-wise operations as text, as a tuned choice is stored.
    #[doc(hidden)]
    pub fn choice(&self) -> String {
        self.setup.to_string()
    }

    /// Texts of tuned choices that this context can run.
    #[doc(hidden)]
    pub fn choices(context: &Context) -> Vec<String> {
        Setup::all(context).iter().map(ToString::to_string).collect()
    }

    /// Compiles an element-wise operation, fused into one pass: an expression in GLSL of one number
    /// of each vector, and of scalars. It may call the functions of GLSL and those of
    /// `glsl/include/elementary.glsl`, such as `exp_of`, whose errors have bounds on every device,
    /// and nothing else: no position, no statements.
    ///
    /// ```
    /// use quadrille::grid::DeviceVector;
    /// use quadrille::linalg::blas1::Blas1;
    /// let context = quadrille::Context::headless()?;
    /// let map = Blas1::new(&context).map("a * x + y * y", &["x", "y"], &["a"])?;
    /// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0])?;
    /// let y = DeviceVector::from_host(&context, &[3.0_f32, 4.0])?;
    /// let mut z = DeviceVector::uninit(&context, 2)?;
    /// map.apply().vector("x", &x).vector("y", &y).scalar("a", 10.0).run(&mut z)?;
    /// assert_eq!(z.read()?, [19.0, 36.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Compile`](crate::stream::Error::Compile) with the line and column of the expression, and limits of the device.
    pub fn map(&self, text: &str, vectors: &[&str], scalars: &[&str]) -> Result<Map> {
        let expressions = Expressions::new(text, vectors, scalars)?;
        self.new_map(expressions).compiled()
    }

    /// Returns an operation of the library, compiled when it first runs.
    fn operation(&self, operation: Operation) -> Rc<Map> {
        let make = || Rc::new(self.new_map(operation.expressions()));
        Rc::clone(self.maps.borrow_mut().entry(operation).or_insert_with(make))
    }

    fn new_map(&self, expressions: Expressions) -> Map {
        Map::new(&self.context, self.setup, expressions)
    }
}
