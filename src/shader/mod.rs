//! stub until the room is merged
#![allow(missing_docs)]
use crate::error::{Classified, Kind, Place};
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    Vertex,
    Fragment,
    Compute,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    Gl,
    Gles,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reads {
    Fetch,
    Sample,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    pub api: Api,
    pub version: u32,
    pub precise: bool,
    pub reads: Reads,
}
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(String);
impl Classified for Error {
    fn kind(&self) -> Kind {
        Kind::Input
    }
}
#[derive(Clone, Debug)]
pub struct Source {
    stage: Stage,
    name: String,
    text: String,
    defines: Vec<(String, String)>,
}
impl Source {
    pub fn fragment(name: &str, text: &str) -> Self {
        Source { stage: Stage::Fragment, name: name.into(), text: text.into(), defines: vec![] }
    }
    pub fn compute(name: &str, text: &str) -> Self {
        Source { stage: Stage::Compute, name: name.into(), text: text.into(), defines: vec![] }
    }
    pub fn library(stage: Stage, path: &str) -> Result<Self, Error> {
        Ok(Source { stage, name: path.into(), text: lib(path)?, defines: vec![] })
    }
    pub fn define(mut self, n: &str, v: impl ToString) -> Self {
        self.defines.push((n.into(), v.to_string()));
        self
    }
    pub fn name(&self) -> &str {
        &self.name
    }
    pub fn stage(&self) -> Stage {
        self.stage
    }
}
fn lib(path: &str) -> Result<String, Error> {
    std::fs::read_to_string(format!("{}/glsl/{path}", env!("CARGO_MANIFEST_DIR")))
        .map_err(|e| Error(format!("{path}: {e}")))
}
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: String,
    pub kind: String,
    pub location: Option<u32>,
    pub place: Option<Place>,
}
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    pub uniforms: Vec<Declared>,
    pub outputs: Vec<Declared>,
    pub inputs: Vec<Declared>,
    pub buffers: Vec<Declared>,
}
pub struct Expanded {
    pub text: String,
    pub stage: Stage,
    d: Declarations,
}
pub struct Diagnostics(String);
impl Diagnostics {
    pub fn first_place(&self) -> Option<&Place> {
        None
    }
}
impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
impl Expanded {
    pub fn declarations(&self) -> &Declarations {
        &self.d
    }
    pub fn explain(&self, log: &str) -> Diagnostics {
        Diagnostics(format!(
            "{log}\n{}",
            self.text
                .lines()
                .enumerate()
                .map(|(i, l)| format!("{} {l}\n", i + 1))
                .collect::<String>()
        ))
    }
}
fn splice(text: &str, out: &mut String, seen: &mut Vec<String>) -> Result<(), Error> {
    for l in text.lines() {
        if let Some(r) = l.strip_prefix("#include \"") {
            let n = r.trim_end().trim_end_matches('"').to_string();
            if !seen.contains(&n) {
                seen.push(n.clone());
                splice(&lib(&n)?, out, seen)?;
            }
        } else {
            out.push_str(l);
            out.push('\n');
        }
    }
    Ok(())
}
pub fn expand(s: &Source, d: &Dialect) -> Result<Expanded, Error> {
    let mut t =
        format!("#version {} {}\n", d.version, if d.api == Api::Gl { "core" } else { "es" });
    if d.api == Api::Gles {
        t.push_str("precision highp float;precision highp int;precision highp sampler2D;precision highp isampler2D;precision highp usampler2D;\n");
    }
    t.push_str(if d.precise { "#define PRECISE precise\n" } else { "#define PRECISE\n" });
    t.push_str("#define TEXEL ivec2(gl_FragCoord.xy)\n");
    t.push_str(match d.reads {
        Reads::Fetch => "#define READ(i,p) texelFetch(i,p,0)\n#define COORDINATE(i,c) (c)\n#define READ_AT(i,c) texelFetch(i,ivec2(c),0)\n#define READ_CLAMPED(i,p) texelFetch(i,clamp(p,ivec2(0),textureSize(i,0)-1),0)\n#define READ_AT_CLAMPED(i,c) texelFetch(i,clamp(ivec2(floor(c)),ivec2(0),textureSize(i,0)-1),0)\n",
        Reads::Sample => "#define COORDINATE(i,c) ((c)*(1.0/vec2(textureSize(i,0))))\n#define READ_AT(i,c) textureLod(i,c,0.0)\n#define READ(i,p) textureLod(i,(vec2(p)+0.5)*(1.0/vec2(textureSize(i,0))),0.0)\n#define READ_CLAMPED(i,p) READ(i,p)\n#define READ_AT_CLAMPED(i,c) READ_AT(i,c)\n",
    });
    for (n, v) in &s.defines {
        t.push_str(&format!("#define {n} {v}\n"));
    }
    splice(&s.text, &mut t, &mut vec![])?;
    let mut dd = Declarations::default();
    for l in t.lines() {
        let l = l.trim();
        for st in l.split(';') {
            let w: Vec<&str> = st
                .replace("highp", "")
                .split_whitespace()
                .map(|x| x.to_string())
                .collect::<Vec<_>>()
                .leak()
                .iter()
                .map(|s| s.as_str())
                .collect();
            if let Some(i) = w.iter().position(|x| *x == "uniform" || *x == "out") {
                if i + 2 < w.len() && (i == 0 || w[0].starts_with("layout")) {
                    for n in w[i + 2..].join(" ").split(',') {
                        let loc = st.split("location").nth(1).and_then(|r| {
                            r.trim_start_matches([' ', '='])
                                .chars()
                                .take_while(char::is_ascii_digit)
                                .collect::<String>()
                                .parse()
                                .ok()
                        });
                        let d = Declared {
                            name: n.trim().into(),
                            kind: w[i + 1].into(),
                            location: loc,
                            place: None,
                        };
                        if w[i] == "uniform" { dd.uniforms.push(d) } else { dd.outputs.push(d) }
                    }
                }
            }
            if let Some(i) = w.iter().position(|x| *x == "buffer") {
                if i + 1 < w.len() {
                    dd.buffers.push(Declared {
                        name: w[i + 1].into(),
                        kind: "buffer".into(),
                        location: None,
                        place: None,
                    })
                }
            }
        }
    }
    Ok(Expanded { text: t, stage: s.stage, d: dd })
}
