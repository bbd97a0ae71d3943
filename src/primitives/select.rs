//! Selection: the numbers of a vector for which a predicate holds, in their order; or all, those
//! first (Horn, "Stream Reduction Operations for GPGPU Applications", 2005).
//!
//! Flags are scanned to ranks: how many that are kept stand before each number. Compute shaders
//! scatter each number to its rank. Fragments cannot, and each place of the result searches for the
//! number of its rank instead.

pub(super) mod gather;
pub(super) mod ranked;
pub(super) mod scatter;

use std::marker::PhantomData;

use crate::gl::{Context, Error as GlError, Texture};
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::group::{Group, Setup};
use crate::stream::{ComputeKernel, Engine, Error, Kernel};

use super::number::Number;
use super::scan::Scan;

use gather::Gather;
use ranked::{Ranks, with_predicate};
use scatter::Scatter;

/// The invocations of a work group along each side, where the device allows them.
const SIDE: u32 = 16;

/// Selects numbers of vectors of one context by a predicate, on one engine.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Select};
/// let context = Context::headless()?;
/// let x = DeviceVector::from_host(&context, &[3_i32, -1, 4, -1, -5, 9])?;
/// let positive = Select::by(&context, "x > 0")?;
/// assert_eq!(positive.of(&x)?.read()?, [3, 4, 9]);
/// let (parted, count) = positive.partition(&x)?;
/// assert_eq!((parted.read()?, count), (vec![3, 4, 9, -1, -1, -5], 3));
///
/// let masked = Select::masked(&context)?;
/// let mask = DeviceVector::from_host(&context, &[0_u32, 1, 0, 1, 1, 0])?;
/// assert_eq!(masked.of_masked(&x, &mask)?.read()?, [-1, -1, -5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Select<T: Number = f32> {
    context: Context,
    flags: Flags,
    scan: Scan<u32>,
    way: Way,
    takes_mask: bool,
    number: PhantomData<T>,
}

enum Flags {
    Drawn(Kernel),
    Dispatched(ComputeKernel, Group),
}

enum Way {
    Gather(Box<Gather>),
    Scatter(Box<Scatter>),
}

impl<T: Number> Select<T> {
    /// Compiles a predicate, an expression in GLSL of a number `x`, for the engine that is usually
    /// the fastest ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// [`Error::Compile`] with the line and column of the predicate, and limits of the device.
    pub fn by(context: &Context, predicate: &str) -> Result<Select<T>, Error> {
        Select::on(context, Engine::default_for(context), predicate)
    }

    /// Compiles a predicate for this engine.
    ///
    /// # Errors
    ///
    /// Those of [`by`](Self::by), and [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if
    /// the context lacks the engine.
    pub fn on(context: &Context, engine: Engine, predicate: &str) -> Result<Select<T>, Error> {
        Select::new(context, engine, predicate, false)
    }

    /// Keeps the numbers whose mask is not 0.
    ///
    /// # Errors
    ///
    /// Limits of the device.
    pub fn masked(context: &Context) -> Result<Select<T>, Error> {
        Select::masked_on(context, Engine::default_for(context))
    }

