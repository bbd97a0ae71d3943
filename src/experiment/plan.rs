//! What an experiment will read and write: all checks before anything is uploaded.

use crate::Extent;
use crate::data::Field;
use crate::gl::{self, Class, Context, ParameterKind, Value};
use crate::shader::Source;
use crate::stream::{self, Kernel, array, class_of};

use super::grid::{FLOATS, Grid, INTEGERS, UNSIGNED};
use super::setup::{Given, Setup};
use super::watch::Watch;
use super::{Error, Experiment, Input, Output, uniform};

/// The uniforms that an experiment sets itself, where they are not given.
const ITERATION: &str = "iteration";
const SIZE: &str = "size";

/// An experiment whose parts fit together.
pub(super) struct Plan {
    kernel: Kernel,
    inputs: Vec<Read>,
    uniforms: Vec<(String, Value)>,
    outputs: Vec<Written>,
    extent: Extent,
    line: bool,
    counts: bool,
    watch: Option<Watch>,
}

/// An input that the shader reads.
struct Read {
    name: String,
    class: Class,
    field: Field,
}

/// An output, and the index of the input whose place it takes.
struct Written {
    name: String,
    kind: String,
    class: Class,
    channels: usize,
    becomes: Option<usize>,
}

impl Plan {
    pub(super) fn new(context: &Context, source: &Source, setup: Setup) -> Result<Plan, Error> {
        setup.check_once()?;
        let kernel = context.kernel(source.clone())?;
        let outputs = outputs(&kernel)?;
        let mut uniforms = given_uniforms(&kernel, &setup.uniforms)?;
        let wants = |name: &str, components| {
            let kind = ParameterKind::Number { class: Class::Int, components };
            let given = setup.uniforms.iter().any(|(given, _)| given == name);
            !given && kernel.type_of(name) == Some((kind, 1))
        };
        let (counts, sized) = (wants(ITERATION, 1), wants(SIZE, 2));
        let sizes = Sizes::of(&setup);
        let inputs = read_inputs(&kernel, setup.inputs)?;
        let own = [(counts, ITERATION), (sized, SIZE)];
        must_be_complete(&kernel, &inputs, &uniforms, own)?;
        let (extent, line) = sizes.choose()?;
        if sized {
            let size = [extent.width, extent.height];
            let size = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
            uniforms.push((SIZE.into(), size.into()));
        }
        let (kernel, watch) = match Watch::new(context, source, &kernel, extent)? {
            Some((watched, watch)) => (watched, Some(watch)),
            None => (kernel, None),
        };
        let mut plan = Plan { kernel, inputs, uniforms, outputs, extent, line, counts, watch };
        for (output, input) in &setup.feedback {
            plan.feed_back(output, input)?;
        }
        Ok(plan)
    }

    /// Makes the textures.
    pub(super) fn upload(self, context: &Context) -> Result<Experiment, Error> {
        let Plan { kernel, inputs, uniforms, outputs, extent, line, counts, watch } = self;
        let discards = kernel.may_discard();
        let feeds = |index: usize| outputs.iter().any(|output| output.becomes == Some(index));
        let upload = |(index, Read { name, class, field }): (usize, Read)| {
            let what = || format!("input `{name}`");
            let empty = Grid::empty(context, class, field.channels(), field.extent());
            let mut grid = empty.map_err(|error| match field.is_line() {
                true => folded(called(error, what())),
                false => called(error, what()),
            })?;
            grid.write(&name, &field)?;
            let first = feeds(index).then_some(field);
            Ok(Input { name, grid, first })
        };
        let inputs = inputs.into_iter().enumerate().map(upload).collect::<Result<_, Error>>()?;
        let make = |Written { name, kind, class, channels, becomes }: Written| {
            let empty = Grid::empty(context, class, channels, extent);
            let mut grid = empty.map_err(|error| called(error, format!("output `{name}`")))?;
            if discards {
                grid.clear()?;
            }
            Ok(Output { name, kind, channels, grid, becomes })
        };
        let outputs = outputs.into_iter().map(make).collect::<Result<_, Error>>()?;
        Ok(Experiment {
            kernel,
            inputs,
            uniforms,
            outputs,
            extent,
            line,
            counts,
            iteration: 0,
            upload_took: std::time::Duration::ZERO,
            watch,
        })
    }

