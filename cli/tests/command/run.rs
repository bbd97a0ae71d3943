//! `quadrille run`: what it computes, what it writes, and what it says to a mistake.

use crate::runner::{Folder, Run, Signal, data, doubles, finish, npy, root, singles};
use quadrille::Extent;
use quadrille::data::{Field, Values};
use quadrille::internal::reference::is_near;
use quadrille::io::field::read;

const SUM: &str = "uniform sampler2D a;
uniform sampler2D b;
uniform vec2 weights;
out float sum;
void main() {
    sum = weights.x * READ(a, TEXEL).r + weights.y * READ(b, TEXEL).r;
}
";

const HALVE: &str = "uniform sampler2D x;
out float y;
void main() { y = 0.5 * READ(x, TEXEL).r; }
";

/// A folder with both shaders and two arrays.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("sum.frag", SUM);
    folder.write("halve.frag", HALVE);
    folder.write("a.npy", npy("<f4", false, "(2, 3)", &singles(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])));
    folder.write("b.npy", npy("<i4", false, "(2, 3)", &[1, 0, 0, 0].repeat(6)));
    folder
}

fn floats(folder: &Folder, name: &str) -> (Vec<usize>, Vec<f32>) {
    let field = read(folder.file(name)).unwrap().0;
    let shape = field.shape();
    match field.into_values() {
        Values::F32(numbers) => (shape, numbers),
        other => panic!("expected floats, got {}", other.name()),
    }
}

/// A run that must end with 2, having written nothing new, and say these parts.
#[track_caller]
fn refused(folder: &Folder, arguments: &str, parts: &[&str]) -> Run {
    let before = folder.names();
    let run = folder.run(&format!("run {arguments}")).ended(2);
    for part in parts {
        run.says(part);
    }
    assert_eq!(run.out, "");
    assert_eq!(folder.names(), before);
    run
}

#[test]
fn arrays_are_added_and_written() {
    let folder = folder();
    let inputs = "--input a=a.npy --input b=b.npy --uniform weights=2,0.5";
    let run = folder.run(&format!("run sum.frag {inputs} --output sum=c.npy")).ended(0);
    let wanted = vec![0.5, 2.5, 4.5, 6.5, 8.5, 10.5];
    assert_eq!(floats(&folder, "c.npy"), (vec![2, 3], wanted));
    assert!(
        run.out.contains("shape (2, 3): 0.5 to 10.5, mean 5.5, written to c.npy"),
        "{}",
        run.out
    );
    assert_eq!(run.err, "");
}

#[test]
fn without_an_output_few_numbers_are_printed_whole() {
    let folder = folder();
    let run = folder.run("run halve.frag --input x=a.npy").ended(0);
    assert!(run.out.contains("y, float, shape (2, 3): 0 to 2.5, mean 1.25"), "{}", run.out);
    assert!(run.out.contains("0  0.5  1\n        1.5  2  2.5"), "{}", run.out);
    let run = folder.run("run halve.frag --input x=random:33x1").ended(0);
    assert!(!run.out.contains("  0."), "{}", run.out);
}

#[test]
fn doubles_come_with_a_note_and_a_line_stays_a_line() {
    let folder = folder();
    folder.write("x.npy", npy("<f8", false, "(3,)", &doubles(&[0.1, 0.2, f64::NAN])));
    let run = folder.run("run halve.frag --input x=x.npy --output y=y.npy").ended(0);
    run.says("note: x.npy: its 64-bit floats were rounded to 32 bits");
    assert!(run.out.contains("1 NaN"), "{}", run.out);
    let (shape, numbers) = floats(&folder, "y.npy");
    assert_eq!((shape, &numbers[..2]), (vec![3], &[0.05, 0.1][..]));
    assert!(numbers[2].is_nan());
}

#[test]
fn feedback_iterates_and_json_tells_all() {
    let folder = folder();
    let run = folder.run(
        "run halve.frag --input x=a.npy --iterate 3 --feedback y=x --output y=y.npy --time --json",
    );
    let json = run.ended(0).json();
    assert_eq!(floats(&folder, "y.npy").1, [0.0, 0.125, 0.25, 0.375, 0.5, 0.625]);
    assert_eq!(json["kernel"], "halve.frag");
    assert_eq!(json["extent"], serde_json::json!([3, 2]));
    assert_eq!((&json["iterations"], &json["stopped"]), (&3.into(), &false.into()));
    let input = serde_json::json!([{"name": "x", "from": "a.npy", "shape": [2, 3]}]);
    assert_eq!(json["inputs"], input);
    let output = &json["outputs"][0];
    assert_eq!((&output["name"], &output["file"]), (&"y".into(), &"y.npy".into()));
    assert_eq!((&output["min"], &output["max"]), (&0.0.into(), &0.625.into()));
    assert_eq!((&output["mean"], &output["not_finite"]), (&0.3125.into(), &0.into()));
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    let time = &json["time"];
    assert!(time["runs"].as_u64().unwrap() >= 9, "{time}");
    assert_eq!(time["clock"], "wall");
    for part in ["setup", "upload", "step", "readback"] {
        assert!(time[format!("{part}_milliseconds")].as_f64().unwrap() > 0.0, "{part} of {time}");
    }
}

