//! Finding a number and its index, on the device.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::Extent;
use crate::gl::{AnyTexture, Context, Texture};
use crate::shader::{Source, Stage};
use crate::stream::Kernel;

use super::vector::sealed::Input;
use super::{DVector, Engine, Error, Machine, Memory, Number};

/// Texels along each side that a stage looks at for one of the next.
const SIDE: u32 = 8;
/// What the shaders give for a number that is nowhere.
const NOWHERE: i32 = i32::MAX;

/// What a stage reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum From {
    Floats,
    Bytes,
    Positions,
}

/// What is looked for, and among how many.
#[derive(Clone, Copy)]
struct Wanted {
    bits: i32,
    count: i32,
}

/// A number by its bits, since devices may take denormals for zeros when they compare; both zeros are 0.
fn bits(number: f32) -> i32 {
    if number == 0.0 { 0 } else { number.to_bits() as i32 }
}

/// The kernels, compiled when first needed.
pub(super) struct Finder {
    context: Context,
    kernels: RefCell<HashMap<From, Rc<Kernel>>>,
}

impl Machine {
    /// The index of the first element equal to a number, if there is one; NaN is equal to none. The
    /// device looks, and one position is read back: what the document wished for. The simulator's
    /// machine looks on the host.
    ///
    /// ```
    /// use quadrille::vector_machine::{DVector, Machine};
    /// let machine = Machine::new(&quadrille::Context::headless()?);
    /// let vector = DVector::from_slice(&[6.0_f32, 7.0, 42.0, 42.0]);
    /// assert_eq!(machine.find(&vector, 42.0)?, Some(2));
    /// assert_eq!(machine.find(&vector, 43.0)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find<T: Number>(&self, vector: &DVector<T>, number: T) -> Result<Option<usize>, Error> {
        if self.engine() == Engine::Simulator {
            return Ok(vector.host()?.iter().position(|element| *element == number));
        }
        if vector.is_empty() || number.to_f32().is_nan() {
            return Ok(None);
        }
        if i32::try_from(vector.len()).is_err() {
            return Err(Error::TooLong { length: vector.len() });
        }
        let device = self.device()?;
        let since = device.memory.tick();
        let texture = vector.on_device(&device.memory, since)?;
        let from = if T::IS_BYTE { From::Bytes } else { From::Floats };
        let wanted = Wanted { bits: bits(number.to_f32()), count: vector.len() as i32 };
        let found = device.finder.find(&device.memory, since, from, &*texture, wanted)?;
        Ok(usize::try_from(found).ok().filter(|_| found != NOWHERE))
    }
}

impl Finder {
    pub(super) fn new(context: &Context) -> Finder {
        Finder { context: context.clone(), kernels: RefCell::default() }
    }

    /// Every shader of this file.
    pub(super) fn sources() -> Result<Vec<Source>, Error> {
        [From::Floats, From::Bytes, From::Positions].into_iter().map(From::source).collect()
    }

    fn find(
        &self,
        memory: &Memory,
        since: u64,
        from: From,
        numbers: &dyn AnyTexture,
        wanted: Wanted,
    ) -> Result<i32, Error> {
        let room = |extent: Extent| memory.texture(folded(extent), since);
        let mut found: Texture<i32> = room(numbers.extent())?;
        let pass = self.kernel(from)?;
        let pass = pass.pass().input("numbers", numbers).uniform("wanted", wanted.bits);
        pass.uniform("count", wanted.count).draw(&mut found)?;
        while found.extent().texels() > 1 {
            let mut next = room(found.extent())?;
            self.kernel(From::Positions)?.pass().input("found", &found).draw(&mut next)?;
            found = next;
        }
        Ok(found.read()?.into_iter().min().unwrap_or(NOWHERE))
    }

    fn kernel(&self, from: From) -> Result<Rc<Kernel>, Error> {
        if let Some(kernel) = self.kernels.borrow().get(&from) {
            return Ok(Rc::clone(kernel));
        }
        let kernel = Rc::new(self.context.kernel(from.source()?)?);
        self.kernels.borrow_mut().insert(from, Rc::clone(&kernel));
        Ok(kernel)
    }
}

impl From {
    fn source(self) -> Result<Source, Error> {
        let source = Source::library(Stage::Fragment, "vector_machine/find.frag")?;
        let source = source.define("SIDE", SIDE);
        Ok(match self {
            From::Floats => source.define("FIRST", 1),
            From::Bytes => source.define("FIRST", 1).define("BYTES", 1),
            From::Positions => source,
        })
    }
}

fn folded(extent: Extent) -> Extent {
    Extent::new(extent.width.div_ceil(SIDE), extent.height.div_ceil(SIDE))
}
