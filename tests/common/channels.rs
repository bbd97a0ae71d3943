//! Tests the values of the channels that a texel lacks: 0, and 1 in the place of alpha, however it
//! was written.

use quadrille::data::{Field, Values};
use quadrille::gl::Class;
use quadrille::shader::Source;
use quadrille::{Context, Extent};
use quadrille_run::{Experiment, PassSetup, Precision, Setup};

/// Sizes whose rows are no multiple of four bytes, also in half precision.
const EXTENTS: [Extent; 2] = [Extent { width: 1, height: 1 }, Extent { width: 5, height: 3 }];

/// A class of numbers in a precision.
#[derive(Clone, Copy, Debug)]
struct Kind {
    class: Class,
    precision: Precision,
}

const KINDS: [Kind; 4] = [
    Kind { class: Class::Float, precision: Precision::Single },
    Kind { class: Class::Float, precision: Precision::Half },
    Kind { class: Class::Int, precision: Precision::Single },
    Kind { class: Class::Uint, precision: Precision::Single },
];

impl Kind {
    /// The letter before `sampler2D`, `image2D` and `vec4`.
    fn letter(self) -> &'static str {
        match self.class {
            Class::Float => "",
            Class::Int => "i",
            Class::Uint => "u",
        }
    }

    fn scalar(self) -> &'static str {
        match self.class {
            Class::Float => "float",
            Class::Int => "int",
            Class::Uint => "uint",
        }
    }

    /// The type of this number of channels.
    fn vector(self, channels: usize) -> String {
        match channels {
            1 => self.scalar().to_owned(),
            _ => format!("{}vec{channels}", self.letter()),
        }
    }

    fn values(self, numbers: &[u32]) -> Values {
        match self.class {
            Class::Float => numbers.iter().map(|x| *x as f32).collect::<Vec<_>>().into(),
            Class::Int => numbers.iter().map(|x| *x as i32).collect::<Vec<_>>().into(),
            Class::Uint => numbers.to_vec().into(),
        }
    }

    /// Small whole numbers, which every class and precision has.
    fn field(self, extent: Extent, channels: usize) -> Field {
        let numbers: Vec<u32> = (0..extent.texels() * channels).map(|x| x as u32 % 89).collect();
        Field::new(extent, channels, self.values(&numbers)).unwrap()
    }

    /// The four channels of each texel after this many steps, each of which adds the last channel
    /// to all others.
    fn whole(self, extent: Extent, channels: usize, steps: u32) -> Field {
        let mut texels = Vec::new();
        for cell in 0..extent.texels() * channels {
            texels.push(cell as u32 % 89 + if channels < 4 { steps } else { 0 });
            if cell % channels == channels - 1 {
                let missing = [0, 0, 0, 1];
                texels.extend_from_slice(&missing[channels..]);
            }
        }
        Field::new(extent, 4, self.values(&texels)).unwrap()
    }
}

/// Adds alpha, which is 1 wherever it is missing, and shows the texel that it read. Four channels
/// stay as they are.
fn counts(kind: Kind, channels: usize) -> String {
    let (letter, vector) = (kind.letter(), kind.vector(channels));
    let step = if channels < 4 {
        format!("texel.{} + {vector}(texel.a)", &"rgb"[..channels])
    } else {
        "texel".into()
    };
    format!(
        "uniform highp {letter}sampler2D state;
        layout(location = 0) out highp {vector} next;
        layout(location = 1) out highp {letter}vec4 whole;
        void main() {{
            highp {letter}vec4 texel = READ(state, TEXEL);
            next = {step};
            whole = texel;
        }}"
    )
}

fn setup(kind: Kind, extent: Extent, channels: usize) -> Setup {
    let setup = Setup::new().input("state", kind.field(extent, channels));
    match kind.precision {
        Precision::Half => setup.precision("state", Precision::Half),
        _ => setup,
    }
}

