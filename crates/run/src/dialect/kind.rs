//! The dialects by name.

use quadrille::gl::Wrap;
use quadrille::internal::named;
use quadrille::internal::shader::Main;

/// The channels of a Shadertoy shader.
pub(crate) const CHANNELS: [&str; 4] = ["iChannel0", "iChannel1", "iChannel2", "iChannel3"];

/// The convention in which a fragment shader is written. [`dialect`](super::Dialects::dialect)
/// names it, and [`recognised`](super::Dialects::recognised) finds it by the words of the text.
///
/// ```
/// use quadrille::Source;
/// use quadrille_run::{Dialect, Dialects};
/// let text = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0.0, 1.0); }";
/// assert_eq!(Source::fragment("pasted.frag", text).recognised().read_as(), Dialect::Shadertoy);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Today's GLSL, with inputs, uniforms and outputs of any name.
    #[default]
    Plain,
    /// Shadertoy: `mainImage`, `iResolution`, `iTime`, `iChannel0` and so on.
    Shadertoy,
    /// Ghostty: the words of Shadertoy, and the cursor of the terminal, `iCurrentCursor` and so on.
    Ghostty,
    /// GLSL Sandbox and The Book of Shaders: `gl_FragColor`, and uniforms such as `resolution` or
    /// `u_time`.
    Sandbox,
    /// WebGL 1 and GLSL 1.20: `varying`, `texture2D`, `gl_FragColor`, rectangle textures.
    Legacy,
    /// The Interactive Shader Format: a header in JSON, and `IMG_NORM_PIXEL`, `RENDERSIZE` and so
    /// on.
    Isf,
}

/// The names in the order of the dialects, each with what it is; the first is that of no dialect.
pub(crate) const NAMES: &[(&str, &str)] = &[
    ("auto", "recognised by the text"),
    ("plain", "GLSL of today"),
    ("shadertoy", "mainImage, iResolution, iTime, iChannel0 ..."),
    ("ghostty", "the same, and the cursor of a terminal: iCurrentCursor, iTimeCursorChange ..."),
    (
        "sandbox",
        "GLSL Sandbox and The Book of Shaders: resolution or u_resolution, time, mouse, backbuffer",
    ),
    ("legacy", "WebGL 1 and GLSL 1.20: varying, texture2D, gl_FragColor, rectangle textures"),
    ("isf", "a header in JSON, IMG_NORM_PIXEL ..."),
];

impl Dialect {
    /// The list of all dialects.
    pub const ALL: [Dialect; 6] = [
        Dialect::Plain,
        Dialect::Shadertoy,
        Dialect::Ghostty,
        Dialect::Sandbox,
        Dialect::Legacy,
        Dialect::Isf,
    ];

    /// Returns the name: `plain`, `shadertoy`, `ghostty`, `sandbox`, `legacy`, `isf`.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize + 1].0
    }

    /// Returns the words for a shader of this dialect in a sentence: `a Shadertoy shader`.
    pub fn described(self) -> &'static str {
        match self {
            Dialect::Plain => "a plain fragment shader",
            Dialect::Shadertoy => "a Shadertoy shader",
            Dialect::Ghostty => "a Ghostty shader",
            Dialect::Sandbox => "a shader of GLSL Sandbox or The Book of Shaders",
            Dialect::Legacy => "a shader of WebGL 1 or GLSL 1.20",
            Dialect::Isf => "an ISF shader",
        }
    }

    /// Returns the function at which a shader of it starts.
    pub(super) fn main(self) -> Main {
        match self {
            Dialect::Shadertoy | Dialect::Ghostty => Main {
                name: "mainImage",
                written: "void mainImage(out vec4 fragColor, in vec2 fragCoord) { ... }",
            },
            _ => Main::GLSL,
        }
    }

    /// Returns how its host samples an array outside of itself, if it filters the array by default; `is_written` says that a pass
    /// writes it.
    pub(crate) fn wrap(self, sampler: &str, is_written: bool) -> Option<Wrap> {
        match self {
            Dialect::Isf | Dialect::Ghostty => Some(Wrap::Clamp),
            Dialect::Shadertoy if CHANNELS.contains(&sampler) && !is_written => Some(Wrap::Repeat),
            Dialect::Shadertoy if CHANNELS.contains(&sampler) => Some(Wrap::Clamp),
            _ => None,
        }
    }

    /// Returns whether y = 0 is the bottom of a picture there, and so the last row of an array.
    pub fn from_bottom(self) -> bool {
        matches!(self, Dialect::Shadertoy | Dialect::Ghostty | Dialect::Sandbox | Dialect::Isf)
    }
}

named!(Dialect: "dialect");
