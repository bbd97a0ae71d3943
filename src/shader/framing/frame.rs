//! Lines around a text.

/// The prefix of the names in GLSL of outputs that a frame declares.
const OUT: &str = "quadrille_out_";

/// Returns the name that users know for an output with this name in GLSL.
pub(crate) fn output_name(name: &str) -> &str {
    name.strip_prefix(OUT).unwrap_or(name)
}

/// Lines around a text, and files of `glsl/` before it.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Whether it is for OpenGL ES.
    pub es: bool,
    /// The declarations that the text expects, which come first.
    pub declared: Vec<String>,
    /// The files behind them, each by its name in errors and its text.
    pub files: Vec<(String, &'static str)>,
    /// Behind the files, the names that the text's author has given, and macros for words that
    /// changed their meaning or lost it.
    pub macros: Vec<String>,
    /// The words of the text that drivers keep to themselves, each with the one that takes its place,
    /// of as many letters.
    pub renamed: Vec<(String, String)>,
    /// The words with a macro that declarations are read without: the text's own are meant.
    pub unreplaced: Vec<&'static str>,
    /// The statements at the end of a `main` that is put around the text's own.
    pub at_end: Vec<String>,
    /// The `main` that follows the text.
    pub behind: Vec<String>,
}

impl Frame {
    /// Creates an empty frame, for OpenGL ES or not.
    pub fn new(es: bool) -> Frame {
        Frame { es, ..Frame::default() }
    }

    /// Adds a file, once.
    pub fn file(&mut self, shown: String, text: &'static str) {
        if self.files.iter().all(|(known, _)| *known != shown) {
            self.files.push((shown, text));
        }
    }

    /// Declares an output, which users call by this name. In GLSL it has another, since the text
    /// may use this one.
    pub fn output(&mut self, name: &str, location: usize) {
        self.declared.push(format!("layout(location = {location}) out highp vec4 {OUT}{name};"));
    }

    /// Puts lines before and behind what the text's own `main` does.
    pub fn around_main(&mut self, first: Vec<String>, last: Vec<String>) {
        self.macro_of("main", "quadrille_own_main");
        let own = "    quadrille_own_main();".to_owned();
        let at_end = std::mem::take(&mut self.at_end);
        self.main(first.into_iter().chain([own]).chain(last).chain(at_end));
    }

    /// Adds a `main`.
    pub fn main(&mut self, body: impl IntoIterator<Item = String>) {
        self.behind.push("void main() {".into());
        self.behind.extend(body);
        self.behind.push("}".into());
    }

    /// Gives a word of the text another meaning, up to its end.
    pub fn macro_of(&mut self, word: &str, meaning: &str) {
        // What watches loops may have defined it too.
        self.macros.push(format!("#undef {word}"));
        self.macros.push(format!("#define {word} {meaning}"));
        self.behind.push(format!("#undef {word}"));
    }

    /// Defines a macro whose name drivers keep to themselves, since it begins with `GL_`, by another
    /// name, which the text has then too.
    pub fn reserved_macro(&mut self, name: &str, meaning: &str) {
        let ours = name.replacen("GL_", "Gl_", 1);
        self.macros.push(format!("#define {ours} {meaning}"));
        self.renamed.push((name.to_owned(), ours));
    }

    /// Declares a uniform.
    pub fn uniform(&mut self, declaration: &str) {
        self.declared.push(format!("uniform {declaration};"));
    }

    /// Declares a uniform that the author of the text has named, behind the files of `glsl/`: they
    /// call functions that may have its name.
    pub fn named_uniform(&mut self, declaration: &str) {
        self.macros.push(format!("uniform {declaration};"));
    }
}