#[test]
fn time_is_printed_and_its_runs_do_not_change_the_result() {
    let folder = folder();
    let run = folder.run("run halve.frag --input x=a.npy --feedback y=x --time").ended(0);
    assert!(run.out.contains("ms per step (median of "), "{}", run.out);
    assert!(run.out.contains("0 to 2.5"), "{}", run.out);
}

#[test]
fn made_inputs_are_what_help_says() {
    let folder = folder();
    folder.write(
        "copy.frag",
        "uniform sampler2D x; out vec2 y; void main() { y = READ(x, TEXEL).rg; }",
    );
    let made = |input: &str| {
        folder.run(&format!("run copy.frag --input x={input} --output y=y.npy")).ended(0);
        floats(&folder, "y.npy")
    };
    let (shape, ramp) = made("ramp:5x2");
    assert_eq!(shape, [2, 5, 2]);
    let red: Vec<f32> = ramp.chunks(2).map(|cell| cell[0]).collect();
    assert_eq!(red, [0.0, 0.25, 0.5, 0.75, 1.0].repeat(2));
    assert_eq!(made("ramp:1x3").1, [0.0; 6]);
    assert_eq!(made("zeros:2x3x2"), (vec![3, 2, 2], vec![0.0; 12]));
    let random = made("random:40x30x2").1;
    assert!(random.iter().all(|x| (0.0..1.0).contains(x)));
    let mean = random.iter().sum::<f32>() / 2400.0;
    assert!(is_near(mean, 0.5, 0.03), "{mean}");
    assert_eq!(made("random:40x30x2").1, random, "the same for the same seed");
    assert_ne!(made("random:40x30x2 --seed 2").1, random);
}

#[test]
fn two_random_inputs_differ() {
    let folder = folder();
    let inputs = "--input a=random:9x9 --input b=random:9x9 --uniform weights=1,-1";
    let json = folder.run(&format!("run sum.frag {inputs} --json")).ended(0).json();
    assert!(json["outputs"][0]["max"].as_f64().unwrap() > 0.1, "{json}");
}

#[test]
fn pictures_go_in_and_out() {
    let folder = folder();
    let picture =
        image::RgbImage::from_fn(7, 5, |x, y| image::Rgb([x as u8 * 30, y as u8 * 50, 9]));
    picture.save(folder.file("in.png")).unwrap();
    folder.write(
        "swap.frag",
        "#version 330 core
precision highp float;
uniform sampler2D image;
in vec2 uv;
layout(location = 0) out vec3 swapped;
layout(location = 1) out float grey;
void main() { swapped = texture(image, uv).grb; grey = texture(image, uv).r; }
",
    );
    let run = folder.run(
        "run swap.frag --input image=in.png --output swapped=out.png --output grey=grey.png \
         --colours grey --range 0:0.5",
    );
    run.ended(0)
        .says("note: grey.png: 10 values are outside 0 to 0.5 and are shown as the nearest end");
    let swapped = image::open(folder.file("out.png")).unwrap().into_rgb8();
    for (x, y, pixel) in swapped.enumerate_pixels() {
        let image::Rgb([red, green, blue]) = *picture.get_pixel(x, y);
        assert_eq!(pixel.0, [green, red, blue], "at {x} {y}");
    }
    let grey = image::open(folder.file("grey.png")).unwrap().into_rgb8();
    assert_eq!(grey.get_pixel(6, 0).0, [255; 3]);
    assert_eq!(grey.get_pixel(0, 4).0, [0; 3]);
}

