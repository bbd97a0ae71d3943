//! Channels that an output lacks: a step reads of what a draw wrote what it reads of a file.

use super::*;

/// Both count their steps by the alpha of the texel that they read, which is 1 where the output
/// lacks it.
const COLOUR: &str = "uniform sampler2D s;
out vec3 o;
void main() {
    vec4 texel = READ(s, TEXEL);
    o = texel.rgb * texel.a + 1.0;
}
";
const PAIR: &str = "uniform usampler2D s;
out uvec2 o;
void main() {
    uvec4 texel = READ(s, TEXEL);
    o = texel.rg * texel.a + texel.bb + 1u;
}
";

fn counts() -> Folder {
    let folder = Folder::new();
    folder.write("colour.frag", COLOUR);
    folder.write("pair.frag", PAIR);
    folder.write("colour.npy", npy("<f4", false, "(1, 2, 3)", &singles(&[1.0; 6])));
    folder.write("pair.npy", npy("<u4", false, "(1, 2, 2)", &[1, 0, 0, 0].repeat(4)));
    folder
}

#[test]
fn three_steps_at_once_are_three_steps_by_way_of_files() {
    let folder = counts();
    for api in ["gl", "gles"] {
        for (name, wanted) in [("colour", 4), ("pair", 4)] {
            let run = format!("run {name}.frag --api {api} --feedback o=s");
            folder
                .run(&format!("{run} --input s={name}.npy --iterate 3 --output o=at_once.npy"))
                .ended(0);
            for (from, to) in [(name, "one"), ("one", "two"), ("two", "three")] {
                folder.run(&format!("{run} --input s={from}.npy --output o={to}.npy")).ended(0);
            }
            let at_once = read(folder.file("at_once.npy")).unwrap().0;
            assert_eq!(at_once, read(folder.file("three.npy")).unwrap().0, "{name} on {api}");
            let all: Vec<f64> = at_once.values().as_ref().doubles().collect();
            assert!(all.iter().all(|x| *x == f64::from(wanted)), "{name} on {api}: {all:?}");
        }
    }
}
