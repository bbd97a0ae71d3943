//! The memory manager: the copies of vectors on the device, and the order in which they are
//! evicted.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use quadrille::Extent;
use quadrille::gl::{Buffer, Context, Texel, Texture};
use quadrille::grid::DeviceVector;

use crate::vector_machine::{Error, Number, Result, Semantics};

/// The default number of bytes that the copies may occupy.
pub const BUDGET: u64 = 1 << 30;

/// The vectors' copies on one device. Cloning it gives another handle to the same.
///
/// A vector's copy is made when a function first needs it and stays while the host does not write
/// the vector. Those not used for longest go when the budget is exceeded, or when the driver says
/// that it is out of memory; a copy that has the only numbers is read back first. A function's own
/// vectors stay while it runs, whatever the budget.
#[derive(Clone)]
pub struct Memory {
    shared: Rc<Shared>,
}

struct Shared {
    context: Context,
    budget: Cell<u64>,
    clock: Cell<u64>,
    residents: RefCell<Vec<Weak<dyn Resident>>>,
    counts: Cell<Counts>,
}

/// The state of the memory manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// The bytes that the copies may occupy.
    pub budget: u64,
    /// The bytes that they occupy.
    pub bytes: u64,
    /// The number of vectors that have a copy.
    pub vectors: usize,
    /// The counts of events so far.
    pub counts: Counts,
}

/// The counts of the memory manager so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The number of uploads.
    pub uploads: u64,
    /// The number of readbacks.
    pub readbacks: u64,
    /// The number of times that a function found its vector on the device.
    pub hits: u64,
    /// The number of copies dropped to make room.
    pub evictions: u64,
    /// The number of times that the driver was out of memory.
    pub refusals: u64,
}

/// A vector's copy, as the manager sees it.
pub(crate) trait Resident {
    /// Returns the bytes of its copy in this memory; 0 without one.
    fn bytes(&self, memory: &Memory) -> u64;
    /// Returns when it was last used.
    fn used(&self) -> u64;
    /// Drops the copy, after reading it back if it has the only numbers.
    fn give_up(&self) -> Result<()>;
}

impl Memory {
    pub(crate) fn new(context: &Context) -> Memory {
        let (clock, residents, counts) = Default::default();
        let (context, budget) = (context.clone(), Cell::new(BUDGET));
        Memory { shared: Rc::new(Shared { context, budget, clock, residents, counts }) }
    }

    /// Returns the context it manages.
    pub fn context(&self) -> &Context {
        &self.shared.context
    }

    /// Returns the state.
    pub fn state(&self) -> State {
        let residents = self.residents();
        let bytes: Vec<u64> = residents.iter().map(|r| r.bytes(self)).filter(|b| *b > 0).collect();
        State {
            budget: self.shared.budget.get(),
            bytes: bytes.iter().sum(),
            vectors: bytes.len(),
            counts: self.shared.counts.get(),
        }
    }

    /// Sets the number of bytes that the copies may occupy, and drops copies beyond it.
    ///
    /// # Errors
    /// Errors of the device while a copy is read back.
    pub fn set_budget(&self, bytes: u64) -> Result<()> {
        self.shared.budget.set(bytes);
        self.make_room(0, self.tick())
    }

    /// Drops all copies.
    ///
    /// # Errors
    /// Errors of the device while a copy is read back.
    pub fn clear(&self) -> Result<()> {
        self.evict_all(self.tick())
    }

    pub(crate) fn is(&self, other: &Memory) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    /// Returns a moment later than all before.
    pub(crate) fn tick(&self) -> u64 {
        let now = self.shared.clock.get() + 1;
        self.shared.clock.set(now);
        now
    }

    pub(crate) fn count(&self, what: impl FnOnce(&mut Counts)) {
        let mut counts = self.shared.counts.get();
        what(&mut counts);
        self.shared.counts.set(counts);
    }

    pub(crate) fn admit(&self, resident: Weak<dyn Resident>) {
        let mut residents = self.shared.residents.borrow_mut();
        if !residents.iter().any(|known| known.ptr_eq(&resident)) {
            residents.push(resident);
        }
    }

    /// Returns a texture, after evicting copies that were not used since a moment if there is no
    /// room for it.
    pub(crate) fn texture<P: Texel>(&self, extent: Extent, since: u64) -> Result<Texture<P>> {
        self.make_room(extent.texels() as u64 * P::FORMAT.bytes as u64, since)?;
        self.again_with_room(since, || Ok(self.shared.context.uninit(extent)?))
    }

    /// Refuses a vector of more than one panel, in which shaders count numbers in 32 bits, with
    /// their sign.
    pub(crate) fn must_hold(&self, length: usize) -> Result<()> {
        let limit = DeviceVector::<f32>::room_of_panel(&self.shared.context);
        if length <= limit { Ok(()) } else { Err(Error::TooLong { length, limit }) }
    }

    /// Returns a vector in the same way.
    pub(crate) fn vector<T: Number>(&self, length: usize, since: u64) -> Result<DeviceVector<T>> {
        self.make_room(length as u64 * size_of::<T>() as u64, since)?;
        self.again_with_room(since, || Ok(DeviceVector::uninit(&self.shared.context, length)?))
    }

