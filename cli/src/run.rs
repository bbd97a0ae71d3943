//! `quadrille run`: a fragment shader of the user's over arrays and pictures.

mod assignment;
mod compute;
mod inputs;
mod report;
mod results;
mod timing;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use quadrille::Context;
use quadrille::experiment::{Experiment, Setup};
use quadrille::io::field::{Colours, Depth, Look};
use quadrille::shader::{self, Source, Stage};
use quadrille::view::Scale;

use self::assignment::{Assignment, Range, Size};
use self::inputs::Input;
use self::report::Report;
use super::device::DeviceArguments;
use super::failure::{self, Failure};
use super::view::{Beginning, Live};
use super::{interrupt, output};

const ABOUT: &str = "\
Runs a fragment shader over arrays and pictures, once or again and again.

A plain shader works as it is: samplers are filled by --input, uniforms by --uniform, and each `out`
is a result (several need `layout(location = N)` each). `#version` and precision are supplied.
  texture(), texelFetch()   and READ(image, place), which reads as is fast here; texels are nearest
  in vec2 NAME              under any name, the coordinate 0 to 1 across the result; `varying` is `in`
  gl_FragCoord, TEXEL       the cell that is computed; TEXEL is an ivec2
  uniform int iteration     counts the steps from 0, unless it is given
  uniform ivec2 size        the width and height of the result, unless it is given
Row 0 of an array, and the top row of a picture, is y = 0. A sampler2D gets floats, an isampler2D
integers, a usampler2D unsigned ones; an array of another type must be exactly that.

Where a fragment discards, its cell keeps its value: that of the step before with --feedback, else 0 at
first. An output that the shader writes on some paths only is undefined on the others.
Some software renderers end all loops of a fragment after a number of iterations (`quadrille doctor`
says which). A shader with loops is watched there: if one is ended early, the run fails and writes nothing.";

const EXAMPLES: &str = "\
Examples:
  quadrille run gallery/sobel.frag --input image=docs/plate.png --output edges=edges.png
  quadrille run gallery/life.frag --input cells=random:64x64 --iterate 100 --feedback next=cells
  quadrille run gallery/heat.frag --input old=ramp:96x64 --uniform rate=0.2 --iterate 500 --feedback next=old --json
  quadrille run add.frag --input a=a.npy --input b=b.npy --uniform weights=0.5,2 --output c=c.npy --time";

