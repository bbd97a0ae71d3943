//! Sequences of frames, in and out, and standard streams.

use std::io::{Read, Write};
use std::process::{Output, Stdio};

use super::{floats, refused};
use crate::runner::{Folder, Run, Running, Signal, npy, path, singles};
use quadrille_run::io::field::{read, read_from};

const COUNT: &str = "uniform sampler2D x;
out float y;
void main() { y = READ(x, TEXEL).r + 1.0; }
";

const SUM: &str = "uniform sampler2D x;
uniform sampler2D sum;
out float more;
void main() { more = READ(sum, TEXEL).r + READ(x, TEXEL).r; }
";

const COLOUR: &str = "uniform int iteration;
out vec4 colour;
void main() { colour = vec4(TEXEL.x * 51, TEXEL.y * 51, iteration, 51.0) / 255.0; }
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("count.frag", COUNT);
    folder.write("sum.frag", SUM);
    folder.write("colour.frag", COLOUR);
    folder.write("x.npy", npy("<f4", false, "(2, 3)", &singles(&[0.0, 0.5, 1.0, 2.0, -1.0, 9.0])));
    folder
}

/// Arrays of two numbers each, the square of the number of the file and its negative.
fn frames(folder: &Folder, numbers: impl IntoIterator<Item = u16>) {
    for number in numbers {
        let square = f32::from(number).powi(2);
        let array = npy("<f4", false, "(1, 2)", &singles(&[square, -square]));
        folder.write(&format!("x-{number:03}.npy"), array);
    }
}

/// A command whose standard output is bytes.
fn bytes(folder: &Folder, arguments: &str, code: i32) -> Output {
    let output = Running::start(&mut folder.command(arguments)).output();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{err}");
    output
}

#[test]
fn frames_have_the_numbers_of_their_steps() {
    let folder = folder();
    let run = folder.run(
        "run count.frag --input x=x.npy --feedback y=x --iterate 11 --output y=y-%02d.npy --every 4",
    );
    let run = run.ended(0);
    assert!(run.out.contains("written to y-%02d.npy (2 frames)"), "{}", run.out);
    let written: Vec<String> =
        folder.names().into_iter().filter(|name| name.starts_with("y-")).collect();
    assert_eq!(written, ["y-04.npy", "y-08.npy"]);
    for (name, more) in [("y-04.npy", 4.0), ("y-08.npy", 8.0)] {
        let wanted = [0.0, 0.5, 1.0, 2.0, -1.0, 9.0].map(|x: f32| x + more);
        assert_eq!(floats(&folder, name), (vec![2, 3], wanted.to_vec()));
    }
    let arguments =
        "run count.frag --input x=x.npy --feedback y=x --iterate 3 --output y=z-%d.npy --json";
    let json = folder.run(arguments).ended(0).json();
    let output = &json["outputs"][0];
    assert_eq!((&output["file"], &output["frames"]), (&"z-%d.npy".into(), &3.into()));
    assert_eq!(floats(&folder, "z-1.npy").1[1], 1.5);
    assert_eq!(floats(&folder, "z-3.npy").1[1], 3.5);
}

#[test]
fn each_step_reads_the_next_frame() {
    let folder = folder();
    frames(&folder, 7..=20);
    folder.write("zero.npy", npy("<f4", false, "(1, 2)", &singles(&[0.0, 0.0])));
    let inputs = "--input x=x-%03d.npy --input sum=zero.npy --feedback more=sum";
    let run = folder.run(&format!("run sum.frag {inputs} --output more=all.npy")).ended(0);
    assert!(run.out.contains("14 frames, each of shape (1, 2)"), "{}", run.out);
    let sum = |numbers: std::ops::RangeInclusive<u16>| {
        numbers.map(|number| f32::from(number).powi(2)).sum::<f32>()
    };
    assert_eq!(floats(&folder, "all.npy").1, [sum(7..=20), -sum(7..=20)]);
    folder.run(&format!("run sum.frag {inputs} --iterate 3 --output more=three.npy")).ended(0);
    assert_eq!(floats(&folder, "three.npy").1, [sum(7..=9), -sum(7..=9)]);
}

#[test]
fn a_filter_maps_each_frame_to_one() {
    let folder = folder();
    frames(&folder, 1..=5);
    let run = folder.run("run count.frag --input x=x-%03d.npy --output y=y-%d.npy").ended(0);
    assert!(run.out.contains("5 steps"), "{}", run.out);
    for number in 1..=5 {
        let square = (number * number) as f32;
        assert_eq!(floats(&folder, &format!("y-{number}.npy")).1, [square + 1.0, 1.0 - square]);
    }
}