    /// Returns a buffer for a vector's quads as vertex attributes in the same way.
    pub(crate) fn attributes<T: Number>(
        &self,
        vector: &DeviceVector<T>,
        since: u64,
    ) -> Result<Buffer<T::Quad>> {
        // The last invocation may read as many quads as there are inputs, all but one after the
        // end.
        let quads = vector.texels() + Semantics::MOST_QUADS - 1;
        self.make_room((quads * size_of::<T::Quad>()) as u64, since)?;
        self.again_with_room(since, || Ok(self.shared.context.uninit_buffer(quads)?))
    }

    /// Does something that may find the device's memory full, and once more after emptying it.
    pub(crate) fn again_with_room<R>(
        &self,
        since: u64,
        attempt: impl Fn() -> Result<R>,
    ) -> Result<R> {
        match attempt() {
            Err(error) if error.is_out_of_memory() => {
                self.count(|counts| counts.refusals += 1);
                self.evict_all(since)?;
                self.shared.context.finish()?;
                attempt()
            }
            done => done,
        }
    }

    /// Returns the vectors that are alive, those forgotten that are not.
    fn residents(&self) -> Vec<Rc<dyn Resident>> {
        let mut list = self.shared.residents.borrow_mut();
        list.retain(|resident| resident.strong_count() > 0);
        list.iter().filter_map(Weak::upgrade).collect()
    }

    fn make_room(&self, bytes: u64, since: u64) -> Result<()> {
        let mut residents = self.residents();
        residents.retain(|resident| resident.bytes(self) > 0);
        residents.sort_by_key(|resident| resident.used());
        let mut taken: u64 = residents.iter().map(|resident| resident.bytes(self)).sum();
        for resident in residents.iter().filter(|resident| resident.used() < since) {
            if taken.saturating_add(bytes) <= self.shared.budget.get() {
                break;
            }
            taken -= resident.bytes(self);
            self.evict(resident.as_ref())?;
        }
        Ok(())
    }

    fn evict_all(&self, since: u64) -> Result<()> {
        let residents = self.residents();
        let mine = residents.iter().filter(|r| r.bytes(self) > 0 && r.used() < since);
        mine.into_iter().try_for_each(|resident| self.evict(resident.as_ref()))
    }

    fn evict(&self, resident: &dyn Resident) -> Result<()> {
        resident.give_up()?;
        self.count(|counts| counts.evictions += 1);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::cell::Cell;

    use quadrille::gl;
    use quadrille::internal::Ability;

    use super::*;
    use crate::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};

    #[test]
    fn a_vector_of_more_than_one_texture_is_refused_with_the_limit() {
        let small = Context::builder().without(Ability::LargerTextures(4)).build().unwrap();
        let machine = Machine::new(&small);
        let program = DProgram::parse("copy.vp", "MOV o[1], v[1];", Profile::Modern).unwrap();
        let copy = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
        let numbers: Vec<f32> = (0..65).map(|i| i as f32).collect();
        let fits = DVector::from_slice(&numbers[..64]);
        assert_eq!(copy.apply::<f32>(&[&fits]).unwrap().read().unwrap(), &numbers[..64]);
        assert_eq!(machine.find(&fits, 63.0).unwrap(), Some(63));
        let long = DVector::from_slice(&numbers);
        let is_refused = |error: Error| {
            matches!(error, Error::TooLong { length: 65, limit: 64 })
                && error.to_string().contains("up to 64 numbers, and these have 65")
        };
        assert!(is_refused(copy.apply::<f32>(&[&long]).map(drop).unwrap_err()));
        assert!(is_refused(machine.find(&long, 63.0).unwrap_err()));
    }

    #[test]
    fn a_refusal_empties_the_device_and_the_attempt_is_made_again() {
        let machine = Machine::new(&Context::headless().unwrap());
        let program = DProgram::parse("copy.vp", "MOV o[1], v[1];", Profile::Modern).unwrap();
        let copy = DFunction::new(&machine, &program, Semantics::VToV).unwrap();
        let input = DVector::from_slice(&[1.0_f32, 2.0, 3.0]);
        let result: DVector<f32> = copy.apply(&[&input]).unwrap();
        let memory = machine.memory().unwrap();
        assert_eq!(memory.state().vectors, 2);

        let refuse =
            || gl::Error::OutOfMemory { what: "a test".into(), bytes: 1, messages: vec![] };
        let attempts = Cell::new(0);
        let attempt = || {
            attempts.set(attempts.get() + 1);
            if attempts.get() == 1 {
                Err(Error::from(refuse()))
            } else {
                Ok(memory.state().vectors)
            }
        };
        assert_eq!(memory.again_with_room(memory.tick(), attempt).unwrap(), 0);
        assert_eq!((attempts.get(), memory.state().counts.refusals), (2, 1));
        // Evicted copies were read back first, and are made again.
        assert_eq!(result.read().unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(copy.apply::<f32>(&[&input]).unwrap().read().unwrap(), [1.0, 2.0, 3.0]);

        // A second refusal, or another error, is the caller's.
        let never = || Err::<(), Error>(refuse().into());
        assert!(memory.again_with_room(memory.tick(), never).unwrap_err().is_out_of_memory());
    }
}