/// Run a fragment shader over arrays and pictures
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The shader: a file with a fragment shader. #include takes shaders' files (.glsl, .vert, .frag, .comp, .inc,
    /// .h) from its own folder and those inside it
    #[arg(value_name = "KERNEL.frag")]
    kernel: PathBuf,

    /// Also take includes from this folder; may be given several times
    #[arg(long = "include-dir", value_name = "DIR", help_heading = "What it reads")]
    include_dirs: Vec<PathBuf>,

    /// What a sampler reads
    ///
    ///   NAME=FILE.npy         f4, f8 (rounded), integers to 32 bits, bool; 1-D, 2-D, or 2-D with 1 to 4 channels
    ///   NAME=FILE.png|.jpg    0 to 1, in the picture's channels
    ///   NAME=random:WxH[xC]   uniform from 0 to 1 without 1, by --seed
    ///   NAME=zeros:WxH[xC]
    ///   NAME=ramp:WxH         0 in the first column to 1 in the last
    #[arg(long = "input", value_name = "NAME=FILE", help_heading = "What it reads")]
    #[arg(verbatim_doc_comment)]
    inputs: Vec<Assignment>,

    /// A uniform: a number, true or false, or numbers with commas for a vector, an array, or a matrix
    /// column by column; a member of a struct is light.power, of an array of them lights[1].power
    #[arg(long = "uniform", value_name = "NAME=VALUE", help_heading = "What it reads")]
    uniforms: Vec<Assignment>,

    /// The seed of random inputs; one generator fills them in their order
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "What it reads")]
    seed: u64,

    /// How many cells to compute, across and down [default: as many as the inputs that feed back
    /// have, or all inputs]
    #[arg(long, value_name = "WxH", help_heading = "How")]
    size: Option<Size>,

    /// How many steps [default: 1, and as many as one likes to see with --view]
    #[arg(long, value_name = "N", help_heading = "How")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    iterate: Option<u64>,

    /// After each step this output takes the place of this input
    #[arg(long, value_name = "OUTPUT=INPUT", help_heading = "How")]
    feedback: Vec<Assignment>,

    /// Show the iteration in a window while it goes; results are written when it is closed
    ///
    /// At --iterate it pauses. Keys:
    ///   space       pause, go on        s, right    one step
    ///   up, down    twice, half as many steps a frame
    ///   c           the next colours    a           hold the range, or follow it again
    ///   o           the next output     r           restart       q, escape   end
    /// The device is the one that draws the display. It needs a build with the feature `window`.
    #[arg(long, help_heading = "How", conflicts_with_all = ["device", "time"], verbatim_doc_comment)]
    view: bool,

    #[command(flatten)]
    device: DeviceArguments,

    /// Write an output: a .npy of f4, i4 or u4; or a .png, a pixel a cell, where 3 or 4 channels are a
    /// colour (floats 0 to 1, integers 0 to 255) and 1 is a shade of grey or goes through --colours
    #[arg(long = "output", value_name = "NAME=FILE.npy|.png", help_heading = "Results")]
    outputs: Vec<Assignment>,

    /// The colours of a .png of one channel, in which NaN is red; or none, a picture in shades of grey
    /// [default: none where an input is a picture, else viridis]
    #[arg(long, value_name = "COLOURS", help_heading = "Results")]
    colours: Option<ColoursName>,

    /// The numbers at the ends of --colours, or of black and white: of a .png of one channel [default: on a
    /// scale the least and the greatest there are, in a picture 0 and 1]
    #[arg(long, value_name = "LO:HI", allow_hyphen_values = true, help_heading = "Results")]
    range: Option<Range>,

    /// The bits of each channel of a picture [default: as many as an input has that is a picture, else 8]
    #[arg(long, value_name = "BITS", help_heading = "Results")]
    bits: Option<Bits>,

    /// Say how long a step takes, over many of them, and the transfers
    #[arg(long, help_heading = "Results")]
    time: bool,

    /// Print one JSON object instead of text; its `time` is null without --time
    #[arg(long, help_heading = "Results")]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColoursName {
    Viridis,
    Grey,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bits {
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

/// Computes, writes, reports.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    results::check_files(&arguments.outputs)?;
    must_be_fragment(&arguments.kernel)?;
    let source = arguments.source()?;
    let live = arguments.view.then(|| Live::open(source.name())).transpose()?;
    let context = match &live {
        Some(live) => live.context(arguments.device.builder())?,
        None => arguments.device.context()?,
    };
    let inputs = inputs::read(&context, &arguments.inputs, arguments.seed)?;
    let begun = std::time::Instant::now();
    let mut experiment = arguments.experiment(&context, &source, &inputs)?;
    let made = begun.elapsed();
    let look = arguments.look(&inputs);
    results::check_names(&arguments.outputs, &experiment)?;
    arguments.must_have_bits(&experiment, look)?;
    arguments.must_change(&experiment)?;
    let done = interrupt::watched(|| match live {
        Some(live) => compute::viewed(&mut experiment, live, &arguments.beginning(look)),
        None => compute::steps(&mut experiment, arguments.iterate.unwrap_or(1)),
    })?;
    let results = results::read(&experiment)?;
    interrupt::writing(|| results::write(&arguments.outputs, &results, look))?;
    let times = match arguments.time && !done.stopped {
        true => Some(interrupt::watched(|| timing::measure(&mut experiment, made, done.first))?),
        false => None,
    };
    let report = Report::new(arguments, &experiment, &inputs, &results, &done, times);
    match arguments.json {
        true => output::say_json(&report)?,
        false => output::say(&report.text())?,
    }
    done.judge(arguments.iterate)
}

