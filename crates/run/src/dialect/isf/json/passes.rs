//! Reads the passes of an ISF shader's header.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::expression::evaluate;
use super::super::header::Input;
use super::super::target::{Side, Target};
use super::reader::{Reader, is_name};
use crate::dialect::Error;
use crate::dialect::SizeMistake;

/// The keys of a pass or of a buffer.
const KEYS: [&str; 5] = ["TARGET", "PERSISTENT", "FLOAT", "WIDTH", "HEIGHT"];

type Table<'a> = BTreeMap<String, &'a RawValue>;

/// Returns the targets of the passes of a header, in their order; none for the pass that writes the
/// picture.
pub(crate) fn read(reader: &Reader<'_>, inputs: &[Input]) -> Result<Vec<Option<Target>>, Error> {
    let root: Table<'_> =
        serde_json::from_str(reader.json).map_err(|error| reader.not_json(&error))?;
    let buffers = Buffers::of(reader, &root)?;
    let mut passes: Vec<Option<Target>> = Vec::new();
    for (index, raw) in list(reader, &root, "PASSES")?.into_iter().enumerate() {
        let key = format!("PASSES[{index}]");
        let Some(table) = table(raw) else {
            return Err(reader.refused(raw, &key, "an object, as in { \"TARGET\": \"name\" }"));
        };
        let pass = Pass { reader, key, raw, table, buffers: &buffers };
        let target = pass.target(inputs, &passes)?;
        passes.push(target);
    }
    of_one_kind(&mut passes)?;
    let is_target = |name: &String| passes.iter().flatten().any(|target| target.name == *name);
    match buffers.0.iter().find(|(name, _)| !is_target(name)) {
        None => Ok(passes),
        Some((_, Buffer { raw, .. })) => {
            let expected = "the TARGET of a pass";
            Err(reader.refused(raw, "PERSISTENT_BUFFERS", expected))
        }
    }
}

/// Merges the targets of one name: such passes write one buffer, and each may give a part of its
/// properties.
fn of_one_kind(passes: &mut [Option<Target>]) -> Result<(), Error> {
    for index in 1..passes.len() {
        let (earlier, rest) = passes.split_at_mut(index);
        let Some(Some(target)) = rest.first_mut() else { continue };
        for other in earlier.iter_mut().flatten() {
            if other.name == target.name {
                target.join(other)?;
            }
        }
    }
    Ok(())
}

/// The buffers that the first version of the format lists.
struct Buffers<'a>(BTreeMap<String, Buffer<'a>>);

struct Buffer<'a> {
    raw: &'a RawValue,
    table: Table<'a>,
}

impl<'a> Buffers<'a> {
    const KEY: &'static str = "PERSISTENT_BUFFERS";

    /// Creates a list of names, or a table by name.
    fn of(reader: &Reader<'_>, root: &Table<'a>) -> Result<Buffers<'a>, Error> {
        let mut buffers = BTreeMap::new();
        let Some(raw) = root.get(Buffers::KEY) else { return Ok(Buffers(buffers)) };
        if let Ok(named) = serde_json::from_str::<Table<'_>>(raw.get()) {
            for (name, raw) in named {
                let Some(table) = table(raw) else {
                    return Err(reader.refused(raw, Buffers::KEY, "an object for each buffer"));
                };
                buffers.insert(name, Buffer { raw, table });
            }
            return Ok(Buffers(buffers));
        }
        for raw in list(reader, root, Buffers::KEY)? {
            let Some(name) = text(raw) else {
                return Err(reader.refused(raw, Buffers::KEY, "the names of buffers"));
            };
            buffers.insert(name, Buffer { raw, table: Table::new() });
        }
        Ok(Buffers(buffers))
    }
}

/// A pass that is read.
struct Pass<'a> {
    reader: &'a Reader<'a>,
    key: String,
    raw: &'a RawValue,
    table: Table<'a>,
    buffers: &'a Buffers<'a>,
}

