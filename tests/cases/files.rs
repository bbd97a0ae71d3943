//! The files of an experiment: its description, its shaders, its arrays.

use std::fmt::Write;

use quadrille_run::io::field;

use crate::files::Folder;

use super::glsl::{Words, functions};
use super::number::{Array, Kind};
use super::run::{FRACTION, First, From, Output, Pass, Run};

impl Run {
    /// The texts of all files, by their names; the description is the first.
    pub fn texts(&self) -> Vec<(String, String)> {
        let mut texts = vec![("a.run.toml".to_owned(), self.description())];
        for pass in &self.passes {
            texts.push((format!("{}.frag", pass.name), self.shader(pass)));
        }
        texts.push(("fold.glsl".into(), functions(FRACTION, false)));
        texts.push(("turns.glsl".into(), functions(FRACTION, true)));
        texts
    }

    /// The texts of all files, one after the other.
    pub fn text(&self) -> String {
        let texts = self.texts().into_iter();
        let used = texts.filter(|(name, _)| !name.ends_with(".glsl"));
        used.map(|(name, text)| format!("--- {name}\n{text}")).collect()
    }

    pub fn write(&self, folder: &Folder) {
        for (name, text) in self.texts() {
            folder.write(&name, text);
        }
        let array = |name: String, array: &Array| {
            field::write(folder.file(&name), &array.field(), Default::default()).unwrap();
        };
        for input in &self.inputs {
            match &input.frames[..] {
                [one] => array(format!("{}.npy", input.name), one),
                frames => frames.iter().enumerate().for_each(|(index, frame)| {
                    array(format!("{}-{index}.npy", input.name), frame);
                }),
            }
        }
        for buffer in &self.buffers {
            if !matches!(buffer.said, First::Lines(_)) {
                array(format!("{}.npy", buffer.name), &buffer.first);
            }
        }
    }

    fn description(&self) -> String {
        let mut text = format!("iterate = {}\nflip = {}\n", self.steps, self.flip);
        if let Some(size) = self.size {
            text += &format!("size = [{}, {}]\n", size.width, size.height);
        }
        if let Some(halo) = self.halo {
            text += &format!("halo = {halo}\n");
        }
        text += &format!("define.N = {}\n", self.macro_n);
        for (index, uniform) in self.uniforms.iter().enumerate() {
            text += &format!("uniform.u{index} = {}\n", uniform.toml());
        }
        for input in &self.inputs {
            let number = if input.frames.len() > 1 { "-%d" } else { "" };
            text += &format!("input.{0} = \"{0}{number}.npy\"\n", input.name);
        }
        let mut tables = String::new();
        let halves = self.inputs.iter().map(|input| (&input.name, input.half));
        let halves = halves.chain(self.buffers.iter().map(|buffer| (&buffer.name, buffer.half)));
        for (name, _) in halves.filter(|(_, half)| *half) {
            text += &format!("precision.{name} = \"half\"\n");
        }
        for buffer in &self.buffers {
            let name = &buffer.name;
            let (pass, output) = buffer.from;
            let from = format!("p{pass}.o{output}");
            match &buffer.said {
                First::Input => {
                    text += &format!(
                        "input.{name} = \"{name}.npy\"\nfeedback.\"{from}\" = \"{name}\"\n"
                    );
                }
                First::File => {
                    tables +=
                        &format!("\n[buffer.{name}]\nfrom = \"{from}\"\nfirst = \"{name}.npy\"\n");
                }
                First::Lines(lines) => {
                    tables += &format!("\n[buffer.{name}]\nfrom = \"{from}\"\n{lines}");
                }
            }
        }
        for pass in &self.passes {
            self.describe(pass, &mut tables);
        }
        text + &tables
    }

    fn describe(&self, pass: &Pass, text: &mut String) {
        let _ = write!(text, "\n[pass.{0}]\nshader = \"{0}.frag\"\n", pass.name);
        if let Some(size) = &pass.said {
            let _ = writeln!(text, "size = {size}");
        }
        for sampler in &pass.samplers {
            let from = match sampler.from {
                From::Input(index) => self.inputs[index].name.clone(),
                From::Buffer(index) => self.buffers[index].name.clone(),
                From::Output(pass, output) => format!("p{pass}.o{output}"),
            };
            if from != sampler.name {
                let _ = writeln!(text, "read.{} = \"{from}\"", sampler.name);
            }
        }
        if let Some(count) = pass.repeat {
            let _ = writeln!(text, "repeat = {count}");
        }
        if let Some((output, sampler)) = pass.again {
            let _ = writeln!(text, "feedback.o{output} = \"{}\"", pass.samplers[sampler].name);
        }
        if let Some(number) = pass.macro_n {
            let _ = writeln!(text, "define.N = {number}");
        }
        for (index, own) in pass.uniforms.iter().enumerate() {
            if let Some(own) = own {
                let _ = writeln!(text, "uniform.u{index} = {}", own.toml());
            }
        }
    }

    fn shader(&self, pass: &Pass) -> String {
        let library = if pass.loops { "turns.glsl" } else { "fold.glsl" };
        let mut text = format!("#include \"{library}\"\nuniform int iteration;\n");
        if pass.repeat.is_some() {
            text += "uniform int repetition;\n";
        }
        let names: Vec<String> = (0..self.uniforms.len()).map(|i| format!("u{i}")).collect();
        for (name, number) in names.iter().zip(&self.uniforms) {
            text += &format!("uniform {} {name};\n", number.kind().scalar());
        }
        for sampler in &pass.samplers {
            let kind = self.kind(sampler.from);
            text += &format!("uniform {} {};\n", kind.sampler(), sampler.name);
        }
        for (at, output) in pass.outputs.iter().enumerate() {
            let kind = output.kind.vector(output.cells.len());
            text += &format!("layout(location = {at}) out {kind} {};\n", output.name);
        }
        let words = Words {
            samplers: pass.samplers.iter().map(|sampler| sampler.name.as_str()).collect(),
            uniforms: names.iter().map(String::as_str).collect(),
            isf: false,
        };
        text += "void main() {\n";
        if let Some((by, rest)) = pass.discard {
            text += &format!(
                "    if ((TEXEL.x + 3 * TEXEL.y + iteration) % {by} == {rest}) discard;\n"
            );
        }
        for output in &pass.outputs {
            assign(output, &words, &mut text);
        }
        text + "}\n"
    }

    fn kind(&self, from: From) -> Kind {
        match from {
            From::Input(index) => self.inputs[index].frames[0].kind,
            From::Buffer(index) => self.buffers[index].first.kind,
            From::Output(pass, output) => self.passes[pass].outputs[output].kind,
        }
    }
}

/// The statements that write an output.
fn assign(output: &Output, words: &Words<'_>, text: &mut String) {
    let kind = output.kind.vector(output.cells.len());
    let line = |cells: &[_]| {
        let cells: Vec<String> = cells.iter().map(|cell| words.text(cell)).collect();
        format!("    {} = {kind}({});\n", output.name, cells.join(",\n        "))
    };
    let first = line(&output.cells);
    match &output.otherwise {
        None => *text += &first,
        Some((least, cells)) => {
            *text += &format!("#if N >= {least}\n{}#else\n{first}#endif\n", line(cells));
        }
    }
}
