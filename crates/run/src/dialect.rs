//! The conventions in which people write fragment shaders, and the lines around a text that make it
//! run. An author's text is never changed: the names that it expects are declared in front of it,
//! old words are macros, and a `main` that it lacks follows it. All of these are lines of their own
//! in the line table, so places in the text stay as they are.

mod error;
mod framing;
pub(crate) mod ghostty;
pub(crate) mod isf;
mod kind;
mod legacy;
mod names;
mod reading;
mod recognise;
pub(crate) mod sandbox;
pub(crate) mod shaders;
mod shadertoy;
mod unset;
mod variables;
mod words;
mod zeros;

use quadrille::Source;
use quadrille::internal::shader::trace;
use quadrille::shader::{self, Stage};

pub use error::Error;
pub use isf::size_mistake::SizeMistake;
pub use kind::Dialect;
pub(crate) use kind::{CHANNELS, NAMES};

pub(crate) use framing::coordinate_of_rectangles;
use reading::Reading;
pub(crate) use reading::{dialect_of, own_vertices};
pub(crate) use unset::unset;

/// Sources in the dialects of other hosts. A [kernel](quadrille::Kernel) compiles what is neither
/// named nor recognised as plain GLSL.
pub trait Dialects: Sized {
    /// Names the dialect in which a fragment shader is written. Without a name it is plain GLSL, or
    /// what [`recognised`](Dialects::recognised) finds.
    fn dialect(self, dialect: Dialect) -> Self;

    /// Recognises the dialect of a fragment shader by its words, unless it was named. Experiments
    /// do so.
    fn recognised(self) -> Self;

    /// Returns the dialect in which the text is read: the one that was named or recognised, else
    /// plain GLSL.
    fn read_as(&self) -> Dialect;

    /// Returns whether it is read in another dialect than plain GLSL that nobody named, but by
    /// which its text was recognised.
    fn is_recognised(&self) -> bool;

    /// Returns the dialect of which a text that was recognised as another one uses words without
    /// declaring them: it does not compile, and may in that dialect.
    fn resembles(&self) -> Option<Dialect>;

    /// Gives an ISF shader its vertex shader: `NAME.vs` of the pair that such a shader is. A shader
    /// of another dialect has none, and the text is left unread.
    ///
    /// It is run for the corners of a quad over all of the target, two triangles with a diagonal
    /// from the top left to the bottom right. The uniforms are those of the fragment shader.
    ///
    /// ```
    /// use quadrille::Source;
    /// use quadrille_run::Dialects;
    /// let fragment = "/*{ \"INPUTS\": [] }*/ varying vec2 twice; void main() { gl_FragColor = vec4(twice, 0.0, 1.0); }";
    /// let vertices = "varying vec2 twice; void main() { isf_vertShaderInit(); twice = 2.0 * isf_FragNormCoord; }";
    /// let source = Source::fragment("twice.fs", fragment).vertices("twice.vs", vertices).recognised();
    /// assert_eq!(source.name_of_vertices(), Some("twice.vs".to_owned()));
    /// ```
    fn vertices(self, name: impl Into<String>, text: impl Into<String>) -> Self;

    /// Gives an ISF shader that was [read](Source::read) from `NAME.fs` its vertex shader,
    /// `NAME.vs` or `NAME.vert` in the same folder, if there is one.
    ///
    /// # Errors
    /// [`shader::Error::Read`], [`shader::Error::TooLong`] and [`shader::Error::NotText`].
    fn with_vertices_beside(self) -> Result<Self, shader::Error>;

    /// Returns the name of the vertex shader of its own with which it is drawn.
    fn name_of_vertices(&self) -> Option<String>;
}

/// The file extensions of vertex shaders.
pub(crate) const ENDINGS: [&str; 2] = ["vs", "vert"];

impl Dialects for Source {
    fn dialect(self, dialect: Dialect) -> Source {
        let reading = Reading::of(&self);
        Reading { dialect: Some(dialect), is_recognised: false, ..reading }.set(self)
    }