impl Pass<'_> {
    fn target(
        &self,
        inputs: &[Input],
        earlier: &[Option<Target>],
    ) -> Result<Option<Target>, Error> {
        let Some(raw) = self.table.get("TARGET").filter(|raw| raw.get() != "null") else {
            return self.must_be_the_picture(earlier).map(|()| None);
        };
        let key = format!("{}.TARGET", self.key);
        let wrong = |expected| Err(self.reader.refused(raw, &key, expected));
        let Some(name) = text(raw).filter(|name| is_name(name)) else {
            return wrong("a name of GLSL");
        };
        if inputs.iter().any(|input| input.name == name) {
            return wrong("another name than those of inputs");
        }
        let buffer = self.buffers.0.get(&name);
        let own = |key: &str| {
            self.table.get(key).or_else(|| buffer.and_then(|buffer| buffer.table.get(key)))
        };
        let truth = |key: &str| match own(key) {
            None => Ok(false),
            Some(raw) => truth(raw)
                .ok_or_else(|| self.reader.refused(raw, &format!("{name}.{key}"), "true or false")),
        };
        let side = |key: &str| match own(key) {
            None => Ok(None),
            Some(raw) => side(self.reader, raw, format!("{name}.{key}"), inputs).map(Some),
        };
        let (place, excerpt) = self.reader.at(self.reader.offset(raw));
        Ok(Some(Target {
            is_persistent: truth("PERSISTENT")? || buffer.is_some(),
            is_float: truth("FLOAT")?,
            sides: [side("WIDTH")?, side("HEIGHT")?],
            name,
            place,
            excerpt,
        }))
    }

    /// Checks a pass without a target: it writes the picture, so no earlier pass may, and it sets
    /// no size.
    fn must_be_the_picture(&self, earlier: &[Option<Target>]) -> Result<(), Error> {
        if earlier.iter().any(Option::is_none) {
            let expected = "a TARGET, since an earlier pass without one writes the picture";
            return Err(self.reader.refused(self.raw, &self.key, expected));
        }
        for (key, expected) in [
            ("PERSISTENT", "a TARGET beside it, the name of what is kept"),
            ("WIDTH", "a TARGET beside it, since the picture has the size that is asked for"),
            ("HEIGHT", "a TARGET beside it, since the picture has the size that is asked for"),
        ] {
            let told = self.table.get(key).filter(|raw| !matches!(raw.get(), "false" | "null"));
            if let Some(raw) = told {
                return Err(self.reader.refused(raw, &format!("{}.{key}", self.key), expected));
            }
        }
        Ok(())
    }
}

/// Returns a side of a target: a number or an expression, which must be whole.
fn side(reader: &Reader<'_>, raw: &RawValue, key: String, inputs: &[Input]) -> Result<Side, Error> {
    let quoted = text(raw);
    let offset = reader.offset(raw) + usize::from(quoted.is_some());
    let is_number = raw.get().starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let Some(text) = quoted.or_else(|| is_number.then(|| raw.get().to_owned())) else {
        let expected = "a number, or an expression in quotes, as in \"$WIDTH / 2\"";
        return Err(reader.refused(raw, &key, expected));
    };
    let numbers = || inputs.iter().filter(|input| input.is_number());
    let mut names = Vec::new();
    let mut known = |name: &str| {
        if let "WIDTH" | "HEIGHT" = name {
            return Ok(1.0);
        }
        match numbers().any(|input| input.name == name) {
            true => names.push(name.to_owned()),
            false => {
                let sides = ["$WIDTH", "$HEIGHT"].map(str::to_owned).into_iter();
                let has = sides.chain(numbers().map(|input| format!("${}", input.name))).collect();
                return Err(SizeMistake::NoName { found: name.to_owned(), has });
            }
        }
        Ok(1.0)
    };
    if let Err((at, mistake)) = evaluate(&text, &mut known) {
        let (place, excerpt) = reader.at(offset + at);
        return Err(Error::Size { place, key, mistake, excerpt });
    }
    let (place, excerpt) = reader.at(offset);
    Ok(Side { key, text, names, place, excerpt })
}

/// Returns the items of a list that may be missing.
fn list<'a>(reader: &Reader<'_>, root: &Table<'a>, key: &str) -> Result<Vec<&'a RawValue>, Error> {
    let Some(raw) = root.get(key) else { return Ok(Vec::new()) };
    serde_json::from_str(raw.get()).map_err(|_| reader.refused(raw, key, "a list"))
}

/// Returns an object whose keys are those of the format, which some authors write in small letters.
fn table(raw: &RawValue) -> Option<Table<'_>> {
    let table: Table<'_> = serde_json::from_str(raw.get()).ok()?;
    let known = |key: &str| KEYS.into_iter().find(|known| known.eq_ignore_ascii_case(key));
    let small = table.iter().filter_map(|(key, raw)| Some((known(key)?.to_owned(), *raw)));
    let mut told: Table<'_> = small.collect();
    // As it is written in the format, it comes first.
    told.extend(table);
    Some(told)
}

fn text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

/// Authors write 0 and 1 too.
fn truth(raw: &RawValue) -> Option<bool> {
    match raw.get() {
        "true" | "1" => Some(true),
        "false" | "0" | "null" => Some(false),
        _ => None,
    }
}
