//! `quadrille run` of several passes that a file describes.

use super::*;

const SUMS: &str = r#"
iterate = 3
input.a = "a.npy"
uniform.k = 2

[buffer.sum]
size = "a"
channels = 1
from = "add.next"

[pass.add]
shader = "add.frag"

[pass.halve]
shader = "halve.frag"
read.x = "add.next"
repeat = 2
feedback.y = "x"
"#;

fn sums() -> Folder {
    let folder = folder();
    let add = "uniform sampler2D a;\nuniform sampler2D sum;\nuniform float k;\nout float next;\n\
               void main() { next = READ(sum, TEXEL).r + k * READ(a, TEXEL).r; }\n";
    folder.write("add.frag", add);
    folder.write("sums.run.toml", SUMS);
    folder
}

#[test]
fn passes_are_run_and_their_outputs_written() {
    let folder = sums();
    let run =
        folder.run("run sums.run.toml --output halve.y=y.npy --output add.next=sum.npy").ended(0);
    assert_eq!(floats(&folder, "sum.npy"), (vec![2, 3], vec![0.0, 6.0, 12.0, 18.0, 24.0, 30.0]));
    assert_eq!(floats(&folder, "y.npy").1, [0.0, 1.5, 3.0, 4.5, 6.0, 7.5]);
    assert!(run.out.contains("sums.run.toml, 3 steps of 2 passes"), "{}", run.out);
    assert!(run.out.contains("input   a = a.npy, shape (2, 3)"), "{}", run.out);
    assert!(run.out.contains("input   sum = 0, shape (2, 3)"), "{}", run.out);
    assert!(run.out.contains("output  halve.y, float, shape (2, 3): 0 to 7.5"), "{}", run.out);
    assert_eq!(run.err, "");
}

#[test]
fn a_common_text_stands_in_front_of_each_shader() {
    let folder = folder();
    std::fs::create_dir(folder.file("tabs")).unwrap();
    folder.write("tabs/more.glsl", "#define SECONDS iTime\n");
    folder.write(
        "tabs/common.glsl",
        "#include \"more.glsl\"\nfloat twice(float x) { return 2.0 * x + SECONDS; }\n",
    );
    let image = "void mainImage(out vec4 o, in vec2 p) { o = vec4(twice(p.x)); }\n";
    folder.write("image.frag", image);
    folder.write(
        "more.frag",
        "uniform sampler2D x;\nout float y;\nvoid main() { y = half_of(READ(x, TEXEL).r); }\n",
    );
    folder.write("half.glsl", "float half_of(float x) { return 0.5 * x; }\n");
    folder.write("a.run.toml", "common = \"half.glsl\"\n[pass.a]\nshader = \"more.frag\"\n");
    let run = |arguments: &str| folder.run(&format!("run {arguments}"));
    run("image.frag --size 2x1 --common tabs/common.glsl --output o.npy").ended(0);
    assert_eq!(floats(&folder, "o.npy").1, [1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0]);
    run("a.run.toml --input x=a.npy --output a.y=y.npy").ended(0);
    assert_eq!(floats(&folder, "y.npy").1[..3], [0.0, 0.5, 1.0]);
    folder.write("other.glsl", "float half_of(float x) { return x; }\n");
    run("a.run.toml --input x=a.npy --common other.glsl --output a.y=z.npy").ended(0);
    assert_eq!(floats(&folder, "z.npy").1[..3], [0.0, 1.0, 2.0]);
    folder.write("wrong.glsl", "\nfloat half_of(float x) { return wrong; }\n");
    run("a.run.toml --input x=a.npy --common wrong.glsl").ended(2).says("wrong.glsl:2");
    run("a.run.toml --input x=a.npy --common none.glsl").ended(2).says("none.glsl");
    run("more.frag --input x=a.npy --common half.glsl --save-test more").ended(0);
    let saved = std::fs::read_to_string(folder.file("more.test.toml")).unwrap();
    assert!(saved.contains("common = \"half.glsl\""), "{saved}");
    folder.run("test more.test.toml").ended(0);
}

#[test]
fn a_test_of_a_run_has_one_wrap_mode_or_one_by_name() {
    let folder = sums();
    let run = |arguments: &str| folder.run(&format!("run sums.run.toml {arguments} --save-test t"));
    let says = "--save-test: expected --wrap once for all inputs, or by name for each";
    run("--wrap repeat --wrap a=clamp").ended(2).says(says);
    assert!(!folder.file("t.test.toml").exists());
    run("--filter nearest --filter a=nearest").ended(2).says("--save-test: expected --filter once");
}

