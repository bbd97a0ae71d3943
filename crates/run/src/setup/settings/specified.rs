//! The options of an experiment as data, and their values as programs take them from their users.

use quadrille::Extent;
use quadrille::options::{Entry, Error, FrontEnd, Kind, Many, OptionSpec, Specified};

use crate::Settings;
use crate::dialect;

const WRAPS: Kind = Kind::Name(&[
    ("clamp", "the nearest cell of the edge"),
    ("repeat", "the array repeated"),
    ("mirror", "the array repeated, each other copy mirrored"),
]);

const FILTERS: Kind = Kind::Name(&[
    ("nearest", "the nearest cell"),
    ("linear", "the interpolation of four"),
    ("mipmap", "also between levels, which average what is shrunk"),
]);

const PRECISIONS: Kind =
    Kind::Name(&[("half", "16 bits: rounded to 11 bits, none above 65504"), ("single", "32 bits")]);

const READS: Kind = Kind::Name(&[
    ("fetch", "texelFetch()"),
    ("sample", "a sample at the centre of the texel, as on devices without texelFetch()"),
]);

const SIZE: Kind = Kind::Sides { what: "the width and the height", least: 2, example: &[640, 360] };

const GROUPS: Kind = Kind::Sides {
    what: "the numbers of work groups along x, y and z",
    least: 1,
    example: &[16, 16, 1],
};

const INTEGER: Kind = Kind::Integer { least: 0 };

impl Specified for Settings {
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "include",
            Kind::Folder,
            "",
            "A further folder that shaders may include files from",
        )
        .many(Many::List)
        .formerly(&["include_dir", "include_dirs"])
        .lacking(&[(FrontEnd::Browser, "a page has no folders: there it is an object of names and texts")]),
        OptionSpec::new(
            "define",
            Kind::Literal,
            "",
            "A macro in front of the shader. It takes precedence over one that a *.run.toml defines",
        )
        .many(Many::ByName("NAME=VALUE"))
        .formerly(&["defines"]),
        OptionSpec::new(
            "common",
            Kind::Contents,
            "",
            "A text that stands in front of each shader, as Shadertoy's tab Common",
        ),
        OptionSpec::new("dialect", Kind::Name(dialect::NAMES), "auto", "How the shader is written"),
        OptionSpec::new(
            "wrap",
            WRAPS,
            "",
            "How texture() samples an input outside of its array, or all inputs where none is named; by default clamp",
        )
        .many(Many::ByNameOrAll),
        OptionSpec::new(
            "filter",
            FILTERS,
            "",
            "How texture() samples an input between the centres of its cells, or all inputs where none is named; by default nearest. READ and \
             texelFetch stay exact",
        )
        .many(Many::ByNameOrAll),
        OptionSpec::new(
            "precision",
            PRECISIONS,
            "",
            "The precision in which the device holds an input of floats, and the output that feeds back to it; a note tells how far \
             numbers were rounded. By default single; half for a file of f2 that no output replaces",
        )
        .many(Many::ByName("NAME=half|single")),
        OptionSpec::new(
            "seed",
            INTEGER,
            "1",
            "The seed of random inputs; one generator fills them in the given order",
        ),
        OptionSpec::new(
            "flip",
            Kind::Flag,
            "",
            "Whether y = 0 is the last row of arrays and the bottom of pictures, in place of the first row and the top; by default the \
             bottom for shadertoy, sandbox and isf, else the top",
        ),
        OptionSpec::new("rate", Kind::Positive, "60", "The steps a second of iTime, time, u_time and TIME"),
        OptionSpec::new(
            "start",
            INTEGER,
            "0",
            "The number of the first step, from which iteration, iFrame and the time count: a later frame of a shader without feedback, \
             without those before it",
        ),
        OptionSpec::new(
            "size",
            SIZE,
            "",
            "The width and height of the output, in cells; by default those of the inputs with feedback, else of all inputs",
        ),
        OptionSpec::new(
            "halo",
            INTEGER,
            "0",
            "How far the shaders read from their own cells. Arrays larger than a texture along an axis are computed in panels with a halo \
             of this width; a read beyond is an error",
        ),
        OptionSpec::new(
            "groups",
            GROUPS,
            "",
            "The number of work groups of a compute shader; by default one invocation for each cell of its first output, where that is \
             clear",
        )
        .lacking(&[(FrontEnd::Browser, "WebGL2 has no compute shaders")]),
        OptionSpec::new(
            "iterate",
            Kind::Integer { least: 1 },
            "",
            "The number of steps; by default one, or one for each frame of a sequence; unlimited in a window",
        )
        .lacking(&[(FrontEnd::Python, "an Experiment is stepped by its method")]),
        OptionSpec::new(
            "feedback",
            Kind::Text("the name of an input"),
            "",
            "An output, and the input that it is in the next step",
        )
        .many(Many::ByName("OUTPUT=INPUT")),
        OptionSpec::new("reads", READS, "", "How READ reads a texel; by default the fast way of the device")
            .lacking(&[(FrontEnd::RunFile, "it changes no result, and a test varies it")]),
    ];

    fn set(&mut self, option: &OptionSpec, value: &dyn Entry) -> Result<(), Error> {
        let of = value.of().map(str::to_owned);
        let name = || of.clone().unwrap_or_default();
        match option.name {
            "include" => self.include_dirs.push(option.some(value, |value| value.path())?),
            "define" => self.defines.push((name(), option.some(value, |value| value.literal())?)),
            "common" => self.common = Some(option.some(value, |value| value.contents())?),
            "dialect" => self.dialect = option.name_of(value)?.parse().ok(),
            "wrap" => self.samplings.set_wrap(of, option.parsed(value)?),
            "filter" => self.samplings.set_filter(of, option.parsed(value)?),
            "precision" => self.precisions.push((name(), option.parsed(value)?)),
            "seed" => self.seed = Some(option.integer(value)?),
            "flip" => self.flip = Some(option.flag(value)?),
            "rate" => self.rate = Some(option.number(value)?),
            "start" => self.start = Some(option.integer(value)?),
            "size" => {
                let [width, height] = option.sides(value)?;
                self.size = Some(Extent::new(width, height));
            }
            "halo" => self.halo = Some(option.small(value)?),
            "groups" => self.groups = Some(option.sides(value)?),
            "iterate" => self.iterate = Some(option.integer(value)?),
            "feedback" => self.feedback.push((name(), option.parsed(value)?)),
            "reads" => self.reads = Some(option.parsed(value)?),
            _ => {}
        }
        Ok(())
    }
}