    fn feed_back(&mut self, output: &str, input: &str) -> Result<(), Error> {
        let Some(from) = self.outputs.iter_mut().find(|written| written.name == output) else {
            let has = self.kernel.outputs().iter().map(|output| output.name.as_str()).collect();
            return Err(no_such(&self.kernel, "output", output, has));
        };
        let Some(index) = self.inputs.iter().position(|read| read.name == input) else {
            if self.kernel.declares(input) {
                let kernel = self.kernel.name().to_owned();
                let (input, output) = (input.to_owned(), output.to_owned());
                return Err(Error::Unread { kernel, input, output });
            }
            return Err(no_such(&self.kernel, "input", input, self.kernel.inputs()));
        };
        let to = &self.inputs[index];
        let here = (from.class, from.channels, self.extent);
        let there = (to.class, to.field.channels(), to.field.extent());
        if here != there {
            let (is, was) = (described(here), described(there));
            let (output, input) = (output.to_owned(), input.to_owned());
            return Err(Error::Feedback { output, input, is, was });
        }
        from.becomes = Some(index);
        Ok(())
    }
}

fn outputs(kernel: &Kernel) -> Result<Vec<Written>, Error> {
    if kernel.outputs().is_empty() {
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(Error::NoOutput { kernel: kernel.name().into(), dropped });
    }
    let in_order = |(slot, output): (usize, &stream::Output)| output.location as usize == slot;
    if !kernel.outputs().iter().enumerate().all(in_order) {
        let has = kernel.outputs().iter().map(|o| format!("{} {}", o.location, o.name)).collect();
        let dropped = kernel.dropped_outputs().to_vec();
        return Err(Error::Locations { kernel: kernel.name().into(), has, dropped });
    }
    kernel.outputs().iter().map(|output| written(kernel, output)).collect()
}

fn written(kernel: &Kernel, output: &stream::Output) -> Result<Written, Error> {
    let (name, kind) = (output.name.clone(), output.kind.clone());
    let channels = match kind.as_str() {
        "float" | "int" | "uint" => 1,
        "vec2" | "ivec2" | "uvec2" => 2,
        "vec3" | "ivec3" | "uvec3" => 3,
        "vec4" | "ivec4" | "uvec4" => 4,
        _ => return Err(Error::OutputType { kernel: kernel.name().into(), name, kind }),
    };
    Ok(Written { name, class: class_of(&kind), kind, channels, becomes: None })
}

fn given_uniforms(
    kernel: &Kernel,
    given: &[(String, Given)],
) -> Result<Vec<(String, Value)>, Error> {
    let mut uniforms = Vec::new();
    for (name, given) in given {
        let value = match (kernel.type_of(name), given) {
            (None, _) if kernel.declares(name) => continue,
            (None | Some((ParameterKind::Sampler(_), _)), _) => {
                return Err(no_such(kernel, "uniform", name, kernel.uniforms()));
            }
            (Some(_), Given::Value(value)) => value.clone(),
            (Some((kind, length)), Given::Text(text)) => uniform::value(kind, length, text)
                .ok_or_else(|| Error::Uniform {
                    kernel: kernel.name().into(),
                    name: name.clone(),
                    kind: array(kind, length),
                    expected: uniform::expected(kind, length),
                    text: text.clone(),
                })?,
        };
        uniforms.push((name.clone(), value));
    }
    Ok(uniforms)
}

/// Inputs that the compiler removed are left out.
fn read_inputs(kernel: &Kernel, given: Vec<(String, Field)>) -> Result<Vec<Read>, Error> {
    let mut inputs = Vec::new();
    for (name, field) in given {
        match kernel.type_of(&name) {
            Some((ParameterKind::Sampler(class), 1)) => inputs.push(Read { name, class, field }),
            Some((kind @ ParameterKind::Sampler(_), length)) => {
                let (kernel, kind) = (kernel.name().to_owned(), array(kind, length));
                return Err(Error::Untakable { kernel, name, kind });
            }
            None if kernel.declares(&name) => {}
            _ => return Err(no_such(kernel, "input", &name, kernel.inputs())),
        }
    }
    Ok(inputs)
}

