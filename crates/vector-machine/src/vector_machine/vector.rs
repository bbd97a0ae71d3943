//! Vectors: numbers on the host, with a copy on the device while it is needed.

pub(super) mod number;
pub(super) mod on_device;

use std::cell::{OnceCell, RefCell};
use std::ops::{Range, RangeInclusive};
use std::rc::{Rc, Weak};

use quadrille::data::SplitMix64;
use quadrille::memory;

use super::machine::memory::{Memory, Resident};
use super::{Number, Result};
use on_device::{OnDevice, Stored};

/// A vector of a fixed number of `f32` or `u8`.
///
/// Functions ([`DFunction`](super::DFunction)) read and fill vectors. Numbers move when they are
/// needed: results stay on the device until the host reads them, and a copy stays there until the
/// host writes the vector. [`Memory`] manages the copies.
///
/// ```
/// use quadrille_vp::vector_machine::DVector;
/// let mut v = DVector::from_slice(&[6_u8, 2, 3, 1, 4]);
/// v.read_mut()?[1] = 7;
/// assert_eq!(v.read()?[1], 7);
/// assert_eq!(v.read()?.iter().map(|n| u32::from(*n)).sum::<u32>(), 21);
/// # Ok::<(), quadrille_vp::vector_machine::Error>(())
/// ```
pub struct DVector<T: Number> {
    length: usize,
    host: OnceCell<Vec<T>>,
    slot: Rc<Slot<T>>,
}

/// A vector's copy on the device, shared with the manager.
struct Slot<T: Number> {
    length: usize,
    copy: RefCell<Option<Copy<T>>>,
    /// The numbers of a copy that was evicted before the host read them.
    saved: RefCell<Option<Vec<T>>>,
}

struct Copy<T: Number> {
    vector: Rc<OnDevice<T>>,
    memory: Memory,
    used: u64,
    state: CopyState,
}

/// The state of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyState {
    /// The host's numbers.
    Same,
    /// Numbers that the host does not have.
    Newer,
    /// Numbers that the host has replaced; the next upload overwrites them.
    Stale,
}

impl<T: Number> DVector<T> {
    /// Makes a vector of zeros, which take memory of the host only when they are read.
    pub fn zeros(length: usize) -> DVector<T> {
        DVector { length, host: OnceCell::new(), slot: Slot::empty(length) }
    }

