//! Expands the source of a shader to its text in the language of a context.

use crate::gl::Context;
use crate::shader::{Expanded, Reads, Source, Stage, expand};

use crate::stream::Result;

/// Expands a shader in the language of a context, with the form of reads that is set, else the one
/// that suits the renderer.
///
/// # Errors
/// Those of the text: its includes, its names and its dialect.
pub fn resolve(context: &Context, source: &Source, reads: Option<Reads>) -> Result<Expanded> {
    let abilities = context.abilities();
    if source.stage() == Stage::Compute {
        must_have_storage(context, &format!("{}, a compute shader,", source.name()))?;
        return Ok(expand(source, &abilities.compute_language(Reads::Fetch))?);
    }
    let wanted = reads.unwrap_or(abilities.reads());
    let language = if source.needs_storage() {
        let request = format!("{}, whose fragments use storage,", source.name());
        must_have_storage(context, &request)?;
        abilities.compute_language(wanted)
    } else {
        abilities.language(wanted)
    };
    let text = expand(source, &language)?;
    // Textures may then have filters of their own, which only a fetch ignores.
    let must_fetch = reads.is_none() && (text.has_own_vertices() || text.samples());
    Ok(if must_fetch { text.fetching() } else { text })
}

/// Refuses a shader that needs storage buffers or images on a context without them.
pub(crate) fn must_have_storage(context: &Context, request: &str) -> Result<()> {
    let abilities = context.abilities();
    if abilities.compute.is_some() {
        return Ok(());
    }
    let remedy = "use a fragment kernel, which draws into textures";
    Err(abilities.lack(request, "OpenGL 4.3 or OpenGL ES 3.1", remedy).into())
}