impl Settings {
    /// Returns the values that an option has, but for files and folders: each as text, with the name that it is for.
    pub(crate) fn values(&self, option: &OptionSpec) -> Vec<(Option<String>, String)> {
        fn named<T: ToString>(pairs: &[(String, T)]) -> Vec<(Option<String>, String)> {
            pairs.iter().map(|(of, value)| (Some(of.clone()), value.to_string())).collect()
        }
        fn sampled<T: ToString>(pairs: &[(Option<String>, T)]) -> Vec<(Option<String>, String)> {
            pairs.iter().map(|(of, value)| (of.clone(), value.to_string())).collect()
        }
        let one = match option.name {
            "define" => return named(&self.defines),
            "wrap" => return sampled(self.samplings.wraps()),
            "filter" => return sampled(self.samplings.filters()),
            "precision" => return named(&self.precisions),
            "feedback" => return named(&self.feedback),
            "dialect" => self.dialect.map(|dialect| dialect.to_string()),
            "seed" => self.seed.map(|seed| seed.to_string()),
            "flip" => self.flip.map(|flip| flip.to_string()),
            "rate" => self.rate.map(|rate| rate.to_string()),
            "start" => self.start.map(|start| start.to_string()),
            "size" => self.size.map(|size| format!("[{}, {}]", size.width, size.height)),
            "halo" => self.halo.map(|halo| halo.to_string()),
            "groups" => self.groups.map(|groups| format!("{groups:?}")),
            "iterate" => self.iterate.map(|steps| steps.to_string()),
            "reads" => self.reads.map(|reads| reads.to_string()),
            _ => None,
        };
        one.map(|value| (None, value)).into_iter().collect()
    }
}
