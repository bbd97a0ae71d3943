//! Element-wise operations: expressions compiled for an engine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::gl::{Context, Target, Texture};
use crate::grid::Scalar;
use crate::shader::{Source, Stage};
use crate::stream::group::{Group, Setup};
use crate::stream::{ComputeKernel, Dispatch, Error, Geometry, Kernel};
use crate::{Extent, Rectangle};

use super::expression::{self, Expressions, Form};

/// A scalar of an operation: a number of the host, or one that stays on the device.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Coefficient<'a> {
    /// A number of the host.
    Host(f32),
    /// A number on the device.
    Device(&'a Scalar),
    /// The negative of a number on the device.
    Minus(&'a Scalar),
    /// The quotient of two numbers on the device, and 0 where the second is 0.
    Quotient(&'a Scalar, &'a Scalar),
}

impl From<f32> for Coefficient<'_> {
    fn from(number: f32) -> Self {
        Coefficient::Host(number)
    }
}

impl<'a> From<&'a Scalar> for Coefficient<'a> {
    fn from(scalar: &'a Scalar) -> Self {
        Coefficient::Device(scalar)
    }
}

/// A fused element-wise operation, from an expression in GLSL: [`Blas1::map`](super::Blas1::map)
/// compiles one, and [`apply`](Self::apply) runs it.
pub struct Map {
    context: Context,
    setup: Setup,
    pub(super) expressions: Expressions,
    kernels: RefCell<HashMap<Form, Compiled>>,
}

enum Compiled {
    Drawn(Kernel),
    Dispatched(ComputeKernel, Group),
}

/// Returns the shader of an engine, without the expressions.
pub(super) fn source(setup: Setup) -> Result<Source, Error> {
    Ok(match setup {
        Setup::Fragment => Source::library(Stage::Fragment, "blas1/map.frag")?,
        Setup::Compute(group) => group.define(Source::library(Stage::Compute, "blas1/map.comp")?),
    })
}

/// The inputs of an operation for one panel.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) vectors: &'a [&'a Texture<[f32; 4]>],
    pub(super) scalars: &'a [Coefficient<'a>],
    /// The numbers in the panel.
    pub(super) length: usize,
}

/// Gives the inputs to a pass or a dispatch, which have methods of the same names.
macro_rules! bind {
    ($run:expr, $inputs:expr, $width:expr, $form:expr) => {{
        let mut run = $run;
        if $form.padded {
            let length = i32::try_from($inputs.length).unwrap_or(i32::MAX);
            run = run.uniform("panel", [$width as i32, length]);
        }
        for (index, texture) in $inputs.vectors.iter().enumerate() {
            run = run.input(&expression::vector(index), *texture);
        }
        for (index, scalar) in $inputs.scalars.iter().enumerate() {
            let name = expression::scalar(index);
            run = match scalar {
                Coefficient::Host(number) => run.uniform(&name, *number),
                Coefficient::Device(scalar) | Coefficient::Minus(scalar) => {
                    run.input(&name, scalar.texture())
                }
                Coefficient::Quotient(above, below) => {
                    let run = run.input(&name, above.texture());
                    run.input(&expression::divisor(index), below.texture())
                }
            };
        }
        run
    }};
}

impl Map {
    /// Compiles nothing yet.
    pub(super) fn new(context: &Context, setup: Setup, expressions: Expressions) -> Map {
        Map { context: context.clone(), setup, expressions, kernels: RefCell::default() }
    }

    /// Compiles it for scalars of the host, so that errors in the expression come now.
    pub(super) fn compiled(self) -> Result<Map, Error> {
        let form = Form { padded: true, ..Form::default() };
        let compiled = self.compile(form)?;
        self.kernels.borrow_mut().insert(form, compiled);
        Ok(self)
    }

    /// Computes one panel of each result. The targets have one extent.
    pub(super) fn panel(
        &self,
        inputs: Inputs<'_>,
        targets: &mut [&mut Texture<[f32; 4]>],
    ) -> Result<(), Error> {
        let Some(extent) = targets.first().map(|target| target.extent()) else { return Ok(()) };
        let parts = match self.setup {
            Setup::Fragment => parts(extent, inputs.length),
            Setup::Compute(_) => vec![(true, extent.rectangle())],
        };
        for (padded, part) in parts {
            self.part(inputs, form(inputs.scalars, padded), part, targets)?;
        }
        Ok(())
    }

    /// Computes a panel of each result and, for each work group, the sum of the last expression
    /// over a window. The setup is compute.
    pub(super) fn panel_and_sums(
        &self,
        inputs: Inputs<'_>,
        targets: &mut [&mut Texture<[f32; 4]>],
        window: Rectangle,
        sums: &mut Texture<[f32; 4]>,
    ) -> Result<(), Error> {
        let Some(extent) = targets.first().map(|target| target.extent()) else { return Ok(()) };
        let form = form(inputs.scalars, true);
        let mut kernels = self.kernels.borrow_mut();
        if let Compiled::Dispatched(kernel, group) = self.kernel(&mut kernels, form)? {
            let Rectangle { x, y, width, height } = window;
            let window = [x, y, x + width, y + height].map(|side| side as i32);
            let dispatch = bind!(kernel.dispatch(), inputs, extent.width, form);
            let dispatch = dispatch.uniform("window", window).image_mut("sums", sums);
            with_images(dispatch, targets).run(group.cover(extent))?;
        }
        Ok(())
    }

