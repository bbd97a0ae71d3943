//! `--save-test`: the command line as a test, which expects what was computed.

use std::path::{Component, absolute};

use anyhow::Context as _;

use quadrille::experiment::{Origin, RunFile};
use quadrille::testing::TestFile;
use quadrille::testing::file::ENDING;
use quadrille_lab::testing::{Answer, Verdict};

use super::super::test::{Allowed, bless, must_not_be_ci, toml_string as string};
use super::arguments::Arguments;
use super::assignment::Assignment;
use crate::output::quoted;
use crate::prelude::*;

/// The file of a test of this name, which must not be there yet.
pub(super) fn file(name: &Path) -> anyhow::Result<PathBuf> {
    must_not_be_ci("--save-test")?;
    let mut file = name.as_os_str().to_owned();
    if !name.to_string_lossy().ends_with(ENDING) {
        file.push(ENDING);
    }
    let file = PathBuf::from(file);
    output::check_folder(&file)?;
    if file.exists() {
        let text = format!(
            "--save-test: {} is there already; `quadrille test --bless {}` writes what it expects anew",
            file.display(),
            quoted(&file.display().to_string())
        );
        return Err(Failure::Input { text }.into());
    }
    Ok(file)
}

/// Writes the test and its expectations, computed by the test itself.
pub(super) fn save(context: &Context, arguments: &Arguments, file: &Path) -> anyhow::Result<()> {
    let text = described(arguments, file)?;
    let test = TestFile::parse(file, &text).context("the saved test cannot be read")?;
    let Answer { verdict, reasons: lines, .. } =
        bless(context, &test, &text, Allowed::default()).context("--save-test")?;
    if verdict != Verdict::Pass {
        let text = format!("--save-test: {}", lines.join("; "));
        return Err(Failure::Work { text }.into());
    }
    output::note(&format!("written: {}", file.display()));
    lines.iter().for_each(|line| output::note(line));
    Ok(())
}

/// The description of the command line.
fn described(arguments: &Arguments, file: &Path) -> anyhow::Result<String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let path = |path: &Path| Ok::<String, anyhow::Error>(string(&relative(folder, path)?));
    let is_run = RunFile::is_named(&arguments.kernel);
    let subject = if is_run { "run" } else { "shader" };
    let mut lines = vec![format!("{subject} = {}", path(&arguments.kernel)?)];
    if !arguments.include_dirs.is_empty() {
        let dirs = arguments.include_dirs.iter().map(|dir| path(dir));
        lines.push(format!("include_dirs = [{}]", dirs.collect::<Result<Vec<_>, _>>()?.join(", ")));
    }
    for Assignment { name, value } in &arguments.defines {
        lines.push(format!("define.{} = {}", key(name), string(value)));
    }
    for Assignment { name, value } in &arguments.inputs {
        let from = match value.file() {
            Some(file) => path(file)?,
            None => string(&value.to_string()),
        };
        lines.push(format!("input.{} = {from}", key(name)));
    }
    for Assignment { name, value } in &arguments.uniforms {
        lines.push(format!("uniform.{} = {}", key(name), number_or_string(value)));
    }
    for Assignment { name, value } in &arguments.feedback {
        lines.push(format!("feedback.{} = {}", key(name), string(value)));
    }
    let samplings = arguments.samplings();
    lines.extend(by_input("wrap", samplings.wraps(), &arguments.inputs));
    lines.extend(by_input("filter", samplings.filters(), &arguments.inputs));
    for Assignment { name, value } in &arguments.precisions {
        lines.push(format!("precision.{} = {}", key(name), string(&value.to_string())));
    }
    if let Some(size) = arguments.size {
        lines.push(format!("size = [{}, {}]", size.0.width, size.0.height));
    }
    if let Some(halo) = arguments.halo {
        lines.push(format!("halo = {halo}"));
    }
    if let Some(groups) = arguments.groups {
        lines.push(format!("groups = {:?}", groups.0));
    }
    if let Some(dialect) = arguments.dialect.0 {
        lines.push(format!("dialect = {}", string(dialect.name())));
    }
    if let Some(flip) = arguments.flip {
        lines.push(format!("flip = {flip}"));
    }
    if let Some(rate) = arguments.rate {
        lines.push(format!("rate = {}", rate.0));
    }
    if let Some(iterate) = arguments.iterate {
        lines.push(format!("iterate = {iterate}"));
    }
    if let Some(seed) = arguments.seed.or((!is_run).then_some(1)) {
        lines.push(format!("seed = {seed}"));
    }
    lines.push(format!("api = {}", string(arguments.device.api_name())));
    Ok(lines.join("\n") + "\n")
}