    /// Makes a vector with these numbers. The process ends where there is no memory for the copy,
    /// as it does for a `Vec`; `DVector::from` takes a `Vec` as it is.
    pub fn from_slice(numbers: &[T]) -> DVector<T> {
        DVector::from(numbers.to_vec())
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether the vector has no elements.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns its numbers, read back first if a function has written them since; waits for that
    /// function.
    ///
    /// # Errors
    /// Errors of the device while the copy is read back.
    pub fn read(&self) -> Result<&[T]> {
        if self.host.get().is_none() {
            let numbers = self.slot.newest()?;
            self.host.get_or_init(|| numbers);
        }
        Ok(self.host.get().map_or(&[], Vec::as_slice))
    }

    /// Returns its numbers, to be changed. The copy on the device is uploaded again when it is next
    /// needed.
    ///
    /// # Errors
    /// Errors of the device while the copy is read back.
    pub fn read_mut(&mut self) -> Result<&mut [T]> {
        self.read()?;
        if let Some(copy) = self.slot.copy.borrow_mut().as_mut() {
            copy.state = CopyState::Stale;
        }
        Ok(self.host.get_mut().map_or(&mut [], Vec::as_mut_slice))
    }

    /// Converts the vector to its numbers.
    ///
    /// # Errors
    /// Errors of the device while the copy is read back.
    pub fn into_vec(mut self) -> Result<Vec<T>> {
        self.read()?;
        Ok(self.host.take().unwrap_or_default())
    }

    /// Returns whether a device holds its numbers.
    pub fn is_on_device(&self) -> bool {
        self.slot.copy.borrow().as_ref().is_some_and(|copy| copy.state != CopyState::Stale)
    }

    /// Returns the copy in this memory, made now if needed.
    fn copy_in(&self, memory: &Memory, since: u64) -> Result<Rc<OnDevice<T>>> {
        if let Some(copy) = self.slot.copy.borrow_mut().as_mut()
            && copy.memory.is(memory)
            && copy.state != CopyState::Stale
        {
            copy.used = memory.tick();
            memory.count(|counts| counts.hits += 1);
            return Ok(Rc::clone(&copy.vector));
        }
        // First, since the copy may be the only one of them.
        let numbers = self.read()?;
        let mut vector = self.room(memory, since)?;
        vector.vector.write(numbers)?;
        memory.count(|counts| counts.uploads += 1);
        Ok(self.slot.hold(vector, memory, CopyState::Same))
    }

    /// Returns memory for new numbers: that of the copy, if it is not shared.
    pub(super) fn room(&self, memory: &Memory, since: u64) -> Result<OnDevice<T>> {
        let copy = self.slot.copy.take();
        if let Some(copy) = copy
            && copy.memory.is(memory)
            && let Ok(copy) = Rc::try_unwrap(copy.vector)
        {
            return Ok(copy.emptied());
        }
        Ok(OnDevice::new(memory.vector(self.length, since)?))
    }

    /// Takes new numbers, which a function has drawn.
    pub(super) fn hold(&mut self, vector: OnDevice<T>, memory: &Memory) {
        self.host = OnceCell::new();
        *self.slot.saved.borrow_mut() = None;
        self.slot.hold(vector, memory, CopyState::Newer);
    }

    /// Replaces the numbers by as many new ones.
    pub(super) fn replace(&mut self, numbers: Vec<T>) {
        (self.host, self.slot) = (OnceCell::from(numbers), Slot::empty(self.length));
    }
}

impl<T: Number> Slot<T> {
    /// Creates a vector without a copy on the device.
    fn empty(length: usize) -> Rc<Slot<T>> {
        Rc::new(Slot { length, copy: RefCell::default(), saved: RefCell::default() })
    }

    fn hold(
        self: &Rc<Self>,
        vector: OnDevice<T>,
        memory: &Memory,
        state: CopyState,
    ) -> Rc<OnDevice<T>> {
        let vector = Rc::new(vector);
        let (used, kept) = (memory.tick(), Rc::clone(&vector));
        *self.copy.borrow_mut() = Some(Copy { vector: kept, memory: memory.clone(), used, state });
        let weak: Weak<Self> = Rc::downgrade(self);
        memory.admit(weak);
        vector
    }

    /// Returns the numbers that the host does not have.
    fn newest(&self) -> Result<Vec<T>> {
        if let Some(saved) = self.saved.take() {
            return Ok(saved);
        }
        let mut copy = self.copy.borrow_mut();
        let Some(copy) = copy.as_mut() else {
            return Ok(memory::zeroed(self.length)?);
        };
        let numbers = copy.vector.vector.read()?;
        copy.state = CopyState::Same;
        copy.memory.count(|counts| counts.readbacks += 1);
        Ok(numbers)
    }
}

impl<T: Number> Resident for Slot<T> {
    fn bytes(&self, memory: &Memory) -> u64 {
        let copy = self.copy.borrow();
        let mine = copy.as_ref().filter(|copy| copy.memory.is(memory));
        mine.map_or(0, |copy| copy.vector.bytes())
    }

    fn used(&self) -> u64 {
        self.copy.borrow().as_ref().map_or(0, |copy| copy.used)
    }

    fn give_up(&self) -> Result<()> {
        let state = self.copy.borrow().as_ref().map(|copy| copy.state);
        if state == Some(CopyState::Newer) {
            let numbers = self.newest()?;
            *self.saved.borrow_mut() = Some(numbers);
        }
        *self.copy.borrow_mut() = None;
        Ok(())
    }
}

impl<T: Number> From<Vec<T>> for DVector<T> {
    fn from(numbers: Vec<T>) -> DVector<T> {
        let length = numbers.len();
        DVector { length, host: OnceCell::from(numbers), slot: Slot::empty(length) }
    }
}

impl<T: Number> std::fmt::Debug for DVector<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DVector<{}>({})", T::NAME, self.length)
    }
}

