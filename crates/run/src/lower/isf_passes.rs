//! ISF shaders of several passes: one text that is run once for each pass of its header, with
//! buffers between the passes.

use crate::dialect::isf::target::Target as IsfTarget;
use crate::dialect::isf::{COLOUR as ISF_OUTPUT, Passes as IsfPasses, passes as isf_passes};
use crate::dialect::of_pass;
use crate::error::{Error, PassError, Result, ShaderError, SizeError};
use quadrille::Extent;
use quadrille::data::Field;
use quadrille::gl::{Class, Context, Type, TypeKind, Value};
use quadrille::memory;
use quadrille::stream;

use crate::plan::extent::Sizes;
use crate::plan::uniforms::parsed;
use crate::plan::validate::{fed_once, once};
use crate::setup::array::Array;
use crate::setup::scale::Size;
use crate::setup::settings::Uniform;
use crate::setup::{PassSetup, Setup};
use crate::source::compiled::Executable;
use crate::source::shader::Shader;

/// The passes of an experiment, with those of ISF shaders in the place of each such shader.
pub(crate) struct Expanded {
    pub(crate) passes: Vec<PassSetup>,
    buffers: Vec<Buffer>,
    /// The uniforms from which sizes follow, and their numbers.
    pub(crate) sized_by: Vec<(String, f64)>,
}

/// A target that passes of an ISF shader write and read.
struct Buffer {
    target: IsfTarget,
    extent: Extent,
    /// The name of the input that keeps it from step to step.
    kept: String,
    /// The first pass of its shader.
    first: usize,
    /// The passes that write it, and their outputs.
    writers: Vec<(usize, String)>,
}

impl Buffer {
    /// Returns the output that a pass reads: the one that the last pass before it wrote in this
    /// step, or else the input that holds the previous step's.
    fn before(&self, pass: usize) -> &String {
        let earlier = self.writers.iter().rev().find(|(writer, _)| *writer < pass);
        earlier.map_or(&self.kept, |(_, output)| output)
    }
}

/// Replaces each ISF shader of several passes by its passes.
pub(crate) fn expand(context: &Context, passes: &[PassSetup], setup: &Setup) -> Result<Expanded> {
    let mut expanded = Expanded { passes: Vec::new(), buffers: Vec::new(), sized_by: Vec::new() };
    for pass in passes {
        match pass.source().map(isf_passes).transpose()?.flatten() {
            None => expanded.passes.push(pass.clone()),
            Some(own) => expanded.add(context, pass, &own, setup)?,
        }
    }
    Ok(expanded)
}

/// Returns the outputs of a shader of several passes that stands by itself.
pub(crate) fn outputs(pass: &PassSetup) -> Result<Option<Vec<String>>> {
    Ok(pass.source().map(isf_passes).transpose()?.flatten().map(|own| {
        let names = (0..own.targets.len()).map(|index| name(pass, &own, index));
        names.map(|name| PassSetup { name, ..pass.clone() }.full_name(ISF_OUTPUT)).collect()
    }))
}

/// Returns the name of a pass: the shader's name if the pass writes the picture, or if it is the
/// last and all have targets; otherwise its target's name, with a number where a later pass has the
/// same name.
fn name(pass: &PassSetup, own: &IsfPasses, index: usize) -> String {
    let picture = own.targets.iter().position(Option::is_none);
    match own.targets.get(index).and_then(Option::as_ref) {
        Some(target) if index != picture.unwrap_or(own.targets.len() - 1) => {
            let mut later = own.targets.iter().skip(index + 1).flatten();
            match later.any(|other| other.name == target.name) {
                true => pass.full_name(&format!("{}.{index}", target.name)),
                false => pass.full_name(&target.name),
            }
        }
        _ => pass.name.clone(),
    }
}

