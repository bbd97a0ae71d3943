//! The application of an expression to vectors and scalars by name.

use crate::gl;
use crate::grid::{DeviceVector, Scalar};
use crate::stream::{Error, Result};

use super::map::{Coefficient, Inputs, Map};

impl Map {
    /// Begins an application.
    pub fn apply(&self) -> Apply<'_> {
        let (vectors, scalars) = (&self.expressions.vectors, &self.expressions.scalars);
        let (vectors, scalars) = (vec![None; vectors.len()], vec![None; scalars.len()]);
        Apply { map: self, vectors, scalars, fault: None }
    }
}

/// An application of a [`Map`]: its vectors and scalars by name, then where the result goes. Errors
/// in the arguments are returned when it runs.
///
/// The result is none of the vectors; this does not compile:
///
/// ```compile_fail,E0502
/// # use quadrille::{Context, grid::DeviceVector, linalg::blas1::Blas1};
/// # let context = Context::headless()?;
/// # let square = Blas1::new(&context).map("x * x", &["x"], &[])?;
/// let mut x = DeviceVector::from_host(&context, &[1.0_f32, 2.0])?;
/// square.apply().vector("x", &x).run(&mut x)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// and this, which differs only in the result, does:
///
/// ```
/// # use quadrille::{Context, grid::DeviceVector, linalg::blas1::Blas1};
/// # let context = Context::headless()?;
/// # let square = Blas1::new(&context).map("x * x", &["x"], &[])?;
/// let x = DeviceVector::from_host(&context, &[1.0_f32, 2.0])?;
/// let mut y = DeviceVector::uninit(&context, 2)?;
/// square.apply().vector("x", &x).run(&mut y)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing happens until it runs"]
pub struct Apply<'a> {
    map: &'a Map,
    vectors: Vec<Option<&'a DeviceVector>>,
    scalars: Vec<Option<Coefficient<'a>>>,
    fault: Option<Error>,
}

impl<'a> Apply<'a> {
    /// Sets a vector.
    pub fn vector(mut self, name: &str, vector: &'a DeviceVector) -> Self {
        let names = &self.map.expressions.vectors;
        self.fault = self.fault.or(set(&mut self.vectors, names, "vector", name, vector));
        self
    }

    /// Sets a scalar: a number, or a [`Scalar`] on the device.
    pub fn scalar(mut self, name: &str, scalar: impl Into<Coefficient<'a>>) -> Self {
        let names = &self.map.expressions.scalars;
        self.fault = self.fault.or(set(&mut self.scalars, names, "scalar", name, scalar.into()));
        self
    }

    /// Computes every element of `result`.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchName`] and [`Error::Missing`] if the arguments do not match the expression,
    /// [`gl::Error::Length`] if the lengths differ, [`gl::Error::Foreign`] for a vector of another
    /// context, and errors of the device.
    pub fn run(self, result: &mut DeviceVector) -> Result<()> {
        let map = self.map;
        let (vectors, scalars) = self.arguments()?;
        for (vector, name) in vectors.iter().zip(&map.expressions.vectors) {
            result.must_have(vector.len(), &format!("{}: {name}", map.expressions.name()))?;
        }
        for (index, (target, length)) in result.panels_mut().enumerate() {
            let panels: Vec<_> = vectors.iter().filter_map(|vector| vector.panel(index)).collect();
            let inputs = Inputs { vectors: &panels, scalars: &scalars, length };
            map.panel(inputs, &mut [target])?;
        }
        Ok(())
    }

    /// Computes a scalar from scalars, on the device.
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run), and [`gl::Error::Length`] for an expression of vectors.
    pub fn run_scalar(self, result: &mut Scalar) -> Result<()> {
        let map = self.map;
        let (vectors, scalars) = self.arguments()?;
        if let Some(vector) = vectors.first() {
            let what = format!("{}: a scalar from vectors", map.expressions.name());
            return Err(gl::Error::Length { what, expected: 1, got: vector.len() }.into());
        }
        let inputs = Inputs { vectors: &[], scalars: &scalars, length: 1 };
        map.panel(inputs, &mut [result.texture_mut()])
    }

    fn arguments(self) -> Result<(Vec<&'a DeviceVector>, Vec<Coefficient<'a>>)> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let expressions = &self.map.expressions;
        let mut missing = missing(&expressions.vectors, &self.vectors);
        missing.extend(self::missing(&expressions.scalars, &self.scalars));
        if !missing.is_empty() {
            return Err(Error::Missing { kernel: expressions.name().to_owned(), missing });
        }
        let vectors = self.vectors.into_iter().flatten().collect();
        Ok((vectors, self.scalars.into_iter().flatten().collect()))
    }
}

/// Sets the argument of this name, or returns that there is none.
fn set<T>(
    arguments: &mut [Option<T>],
    names: &[String],
    what: &'static str,
    name: &str,
    argument: T,
) -> Option<Error> {
    let mut places = names.iter().zip(arguments);
    if let Some((_, place)) = places.find(|(known, _)| *known == name) {
        *place = Some(argument);
        return None;
    }
    let (kernel, name, has) = ("expression".into(), name.to_owned(), names.to_vec());
    Some(Error::NoSuchName { kernel, what, name, has })
}

fn missing<T>(names: &[String], arguments: &[Option<T>]) -> Vec<String> {
    let lacking = names.iter().zip(arguments).filter(|(_, argument)| argument.is_none());
    lacking.map(|(name, _)| name.clone()).collect()
}