impl DVector<f32> {
    /// Makes uniform random numbers from a range, the same for the same seed; the start of an empty
    /// one. The process ends where there is no memory for them.
    pub fn random(length: usize, range: Range<f32>, seed: u64) -> DVector<f32> {
        let mut generator = SplitMix64::new(seed);
        // 24 bits: each is a single-precision number in 0..1.
        let mut next = || (generator.next() >> 40) as f32 / (1_u32 << 24) as f32;
        let (start, width) = (range.start, (range.end - range.start).max(0.0));
        // Rounding may reach the end, which is not in the range.
        let last = range.end.next_down().max(start);
        let numbers = (0..length).map(|_| (start + width * next()).min(last));
        DVector::from(numbers.collect::<Vec<_>>())
    }
}

impl DVector<u8> {
    /// Makes uniform random bytes from a range, the same for the same seed; the start of an empty
    /// one. The process ends where there is no memory for them.
    pub fn random(length: usize, range: RangeInclusive<u8>, seed: u64) -> DVector<u8> {
        let mut generator = SplitMix64::new(seed);
        let (first, last) = (u64::from(*range.start()), u64::from(*range.end()));
        let count = last.saturating_sub(first) + 1;
        let mut next = || (first + (((generator.next() >> 32) * count) >> 32)) as u8;
        DVector::from((0..length).map(|_| next()).collect::<Vec<_>>())
    }

    /// Makes a vector of the bytes of a range, in order.
    pub fn range(range: RangeInclusive<u8>) -> DVector<u8> {
        DVector::from(range.collect::<Vec<_>>())
    }
}

/// A vector of either type, as an input of functions.
pub trait AnyVector: sealed::Input {
    /// Returns the number of elements.
    fn length(&self) -> usize;
}

pub(super) mod sealed {
    use super::{Memory, Rc, Result, Stored};

    pub trait Input {
        /// Returns whether its texels are bytes.
        fn is_byte(&self) -> bool;
        /// Returns its copy on the device.
        #[allow(private_interfaces)] // Sealed: no one else can name it.
        fn on_device(&self, memory: &Memory, since: u64) -> Result<Rc<dyn Stored>>;
        /// Returns its numbers, as a program reads them.
        fn floats(&self) -> Result<Vec<f32>>;
    }
}

impl<T: Number> sealed::Input for DVector<T> {
    fn is_byte(&self) -> bool {
        T::IS_BYTE
    }

    #[allow(private_interfaces)] // Sealed: no one else can name it.
    fn on_device(&self, memory: &Memory, since: u64) -> Result<Rc<dyn Stored>> {
        Ok(self.copy_in(memory, since)?)
    }

    fn floats(&self) -> Result<Vec<f32>> {
        let numbers = self.read()?;
        Ok(memory::collected(numbers.len(), numbers.iter().map(|number| number.to_f32()))?)
    }
}

impl<T: Number> AnyVector for DVector<T> {
    fn length(&self) -> usize {
        self.length
    }
}

impl Memory {
    /// Uploads a vector now unless it has a copy here, so that the first function that needs it
    /// does not wait.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn send(&self, vector: &dyn AnyVector) -> Result<()> {
        vector.on_device(self, self.tick()).map(drop)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::DVector;

    #[test]
    fn random_numbers_come_again_and_stay_in_range() {
        let (a, b) =
            (DVector::<f32>::random(1000, 2.0..3.0, 5), DVector::<f32>::random(1000, 2.0..3.0, 5));
        assert_eq!(a.read().unwrap(), b.read().unwrap());
        assert!(a.read().unwrap().iter().all(|n| (2.0..3.0).contains(n)));
        let narrow = DVector::<f32>::random(1000, 1.0..1.000_000_1, 5);
        assert!(narrow.read().unwrap().iter().all(|n| *n == 1.0));
        assert_eq!(DVector::<f32>::random(2, 5.0..2.0, 5).read().unwrap(), [5.0; 2]);
        let digits = DVector::<u8>::random(1000, 0..=9, 7);
        let seen: std::collections::BTreeSet<u8> = digits.read().unwrap().iter().copied().collect();
        assert!(seen.into_iter().eq(0..=9));
        assert_eq!(
            DVector::<u8>::range(250..=255).into_vec().unwrap(),
            [250, 251, 252, 253, 254, 255]
        );
    }
}