#[test]
fn a_filtered_picture_stays_one_and_an_array_is_shown_in_colours() {
    use image::ColorType::{L8, L16, Rgb8};
    let folder = folder();
    let grey = image::GrayImage::from_fn(16, 16, |x, y| image::Luma([(16 * y + x) as u8]));
    grey.save(folder.file("grey.png")).unwrap();
    let deep = image::ImageBuffer::from_fn(256, 256, |x, y| image::Luma([(256 * y + x) as u16]));
    deep.save(folder.file("deep.png")).unwrap();
    folder.write(
        "copy.frag",
        "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }",
    );
    let made = |options: &str| {
        folder.run(&format!("run copy.frag {options} --output y=y.png")).ended(0);
        image::open(folder.file("y.png")).unwrap()
    };
    assert_eq!(made("--input x=grey.png").as_luma8(), Some(&grey));
    assert_eq!(made("--input x=deep.png").as_luma16(), Some(&deep));
    let kind = |options: &str| made(options).color();
    assert_eq!(kind("--input x=deep.png --bits 8"), L8);
    assert_eq!(kind("--input x=grey.png --bits 16"), L16);
    assert_eq!(kind("--input x=grey.png --colours viridis"), Rgb8);
    assert_eq!(kind("--input x=ramp:5x5"), Rgb8);
    assert_eq!(kind("--input x=a.npy --colours none"), L8);
    let steps = made("--input x=ramp:3x1 --colours none --bits 16 --range=-1:1").into_luma16();
    assert_eq!(steps.into_raw(), [32768, 49151, 65535]);
    let run = folder.run("run copy.frag --input x=a.npy --colours none --output y=y.png").ended(0);
    run.says("note: y.png: 4 values are outside 0 to 1 and are shown as the nearest end");
    let scaled = "copy.frag --input x=a.npy --bits 16 --output y=y.png";
    refused(&folder, scaled, &["output `y` has one channel", "--colours none"]);
    folder.run(&format!("run {}", scaled.replace(".png", ".npy"))).ended(0);
}

/// A writer that is killed leaves its temporary file, and the next one in that folder removes it.
#[test]
fn what_a_killed_write_left_is_removed_by_the_next() {
    let folder = folder();
    let left = || folder.names().iter().any(|name| name.starts_with(".quadrille-"));
    let was_killed_in_the_write = || {
        let large = "run halve.frag --input x=random:4096x4096 --output y=large.npy";
        let mut child = folder.start(large);
        while !left() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        left()
    };
    assert!((0..5).any(|_| was_killed_in_the_write()), "no write was caught in five");
    folder.run("run halve.frag --input x=a.npy --output y=small.npy").ended(0);
    assert!(!left(), "{:?}", folder.names());
    assert_eq!(floats(&folder, "small.npy").0, [2, 3]);
}

#[test]
fn mistakes_in_arguments_are_told_by_hand() {
    let folder = folder();
    let sum = "sum.frag --input a=a.npy --uniform weights=1,1";
    let halve = "halve.frag --input x=a.npy";
    for (arguments, parts) in [
        ("none.frag", &["none.frag", "cannot read"][..]),
        ("halve.frag --input x=none.npy", &["none.npy", "cannot read"]),
        ("halve.frag --input a.npy", &["NAME=", "no = in `a.npy`"]),
        ("halve.frag --input =a.npy", &["NAME=", "not a valid name"]),
        ("halve.frag --input x=", &["`x=` has no value"]),
        ("halve.frag --input x=random:3", &["WIDTHxHEIGHT", "random:3"]),
        ("halve.frag --input x=zeros:3x3x5", &["1 to 4", "zeros:3x3x5"]),
        ("halve.frag", &["not given", "sampler2D x"]),
        (sum, &["not given", "sampler2D b"]),
        ("halve.frag --input z=a.npy", &["no input `z`", "it has: x"]),
        ("halve.frag --input x=a.npy --input x=b.npy", &["input `x` is given twice"]),
        (
            "sum.frag --input a=a.npy --input b=random:3x3 --uniform weights=1,1",
            &["a 3 x 2, b 3 x 3"],
        ),
        ("sum.frag --input a=a.npy --input b=b.npy", &["not given", "vec2 weights"]),
        ("sum.frag --input a=a.npy --input b=b.npy --uniform weights=1", &["vec2", "got `1`"]),
        ("halve.frag --input x=a.npy --uniform k=1", &["no uniform `k`"]),
        ("halve.frag --input x=a.npy --size 0x5", &["WIDTHxHEIGHT", "0x5"]),
        ("halve.frag --input x=a.npy --size 5", &["WIDTHxHEIGHT"]),
        ("halve.frag --input x=a.npy --size 1000000x5", &["output `y`", "limit"]),
        ("halve.frag --input x=random:1000000x1000000", &["input `x`", "limit"]),
        ("halve.frag --input x=a.npy --iterate 0", &["iterate"]),
        ("halve.frag --input x=a.npy --iterate 2", &["same each time", "--feedback"]),
        ("halve.frag --input x=a.npy --feedback z=x", &["no output `z`", "it has: y"]),
        ("halve.frag --input x=a.npy --feedback y=z", &["no input `z`", "it has: x"]),
        ("halve.frag --input x=a.npy --feedback y=x --size 5x5", &["5 x 5", "3 x 2"]),
        ("halve.frag --input x=a.npy --range 1:0", &["LOW:HIGH"]),
        ("halve.frag --input x=a.npy --colours red", &["viridis"]),
    ] {
        refused(&folder, arguments, parts);
    }
    for (output, parts) in [
        ("z=y.npy", &["no output `z`", "it has: y"][..]),
        ("y=y.jpg", &["y.jpg", ".npy or .png"]),
        ("y=none/y.npy", &["none/y.npy", "folder does not exist"]),
        ("y=y.npy --output y=y.png", &["given twice"]),
        ("y=y.npy --output z=y.npy", &["one file, y.npy"]),
    ] {
        refused(&folder, &format!("{halve} --output {output}"), parts);
    }
}

