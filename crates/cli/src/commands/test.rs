//! `quadrille test`: regression tests of people's shaders, each in a process of its own.

mod annotations;
mod arguments;
mod bless;
mod child;
mod compare;
mod find;
mod isolated;
mod places;
mod report;
mod rights;
mod selection;
mod work;

use std::path::Path;

use quadrille::io::write_whole;
use quadrille_run::testing::outcome::{Case, Outcome, Tally};
use quadrille_run::testing::report::{junit, page};

pub(crate) use self::arguments::Arguments;
use self::arguments::PAGE;
pub(crate) use self::bless::{Allowed, bless, must_not_be_ci, toml_string};
use self::report::Report;
use crate::prelude::*;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.isolated {
        return isolated::run(arguments);
    }
    arguments.check()?;
    let tests = find::tests(arguments)?;
    let places = places::of(arguments, &tests)?;
    let cases = interrupt::watched(|| work::all(arguments, &tests, &places))?;
    if let Some(file) = &arguments.junit {
        interrupt::writing(|| write(file, &junit(&cases)))?;
    }
    let explanations = interrupt::watched(|| compare::explanations(&tests, &places, &cases))?;
    let file = arguments.report.as_ref().map(|folder| folder.join(PAGE));
    if let Some(file) = &file {
        interrupt::writing(|| write(file, &page(&cases, &explanations)))?;
    }
    let report = Report::new(cases, explanations);
    output::show(arguments.json, &report, || report.text(file.as_deref()))?;
    if arguments.annotate.is_some() {
        annotations::say(&report.tests)?;
    }
    judge(&report.tests, arguments.allow_skipped)
}

fn write(path: &Path, text: &str) -> Result<(), quadrille::io::Error> {
    write_whole(path, |file| std::io::Write::write_all(file, text.as_bytes()))
}

/// Fails unless all is as expected.
fn judge(cases: &[Case], allow_skipped: bool) -> anyhow::Result<()> {
    let (all, Tally { failed, bad, .. }) = (cases.len(), Tally::of(cases));
    let failures = format!("{failed} of {all} tests are not as expected");
    let descriptions = format!("{bad} of {all} descriptions are wrong");
    match (failed, bad) {
        (0, 0) => {}
        (_, 0) => return Err(Failure::Work { text: failures }.into()),
        (0, _) => return Err(Failure::Input { text: descriptions }.into()),
        _ => return Err(Failure::Input { text: format!("{failures}, and {descriptions}") }.into()),
    }
    let skipped = cases.iter().all(|case| case.outcome == Outcome::Skip);
    if skipped && !allow_skipped {
        let text =
            "every test was skipped, so nothing was tested; --allow-skipped takes that for success"
                .into();
        return Err(Failure::Input { text }.into());
    }
    Ok(())
}
