//! Errors of `quadrille run`.

use super::*;

/// One of each kind: what the library finds of names, sizes and samplers is told by its own tests.
#[test]
fn mistakes_in_arguments_are_told_by_hand() {
    let folder = folder();
    folder.write("c.comp", "layout(local_size_x = 8) in; void main() {}");
    let halve = "halve.frag --input x=a.npy";
    for (arguments, parts) in [
        ("halve.frag --input a.npy", &["NAME=", "no = in `a.npy`"][..]),
        ("halve.frag --input =a.npy", &["NAME=", "not a valid name"]),
        ("halve.frag --input x=", &["`x=` has no value"]),
        ("halve.frag --input x=random:3", &["WIDTHxHEIGHT", "random:3"]),
        ("halve.frag", &["not given", "sampler2D x", "help: --input x=FILE", "random:512x512"]),
        ("halve.frag --input x=a.npy --uniform k=1", &["no uniform `k`"]),
        ("halve.frag --input x=a.npy --size 0x5", &["--size", "the width and the height", "'0x5'"]),
        ("halve.frag --input x=a.npy --iterate 0", &["iterate"]),
        ("halve.frag --input x=a.npy --iterate 2", &["same each time", "--feedback"]),
        ("halve.frag --input x=a.npy --range 1:0", &["LOW:HIGH"]),
        ("halve.frag --input x=a.npy --colours red", &["viridis"]),
        (
            "halve.frag --input x=a.npy --wrap round",
            &["'round' for '--wrap", "clamp, repeat, mirror"],
        ),
        (
            "halve.frag --input x=a.npy --filter x=cubic",
            &["'x=cubic' for '--filter", "nearest, linear, mipmap"],
        ),
        (
            "halve.frag --input x=a.npy --precision x=double",
            &["'x=double' for '--precision", "half, single"],
        ),
        ("halve.frag --input x=a.npy --precision half", &["NAME=", "no = in `half`"]),
        (
            "halve.frag --input x=a.npy --iterate -1",
            &["'-1' for '--iterate", "an integer from 1 on"],
        ),
        ("halve.frag --input x=a.npy --every 2.5", &["'2.5' for '--every", "an integer from 1 on"]),
        (
            "halve.frag --input x=a.npy --checkpoint c --checkpoint-every many",
            &["'many' for '--checkpoint-every", "an integer from 1 on"],
        ),
        ("halve.frag --input x=a.npy --timeout -1", &["'-1' for '--timeout", "expected seconds"]),
        ("halve.frag --input x=a.npy --rate -5", &["'-5' for '--rate", "above 0"]),
        ("halve.frag --input x=a.npy --halo -1", &["'-1' for '--halo", "an integer from 0 on"]),
        (
            "halve.frag --input x=random:3x2 --seed -1",
            &["'-1' for '--seed", "an integer from 0 on"],
        ),
        ("halve.frag --input x=a.npy --flip no", &["unexpected argument 'no'", "--flip=false"]),
        ("halve.frag --input x=a.npy --flip=no", &["'no'", "true or false"]),
        ("halve.frag --input x=a.npy --groups 2", &["halve.frag is a fragment shader"]),
        ("halve.frag --input x=a.npy --groups 4x0", &["--groups", "as in 16x16x1", "'4x0'"]),
        (
            "halve.frag --input x=a.npy --dialect webgl",
            &["'webgl' for '--dialect", "auto, plain, shadertoy, ghostty, sandbox, legacy, isf"],
        ),
        ("c.comp --dialect shadertoy", &["--dialect shadertoy", "c.comp is a compute shader"]),
    ] {
        refused(&folder, arguments, parts);
    }
    for (output, parts) in [
        ("y", &["y: ", ".npy"][..]),
        ("y=a.png --output b.png", &["y=... is given twice"]),
        ("z=y.npy", &["no output `z`", "it has: y"]),
        ("y=y.bmp", &["y.bmp", ".npy, .png, .jpg"]),
        ("y=none/y.npy", &["none/y.npy", "folder does not exist"]),
        ("y=y.npy --output y=y.png", &["given twice"]),
    ] {
        refused(&folder, &format!("{halve} --output {output}"), parts);
    }
}

