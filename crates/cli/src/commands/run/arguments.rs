//! The arguments of `quadrille run`, and the experiment that they describe.

pub(super) mod assignment;
pub(super) mod dialect;
pub(super) mod flags;
pub(super) mod inputs;
pub(super) mod sequences;

use clap::ValueEnum;

use quadrille::Extent;
use quadrille::gl::{Filter, Wrap};
use quadrille_run::io::field::{Depth, PictureOptions};
use quadrille_run::io::{ColourMap, description};
use quadrille_run::{Common, Origin, Precision, RunFile, Samplings, Settings};

use super::view::Beginning;
use crate::prelude::*;
use assignment::{Assignment, Of, groups, pairs, range, rate, size};
use dialect::Choice;
use flags::{CheckpointArguments, FrameArguments, LimitArguments, cells, count, seed};
use inputs::Input;

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

Shaders of Shadertoy, GLSL Sandbox, The Book of Shaders, WebGL 1, GLSL 1.20 and ISF run as pasted: see --dialect. Their
result is the output `colour`, and what those pages supply, such as iTime, is supplied.

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
    /// The file with the fragment shader, with a compute shader, NAME.comp, or with several passes, NAME.run.toml. A shader can
    /// #include .glsl, .vert, .frag, .comp, .inc and .h files from its
    /// own folder and the folders inside it
    #[arg(value_name = "KERNEL.frag|.comp|.run.toml")]
    pub(super) kernel: PathBuf,

    /// Allow includes from this folder too; can be repeated
    #[arg(long, alias = "include-dir", value_name = "DIR", help_heading = "Inputs")]
    pub(super) include: Vec<PathBuf>,

    /// Let a *.run.toml name files outside of the folder in which the command is started, or of its own where it is not
    /// below that; without this they are refused unopened
    #[arg(long, help_heading = "Inputs")]
    allow_outside: bool,

    /// Put the text of this file in front of each shader, as Shadertoy's tab Common
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(super) common: Option<PathBuf>,

    /// Define a macro in front of the shader; can be repeated. It goes before one that a *.run.toml defines
    #[arg(long = "define", value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub(super) defines: Vec<Assignment>,

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
    pub(super) inputs: Vec<Assignment<Origin>>,

    /// Set a uniform: a number, true or false, or comma-separated numbers for a vector, an array, or a
    /// matrix in column order. Members of structs are light.power and lights[1].power. Can be repeated
    #[arg(long = "uniform", value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub(super) uniforms: Vec<Assignment>,

    /// How texture() samples an input outside of its array, or all inputs without a NAME: the nearest cell of the edge,
    /// the array repeated, or repeated with each other copy mirrored; can be repeated [default: clamp]
    #[arg(long = "wrap", value_name = "[NAME=]clamp|repeat|mirror", help_heading = "Inputs")]
    wraps: Vec<Of<Wrap>>,

    /// How texture() samples an input between the centres of its cells, or all inputs without a NAME: the nearest cell,
    /// the interpolation of four, or also between levels, which average what is shrunk; READ and texelFetch stay exact;
    /// can be repeated [default: nearest]
    #[arg(long = "filter", value_name = "[NAME=]nearest|linear|mipmap", help_heading = "Inputs")]
    filters: Vec<Of<Filter>>,

    /// Hold an input of floats, and the output that feeds back to it, in half precision (16 bits) on the device: numbers are
    /// rounded to 11 bits, as a note tells, and one above 65504 is refused; can be repeated [default: single; half for
    /// a file of f2 that no output replaces]
    #[arg(long = "precision", value_name = "NAME=half|single", help_heading = "Inputs")]
    pub(super) precisions: Vec<Assignment<Precision>>,

    /// The seed of random inputs; one generator fills them in the given order [default: 1]
    #[arg(long, value_name = "S", help_heading = "Inputs", value_parser = seed, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,

    /// How the shader is written; `auto` recognises it by its text
    ///
    ///   plain       GLSL of today
    ///   shadertoy   mainImage, iResolution, iTime, iChannel0 ...
    ///   sandbox     GLSL Sandbox and The Book of Shaders: resolution or u_resolution, time, mouse, backbuffer
    ///   legacy      WebGL 1 and GLSL 1.20: varying, texture2D, gl_FragColor, rectangle textures
    ///   isf         a header in JSON, IMG_NORM_PIXEL ...
    #[arg(long, value_name = "DIALECT", default_value = "auto", help_heading = "Inputs")]
    #[arg(verbatim_doc_comment)]
    pub(super) dialect: Choice,

    /// Make y = 0 the last row of arrays and the bottom of pictures, or with --flip=false the first row and the top
    /// [default: the bottom for shadertoy, sandbox and isf, else the top]
    #[arg(long, value_name = "WHETHER", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[arg(help_heading = "Inputs")]
    pub(super) flip: Option<bool>,

    /// The steps a second of iTime, time, u_time and TIME [default: 60]
    #[arg(long, value_name = "STEPS", value_parser = rate, help_heading = "Inputs", allow_negative_numbers = true)]
    pub(super) rate: Option<f64>,

    /// The width and height of the output, in cells [default: those of the inputs with feedback, else of
    /// all inputs]
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = "Computation")]
    pub(super) size: Option<Extent>,

    /// How far the shaders read from their own cells. Arrays larger than a texture along an axis
    /// are computed in panels with a halo of this width; a read beyond is an error [default: 0]
    #[arg(long, value_name = "CELLS", help_heading = "Computation", value_parser = cells, allow_negative_numbers = true)]
    pub(super) halo: Option<u32>,

    /// The number of work groups of a compute shader along x, y and z [default: one invocation for each cell of
    /// its first output, where that is clear]
    #[arg(long, value_name = "XxYxZ", value_parser = groups, help_heading = "Computation")]
    pub(super) groups: Option<[u32; 3]>,

    /// The number of steps [default: one, or one for each frame of a sequence; unlimited with --view]
    #[arg(long, value_name = "N", help_heading = "Computation", value_parser = count, allow_negative_numbers = true)]
    pub(super) iterate: Option<u64>,

    /// Use this output as this input of the next step; can be repeated
    #[arg(long, value_name = "OUTPUT=INPUT", help_heading = "Computation")]
    pub(super) feedback: Vec<Assignment>,

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

    /// Write an output, as an array of f4 (f2 where it is held in half precision), i4 or u4, or as a picture with one pixel per cell; NAME may be left out where
    /// there is one output; can be repeated
    ///
    /// In a picture 3 or 4 channels are a colour (floats from 0 to 1, integers from 0 to 255), and 1 channel
    /// is a shade of grey or is drawn with --colours. Of frame-%04d.png there is one file for every step, or every
    /// K-th (--every), with the number of the step. NAME=- writes a .npy array, or frames (--raw), to standard
    /// output; the report goes to standard error then.
    #[arg(long = "output", value_name = "[NAME=]FILE.npy|.png|.jpg", help_heading = "Results")]
    pub(super) outputs: Vec<Of>,

    #[command(flatten)]
    pub(super) frames: FrameArguments,

    /// The colour map of a picture of one channel, in which NaN is red; `none` draws shades of grey
    /// [default: none if an input is a picture, else viridis]
    #[arg(long, value_name = "COLOURS", help_heading = "Results")]
    colours: Option<ColoursName>,

    /// The values at the ends of the map, or of black and white, in a picture of one channel [default: the least and
    /// the greatest value on a colour map, 0 and 1 in shades of grey]
    #[arg(long, value_name = "LO:HI", value_parser = range, allow_hyphen_values = true, help_heading = "Results")]
    range: Option<(f64, f64)>,

    /// The bits of each channel of a picture [default: as in the deepest input picture, else 8]
    #[arg(long, value_name = "BITS", help_heading = "Results")]
    bits: Option<Bits>,

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