    /// Keeps the numbers whose mask is not 0, on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn masked_on(context: &Context, engine: Engine) -> Result<Select<T>, Error> {
        Select::new(context, engine, "mask != 0u", true)
    }

    fn new(
        context: &Context,
        engine: Engine,
        predicate: &str,
        takes_mask: bool,
    ) -> Result<Select<T>, Error> {
        engine.must_run_on(context, "a selection by compute shaders")?;
        let side = Engine::group_side(context, SIDE);
        let setup = Setup::new(engine, Group::new(side, side));
        let source = with_predicate::<T>(flags_source(setup)?, predicate, takes_mask);
        let (flags, way) = match setup {
            Setup::Fragment => {
                let kernel = Kernel::from_fragment(context, &source, context.abilities().reads())?;
                (Flags::Drawn(kernel), Way::Gather(Box::new(Gather::new::<T>(context)?)))
            }
            Setup::Compute(group) => {
                let scatter = Scatter::new::<T>(context, group, predicate, takes_mask)?;
                let kernel = context.compute_kernel(source)?;
                (Flags::Dispatched(kernel, group), Way::Scatter(Box::new(scatter)))
            }
        };
        let (context, scan) = (context.clone(), Scan::on(context, engine)?);
        Ok(Select { context, flags, scan, way, takes_mask, number: PhantomData })
    }

    /// Returns the numbers for which the predicate holds, in their order.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than 32 bits count,
    /// [`gl::Error::Length`](crate::gl::Error::Length) for a selection by a mask without one, and
    /// errors of the device.
    pub fn of(&self, x: &DeviceVector<T>) -> Result<DeviceVector<T>, Error> {
        let ranks = self.ranks(x, None)?;
        self.moved(x, None, &ranks, false)
    }

    /// Returns the numbers whose mask is not 0, in their order.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Self::of); the lengths are equal.
    pub fn of_masked(
        &self,
        x: &DeviceVector<T>,
        mask: &DeviceVector<u32>,
    ) -> Result<DeviceVector<T>, Error> {
        let ranks = self.ranks(x, Some(mask))?;
        self.moved(x, Some(mask), &ranks, false)
    }

    /// Returns all numbers, those for which the predicate holds before the others, each part in its
    /// order; and how many the first part has.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Self::of).
    pub fn partition(&self, x: &DeviceVector<T>) -> Result<(DeviceVector<T>, usize), Error> {
        let ranks = self.ranks(x, None)?;
        Ok((self.moved(x, None, &ranks, true)?, ranks.total() as usize))
    }

    fn ranks(&self, x: &DeviceVector<T>, mask: Option<&DeviceVector<u32>>) -> Result<Ranks, Error> {
        if u32::try_from(x.len()).is_err() {
            return Err(GlError::TooLarge {
                what: "a selection".into(),
                request: format!("{} numbers", x.len()),
                limit: u32::MAX.into(),
                remedy: "select from parts of the vector".into(),
            }
            .into());
        }
        let masks = mask.map_or(0, DeviceVector::len);
        if masks != if self.takes_mask { x.len() } else { 0 } {
            let what = "a selection: the mask".to_owned();
            let expected = if self.takes_mask { x.len() } else { 0 };
            return Err(GlError::Length { what, expected, got: masks }.into());
        }
        let mut flags = DeviceVector::uninit(&self.context, x.len())?;
        for (index, ((x, length), (flags, _))) in x.panels().zip(flags.panels_mut()).enumerate() {
            let mask = mask.and_then(|mask| mask.panel(index));
            self.flags(x, length, mask, flags)?;
        }
        Ranks::of(&self.scan, &flags)
    }

    fn flags(
        &self,
        x: &Texture<T::Quad>,
        length: usize,
        mask: Option<&Texture<[u32; 4]>>,
        flags: &mut Texture<[u32; 4]>,
    ) -> Result<(), Error> {
        let extent = x.extent();
        let shift = extent.width.trailing_zeros() as i32;
        match &self.flags {
            Flags::Drawn(kernel) => {
                let pass = kernel.pass().input("numbers", x).uniform("shift", shift);
                let pass = pass.uniform("length_of_panel", length as i32);
                let pass = match mask {
                    Some(mask) => pass.input("mask_of", mask),
                    None => pass,
                };
                pass.draw(flags)
            }
            Flags::Dispatched(kernel, group) => {
                let dispatch = kernel.dispatch().input("numbers", x).uniform("shift", shift);
                let dispatch = dispatch.uniform("length_of_panel", length as i32);
                let dispatch = match mask {
                    Some(mask) => dispatch.input("mask_of", mask),
                    None => dispatch,
                };
                dispatch.image_mut("flags", flags).run(group.cover(extent))
            }
        }
    }

    fn moved(
        &self,
        x: &DeviceVector<T>,
        mask: Option<&DeviceVector<u32>>,
        ranks: &Ranks,
        all: bool,
    ) -> Result<DeviceVector<T>, Error> {
        let length = if all { x.len() } else { ranks.total() as usize };
        let mut result = DeviceVector::uninit(&self.context, length)?;
        match &self.way {
            Way::Gather(gather) => gather.run(x, ranks, all, &mut result)?,
            Way::Scatter(scatter) => scatter.run((x, mask), ranks, all, &mut result)?,
        }
        Ok(result)
    }
}

fn flags_source(setup: Setup) -> Result<Source, Error> {
    Ok(match setup {
        Setup::Fragment => Source::library(Stage::Fragment, "select/flags.frag")?,
        Setup::Compute(group) => {
            group.define(Source::library(Stage::Compute, "select/flags.comp")?)
        }
    })
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    Ok([of_number::<f32>()?, of_number::<i32>()?, of_number::<u32>()?].concat())
}

fn of_number<T: Number>() -> Result<Vec<Source>, Error> {
    let group = Group::new(SIDE, SIDE);
    let mut sources = gather::sources::<T>()?;
    for masked in [false, true] {
        for setup in [Setup::Fragment, Setup::Compute(group)] {
            sources.push(with_predicate::<T>(flags_source(setup)?, "true", masked));
        }
        sources.extend(scatter::sources::<T>(group, "true", masked)?);
    }
    Ok(sources)
}

impl<T: Number> std::fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Select<{}>", T::GLSL)
    }
}
