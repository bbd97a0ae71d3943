//! Shaders as people paste them: what `run` says of them, and where the rows go.

use super::{floats, refused};
use crate::runner::{Folder, npy, singles};

const TOY: &str = "void mainImage( out vec4 fragColor, in vec2 fragCoord )
{
    vec2 uv = fragCoord/iResolution.xy;
    vec3 col = vec3(uv, iTime);
    fragColor = vec4(col, 1.0);
}
";

const OLD: &str = "#version 120
varying vec2 at;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, at) * 2.0; }
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("toy.frag", TOY);
    folder.write("old.frag", OLD);
    folder
}

#[test]
fn a_shadertoy_shader_runs_as_pasted_and_stands_upright() {
    let folder = folder();
    let run =
        folder.run("run toy.frag --size 4x2 --rate 2 --iterate 2 --output colour=c.npy").ended(0);
    assert!(run.out.contains("read as a Shadertoy shader"), "{}", run.out);
    let (shape, numbers) = floats(&folder, "c.npy");
    assert_eq!(shape, [2, 4, 4]);
    // The first row is the top; a step takes half a second.
    assert_eq!(&numbers[..4], [0.125, 0.75, 0.5, 1.0]);
    assert_eq!(&numbers[16..20], [0.125, 0.25, 0.5, 1.0]);
    folder.run("run toy.frag --size 4x2 --flip=false --output colour=d.npy").ended(0);
    assert_eq!(floats(&folder, "d.npy").1[1], 0.25);
    let json = folder.run("run toy.frag --size 4x2 --json").ended(0);
    assert!(json.out.contains("\"dialects\": [\n    \"shadertoy\"\n  ]"), "{}", json.out);
}