#[test]
fn files_that_are_no_fields_are_refused() {
    let folder = folder();
    folder.write("five.npy", npy("<f4", false, "(1, 1, 5)", &singles(&[0.0; 5])));
    refused(&folder, "halve.frag --input x=five.npy", &["five.npy", "1 to 4 numbers", "[1, 1, 5]"]);
    folder.write("empty.npy", npy("<f4", false, "(0,)", &[]));
    refused(&folder, "halve.frag --input x=empty.npy", &["empty.npy", "at least one cell"]);
    folder.write("text.png", "no picture");
    refused(&folder, "halve.frag --input x=text.png", &["text.png", "PNG or JPEG"]);
    let system = data("fe9_12x12.mtx");
    refused(&folder, &format!("halve.frag --input x={system}"), &[".npy, .png, .jpg"]);
    folder.write(
        "pair.frag",
        "uniform sampler2D x; out vec2 y; void main() { y = READ(x, TEXEL).rg; }",
    );
    refused(&folder, "pair.frag --input x=a.npy --output y=y.png", &["2 channels", ".npy"]);
}

#[test]
fn an_array_must_be_exactly_what_its_sampler_reads() {
    let folder = folder();
    folder.write(
        "whole.frag",
        "uniform isampler2D x; out int y; void main() { y = 2 * READ(x, TEXEL).r; }",
    );
    folder.run("run whole.frag --input x=a.npy --output y=y.npy").ended(0);
    let field = read(folder.file("y.npy")).unwrap().0;
    assert_eq!(field, Field::new(Extent::new(3, 2), 1, vec![0, 2, 4, 6, 8, 10]).unwrap());
    refused(
        &folder,
        "whole.frag --input x=random:2x2",
        &["`x` has floats", "isampler2D", "at [0, 0]"],
    );
}

#[test]
fn errors_in_the_shader_point_at_the_users_line() {
    let folder = folder();
    folder.write("bad.frag", "out float y;\nvoid main() {\n    y = nothing;\n}\n");
    refused(&folder, "bad.frag --size 2x2", &["bad.frag:3", "y = nothing;", "^"]);
    folder.write("in.frag", "\nin vec3 normal;\nout float y;\nvoid main() { y = normal.x; }\n");
    refused(&folder, "in.frag --size 2x2", &["in.frag:2", "in vec2"]);
    folder.write("none.frag", "void main() {}\n");
    refused(&folder, "none.frag --size 2x2", &["writes nothing", "out vec4"]);
    folder.write("old.frag", "void main() { gl_FragColor = vec4(1.0); }\n");
    let run = folder.run("run old.frag --size 2x2").ended(2);
    run.says("gl_FragColor is of GLSL 1.20 and of GLSL ES 1.00");
    folder.write("sum.comp", "layout(local_size_x = 8) in; void main() {}");
    refused(&folder, "sum.comp", &["sum.comp", "compute shader", "Context::compute_kernel"]);
    folder.write("free.frag", "out float y;\nvoid main() { y = 1.0; }\n");
    refused(&folder, "free.frag", &["size"]);
}

/// Ctrl-C keeps the state that it was in, and says so by the exit code.
#[test]
fn ctrl_c_keeps_the_last_state() {
    let folder = folder();
    folder.write(
        "count.frag",
        "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r + 1.0; }",
    );
    let arguments = "run count.frag --input x=zeros:64x64 --iterate 1000000000000 --feedback y=x \
                     --output y=y.npy --json";
    let child = folder.start(arguments);
    std::thread::sleep(std::time::Duration::from_secs(4));
    child.send(Signal::SIGINT);
    let run = finish(child).ended(130);
    run.says("stopped by Ctrl-C after ");
    let json = run.json();
    let done = json["iterations"].as_u64().unwrap();
    assert!(done > 1 && json["stopped"] == true, "{json}");
    // A float counts as far as this; a state may not be of before or after the count.
    let (_, numbers) = floats(&folder, "y.npy");
    assert_eq!(numbers, vec![(done as f32).min(16777216.0); 64 * 64]);
}