impl Expanded {
    fn add(
        &mut self,
        context: &Context,
        pass: &PassSetup,
        own: &IsfPasses,
        setup: &Setup,
    ) -> Result<()> {
        if pass.repeat.is_some() {
            return Err(PassError::RepeatsIsf { pass: pass.name.clone() }.into());
        }
        let picture = picture(pass, own, setup)?;
        let numbers = InputValues::of(pass, own, setup)?;
        let limit = context.abilities().max_texture_size;
        let first = self.passes.len();
        let mut buffers: Vec<Buffer> = Vec::new();
        for (index, target) in own.targets.iter().enumerate() {
            let name = name(pass, own, index);
            let source =
                pass.source.clone().map(|source| Ok::<_, Error>(of_pass(source, index)))?;
            let mut part = PassSetup { name, source, ..pass.clone() };
            let mut extent = picture;
            if let Some(target) = target {
                extent = target.extent(picture, |name| numbers.get(name), limit)?;
                let writer = (first + index, part.full_name(ISF_OUTPUT));
                match buffers.iter_mut().find(|buffer| buffer.target.name == target.name) {
                    Some(buffer) => buffer.writers.push(writer),
                    None => {
                        let (kept, writers) = (pass.full_name(&target.name), vec![writer]);
                        let target = target.clone();
                        buffers.push(Buffer { target, extent, kept, first, writers });
                    }
                }
            }
            part.size = Some(Size::Extent(extent));
            self.passes.push(part);
        }
        for (index, part) in self.passes.iter_mut().enumerate().skip(first) {
            for buffer in &buffers {
                let is_told = pass.reads.iter().any(|(sampler, _)| *sampler == buffer.target.name);
                if !is_told {
                    part.reads.push((buffer.target.name.clone(), buffer.before(index).clone()));
                }
            }
        }
        self.buffers.extend(buffers);
        self.sized_by.extend(numbers.0);
        Ok(())
    }

    /// Lets the buffers that a pass reads as the step before left them be inputs, which are 0 at
    /// first unless they are given.
    pub(crate) fn fed(
        &self,
        shaders: &[Shader],
        executables: &[Executable],
        mut setup: Setup,
    ) -> Result<Setup> {
        for Buffer { target, extent, kept, first, writers } in &self.buffers {
            let shader = &shaders[*first];
            if let Some(output) = shader.outputs.first().filter(|output| output.name != ISF_OUTPUT)
            {
                let (kernel, output) = (shader.name.clone(), output.name.clone());
                return Err(ShaderError::IsfOutput { kernel, output }.into());
            }
            let mut again = writers.iter().skip(1).map(|(writer, _)| *writer);
            if let Some(writer) = again.find(|writer| executables[*writer].is_partial()) {
                return Err(target.discarded(writer - first).into());
            }
            // A sampler of this name reads any of them.
            for (_, output) in writers {
                setup.settings.samplings = setup.settings.samplings.also(kept, output);
            }
            let (Some((writer, _)), Some((_, from))) = (writers.first(), writers.last()) else {
                continue;
            };
            let early = (*first..=*writer).find(|&reader| {
                let reads = |(sampler, from): &(String, String)| {
                    *sampler == target.name && from == kept && shaders[reader].reads(sampler)
                };
                self.passes[reader].reads.iter().any(reads)
            });
            let Some(reader) = early else { continue };
            if !target.is_persistent {
                let error = target.unwritten(reader - first, writer - first);
                return Err(error.into());
            }
            if setup.find(kept).is_none() {
                let numbers = memory::zeroed::<f32>(extent.texels() * 4)?;
                setup.arrays.push(Array::new(kept, Field::new(*extent, 4, numbers)?));
            }
            let feedback = (from.clone(), kept.clone());
            if !setup.settings.feedback.contains(&feedback) {
                setup.settings.feedback.push(feedback);
            }
        }
        fed_once(&setup.settings.feedback)?;
        once("feedback to input", setup.settings.feedback.iter().map(|(_, input)| input))?;
        Ok(setup)
    }
}