#[test]
fn old_shaders_run_as_pasted() {
    let folder = folder();
    let run = folder.run("run old.frag --input image=ramp:3x2 --output colour=c.npy").ended(0);
    assert!(run.out.contains("read as a shader of WebGL 1 or GLSL 1.20"), "{}", run.out);
    let (_, numbers) = floats(&folder, "c.npy");
    let reds: Vec<f32> = numbers.chunks(4).map(|texel| texel[0]).collect();
    assert_eq!(reds, [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    // A plain shader is not spoken of.
    folder.write("plain.frag", "out float y; void main() { y = 1.0; }");
    let run = folder.run("run plain.frag --size 2x2").ended(0);
    assert!(!run.out.contains("read as"), "{}", run.out);
}

#[test]
fn what_a_shader_leaves_to_chance_is_told_once() {
    let folder = folder();
    folder.write(
        "chance.frag",
        "out float y;\nvoid main() {\n    float sum;\n    sum += 2.0;\n    y = sum;\n}",
    );
    let told = "chance.frag:3:11: `sum` is read before it is set";
    let text = folder.run("run chance.frag --size 2x2").ended(0);
    assert_eq!(text.out.matches(told).count(), 1, "{}", text.out);
    let json = folder.run("run chance.frag --size 2x2 --json").ended(0).json();
    let first = json["notes"][0].as_str().unwrap();
    assert!(first.starts_with(told), "{json}");
    let toy = folder.run("run toy.frag --size 4x2 --json").ended(0);
    assert!(toy.out.contains("\"notes\": []"), "{}", toy.out);
}

#[test]
fn the_only_output_needs_no_name() {
    let folder = folder();
    let run = folder.run("run toy.frag --size 4x2 --output c.npy").ended(0);
    assert!(run.out.contains("written to c.npy"), "{}", run.out);
    assert_eq!(floats(&folder, "c.npy").0, [2, 4, 4]);
    folder.write(
        "two.frag",
        "layout(location = 0) out float a; layout(location = 1) out float b; void main() { a = b = 1.0; }",
    );
    let said = ["--output d.npy: expected NAME=FILE", "several outputs: a, b", "a=d.npy"];
    refused(&folder, "two.frag --size 2x2 --output d.npy", &said);
    let same = "two.frag --size 2x2 --output a=d.npy --output b=d.npy";
    refused(&folder, same, &["outputs `a` and `b` go to one file, d.npy"]);
}

#[test]
fn a_dialect_that_was_told_is_no_note() {
    let folder = folder();
    folder.write("asks.frag", TOY.replace("iTime", "texture(iChannel0, uv).r"));
    folder.write(
        "told.run.toml",
        "dialect = \"shadertoy\"\nsize = [2, 2]\n[pass.a]\nshader = \"asks.frag\"\n",
    );
    folder.write("guessed.run.toml", "size = [2, 2]\n[pass.a]\nshader = \"asks.frag\"\n");
    let note = "read as a Shadertoy shader; use --dialect to choose another";
    let asks = ["not given: sampler2D iChannel0", "help: --input iChannel0=FILE"];
    for told in ["told.run.toml", "--dialect shadertoy asks.frag"] {
        let run = refused(&folder, told, &asks);
        assert!(!run.err.contains(note), "{}", run.err);
    }
    for guessed in ["guessed.run.toml", "asks.frag"] {
        refused(&folder, guessed, &asks).says(note);
    }
}

/// The keyboard of Shadertoy, as the documentation describes it: the keys that are down are in the
/// last row.
#[test]
fn the_keyboard_is_an_array_of_three_rows() {
    let folder = folder();
    folder.write(
        "keys.frag",
        "void mainImage(out vec4 c, in vec2 p) {
            for (int y = 0; y < 3; y++) c[y] = texelFetch(iChannel0, ivec2(32 + y, y), 0).x;
        }",
    );
    let mut keys = vec![0.0_f32; 3 * 256];
    (keys[2 * 256 + 32], keys[256 + 33], keys[34]) = (0.25, 0.5, 1.0);
    folder.write("keys.npy", npy("<f4", false, "(3, 256)", &singles(&keys)));
    folder.run("run keys.frag --input iChannel0=keys.npy --size 1x1 --output c.npy").ended(0);
    assert_eq!(floats(&folder, "c.npy").1[..3], [0.25, 0.5, 1.0]);
    folder.run("run keys.frag --input iChannel0=zeros:256x3 --size 1x1 --output c.npy").ended(0);
    assert_eq!(floats(&folder, "c.npy").1[..3], [0.0; 3]);
}

#[test]
fn coordinates_in_texels_are_told() {
    let folder = folder();
    folder.write("rectangle.frag", OLD.replace("2D", "2DRect"));
    let run = "run rectangle.frag --input image=ramp:3x2 --output colour=c.npy";
    folder.run(run).ended(0).says("note: rectangle.frag: `at` counts texels");
    let (_, numbers) = floats(&folder, "c.npy");
    let reds: Vec<f32> = numbers.chunks(4).map(|texel| texel[0]).collect();
    assert_eq!(reds, [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    let run = folder.run("run old.frag --input image=ramp:3x2").ended(0);
    assert!(!run.err.contains("texels"), "{}", run.err);
}

#[test]
fn words_of_a_dialect_that_a_text_does_not_declare_name_it() {
    let folder = folder();
    let text = format!("{TOY}out vec4 own;\nvoid main() {{ mainImage(own, gl_FragCoord.xy); }}\n");
    folder.write("both.frag", text);
    let help = "help: both.frag uses words of a Shadertoy shader that it does not declare: --dialect shadertoy supplies them";
    refused(&folder, "both.frag --size 2x2", &[help]);
    folder.run("run both.frag --size 2x2 --dialect shadertoy").ended(0);
    folder.write("isf.frag", "void main() { gl_FragColor = isf_FragNormCoord.xyxy; }");
    refused(&folder, "isf.frag --size 2x2", &["--dialect isf supplies them"]);
    folder.write("other.frag", "out vec4 o; void main() { o = vec4(typo); }");
    let run = refused(&folder, "other.frag --size 2x2", &["typo"]);
    assert!(!run.err.contains("help:"), "{}", run.err);
}

#[test]
fn mistakes_are_told_at_the_line_that_was_pasted() {
    let folder = folder();
    folder.write("typo.frag", TOY.replace("iResolution", "iResolutoin"));
    let run = folder.run("run typo.frag --size 4x2").ended(2);
    run.says("typo.frag:3:25: error: ");
    run.says("iResolutoin");
    run.says("note: typo.frag is read as a Shadertoy shader; use --dialect to choose another");
    assert_eq!(run.err.matches(": error: ").count(), 1, "{}", run.err);
}

#[test]
fn a_saved_test_has_the_dialect() {
    let folder = folder();
    let run = "run toy.frag --size 4x2 --dialect shadertoy --flip=false --rate 24 --iterate 3 --save-test toy";
    folder.run(run).ended(0);
    let text = std::fs::read_to_string(folder.file("toy.test.toml")).unwrap();
    for line in ["dialect = \"shadertoy\"", "flip = false", "rate = 24"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    folder.run("test toy.test.toml").ended(0);
    // A row more is another picture, of which the old one is the lower part.
    folder.write("grid.frag", "uniform sampler2D x; out float y; void main() { y = gl_FragCoord.y + READ_CLAMPED(x, TEXEL).r; }");
    let text = "shader = \"grid.frag\"\nflip = true\nsize = [2, 2]\ninput.x = \"ramp:2x2\"\nvary = \"size\"\n[expect.y]\n\
                values = [[1.5, 2.5], [0.5, 1.5]]\nexact = true\n";
    folder.write("grid.test.toml", text);
    folder.run("test grid.test.toml").ended(0);
}
