//! Sorts: stable, by whole numbers of 32 bits in the order of the keys.
//!
//! **Compute shaders** sort by a digit of 8 bits after the other, the lowest first. For each digit
//! they count the keys of each work group's part, scan the counts to places, and move each key to its
//! place, with what goes with it (Satish, Harris and Garland 2009; Merrill and Grimshaw 2011).
//!
//! **Fragments** part the keys by a bit after the other, the lowest first: those with 0 before those
//! with 1, each in their order, as [`Select::partition`](super::Select::partition) does.
//!
//! **Order.** Of floats -0 stands before 0, and every NaN last, also where the order is descending;
//! of keys that are equal the first comes first.

mod dispatched;
mod drawn;
mod sorted;

use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::{Source, Stage};
use crate::stream::{Engine, Error, Kernel};

use super::number::Number;

use dispatched::Dispatched;
use drawn::Drawn;
use sorted::{Sorted, too_large};

/// Sorts vectors of one context, on one engine, by keys of type `T`.
///
/// ```
/// use quadrille::{Context, grid::DeviceVector, primitives::Sort};
/// let context = Context::headless()?;
/// let sort = Sort::new(&context)?;
/// let x = DeviceVector::from_host(&context, &[3.0_f32, -1.0, f32::INFINITY, 0.5])?;
/// assert_eq!(sort.keys(&x)?.read()?, [-1.0, 0.5, 3.0, f32::INFINITY]);
/// assert_eq!(sort.indices(&x)?.read()?, [1, 3, 0, 2]);
/// let names = DeviceVector::from_host(&context, &[30_u32, 10, 40, 20])?;
/// let (_, sorted) = sort.pairs(&x, &names)?;
/// assert_eq!(sorted.read()?, [10, 20, 30, 40]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sort<T: Number = f32> {
    way: Way<T>,
    places: Kernel,
}

enum Way<T: Number> {
    Drawn(Box<Drawn<T>>),
    Dispatched(Dispatched<T>),
}

impl<T: Number> Sort<T> {
    /// Creates an ascending sort on the engine that is usually the fastest
    /// ([`Engine::default_for`]).
    ///
    /// # Errors
    ///
    /// Limits of the device.
    pub fn new(context: &Context) -> Result<Sort<T>, Error> {
        Sort::on(context, Engine::default_for(context))
    }

    /// Creates an ascending sort on this engine.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Sort<T>, Error> {
        Sort::ordered(context, engine, false)
    }

    /// Creates a sort that begins with the greatest, on this engine.
    ///
    /// # Errors
    ///
    /// Those of [`on`](Self::on).
    pub fn descending(context: &Context, engine: Engine) -> Result<Sort<T>, Error> {
        Sort::ordered(context, engine, true)
    }

    fn ordered(context: &Context, engine: Engine, descending: bool) -> Result<Sort<T>, Error> {
        engine.must_run_on(context, "a sort by compute shaders")?;
        let way = match engine {
            Engine::Fragment => Way::Drawn(Box::new(Drawn::new(context, descending)?)),
            Engine::Compute => Way::Dispatched(Dispatched::new(context, descending)),
        };
        let reads = context.abilities().reads();
        Ok(Sort { way, places: Kernel::from_fragment(context, &places_source()?, reads)? })
    }

    /// Returns the numbers in their order.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than a buffer of the
    /// device holds (compute) or 31 bits count, and errors of the device.
    pub fn keys(&self, x: &DeviceVector<T>) -> Result<DeviceVector<T>, Error> {
        Ok(self.sorted::<u32>(x, None)?.0)
    }

    /// Returns the index of each number of [`keys`](Self::keys) in the vector: what NumPy calls
    /// argsort.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn indices(&self, x: &DeviceVector<T>) -> Result<DeviceVector<u32>, Error> {
        let mut places = DeviceVector::uninit(x.context(), x.len())?;
        let mut first = 0_u32;
        for (panel, length) in places.panels_mut() {
            let shift = panel.extent().width.trailing_zeros() as i32;
            let pass = self.places.pass().uniform("first", first).uniform("shift", shift);
            pass.uniform("length_of_panel", length as i32).draw(panel)?;
            first += length as u32;
        }
        Ok(self.pairs(x, &places)?.1)
    }

    /// Returns the numbers in their order, and values in the order of the numbers that they go with.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the lengths differ, and those of
    /// [`keys`](Self::keys).
    pub fn pairs<V: Number>(
        &self,
        x: &DeviceVector<T>,
        values: &DeviceVector<V>,
    ) -> Result<(DeviceVector<T>, DeviceVector<V>), Error> {
        values.must_have(x.len(), "a sort: the values")?;
        let (keys, sorted) = self.sorted(x, Some(values))?;
        // There are as many vectors as were given.
        let sorted = sorted.map_or_else(|| DeviceVector::uninit(x.context(), 0), Ok)?;
        Ok((keys, sorted))
    }

    fn sorted<V: Number>(
        &self,
        x: &DeviceVector<T>,
        values: Option<&DeviceVector<V>>,
    ) -> Result<Sorted<T, V>, Error> {
        if i32::try_from(x.len()).is_err() {
            let limit = i32::MAX as u64;
            return Err(too_large(x.len(), limit).into());
        }
        match &self.way {
            Way::Drawn(way) => way.run(x, values),
            Way::Dispatched(way) => way.run(x, values),
        }
    }
}

impl<T: Number> std::fmt::Debug for Sort<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engine = match &self.way {
            Way::Drawn(_) => Engine::Fragment,
            Way::Dispatched(_) => Engine::Compute,
        };
        write!(f, "Sort<{}>({engine})", T::GLSL)
    }
}

/// The shader of each number's place in its vector.
fn places_source() -> Result<Source, Error> {
    Ok(Source::library(Stage::Fragment, "sort/places.frag")?)
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>, Error> {
    let mut sources = vec![places_source()?, drawn::bits()?];
    for descending in [false, true] {
        sources.extend(of_number::<f32>(descending)?);
        sources.extend(of_number::<i32>(descending)?);
        sources.extend(of_number::<u32>(descending)?);
    }
    Ok(sources)
}

fn of_number<T: Number>(descending: bool) -> Result<Vec<Source>, Error> {
    let mut sources = dispatched::sources::<T>(descending)?;
    for back in [false, true] {
        sources.push(drawn::keys::<T>(descending, back)?);
    }
    Ok(sources)
}
