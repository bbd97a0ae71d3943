//! Numbers on the device that may still have to be computed: trees of element-wise operations,
//! fused into one pass when they are needed.
//!
//! A [`Node`] is a vector on the device, or an operation on other nodes. [`Node::vector`] makes an
//! expression in GLSL of the tree, which the library compiles once for each text: numbers of the
//! host are parameters, so that another number compiles nothing. A tree that would grow past what a
//! pass takes has its larger parts computed first.

use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use quadrille::grid::DeviceVector;
use quadrille::linalg::blas1::{Blas1, Map};
use quadrille::primitives::Number;

use super::cache::Cache;
use super::whole::{Kept, Whole, no_floats};
use crate::error::Failure;
use crate::worker::Worker;
use crate::worker::state::State;

/// The most operations, vectors and numbers of one pass. Every device has 16 textures a pass and
/// room for these parameters; longer texts take long to compile.
const MOST: [usize; 3] = [48, 8, 16];

pub(crate) type Vector = Kept<f32>;

/// Numbers on a device.
pub(crate) struct Node {
    pub(crate) worker: Worker,
    length: usize,
    value: Mutex<Value>,
}

pub(crate) enum Value {
    Stored(Vector),
    /// Whole numbers, which no operation of floats takes.
    Whole(Whole),
    Pending(Term),
}

/// An operation whose operands are `{0}`, `{1}` and `{2}` of a text in GLSL.
#[derive(Clone)]
pub(crate) struct Term {
    text: Arc<str>,
    operands: Vec<Operand>,
}

#[derive(Clone)]
pub(crate) enum Operand {
    Node(Arc<Node>),
    Number(f32),
}

