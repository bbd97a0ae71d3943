//! Functions: a program, its semantics and its constants.

mod body;
mod host;
mod kernels;
mod run;
pub(super) mod semantics;
pub(super) mod semaphore;
mod sources;

use std::any::Any;
use std::cell::{OnceCell, RefCell};

use quadrille::internal::stream::Programs;

use super::scalar::fold::Fold;
use super::vector::AnyVector;
use super::{
    DProgram, DScalar, DSemaphore, DVector, Error, Machine, Number, Processor, Profile, Semantics,
};
use body::Body;
use kernels::Key;

pub(super) use sources::sources;

/// A function over vectors: a program that is run for each few quads of numbers.
///
/// A function **to a vector** finds the quad of each vector in v\[1\], v\[2\], v\[3\] and writes
/// the quad of the result to o\[1\]; a last quad that is not full is filled up with zeros. A
/// function **to a scalar** finds as many quads as the inputs hold: 15 of one vector in v\[1\] to
/// v\[15\], 7 of each of two (from v\[1\] and v\[8\]), 5 of each of three (from v\[1\], v\[6\] and
/// v\[11\]). The x of o\[1\] is a partial result; their sum is the function's.
///
/// ```
/// use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};
/// let text = "MUL R0, v[1], v[1]; MAD o[1], R0, c[11], v[1];";
/// let program = DProgram::parse("square.vp", text, Profile::Modern)?;
/// let machine = Machine::new(&quadrille::Context::headless()?);
/// let mut function = DFunction::new(&machine, &program, Semantics::VToV)?;
/// function.set_constant(11, 0.5)?;
/// let result: DVector<f32> = function.apply(&[&DVector::from_slice(&[1.0, 2.0, 3.0])])?;
/// assert_eq!(result.read()?, [1.5, 4.0, 7.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DFunction {
    machine: Machine,
    body: Body,
    semantics: Semantics,
    constants: Vec<[f32; 4]>,
    padding: Option<f32>,
    fold: Fold,
    programs: OnceCell<Programs<Key>>,
    scratch: RefCell<DScalar>,
    /// The buffer of captured results and their number, kept for the next run.
    buffer: RefCell<Option<(usize, Box<dyn Any>)>>,
}

/// A number, or four, for a constant register.
pub trait Constant {
    /// Returns the register's four components; one number fills all of them.
    fn quad(self) -> [f32; 4];
}

impl Constant for f32 {
    fn quad(self) -> [f32; 4] {
        [self; 4]
    }
}

impl Constant for [f32; 4] {
    fn quad(self) -> [f32; 4] {
        self
    }
}

impl DFunction {
    /// Makes a function from an assembly program. It must write o\[1\] and read no inputs but those
    /// that the semantics fill.
    ///
    /// # Errors
    /// [`Error::NoResult`] and [`Error::NoInput`] if the program does not fit the semantics.
    pub fn new(
        machine: &Machine,
        program: &DProgram,
        semantics: Semantics,
    ) -> Result<DFunction, Error> {
        Ok(DFunction::of(machine, Body::assembly(machine, program, semantics)?, semantics))
    }

    /// Makes a function from GLSL: a text that defines `void program()` and uses the registers as
    /// the assembly does, `v[1]`, `c[11]`, `o[1]`. There are 96 constants, and the profile says
    /// what becomes of results. Names that begin with `vector_` or `vp_` are the framework's.
    ///
    /// ```
    /// use quadrille_vp::vector_machine::{DFunction, DVector, Machine, Profile, Semantics};
    /// let machine = Machine::new(&quadrille::Context::headless()?);
    /// let text = "void program() { o[1] = sqrt(v[1] * v[1] + v[2] * v[2]); }";
    /// let (profile, semantics) = (Profile::Modern, Semantics::VvToV);
    /// let hypot = DFunction::from_glsl(&machine, "hypot.glsl", text, profile, semantics)?;
    /// let (a, b) = (DVector::from_slice(&[3.0_f32]), DVector::from_slice(&[4.0_f32]));
    /// assert_eq!(hypot.apply::<f32>(&[&a, &b])?.read()?, [5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::GlslOnSimulator`], [`Error::NoProgram`], [`Error::Discards`]. The text is compiled
    /// when the function first runs.
    pub fn from_glsl(
        machine: &Machine,
        name: &str,
        text: &str,
        profile: Profile,
        semantics: Semantics,
    ) -> Result<DFunction, Error> {
        if machine.engine() == Processor::Simulator {
            return Err(Error::GlslOnSimulator { function: name.to_owned() });
        }
        Ok(DFunction::of(machine, Body::glsl(name, text, profile)?, semantics))
    }

