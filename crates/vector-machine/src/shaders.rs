//! The folder `glsl/` of this package, carried inside it. Its shaders include those of the library
//! as well.

use quadrille::internal::shader::PackageShaders;

/// The files of `glsl/`, except README.md; a test compares this table with the folder.
pub const SHADERS: PackageShaders = PackageShaders::new(
    "crates/vector-machine/glsl",
    quadrille::internal::embed![
        "include/masks.glsl",
        "include/random.glsl",
        "include/vector_attributes.glsl",
        "include/vector_function.glsl",
        "include/vertex_isa.glsl",
        "sat/choose.frag",
        "sat/count.frag",
        "sat/evaluate.frag",
        "sat/extract.frag",
        "sat/flip.frag",
        "sat/fold.frag",
        "sat/fresh.frag",
        "sat/slice.frag",
        "sat/solved.frag",
        "sat/tally.frag",
        "vector_machine/find.frag",
        "vector_machine/function.comp",
        "vector_machine/function.frag",
        "vector_machine/function.vert",
        "vector_machine/partial.vert",
        "vector_machine/pixels.frag",
        "vector_machine/result.frag",
    ],
);