/// Checks each of the first steps, an upload before the first, and a restart.
pub fn are_right_after_steps(context: &Context) {
    for (kind, channels) in KINDS.into_iter().flat_map(|kind| (1..=4).map(move |n| (kind, n))) {
        let source = Source::fragment("counts.frag", counts(kind, channels));
        for extent in EXTENTS {
            let setup = setup(kind, extent, channels).feedback("next", "state");
            let mut experiment = Experiment::new(context, &source, setup).unwrap();
            for steps in 0..3 {
                experiment.step().unwrap();
                let (got, wanted) =
                    (experiment.read("whole").unwrap(), kind.whole(extent, channels, steps));
                assert_eq!(got, wanted, "{channels} channels of {kind:?} after {steps} steps");
            }
            experiment.restart().unwrap();
            experiment.step().unwrap();
            assert_eq!(experiment.read("whole").unwrap(), kind.whole(extent, channels, 0));
        }
    }
}

/// Checks the outputs of a pass, and of one that read that, as later passes of the same step see
/// them.
pub fn are_right_in_later_passes(context: &Context) {
    for (kind, channels) in KINDS.into_iter().flat_map(|kind| (1..=4).map(move |n| (kind, n))) {
        let source = Source::fragment("counts.frag", counts(kind, channels));
        let extent = EXTENTS[1];
        let pass = |name: &str| PassSetup::new(name, source.clone());
        let passes =
            [pass("a"), pass("b").read("state", "a.next"), pass("c").read("state", "b.next")];
        let setup = setup(kind, extent, channels);
        let mut experiment = Experiment::from_passes(context, passes, setup).unwrap();
        experiment.step().unwrap();
        for (steps, pass) in ["a", "b", "c"].into_iter().enumerate() {
            let whole = experiment.read(&format!("{pass}.whole")).unwrap();
            assert_eq!(
                whole,
                kind.whole(extent, channels, steps as u32),
                "{channels} of {kind:?} in {pass}"
            );
        }
    }
}

/// Read by an image, which ignores swizzles; of fewer channels than three it is refused.
pub fn are_right_in_images(context: &Context) {
    if context.abilities().compute.is_none() {
        return crate::common::not_tested("no compute shaders");
    }
    for kind in KINDS.into_iter().filter(|kind| kind.precision == Precision::Single) {
        let (extent, letter) = (EXTENTS[1], kind.letter());
        let format = match kind.class {
            Class::Float => "rgba32f",
            Class::Int => "rgba32i",
            Class::Uint => "rgba32ui",
        };
        let reads = format!(
            "layout(local_size_x = 8, local_size_y = 8) in;
            layout({format}, binding = 0) uniform readonly highp {letter}image2D state;
            layout({format}, binding = 1) uniform writeonly highp {letter}image2D whole;
            uniform ivec2 size;
            void main() {{
                ivec2 at = ivec2(gl_GlobalInvocationID.xy);
                if (all(lessThan(at, size))) {{ imageStore(whole, at, imageLoad(state, at)); }}
            }}"
        );
        let made = |channels| {
            let passes = [
                PassSetup::new("a", Source::fragment("a.frag", counts(kind, channels))),
                PassSetup::new("b", Source::compute("b.comp", reads.as_str()))
                    .read("state", "a.next"),
            ];
            Experiment::from_passes(context, passes, setup(kind, extent, channels))
        };
        let mut experiment = made(4).unwrap();
        experiment.step().unwrap();
        let whole = experiment.read("b.whole").unwrap();
        assert_eq!(whole, kind.whole(extent, 4, 1), "{kind:?}");
        let mut experiment = made(3).unwrap();
        experiment.step().unwrap();
        let whole = experiment.read("b.whole").unwrap();
        assert_eq!(whole, kind.whole(extent, 3, 1), "{kind:?}");
        // Their textures have another format than the image, of which reads would be undefined.
        for channels in [1, 2] {
            let error = made(channels).err().expect("an error").to_string();
            let wanted = ["`state`", "4 channels a cell", &format!("given has {channels}")];
            assert!(wanted.iter().all(|part| error.contains(part)), "{error}");
        }
    }
}