/// The lines of a key that is one value for all inputs, or a table of values by input.
fn by_input<T: ToString>(
    what: &str,
    asked: &[(Option<String>, T)],
    inputs: &[Assignment<Origin>],
) -> Vec<String> {
    let of_all = asked.iter().find(|(name, _)| name.is_none()).map(|(_, value)| value.to_string());
    let of_one: Vec<(&String, String)> = asked
        .iter()
        .filter_map(|(name, value)| Some((name.as_ref()?, value.to_string())))
        .collect();
    let line =
        |(name, value): (&String, String)| format!("{what}.{} = {}", key(name), string(&value));
    match of_all {
        Some(value) if of_one.is_empty() => vec![format!("{what} = {}", string(&value))],
        Some(value) => {
            // A key is either a value or a table: all others get theirs by name.
            let others = inputs.iter().map(|input| &input.name);
            let others = others.filter(|name| of_one.iter().all(|(own, _)| own != name));
            let others: Vec<String> = others.map(|name| line((name, value.clone()))).collect();
            of_one.into_iter().map(line).chain(others).collect()
        }
        None => of_one.into_iter().map(line).collect(),
    }
}

/// A number as TOML writes it; any other text in quotes.
fn number_or_string(text: &str) -> String {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = all(whole) && all(part) && (whole == "0" || !whole.starts_with('0'));
    // An integer of TOML has 64 bits.
    if plain && whole.len() < 19 { text.to_owned() } else { string(text) }
}

/// A key, in quotes where it has other characters than those of names.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) { name.to_owned() } else { string(name) }
}

/// The path to a file as seen from a folder.
fn relative(folder: &Path, file: &Path) -> anyhow::Result<String> {
    let why = || format!("cannot tell where {} is", file.display());
    let (from, to) = (absolute(Path::new(".").join(folder)), absolute(file));
    let (from, to) = (from.with_context(why)?, to.with_context(why)?);
    let parts = |path: &Path| -> Vec<String> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (parts(&from), parts(&to));
    if from.iter().any(|part| part == "..") {
        // A link may stand before it, so that the folder above is not known from the name.
        return Ok(to.join("/").replacen("//", "/", 1));
    }
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[same..].iter().map(|_| "..");
    Ok(up.chain(to[same..].iter().map(String::as_str)).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_folder_of_the_test() {
        for (folder, file, path) in [
            ("", "a.frag", "a.frag"),
            ("tests", "a.frag", "../a.frag"),
            ("tests", "tests/deep/a.frag", "deep/a.frag"),
            ("tests/deep", "shaders/a.frag", "../../shaders/a.frag"),
            ("/x/y", "/x/z/a.frag", "../z/a.frag"),
            ("", "../a.frag", "../a.frag"),
        ] {
            assert_eq!(
                relative(Path::new(folder), Path::new(file)).unwrap(),
                path,
                "{folder} {file}"
            );
        }
    }

    #[test]
    fn numbers_of_toml_are_numbers() {
        for text in ["0", "-7", "0.5", "-12.25"] {
            assert_eq!(number_or_string(text), text);
        }
        for text in [
            "",
            "-",
            ".5",
            "5.",
            "00",
            "01.5",
            "1e3",
            "0x10",
            "true",
            "1,2",
            "9999999999999999999",
            "nan",
        ] {
            assert_eq!(number_or_string(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn names_of_members_are_quoted() {
        assert_eq!(["x", "lights[1].power"].map(key), ["x", "\"lights[1].power\""]);
    }
}