#[test]
fn sequences_that_cannot_be_read_are_refused_before_the_first_step() {
    let folder = folder();
    frames(&folder, [1, 2, 3, 5]);
    frames(&folder, 100..=102);
    let run = |input: &str, rest: &str| {
        format!("count.frag --input x={input} --output y=o-%d.npy {rest}")
    };
    refused(
        &folder,
        &run("x-0%02d.npy", ""),
        &["x-004.npy", "each number from 1 to 5", "none before 5"],
    );
    refused(
        &folder,
        &run("x-1%02d.npy", "--iterate 4"),
        &["input `x` has 3 frames, x-100.npy to x-102.npy", "4 steps"],
    );
    refused(&folder, &run("x-%x.npy", ""), &["x-%x.npy", "%0Nd", "got %x"]);
    refused(&folder, &run("no/x-%d.npy", ""), &["no: cannot read it"]);
    refused(&folder, &run("x-1%02d.npy", "--time"), &["--time", "sequence"]);
    let fed = "count.frag --input x=x-1%02d.npy --feedback y=x";
    refused(&folder, fed, &["input `x`", "output `y`", "sequence of frames"]);
    let two = "sum.frag --input x=x-1%02d.npy --input sum=x-10%d.npy";
    frames(&folder, [103]);
    folder.write("s-1.npy", npy("<f4", false, "(1, 2)", &singles(&[0.0, 0.0])));
    let differ = two.replace("x-10%d", "s-%d");
    refused(&folder, &differ, &["`x` has 4 frames", "`sum` has 1 frames", "how many steps"]);
    folder.run(&format!("run {two}")).ended(0);
}

#[test]
fn a_frame_that_is_not_like_the_first_ends_the_run_and_earlier_results_stay() {
    let folder = folder();
    frames(&folder, 1..=3);
    for (shape, count, part) in [
        ("(2, 2)", 4, "1 channel, 2 x 2"),
        ("(1, 2, 2)", 4, "2 channels, 2 x 1"),
        ("(2,)", 2, "one axis"),
    ] {
        folder.write("x-004.npy", npy("<f4", false, shape, &singles(&vec![0.0; count])));
        let run = folder.run("run count.frag --input x=x-%03d.npy --output y=y-%d.npy").ended(2);
        for part in ["x-004.npy: expected 1 channel, 2 x 1", "input `x`", part] {
            run.says(part);
        }
        for number in 1..=3 {
            assert_eq!(floats(&folder, &format!("y-{number}.npy")).1.len(), 2);
        }
        assert!(!folder.names().contains(&"y-4.npy".into()));
    }
    folder.write("x-004.npy", "no array");
    folder
        .run("run count.frag --input x=x-%03d.npy --output y=y-%d.npy")
        .ended(2)
        .says("x-004.npy");
}

#[test]
fn descriptions_of_runs_and_of_tests_have_sequences_and_no_standard_input() {
    let folder = folder();
    frames(&folder, 1..=4);
    let passes = "[pass.add]\nshader = \"sum.frag\"\n[buffer.sum]\nfrom = \"add.more\"\n";
    let first = "first = \"zeros:2x1\"\n";
    folder.write("all.run.toml", format!("input.x = \"x-%03d.npy\"\n{passes}{first}"));
    let run = folder.run("run all.run.toml --output add.more=all.npy").ended(0);
    assert!(run.out.contains("4 steps"), "{}", run.out);
    assert_eq!(floats(&folder, "all.npy").1, [30.0, -30.0]);
    let expected = "[expect.\"add.more\"]\nvalues = [[30, -30]]\nexact = true\n";
    folder.write("all.test.toml", format!("run = \"all.run.toml\"\n{expected}"));
    folder.run("test all.test.toml").ended(0);
    folder.write("in.run.toml", format!("input.x = \"-\"\n{passes}{first}"));
    refused(&folder, "in.run.toml", &["in.run.toml:1", "input.x", "a file"]);
    folder.write("gap.run.toml", format!("input.x = \"y-%d.npy\"\n{passes}{first}"));
    refused(&folder, "gap.run.toml", &["y-%d.npy", "y-1.npy"]);
    folder.write(
        "fed.run.toml",
        format!("input.x = \"zeros:2x1\"\n{passes}first = \"x-%03d.npy\"\n"),
    );
    refused(&folder, "fed.run.toml", &["input `sum`", "output `add.more`", "sequence of frames"]);
}