    fn of(machine: &Machine, body: Body, semantics: Semantics) -> DFunction {
        let constants = vec![[0.0; 4]; body.constants()];
        let (padding, fold, programs, scratch, buffer) = Default::default();
        let machine = machine.clone();
        DFunction { machine, body, semantics, constants, padding, fold, programs, scratch, buffer }
    }

    /// Returns its semantics.
    pub fn semantics(&self) -> Semantics {
        self.semantics
    }

    /// Returns the name of its program.
    pub fn name(&self) -> &str {
        self.body.name()
    }

    /// Binds a constant register; all are zeros at first.
    ///
    /// # Errors
    /// [`Error::Constant`] if there is no such register.
    pub fn set_constant(&mut self, register: usize, value: impl Constant) -> Result<(), Error> {
        let count = self.body.settable();
        if register >= count {
            return Err(Error::Constant { function: self.name().to_owned(), register, count });
        }
        // A constant that the program does not read is only stored here.
        if let Some(constant) = self.constants.get_mut(register) {
            *constant = value.quad();
        }
        Ok(())
    }

    /// Sets the padding: the number that a function to a scalar reads after the last one, where the
    /// last invocation is not full. Without it such lengths are refused, since the sum of an
    /// arbitrary program has no neutral element.
    pub fn set_padding(&mut self, number: f32) {
        self.padding = Some(number);
    }

    /// Sets where the partial results of a function to a scalar are summed; by default on the
    /// device.
    pub fn set_fold(&mut self, fold: Fold) {
        self.fold = fold;
    }

    /// Runs a function to a vector and returns a new vector. The device may still be computing:
    /// reading the vector waits.
    ///
    /// # Errors
    /// Inputs that do not fit: [`Error::Result`], [`Error::Arity`], [`Error::InputLength`];
    /// [`Error::LoopsEnded`]; errors of the device.
    pub fn apply<T: Number>(&self, inputs: &[&dyn AnyVector]) -> Result<DVector<T>, Error> {
        let mut output = DVector::zeros(inputs.first().map_or(0, |first| first.length()));
        self.begin(inputs, &mut output)?;
        Ok(output)
    }

    /// Starts a function that fills a vector or scalar, as one of several calls in a row: the
    /// device gets them together, at the latest when a result is read. A semaphore after each call,
    /// as [`execute_async`](DFunction::execute_async) returns it, makes the device pause between
    /// them. [`apply`](DFunction::apply) does the same with a new vector.
    ///
    /// ```
    /// use quadrille_vp::vector_machine::{DFunction, DProgram, DVector, Machine, Profile, Semantics};
    /// let machine = Machine::new(&quadrille::Context::headless()?);
    /// let program = DProgram::parse("double.vp", "ADD o[1], v[1], v[1];", Profile::Modern)?;
    /// let double = DFunction::new(&machine, &program, Semantics::VToV)?;
    /// let (mut x, mut y) = (DVector::from_slice(&[1.0_f32, 3.0]), DVector::zeros(2));
    /// for _ in 0..10 {
    ///     double.apply_into(&[&x], &mut y)?;
    ///     std::mem::swap(&mut x, &mut y);
    /// }
    /// assert_eq!(x.read()?, [1024.0, 3072.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`execute`](DFunction::execute).
    pub fn apply_into(
        &self,
        inputs: &[&dyn AnyVector],
        output: &mut impl Output,
    ) -> Result<(), Error> {
        self.begin(inputs, output)
    }

    /// Runs a function to a scalar and returns the number.
    ///
    /// # Errors
    /// Those of [`apply`](DFunction::apply), and [`Error::Padding`].
    pub fn total(&self, inputs: &[&dyn AnyVector]) -> Result<f32, Error> {
        let mut scratch = self.scratch.borrow_mut();
        self.begin(inputs, &mut *scratch)?;
        scratch.value()
    }

