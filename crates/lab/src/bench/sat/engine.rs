//! The engines that count satisfied clauses.

use crate::report::names::named_enum;
use quadrille::gl::Context;
use quadrille_vp::cnf::Cnf;
use quadrille_vp::sat::Error;
use quadrille_vp::sat::greedy::{
    CpuEvaluator, Evaluator, TextureEvaluator, VertexProgramEvaluator,
};
use quadrille_vp::vector_machine::{self, Machine};

named_enum! {
    pub enum Engine {
        /// The paper's function on the vertex stage, its results through pixels.
        Vertex => "vertex",
        /// The vertex program, with its results captured in memory.
        Feedback => "feedback",
        /// The vertex program, translated for the fragment stage.
        Fragment => "fragment",
        /// The vertex program, simulated on this machine.
        Simulator => "simulator",
        /// The fragment stage with the assignment in a texture, which takes any formula.
        Texture => "texture",
        /// A single core of this machine, without a simulation.
        Host => "host",
    }
}

impl Engine {
    /// The engines that take formulas of any size.
    pub const OF_ANY_SIZE: [Engine; 2] = [Engine::Texture, Engine::Host];

    pub(super) fn evaluator(
        self,
        context: &Context,
        cnf: &Cnf,
    ) -> Result<Box<dyn Evaluator>, Error> {
        use vector_machine::Processor as Stage;
        let on = |stage| -> Result<Box<dyn Evaluator>, Error> {
            Ok(Box::new(VertexProgramEvaluator::new(&Machine::new(context).with(stage)?, cnf)?))
        };
        match self {
            Engine::Vertex => on(Stage::Vertex),
            Engine::Feedback => on(Stage::Feedback),
            Engine::Fragment => on(Stage::Fragment),
            Engine::Simulator => {
                Ok(Box::new(VertexProgramEvaluator::new(&Machine::simulator(), cnf)?))
            }
            Engine::Texture => Ok(Box::new(TextureEvaluator::new(context, cnf)?)),
            Engine::Host => Ok(Box::new(CpuEvaluator::new(cnf)?)),
        }
    }
}
