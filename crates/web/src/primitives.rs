//! Products, transforms, sorts and sums of arrays. An array of the host gives one of the host, one
//! of the device one of the device. What was compiled is kept for the next call.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use js_sys::Object;
use quadrille::Shape;
use quadrille::data::{Matrix, Values};
use quadrille::grid::DeviceVector;
use quadrille::linalg::blas1::Blas1;
use quadrille::linalg::matmul::{Multiplier, Options, multiply};
use quadrille::primitives::{Axis, Complex, Fft, Number, Scan, Sort};
use wasm_bindgen::prelude::*;

use crate::array::NdArray;
use crate::context::Context;
use crate::device_array::{DeviceArray, Stored, complex, is_complex, matrix_shape, parts};
use crate::error::{Result, wrong};
use crate::specified;

/// What was compiled for earlier calls.
#[derive(Default)]
pub(crate) struct PrimitiveCache {
    /// One of each type and variant.
    shared: RefCell<HashMap<(TypeId, bool), Rc<dyn Any>>>,
    /// Transforms by their axes.
    ffts: RefCell<HashMap<Vec<Axis>, Rc<Fft>>>,
    /// Products by their shapes and their options.
    products: RefCell<HashMap<Key, Multiplier<f32>>>,
}

/// The most transforms, and the most products, that are kept: each has textures on the device.
const MOST: usize = 16;

type Key = (Shape, Shape, Options);

#[wasm_bindgen]
impl Context {
    /// Multiplies two matrices of the host.
    pub fn matmul(&self, a: &JsValue, b: &JsValue, options: &JsValue) -> Result<Object> {
        let matrix = |name: &str, x: &JsValue| {
            let (numbers, shape) = NdArray::floats(name, x)?;
            Ok::<_, crate::error::Failure>(Matrix::new(matrix_shape(name, &shape)?, numbers)?)
        };
        let product = multiply(
            &self.context,
            &matrix("a", a)?,
            &matrix("b", b)?,
            specified::options::<Options>("matmul", options)?,
        )?;
        let shape = vec![product.shape().rows, product.shape().cols];
        Ok(NdArray { values: Values::F32(product.into_elements()), shape }.object())
    }

    /// Multiplies two matrices of the device, from `uploadMatrix` or earlier products.
    #[wasm_bindgen(js_name = matmulOnDevice)]
    pub fn matmul_on_device(
        &self,
        a: &DeviceArray,
        b: &DeviceArray,
        options: &JsValue,
    ) -> Result<DeviceArray> {
        let (Stored::Matrix(a), Stored::Matrix(b)) = (&a.stored, &b.stored) else {
            return Err(wrong("matmul: expected matrices of the device, from uploadMatrix"));
        };
        let options: Options = specified::options("matmul", options)?;
        let key = (a.shape(), b.shape(), options);
        let mut made = self.kernels.products.borrow_mut();
        if made.len() >= MOST && !made.contains_key(&key) {
            made.clear();
        }
        let product = match made.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                free.insert(Multiplier::new(&self.context, a.shape(), b.shape(), options)?)
            }
        };
        product.load_from(a, b)?;
        product.run()?;
        let c = product.to_device()?;
        let shape = vec![c.shape().rows, c.shape().cols];
        Ok(DeviceArray { stored: Stored::Matrix(c), shape })
    }

    /// Transforms along the last axis, or along both.
    pub fn fft(&self, x: &JsValue, both: bool, inverse: bool) -> Result<Object> {
        let (numbers, shape) = match is_complex(x) {
            true => complex(x)?,
            false => {
                let (numbers, shape) = NdArray::floats("x", x)?;
                (numbers.into_iter().map(|number| [number, 0.0]).collect(), shape)
            }
        };
        let x = DeviceVector::from_complex(&self.context, &numbers)?;
        let transformed = self.transformed(&x, &shape, both, inverse)?;
        Ok(parts(&transformed.read_complex()?, &shape))
    }

    /// Transforms an array of the device along the last axis, or along both.
    #[wasm_bindgen(js_name = fftOnDevice)]
    pub fn fft_on_device(&self, x: &DeviceArray, both: bool, inverse: bool) -> Result<DeviceArray> {
        let joined;
        let numbers = match &x.stored {
            Stored::Complex(numbers) => numbers,
            Stored::F32(numbers) => {
                let zeros = DeviceVector::zeros(&self.context, numbers.len())?;
                let mut complex = DeviceVector::uninit(&self.context, 2 * numbers.len())?;
                let kernels = self.shared(false, |context| Ok(Complex::new(context)))?;
                kernels.together(numbers, &zeros, &mut complex)?;
                joined = complex;
                &joined
            }
            Stored::I32(_) | Stored::U32(_) | Stored::Matrix(_) => {
                return Err(wrong(
                    "fft: expected an array of floats or of complex numbers, from upload",
                ));
            }
        };
        let transformed = self.transformed(numbers, &x.shape, both, inverse)?;
        Ok(DeviceArray { stored: Stored::Complex(transformed), shape: x.shape.clone() })
    }

    /// Sorts numbers, or finds the indices that sort them.
    pub fn sort(&self, x: &JsValue, descending: bool, indices: bool) -> Result<Object> {
        self.sort_on_device(&self.upload(x)?, descending, indices)?.read()
    }

    /// Sorts an array of the device, or finds the indices that sort it.
    #[wasm_bindgen(js_name = sortOnDevice)]
    pub fn sort_on_device(
        &self,
        x: &DeviceArray,
        descending: bool,
        indices: bool,
    ) -> Result<DeviceArray> {
        let stored = match &x.stored {
            Stored::F32(keys) => self.sorted(keys, Stored::F32, descending, indices)?,
            Stored::I32(keys) => self.sorted(keys, Stored::I32, descending, indices)?,
            Stored::U32(keys) => self.sorted(keys, Stored::U32, descending, indices)?,
            Stored::Complex(_) | Stored::Matrix(_) => {
                return Err(wrong("sort: expected an array of real numbers, from upload"));
            }
        };
        Ok(DeviceArray { stored, shape: vec![x.shape.iter().product()] })
    }

    /// Adds up all numbers before each, and itself.
    pub fn cumsum(&self, x: &JsValue) -> Result<Object> {
        self.cumsum_on_device(&self.upload(x)?)?.read()
    }

    /// Adds up all numbers of an array of the device before each, and itself.
    #[wasm_bindgen(js_name = cumsumOnDevice)]
    pub fn cumsum_on_device(&self, x: &DeviceArray) -> Result<DeviceArray> {
        let stored = match &x.stored {
            Stored::F32(numbers) => Stored::F32(self.summed(numbers)?),
            Stored::I32(numbers) => Stored::I32(self.summed(numbers)?),
            Stored::U32(numbers) => Stored::U32(self.summed(numbers)?),
            Stored::Complex(_) | Stored::Matrix(_) => {
                return Err(wrong("cumsum: expected an array of real numbers, from upload"));
            }
        };
        Ok(DeviceArray { stored, shape: vec![x.shape.iter().product()] })
    }

    /// Adds up all numbers.
    pub fn sum(&self, x: &JsValue) -> Result<f64> {
        self.sum_on_device(&self.upload(x)?)
    }

    /// Adds up all numbers of an array of the device.
    #[wasm_bindgen(js_name = sumOnDevice)]
    pub fn sum_on_device(&self, x: &DeviceArray) -> Result<f64> {
        Ok(self.blas()?.sum(floats("sum", x)?)?)
    }

    /// Adds `alpha * x` to `y`, on the device.
    pub fn axpy(&self, alpha: f32, x: &DeviceArray, y: &mut DeviceArray) -> Result<()> {
        let x = floats("axpy", x)?;
        let Stored::F32(y) = &mut y.stored else {
            return Err(wrong("axpy: expected arrays of floats, from upload"));
        };
        Ok(self.blas()?.axpy(alpha, x, y)?)
    }
}