#[test]
fn outputs_that_cannot_be_sequences_are_refused() {
    let folder = folder();
    frames(&folder, 1..=3);
    let x = "count.frag --input x=x.npy --feedback y=x --iterate 5";
    refused(&folder, &format!("{x} --output y=y-%x.png"), &["y-%x.png", "got %x"]);
    refused(&folder, &format!("{x} --output y=y-%d.bmp"), &["y-1.bmp", ".npy, .png, .jpg"]);
    refused(&folder, &format!("{x} --output y=no/y-%d.png"), &[&path("no/y-1.png"), "folder"]);
    refused(&folder, &format!("{x} --every 2"), &["--every 2", "no output is a sequence"]);
    refused(
        &folder,
        &format!("{x} --output y=y.npy --every 2"),
        &["--every 2", "no output is a sequence"],
    );
    refused(&folder, &format!("{x} --output y=y-%d.npy --every 6"), &["--every 6", "at most 5"]);
    refused(&folder, &format!("{x} --output y=y-%d.npy --every 0"), &["--every", "0"]);
    refused(&folder, &format!("{x} --output y=y-%d.jpg --bits 16"), &["--bits 16", "JPEG"]);
    let over = "count.frag --input x=x-%03d.npy --output y=";
    refused(&folder, &format!("{over}x-%03d.npy"), &["output `y`", "input `x`", "x-%03d.npy"]);
    refused(&folder, &format!("{over}./x-00%d.npy"), &["output `y`", "input `x`"]);
}

#[test]
fn pictures_of_a_sequence_share_a_range_or_say_that_they_do_not() {
    let folder = folder();
    let x = "run count.frag --input x=x.npy --feedback y=x --iterate 3";
    folder.run(&format!("{x} --output y=y-%d.png")).ended(0).says("a colour scale of its own");
    let run = folder.run(&format!("{x} --output y=y-%d.png --range 0:2")).ended(0);
    // Of six numbers and 1, 2 and 3: above 2 are 2, 4 and 5; none is below 0.
    run.says("note: y-%d.png: 11 values are outside 0 to 2");
    assert!(!run.err.contains("scale of its own"), "{}", run.err);
}

#[test]
fn a_jpeg_is_near_the_picture_and_has_no_alpha() {
    let folder = folder();
    let arguments = "run colour.frag --size 6x5 --output colour=c.jpg";
    folder.run(arguments).ended(0).says("c.jpg: 30 pixels are not opaque");
    folder.run("run colour.frag --size 6x5 --output colour=c.png").ended(0);
    let (jpeg, png) =
        (read(folder.file("c.jpg")).unwrap().0, read(folder.file("c.png")).unwrap().0);
    assert_eq!((jpeg.channels(), png.channels()), (3, 4));
    let (jpeg, png): (Vec<f64>, Vec<f64>) =
        (jpeg.values().doubles().collect(), png.values().doubles().collect());
    for (near, exact) in jpeg.chunks(3).zip(png.chunks(4)) {
        for channel in 0..3 {
            assert!((near[channel] - exact[channel]).abs() < 0.1, "{near:?} {exact:?}");
        }
    }
    refused(
        &folder,
        "colour.frag --size 6x5 --output colour=c.jpeg --bits 16",
        &["JPEG has 8 bits"],
    );
}

#[test]
fn arrays_come_and_go_by_standard_streams() {
    let folder = folder();
    let piped = |arguments: &str, input: &[u8]| {
        let mut command = folder.command(arguments);
        let mut child = Running::start(command.stdin(Stdio::piped()));
        let _ = child.stdin.take().unwrap().write_all(input);
        child.output()
    };
    let array = std::fs::read(folder.file("x.npy")).unwrap();
    let output = piped("run count.frag --input x=- --output y=-", &array);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{err}");
    let (field, _) = read_from(&output.stdout[..], "output").unwrap();
    assert_eq!(field.shape(), [2, 3]);
    let numbers: Vec<f64> = field.values().doubles().collect();
    assert_eq!(numbers, [1.0, 1.5, 2.0, 3.0, 0.0, 10.0]);
    assert!(
        err.contains("input   x = -, shape (2, 3)") && err.contains("written to standard output"),
        "{err}"
    );
    for (input, part) in [
        (&array[..array.len() - 1], "6 numbers"),
        (b"", "header of a .npy"),
        (b"PNG", "header of a .npy"),
    ] {
        let output = piped("run count.frag --input x=- --output y=-", input);
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
        assert!(err.contains("standard input") && err.contains(part), "{err}");
    }
}