    /// Runs a function into a vector or scalar, and waits until the device is done. Inputs or an
    /// output that do not fit leave the output as it was; after an error of the device it is zeros.
    ///
    /// # Errors
    /// Those of [`apply`](DFunction::apply), [`Error::Padding`] and [`Error::OutputLength`].
    pub fn execute(
        &self,
        inputs: &[&dyn AnyVector],
        output: &mut impl Output,
    ) -> Result<(), Error> {
        self.execute_async(inputs, output)?.wait()
    }

    /// Starts a function that fills a vector or scalar, and returns without waiting. The device
    /// gets it at once.
    ///
    /// # Errors
    /// Those of [`execute`](DFunction::execute).
    pub fn execute_async(
        &self,
        inputs: &[&dyn AnyVector],
        output: &mut impl Output,
    ) -> Result<DSemaphore, Error> {
        self.begin(inputs, output)?;
        match &self.machine.device {
            Some(device) if self.machine.engine() != Processor::Simulator => {
                DSemaphore::after(device.memory.context())
            }
            _ => Ok(DSemaphore::default()),
        }
    }

    fn begin<O: Output>(&self, inputs: &[&dyn AnyVector], output: &mut O) -> Result<(), Error> {
        if self.semantics.is_to_scalar() != O::IS_SCALAR {
            let (function, semantics) = (self.name().to_owned(), self.semantics);
            return Err(Error::Result { function, semantics });
        }
        let length = self.check(inputs)?;
        output.fill(&Call { function: self, inputs, length })
    }

    /// Checks the number of vectors and their common length, which it returns.
    fn check(&self, inputs: &[&dyn AnyVector]) -> Result<usize, Error> {
        let function = || self.name().to_owned();
        let (semantics, got) = (self.semantics, inputs.len());
        if got != semantics.vectors() {
            return Err(Error::Arity { function: function(), semantics, got });
        }
        let expected = inputs.first().map_or(0, |first| first.length());
        for (index, input) in inputs.iter().enumerate() {
            let got = input.length();
            if got != expected {
                let vector = index + 1;
                return Err(Error::InputLength { function: function(), vector, expected, got });
            }
        }
        if self.machine.engine() != Processor::Simulator {
            self.machine.device()?.memory.must_hold(expected)?;
        }
        let elements = semantics.elements();
        let ragged = semantics.is_to_scalar() && !expected.is_multiple_of(elements);
        if ragged && self.padding.is_none() {
            return Err(Error::Padding { function: function(), length: expected, elements });
        }
        Ok(expected)
    }
}

/// A run of a function with inputs that were checked.
#[doc(hidden)]
pub struct Call<'a> {
    function: &'a DFunction,
    inputs: &'a [&'a dyn AnyVector],
    length: usize,
}

impl Call<'_> {
    /// Returns the number that follows a vector's last one: in a function to a vector always 0.
    fn padding(&self) -> f32 {
        let padding = self.function.padding.filter(|_| self.function.semantics.is_to_scalar());
        padding.unwrap_or_default()
    }
}

/// The output of a function: a [`DVector`] or a [`DScalar`].
pub trait Output: sealed::Fill {}

mod sealed {
    use super::{Call, Error};

    pub trait Fill {
        const IS_SCALAR: bool;

        fn fill(&mut self, call: &Call<'_>) -> Result<(), Error>;
    }
}

impl<T: Number> Output for DVector<T> {}
impl Output for DScalar {}

impl<T: Number> sealed::Fill for DVector<T> {
    const IS_SCALAR: bool = false;

    fn fill(&mut self, call: &Call<'_>) -> Result<(), Error> {
        if self.len() != call.length {
            return Err(Error::OutputLength {
                function: call.function.name().to_owned(),
                expected: call.length,
                got: self.len(),
            });
        }
        match call.function.machine.engine() {
            Processor::Simulator => self.replace(call.simulate_vector()?),
            _ => {
                let done = call.draw_vector(self);
                // Zeros take no memory, the lack of which can be the error.
                return done.inspect_err(|_| *self = DVector::zeros(call.length));
            }
        }
        Ok(())
    }
}

impl sealed::Fill for DScalar {
    const IS_SCALAR: bool = true;

    fn fill(&mut self, call: &Call<'_>) -> Result<(), Error> {
        match call.function.machine.engine() {
            Processor::Simulator => self.set(call.simulate_scalar()?),
            _ => {
                let done = call.draw_scalar(self);
                return done.inspect_err(|_| self.set(0.0));
            }
        }
        Ok(())
    }
}
