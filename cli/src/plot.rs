//! The file of `--plot`.

use std::io::Write;
use std::path::Path;

use quadrille_lab::render;
use quadrille_lab::report::Figure;

/// Draws the figures one below the other and writes them whole.
pub(super) fn write(path: &Path, figures: &[Figure]) -> anyhow::Result<()> {
    let svg = render::svg_of_all(figures)?;
    Ok(quadrille::internal::write_whole(path, |file| file.write_all(svg.as_bytes()))?)
}