#[test]
fn help_says_what_a_shader_is_given_and_its_examples_run() {
    let help = Folder::new().run("run --help").ended(0).out;
    for part in
        ["uniform int iteration", "in vec2", "random:WxH", "ramp:WxH", "--feedback", "gl_FragCoord"]
    {
        assert!(help.contains(part), "{part}");
    }
    let folder = Folder::new();
    for link in ["gallery", "docs"] {
        std::os::unix::fs::symlink(root().join(link), folder.file(link)).unwrap();
    }
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("quadrille "));
    let ours: Vec<&str> = examples.filter(|line| line.starts_with("run gallery/")).collect();
    assert!(ours.len() >= 3, "{help}");
    for example in ours {
        folder.run(example).ended(0);
    }
}

#[test]
fn members_of_structs_are_given_by_their_names() {
    let folder = folder();
    let text = "struct Light { vec2 at; float power[2]; };
uniform Light light;
uniform Light lights[2];
out float x;
void main() { x = light.at.y * light.power[1] + lights[1].at.x * lights[1].power[0]; }
";
    folder.write("light.frag", text);
    // Drivers may keep the unused element of an array that is used.
    let given = "--uniform light.at=1,2 --uniform light.power=3,4 --uniform lights[1].at=10,0 --uniform \
                 lights[1].power=5,6 --uniform lights[0].at=0,0 --uniform lights[0].power=0,0";
    let missing = folder.run("run light.frag --size 1x1").ended(2);
    missing.says("light.at");
    missing.says("lights[1].at");
    folder.run(&format!("run light.frag --size 1x1 {given} --output x=x.npy")).ended(0);
    assert_eq!(floats(&folder, "x.npy").1, [58.0]);
    refused(
        &folder,
        "light.frag --size 1x1 --uniform light.colour=1",
        &["no uniform `light.colour`"],
    );
}

#[test]
fn ends_of_integers_have_all_their_digits() {
    let folder = folder();
    folder.write("whole.frag", "out int x; void main() { x = 2147483647 - TEXEL.x; }");
    let run = folder.run("run whole.frag --size 8x8").ended(0);
    assert!(run.out.contains("2147483640 to 2147483647"), "{}", run.out);
}

#[test]
fn what_cannot_be_read_or_held_is_said_once_with_the_way_out() {
    let folder = folder();
    let run = refused(&folder, "none.frag", &["cannot read none.frag: No such file"]);
    assert_eq!(run.err.matches("No such file").count(), 1, "{}", run.err);
    let header = "(100000,)";
    folder.write("long.npy", npy("|i1", false, header, &[255; 100_000]));
    refused(&folder, "halve.frag --input x=long.npy", &["input `x`", "two axes", "reshape"]);
}

#[test]
fn an_include_from_elsewhere_needs_its_folder_to_be_allowed() {
    let folder = folder();
    std::fs::create_dir(folder.file("shaders")).unwrap();
    folder.write("half.glsl", "const float HALF = 0.5;\n");
    let text = HALVE.replace("0.5", "HALF");
    folder.write("shaders/h.frag", format!("#include \"../half.glsl\"\n{text}"));
    let run = refused(&folder, "shaders/h.frag --input x=a.npy", &["stays inside shaders\n"]);
    assert!(run.err.ends_with("\nhelp: --include-dir DIR allows another folder\n"), "{}", run.err);
    assert!(!run.err.contains("Source::"), "{}", run.err);
    let run = folder.run("run shaders/h.frag --input x=a.npy --include-dir .").ended(0);
    assert!(run.out.contains("0 to 2.5, mean 1.25"), "{}", run.out);
    refused(&folder, "halve.frag --input x=a.npy --include-dir none", &["cannot read none: "]);
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

/// A hexadecimal number has no sign behind its 0x.
#[test]
fn a_sign_inside_a_number_is_refused() {
    let folder = Folder::new();
    folder.write("n.frag", "out int y;\nuniform int i;\nvoid main() { y = i; }");
    let parts = ["`i` is an int", "0x-5"];
    refused(&folder, "n.frag --size 1x1 --uniform i=0x-5 --output y=y.npy", &parts);
}
