//! `quadrille test`: regression tests of people's shaders, each in a process of its own.

mod arguments;
mod asked;
mod bless;
mod child;
mod compare;
mod find;
mod isolated;
mod places;
mod report;
mod work;

use std::path::Path;

use quadrille::internal::write_whole;
use quadrille_lab::testing::{Entry, Outcome, junit, page};

pub(super) use self::arguments::Arguments;
use self::arguments::PAGE;
pub(super) use self::bless::{bless, must_not_be_ci};
use self::report::Report;
use super::prelude::*;

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.isolated {
        return isolated::run(arguments);
    }
    arguments.check()?;
    let tests = find::tests(arguments)?;
    let places = places::of(arguments, &tests)?;
    let entries = interrupt::watched(|| work::all(arguments, &tests, &places))?;
    if let Some(file) = &arguments.junit {
        interrupt::writing(|| write(file, &junit(&entries)))?;
    }
    let explanations = interrupt::watched(|| compare::explanations(&tests, &places, &entries))?;
    if let Some(folder) = &arguments.report {
        interrupt::writing(|| write(&folder.join(PAGE), &page(&entries, &explanations)))?;
    }
    let report = Report::new(entries, explanations);
    output::show(arguments.json, &report, || report.text())?;
    judge(&report.tests, arguments.allow_skipped)
}

fn write(path: &Path, text: &str) -> Result<(), quadrille::io::Error> {
    write_whole(path, |file| std::io::Write::write_all(file, text.as_bytes()))
}

/// Fails unless all is as expected.
fn judge(entries: &[Entry], allow_skipped: bool) -> anyhow::Result<()> {
    let bad = entries.iter().filter(|entry| entry.outcome == Outcome::Bad).count();
    if bad > 0 {
        let text = format!("{bad} of {} descriptions are wrong", entries.len());
        return Err(Failure::Input { text }.into());
    }
    let wrong = entries.iter().filter(|entry| entry.outcome.is_wrong()).count();
    if wrong > 0 {
        let text = format!("{wrong} of {} tests are not as expected", entries.len());
        return Err(Failure::Work { text }.into());
    }
    let skipped = entries.iter().all(|entry| entry.outcome == Outcome::Skip);
    if skipped && !allow_skipped {
        let text =
            "every test was skipped, so nothing was tested; --allow-skipped takes that for success"
                .into();
        return Err(Failure::Input { text }.into());
    }
    Ok(())
}
