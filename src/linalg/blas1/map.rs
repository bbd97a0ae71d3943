//! Element-wise operations: expressions compiled for an engine.

use std::rc::Rc;

use crate::gl::{Context, Target, Texture};
use crate::grid::Scalar;
use crate::shader::Source;
use crate::stream::group::Setup;
use crate::stream::launch::{Launch, Program, Programs};
use crate::stream::{Engine, Error, Geometry, Result};
use crate::{Extent, Rectangle};

use super::expression::{self, Expressions, Specialization};

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
    setup: Setup,
    pub(super) expressions: Expressions,
    programs: Programs<Specialization>,
}

/// Returns the text of an engine, without the expressions.
pub(super) fn source(setup: Setup) -> Result<Source> {
    Ok(setup.library("blas1/map.frag")?)
}

/// The inputs of an operation for one panel.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub(super) vectors: &'a [&'a Texture<[f32; 4]>],
    pub(super) scalars: &'a [Coefficient<'a>],
    /// The numbers in the panel.
    pub(super) length: usize,
}

impl<'a> Inputs<'a> {
    /// Gives the inputs to a program of a specialization, for panels of this many texels a row.
    fn bind<'b>(self, launch: Launch<'b>, width: u32, specialization: Specialization) -> Launch<'b>
    where
        'a: 'b,
    {
        let mut launch = launch;
        if specialization.padded {
            let length = i32::try_from(self.length).unwrap_or(i32::MAX);
            launch = launch.uniform("panel", [width as i32, length]);
        }
        for (index, texture) in self.vectors.iter().enumerate() {
            launch = launch.input(&expression::vector(index), *texture);
        }
        for (index, scalar) in self.scalars.iter().enumerate() {
            let name = expression::scalar(index);
            launch = match scalar {
                Coefficient::Host(number) => launch.uniform(&name, *number),
                Coefficient::Device(scalar) | Coefficient::Minus(scalar) => {
                    launch.input(&name, scalar.texture())
                }
                Coefficient::Quotient(above, below) => launch
                    .input(&name, above.texture())
                    .input(&expression::divisor(index), below.texture()),
            };
        }
        launch
    }
}

impl Map {
    /// Compiles nothing yet.
    pub(super) fn new(context: &Context, setup: Setup, expressions: Expressions) -> Map {
        Map { setup, expressions, programs: Programs::new(context, setup) }
    }

    /// Compiles it for scalars of the host, so that errors in the expression come now.
    pub(super) fn compiled(self) -> Result<Map> {
        self.program(Specialization { padded: true, ..Specialization::default() })?;
        Ok(self)
    }

    /// Computes one panel of each result. The targets have one extent.
    pub(super) fn panel(
        &self,
        inputs: Inputs<'_>,
        targets: &mut [&mut Texture<[f32; 4]>],
    ) -> Result<()> {
        let Some(extent) = targets.first().map(|target| target.extent()) else { return Ok(()) };
        let mut targets = named(targets);
        if self.setup.engine() == Engine::Compute {
            return self.part(inputs, (true, Geometry::Full), extent, &mut targets);
        }
        for (padded, part) in parts(extent, inputs.length) {
            self.part(inputs, (padded, Geometry::Rectangle(part)), extent, &mut targets)?;
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
    ) -> Result<()> {
        let Some(extent) = targets.first().map(|target| target.extent()) else { return Ok(()) };
        let specialization = specialization(inputs.scalars, true);
        let Rectangle { x, y, width, height } = window;
        let window = [x, y, x + width, y + height].map(|side| side as i32);
        let program = self.program(specialization)?;
        let launch =
            inputs.bind(program.launch(), extent.width, specialization).uniform("window", window);
        let mut targets = named(targets);
        targets.push(("sums", sums));
        launch.into(&mut targets)
    }

    /// Returns the work groups of a panel; `None` where it is drawn.
    pub(super) fn groups(&self, extent: Extent) -> Option<Extent> {
        let Setup::Compute(group) = self.setup else { return None };
        let [width, height, _] = group.cover(extent);
        Some(Extent::new(width, height))
    }

    /// Computes some texels of a panel, among which there may be padding.
    fn part(
        &self,
        inputs: Inputs<'_>,
        (padded, over): (bool, Geometry<'_>),
        extent: Extent,
        targets: &mut [(&str, &mut dyn Target)],
    ) -> Result<()> {
        let specialization = specialization(inputs.scalars, padded);
        let program = self.program(specialization)?;
        inputs.bind(program.launch().over(over), extent.width, specialization).into(targets)
    }

    fn program(&self, specialization: Specialization) -> Result<Rc<Program>> {
        let expressions = &self.expressions;
        let complete = |specialization: &Specialization, setup| {
            Ok(expressions.complete(source(setup)?, *specialization))
        };
        // Errors belong to the expression, not to the shader around it.
        let kernel = || expressions.name().to_owned();
        self.programs.get(&specialization, complete).map_err(|error| match error {
            Error::Compile { diagnostics, .. } => {
                Error::Compile { kernel: kernel(), diagnostics: expressions.explain(diagnostics) }
            }
            Error::Link { diagnostics, .. } => Error::Link { kernel: kernel(), diagnostics },
            error => error,
        })
    }
}

/// The results by the names of a program's outputs.
fn named<'a>(targets: &'a mut [&mut Texture<[f32; 4]>]) -> Vec<(&'static str, &'a mut dyn Target)> {
    let names = if targets.len() == 2 { ["value_0", "value_1"] } else { ["value"; 2] };
    let targets = targets.iter_mut().map(|target| &mut **target as &mut dyn Target);
    names.into_iter().zip(targets).collect()
}

/// Returns the specialization of a program that takes such scalars.
fn specialization(scalars: &[Coefficient<'_>], padded: bool) -> Specialization {
    let bits = |is: fn(&Coefficient<'_>) -> bool| -> u32 {
        let bits = scalars.iter().enumerate();
        bits.map(|(index, scalar)| u32::from(is(scalar)) << index).sum()
    };
    Specialization {
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
