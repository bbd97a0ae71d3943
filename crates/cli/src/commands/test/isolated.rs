//! Runs a test in a process of its own, which prints the device and then the answer, one line of
//! JSON each.

use std::io::Read;

use serde::Deserialize;

use quadrille::gl::Builder;
use quadrille::shader::Api;
use quadrille_lab::card::accuracy_of_used;
use quadrille_run::testing::outcome::{Answer, Exactness};
use quadrille_run::testing::report::figures;
use quadrille_run::testing::{self, TestFile};

use super::arguments::Arguments;
use super::bless::bless;
use super::rights::advised;
use crate::prelude::*;

/// The seed of the arguments of operations: each device gets the same.
const SEED: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) device: String,
}

/// Makes the context, and runs the test if there is one.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    end_with_the_parent()?;
    let context = builder(arguments).build()?;
    let device = context.abilities().renderer.clone();
    output::say_line(&Hello { device })?;
    let [path] = &arguments.paths[..] else { return Ok(()) };
    if path.is_dir() {
        return Ok(());
    }
    if arguments.accuracy {
        let accuracy = accuracy_of_used(&context, &std::fs::read_to_string(path)?, SEED)?;
        let exactness =
            accuracy.iter().map(|of| Exactness::new(of.operation, of.range, of.max_ulps));
        let exactness: Vec<Exactness> = exactness.collect();
        return output::say_line(&exactness);
    }
    let answer = match arguments.bless {
        true => blessed(&context, path, arguments),
        false => tested(&context, path, arguments),
    };
    output::say_line(&answer)
}

fn tested(context: &Context, path: &Path, arguments: &Arguments) -> Answer {
    let test = TestFile::read(path).map_err(testing::Error::from);
    match test.and_then(|test| testing::run(context, &arguments.rights().given(test))) {
        Ok(ran) if arguments.figures => Answer::of(&ran).with_figures(figures(&ran)),
        Ok(ran) => Answer::of(&ran),
        Err(error) => Answer::bad(explained(&error, path)).at(Some(&error.place_in(path))),
    }
}

/// An error with its place, and what writes the numbers that are missing or lets a file be read.
fn explained(error: &testing::Error, path: &Path) -> String {
    let text = error.placed(path);
    match error.lacks_expected_numbers() {
        true => format!("{text}; `quadrille test --bless` writes it"),
        false => advised(text, error),
    }
}

fn blessed(context: &Context, path: &Path, arguments: &Arguments) -> Answer {
    let written = || {
        let text = std::fs::read_to_string(path)?;
        let test = arguments.rights().given(TestFile::parse(path, &text)?);
        bless(context, &test, &text, arguments.allowed())
    };
    match written() {
        Ok(answer) => answer,
        Err(error) => Answer::bad(match error.downcast_ref() {
            Some(error) => explained(error, path),
            None => format!("{error:#}"),
        }),
    }
}

fn builder(arguments: &Arguments) -> Builder {
    let api = arguments.apis().and_then(|apis| apis.first()).copied().unwrap_or(Api::Gl);
    let builder = Context::builder().api(api);
    match &arguments.device {
        Some(device) => builder.device(device.as_str()),
        None => builder,
    }
}

/// Standard input is a pipe that ends with the process that started this one, also where that was
/// killed.
fn end_with_the_parent() -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("parent".into());
    let wait = || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        interrupt::end(1)
    };
    thread.spawn(wait).map(|_| ())
}