impl Arguments {
    /// The experiment to run, with the settings of the options.
    pub(super) fn run_file(&self) -> Result<RunFile, description::Error> {
        let run = match RunFile::is_named(&self.kernel) {
            true => RunFile::read(&self.kernel)?,
            false => RunFile::shader(&self.kernel),
        };
        let run = if self.allow_outside { run.allow_outside() } else { run };
        Ok(run.with(self.settings()))
    }

    /// The settings of the options.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.include_dirs.clone_from(&self.include);
        settings.defines = pairs(&self.defines);
        settings.common = self.common.clone().map(Common::File);
        settings.dialect = self.dialect.0;
        settings.inputs = pairs(&self.inputs);
        settings.seed = self.seed;
        settings.uniforms = pairs(&self.uniforms);
        settings.samplings = self.samplings();
        settings.precisions = pairs(&self.precisions);
        settings.flip = self.flip;
        settings.rate = self.rate;
        settings.size = self.size;
        settings.halo = self.halo;
        settings.groups = self.groups;
        settings.iterate = self.iterate;
        settings.feedback = pairs(&self.feedback);
        settings
    }

    fn samplings(&self) -> Samplings {
        let wraps = self.wraps.iter().fold(Samplings::new(), |samplings, of| match &of.name {
            Some(input) => samplings.wrap(input, of.value),
            None => samplings.wrap_all(of.value),
        });
        self.filters.iter().fold(wraps, |samplings, of| match &of.name {
            Some(input) => samplings.filter(input, of.value),
            None => samplings.filter_all(of.value),
        })
    }

    /// The settings that the window begins with.
    pub(super) fn beginning(&self, run: &RunFile, options: PictureOptions) -> Beginning {
        let map = options.colours.unwrap_or(ColourMap::Grey);
        let range = self.range.map(|(low, high)| (low as f32, high as f32));
        Beginning { limit: run.settings().iterate, map, range }
    }

    /// The conversion of values to pixels: if an input is a picture, the outputs are pictures;
    /// arrays are shown in colours.
    pub(super) fn picture_options(&self, inputs: &[Input]) -> PictureOptions {
        let deepest = inputs.iter().filter_map(|input| input.picture).max();
        let colours = match self.colours {
            None => deepest.is_none().then_some(ColourMap::Viridis),
            Some(ColoursName::Viridis) => Some(ColourMap::Viridis),
            Some(ColoursName::Grey) => Some(ColourMap::Grey),
            Some(ColoursName::None) => None,
        };
        let depth = self.depth().or(deepest).unwrap_or_default();
        PictureOptions::plain().colours(colours).range(self.range).depth(depth)
    }

    /// The depth of pictures, if --bits sets it.
    pub(super) fn depth(&self) -> Option<Depth> {
        self.bits.map(|bits| match bits {
            Bits::Eight => Depth::Eight,
            Bits::Sixteen => Depth::Sixteen,
        })
    }
}
