//! Checks the names of a description without compiling: each exists, and no pass reads an output
//! that is not yet written.

use crate::io::description::{Entry, Error, Table};

use crate::run_file::RunFile;
use crate::run_file::keys::entries;
use crate::run_file::pass::Pass;
use crate::setup::scale::Size;

/// Refuses names that nothing has, and passes that read what no earlier pass has written.
pub(super) fn names(run: &RunFile, table: &Table<'_>) -> Result<(), Error> {
    let check = Check { run };
    for entry in entries(table, "pass")? {
        must_be_plain(&entry, "pass")?;
        let pass = entry.table()?;
        for read in entries(&pass, "read")? {
            check.read(&read, entry.key)?;
        }
        check.size(&pass, entry.key)?;
    }
    for entry in entries(table, "buffer")? {
        must_be_plain(&entry, "buffer")?;
        if run.settings.inputs.iter().any(|(name, _)| name == entry.key) {
            return Err(entry.unfit(format!(
                "`{}` has the name of `input.{}`: expected another, since samplers read both by their names",
                entry.path, entry.key
            )));
        }
        let buffer = entry.table()?;
        if let Some(from) = buffer.get("from") {
            check.output(&from, &from.text()?)?;
        }
        check.size_of_buffer(&buffer, entry.key)?;
    }
    for entry in entries(table, "feedback")? {
        check.output(&entry, entry.key)?;
    }
    Ok(())
}

struct Check<'a> {
    run: &'a RunFile,
}

impl Check<'_> {
    /// Checks the array that a sampler reads: an input, a buffer, or an output of an earlier pass.
    fn read(&self, entry: &Entry<'_>, reader: &str) -> Result<(), Error> {
        let from = entry.text()?;
        if self.is_array(&from) {
            return Ok(());
        }
        let Some((pass, _)) = from.split_once('.') else {
            return Err(entry.wrong(format!(
                "an input, a buffer, or an output `pass.output` of an earlier pass ({})",
                self.all()
            )));
        };
        match (self.index(pass), self.index(reader)) {
            (Some(from), Some(reader)) if from < reader => Ok(()),
            (Some(_), _) => Err(self.too_early(entry, reader, &from, pass)),
            (None, _) => Err(self.no_pass(entry, pass)),
        }
    }

    /// Explains that a pass cannot read an output of itself or of a later pass.
    fn too_early(&self, entry: &Entry<'_>, reader: &str, from: &str, pass: &str) -> Error {
        let output = from.rsplit('.').next().unwrap_or_default();
        let buffer = format!("a buffer, as in `[buffer.{output}]` with `from = \"{from}\"`");
        if pass == reader {
            return entry.unfit(format!(
                "`{}`: pass `{reader}` reads what it writes, `{from}`: for what it wrote in the step before read {buffer}; for several \
                 times in a step use `repeat` and `feedback`",
                entry.path
            ));
        }
        let circle = self.way(pass, reader, &mut Vec::new());
        entry.unfit(match circle {
            Some(way) => format!(
                "`{}`: the passes read each other in a circle: {reader} reads {from}, {}: one of them must read {buffer}, which holds what \
                 it was in the step before",
                entry.path,
                way.join(", ")
            ),
            None => format!(
                "`{}`: pass `{reader}` reads `{from}`, which a later pass writes: expected `[pass.{pass}]` before `[pass.{reader}]`; or, \
                 for what it was in the step before, {buffer}",
                entry.path
            ),
        })
    }

    /// Finds a chain of reads through which one pass depends on another.
    fn way(&self, pass: &str, on: &str, seen: &mut Vec<String>) -> Option<Vec<String>> {
        if seen.iter().any(|seen| seen == pass) {
            return None;
        }
        seen.push(pass.to_owned());
        let found = &self.run.passes[self.index(pass)?];
        found.reads.iter().filter(|(_, from)| !self.is_array(from)).find_map(|(_, from)| {
            let (next, _) = from.split_once('.')?;
            let rest = if next == on { Vec::new() } else { self.way(next, on, seen)? };
            Some([vec![format!("{pass} reads {from}")], rest].concat())
        })
    }

    /// Checks an output, of which only the pass is known before its shader is compiled.
    fn output(&self, entry: &Entry<'_>, output: &str) -> Result<(), Error> {
        match output.split_once('.') {
            Some((pass, _)) if self.index(pass).is_some() => Ok(()),
            Some((pass, _)) => Err(self.no_pass(entry, pass)),
            None => Err(entry.unfit(format!(
                "`{}`: expected an output as `pass.output`, got `{output}`; {}",
                entry.path,
                self.passes()
            ))),
        }
    }

    fn size(&self, table: &Table<'_>, reader: &str) -> Result<(), Error> {
        let (Some(entry), Some(Size::Scale(scale))) = (table.get("size"), Size::read(table)?)
        else {
            return Ok(());
        };
        let is_earlier = |output: (&str, &str)| {
            self.index(output.0).is_some_and(|pass| Some(pass) < self.index(reader))
        };
        match scale.name() {
            // Who runs it may give the size.
            "size" => Ok(()),
            name if self.is_array(name) => Ok(()),
            name if name.split_once('.').is_some_and(is_earlier) => Ok(()),
            _ => Err(entry.wrong(format!(
                "the name of an input, a buffer, an output `pass.output` of an earlier pass, or `size` ({})",
                self.all()
            ))),
        }
    }

    /// Checks the size of a buffer, which is known before any pass runs.
    fn size_of_buffer(&self, table: &Table<'_>, name: &str) -> Result<(), Error> {
        let (Some(entry), Some(Size::Scale(scale))) = (table.get("size"), Size::read(table)?)
        else {
            return Ok(());
        };
        let buffers = &self.run.buffers;
        let before = buffers.iter().take_while(|buffer| buffer.name != name);
        let inputs = self.run.settings.inputs.iter().map(|(name, _)| name);
        let mut known = inputs.chain(before.map(|buffer| &buffer.name));
        match scale.name() {
            "size" => Ok(()),
            of if known.any(|known| known == of) => Ok(()),
            _ => Err(entry.wrong(format!(
                "the name of an input, of an earlier buffer, or `size` ({})",
                self.all()
            ))),
        }
    }

    fn index(&self, pass: &str) -> Option<usize> {
        self.run.passes.iter().position(|known| known.name == pass)
    }

    fn is_array(&self, name: &str) -> bool {
        let input = self.run.settings.inputs.iter().any(|(input, _)| input == name);
        input || self.run.buffers.iter().any(|buffer| buffer.name == name)
    }

    fn no_pass(&self, entry: &Entry<'_>, pass: &str) -> Error {
        entry.unfit(format!("`{}`: there is no pass `{pass}`; {}", entry.path, self.passes()))
    }

    fn passes(&self) -> String {
        listed("passes", self.run.passes.iter().map(|pass: &Pass| pass.name.as_str()))
    }

    fn all(&self) -> String {
        let inputs = self.run.settings.inputs.iter().map(|(name, _)| name.as_str());
        let buffers = self.run.buffers.iter().map(|buffer| buffer.name.as_str());
        [listed("inputs", inputs), listed("buffers", buffers), self.passes()].join("; ")
    }
}

fn listed<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    format!("{what}: {names}")
}

/// Refuses a name that `pass.output` could be taken for.
fn must_be_plain(entry: &Entry<'_>, what: &str) -> Result<(), Error> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = entry.key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match begins && entry.key.chars().all(letter) {
        true => Ok(()),
        false => Err(entry.unfit(format!(
            "invalid name `{}` of a {what}: expected a letter or _, then letters, digits and _",
            entry.key
        ))),
    }
}
