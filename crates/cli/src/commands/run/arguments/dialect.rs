//! What is said of the dialects in which shaders are read.

use quadrille::shader::{Source, Stage};
use quadrille_run::{Dialect, Dialects};
use quadrille_run::{Experiment, RunFile};

use crate::prelude::*;

/// Notes, after a failure, the dialect in which each recognised shader was read; and shaders that
/// seem to be of another dialect.
pub(crate) fn note(sources: &[Source]) {
    for source in sources.iter().filter(|source| source.is_recognised()) {
        let (name, read) = (source.name(), source.read_as().described());
        output::note(&format!("note: {name} is read as {read}; use --dialect to choose another"));
    }
    for source in sources {
        if let Some(dialect) = source.resembles() {
            let (name, is) = (source.name(), dialect.described());
            output::note(&format!(
                "help: {name} uses words of {is} that it does not declare: --dialect {} supplies them",
                dialect.name()
            ));
        }
    }
}

/// Notes what coordinates count where there are rectangle textures.
pub(crate) fn tell_of_texels(experiment: &Experiment) {
    for (name, coordinate, counts) in experiment.rectangle_coordinates() {
        let told = match counts {
            true => {
                format!("`{coordinate}` counts texels, since the shader reads rectangle textures")
            }
            false => format!(
                "`{coordinate}` runs from 0 to 1, since an ordinary texture is read at it; a rectangle texture is read at texels"
            ),
        };
        output::note(&format!("note: {name}: {told}"));
    }
}

/// Refuses a dialect where no shader has one.
pub(crate) fn check(run: &RunFile, sources: &[Source]) -> Result<(), Failure> {
    let Some(dialect) = run.settings().dialect else { return Ok(()) };
    if sources.iter().any(|source| source.stage() == Stage::Fragment) {
        return Ok(());
    }
    let names: Vec<&str> = sources.iter().map(Source::name).collect();
    let text = format!(
        "--dialect {}: expected a fragment shader; {} is a compute shader, which has no dialect: leave it out",
        dialect.name(),
        names.join(", ")
    );
    Err(Failure::Input { text })
}

/// The dialects in which shaders were read, for a message, unless all are plain.
pub(crate) fn read_as(sources: &[Source]) -> Vec<String> {
    let told = sources.iter().filter(|source| source.read_as() != Dialect::Plain);
    let text = |source: &Source| {
        let described = source.read_as().described();
        let with = source.name_of_vertices().map(|name| format!(", with {name}"));
        let with = with.unwrap_or_default();
        match sources.len() {
            1 => format!("read as {described}{with}"),
            _ => format!("{} read as {described}{with}", source.name()),
        }
    };
    told.map(text).collect()
}
