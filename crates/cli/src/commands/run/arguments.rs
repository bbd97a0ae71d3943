//! The arguments of `quadrille run`, in groups by what they are about: each is handed to what it concerns, and the whole to nobody.

pub(super) mod dialect;
pub(super) mod flags;
pub(super) mod inputs;
pub(super) mod pictures;
pub(super) mod sequences;

use quadrille_run::{Origin, RunFile, Settings};

use quadrille_run::io::description;

use crate::arguments::assignment::{Assignment, pairs};
use crate::arguments::specified::Options;
use crate::prelude::*;
use flags::{CheckpointArguments, LimitArguments};
use pictures::OutputArguments;

const ABOUT: &str = "\
Runs a fragment or compute shader over arrays and pictures, once or repeatedly. Several passes, and the buffers
between them, are described by a file NAME.run.toml (docs/run.md); their outputs are named pass.output, and options go
before the file.

A plain fragment shader runs unchanged: --input fills its samplers, --uniform its uniforms, and each
`out` variable is an output (if there are several, each needs `layout(location = N)`). `#version` and
precision are supplied. In the shader:
  texture()                 samples an input as --wrap and --filter say, by default its nearest cell
  texelFetch()              reads a cell of an input; READ(image, position) does so the fast way here
  in vec2 NAME              under any name: coordinates from 0 to 1 across the output; `varying` means `in`
  gl_FragCoord, TEXEL       the position of the cell; TEXEL is an ivec2
  uniform int iteration     the number of steps already done, unless --uniform sets it
  uniform ivec2 size        the width and height of the output, unless --uniform sets it
y = 0 is row 0 of an array and the top row of a picture. A sampler2D reads floats, an isampler2D integers, a
usampler2D unsigned integers; an array of another type must convert exactly.

Shaders of Shadertoy, Ghostty, GLSL Sandbox, The Book of Shaders, WebGL 1, GLSL 1.20 and ISF run as pasted: see
--dialect. Their result is the output `colour`, and what those pages supply, such as iTime, is supplied.

A file whose name ends in .comp is a compute shader, which needs OpenGL 4.3 or OpenGL ES 3.1. --input fills its storage
blocks by their names (each `layout(std430, binding = N) buffer NAME { float x[]; }`, one array of numbers or vectors),
its images and its samplers; those that are not readonly are outputs, which begin with what --input gives, else with 0.

A cell where the shader discards keeps its value: that of the previous step with --feedback, otherwise 0
at first. An output that the shader writes on some paths only is undefined on the others.
Some software renderers end the loops of a fragment after a number of iterations (`quadrille doctor`
shows it). A shader with loops is watched there: if a loop ends early, the run fails and writes nothing.";

const EXAMPLES: &str = "\
Examples:
  quadrille run crates/run/gallery/sobel.frag --input image=docs/plate.png --output edges=edges.png
  quadrille run crates/run/gallery/life.frag --input cells=random:64x64 --iterate 100 --feedback next=cells
  quadrille run crates/run/gallery/heat.frag --input old=ramp:96x64 --uniform rate=0.2 --iterate 500 --feedback next=old --json
  quadrille run crates/run/gallery/nbody.run.toml --output picture.colour=nbody.png
  quadrille run crates/run/gallery/life.frag --input cells=random:64x64 --iterate 100 --feedback next=cells --output next=life-%03d.png --every 10
  quadrille run add.frag --input a=a.npy --input b=b.npy --uniform weights=0.5,2 --output c=c.npy --time";

