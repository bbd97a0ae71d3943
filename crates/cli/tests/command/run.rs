//! `quadrille run`: what it computes, what it writes, and what it says to a mistake.

mod channels;
mod dialects;
mod errors;
mod isf;
mod isf_vertices;
mod levels;
mod long;
mod panels;
mod passes;
mod sequences;

use crate::runner::{Folder, Run, Signal, doubles, finish, npy, root, singles};
use quadrille::data::{Field, Values};
use quadrille::internal::reference::is_near;
use quadrille_run::io::field::read;

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
    for link in ["crates", "docs"] {
        std::os::unix::fs::symlink(root().join(link), folder.file(link)).unwrap();
    }
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("quadrille "));
    let ours: Vec<&str> =
        examples.filter(|line| line.starts_with("run crates/run/gallery/")).collect();
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

const PREFIX: &str = "layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer Old { int old[]; };
layout(std430, binding = 1) writeonly buffer New { int sums[]; };
uniform int iteration;
void main() {
    int i = int(gl_GlobalInvocationID.x), far = i - (1 << iteration);
    if (i < old.length()) sums[i] = old[i] + (far >= 0 ? old[far] : 0);
}
";

#[test]
fn a_compute_shader_adds_up_an_array_in_steps() {
    let folder = Folder::new();
    folder.write("prefix.comp", PREFIX);
    let numbers: Vec<i32> = (0..37).map(|i| (i * 7919) % 101 - 50).collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|i| i.to_le_bytes()).collect();
    folder.write("x.npy", npy("<i4", false, "(37,)", &bytes));
    for api in ["gl", "gles"] {
        let command = "run prefix.comp --input Old=x.npy --feedback New=Old --iterate 6";
        folder.run(&format!("{command} --output New=sums-{api}.npy --api {api}")).ended(0);
        let expected: Vec<i32> = numbers
            .iter()
            .scan(0, |sum, x| {
                *sum += x;
                Some(*sum)
            })
            .collect();
        let field = read(folder.file(&format!("sums-{api}.npy"))).unwrap().0;
        assert_eq!(field, Field::line(expected).unwrap());
    }
    let command = "run prefix.comp --input Old=x.npy --feedback New=Old --iterate 6";
    folder.run(&format!("{command} --save-test sums")).ended(0);
    folder.run("test sums.test.toml").ended(0);
}

#[test]
fn work_groups_are_asked_for_where_rows_may_be_meant() {
    let folder = Folder::new();
    folder.write("prefix.comp", PREFIX);
    let command = "prefix.comp --input Old=zeros:9x5";
    refused(&folder, command, &["prefix.comp", "work groups", "9 x 5", "--groups XxYxZ"]);
    folder.run(&format!("run {command} --groups 12 --output New=y.npy")).ended(0);
    assert_eq!(read(folder.file("y.npy")).unwrap().0.shape(), [5, 9]);
}

/// Half a cell to the right and outside, by `texture()` alone.
const SHIFT: &str = "uniform sampler2D x;
out float y;
void main() { y = texture(x, vec2(float(TEXEL.x) + 1.0, 0.5) / vec2(textureSize(x, 0))).r; }
";

