//! Shaders' text: what is included and blanked, what is declared, and drivers' logs about it.

use super::mutation::mutate;
use super::scratch::bounded;
use super::{Choices, Target, Verdicts};
use quadrille::internal::shader::{Expanded, Language, expand};
use quadrille::shader::{Api, Reads, Severity, Source};

pub const TARGET: Target = Target { name: "glsl", file, generated };

const WORDS: [&str; 34] = [
    "#include \"a.glsl\"\n",
    "#include \"main.frag\"\n",
    "#include \"include/prelude.glsl\"\n",
    "#include \"",
    "#include <a>\n",
    "#if 1\n",
    "#else\n",
    "#endif\n",
    "#define X \\\n",
    "#extension GL_X : enable\n",
    "#version 330\n",
    "#line 9\n",
    "/*",
    "*/",
    "//",
    "\\\n",
    "uniform sampler2D a;\n",
    "layout(location = 1) ",
    "out vec4 y[2];\n",
    "struct S { float x; } s;\n",
    "{",
    "}",
    ";",
    "(",
    // Those of dialects.
    "void mainImage(out vec4 o, in vec2 p) { o = vec4(iTime); }\n",
    "void main() { gl_FragColor = vec4(1.0); }\n",
    "gl_FragData[1] ",
    "gl_TexCoord[0] ",
    "varying vec2 v;\n",
    "uniform vec2 resolution;\n",
    "texture2DRect(",
    "/*{ \"INPUTS\": [{ \"NAME\": \"a\", \"TYPE\": \"float\", \"DEFAULT\": 1 }] }*/",
    "\"PASSES\": [{}, {}],",
    "IMG_PIXEL",
];

const MAIN: &str = "main.frag";
const INCLUDED: [&str; 3] = ["a.glsl", "b.glsl", "c.glsl"];

fn file(bytes: &[u8]) -> Verdicts {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let log = text.clone();
    expand_all(&Files { texts: vec![(MAIN, text.clone()), (INCLUDED[0], text)] }, &log)
}

fn generated(bytes: &[u8]) -> Verdicts {
    let mut choices = Choices::new(bytes);
    let shader = Generated::new(&mut choices);
    let expanded = expand(&shader.files.source(), &language(Api::Gl)).unwrap();
    shader.assert_expanded(&expanded);
    shader.assert_log(&expanded, &mut choices);
    let mut files = shader.files;
    let index = choices.below(files.texts.len());
    let mut text = files.texts[index].1.clone().into_bytes();
    mutate(&mut text, &mut choices, &WORDS);
    files.texts[index].1 = String::from_utf8_lossy(&text).into_owned();
    let mut log =
        b"0:70(3): error: `u1' undeclared\n0(80) : error C1503: undefined variable \"u1\"\n"
            .to_vec();
    mutate(&mut log, &mut choices, &["ERROR: 0:71: 'x' : bad\n", "warning: ", "0:1(", "error C"]);
    expand_all(&files, &String::from_utf8_lossy(&log))
}

/// The shader's own text, and those that it may include.
struct Files {
    texts: Vec<(&'static str, String)>,
}

impl Files {
    fn source(&self) -> Source {
        let (main, included) = self.texts.split_first().unwrap();
        let source = Source::fragment(main.0, main.1.clone());
        included.iter().fold(source, |source, (name, text)| source.file(*name, text.clone()))
    }