/// Run a fragment or compute shader over arrays and pictures
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) subject: Subject,

    #[command(flatten)]
    pub(super) checkpoints: CheckpointArguments,

    #[command(flatten)]
    pub(super) limit: LimitArguments,

    /// Show the iteration in a window; outputs are written when the window is closed
    ///
    /// It pauses after --iterate steps. Keys:
    ///   space       pause or go on      s, right    one step
    ///   up, down    double or halve the steps per frame
    ///   c           next colours        a           fix the range, or follow it again
    ///   o           next output         r           restart       q, escape   quit
    /// The device is the one that draws the display. This needs a build with the feature `window`.
    #[arg(long, help_heading = "Computation", conflicts_with_all = ["device", "time"], verbatim_doc_comment)]
    pub(super) view: bool,

    #[command(flatten)]
    pub(super) device: DeviceArguments,

    #[command(flatten)]
    pub(super) outputs: OutputArguments,

    /// Write a test of this command, NAME.test.toml, which expects what was computed here: see `quadrille test`
    #[arg(long, value_name = "NAME", help_heading = "Results", conflicts_with = "view")]
    pub(super) save_test: Option<PathBuf>,

    /// Measure the time of a step, as a median over many, and of the transfers
    #[arg(long, help_heading = "Results")]
    pub(super) time: bool,

    /// Print one JSON object instead of text; its `time` is null without --time
    #[arg(long, help_heading = "Results")]
    pub(super) json: bool,
}

/// What is run: shaders, their inputs and their settings.
#[derive(Args)]
pub(super) struct Subject {
    /// The file with the fragment shader, with a compute shader, NAME.comp, or with several passes, NAME.run.toml. A shader can
    /// #include .glsl, .vert, .frag, .comp, .inc and .h files from its
    /// own folder and the folders inside it
    #[arg(value_name = "KERNEL.frag|.comp|.run.toml")]
    pub(super) kernel: PathBuf,

    /// Let a *.run.toml name files outside of the folder in which the command is started, or of its own where it is not
    /// below that; without this they are refused unopened
    #[arg(long, help_heading = "Inputs")]
    allow_outside: bool,

    /// Give a sampler, a storage block or an image its array or picture; can be repeated
    ///
    ///   NAME=FILE.npy         f2, f4, f8 (rounded), integers to 32 bits, bool; 1-D, 2-D, or 2-D with 1 to 4 channels;
    ///                         for a sampler2DArray 3-D (layer, row, column), or 4-D with 1 to 4 channels
    ///   NAME=FILE.png|.jpg    values from 0 to 1, in the channels of the picture
    ///   NAME=frame-%04d.png   a sequence: each step reads the next file, from the lowest number on
    ///   NAME=-                a .npy array on standard input
    ///   NAME=random:WxH[xC]   uniform in [0, 1), from --seed
    ///   NAME=zeros:WxH[xC]
    ///   NAME=ramp:WxH         from 0 in the first column to 1 in the last
    #[arg(long = "input", value_name = "NAME=FILE", help_heading = "Inputs")]
    #[arg(verbatim_doc_comment)]
    inputs: Vec<Assignment<Origin>>,

    /// Set a uniform: a number, true or false, or comma-separated numbers for a vector, an array, or a
    /// matrix in column order. Members of structs are light.power and lights[1].power. Can be repeated
    #[arg(long = "uniform", value_name = "NAME=VALUE", help_heading = "Inputs")]
    uniforms: Vec<Assignment>,

    #[command(flatten, next_help_heading = "Settings")]
    settings: Options<Settings>,
}

impl Subject {
    /// Whether it is a description of passes.
    pub(super) fn is_run_file(&self) -> bool {
        RunFile::is_named(&self.kernel)
    }

    /// The experiment to run, with the settings of the options.
    pub(super) fn run_file(&self) -> Result<RunFile, description::Error> {
        let run = match self.is_run_file() {
            true => RunFile::read(&self.kernel)?,
            false => RunFile::shader(&self.kernel),
        };
        let run = if self.allow_outside { run.allow_outside() } else { run };
        Ok(run.with(self.settings()))
    }

    /// The settings of the options.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = self.settings.0.clone();
        settings.inputs = pairs(&self.inputs);
        settings.uniforms = pairs(&self.uniforms);
        settings
    }
}