/// All that the compiler kept must be given, and of a type that can be.
fn must_be_complete(
    kernel: &Kernel,
    inputs: &[Read],
    uniforms: &[(String, Value)],
    own: [(bool, &str); 2],
) -> Result<(), Error> {
    let given = |name: &&str| {
        inputs.iter().any(|read| read.name == *name)
            || uniforms.iter().any(|(known, _)| known == name)
            || own.contains(&(true, name))
    };
    let mut missing = Vec::new();
    let all = kernel.inputs().into_iter().chain(kernel.uniforms());
    for name in all.filter(|name| !given(name)) {
        let Some((kind, length)) = kernel.type_of(name) else { continue };
        let other = matches!(kind, ParameterKind::Other(_));
        let (name, kind) = (name.to_owned(), array(kind, length));
        if other {
            return Err(Error::Untakable { kernel: kernel.name().into(), name, kind });
        }
        missing.push(format!("{kind} {name}"));
    }
    match missing.is_empty() {
        true => Ok(()),
        false => {
            let kernel = kernel.name().to_owned();
            Err(stream::Error::Missing { kernel, missing }.into())
        }
    }
}

impl Setup {
    fn check_once(&self) -> Result<(), Error> {
        once("input", self.inputs.iter().map(|(name, _)| name))?;
        once("uniform", self.uniforms.iter().map(|(name, _)| name))?;
        once("feedback from output", self.feedback.iter().map(|(output, _)| output))?;
        once("feedback to input", self.feedback.iter().map(|(_, input)| input))
    }
}

/// What the extent of the outputs may come from.
struct Sizes {
    wish: Option<Extent>,
    /// Name, extent, and whether it is an array of one axis: of the inputs that change, or of all.
    inputs: Vec<(String, Extent, bool)>,
}

impl Sizes {
    fn of(setup: &Setup) -> Sizes {
        let feeds = |name: &String| setup.feedback.iter().any(|(_, input)| input == name);
        let any = setup.inputs.iter().any(|(name, _)| feeds(name));
        let inputs = setup.inputs.iter().filter(|(name, _)| !any || feeds(name));
        let size =
            |(name, field): &(String, Field)| (name.clone(), field.extent(), field.is_line());
        Sizes { wish: setup.extent, inputs: inputs.map(size).collect() }
    }

    /// The extent, and whether it is that of arrays of one axis alone.
    fn choose(self) -> Result<(Extent, bool), Error> {
        if let Some(extent) = self.wish {
            return match extent.texels() {
                0 => Err(crate::data::Error::FieldEmpty { extent }.into()),
                _ => Ok((extent, false)),
            };
        }
        let Some(&(_, first, _)) = self.inputs.first() else { return Err(Error::NoExtent) };
        if self.inputs.iter().any(|(_, extent, _)| *extent != first) {
            let inputs = self.inputs.into_iter().map(|(name, extent, _)| (name, extent)).collect();
            return Err(Error::Extents { inputs });
        }
        Ok((first, self.inputs.iter().all(|(_, _, line)| *line)))
    }
}

fn once<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Result<(), Error> {
    let mut names: Vec<&String> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::Twice { what, name: pair[0].clone() }),
        None => Ok(()),
    }
}

fn no_such(kernel: &Kernel, what: &'static str, name: &str, has: Vec<&str>) -> Error {
    let has = has.into_iter().map(str::to_owned).collect();
    let (kernel, name) = (kernel.name().to_owned(), name.to_owned());
    stream::Error::NoSuchName { kernel, what, name, has }.into()
}

fn described((class, channels, extent): (Class, usize, Extent)) -> String {
    let numbers = match class {
        Class::Float => FLOATS.0,
        Class::Int => INTEGERS.0,
        Class::Uint => UNSIGNED.0,
    };
    let channel = if channels == 1 { "channel" } else { "channels" };
    format!("{channels} {channel} of {numbers}, {} x {}", extent.width, extent.height)
}

/// Says how more numbers fit than an array of one axis may have.
fn folded(error: gl::Error) -> gl::Error {
    match error {
        gl::Error::TooLarge { what, wish, limit, fits } => {
            let fits = format!("{fits}, so give the array two axes, as in array.reshape(-1, 1000)");
            gl::Error::TooLarge { what, wish, limit, fits }
        }
        other => other,
    }
}

/// Says which texture was too large.
fn called(error: gl::Error, name: String) -> gl::Error {
    match error {
        gl::Error::TooLarge { wish, limit, fits, .. } => {
            gl::Error::TooLarge { what: name, wish, limit, fits }
        }
        other => other,
    }
}
