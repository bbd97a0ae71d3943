//! Arrays that stay on the device between calls.

use js_sys::{Array, Object, Reflect};
use quadrille::Shape;
use quadrille::data::{Matrix, Values};
use quadrille::grid::DeviceVector;
use quadrille::linalg::DeviceMatrix;
use wasm_bindgen::prelude::*;

use crate::array::{NdArray, numbers, object};
use crate::context::Context;
use crate::error::{Result, set, wrong};

/// An array on the device.
#[wasm_bindgen]
pub struct DeviceArray {
    pub(crate) stored: Stored,
    pub(crate) shape: Vec<usize>,
}

/// Its numbers, row by row.
pub(crate) enum Stored {
    F32(DeviceVector<f32>),
    I32(DeviceVector<i32>),
    U32(DeviceVector<u32>),
    /// Real and imaginary parts in turn.
    Complex(DeviceVector<f32>),
    /// As products have them.
    Matrix(DeviceMatrix<f32>),
}

impl Stored {
    fn name(&self) -> &'static str {
        match self {
            Stored::F32(_) | Stored::Matrix(_) => "float32",
            Stored::I32(_) => "int32",
            Stored::U32(_) => "uint32",
            Stored::Complex(_) => "complex64",
        }
    }
}

#[wasm_bindgen]
impl Context {
    /// Brings an array, or both parts of a complex one, to the device.
    pub fn upload(&self, x: &JsValue) -> Result<DeviceArray> {
        if is_complex(x) {
            let (numbers, shape) = complex(x)?;
            let stored = Stored::Complex(DeviceVector::from_complex(&self.context, &numbers)?);
            return Ok(DeviceArray { stored, shape });
        }
        let NdArray { values, shape } = NdArray::take("x", x)?;
        let stored = match values {
            Values::F32(numbers) => Stored::F32(DeviceVector::from_host(&self.context, &numbers)?),
            Values::I32(numbers) => Stored::I32(DeviceVector::from_host(&self.context, &numbers)?),
            Values::U32(numbers) => Stored::U32(DeviceVector::from_host(&self.context, &numbers)?),
        };
        Ok(DeviceArray { stored, shape })
    }

    /// Brings a matrix to the device in the form that products take.
    #[wasm_bindgen(js_name = uploadMatrix)]
    pub fn upload_matrix(&self, x: &JsValue) -> Result<DeviceArray> {
        let (numbers, shape) = NdArray::floats("matrix", x)?;
        let matrix = Matrix::new(matrix_shape("matrix", &shape)?, numbers)?;
        let stored = Stored::Matrix(DeviceMatrix::from_host(&self.context, &matrix)?);
        Ok(DeviceArray { stored, shape })
    }
}

#[wasm_bindgen]
impl DeviceArray {
    /// Returns the shape.
    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> Array {
        numbers(&self.shape)
    }

    /// Returns the type of its numbers, as NumPy calls it.
    #[wasm_bindgen(getter, js_name = type)]
    pub fn kind(&self) -> String {
        self.stored.name().to_owned()
    }

    /// Reads it back: an array, or the two parts of a complex one.
    pub fn read(&self) -> Result<Object> {
        let values = match &self.stored {
            Stored::F32(vector) => Values::F32(vector.read()?),
            Stored::I32(vector) => Values::I32(vector.read()?),
            Stored::U32(vector) => Values::U32(vector.read()?),
            Stored::Matrix(matrix) => Values::F32(matrix.read()?.into_elements()),
            Stored::Complex(vector) => return Ok(parts(&vector.read_complex()?, &self.shape)),
        };
        Ok(NdArray { values, shape: self.shape.clone() }.object())
    }
}

/// Returns whether it is an array of complex numbers, `{ re, im }`.
pub(crate) fn is_complex(x: &JsValue) -> bool {
    x.is_object() && Reflect::has(x, &"re".into()).unwrap_or(false)
}

/// Takes both parts of an array of complex numbers.
pub(crate) fn complex(x: &JsValue) -> Result<(Vec<[f32; 2]>, Vec<usize>)> {
    let part = |key: &str| {
        let part = Reflect::get(x, &key.into()).unwrap_or(JsValue::UNDEFINED);
        NdArray::floats(key, &part)
    };
    let ((re, shape), (im, other)) = (part("re")?, part("im")?);
    if shape != other {
        return Err(wrong(format!("im: expected the shape of re, {shape:?}, got {other:?}")));
    }
    Ok((re.into_iter().zip(im).map(|(re, im)| [re, im]).collect(), shape))
}

/// Returns complex numbers as their parts.
pub(crate) fn parts(numbers: &[[f32; 2]], shape: &[usize]) -> Object {
    let part = |index: usize| {
        let numbers: Vec<f32> = numbers.iter().map(|number| number[index]).collect();
        object(js_sys::Float32Array::from(&numbers[..]).into(), shape)
    };
    let both = Object::new();
    set(&both, "re", part(0));
    set(&both, "im", part(1));
    both
}

/// Returns the shape of a matrix.
pub(crate) fn matrix_shape(name: &str, shape: &[usize]) -> Result<Shape> {
    match *shape {
        [rows, cols] => Ok(Shape::new(rows, cols)),
        _ => Err(wrong(format!(
            "{name}: expected a matrix, of the shape [rows, columns], got {shape:?}"
        ))),
    }
}