#[test]
fn macros_are_defined_for_a_shader_and_before_those_of_a_file() {
    let folder = folder();
    folder.write("k.frag", "out float y; void main() { y = K + gl_FragCoord.x; }");
    folder.write(
        "k.run.toml",
        "define.K = \"2.0\"\nsize = [2, 1]\n[pass.a]\nshader = \"k.frag\"\ndefine.K = \"3.0\"\n",
    );
    let run = |arguments: &str| folder.run(&format!("run {arguments} --output y.npy"));
    run("k.frag --size 2x1 --define K=5.0").ended(0);
    assert_eq!(floats(&folder, "y.npy").1, [5.5, 6.5]);
    run("k.run.toml").ended(0);
    assert_eq!(floats(&folder, "y.npy").1, [3.5, 4.5]);
    run("k.run.toml --define K=7.0").ended(0);
    assert_eq!(floats(&folder, "y.npy").1, [7.5, 8.5]);
    run("k.frag --size 2x1 --define K").ended(2).says("there is no = in `K`");
    run("k.frag --size 2x1 --define gl_=5.0").ended(2);
    folder.run("run k.frag --size 2x1 --define K=6.0 --save-test k").ended(0);
    let saved = std::fs::read_to_string(folder.file("k.test.toml")).unwrap();
    assert!(saved.contains("define.K = \"6.0\""), "{saved}");
    folder.run("test k.test.toml").ended(0);
}

#[test]
fn options_go_before_the_file() {
    let folder = sums();
    folder.write("c.npy", npy("<f4", false, "(1, 2)", &singles(&[1.0, 3.0])));
    let options =
        "--iterate 2 --uniform k=4 --input a=c.npy --input sum=zeros:2x1 --size 2x1 --json";
    let json = folder
        .run(&format!("run sums.run.toml {options} --output add.next=sum.npy"))
        .ended(0)
        .json();
    assert_eq!(floats(&folder, "sum.npy"), (vec![1, 2], vec![8.0, 24.0]));
    assert_eq!((&json["iterations"], &json["passes"]), (&2.into(), &2.into()));
    assert_eq!(json["outputs"][1]["name"], "halve.y");
    assert_eq!(
        (&json["outputs"][1]["min"], &json["outputs"][1]["max"]),
        (&2.0.into(), &6.0.into())
    );
    let seed = |seed: u32| {
        let options = format!("--input a=random:3x2 --seed {seed} --output add.next=sum.npy");
        folder.run(&format!("run sums.run.toml {options}")).ended(0);
        floats(&folder, "sum.npy").1
    };
    assert_eq!(seed(7), seed(7));
    assert_ne!(seed(7), seed(8));
    folder.write("seeded.run.toml", format!("seed = 7\n{}", SUMS.replace("a.npy", "random:3x2")));
    folder.run("run seeded.run.toml --output add.next=sum.npy").ended(0);
    assert_eq!(floats(&folder, "sum.npy").1, seed(7));
}

#[test]
fn a_run_becomes_a_test_that_passes() {
    let folder = sums();
    std::fs::create_dir(folder.file("tests")).unwrap();
    folder.run("run sums.run.toml --uniform k=3 --save-test tests/sums").ended(0);
    let text = std::fs::read_to_string(folder.file("tests/sums.test.toml")).unwrap();
    for part in [
        "run = \"../sums.run.toml\"",
        "uniform.k = 3",
        "[expect.add.next]",
        "equals = \"sums.halve.y.npy\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("iterate") && !text.contains("seed"), "{text}");
    folder.run("test tests").ended(0);
    folder.write("sums.run.toml", SUMS.replace("iterate = 3", "iterate = 4"));
    let run = folder.run("test tests").ended(1);
    assert!(run.out.contains("add.next"), "{}", run.out);
}

/// What is the command's own, and one of each that the library finds in a file and in options.
#[test]
fn mistakes_are_told_with_the_line_or_the_option() {
    let folder = sums();
    folder.write("self.run.toml", SUMS.replace("read.x = \"add.next\"", "read.x = \"halve.y\""));
    for (arguments, parts) in [
        (
            "self.run.toml",
            &[
                "self.run.toml:16:6: `pass.halve.read.x`: pass `halve` reads what it writes, `halve.y`",
            ][..],
        ),
        (
            "sums.test.toml",
            &["that is the name of a test: expected `quadrille test sums.test.toml`"],
        ),
        ("sums.toml", &["expected a fragment shader, or passes in a file that ends in .run.toml"]),
        ("sums.run.toml --output y=y.npy", &["no output `y`; it has: add.next, halve.y"]),
        ("sums.run.toml --input sum=a.npy --input sum=a.npy", &["input `sum` is given twice"]),
        ("sums.run.toml --feedback halve.z=sum", &["no output `halve.z`", "add.next, halve.y"]),
    ] {
        refused(&folder, arguments, parts);
    }
}
