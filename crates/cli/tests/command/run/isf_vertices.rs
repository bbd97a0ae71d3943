//! ISF shaders with a vertex shader in a file beside them.

use super::{floats, refused};
use crate::runner::Folder;

const FRAGMENT: &str = r#"/*{
  "ISFVSN": "2",
  "INPUTS": [ { "NAME": "shift", "TYPE": "float", "DEFAULT": 0.25 } ]
}*/
varying vec2 moved;
void main() { gl_FragColor = vec4(moved, 0.0, 1.0); }
"#;

const VERTICES: &str = "varying vec2 moved;
void main() {
  isf_vertShaderInit();
  moved = isf_FragNormCoord + shift;
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("pair.fs", FRAGMENT);
    folder.write("pair.vs", VERTICES);
    folder
}

/// The reds of a picture of 2 x 1.
#[track_caller]
fn reds(folder: &Folder, name: &str, wanted: [f32; 2]) {
    let (shape, numbers) = floats(folder, name);
    assert_eq!((shape, [numbers[0], numbers[4]]), (vec![1, 2, 4], wanted), "{name}");
}

#[test]
fn the_vertex_shader_beside_a_shader_is_run() {
    let folder = folder();
    let run = folder.run("run pair.fs --size 2x1 --output colour=a.npy").ended(0);
    assert!(run.out.contains("read as an ISF shader, with pair.vs"), "{}", run.out);
    reds(&folder, "a.npy", [0.5, 1.0]);
    folder.run("run pair.fs --size 2x1 --uniform shift=1 --output colour=b.npy").ended(0);
    reds(&folder, "b.npy", [1.25, 1.75]);
    // Hosts know the other ending too, and the file is found from elsewhere.
    std::fs::create_dir(folder.file("sub")).unwrap();
    folder.write("sub/other.frag", FRAGMENT);
    folder.write("sub/other.vert", VERTICES.replace("+ shift", "+ 2.0 * shift"));
    folder.run("run sub/other.frag --size 2x1 --output colour=c.npy").ended(0);
    reds(&folder, "c.npy", [0.75, 1.25]);
    // A shader of another dialect is no such pair.
    folder.write("plain.frag", "in vec2 at; out vec4 colour; void main() { colour = at.xyxy; }");
    folder.write("plain.vert", "an error");
    folder.run("run plain.frag --size 2x1 --output colour=d.npy").ended(0);
    reds(&folder, "d.npy", [0.25, 0.75]);
}

#[test]
fn it_belongs_to_passes_of_run_files_and_to_tests() {
    let folder = folder();
    let twice = "flip = true\n[pass.first]\nshader = \"pair.fs\"\nsize = [2, 1]\n[pass.twice]\nshader = \"twice.frag\"\nread.x = \"first.colour\"\n";
    folder.write("a.run.toml", twice);
    folder.write(
        "twice.frag",
        "uniform sampler2D x; out vec4 y; void main() { y = 2.0 * READ(x, TEXEL); }",
    );
    folder.run("run a.run.toml --output twice.y=y.npy").ended(0);
    reds(&folder, "y.npy", [1.0, 2.0]);
    folder.run("run pair.fs --size 2x1 --save-test saved").ended(0);
    folder.run("test saved.test.toml").ended(0);
    folder.write("pair.vs", VERTICES.replace("+ shift", "- shift"));
    folder.run("test saved.test.toml").ended(1);
}

#[test]
fn a_checkpoint_is_of_one_vertex_shader() {
    let folder = folder();
    let run = "pair.fs --size 2x1 --checkpoint kept --checkpoint-every 1 --iterate";
    folder.write("pair.vs", VERTICES.replace("+ shift", "+ shift + TIME"));
    folder.run(&format!("run {run} 2")).ended(0);
    folder.run(&format!("run {run} 3 --resume kept")).ended(0);
    folder.write("pair.vs", VERTICES.replace("+ shift", "- shift + TIME"));
    let again = format!("{run} 4 --resume kept");
    refused(&folder, &again, &["another experiment", "digest of the vertex shader"]);
}

#[test]
fn mistakes_are_told_in_the_file_that_has_them() {
    let folder = folder();
    folder.write("pair.vs", VERTICES.replace("shift;", "shifted;"));
    refused(&folder, "pair.fs --size 2x1", &["pair.vs:4:", "`shifted'"]);
    #[cfg(unix)]
    {
        folder.write("alone.fs", FRAGMENT);
        let elsewhere = Folder::new();
        elsewhere.write("secret", "secret");
        std::os::unix::fs::symlink(elsewhere.file("secret"), folder.file("alone.vs")).unwrap();
        let told =
            refused(&folder, "alone.fs --size 2x1", &["alone.vs", "no link out of its folder"]);
        assert!(!told.err.contains("`secret'"), "{}", told.err);
    }
}
