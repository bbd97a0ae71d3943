//! The folder `glsl/` of this package, carried inside it. Its shaders include those of the library as well.

use quadrille::internal::shader::PackageShaders;

/// One entry for each file of `glsl/`, README.md apart; a test compares this table with the folder.
pub const SHADERS: PackageShaders = PackageShaders::new(
    "run/glsl",
    quadrille::internal::embed!["view/colour.frag", "view/pick.frag",],
);
