//! Writing what a test expects from now on, with where it comes from beside it.

use quadrille::internal::Folder;
use quadrille::io;
use quadrille::io::{must_end_in, write_whole};
use quadrille_lab::survey::cpu;
use quadrille_run::io::field::{PictureOptions, write};
use quadrille_run::testing::outcome::{Answer, Outcome, Provenance};
use quadrille_run::testing::{Recorded, Recording, TestFile, record};

use crate::prelude::*;

/// Refuses to write expectations where nobody would look at them.
pub(crate) fn must_not_be_ci(option: &str) -> Result<(), Failure> {
    match std::env::var_os("CI") {
        Some(value) if !value.is_empty() => {
            let text = format!(
                "{option} writes what is expected, which a person should look at: it does not run where CI is set"
            );
            Err(Failure::Input { text })
        }
        _ => Ok(()),
    }
}

/// The results to write although they may be a mistake.
#[derive(Clone, Copy, Default)]
pub(crate) struct Allowed {
    /// An output that is the same in all texels.
    pub(crate) constant: bool,
    /// A file outside of the folder of the test.
    pub(crate) outside: bool,
}

/// Computes and writes the numbers that a test expects, and adds to its description those that are
/// new: answers with the files that were written, or why none was.
pub(crate) fn bless(
    context: &Context,
    test: &TestFile,
    text: &str,
    allowed: Allowed,
) -> anyhow::Result<Answer> {
    let recorded = match record(context, test, allowed.constant)? {
        Recording::Refused(reasons) => return Ok(Answer::without_numbers(Outcome::Fail, reasons)),
        Recording::Skipped(why) => return Ok(Answer::without_numbers(Outcome::Skip, vec![why])),
        Recording::Ready(recorded) => recorded,
    };
    for recorded in &recorded {
        must_end_in(&recorded.file, ".npy")?;
        if !allowed.outside {
            must_be_inside(&test.path, &recorded.file)?;
        }
    }
    if !test.path.exists() {
        must_be_new(&recorded)?;
    }
    let whole = described(text, &recorded);
    TestFile::parse(&test.path, &whole)?;
    interrupt::writing(|| {
        for recorded in &recorded {
            write(&recorded.file, &recorded.field, PictureOptions::plain())?;
            write_provenance(context, &recorded.file)?;
        }
        if whole != text || !test.path.exists() {
            write_text(&test.path, &whole)?;
        }
        anyhow::Ok(())
    })?;
    let written = |recorded: &Recorded| format!("written: {}", recorded.file.display());
    Ok(Answer::of_writing(recorded.iter().map(written).collect()))
}

/// Refuses a file that is not in the folder of the test or below it: a description from somebody
/// else may name any.
fn must_be_inside(test: &Path, file: &Path) -> anyhow::Result<()> {
    let folder = Folder::new(test.parent().unwrap_or(Path::new("")).to_owned());
    let also = Provenance::path(file);
    if folder.holds(file) && folder.holds(&also) {
        return Ok(());
    }
    let text = format!(
        "{} is outside of the folder of the test: expected a file in it; --bless-outside writes elsewhere too",
        file.display()
    );
    Err(Failure::Input { text }.into())
}

/// A new test takes no file that is there already: nothing says that it is of this test.
fn must_be_new(recorded: &[Recorded]) -> Result<(), Failure> {
    let files = recorded.iter().flat_map(|new| [new.file.clone(), Provenance::path(&new.file)]);
    match files.into_iter().find(|file| file.exists()) {
        None => Ok(()),
        Some(file) => {
            let text = format!(
                "{} is there already, and would be overwritten: expected another name of the test, or no such file",
                file.display()
            );
            Err(Failure::Input { text })
        }
    }
}

/// A description with the expectations that it does not have yet.
fn described(text: &str, recorded: &[Recorded]) -> String {
    let mut text = text.to_owned();
    for Recorded { output, file, is_new, .. } in recorded {
        if *is_new {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let space = if text.is_empty() || text.ends_with("\n") { "" } else { "\n" };
            let name = toml_string(&name);
            let added = format!("{space}\n[expect.{output}]\nequals = {name}\nexact = true\n");
            // As the lines end that are there.
            text += &if text.contains("\r\n") { added.replace('\n', "\r\n") } else { added };
        }
    }
    text
}

/// A text in quotes: what JSON escapes, TOML reads.
pub(crate) fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `sobel.edges.npy.json` beside `sobel.edges.npy`.
fn write_provenance(context: &Context, file: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&Provenance::here(context, cpu::name()))?;
    Ok(write_text(&Provenance::path(file), &format!("{text}\n"))?)
}

fn write_text(path: &Path, text: &str) -> Result<(), io::Error> {
    write_whole(path, |file| std::io::Write::write_all(file, text.as_bytes()))
}
