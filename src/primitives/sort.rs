//! Sorts: stable, by whole numbers of 32 bits in the order of the keys.
//!
//! **Compute shaders** sort by a digit of 8 bits after the other, the lowest first. For each digit
//! they count the keys of each work group's part, scan the counts to places, and move each key to its
//! place, with what goes with it (Satish, Harris and Garland 2009; Ashkiani, Davidson, Meyer and Owens
//! 2016).
//!
//! **Fragments** sort by a digit of 4 bits after the other. For each digit they count the keys of each
//! block of 64, scan the counts to places, and each place of the result searches for its block, and in
//! it for its key.
//!
//! **Order.** Of floats -0 stands before 0, and every NaN last, also where the order is descending;
//! denormals are numbers of their own, on every device; of keys that are equal the first comes first.

mod derived;
mod dispatched;
mod drawn;
mod groups;
mod sorted;

use std::rc::Rc;

use crate::gl::Context;
use crate::grid::DeviceVector;
use crate::shader::Source;
use crate::stream::kept::Kept;
use crate::stream::{Engine, Result};

use super::kit::compute_if_any;
use super::kit::key::Key;
use super::number::Number;

use derived::{Derived, must_be_whole};
use dispatched::ScatterSort;
use drawn::GatherSort;
use sorted::{Moved, SortRequest, Sorted, too_large};

/// Sorts vectors of one context by keys of type `T`.
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
    context: Context,
    /// The engine, where it was chosen.
    chosen: Option<Engine>,
    scatter: Option<ScatterSort>,
    gather: Kept<(), GatherSort>,
    key: Key,
    bits: u32,
    derived: Derived<T>,
    /// The sorts by so many bits of a row's number.
    by_row: Kept<u32, Sort<u32>>,
}

impl<T: Number> Sort<T> {
    /// Creates an ascending sort: by compute shaders where the context has them, software renderers
    /// included, and by fragments of more numbers than a buffer of the device holds.
    ///
    /// # Errors
    ///
    /// Limits of the device.
    pub fn new(context: &Context) -> Result<Sort<T>> {
        Sort::chosen(context, None)
    }

    /// Creates an ascending sort on this engine alone.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Unsupported`](crate::gl::Error::Unsupported) if the context lacks it.
    pub fn on(context: &Context, engine: Engine) -> Result<Sort<T>> {
        engine.must_run_on(context, "a sort by compute shaders")?;
        Sort::chosen(context, Some(engine))
    }

    pub(super) fn chosen(context: &Context, chosen: Option<Engine>) -> Result<Sort<T>> {
        let engine = chosen.unwrap_or_else(|| compute_if_any(context));
        let compute = engine == Engine::Compute;
        let scatter = compute.then(|| ScatterSort::new(context)).transpose()?;
        let (gather, derived, by_row) = Default::default();
        let (context, key, bits) = (context.clone(), Key::ordered::<T>(false), u32::BITS);
        Ok(Sort { context, chosen, scatter, gather, key, bits, derived, by_row })
    }