impl Node {
    /// Returns the node of numbers that are there.
    pub(crate) fn stored<T: Element>(numbers: Kept<T>, length: usize) -> Arc<Node> {
        let worker = numbers.worker.clone();
        Arc::new(Node { worker, length, value: Mutex::new(T::value(numbers)) })
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Returns the whole numbers of a node that has them.
    pub(crate) fn whole(&self) -> Option<Whole> {
        match &*self.lock() {
            Value::Whole(numbers) => Some(numbers.clone()),
            _ => None,
        }
    }

    /// Returns an operation on this node, the first operand, and others of its length, computed
    /// later.
    pub(crate) fn operation(
        self: &Arc<Node>,
        py: Python<'_>,
        text: &str,
        others: impl IntoIterator<Item = Operand>,
    ) -> PyResult<Arc<Node>> {
        let operands = [Operand::Node(self.clone())].into_iter().chain(others).collect();
        let term = Term { text: text.into(), operands };
        loop {
            let plan = Plan::of(&term);
            if plan.fits() {
                break;
            }
            let costs = term.operands.iter().filter_map(Operand::node);
            let largest = costs.max_by_key(|node| node.cost());
            let Some(largest) = largest.filter(|node| node.cost() > 0) else { break };
            largest.vector(py)?;
        }
        let (worker, length) = (self.worker.clone(), self.length);
        Ok(Arc::new(Node { worker, length, value: Mutex::new(Value::Pending(term)) }))
    }

    /// Returns the numbers on the device, computed if they are not there yet.
    pub(crate) fn vector(&self, py: Python<'_>) -> PyResult<Vector> {
        let term = match &*self.lock() {
            Value::Stored(vector) => return Ok(vector.clone()),
            Value::Whole(numbers) => return Err(no_floats(py, numbers)),
            Value::Pending(term) => term.clone(),
        };
        let (plan, length) = (Plan::of(&term), self.length);
        let vector = self.worker.make(py, move |state| plan.run(state, length))?;
        // What it was computed from goes after the lock does.
        let _before = std::mem::replace(&mut *self.lock(), Value::Stored(vector.clone()));
        Ok(vector)
    }

    /// Computes this many numbers from those of this node, now.
    pub(crate) fn computed(
        &self,
        py: Python<'_>,
        length: usize,
        compute: impl FnOnce(&mut State, &DeviceVector, &mut DeviceVector) -> Result<(), Failure>
        + Send
        + 'static,
    ) -> PyResult<Arc<Node>> {
        let numbers = self.vector(py)?.make(py, move |state, x| {
            let mut out = DeviceVector::uninit(&state.context()?, length)?;
            compute(state, x, &mut out)?;
            Ok(out)
        })?;
        Ok(Node::stored(numbers, length))
    }

    /// The operations that are to be done.
    fn cost(&self) -> usize {
        match self.pending() {
            None => 0,
            Some(term) => Plan::of(&term).operations,
        }
    }

    fn pending(&self) -> Option<Term> {
        match &*self.lock() {
            Value::Stored(_) | Value::Whole(_) => None,
            Value::Pending(term) => Some(term.clone()),
        }
    }

    /// Never held while the interpreter or a worker is waited for.
    fn lock(&self) -> MutexGuard<'_, Value> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The numbers that device arrays have.
pub(crate) trait Element: Number {
    /// Returns numbers that are there.
    fn value(numbers: Kept<Self>) -> Value;
}

impl Element for f32 {
    fn value(numbers: Kept<f32>) -> Value {
        Value::Stored(numbers)
    }
}

impl Element for i32 {
    fn value(numbers: Kept<i32>) -> Value {
        Value::Whole(Whole::I32(numbers))
    }
}

impl Element for u32 {
    fn value(numbers: Kept<u32>) -> Value {
        Value::Whole(Whole::U32(numbers))
    }
}

impl Operand {
    fn node(&self) -> Option<&Arc<Node>> {
        match self {
            Operand::Node(node) => Some(node),
            Operand::Number(_) => None,
        }
    }
}

/// A tree as an expression of vectors `x0`, `x1` ... and numbers `a0`, `a1` ...
#[derive(Default)]
struct Plan {
    text: String,
    vectors: Vec<Vector>,
    numbers: Vec<f32>,
    operations: usize,
}

impl Plan {
    fn of(term: &Term) -> Plan {
        let mut plan = Plan::default();
        plan.text = plan.text_of(term);
        plan
    }

    fn text_of(&mut self, term: &Term) -> String {
        self.operations += 1;
        let mut text = term.text.to_string();
        for (index, operand) in term.operands.iter().enumerate() {
            // No operand's text has braces.
            let name = self.name_of(operand);
            text = text.replace(&format!("{{{index}}}"), &name);
        }
        text
    }

    fn name_of(&mut self, operand: &Operand) -> String {
        let node = match operand {
            Operand::Node(node) => node,
            Operand::Number(number) => {
                self.numbers.push(*number);
                return format!("a{}", self.numbers.len() - 1);
            }
        };
        let stored = match &*node.lock() {
            Value::Stored(vector) => Ok(vector.clone()),
            Value::Pending(term) => Err(term.clone()),
            // Refused before an operation is made.
            Value::Whole(_) => return "0.0".to_owned(),
        };
        match stored {
            Err(term) => self.text_of(&term),
            Ok(vector) => {
                let known = self.vectors.iter().position(|known| Arc::ptr_eq(known, &vector));
                let index = known.unwrap_or_else(|| {
                    self.vectors.push(vector);
                    self.vectors.len() - 1
                });
                format!("x{index}")
            }
        }
    }

    fn fits(&self) -> bool {
        let [operations, vectors, numbers] = MOST;
        self.operations <= operations
            && self.vectors.len() <= vectors
            && self.numbers.len() <= numbers
    }

    fn run(&self, state: &mut State, length: usize) -> Result<DeviceVector, Failure> {
        let context = state.context()?;
        let map = engine(state)?.map(self)?;
        let vectors = self.vectors.iter().map(|vector| state.get(vector));
        let vectors: Vec<Rc<DeviceVector>> = vectors.collect::<Result<_, _>>()?;
        let mut result = DeviceVector::uninit(&context, length)?;
        let mut apply = map.apply();
        for (index, vector) in vectors.iter().enumerate() {
            apply = apply.vector(&format!("x{index}"), vector);
        }
        for (index, number) in self.numbers.iter().enumerate() {
            apply = apply.scalar(&format!("a{index}"), *number);
        }
        apply.run(&mut result)?;
        Ok(result)
    }
}

/// The vector operations of a worker's context, and the expressions that were compiled.
pub(crate) struct Engine {
    pub(crate) blas: Blas1,
    /// Of expressions by their texts.
    maps: Cache<String, Map, 256>,
}

/// Returns the engine of this worker.
pub(crate) fn engine(state: &mut State) -> Result<Rc<Engine>, Failure> {
    state.shared(|context| Engine { blas: Blas1::new(context), maps: Cache::new(context) })
}

impl Engine {
    fn map(&self, plan: &Plan) -> Result<Rc<Map>, Failure> {
        self.maps.get_or(plan.text.clone(), |text| {
            let names = |letter: char, count: usize| -> Vec<String> {
                (0..count).map(|index| format!("{letter}{index}")).collect()
            };
            let vectors = names('x', plan.vectors.len());
            let numbers = names('a', plan.numbers.len());
            let [vectors, numbers] = [&vectors, &numbers]
                .map(|names| names.iter().map(String::as_str).collect::<Vec<&str>>());
            Ok(self.blas.map(text, &vectors, &numbers)?)
        })
    }
}