impl Context {
    fn blas(&self) -> Result<Rc<Blas1>> {
        self.shared(false, |context| Ok(Blas1::new(context)))
    }

    /// Returns an object that calls of one kind share, which is made at the first.
    fn shared<T: 'static>(
        &self,
        variant: bool,
        make: impl FnOnce(&quadrille::Context) -> Result<T>,
    ) -> Result<Rc<T>> {
        let key = (TypeId::of::<T>(), variant);
        let known = self.kernels.shared.borrow().get(&key).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            return Ok(known);
        }
        let made = Rc::new(make(&self.context)?);
        self.kernels.shared.borrow_mut().insert(key, made.clone());
        Ok(made)
    }

    fn transformed(
        &self,
        x: &DeviceVector,
        shape: &[usize],
        both: bool,
        inverse: bool,
    ) -> Result<DeviceVector> {
        let fft = self.fft_of(axes(shape, both)?)?;
        let mut out = DeviceVector::uninit(&self.context, x.len())?;
        match inverse {
            true => fft.inverse(x, &mut out)?,
            false => fft.forward(x, &mut out)?,
        }
        Ok(out)
    }

    fn fft_of(&self, axes: Vec<Axis>) -> Result<Rc<Fft>> {
        let mut made = self.kernels.ffts.borrow_mut();
        if let Some(fft) = made.get(&axes) {
            return Ok(fft.clone());
        }
        if made.len() >= MOST {
            made.clear();
        }
        let fft = Rc::new(Fft::new(&self.context, &axes)?);
        made.insert(axes, fft.clone());
        Ok(fft)
    }

    fn summed<T: Number>(&self, numbers: &DeviceVector<T>) -> Result<DeviceVector<T>> {
        let mut out = DeviceVector::uninit(&self.context, numbers.len())?;
        let scan = self.shared(false, |context| Ok(Scan::<T>::new(context)))?;
        scan.of(numbers).run(&mut out)?;
        Ok(out)
    }

    fn sorted<T: Number>(
        &self,
        keys: &DeviceVector<T>,
        stored: fn(DeviceVector<T>) -> Stored,
        descending: bool,
        indices: bool,
    ) -> Result<Stored> {
        let sort = self.shared(descending, |context| {
            let sort = Sort::<T>::new(context)?;
            Ok(if descending { sort.descending() } else { sort })
        })?;
        Ok(match indices {
            true => Stored::U32(sort.indices(keys)?),
            false => stored(sort.keys(keys)?),
        })
    }
}

fn floats<'a>(name: &str, x: &'a DeviceArray) -> Result<&'a DeviceVector> {
    match &x.stored {
        Stored::F32(numbers) => Ok(numbers),
        _ => Err(wrong(format!("{name}: expected an array of floats, got {}", x.kind()))),
    }
}

/// The last axis of an array, or the last two, the last first.
fn axes(shape: &[usize], both: bool) -> Result<Vec<Axis>> {
    match *shape {
        [length] if !both => Ok(vec![Axis::rows(1, length)]),
        [rows, length] if !both => Ok(vec![Axis::rows(rows, length)]),
        [rows, length] => Ok(vec![Axis::rows(rows, length), Axis::columns(rows, length)]),
        _ => Err(wrong(format!(
            "fft: expected an array of the shape {}, got {shape:?}",
            if both { "[height, width]" } else { "[n] or [rows, n]" }
        ))),
    }
}