    /// Begins with the greatest.
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.key = Key::ordered::<T>(true);
        self
    }

    /// Returns the numbers in their order.
    ///
    /// # Errors
    ///
    /// [`gl::Error::TooLarge`](crate::gl::Error::TooLarge) for more numbers than a buffer of the
    /// device holds (compute), than have counts in one texture (fragments) or than 31 bits count,
    /// and errors of the device.
    pub fn keys(&self, x: &DeviceVector<T>) -> Result<DeviceVector<T>> {
        let (keys, _) = self.sorted::<u32>(x, Moved::Nothing, true)?;
        given(x, keys)
    }

    /// Returns the index of each number of [`keys`](Self::keys) in the vector: what NumPy calls
    /// argsort.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn indices(&self, x: &DeviceVector<T>) -> Result<DeviceVector<u32>> {
        let (_, places) = self.sorted(x, Moved::Places, false)?;
        given(x, places)
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
    ) -> Result<(DeviceVector<T>, DeviceVector<V>)> {
        values.must_have(x.len(), "a sort: the values")?;
        let (keys, sorted) = self.sorted(x, Moved::Values(values), true)?;
        Ok((given(x, keys)?, given(x, sorted)?))
    }

    /// Returns the different numbers in their order, each once: NaN counts as one, and of -0 and 0 the
    /// first in the order is kept.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn unique(&self, x: &DeviceVector<T>) -> Result<DeviceVector<T>> {
        self.derived.different(&self.keys(x)?, self.chosen)
    }

    /// Returns the first `count` numbers of the order, or all if there are fewer: with
    /// [`descending`](Self::descending) the greatest.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn first(&self, x: &DeviceVector<T>, count: usize) -> Result<DeviceVector<T>> {
        self.derived.take(&self.keys(x)?, count)
    }

    /// Returns the first `count` numbers of the order and their indices, by one sort.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn first_with_indices(
        &self,
        x: &DeviceVector<T>,
        count: usize,
    ) -> Result<(DeviceVector<T>, DeviceVector<u32>)> {
        let (keys, places) = self.with_places(x)?;
        Ok((self.derived.take(&keys, count)?, self.derived.take(&places, count)?))
    }

    /// Returns the indices of the first `count` numbers of the order.
    ///
    /// # Errors
    ///
    /// Those of [`keys`](Self::keys).
    pub fn first_indices(&self, x: &DeviceVector<T>, count: usize) -> Result<DeviceVector<u32>> {
        self.derived.take(&self.indices(x)?, count)
    }

    /// Returns the numbers of a matrix, row by row, with each row of `columns` numbers in its order.
    ///
    /// # Errors
    ///
    /// [`gl::Error::Length`](crate::gl::Error::Length) if the rows are not whole, and those of
    /// [`keys`](Self::keys).
    pub fn rows(&self, x: &DeviceVector<T>, columns: usize) -> Result<DeviceVector<T>> {
        must_be_whole(x.len(), columns)?;
        let (keys, places) = self.with_places(x)?;
        // The sort by rows keeps the order of the keys in each.
        Ok(self.by_row(x, columns)?.pairs(&self.derived.rows(&places, columns)?, &keys)?.1)
    }

    /// Returns the column of each number of [`rows`](Self::rows): the indices that sort each row.
    ///
    /// # Errors
    ///
    /// Those of [`rows`](Self::rows).
    pub fn row_indices(&self, x: &DeviceVector<T>, columns: usize) -> Result<DeviceVector<u32>> {
        must_be_whole(x.len(), columns)?;
        let places = self.indices(x)?;
        let rows = self.derived.rows(&places, columns)?;
        let (_, places) = self.by_row(x, columns)?.pairs(&rows, &places)?;
        self.derived.columns(&places, columns)
    }

    /// Returns the sort by as many bits as the rows' numbers have.
    fn by_row(&self, x: &DeviceVector<T>, columns: usize) -> Result<Rc<Sort<u32>>> {
        let rows = x.len() / columns.max(1);
        let bits = usize::BITS - rows.saturating_sub(1).leading_zeros();
        let make = || Ok(Sort::<u32>::chosen(&self.context, self.chosen)?.bits(bits));
        self.by_row.get_or(&bits, make)
    }

    /// Returns the numbers in their order, and the index of each.
    fn with_places(&self, x: &DeviceVector<T>) -> Result<(DeviceVector<T>, DeviceVector<u32>)> {
        let (keys, places) = self.sorted(x, Moved::Places, true)?;
        Ok((given(x, keys)?, given(x, places)?))
    }

    fn sorted<V: Number>(
        &self,
        x: &DeviceVector<T>,
        moved: Moved<'_, V>,
        keys: bool,
    ) -> Result<Sorted<T, V>> {
        if i32::try_from(x.len()).is_err() {
            let limit = i32::MAX as u64;
            return Err(too_large(x.len(), limit).into());
        }
        let request = SortRequest { x, key: self.key, moved, keys, bits: self.bits };
        match &self.scatter {
            Some(scatter) if self.chosen.is_some() || x.len() as u64 <= scatter.most() => {
                scatter.run(request)
            }
            _ => self.gather.get_or(&(), || GatherSort::new(&self.context))?.run(request),
        }
    }
}

impl Sort<u32> {
    /// Sorts by the lowest bits of the numbers alone, from 1 to 32, which takes less time: numbers of
    /// 16 bits half as long as others, and those of 8 bits a quarter.
    ///
    /// ```
    /// use quadrille::{Context, grid::DeviceVector, primitives::Sort};
    /// let context = Context::headless()?;
    /// let x = DeviceVector::from_host(&context, &[513_u32, 2, 256])?;
    /// assert_eq!(Sort::new(&context)?.bits(8).keys(&x)?.read()?, [256, 513, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn bits(mut self, bits: u32) -> Self {
        self.bits = bits.clamp(1, u32::BITS);
        self
    }
}

/// What was asked for is there; an empty vector has none.
fn given<T: Number, V: Number>(
    x: &DeviceVector<T>,
    sorted: Option<DeviceVector<V>>,
) -> Result<DeviceVector<V>> {
    sorted.map_or_else(|| DeviceVector::uninit(x.context(), 0), Ok)
}

impl<T: Number> std::fmt::Debug for Sort<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let engine = match self.scatter {
            Some(_) => Engine::Compute,
            None => Engine::Fragment,
        };
        write!(f, "Sort<{}>({engine})", T::GLSL)
    }
}

/// Returns every shader of this module in every variant.
pub(super) fn sources() -> Result<Vec<Source>> {
    let mut sources = [drawn::sources()?, dispatched::sources()?, derived::sources()?].concat();
    for key in [keys_of::<f32>(), keys_of::<i32>(), keys_of::<u32>()].concat() {
        sources.extend(drawn::conversions(key)?);
        sources.extend(dispatched::conversions(key)?);
    }
    Ok(sources)
}

fn keys_of<T: Number>() -> [Key; 3] {
    [Key::ordered::<T>(false), Key::ordered::<T>(true), Key::bits::<T>()]
}