/// Returns the extent of the picture: the one that is set, else that of the pictures that the
/// shader reads.
fn picture(pass: &PassSetup, own: &IsfPasses, setup: &Setup) -> Result<Extent> {
    let input = |name: &str| setup.find(name).map(|(_, array)| array);
    let unsized_by = |of: &str| SizeError::IsfSize { pass: pass.name.clone(), of: of.to_owned() };
    let given = match &pass.size {
        Some(Size::Extent(extent)) => Some(*extent),
        Some(Size::Scale(scale)) => {
            let whole = setup.settings.size.filter(|_| scale.name() == "size");
            let of = whole.or(input(scale.name()).map(|array| array.layout.extent));
            Some(scale.applied(of.ok_or_else(|| unsized_by(scale.name()))?))
        }
        None => setup.settings.size,
    };
    let mut sources = Vec::new();
    for image in own.inputs.iter().filter(|input| input.kind == "sampler2D") {
        let read = pass.reads.iter().find(|(sampler, _)| *sampler == image.name);
        let from = read.map_or(&image.name, |(_, from)| from);
        match input(from) {
            Some(array) => sources.push((array.name.clone(), array.layout.extent, false)),
            // An output of an earlier pass has its size once all is planned.
            None if from.contains('.') && given.is_none() => return Err(unsized_by(from).into()),
            None => {}
        }
    }
    Ok(Sizes { given, sources }.choose(&pass.name)?.0)
}

/// The values of the inputs from which sizes follow.
struct InputValues(Vec<(String, f64)>);

impl InputValues {
    fn of(pass: &PassSetup, own: &IsfPasses, setup: &Setup) -> Result<InputValues> {
        let mut names: Vec<&String> =
            own.targets.iter().flatten().flat_map(|target| target.names()).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name: &String| Ok((name.clone(), number(pass, own, setup, name)?));
        Ok(InputValues(names.into_iter().map(number).collect::<Result<_>>()?))
    }

    fn get(&self, name: &str) -> f64 {
        self.0.iter().find(|(known, _)| known == name).map_or(f64::NAN, |(_, number)| *number)
    }
}

/// Returns the number of an input: as given, else its default.
fn number(pass: &PassSetup, own: &IsfPasses, setup: &Setup, name: &str) -> Result<f64> {
    let kernel = pass.source.name();
    let Some(input) = own.inputs.iter().find(|input| input.name == name) else {
        return Ok(f64::NAN);
    };
    let glsl = type_of(input.kind);
    let given =
        pass.uniforms.iter().chain(&setup.settings.uniforms).find(|(known, _)| known == name);
    let value = match (given, &input.default) {
        (Some((_, Uniform::Value(value))), _) => value.clone(),
        (Some((_, Uniform::Text(text))), _) | (None, Some(text)) => {
            let value = parsed(kernel, name, glsl, text)?;
            // As it is written: 0.7 as a float is less, and so would be 10 of them, rounded down.
            match (&value, text.trim().parse::<f64>()) {
                (Value::Float(_), Ok(number)) => return Ok(number),
                _ => value,
            }
        }
        (None, None) => {
            let missing = vec![format!("{glsl} {name}")];
            return Err(stream::Error::Missing { kernel: kernel.to_owned(), missing }.into());
        }
    };
    Ok(match value {
        Value::Float(number) => number.into(),
        Value::Int(number) => number.into(),
        Value::Uint(number) => number.into(),
        Value::Bool(truth) => u8::from(truth).into(),
        // Of another type, which is refused when it is set.
        _ => f64::NAN,
    })
}

/// Returns whether a text is this number.
pub(crate) fn is(text: &str, number: f64) -> bool {
    match text.trim() {
        "true" => number == 1.0,
        "false" => number == 0.0,
        text => text.parse() == Ok(number),
    }
}

/// Returns the type of an input that is a number.
fn type_of(kind: &str) -> Type {
    let class = if kind == "int" { Class::Int } else { Class::Float };
    match kind {
        "bool" => TypeKind::Bool.into(),
        _ => TypeKind::Number { class, components: 1 }.into(),
    }
}
