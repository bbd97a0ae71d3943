//! `--save-test`: the command line as a test, which expects what was computed.

use std::path::{Component, absolute};

use anyhow::Context as _;

use quadrille_run::Settings;
use quadrille_run::testing::TestFile;
use quadrille_run::testing::file::ENDING;
use quadrille_run::testing::outcome::{Answer, Outcome};

use super::super::test::{Allowed, bless, must_not_be_ci, toml_string as string};
use super::arguments::Subject;
use crate::output::quoted;
use crate::prelude::*;

/// The file of a test of this name, which must not be there yet.
pub(super) fn file(subject: &Subject, name: &Path) -> anyhow::Result<PathBuf> {
    must_not_be_ci("--save-test")?;
    if subject.is_run_file() {
        let Settings { samplings, .. } = subject.settings();
        must_be_one_way("wrap", samplings.wraps())?;
        must_be_one_way("filter", samplings.filters())?;
    }
    let mut file = name.as_os_str().to_owned();
    if !name.to_string_lossy().ends_with(ENDING) {
        file.push(ENDING);
    }
    let file = PathBuf::from(file);
    output::check_folder(&file)?;
    if file.exists() {
        let text = format!(
            "--save-test: {} is there already; `quadrille test --bless {}` replaces what it expects",
            file.display(),
            quoted(&file.display().to_string())
        );
        return Err(Failure::Input { text }.into());
    }
    Ok(file)
}

/// Writes the test and its expectations, computed by the test itself.
pub(super) fn save(
    context: &Context,
    subject: &Subject,
    api: &str,
    file: &Path,
) -> anyhow::Result<()> {
    let text = described(subject, api, file)?;
    let test = TestFile::parse(file, &text).context("the saved test cannot be read")?;
    // Whoever gave the command named the files.
    let test = test.allow_outside();
    let Answer { outcome, reasons: lines, .. } =
        bless(context, &test, &text, Allowed::default()).context("--save-test")?;
    if outcome != Outcome::Pass {
        let text = format!("--save-test: {}", lines.join("; "));
        return Err(Failure::Work { text }.into());
    }
    output::note(&format!("written: {}", file.display()));
    lines.iter().for_each(|line| output::note(line));
    Ok(())
}

/// The description of the command line.
fn described(subject: &Subject, api: &str, file: &Path) -> anyhow::Result<String> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let path = |path: &Path| relative(folder, path);
    let is_run = subject.is_run_file();
    let key = if is_run { "run" } else { "shader" };
    let mut settings = subject.settings();
    settings.seed = settings.seed.or((!is_run).then_some(1));
    let subject = format!("{key} = {}", string(&path(&subject.kernel)?));
    let api = format!("api = {}", string(api));
    let lines = [vec![subject], settings.described(path)?, vec![api]];
    Ok(lines.concat().join("\n") + "\n")
}

/// Refuses an option for all and for some by name: a test has one or the other, and the names of
/// all are in the file of the run.
fn must_be_one_way<T>(option: &str, asked: &[(Option<String>, T)]) -> Result<(), Failure> {
    let of_all = asked.iter().any(|(name, _)| name.is_none());
    match of_all && asked.iter().any(|(name, _)| name.is_some()) {
        true => {
            let text = format!(
                "--save-test: expected --{option} once for all inputs, or by name for each as in --{option} NAME=...; got both, and a test \
                 of a *.run.toml has one of them"
            );
            Err(Failure::Input { text })
        }
        false => Ok(()),
    }
}

/// The path to a file as seen from a folder.
fn relative(folder: &Path, file: &Path) -> anyhow::Result<String> {
    let why = || format!("cannot find the folder of {}", file.display());
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
}
