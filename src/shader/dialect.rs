//! The conventions in which people write fragment shaders, and what stands around a text so that it runs.
//!
//! A person's text is never changed: what it expects is declared in front of it, old words are macros, and a `main` that
//! it lacks follows it. All of these are lines of their own in the line table, so places in the text stay as they are.

mod frame;
mod framing;
pub(super) mod isf;
mod kind;
mod legacy;
mod recognise;
pub(super) mod sandbox;
mod shadertoy;
mod words;

use super::source::stage::Stage;
use super::source::{Home, Source};

pub use kind::Dialect;

pub(super) use framing::frame_for;
pub(super) use isf::header::is_there as has_isf_header;
pub(super) use legacy::is_core as is_core_extension;
pub(super) use legacy::rectangles::{counts_texels, has_rectangles};
pub(super) use sandbox::SURFACE;

impl Source {
    /// Recognises the dialect of a fragment shader by its words, unless it was named. Whoever takes shaders as people paste them calls
    /// this once, as experiments do; a [kernel](crate::stream::Kernel) compiles what is not named as plain GLSL.
    pub fn recognised(mut self) -> Source {
        // The library's own shaders are plain.
        let is_users = matches!(self.home, Home::Given(_) | Home::Disk(_));
        if self.dialect.is_none() && self.stage == Stage::Fragment && is_users {
            super::expand::trace::note("recognised", &self.name);
            let names = self.defines.iter().map(|(name, _)| name);
            self.dialect = Some(recognise::recognise(&self.text, names));
            self.is_recognised = true;
        }
        self
    }

    /// The dialect in which the text is read: the one that was named or [recognised](Source::recognised), else plain GLSL.
    pub fn read_as(&self) -> Dialect {
        match self.stage {
            Stage::Fragment => self.dialect.unwrap_or(Dialect::Plain),
            Stage::Vertex if self.header.is_some() => Dialect::Isf,
            Stage::Vertex | Stage::Compute => Dialect::Plain,
        }
    }

    /// Whether it is read in another dialect than plain GLSL that nobody named, but by which its text was recognised.
    pub fn is_recognised(&self) -> bool {
        self.is_recognised && self.read_as() != Dialect::Plain
    }

    /// The dialect of which a text that was recognised as another one uses words without declaring them: it does not compile, and may in that
    /// dialect.
    pub fn resembles(&self) -> Option<Dialect> {
        let is_other = !matches!(self.read_as(), Dialect::Isf | Dialect::Shadertoy);
        let names = self.defines.iter().map(|(name, _)| name);
        (self.is_recognised && is_other).then(|| recognise::resembles(&self.text, names)).flatten()
    }
}

/// What a place in the lines that a dialect adds is called.
pub(super) fn place_of(dialect: Dialect) -> String {
    format!("({})", dialect.described())
}

/// The prefix of the names in GLSL of outputs that a dialect declares.
const OUT: &str = "quadrille_out_";

/// What users call an output with this name in GLSL.
pub fn output_name(name: &str) -> &str {
    name.strip_prefix(OUT).unwrap_or(name)
}

/// A text of each dialect that has all that can stand around one.
pub fn dialect_sources() -> Vec<Source> {
    const SANDBOX: &str = "precision mediump float; uniform vec2 resolution; varying vec2 surfacePosition;
        void main() { for (int i = 0; i < 9; i++) gl_FragColor += vec4(surfacePosition, resolution); }";
    const LEGACY: &str = "precision lowp float; uniform sampler2D a; uniform sampler2DRect b;
        void main() {
            vec2 c = gl_TexCoord[0].st;
            gl_FragData[1] = texture2D(a, c) + texture2D(a, c, 0.0) + texture2DLod(a, c, 0.0);
            gl_FragData[0] = texture2DRect(b, c) + texture2DProj(a, vec3(c, 1.0));
        }";
    const SHADERTOY: &str = "void part(out float x) { x = iTime; }
        void mainImage(out vec4 o, in vec2 p) {
            for (int i = 0; i < 4; i++) { float x; part(x); o += x * texture(iChannel0, p / iChannelResolution[0].xy); }
        }";
    const ISF: &str = "uniform sampler2D a; void main() {
            gl_FragColor = IMG_THIS_PIXEL(a) + IMG_PIXEL(a, RENDERSIZE) + IMG_NORM_PIXEL(a, vv_FragNormCoord) * TIME;
        }";
    let source = |dialect: Dialect, text: &str| {
        Source::fragment(format!("{dialect}.frag"), text).dialect(dialect)
    };
    const PASSES: &str = "/*{ \"PASSES\": [{ \"TARGET\": \"b\", \"PERSISTENT\": true }, {}] }*/
        void main() { gl_FragColor = PASSINDEX == 0 ? IMG_THIS_PIXEL(b) + 0.1 : IMG_NORM_PIXEL(b, vec2(0.5)); }";
    const PAIR: &str = "varying vec2 v; void main() { gl_FragColor = vec4(v, 0.0, 1.0); }";
    const VERTICES: &str = "varying vec2 v; uniform sampler2D a;
        void main() {
            isf_vertShaderInit();
            for (int i = 0; i < 2; i++) v += IMG_THIS_PIXEL(a).xy + IMG_PIXEL(a, RENDERSIZE).xy;
            v += texture2D(a, isf_FragNormCoord).xy * TIME;
        }";
    let pair = source(Dialect::Isf, PAIR).vertices("isf.vs", VERTICES);
    vec![
        source(Dialect::Isf, PASSES).pass(0),
        source(Dialect::Sandbox, SANDBOX),
        source(Dialect::Legacy, LEGACY),
        source(Dialect::Shadertoy, SHADERTOY),
        source(Dialect::Isf, ISF),
        pair,
    ]
}

#[cfg(test)]
mod tests;
