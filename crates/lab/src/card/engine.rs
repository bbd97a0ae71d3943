//! The three kinds of shaders that can compute an expression, behind one interface.

use crate::report::names::named_enum;
use serde::Serialize;

use quadrille::Extent;
use quadrille::gl::Context;
use quadrille::shader::{Source, Stage};
use quadrille::stream::{self, CaptureKernel};

use crate::Result;

named_enum! {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Engine {
        Fragment => "fragment",
        /// Vertex shaders, whose results are captured.
        Vertex => "vertex",
        Compute => "compute",
    }
}

/// The bits of a question's four arguments.
pub(super) type Bits = [i32; 4];

/// An expression that shaders compute.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    /// A float, of the floats a, b, c, d.
    Float(&'static str),
    /// Several floats of a, b, c, of which the fourth argument chooses one by its number.
    Floats(String),
    /// Several integers of i, j, k or of the floats, chosen from in the same way.
    Integers(String),
}

/// Arguments in a row of their texture, and invocations in a work group.
const WIDTH: usize = 64;

impl Engine {
    pub fn of(context: &Context) -> Vec<Engine> {
        let compute = context.abilities().compute.map(|_| Engine::Compute);
        [Engine::Fragment, Engine::Vertex].into_iter().chain(compute).collect()
    }

    fn file(self) -> (Stage, &'static str) {
        match self {
            Engine::Fragment => (Stage::Fragment, "card/ask.frag"),
            Engine::Vertex => (Stage::Vertex, "card/ask.vert"),
            Engine::Compute => (Stage::Compute, "card/ask.comp"),
        }
    }
}

impl Ask {
    /// Several floats in one program, numbered from 0.
    pub(super) fn floats(expressions: impl Iterator<Item = &'static str>) -> Ask {
        Ask::Floats(cases(expressions))
    }

    /// Several integers in one program, numbered from 0.
    pub(super) fn integers(expressions: impl Iterator<Item = &'static str>) -> Ask {
        Ask::Integers(cases(expressions))
    }

    pub(super) fn source(&self, engine: Engine) -> Result<Source, stream::Error> {
        let (stage, file) = engine.file();
        let source = crate::shaders::source(stage, file)?;
        Ok(match self {
            Ask::Float(expression) => source.define("EXPRESSION", expression),
            Ask::Floats(cases) => source.define("CASES", cases),
            Ask::Integers(cases) => source.define("CASES", cases).define("INTEGER", 1),
        })
    }

    pub(super) fn answers(
        &self,
        context: &Context,
        engine: Engine,
        arguments: &[Bits],
    ) -> Result<Vec<i32>> {
        let source = self.source(engine)?;
        let rows = arguments.len().div_ceil(WIDTH).max(1);
        let mut texels = arguments.to_vec();
        // The padding is computed as well and must not divide by zero.
        texels.resize(rows * WIDTH, [1; 4]);
        let input = context.texture(Extent::new(WIDTH as u32, rows as u32), &texels)?;
        let mut answers = match engine {
            Engine::Fragment => {
                let mut output = context.uninit::<i32>(input.extent())?;
                context.kernel(source)?.pass().input("arguments", &input).draw(&mut output)?;
                output.read()?
            }
            Engine::Vertex => {
                let kernel = CaptureKernel::new(context, &source, "result")?;
                let mut output = context.uninit_buffer::<i32>(texels.len())?;
                kernel.capture().input("arguments", &input).run(&mut output)?;
                output.read()?
            }
            Engine::Compute => {
                let kernel = context.compute_kernel(source)?;
                let mut output = context.uninit_buffer::<i32>(texels.len())?;
                let dispatch = kernel.dispatch().input("arguments", &input);
                dispatch.buffer_mut("Results", &mut output).run([rows as u32, 1, 1])?;
                output.read()?
            }
        };
        answers.truncate(arguments.len());
        Ok(answers)
    }

    /// Runs the questions and returns the answers as floats.
    pub(super) fn numbers(
        &self,
        context: &Context,
        engine: Engine,
        arguments: &[Bits],
    ) -> Result<impl Iterator<Item = f32> + use<>> {
        let answers = self.answers(context, engine, arguments)?;
        Ok(answers.into_iter().map(|bits| f32::from_bits(bits as u32)))
    }
}

fn cases(expressions: impl Iterator<Item = &'static str>) -> String {
    let case = |(number, expression)| format!("CASE({number}, {expression})");
    expressions.enumerate().map(case).collect::<Vec<_>>().join(" ")
}

/// The arguments of a question about floats.
pub(super) fn bits(arguments: [f32; 4]) -> Bits {
    arguments.map(|number| number.to_bits() as i32)
}
