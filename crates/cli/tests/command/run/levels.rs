//! Levels of what a shader reads: asked for by a flag, a run file and a test file.

use super::floats;
use crate::runner::Folder;

/// The middle of the right half, where level 0 is not the mean.
const MOVED: &str =
    "uniform sampler2D x; in vec2 uv; out float y; void main() { y = texture(x, uv + 0.4).r; }";

#[test]
fn mipmap_is_a_filter_of_flags_run_files_and_tests() {
    let folder = Folder::new();
    folder.write("moved.frag", MOVED);
    let is_half = |name: &str| {
        let (_, numbers) = floats(&folder, name);
        assert!(numbers.iter().all(|number| (number - 0.5).abs() < 1e-3), "{name}: {numbers:?}");
    };
    folder
        .run("run moved.frag --input x=ramp:64x64 --filter x=mipmap --size 1x1 --output a.npy")
        .ended(0);
    is_half("a.npy");
    folder
        .run("run moved.frag --input x=ramp:64x64 --filter linear --size 1x1 --output b.npy")
        .ended(0);
    assert!(floats(&folder, "b.npy").1[0] > 0.8, "level 0");
    let file = "input.x = \"ramp:64x64\"\nfilter.x = \"mipmap\"\nsize = [1, 1]\n[pass.one]\nshader = \"moved.frag\"\n";
    folder.write("a.run.toml", file);
    folder.run("run a.run.toml --output one.y=c.npy").ended(0);
    is_half("c.npy");
    let test = "shader = \"moved.frag\"\ninput.x = \"ramp:64x64\"\nfilter = \"mipmap\"\nsize = [1, 1]\napi = [\"gl\", \"gles\"]\n\
        [expect.y]\nvalues = [[0.5]]\nabsolute = 1e-3\n";
    folder.write("moved.test.toml", test);
    folder.run("test moved.test.toml").ended(0);
}
