//! The errors of experiments.

pub(crate) mod unsuited;

use quadrille::NoMemory;
use quadrille::error::{Kind, Place};
use quadrille::gl::{Class, Type};
use quadrille::internal::{failure, with_article};
use quadrille::{Extent, data, gl, shader, stream};

use crate::error::unsuited::Unsuited;
use crate::io::cells::{Cells, words};
use crate::io::uniform_text::expected;

/// The result of an experiment.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of an experiment: it cannot be made, or not be continued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The text above each variant is its documentation.
pub enum Error {
    #[error(transparent)]
    Stream(#[from] stream::Error),

    #[error(transparent)]
    Data(#[from] data::Error),

    #[error(transparent)]
    Io(#[from] quadrille::io::Error),

    #[error(transparent)]
    Dialect(#[from] crate::dialect::Error),

    #[error(transparent)]
    Description(#[from] crate::io::description::Error),

    #[error("expected WIDTHxHEIGHT{channels} after the colon, as in {word}:64x48; got `{got}`")]
    Made {
        /// The rule that makes the numbers: `zeros`, `random` or `ramp`.
        word: String,
        /// The optional part of the text behind the two lengths.
        channels: &'static str,
        got: String,
    },

    #[error("{place}: expected {expected}, as in the first frame of input `{input}`, got {got}")]
    Frame {
        /// The file of the frame.
        place: Place,
        input: String,
        expected: String,
        got: String,
    },

    #[error(
        "input `{input}` has {frames} frames, {}, and {steps} steps need as many: take fewer steps, or add files",
        files
    )]
    NoFrame {
        input: String,
        /// The number of frames.
        frames: u64,
        files: String,
        steps: u64,
    },

    #[error(
        "the sequences differ in length: {}; say how many steps there are",
        inputs.iter().map(|(name, count)| format!("`{name}` has {count} frames")).collect::<Vec<_>>().join(", ")
    )]
    Lengths { inputs: Vec<(String, u64)> },

    #[error(
        "input `{input}` is a sequence of frames, so output `{output}` cannot replace it in the next step: feed back to another input, or give \
         one file instead of the sequence"
    )]
    FedFrames { input: String, output: String },

    #[error("{what} `{name}` is given twice")]
    Twice { what: &'static str, name: String },

    #[error(
        "output `{output}` is to replace both `{}` and `{}` in the next step: it can replace one input or buffer, which several samplers may \
         read",
        inputs[0], inputs[1]
    )]
    FedTwice { output: String, inputs: [String; 2] },

    #[error(
        "{kernel} writes nothing that can be read: declare an output, as in `out vec4 colour;`{}",
        quadrille::internal::stream::dropped_text(dropped)
    )]
    NoOutput { kernel: String, dropped: Vec<String> },

    #[error(
        "{kernel}: its outputs must have the locations 0, 1, 2 ... without a gap; they have: {}{}",
        has.join(", "), quadrille::internal::stream::dropped_text(dropped)
    )]
    Locations { kernel: String, has: Vec<String>, dropped: Vec<String> },

    #[error(
        "{kernel}: `{name}` is {}, which cannot be an output here; expected a float, int or uint, or a vector of them",
        with_article(kind)
    )]
    OutputType { kernel: String, name: String, kind: String },

    #[error(
        "{kernel}: `{name}` is of a type ({glsl}) that cannot be set; expected a sampler2D, isampler2D or \
         usampler2D, or a uniform of numbers or bool"
    )]
    Untakable { kernel: String, name: String, glsl: Type },

    #[error(
        "input `{input}` has {}, and {} {input} reads {}: {number} at {at} cannot be converted exactly; declare \
         {} {input}, or change the array",
        words(*has).0, words(*class).1, words(*class).0, words(*has).1
    )]
    Inexact {
        input: String,
        /// The class of the numbers in the array.
        has: Class,
        /// The class that the shader's sampler reads.
        class: Class,
        number: f64,
        /// The index in the array.
        at: String,
    },

    #[error(
        "input `{input}` has {}, and the storage block {input} holds {}: {number} at {at} cannot be converted exactly; declare \
         the block as one of `{}`, or change the array",
        words(*has).0, words(*class).0, of_class(*has)
    )]
    InexactInBlock {
        input: String,
        /// The class of the numbers in the array.
        has: Class,
        /// The class of the numbers in the block.
        class: Class,
        number: f64,
        /// The index in the array.
        at: String,
    },

    #[error("{kernel}: `{name}` is {}: expected {}, got `{}`", with_article(glsl), expected(*glsl), shown(text))]
    Uniform { kernel: String, name: String, glsl: Type, text: String },

    #[error(
        "{}a Fourier transform takes cells of two channels, the real and the imaginary parts, or of one, real numbers: `x` has \
         {got}",
        prefix(pass)
    )]
    NotComplex { pass: String, got: usize },

    #[error(
        "{}the primitive takes vectors of at most {limit} numbers on this device, and `x` has {} x {} cells: give it parts",
        prefix(pass), extent.width, extent.height
    )]
    LongVector { pass: String, extent: Extent, limit: usize },

    #[error(
        "{}the size to compute is unknown, since nothing is read: give the size, width by height",
        prefix(pass)
    )]
    NoExtent { pass: String },

    #[error(
        "{}the inputs differ in size, so give the size to compute, width by height; they have: {}",
        prefix(pass),
        inputs.iter().map(|(name, e)| format!("{name} {} x {}", e.width, e.height)).collect::<Vec<_>>().join(", ")
    )]
    Extents { pass: String, inputs: Vec<(String, Extent)> },

    #[error(
        "output `{output}` cannot become input `{input}`: `{output}` is {is}, `{input}` is {was}; both must have the \
         same type, channels and size"
    )]
    Feedback { output: String, input: String, is: Cells, was: Cells },

    #[error(
        "invalid name `{name}` of a pass: expected a name without a dot, since outputs are named pass.output"
    )]
    PassName { name: String },

    #[error("expected at least one pass, got none")]
    NoPass,

    #[error(
        "pass `{pass}` cannot read `{from}`: expected an input or an output of an earlier pass: {}. What a later pass \
         or this one wrote in the step before is read by feedback to an input",
        list(has)
    )]
    NotReadable { pass: String, from: String, has: Vec<String> },

    #[error(
        "input `{input}` is read as {} by {} and as {} by {}: declare the same sampler in both",
        words(classes[0]).1, readers[0], words(classes[1]).1, readers[1]
    )]
    InputClasses { input: String, readers: [String; 2], classes: [Class; 2] },

    #[error(
        "{shader} reads output `{output}` as {}, but it holds {}: declare {}",
        words(*class).1, words(*found).0, words(*found).1
    )]
    OutputClass { shader: String, output: String, found: Class, class: Class },

    #[error(
        "input `{input}` is declared in {kernel} but has no effect, so feedback from output `{output}` would change nothing: \
         read the input in the shader, or leave the feedback out"
    )]
    Unread { kernel: String, input: String, output: String },

    #[error(
        "{kernel}: this device ({device}) ends all loops of a fragment after {budget} iterations in total, and {cells} \
         of the cells reached that limit, the first in column {} of row {}: their values would be wrong. Make the \
         loops shorter, spread the work over several steps with a feedback, or use another device",
        first.0, first.1
    )]
    LoopsEnded {
        kernel: String,
        budget: u32,
        device: String,
        cells: usize,
        /// Column and row.
        first: (usize, usize),
    },

    #[error(
        "{kernel} has loops, and this device ends all loops of a fragment after {budget} iterations in total without \
         an error. To detect that needs one render target besides the outputs, and the device has {limit}: use at most \
         {} outputs", limit - 1
    )]
    NoTargetToWatch { kernel: String, limit: u32, budget: u32 },

    #[error(
        "{kernel}: `{array}` is {} x {}, and a texture of this device has at most {limit} texels along each axis. Larger arrays are \
         computed in panels, {why}", extent.width, extent.height
    )]
    InPanels { kernel: String, array: String, extent: Extent, limit: u32, why: Unsuited },

    #[error(
        "a halo of {halo} texels is too wide: panels are at most {limit} texels wide and high, so that at most {} are left for it", (limit / 2).saturating_sub(1) & !1
    )]
    Halo { halo: u32, limit: u32 },

    #[error(
        "{kernel}: arrays of {} x {} are computed in panels, since a texture of this device has at most {limit} texels along each axis. \
         With a halo of {halo}, {cells} of the cells read what their panels do not store; the first is in column {} of row {}. {}",
        extent.width, extent.height, first.0, first.1,
        match needed {
            Some(needed) => format!("Give a halo of {needed}"),
            None => "Cells that read from everywhere need arrays that fit in a texture".to_owned(),
        }
    )]
    TooFar {
        kernel: String,
        extent: Extent,
        limit: u32,
        halo: u32,
        /// The halo that would do, unless it is much wider.
        needed: Option<u32>,
        cells: usize,
        /// Column and row.
        first: (usize, usize),
    },

    #[error(
        "{kernel} computes in panels, since its arrays are larger than a texture. To check what it reads needs one render target besides the \
         outputs, and the device has {limit}: use at most {} outputs", limit - 1
    )]
    NoTargetForPanels { kernel: String, limit: u32 },

    #[error(
        "{kernel}: storage block `{name}`: expected `layout(std430, binding = N)` and one array without a length, of \
         float, int, uint or vectors of two or four of them, as in `float x[];`; {why}"
    )]
    Storage { kernel: String, name: String, why: String },

    #[error(
        "{kernel}: image `{name}`: expected a layout with one of the formats r32f, rg32f, rgba32f, r32i, rg32i, rgba32i, \
         r32ui, rgba32ui, as in `layout(r32f, binding = 0)`; {why}"
    )]
    Image { kernel: String, name: String, why: String },

    #[error(
        "{kernel} writes nothing that can be read: declare a storage block or an image that is not readonly, as in \
         `layout(std430, binding = 0) buffer Result {{ float y[]; }};`"
    )]
    NothingStored { kernel: String },

    #[error(
        "{kernel}: `{name}` holds {kind}, {expected} channel{} a cell, and the array given has {got}{}",
        if *expected == 1 { "" } else { "s" },
        like.as_ref().map_or_else(String::new, |like| format!(": expected three axes, the last of length {expected}, such as {like}"))
    )]
    Channels {
        kernel: String,
        name: String,
        kind: String,
        expected: usize,
        got: usize,
        /// A shape that would do, if it is a block.
        like: Option<String>,
    },

    #[error(
        "{kernel}: how many work groups to run is unknown{}: give their number along x, y and z, {}",
        match local {
            Some([x, y, z]) => format!(", since groups of {x} x {y} x {z} may go through the {extent} cells of `{array}` in more than one way"),
            None => ", since the text does not say the size of a group in numbers".to_owned(),
        },
        groups_text(*extent, *local)
    )]
    Groups { kernel: String, array: String, extent: Extent, local: Option<[u32; 3]> },

    #[error("{kernel} is a fragment shader, which has no work groups: leave their number out")]
    NoGroups { kernel: String },

    #[error(
        "input `{input}` is read as {} by {} and as {} by {}: let both read it in the same way",
        places[0], readers[0], places[1], readers[1]
    )]
    InputPlaces { input: String, readers: [String; 2], places: [&'static str; 2] },

    #[error("output `{output}` is {place}, which cannot be read as {expected} by {shader}")]
    OutputPlace { output: String, place: &'static str, shader: String, expected: &'static str },

    #[error(
        "{kernel}: this device ({device}) ends all loops of an invocation after {budget} iterations in total, and \
         {invocations} invocations reached that limit: what they wrote would be wrong. Make the loops shorter, spread the \
         work over several steps, or use another device"
    )]
    InvocationsEnded { kernel: String, budget: u32, device: String, invocations: u32 },

    #[error(
        "{kernel} has loops, and this device ends all loops of an invocation after {budget} iterations in total without \
         an error. To detect that needs one storage block besides its own, and the device has {limit}"
    )]
    NoBlockToWatch { kernel: String, limit: u32, budget: u32 },

    #[error(
        "output `{output}` is read and written in place and keeps its values from step to step: leave the feedback out, or \
         declare one block to read and another to write"
    )]
    InPlace { output: String },

    #[error(
        "output `{output}` is a storage block, or is computed in panels, so there is no one texture of it: read its values instead"
    )]
    NoTexture { output: String },

    #[error(
        "input `{input}` cannot be filtered: it is read by {}, and no OpenGL filters integers. Filter the inputs of floats by \
         name, or declare sampler2D {input}",
        with_article(words(*class).1)
    )]
    FilterOfIntegers { input: String, class: Class },

    #[error(
        "{sampling} for {} has no effect: {readers} {} texels by their positions alone. Sample by `texture()`, or leave it \
         out; READ_CLAMPED and READ_WRAPPED read outside of an array by themselves",
        input.as_ref().map_or("all inputs".into(), |name| format!("input `{name}`")),
        if readers.contains(", ") { "read" } else { "reads" }
    )]
    NotSampled { sampling: String, input: Option<String>, readers: String },

    #[error("expected a rate above 0, in steps per second; got {got}")]
    Rate { got: f64 },

    #[error(
        "pass `{bottom}` has y = 0 in the last row, by its dialect, and pass `{top}` in the first: set which of them holds, or \
         write both in one dialect"
    )]
    Origins { bottom: String, top: String },

    #[error(
        "an array in layers can only be an input: shaders read it, and no output feeds back to it"
    )]
    LayersAreRead,

    #[error(
        "input `{input}`: expected an array of one axis, two, or three of which the last has 1 to 4 numbers (a grid's cells), such as \
         (height, width, 3); got the shape {got:?}, of layers, rows and columns, which a sampler2DArray reads"
    )]
    Layered { input: String, got: Vec<usize> },

    #[error(
        "input `{input}`: a sampler2DArray reads an array of three axes, layers, rows and columns, or of four of which the last has a \
         length of 1 to 4; got the shape {got:?}"
    )]
    NotLayered { input: String, got: Vec<usize> },

    #[error(
        "input `{input}` is a picture, and a sampler2DArray reads layers: give a .npy array of layers, rows and columns, or of layers, rows, \
         columns and channels; or declare sampler2D {input}"
    )]
    PictureAsLayers { input: String },

    #[error("unknown precision `{got}`: expected single or half")]
    UnknownPrecision { got: String },

    #[error(
        "input `{input}` cannot be held in half precision: only a sampler2D reads that, and no integer sampler, image or storage \
         block; declare sampler2D {input}, or leave the precision out"
    )]
    NotHalf { input: String },

    #[error(
        "input `{input}` cannot be held in half precision: {number} at {at} is beyond 65504, its largest number. Scale the \
         array, or hold it in single precision"
    )]
    AboveHalf { input: String, number: f32, at: String },

    #[error("{name}: expected {expected} values, got {got}")]
    Values { name: String, expected: usize, got: usize },

    #[error("output `{output}` holds {}, which must be read as such", words(*class).0)]
    ValuesType { output: String, class: Class },

    #[error("output `{output}` is not computed before the first step")]
    NotYet { output: String },

    #[error(
        "{kernel}: pass `{pass}` is repeated, but no repetition reads what the one before wrote: give a feedback from one of its outputs to \
         one of its samplers"
    )]
    Repeats { kernel: String, pass: String },

    #[error("expected a size by its name, as in `image / 2` or `image * 1.5`; got `{got}`")]
    Scale { got: String },

    #[error(
        "{}its size is that of `{of}`, which is not known before it; expected one of: {}",
        prefix(pass),
        list(has)
    )]
    ScaleOf { pass: String, of: String, has: Vec<String> },

    #[error(
        "{}the sizes of this ISF shader's targets follow from `{of}`, whose size is not known before the passes are planned: give the \
         pass a width and a height",
        prefix(pass)
    )]
    IsfSize { pass: String, of: String },

    #[error(
        "{}an ISF shader of several passes is not repeated within a step: take more steps, or write each pass as a shader of its own",
        prefix(pass)
    )]
    RepeatsIsf { pass: String },

    #[error(
        "{kernel}: an ISF shader of several passes writes gl_FragColor: expected that in place of an output of its own, `{output}`"
    )]
    IsfOutput { kernel: String, output: String },

    #[error(
        "{kernel}: the header of this ISF shader declares `{name}`, but nothing reads it, so that its value would change nothing: leave \
         it out"
    )]
    IsfUnread { kernel: String, name: String },

    #[error(
        "uniform `{name}` gives the sizes of the targets of an ISF shader, which do not change: make another experiment with this value"
    )]
    Sizes { name: String },
}

