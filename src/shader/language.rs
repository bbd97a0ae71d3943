//! The GLSL that one context speaks: its version line, and how kernels read texels there.

mod reads;

use std::fmt;

/// The family of OpenGL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// Desktop OpenGL, core profile.
    Gl,
    /// OpenGL ES.
    Gles,
}

/// The way in which the prelude's `READ` and `READ_AT` read a texel. Both forms give the texel
/// exactly; which is faster depends on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reads {
    /// `texelFetch` at integer coordinates.
    Fetch,
    /// `textureLod` at the texel's centre.
    Sample,
}

impl Api {
    /// Returns the name that people know the API by.
    pub fn name(self) -> &'static str {
        match self {
            Api::Gl => "OpenGL",
            Api::Gles => "OpenGL ES",
        }
    }
}

impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reads::Fetch => "fetch",
            Reads::Sample => "sample",
        })
    }
}

/// The target of an expansion: API, GLSL version and form of reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language {
    /// The API: desktop GL or ES.
    pub api: Api,
    /// The GLSL version as `#version` writes it: 330 to 460, or 300, 310, 320 for ES.
    pub version: u32,
    /// Whether the prelude's `PRECISE` is the keyword `precise`, or nothing. Below GLSL 4.00 and
    /// ES 3.20 the keyword comes from an extension, which is then required in the text
    /// (`GL_ARB_gpu_shader5`, `GL_EXT_gpu_shader5`): set this only where the context lists it.
    pub precise: bool,
    /// The way in which texels are read.
    pub reads: Reads,
}

impl Language {
    /// Returns the first line of every expanded text.
    pub fn version_line(&self) -> String {
        match self.api {
            Api::Gl => format!("#version {} core", self.version),
            Api::Gles => format!("#version {} es", self.version),
        }
    }

    /// Returns the macros that every driver defines for it.
    pub fn macros(&self) -> Vec<(&'static str, u32)> {
        let of_es = [("GL_ES", 1), ("GL_FRAGMENT_PRECISION_HIGH", 1)];
        let of_es = of_es.into_iter().filter(|_| self.api == Api::Gles);
        of_es.chain([("__VERSION__", self.version)]).collect()
    }

    /// Returns the extension that brings the keyword `precise`, where the version alone does not.
    pub(super) fn precise_extension(&self) -> Option<&'static str> {
        match self.api {
            _ if !self.precise => None,
            Api::Gl => (self.version < 400).then_some("GL_ARB_gpu_shader5"),
            Api::Gles => (self.version < 320).then_some("GL_EXT_gpu_shader5"),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.api {
            Api::Gl => write!(f, "GLSL {}", self.version),
            Api::Gles => write!(f, "GLSL {} es", self.version),
        }
    }
}
