//! One test in a process of its own: says the device, then the answer, one line of JSON each.

use std::io::Read;

use serde::Deserialize;

use quadrille::gl::Builder;
use quadrille::testing::{self, TestFile};
use quadrille_lab::testing::Answer;

use super::super::prelude::*;
use super::arguments::Arguments;
use quadrille::shader::Api;

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
    output::say(&serde_json::to_string(&Hello { device })?)?;
    let [path] = &arguments.paths[..] else { return Ok(()) };
    if path.is_dir() {
        return Ok(());
    }
    let ran = TestFile::read(path)
        .map_err(testing::Error::from)
        .and_then(|test| testing::run(&context, &test));
    output::say(&serde_json::to_string(&Answer::of(&ran, path))?)
}

fn builder(arguments: &Arguments) -> Builder {
    let api = arguments.apis().and_then(|apis| apis.first()).copied().unwrap_or(Api::Gl);
    let builder = Context::builder().api(api);
    match &arguments.device {
        Some(device) => builder.device(device.as_str()),
        None => builder,
    }
}

/// Standard input is a pipe that ends with the process that started this one, also where that was killed.
fn end_with_the_parent() -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("parent".into());
    let wait = || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        interrupt::end(1)
    };
    thread.spawn(wait).map(|_| ())
}