/// Refuses a shader whose name says that it is of another stage.
fn must_be_fragment(kernel: &Path) -> Result<(), Failure> {
    let extension = kernel.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let (stage, way_out) = match extension.as_str() {
        "comp" => ("compute", "the library runs those: `Context::compute_kernel`"),
        "vert" => ("vertex", "the vertices here are those of a quad over all cells"),
        "geom" | "tesc" | "tese" => ("geometry or tessellation", "there is no such stage here"),
        _ => return Ok(()),
    };
    let text = format!(
        "{}: by its name a {stage} shader, and `run` takes fragment shaders; {way_out}",
        kernel.display()
    );
    Err(Failure::Input { text })
}

impl Arguments {
    /// The shader, with the folders that it may include from.
    fn source(&self) -> Result<Source, shader::Error> {
        let source = Source::read(Stage::Fragment, &self.kernel)?;
        self.include_dirs.iter().try_fold(source, Source::include_dir)
    }

    /// The experiment that the arguments describe, before its first step.
    fn experiment(
        &self,
        context: &Context,
        source: &Source,
        inputs: &[Input],
    ) -> anyhow::Result<Experiment> {
        let mut setup = Setup::new();
        for input in inputs {
            setup = setup.input(&input.name, input.field.try_clone()?);
        }
        for Assignment { name, value } in &self.uniforms {
            setup = setup.uniform(name, value);
        }
        for Assignment { name, value } in &self.feedback {
            setup = setup.feedback(name, value);
        }
        if let Some(size) = self.size {
            setup = setup.extent(size.0);
        }
        Experiment::new(context, source, setup).map_err(failure::of_shader)
    }

    /// Steps that all give the same are a feedback forgotten.
    fn must_change(&self, experiment: &Experiment) -> Result<(), Failure> {
        let iterate = self.iterate.unwrap_or(1);
        if iterate == 1 || experiment.changes() {
            return Ok(());
        }
        let text = format!(
            "--iterate {iterate} would compute the same each time: no output feeds back, and the shader has no use for a \
             `uniform int iteration`; add --feedback OUTPUT=INPUT"
        );
        Err(Failure::Input { text })
    }

    /// What the window begins with.
    fn beginning(&self, look: Look) -> Beginning {
        let scale = match look.colours {
            Some(Colours::Viridis) => Scale::Viridis,
            Some(Colours::Grey) | None => Scale::Grey,
        };
        let range = self.range.map(|range| (range.low as f32, range.high as f32));
        Beginning { limit: self.iterate, scale, range }
    }

    /// How numbers become pictures: what was made of pictures is one, and an array is shown in colours.
    fn look(&self, inputs: &[Input]) -> Look {
        let deepest = inputs.iter().filter_map(|input| input.picture).max();
        let colours = match self.colours {
            None => deepest.is_none().then_some(Colours::Viridis),
            Some(ColoursName::Viridis) => Some(Colours::Viridis),
            Some(ColoursName::Grey) => Some(Colours::Grey),
            Some(ColoursName::None) => None,
        };
        let depth = match self.bits {
            None => deepest.unwrap_or_default(),
            Some(Bits::Eight) => Depth::Eight,
            Some(Bits::Sixteen) => Depth::Sixteen,
        };
        Look { colours, range: self.range.map(|range| (range.low, range.high)), depth }
    }

    /// Refuses 16 bits that a scale of colours would not have.
    fn must_have_bits(&self, experiment: &Experiment, look: Look) -> Result<(), Failure> {
        let on_scale = |output: &quadrille::experiment::Output| {
            let file = self.outputs.iter().find(|given| given.name == output.name());
            let picture = file.is_some_and(|file| file.value.to_lowercase().ends_with(".png"));
            picture && output.channels() == 1 && look.colours.is_some()
        };
        match experiment.outputs().iter().find(|output| on_scale(output)) {
            Some(output) if self.bits == Some(Bits::Sixteen) => {
                let text = format!(
                    "--bits 16: output `{}` has one channel, which would go through a scale of colours of 8 bits; add \
                     --colours none for a picture in shades of grey",
                    output.name()
                );
                Err(Failure::Input { text })
            }
            _ => Ok(()),
        }
    }
}
