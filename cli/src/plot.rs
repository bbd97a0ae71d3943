//! The file of `--plot`.

use std::io::Write;
use std::path::Path;

use quadrille_lab::render;
use quadrille_lab::report::Figure;

pub(super) fn write(path: &Path, figures: &[Figure]) -> anyhow::Result<()> {
    let svg = render::svg_of_all(figures)?;
    Ok(quadrille::internal::write_whole(path, |file| file.write_all(svg.as_bytes()))?)
}