#[test]
fn files_that_are_no_fields_are_refused() {
    let folder = folder();
    folder.write("text.png", "no picture");
    refused(&folder, "halve.frag --input x=text.png", &["text.png", "PNG or JPEG"]);
    folder.write(
        "pair.frag",
        "uniform sampler2D x; out vec2 y; void main() { y = READ(x, TEXEL).rg; }",
    );
    refused(&folder, "pair.frag --input x=a.npy --output y=y.png", &["2 channels", ".npy"]);
}

#[test]
fn errors_in_the_shader_point_at_the_users_line() {
    let folder = folder();
    folder.write("bad.frag", "out float y;\nvoid main() {\n    y = nothing;\n}\n");
    refused(&folder, "bad.frag --size 2x2", &["bad.frag:3", "y = nothing;", "^"]);
}

#[test]
fn what_cannot_be_read_or_held_is_said_once_with_the_way_out() {
    let folder = folder();
    let run = refused(&folder, "none.frag", &["cannot read none.frag: No such file"]);
    assert_eq!(run.err.matches("No such file").count(), 1, "{}", run.err);
    for large in ["--input x=a.npy --size 1000000x1000000", "--input x=random:1000000x1000000"] {
        let parts = ["not enough memory: 4000000000000 bytes"];
        refused(&folder, &format!("halve.frag {large} --output y=z.npy"), &parts);
    }
}

#[test]
fn an_include_from_elsewhere_needs_its_folder_to_be_allowed() {
    let folder = folder();
    std::fs::create_dir(folder.file("shaders")).unwrap();
    folder.write("half.glsl", "const float HALF = 0.5;\n");
    let text = HALVE.replace("0.5", "HALF");
    folder.write("shaders/h.frag", format!("#include \"../half.glsl\"\n{text}"));
    let run = refused(&folder, "shaders/h.frag --input x=a.npy", &["stays inside shaders\n"]);
    assert!(run.err.ends_with("\nhelp: --include DIR allows another folder\n"), "{}", run.err);
    assert!(!run.err.contains("Source::"), "{}", run.err);
    // The second is the option's name of before.
    for option in ["--include", "--include-dir"] {
        let run = folder.run(&format!("run shaders/h.frag --input x=a.npy {option} .")).ended(0);
        assert!(run.out.contains("0 to 2.5, mean 1.25"), "{}", run.out);
    }
    refused(&folder, "halve.frag --input x=a.npy --include none", &["cannot read none: "]);
}

/// llvmpipe ends loops early and says nothing: what came out was 65535, written with exit code 0.
#[test]
fn loops_are_right_or_refused() {
    let folder = Folder::new();
    folder.write(
        "loop.frag",
        "out float y;\nuniform int n;\nvoid main() { int c = 0; for (int i = 0; i < n; i++) c++; y = float(c); }",
    );
    for api in ["gl", "gles"] {
        let arguments = |n: u32| {
            format!("run loop.frag --size 2x1 --uniform n={n} --output y=y.npy --api {api}")
        };
        folder.run(&arguments(60_000)).ended(0);
        assert_eq!(floats(&folder, "y.npy"), (vec![1, 2], vec![60_000.0; 2]));
        std::fs::remove_file(folder.file("y.npy")).unwrap();
        let run = folder.run(&arguments(100_000));
        match run.code {
            Some(0) => assert_eq!(floats(&folder, "y.npy").1, [100_000.0; 2]),
            _ => {
                let run = run.ended(2);
                run.says("loop.frag: this device");
                run.says("iterations in total");
                assert!(!folder.file("y.npy").exists());
            }
        }
    }
}

#[test]
fn a_description_is_told_by_its_own_words() {
    let folder = folder();
    let pass = "input.x = 'a.npy'\n[pass.a]\nshader = 'halve.frag'";
    folder.write("a.run.toml", format!("iterate = 3\n{pass}"));
    let parts = ["a.run.toml: 3 steps would compute the same", "[buffer.NAME]"];
    refused(&folder, "a.run.toml", &parts);
    folder.write("toy.frag", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 0, 1); }");
    folder.write("a.run.toml", format!("{pass}\n[pass.b]\nshader = 'toy.frag'\nsize = [2, 2]"));
    let parts = ["pass `b` has y = 0 in the last row", "help: --flip has y = 0 at the bottom"];
    refused(&folder, "a.run.toml", &parts);
    refused(&folder, "toy.frag", &["the size to compute is unknown", "help: --size WIDTHxHEIGHT"]);
}