    /// A line of a file, counted from 1. One that ends in a carriage return gets a line feed behind
    /// it, and both end it.
    fn line(&self, file: &str, line: usize) -> Option<&str> {
        let (_, text) = self.texts.iter().find(|(name, _)| *name == file)?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let line = text.lines().nth(line.checked_sub(1)?)?;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }
}

/// A line of the expanded text: its file, its number there, and its text, empty where it is
/// blanked.
type Line = (&'static str, usize, String);

/// A shader, and what its expansion is.
#[derive(Default)]
struct Generated {
    files: Files,
    /// The extensions, which GLSL wants in front.
    extensions: Vec<Line>,
    body: Vec<Line>,
    uniforms: Vec<String>,
    outputs: Vec<(String, Option<u32>)>,
    /// Files that have been included.
    done: Vec<&'static str>,
}

impl Default for Files {
    fn default() -> Files {
        Files { texts: [MAIN].iter().chain(&INCLUDED).map(|name| (*name, String::new())).collect() }
    }
}

impl Generated {
    fn new(choices: &mut Choices) -> Generated {
        let mut shader = Generated::default();
        shader.write(0, choices);
        shader
    }

    /// Writes a file, which includes only those after it, each when it is first included.
    fn write(&mut self, file: usize, choices: &mut Choices) {
        let mut writer = Writer { file, name: self.files.texts[file].0, line: 0 };
        for _ in 0..choices.below(12) {
            self.statement(&mut writer, choices);
        }
        if choices.one_in(4) {
            // The last line has no end.
            let text = &mut self.files.texts[file].1;
            text.truncate(text.trim_end_matches('\n').len());
            let kept = text.lines().count();
            self.body.retain(|(name, line, _)| *name != writer.name || *line <= kept);
            if text.ends_with('\\') {
                // What goes on behind the end of a file goes on with nothing.
                self.body.push((writer.name, kept, String::new()));
            }
        }
    }

    fn statement(&mut self, writer: &mut Writer, choices: &mut Choices) {
        let number = self.uniforms.len() + self.outputs.len();
        match choices.below(12) {
            0 => self.line(writer, "// uniform float no; /* #include \"x\"", false),
            1 => {
                self.line(writer, "/* a comment", false);
                self.line(writer, "#include \"nowhere\" */ float f();", false);
            }
            2 => self.line(writer, "#version 300 es", true),
            3 => self.line(writer, " # line 77 // nothing", true),
            4 => {
                self.extensions.push((
                    writer.name,
                    writer.line + 1,
                    "#extension GL_X : enable".into(),
                ));
                self.line(writer, "#extension GL_X : enable", true);
            }
            5 => self.line(writer, "#define uniform_of(x) uniform float x; \\", false),
            6 => {
                self.line(writer, "#if 1", false);
                self.declare(writer, number, choices);
                self.line(writer, "#endif", false);
            }
            7 => self.line(writer, "float g() { float uniform_; return 1.0; }", false),
            8 | 9 => self.include(writer, choices),
            _ => self.declare(writer, number, choices),
        }
        // A line that goes on would swallow the next.
        if self.files.texts[writer.file].1.ends_with("\\\n") {
            self.line(writer, "", false);
        }
    }

    fn declare(&mut self, writer: &mut Writer, number: usize, choices: &mut Choices) {
        let name = format!("name{number}");
        let text = match choices.below(4) {
            0 => format!("uniform sampler2D {name}; // {name}"),
            1 => format!("uniform highp vec2 {name}[3];"),
            2 => {
                self.outputs.push((name.clone(), Some(number as u32)));
                return self.line(
                    writer,
                    &format!("layout(location = {number}) out vec4 {name};"),
                    false,
                );
            }
            _ => {
                self.outputs.push((name.clone(), None));
                return self.line(writer, &format!("\tout /* the */ float {name};"), false);
            }
        };
        self.uniforms.push(name);
        self.line(writer, &text, false);
    }

    fn include(&mut self, writer: &mut Writer, choices: &mut Choices) {
        let later = choices.between(writer.file + 1, self.files.texts.len());
        let Some(&(name, _)) = self.files.texts.get(later) else { return };
        self.line(writer, &format!("#include \"{name}\""), true);
        if !self.done.contains(&name) {
            self.done.push(name);
            self.write(later, choices);
        }
    }

    fn line(&mut self, writer: &mut Writer, text: &str, blanked: bool) {
        let file = &mut self.files.texts[writer.file].1;
        file.push_str(text);
        file.push('\n');
        writer.line += 1;
        let expanded = if blanked { String::new() } else { text.to_owned() };
        self.body.push((writer.name, writer.line, expanded));
    }

    /// Each line of the files is where it should be, and each declaration is found once.
    fn assert_expanded(&self, expanded: &Expanded) {
        let lines = expanded
            .text
            .lines()
            .enumerate()
            .map(|(index, text)| (expanded.place(index + 1), text));
        let own =
            lines.filter(|(place, _)| self.files.texts.iter().any(|(name, _)| *name == place.file));
        let expected: Vec<&Line> = self.extensions.iter().chain(&self.body).collect();
        let mut count = 0;
        for ((place, text), want) in own.zip(&expected) {
            assert_eq!(
                (place.file.as_str(), place.line, text),
                (want.0, Some(want.1), want.2.as_str())
            );
            count += 1;
        }
        assert_eq!(count, expected.len());
        let declarations = expanded.declarations();
        let uniforms: Vec<&str> =
            declarations.uniforms.iter().map(|uniform| uniform.name.as_str()).collect();
        assert_eq!(uniforms, self.uniforms);
        let outputs =
            declarations.outputs.iter().map(|output| (output.name.clone(), output.location));
        assert_eq!(outputs.collect::<Vec<_>>(), self.outputs);
        assert!(declarations.inputs.is_empty() && declarations.buffers.is_empty());
    }

    /// A driver's line about any line of the text is brought back to the file's own.
    fn assert_log(&self, expanded: &Expanded, choices: &mut Choices) {
        let lines = expanded.text.lines().count();
        let first = lines - self.body.len();
        if self.body.is_empty() {
            return;
        }
        let index = choices.below(self.body.len());
        let (file, line, _) = self.body[index];
        let number = first + index + 1;
        for log in [
            format!("0:{number}(7): error: `x' undeclared"),
            format!("0({number}) : error C1503: undefined variable \"x\""),
            format!("ERROR: 0:{number}: 'x' : undeclared identifier"),
        ] {
            let diagnostics = expanded.explain(&log);
            let place = diagnostics.place().unwrap();
            assert_eq!((place.file.as_str(), place.line), (file, Some(line)), "{log}");
            assert_eq!(diagnostics.items[0].severity, Severity::Error);
        }
    }
}

/// The file that is being written.
struct Writer {
    file: usize,
    name: &'static str,
    line: usize,
}

fn language(api: Api) -> Language {
    let version = if api == Api::Gl { 330 } else { 300 };
    Language { api, version, precise: false, reads: Reads::Fetch }
}

/// Expands any text for both APIs, and reads any log about it.
fn expand_all(files: &Files, log: &str) -> Verdicts {
    let mut verdicts = Verdicts::default();
    let source = files.source();
    let length: usize = files.texts.iter().map(|(_, text)| text.len()).sum();
    for api in [Api::Gl, Api::Gles] {
        // An empty line has a few small records; the prelude and its like are the constant.
        let result = bounded(512 * length + (1 << 20), || expand(&source, &language(api)));
        verdicts.count(&result);
        match result {
            Ok(expanded) => {
                assert_lines(files, &expanded);
                assert_eq!(expand(&source, &language(api)).unwrap().text, expanded.text);
                let diagnostics = expanded.explain(log);
                assert!(diagnostics.is_empty() || !diagnostics.to_string().is_empty());
            }
            Err(error) => {
                let place = error.place().unwrap_or_else(|| panic!("no place: {error}"));
                assert!(error.to_string().starts_with(&place.to_string()), "{error}");
            }
        }
    }
    verdicts
}

/// Each line of the text is that of its file or blank, and each declaration is on its line.
fn assert_lines(files: &Files, expanded: &Expanded) {
    let lines: Vec<&str> = expanded.text.lines().collect();
    for (index, text) in lines.iter().enumerate() {
        let place = expanded.place(index + 1);
        let line = place.line.unwrap();
        let trail = expanded.included_from(index + 1);
        assert!(trail.iter().all(|place| place.line.is_some()));
        if files.texts.iter().any(|(name, _)| *name == place.file) {
            // Of a line that is not sent comments may stay.
            let own = files.line(&place.file, line).unwrap_or_default();
            let is_part = || text.split_whitespace().all(|word| own.contains(word));
            assert!(text.is_empty() || own == *text || is_part(), "{place}: {text}");
        }
    }
    for outside in [0, lines.len() + 1, usize::MAX] {
        assert_eq!(expanded.place(outside).line, None);
    }
    let declarations = expanded.declarations();
    let lists = [
        &declarations.uniforms,
        &declarations.outputs,
        &declarations.inputs,
        &declarations.buffers,
    ];
    for declared in lists.into_iter().flatten() {
        let line = declared.place.line.unwrap();
        if let Some(text) = files.line(&declared.place.file, line) {
            assert!(text.contains(&declared.name), "{}: {text}", declared.name);
        }
    }
}