    /// Returns the work groups of a panel; `None` where it is drawn.
    pub(super) fn groups(&self, extent: Extent) -> Option<Extent> {
        let Setup::Compute(group) = self.setup else { return None };
        let [width, height, _] = group.cover(extent);
        Some(Extent::new(width, height))
    }

    /// Returns the kernel of a form, compiled if it is new.
    fn kernel<'a>(
        &self,
        kernels: &'a mut HashMap<Form, Compiled>,
        form: Form,
    ) -> Result<&'a mut Compiled, Error> {
        Ok(match kernels.entry(form) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.compile(form)?),
        })
    }

    /// Computes some texels of a panel; a dispatch all of them.
    fn part(
        &self,
        inputs: Inputs<'_>,
        form: Form,
        part: Rectangle,
        targets: &mut [&mut Texture<[f32; 4]>],
    ) -> Result<(), Error> {
        let mut kernels = self.kernels.borrow_mut();
        match self.kernel(&mut kernels, form)? {
            Compiled::Drawn(kernel) => {
                let targets = targets.iter_mut().map(|target| &mut **target as &mut dyn Target);
                let mut targets: Vec<_> = targets.collect();
                let pass = bind!(kernel.pass(), inputs, part.width, form);
                pass.over(Geometry::Rectangle(part)).draw_into(&mut targets)
            }
            Compiled::Dispatched(kernel, group) => {
                let dispatch = bind!(kernel.dispatch(), inputs, part.width, form);
                with_images(dispatch, targets)
                    .run(group.cover(Extent::new(part.width, part.height)))
            }
        }
    }

    fn compile(&self, form: Form) -> Result<Compiled, Error> {
        let Map { context, setup, expressions, .. } = self;
        let source = expressions.complete(source(*setup)?, form);
        let compiled = match setup {
            Setup::Fragment => {
                let reads = context.abilities().reads();
                Kernel::from_fragment(context, &source, reads).map(Compiled::Drawn)
            }
            Setup::Compute(group) => {
                context.compute_kernel(source).map(|kernel| Compiled::Dispatched(kernel, *group))
            }
        };
        // Errors belong to the expression, not to the shader around it.
        let kernel = || expressions.name().to_owned();
        compiled.map_err(|error| match error {
            Error::Compile { diagnostics, .. } => {
                Error::Compile { kernel: kernel(), diagnostics: expressions.explain(diagnostics) }
            }
            Error::Link { diagnostics, .. } => Error::Link { kernel: kernel(), diagnostics },
            error => error,
        })
    }
}

fn with_images<'a>(
    dispatch: Dispatch<'a>,
    targets: &'a mut [&mut Texture<[f32; 4]>],
) -> Dispatch<'a> {
    targets.iter_mut().enumerate().fold(dispatch, |dispatch, (index, target)| {
        dispatch.image_mut(&format!("result_{index}"), target)
    })
}

/// Returns the kernel that takes such scalars.
fn form(scalars: &[Coefficient<'_>], padded: bool) -> Form {
    let bits = |is: fn(&Coefficient<'_>) -> bool| -> u32 {
        let bits = scalars.iter().enumerate();
        bits.map(|(index, scalar)| u32::from(is(scalar)) << index).sum()
    };
    Form {
        on_device: bits(|scalar| !matches!(scalar, Coefficient::Host(_))),
        negated: bits(|scalar| matches!(scalar, Coefficient::Minus(_))),
        divided: bits(|scalar| matches!(scalar, Coefficient::Quotient(..))),
        padded,
    }
}

/// Fewer texels are drawn sooner with a test for the padding than by two passes.
const WORTH_A_PASS: usize = 1 << 16;

/// Returns the rectangles of a panel to draw, and for each whether it may contain padding: the test
/// for it takes a software renderer longer.
fn parts(extent: Extent, length: usize) -> Vec<(bool, Rectangle)> {
    let Extent { width, height } = extent;
    let rows = (length / (4 * width as usize)) as u32;
    let rows = rows.min(height);
    let full = Rectangle::new(0, 0, width, rows);
    if rows == height {
        return vec![(false, full)];
    }
    match full.texels() < WORTH_A_PASS {
        true => vec![(true, extent.rectangle())],
        false => vec![(false, full), (true, Rectangle::new(0, rows, width, height - rows))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_texel_is_drawn_once_and_the_padding_with_a_test() {
        for (width, height) in [(1, 1), (4, 3), (512, 200), (512, 512)] {
            let extent = Extent::new(width, height);
            let most = 4 * extent.texels();
            for length in [most, most - 1, most - 4 * width as usize + 1] {
                let parts = parts(extent, length);
                let drawn: usize = parts.iter().map(|(_, part)| part.texels()).sum();
                assert_eq!(drawn, extent.texels());
                let untested = parts.iter().filter(|(padded, _)| !padded);
                let untested: usize = untested.map(|(_, part)| 4 * part.texels()).sum();
                assert!(untested <= length, "{extent} {length}");
                assert_eq!(parts.len() == 2, length < most && width == 512, "{extent} {length}");
            }
        }
    }
}
