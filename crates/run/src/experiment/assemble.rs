//! The way from a description to an experiment: compile, plan, upload.

use std::time::Duration;

use quadrille::gl::Context;
use quadrille::internal::Instant;

use crate::execute::pass::Pass;
use crate::execute::state;
use crate::execute::state::{Input, Output};
use crate::lower::isf_passes;
use crate::lower::{backbuffer, grey, layers_as_rows};
use crate::plan::ir::Plan;
use crate::plan::{panels, sampling, validate};
use crate::setup::{PassSetup, Setup};
use crate::source::compiled::Executable;
use crate::source::shader::Shader;
use crate::{Experiment, Result, plan};

impl Experiment {
    pub(crate) fn assemble(
        context: &Context,
        passes: &[PassSetup],
        setup: Setup,
    ) -> Result<Experiment> {
        validate::check_names(passes, &setup)?;
        let expanded = isf_passes::expand(context, passes, &setup)?;
        let passes = &expanded.passes[..];
        let flips = validate::flips(passes, &setup)?;
        let compile = |pass: &PassSetup| Executable::new(context, &pass.source, &setup);
        let executables = passes.iter().map(compile).collect::<Result<Vec<Executable>>>()?;
        let named = |(pass, executable): (&PassSetup, &Executable)| executable.shader(pass, &setup);
        let shaders = passes.iter().zip(&executables).map(named).collect::<Result<Vec<_>>>()?;
        let setup = backbuffer::fed(passes, &shaders, setup)?;
        let setup = expanded.fed(&shaders, &executables, setup)?;
        let setup = grey::shown(passes, &shaders, setup)?;
        let setup = layers_as_rows::in_blocks(passes, &shaders, setup);
        let limit = context.abilities().max_texture_size;
        let mut plan = planned(limit, passes, &shaders, &setup)?;
        let planned = std::mem::take(&mut plan.passes);
        let owner = |output: usize| planned.iter().position(|pass| pass.outputs.contains(&output));
        let is_partial = |output| owner(output).is_some_and(|pass| executables[pass].is_partial());
        let facts = setup.facts.clone();
        let (inputs, outputs, upload_took) = uploaded(context, plan, setup, flips, is_partial)?;
        let parts = passes.iter().zip(executables).zip(planned);
        let passes = parts.map(|((pass, executable), planned)| {
            Pass::new(executable, pass, planned, &outputs, context)
        });
        let passes: Vec<Pass> = passes.collect::<Result<_>>()?;
        passes.iter().try_for_each(|pass| pass.must_sample(&inputs, &outputs))?;
        Ok(Experiment {
            context: context.clone(),
            inputs,
            outputs,
            passes,
            flips,
            iteration: 0,
            upload_took,
            sized_by: expanded.sized_by,
            facts,
        })
    }
}

/// Returns all that is to be checked before anything is uploaded to a device of this largest side
/// of textures.
pub(crate) fn planned(
    limit: u32,
    passes: &[PassSetup],
    shaders: &[Shader],
    setup: &Setup,
) -> Result<Plan> {
    let mut plan = plan::plan(passes, shaders, setup)?;
    sampling::plan(shaders, setup, &mut plan)?;
    validate::half_must_be_had(&plan, setup)?;
    panels::plan(shaders, setup, &mut plan, limit)?;
    validate::frames_must_not_be_fed(&plan, setup)?;
    Ok(plan)
}

/// Returns the inputs and the outputs of a plan, of which passes may leave cells of some as they
/// are, and the time that they took.
fn uploaded(
    context: &Context,
    plan: Plan,
    setup: Setup,
    flips: bool,
    is_partial: impl Fn(usize) -> bool,
) -> Result<(Vec<Input>, Vec<Output>, Duration)> {
    context.finish()?;
    let begun = Instant::now();
    let mut firsts = state::firsts(&plan, &setup)?;
    let inputs = state::inputs(context, &plan, setup, flips)?;
    let outputs = plan.outputs.into_iter().enumerate().map(|(index, output)| {
        let first = firsts.get_mut(index).and_then(Option::take);
        state::output(context, output, first, is_partial(index), flips)
    });
    let outputs = outputs.collect::<Result<_>>()?;
    context.finish()?;
    Ok((inputs, outputs, begun.elapsed()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use quadrille::Extent;
    use quadrille::internal::Ability;
    use quadrille::internal::shader::trace;
    use quadrille::shader::Source;

    /// Records the steps that a text takes on its way to the first step of an experiment.
    fn done(text: &str, limit: u32) -> Vec<&'static str> {
        let builder = Context::builder();
        let builder = builder.without(Ability::LargerTextures(limit));
        let context = builder.build().unwrap();
        context.loop_budget().unwrap();
        trace::record();
        let setup = Setup::new().extent(Extent::new(9, 5));
        let source = Source::fragment("x.frag", text);
        Experiment::new(&context, &source, setup).unwrap().step().unwrap();
        trace::taken("x.frag")
    }

    #[test]
    fn a_text_is_recognised_expanded_and_parsed_once() {
        for text in [
            "out float y; void main() { y = gl_FragCoord.x; }",
            "void mainImage(out vec4 o, in vec2 p) { o = vec4(p / iResolution.xy, iTime, 1.0); }",
            "uniform vec2 resolution; void main() { gl_FragColor = vec4(gl_FragCoord.xy / resolution, 0.0, 1.0); }",
        ] {
            assert_eq!(done(text, 64), ["recognised", "expanded", "parsed"], "{text}");
        }
    }

    /// A text in panels, or one whose loops are watched, is a changed text; it is parsed, but not
    /// expanded a second time.
    #[test]
    fn a_text_that_is_changed_is_parsed_alone() {
        let text = "out float y; void main() { y = float(TEXEL.x); }";
        assert_eq!(done(text, 4), ["recognised", "expanded", "parsed", "parsed", "parsed"]);
    }
}