    fn recognised(self) -> Source {
        let reading = Reading::of(&self);
        // The library's own shaders are plain.
        if reading.dialect.is_some() || self.stage() != Stage::Fragment || !self.is_users() {
            return self;
        }
        trace::note("recognised", self.name());
        let dialect = Some(recognise::recognise(self.text(), self.defined()));
        Reading { dialect, is_recognised: true, ..reading }.set(self)
    }

    fn read_as(&self) -> Dialect {
        Reading::read_as(self)
    }

    fn is_recognised(&self) -> bool {
        was_recognised(self) && self.read_as() != Dialect::Plain
    }

    fn resembles(&self) -> Option<Dialect> {
        let is_other = !matches!(self.read_as(), Dialect::Isf | Dialect::Shadertoy);
        let may = was_recognised(self) && is_other;
        may.then(|| recognise::resembles(self.text(), self.defined())).flatten()
    }

    fn vertices(self, name: impl Into<String>, text: impl Into<String>) -> Source {
        with_vertices(self, Source::vertex(name, text))
    }

    fn with_vertices_beside(self) -> Result<Source, shader::Error> {
        if self.stage() != Stage::Fragment || !isf::header::is_there(self.text()) {
            return Ok(self);
        }
        Ok(match self.beside(Stage::Vertex, &ENDINGS)? {
            Some(vertex) => with_vertices(self, vertex),
            None => self,
        })
    }

    fn name_of_vertices(&self) -> Option<String> {
        own_vertices(self).map(|vertex| vertex.name().to_owned())
    }
}

fn was_recognised(source: &Source) -> bool {
    Reading::known(source).is_some_and(|reading| reading.is_recognised)
}

fn with_vertices(source: Source, vertex: Source) -> Source {
    Reading { vertex: Some(Box::new(vertex)), ..Reading::of(&source) }.set(source)
}

/// Takes a dialect unless one was named, and macros but for those that the source defines itself.
pub(crate) fn with_defaults(
    source: Source,
    dialect: Option<Dialect>,
    defines: &[(String, String)],
) -> Source {
    let Reading { dialect: own, is_recognised, .. } = Reading::of(&source);
    let source = match dialect.filter(|_| own.is_none() || is_recognised) {
        Some(dialect) => source.dialect(dialect),
        None => source,
    };
    source.default_defines(defines)
}

/// Makes a source one of the several passes of its text, from 0.
pub(crate) fn of_pass(source: Source, index: usize) -> Source {
    Reading { pass: Some(index), ..Reading::of(&source) }.set(source)
}

/// Returns the index of the pass of its text that a source stands for, counted from 0.
pub(crate) fn number_of_pass(source: &Source) -> usize {
    Reading::known(source).and_then(|reading| reading.pass).unwrap_or_default()
}

/// Returns texts of each dialect that need everything that can be put around a text.
pub(crate) fn dialect_sources() -> Vec<Source> {
    const SANDBOX: &str = "precision mediump float; uniform vec2 resolution; varying vec2 surfacePosition;
        struct S { vec2 a[3]; bool b; } s; const int N = 40; S many[N]; uint few[2];
        #ifdef GL_ES
        float f(out S t[2]) { mat2x3 m; S u, v[N]; return m[1].x + u.a[1].x + v[N - 1].a[0].y + many[1].a[2].x; }
        #endif
        void main() {
            S t[2];
            gl_FragColor.x = f(t) + float(few[1]) + s.a[0].x; for (int i = 0; i < 9; i++) gl_FragColor += vec4(surfacePosition, resolution); }";
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
    const GHOSTTY: &str = "void mainImage(out vec4 o, in vec2 p) {
            vec2 c = iCurrentCursor.xy + iPreviousCursor.zw;
            o = iCurrentCursorStyle == CURSORSTYLE_BAR ? iCurrentCursorColor : texture(iChannel0, (p - c) / iResolution.xy) * iTimeCursorChange;
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
        of_pass(source(Dialect::Isf, PASSES), 0),
        source(Dialect::Sandbox, SANDBOX),
        source(Dialect::Legacy, LEGACY),
        source(Dialect::Shadertoy, SHADERTOY),
        source(Dialect::Ghostty, GHOSTTY),
        source(Dialect::Isf, ISF),
        pair,
    ]
}

#[cfg(test)]
mod tests;
