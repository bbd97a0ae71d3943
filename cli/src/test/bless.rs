//! Writing what a test expects from now on, with where it comes from beside it.

use quadrille::internal::{must_end_in, write_whole};
use quadrille::io;
use quadrille::io::field::{PictureOptions, write};
use quadrille::testing::{Recorded, Recording, TestFile, record};
use quadrille_lab::testing::Provenance;

use super::super::prelude::*;

/// Refuses to write expectations where nobody would look at them.
pub(in super::super) fn must_not_be_ci(option: &str) -> Result<(), Failure> {
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

/// Computes and writes the numbers that a test expects, and adds to its description those that are new: the files that
/// were written, or why none was.
pub(in super::super) fn bless(
    context: &Context,
    test: &TestFile,
    text: &str,
    constant: bool,
) -> anyhow::Result<Result<Vec<String>, Vec<String>>> {
    let recorded = match record(context, test, constant)? {
        Recording::Refused(reasons) => return Ok(Err(reasons)),
        Recording::Ready(recorded) => recorded,
    };
    for recorded in &recorded {
        must_end_in(&recorded.file, ".npy")?;
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
    Ok(Ok(recorded
        .iter()
        .map(|recorded| format!("written: {}", recorded.file.display()))
        .collect()))
}

/// A description with the expectations that it does not have yet.
fn described(text: &str, recorded: &[Recorded]) -> String {
    let mut text = text.to_owned();
    for Recorded { output, file, is_new, .. } in recorded {
        if *is_new {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let space = if text.is_empty() || text.ends_with("\n") { "" } else { "\n" };
            text += &format!("{space}\n[expect.{output}]\nequals = \"{name}\"\nexact = true\n");
        }
    }
    text
}

/// `sobel.edges.npy.json` beside `sobel.edges.npy`.
fn write_provenance(context: &Context, file: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&Provenance::here(context))?;
    Ok(write_text(&Provenance::path(file), &format!("{text}\n"))?)
}

fn write_text(path: &Path, text: &str) -> Result<(), io::Error> {
    write_whole(path, |file| std::io::Write::write_all(file, text.as_bytes()))
}