#[test]
fn wrap_and_filter_say_how_texture_samples_and_are_saved() {
    let folder = folder();
    folder.write("shift.frag", SHIFT);
    folder.write("x.npy", npy("<f4", false, "(4,)", &singles(&[0.0, 8.0, 4.0, 2.0])));
    for (number, (arguments, wanted, keys)) in [
        ("--filter linear", [4.0, 6.0, 3.0, 2.0], "filter = \"linear\"\n"),
        ("--filter x=linear --wrap repeat", [4.0, 6.0, 3.0, 1.0], "wrap = \"repeat\"\n"),
        ("--filter linear --wrap x=mirror", [4.0, 6.0, 3.0, 2.0], "wrap.x = \"mirror\"\n"),
        (
            "--filter linear --wrap clamp --wrap x=repeat",
            [4.0, 6.0, 3.0, 1.0],
            "wrap.x = \"repeat\"\n",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let test = format!("saved{number}");
        let line = format!(
            "run shift.frag --input x=x.npy {arguments} --output y=y.npy --save-test {test}"
        );
        folder.run(&line).ended(0);
        assert_eq!(floats(&folder, "y.npy"), (vec![4], wanted.to_vec()), "{arguments}");
        let saved = std::fs::read_to_string(folder.file(&format!("{test}.test.toml"))).unwrap();
        assert!(saved.contains(keys), "{keys} in {saved}");
        folder.run(&format!("test {test}.test.toml")).ended(0);
    }
}

#[test]
fn files_of_half_precision_are_read_and_written_and_rounding_is_told() {
    let folder = folder();
    // 1, 65504, the least subnormal, -2.
    let halves = [0x3c00_u16, 0x7bff, 0x0001, 0xc000];
    let bytes: Vec<u8> = halves.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    folder.write("h.npy", npy("<f2", false, "(2, 2)", &bytes));
    let run = folder.run("run halve.frag --input x=h.npy --output y=y.npy").ended(0);
    let half_of_least = 2.0_f32.powi(-25);
    assert_eq!(floats(&folder, "y.npy"), (vec![2, 2], vec![0.5, 32752.0, half_of_least, -1.0]));
    assert_eq!(run.err, "");
    let fed = "run halve.frag --input x=h.npy --feedback y=x";
    folder.run(&format!("{fed} --output y=y.npy")).ended(0);
    assert!(std::fs::read(folder.file("y.npy")).unwrap().windows(3).any(|text| text == b"<f4"));
    folder.run(&format!("{fed} --precision x=half --output y=z.npy --save-test half")).ended(0);
    assert!(std::fs::read(folder.file("z.npy")).unwrap().windows(3).any(|text| text == b"<f2"));
    assert_eq!(floats(&folder, "z.npy").1[..2], [0.5, 32752.0]);
    let saved = std::fs::read_to_string(folder.file("half.test.toml")).unwrap();
    assert!(saved.contains("precision.x = \"half\"\n"), "{saved}");
    folder.run("test half.test.toml").ended(0);
    folder.write("x.npy", npy("<f4", false, "(3,)", &singles(&[0.1, 1.0, f32::INFINITY])));
    let run = folder.run("run halve.frag --input x=x.npy --precision x=half").ended(0);
    run.says(
        "note: input `x` is held in half precision: its numbers were rounded, by up to 2.4e-4",
    );
    // What the shader writes beyond 65504 becomes that or infinite, as the device has it.
    let grow = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r * 2.0; }";
    folder.write("grow.frag", grow);
    folder.write("x.npy", npy("<f4", false, "(4,)", &singles(&[1.0, -3.0, 0.5, 16.0])));
    let grow = "run grow.frag --input x=x.npy --feedback y=x --output y=y-%02d.npy --precision";
    let run = folder.run(&format!("{grow} x=half --iterate 12")).ended(0);
    run.says("note: y-%02d.npy: 1 values are 65504, -65504 or infinite, which half precision has");
    run.says("note: output `y`: 1 values are 65504, -65504 or infinite");
    assert!(floats(&folder, "y-12.npy").1[3] >= 65504.0);
    assert_eq!(floats(&folder, "y-11.npy").1, [2048.0, -6144.0, 1024.0, 32768.0]);
    let run = folder.run(&format!("{grow} x=half --iterate 11")).ended(0);
    assert!(!run.err.contains("65504"), "{}", run.err);
    let run = folder.run(&format!("{grow} x=single --iterate 12")).ended(0);
    assert!(!run.err.contains("65504"), "{}", run.err);
}

#[test]
fn a_file_of_three_axes_is_read_in_layers() {
    let folder = folder();
    let text = "uniform sampler2DArray x; out float sum;
        void main() {
            sum = 0.0;
            for (int i = 0; i < textureSize(x, 0).z; ++i) sum += texelFetch(x, ivec3(TEXEL, i), 0).r;
        }";
    folder.write("sum_of_layers.frag", text);
    let numbers: Vec<f32> = (0..2 * 3 * 5).map(|n| n as f32).collect();
    folder.write("x.npy", npy("<f4", false, "(2, 3, 5)", &singles(&numbers)));
    let run = folder.run("run sum_of_layers.frag --input x=x.npy --output sum=sum.npy").ended(0);
    assert!(run.out.contains("x = x.npy, shape (2, 3, 5)"), "{}", run.out);
    let wanted: Vec<f32> = (0..15).map(|n| (2 * n + 15) as f32).collect();
    assert_eq!(floats(&folder, "sum.npy"), (vec![3, 5], wanted));
}
