//! The names in GLSL of the types that nothing here can give.

/// Types that sample or store three classes of numbers: the name, and OpenGL's constants for floats, signed and
/// unsigned integers.
const OPAQUE: [(&str, [u32; 3]); 22] = [
    ("sampler1D", [0x8b5d, 0x8dc9, 0x8dd1]),
    ("sampler2D", [0x8b5e, 0x8dca, 0x8dd2]),
    ("sampler3D", [0x8b5f, 0x8dcb, 0x8dd3]),
    ("samplerCube", [0x8b60, 0x8dcc, 0x8dd4]),
    ("sampler2DRect", [0x8b63, 0x8dcd, 0x8dd5]),
    ("sampler1DArray", [0x8dc0, 0x8dce, 0x8dd6]),
    ("sampler2DArray", [0x8dc1, 0x8dcf, 0x8dd7]),
    ("samplerBuffer", [0x8dc2, 0x8dd0, 0x8dd8]),
    ("samplerCubeArray", [0x900c, 0x900e, 0x900f]),
    ("sampler2DMS", [0x9108, 0x9109, 0x910a]),
    ("sampler2DMSArray", [0x910b, 0x910c, 0x910d]),
    ("image1D", [0x904c, 0x9057, 0x9062]),
    ("image2D", [0x904d, 0x9058, 0x9063]),
    ("image3D", [0x904e, 0x9059, 0x9064]),
    ("image2DRect", [0x904f, 0x905a, 0x9065]),
    ("imageCube", [0x9050, 0x905b, 0x9066]),
    ("imageBuffer", [0x9051, 0x905c, 0x9067]),
    ("image1DArray", [0x9052, 0x905d, 0x9068]),
    ("image2DArray", [0x9053, 0x905e, 0x9069]),
    ("imageCubeArray", [0x9054, 0x905f, 0x906a]),
    ("image2DMS", [0x9055, 0x9060, 0x906b]),
    ("image2DMSArray", [0x9056, 0x9061, 0x906c]),
];

/// All others.
const OTHERS: [(&str, u32); 24] = [
    ("sampler1DShadow", 0x8b61),
    ("sampler2DShadow", 0x8b62),
    ("sampler2DRectShadow", 0x8b64),
    ("sampler1DArrayShadow", 0x8dc3),
    ("sampler2DArrayShadow", 0x8dc4),
    ("samplerCubeShadow", 0x8dc5),
    ("samplerCubeArrayShadow", 0x900d),
    ("samplerExternalOES", 0x8d66),
    ("atomic_uint", 0x92db),
    ("double", 0x140a),
    ("dvec2", 0x8ffc),
    ("dvec3", 0x8ffd),
    ("dvec4", 0x8ffe),
    ("dmat2", 0x8f46),
    ("dmat3", 0x8f47),
    ("dmat4", 0x8f48),
    ("dmat2x3", 0x8f49),
    ("dmat2x4", 0x8f4a),
    ("dmat3x2", 0x8f4b),
    ("dmat3x4", 0x8f4c),
    ("dmat4x2", 0x8f4d),
    ("dmat4x3", 0x8f4e),
    ("int64_t", 0x140e),
    ("uint64_t", 0x140f),
];

/// Returns the name of a type in GLSL, in two parts, by OpenGL's constant for it.
pub(super) fn name_of(code: u32) -> Option<(&'static str, &'static str)> {
    let opaque = |(name, codes): &(&'static str, [u32; 3])| {
        let class = codes.iter().position(|known| *known == code)?;
        Some((["", "i", "u"][class], *name))
    };
    let other = || OTHERS.iter().find(|(_, known)| *known == code).map(|(name, _)| ("", *name));
    OPAQUE.iter().find_map(opaque).or_else(other)
}