#[test]
fn standard_streams_have_room_for_one() {
    let folder = folder();
    refused(&folder, "sum.frag --input x=- --input sum=-", &["`x`", "`sum`", "standard input"]);
    refused(
        &folder,
        "count.frag --input x=x.npy --output y=- --json",
        &["--json", "--output NAME=-"],
    );
    refused(&folder, "count.frag --input x=- --save-test t", &["--save-test", "standard input"]);
    refused(&folder, "count.frag --input x=x.npy --raw gray", &["--raw gray", "--output NAME=-"]);
    refused(
        &folder,
        "count.frag --input x=x.npy --output y=y.npy --raw gray",
        &["--output NAME=-"],
    );
    refused(&folder, "count.frag --input x=x.npy --output y=- --raw bgr", &["bgr", "rgb24"]);
    refused(
        &folder,
        "count.frag --input x=x.npy --output y=- --raw rgb24 --bits 16",
        &["--bits 16"],
    );
    folder.write("whole.frag", "out int a; void main() { a = TEXEL.x; }");
    refused(&folder, "whole.frag --size 2x2 --output a=- --raw f32", &["floats"]);
    folder.write(
        "both.frag",
        "layout(location = 0) out float a; layout(location = 1) out float b; void main() { a = b = 1.0; }",
    );
    refused(
        &folder,
        "both.frag --size 2x2 --output a=- --output b=-",
        &["`a`", "`b`", "standard output"],
    );
}

#[test]
fn raw_frames_follow_each_other() {
    let folder = folder();
    let frame = |iteration: u8, channels: usize| -> Vec<u8> {
        let pixels = (0..2).flat_map(|y| (0..3).map(move |x| [x * 51, y * 51, iteration, 51]));
        pixels.flat_map(|pixel| pixel[..channels].to_vec()).collect()
    };
    let run = "run colour.frag --size 3x2 --iterate 7 --output colour=-";
    for (format, channels) in [("rgb24", 3), ("rgba", 4)] {
        let output = bytes(&folder, &format!("{run} --raw {format}"), 0);
        let wanted: Vec<u8> = (0..7).flat_map(|iteration| frame(iteration, channels)).collect();
        assert_eq!(output.stdout, wanted, "{format}");
    }
    let output = bytes(&folder, &format!("{run} --raw rgb24 --every 3"), 0);
    assert_eq!(output.stdout, [frame(2, 3), frame(5, 3)].concat());
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(err.contains("written to standard output (2 frames)"), "{err}");
    let run = "run count.frag --input x=x.npy --feedback y=x --iterate 2 --output y=-";
    let output = bytes(&folder, &format!("{run} --raw f32"), 0);
    let wanted = [0.0, 0.5, 1.0, 2.0, -1.0, 9.0_f32];
    let wanted = [wanted.map(|x| x + 1.0), wanted.map(|x| x + 2.0)].concat();
    assert_eq!(output.stdout, singles(&wanted));
    let output = bytes(&folder, &format!("{run} --raw gray --colours none --range 0:10"), 0);
    let grey = |x: f32| ((x / 10.0).clamp(0.0, 1.0) * 255.0).round() as u8;
    assert_eq!(output.stdout, wanted.iter().map(|x| grey(*x)).collect::<Vec<u8>>());
}

/// A reader that takes a few frames and closes the pipe.
fn closed(folder: &Folder, arguments: &str) -> Run {
    let mut child = folder.start(arguments);
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 100]).unwrap();
    drop(out);
    crate::runner::finish(child)
}

#[test]
fn a_reader_that_has_enough_ends_the_run() {
    let folder = folder();
    let run = "run colour.frag --size 64x64 --iterate 100000000 --output colour=- --raw rgb24";
    let run = closed(&folder, run).ended(0);
    assert!(!run.err.contains("error"), "{}", run.err);
    folder.write("big.frag", "layout(location = 0) out vec4 a; layout(location = 1) out float b; uniform int iteration; void main() { a = vec4(iteration); b = float(iteration); }");
    let run =
        "run big.frag --size 64x64 --iterate 100000000 --output a=- --raw rgb24 --output b=b.npy";
    closed(&folder, run).ended(1).says("standard output was closed after ");
    assert_eq!(floats(&folder, "b.npy").0, [64, 64]);
}

#[test]
fn an_interrupt_keeps_whole_frames() {
    let folder = folder();
    let mut child = folder.start(
        "run count.frag --input x=x.npy --feedback y=x --iterate 100000000 --output y=y-%d.npy",
    );
    while !folder.names().contains(&"y-20.npy".into()) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.send(Signal::SIGINT);
    let run = crate::runner::finish(child).ended(130);
    run.says("that state was kept");
    let mut count = 0;
    for name in folder.names() {
        let Some(number) = name.strip_prefix("y-").and_then(|rest| rest.strip_suffix(".npy"))
        else {
            assert!(!name.starts_with(".quadrille"), "{name}");
            continue;
        };
        count += 1;
        let number: f32 = number.parse().unwrap();
        assert_eq!(floats(&folder, &name).1[1], 0.5 + number);
    }
    run.says(&format!("after {count} of 100000000 iterations"));
}