/// Returns the pass that a message is about, where there are several.
fn prefix(pass: &str) -> String {
    if pass.is_empty() { String::new() } else { format!("pass `{pass}`: ") }
}

/// Returns the work groups that cover an extent, one invocation for each cell, in the ways in which
/// a shader may go through it.
fn groups_text(extent: Extent, local: Option<[u32; 3]>) -> String {
    let [x, y, z] = local.unwrap_or([1; 3]);
    let groups = |cells: usize, of: u32| cells.div_ceil(of.max(1) as usize);
    let (columns, rows) = (groups(extent.width as usize, x), groups(extent.height as usize, y));
    let by_rows = format!("{columns}x{rows}x1");
    let all = groups(extent.texels(), x);
    let text = match (y, z) {
        (1, 1) if extent.height > 1 => format!(
            "{all}x1x1 where gl_GlobalInvocationID.x counts all cells, or {by_rows} where x counts columns and y rows"
        ),
        _ => format!("for instance {by_rows}"),
    };
    match local {
        Some(_) => text,
        None => format!("with groups of one invocation {text}"),
    }
}

/// Returns the GLSL type of a number of a class.
fn of_class(class: Class) -> &'static str {
    match class {
        Class::Float => "float",
        Class::Int => "int",
        Class::Uint => "uint",
    }
}

/// Returns the beginning of a text that may be long.
fn shown(text: &str) -> String {
    match text.char_indices().nth(80) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} ...", &text[..end]),
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "there is none".into() } else { names.join(", ") }
}

failure!(Error: Stream(gl::Error, shader::Error, NoMemory), Data, Io, Dialect, Description; own_place);

impl Error {
    /// Returns the kind of failure, for programs to branch on.
    pub fn kind(&self) -> Kind {
        match self {
            Error::Stream(error) => error.kind(),
            Error::Data(error) => error.kind(),
            Error::Io(error) => error.kind(),
            Error::Dialect(error) => error.kind(),
            Error::Description(error) => error.kind(),
            Error::LoopsEnded { .. }
            | Error::NoTargetToWatch { .. }
            | Error::InPanels { .. }
            | Error::Halo { .. }
            | Error::TooFar { .. }
            | Error::NoTargetForPanels { .. }
            | Error::InvocationsEnded { .. }
            | Error::NoBlockToWatch { .. } => Kind::Limit,
            _ => Kind::Input,
        }
    }

    fn own_place(&self) -> Option<&Place> {
        match self {
            Error::Frame { place, .. } => Some(place),
            _ => None,
        }
    }
}
