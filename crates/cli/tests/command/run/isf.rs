//! ISF shaders of several passes, as people paste them.

use super::{floats, refused};
use crate::runner::Folder;

/// A trail in a buffer of half the width, and the picture.
const TRAIL: &str = r#"/*{
  "CREDIT": "by nobody",
  "ISFVSN": "2",
  "INPUTS": [
    { "NAME": "inputImage", "TYPE": "image" },
    { "NAME": "amount", "TYPE": "float", "DEFAULT": 0.7, "MIN": 0.0, "MAX": 1.0 }
  ],
  "PASSES": [
    {
      "TARGET": "trail",
      "PERSISTENT": true,
      "FLOAT": true,
      "WIDTH": "floor($WIDTH/2.0)"
    },
    {
    }
  ]
}*/

void main()  {
  if (PASSINDEX == 0)  {
    vec4 fresh = IMG_PIXEL(inputImage, vec2(2.0, 1.0) * floor(gl_FragCoord.xy) + 0.5);
    gl_FragColor = mix(fresh, IMG_THIS_PIXEL(trail), amount) + 0.001 * sin(TIME);
  }
  else  {
    gl_FragColor = IMG_PIXEL(trail, floor(gl_FragCoord.xy * vec2(0.5, 1.0)) + 0.5);
  }
}
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("trail.fs", TRAIL);
    folder
}

#[test]
fn a_trail_runs_as_pasted() {
    let folder = folder();
    let run = "run trail.fs --input inputImage=ramp:4x2 --rate 1e9 --iterate 3";
    let run =
        folder.run(&format!("{run} --output colour=c.npy --output trail.colour=t.npy")).ended(0);
    for part in
        ["read as an ISF shader", "3 steps of 2 passes", "trail.colour, vec4, shape (2, 2, 4)"]
    {
        assert!(run.out.contains(part), "{part} in {}", run.out);
    }
    let (shape, trail) = floats(&folder, "t.npy");
    assert_eq!(shape, [2, 2, 4]);
    // What is left after three steps of 1 - 0.7^3.
    let near =
        |got: f32, wanted: f64| assert!((f64::from(got) - wanted).abs() < 1e-6, "{got} {wanted}");
    trail
        .chunks(4)
        .zip([0.0, 2.0 / 3.0, 0.0, 2.0 / 3.0])
        .for_each(|(texel, x)| near(texel[0], 0.657 * x));
    let (shape, picture) = floats(&folder, "c.npy");
    assert_eq!(shape, [2, 4, 4]);
    let reds = picture.chunks(4).zip([0.0, 0.0, 2.0 / 3.0, 2.0 / 3.0].repeat(2));
    reds.for_each(|(texel, x)| near(texel[0], 0.657 * x));
}

#[test]
fn a_checkpoint_goes_on_with_the_same_bits() {
    let folder = folder();
    let run = |more: &str| {
        let run = "run trail.fs --input inputImage=random:33x17x4 --seed 5 --checkpoint-every 4";
        folder.run(&format!("{run} {more}")).ended(0);
    };
    run("--iterate 13 --checkpoint whole --output colour=a.npy --output trail.colour=b.npy");
    run("--iterate 6 --checkpoint half");
    run(
        "--iterate 13 --checkpoint half --resume half --output colour=c.npy --output trail.colour=d.npy",
    );
    for (whole, resumed) in [("a.npy", "c.npy"), ("b.npy", "d.npy")] {
        let read = |name: &str| std::fs::read(folder.file(name)).unwrap();
        assert!(read(whole) == read(resumed), "{whole} and {resumed} differ");
    }
}

#[test]
fn it_is_a_pass_of_a_run_file_and_the_shader_of_a_test() {
    let folder = folder();
    folder.write(
        "twice.frag",
        "uniform sampler2D x; out vec4 y; void main() { y = 2.0 * READ(x, TEXEL); }",
    );
    let passes = |size: &str| {
        format!(
            "flip = true\nrate = 1e9\niterate = 3\ninput.x = \"ramp:4x2\"\n[pass.twice]\nshader = \"twice.frag\"\n[pass.slow]\n\
             shader = \"trail.fs\"\nread.inputImage = \"twice.y\"\n{size}\n[pass.more]\nshader = \"twice.frag\"\nread.x = \"slow.trail.colour\"\n"
        )
    };
    folder.write("a.run.toml", passes(""));
    refused(
        &folder,
        "a.run.toml",
        &["pass `slow`", "`twice.y`", "give the pass a width and a height"],
    );
    folder
        .write("a.run.toml", passes("size = \"x\"\nrepeat = 2\nfeedback.colour = \"inputImage\""));
    refused(&folder, "a.run.toml", &["pass `slow`", "is not repeated"]);
    folder.write("a.run.toml", passes("size = \"x\"\nuniform.amount = 0.5"));
    folder.run("run a.run.toml --output more.y=y.npy").ended(0);
    let (shape, numbers) = floats(&folder, "y.npy");
    assert_eq!(shape, [2, 2, 4]);
    for (texel, x) in numbers.chunks(4).zip([0.0, 2.0 / 3.0, 0.0, 2.0 / 3.0]) {
        assert!((f64::from(texel[0]) - 4.0 * 0.875 * x).abs() < 1e-6, "{numbers:?}");
    }
    let test = "shader = \"trail.fs\"\nrate = 1e9\niterate = 3\nuniform.amount = 0.5\ninput.inputImage = \"zeros:4x2x4\"\n\
                [expect.colour]\nall = [0, 0, 0, 0]\nabsolute = 1e-9\n[expect.trail.colour]\nall = [0, 0, 0, 0]\nabsolute = 1e-9\n";
    folder.write("trail.test.toml", test);
    folder.run("test trail.test.toml").ended(0);
    folder.run("run trail.fs --input inputImage=ramp:4x2 --iterate 2 --save-test saved").ended(0);
    folder.run("test saved.test.toml").ended(0);
}

#[test]
fn mistakes_are_told_at_the_line_that_was_pasted() {
    let folder = folder();
    folder.write("bad.fs", TRAIL.replace("$WIDTH/2.0)", "$WIDTH/2.0"));
    let parts = ["bad.fs:13:33: error: ", "`trail.WIDTH`", "expected `)`"];
    refused(&folder, "bad.fs --input inputImage=ramp:4x2", &parts);
}
