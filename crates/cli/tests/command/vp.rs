//! `quadrille vp`: what it prints, what it writes, and how it ends.

mod errors;

use crate::runner::{Folder, Run, doubles, npy, root, singles};
use quadrille::internal::reference::is_near;
use quadrille::io::npy as files;
use serde_json::{Value, json};

/// Programs, and vectors x and y of 61 numbers, bytes b, digits d.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("square.vp", "MUL R0, v[1], v[1];\nMAD o[1], R0, c[11], v[1];\n");
    folder.write("blend.vp", "MOV R0, v[2];\nMAD o[COL0], v[1], c[0].x, R0;\n");
    folder.write("three.vp", "MOV R0, v[2]; ADD R0, R0, v[1]; MAD o[1], R0, c[1], v[3];");
    folder.write("first.vp", "!!VP1.0\nDP4 o[1].x, v[1], c[3];\nEND\n");
    let x: Vec<f32> = (0..61).map(|i| i as f32 / 8.0 - 2.0).collect();
    let y: Vec<f32> = (0..61).map(|i| (i * i % 17) as f32).collect();
    files::write(folder.file("x.npy"), &[61], &x).unwrap();
    files::write(folder.file("y.npy"), &[61], &y).unwrap();
    folder.write("b.npy", npy("|u1", false, "(5,)", &[0, 1, 100, 200, 255]));
    folder
}

fn x() -> Vec<f32> {
    files::read(folder().file("x.npy")).unwrap().data
}

/// Refused with these words; nothing printed, nothing written.
#[track_caller]
fn refused(folder: &Folder, arguments: &str, words: &[&str]) -> Run {
    let before = folder.names();
    let run = folder.run(arguments).ended(2);
    words.iter().for_each(|word| run.says(word));
    assert_eq!(run.out, "", "{arguments}");
    assert_eq!(folder.names(), before, "{arguments}");
    run
}

#[test]
fn every_engine_writes_the_same_numbers() {
    let folder = folder();
    let expected: Vec<f32> = x().iter().map(|x| x * x * 0.5 + x).collect();
    for engine in ["attributes", "vertex", "feedback", "fragment", "simulator"] {
        let arguments = format!(
            "vp square.vp --input x.npy --constant 11=0.5 --engine {engine} --output o.npy"
        );
        let run = folder.run(&arguments).ended(0);
        assert!(run.out.contains(engine) && run.out.contains("written   o.npy"), "{}", run.out);
        assert_eq!(files::read(folder.file("o.npy")).unwrap().data, expected, "{engine}");
    }
}

#[test]
fn json_is_one_object_with_the_promised_keys() {
    let folder = folder();
    let json = folder.run("vp square.vp --input x.npy --constant 11=2 --json").ended(0).json();
    assert_eq!((&json["program"], &json["semantics"]), (&json!("square.vp"), &json!("v -> v")));
    assert_eq!((&json["engine"], &json["profile"]), (&json!("fragment"), &json!("modern")));
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    assert_eq!((&json["length"], &json["reads"]), (&json!(61), &json!(1)));
    assert_eq!((&json["instructions"], &json["own_instructions"]), (&json!(3), &json!(1)));
    assert_eq!((&json["result"]["count"], &json["result"]["type"]), (&json!(61), &json!("f32")));
    assert_eq!(json["result"]["first"][0], 6.0);
    for part in ["setup", "upload", "compute", "readback"] {
        assert!(json["milliseconds"][part].as_f64().unwrap() >= 0.0, "{part}");
    }
    assert!(json["milliseconds"]["compute"].as_f64().unwrap() > 0.0);
    assert_eq!((&json["output"], &json["fold"]), (&Value::Null, &Value::Null));

    let run = folder.run("vp square.vp --input x.npy --constant 11=2 --engine simulator --json");
    assert_eq!(run.ended(0).json()["device"], Value::Null);
}

#[test]
fn two_and_three_vectors_and_four_constants_are_taken() {
    let folder = folder();
    folder
        .run("vp blend.vp --input x.npy --input y.npy --constant 0=2,9,9,9 --output o.npy")
        .ended(0);
    let y = files::read(folder.file("y.npy")).unwrap().data;
    let expected: Vec<f32> = x().iter().zip(&y).map(|(x, y)| x * 2.0 + y).collect();
    assert_eq!(files::read(folder.file("o.npy")).unwrap().data, expected);

    let three = "vp three.vp --input x.npy --input y.npy --input x.npy --constant 1=-1";
    let json = folder.run(&format!("{three} --output o.npy --json")).ended(0).json();
    assert_eq!(json["semantics"], "[v, v, v] -> v");
    let expected: Vec<f32> = x().iter().zip(&y).map(|(x, y)| -(y + x) + x).collect();
    assert_eq!(files::read(folder.file("o.npy")).unwrap().data, expected);
}

#[test]
fn bytes_are_kept_and_given() {
    let folder = folder();
    let run =
        folder.run("vp square.vp --input b.npy --constant 11=0.01 --bytes --output o.npy --json");
    assert_eq!(run.ended(0).json()["result"]["type"], "u8");
    let array = files::read(folder.file("o.npy")).unwrap();
    assert!(array.bytes);
    assert_eq!(array.data, [0.0, 1.0, 200.0, 255.0, 255.0]);
}

#[test]
fn doubles_are_rounded_with_a_note_and_integers_are_taken() {
    let folder = folder();
    folder.write("f8.npy", npy("<f8", false, "(2,)", &doubles(&[0.1, 2.0])));
    let integers: Vec<u8> = [3_i32, -4].iter().flat_map(|i| i.to_le_bytes()).collect();
    folder.write("i4.npy", npy("<i4", false, "(2, 1)", &integers));
    let run = folder.run("vp square.vp --input f8.npy --constant 11=0 --json").ended(0);
    run.says("f8.npy: its 64-bit floats were rounded");
    assert_eq!(run.json()["result"]["first"], json!([0.1, 2.0]));
    let run = folder.run("vp square.vp --input i4.npy --constant 11=1 --json").ended(0);
    assert_eq!(run.json()["result"]["first"], json!([12.0, 12.0]));
    assert_eq!(run.err, "");
}

#[test]
fn a_sum_is_printed_and_written_whoever_sums() {
    let folder = folder();
    // The first quad of each 15: of the 2nd invocation, one number and three paddings.
    let x = x();
    let expected: f32 = x[..4].iter().sum::<f32>() + x[60] + 3.0 * 2.0;
    for fold in ["host", "device", "blending"] {
        let arguments = format!(
            "vp first.vp --input x.npy --reduce --padding 2 --constant 3=1 --fold {fold} \
             --output s.npy --json"
        );
        let json = folder.run(&arguments).ended(0).json();
        assert_eq!((&json["fold"], &json["reads"]), (&json!(fold), &json!(15)));
        assert_eq!(json["result"]["value"], json!(f64::from(expected)), "{fold}");
        let array = files::read(folder.file("s.npy")).unwrap();
        assert_eq!((array.shape, array.data), (vec![1], vec![expected]), "{fold}");
    }
    let run = folder.run("vp first.vp --input x.npy --reduce --padding -1 --constant 3=1").ended(0);
    assert!(run.out.contains(&format!("result    {:?}", expected - 9.0)), "{}", run.out);
}

#[test]
fn the_period_sees_pixels() {
    let folder = folder();
    let json = folder
        .run("vp square.vp --input x.npy --constant 11=0 --profile period --json")
        .ended(0)
        .json();
    assert_eq!((&json["result"]["least"], &json["result"]["largest"]), (&json!(0.0), &json!(1.0)));
}

#[test]
fn glsl_runs_by_its_ending_or_the_option() {
    let folder = folder();
    let text = "void program() { o[1] = c[11] * v[1] + v[1] * v[1]; }";
    for (name, option) in [("f.glsl", ""), ("f.frag", ""), ("f.txt", "--glsl")] {
        folder.write(name, text);
        let arguments = format!("vp {name} --input x.npy --constant 11=2 {option} --json");
        let json = folder.run(&arguments).ended(0).json();
        assert_eq!(
            (&json["result"]["first"][0], &json["instructions"]),
            (&json!(0.0), &Value::Null)
        );
    }
    folder.write("bad.glsl", "void program() {\n    o[1] = w[1];\n}");
    refused(&folder, "vp bad.glsl --input x.npy --output o.npy", &["bad.glsl:2", "w"]);
    refused(&folder, "vp f.glsl --input x.npy --engine simulator", &["f.glsl", "simulator"]);
    refused(&folder, "vp f.glsl --disassemble", &["f.glsl is GLSL"]);
}

/// llvmpipe ends loops early and says nothing: the vector that came out was wrong.
#[test]
fn glsl_loops_are_right_or_refused() {
    let folder = folder();
    folder.write(
        "loop.glsl",
        "void program() { float s = 0.0; for (int i = 0; i < int(c[11].x); i++) s += 1.0; o[1] = vec4(s); }",
    );
    let arguments = |turns: u32| {
        format!("vp loop.glsl --input x.npy --constant 11={turns} --engine fragment --json")
    };
    let json = folder.run(&arguments(60_000)).ended(0).json();
    assert_eq!(json["result"]["first"][0], json!(60_000.0));
    let run = folder.run(&arguments(100_000));
    match run.code {
        Some(0) => assert_eq!(run.json()["result"]["first"][0], json!(100_000.0)),
        _ => {
            let run = run.ended(2);
            run.says("iterations in total");
            run.says("loop.glsl");
        }
    }
}

#[test]
fn the_program_is_shown_as_it_runs() {
    let folder = folder();
    let run = folder.run("vp square.vp --disassemble").ended(0);
    for text in
        ["!!VP1.1", "# v[1]: vector 1, quad 1 of 1", "MOV o[HPOS], v[OPOS]; # framework", "END"]
    {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    // As the help says of feeding it back.
    folder.write("whole.vp", &run.out);
    refused(&folder, "vp whole.vp --input x.npy", &["whole.vp:3", "o[0], also called o[HPOS]"]);
    let own = |line: &&str| !line.ends_with("# framework");
    folder.write("own.vp", run.out.lines().filter(own).collect::<Vec<_>>().join("\n"));
    folder.run("vp own.vp --input x.npy --constant 11=1").ended(0);
    // As many vectors as it reads, or as many as are named, which need not be there.
    let json = folder.run("vp blend.vp --disassemble --json").ended(0).json();
    assert_eq!((&json["semantics"], &json["reads"]), (&json!("[v, v] -> v"), &json!(2)));
    let named = "vp first.vp --reduce --input no.npy --input no.npy --disassemble --json";
    let json = folder.run(named).ended(0).json();
    assert_eq!((&json["semantics"], &json["reads"]), (&json!("[v, v] -> s"), &json!(14)));
    assert_eq!((&json["instructions"], &json["own_instructions"]), (&json!(2), &json!(1)));
}

#[test]
fn all_engines_are_compared() {
    let folder = folder();
    let arguments = "vp square.vp --input x.npy --constant 11=0.5 --compare --tolerance 0";
    let json = folder.run(&format!("{arguments} --json")).ended(0).json();
    let rows = json["rows"].as_array().unwrap();
    let engines: Vec<&str> = rows.iter().map(|row| row["engine"].as_str().unwrap()).collect();
    assert_eq!(engines, ["simulator", "attributes", "vertex", "feedback", "fragment", "compute"]);
    for row in rows {
        assert_eq!((&row["ulps"], &row["differing"]), (&json!(0), &json!(0)), "{row}");
        assert!(row["milliseconds"]["compute"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!((&row["error"], &row["gaps"]), (&Value::Null, &json!([])));
    }
    let run = folder.run(arguments).ended(0);
    for text in ["engine", "ulps", "feedback", "compute ms", "units in the last place"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
}

#[test]
fn a_known_gap_is_told_and_fails_only_where_a_tolerance_is_given() {
    let folder = folder();
    folder.write("zero.vp", "MUL o[1], v[1], c[0];");
    folder.write("inf.npy", npy("<f4", false, "(3,)", &singles(&[1.0, 2.0, f32::INFINITY])));
    let arguments = "vp zero.vp --input inf.npy --constant 0=0 --compare";
    let json = folder.run(&format!("{arguments} --json")).ended(0).json();
    assert_eq!(json["rows"][0]["ulps"], 0);
    for row in json["rows"].as_array().unwrap().iter().skip(1) {
        assert_eq!(
            (&row["ulps"], &row["index"], &row["differing"]),
            (&Value::Null, &json!(2), &json!(1))
        );
        assert_eq!((&row["expected"], &row["got"]), (&json!(0.0), &json!("NaN")));
        assert_eq!((&row["gaps"][0]["gap"], &row["gaps"][0]["count"]), (&json!("nan"), &json!(1)));
    }
    assert!(folder.run(arguments).ended(0).out.contains("has 0 times an infinity"));
    let run = folder.run(&format!("{arguments} --tolerance 1000000 --json")).ended(1);
    run.says("fragment is a NaN from the simulator, more than --tolerance 1000000");
    assert_eq!(run.json()["tolerance"], 1_000_000);
}

#[test]
fn a_gap_says_what_is_true_of_the_numbers_that_it_is_shown_for() {
    let folder = folder();
    // 0 x inf is 0 in the simulator and NaN on the engines, and 0 < NaN is not so: 1 and 0.
    folder.write("hidden.vp", "MUL R0, v[1], c[0]; SGE o[1], R0, c[0];");
    folder.write("inf.npy", npy("<f4", false, "(2,)", &singles(&[f32::INFINITY, 1.0])));
    let hidden = "vp hidden.vp --input inf.npy --constant 0=0 --compare";
    let json = folder.run(&format!("{hidden} --json")).ended(0).json();
    for row in json["rows"].as_array().unwrap().iter().skip(1) {
        assert_eq!((&row["expected"], &row["got"]), (&json!(1.0), &json!(0.0)), "{row}");
        let text = row["gaps"][0]["text"].as_str().unwrap();
        assert!(text.contains("a NaN, an infinity or a denormal on the way"), "{text}");
        assert!(!text.contains("specification"), "{text}");
    }
    // 1 / 0 - 1 / 0 of the simulator's 0 x inf; on the engines SGE hides the NaN, and it is 1 / -1
    // twice.
    folder.write("lost.vp", "MUL R0, v[1], c[0]; SGE R1, R0, c[0]; ADD R1, R1, -c[1];\nRCP R1, R1.x; ADD o[1], R1, -R1;");
    let lost = "vp lost.vp --input inf.npy --constant 0=0 --constant 1=1 --compare --json";
    let json = folder.run(lost).ended(0).json();
    for row in json["rows"].as_array().unwrap().iter().skip(1) {
        assert_eq!((&row["expected"], &row["got"]), (&json!("NaN"), &json!(0.0)), "{row}");
        assert_eq!(row["gaps"][0]["gap"], "nan-lost");
        let text = row["gaps"][0]["text"].as_str().unwrap();
        assert!(text.contains("the simulator alone has a NaN"), "{text}");
    }
}

#[test]
fn vectors_of_nothing_give_nothing() {
    let folder = folder();
    folder.write("none.npy", npy("<f4", false, "(0,)", &[]));
    let run = folder.run("vp square.vp --input none.npy --constant 11=1 --json").ended(0);
    assert_eq!(run.json()["result"]["count"], 0);
    let run = folder.run("vp first.vp --input none.npy --reduce --constant 3=1 --json").ended(0);
    assert_eq!(run.json()["result"]["value"], 0.0);
}

/// Each file of `crates/vector-machine/programs/` says how to run it: those lines are run as they stand,
/// on a number of elements with which the last invocation of a sum is incomplete.
#[test]
fn the_documents_programs_run_as_their_files_say() {
    let folder = Folder::new();
    let digits: Vec<f32> = (0..1000).map(|i| (1 + i % 9) as f32).collect();
    for name in ["x.npy", "y.npy"] {
        files::write(folder.file(name), &[1000], &digits).unwrap();
    }
    let programs = root().join("crates/vector-machine/programs");
    let shown = programs.display();
    let mut first = std::collections::BTreeMap::new();
    for file in std::fs::read_dir(&programs).unwrap() {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let said = text.split("quadrille vp ").nth(1).unwrap();
        let lines = said.lines().take_while(|line| !line.trim_matches(['#', ' ']).is_empty());
        let command: String =
            lines.map(|l| l.trim_matches(['#', ' ', '\\']).to_owned() + " ").collect();
        let command = command.replace("crates/vector-machine/programs/", &format!("{shown}/"));
        let run = folder.run(&format!("vp {command} --json")).ended(0);
        assert_eq!(run.err, "", "every constant is set");
        let json = run.json();
        let name = file.file_name().into_string().unwrap();
        let value = &json["result"]["value"];
        let shown = if value.is_null() { &json["result"]["first"][1] } else { value };
        first.insert(name, shown.as_f64().unwrap());
        assert!(folder.file(json["output"].as_str().unwrap()).is_file());
    }
    // Of the second number, which is 2, or of all.
    let squares: f64 = digits.iter().map(|x| f64::from(x * x)).sum();
    let near = |name: &str, expected: f64| {
        let got = first[name];
        assert!(is_near(got, expected, 1e-6 * expected.abs()), "{name}: {got}, not {expected}");
    };
    near("factorial.vp", 2.0);
    near("exponents.vp", 2.0_f64.powi(50));
    near("log2.vp", 1.0);
    near("exp2.vp", 4.0);
    near("arithmetic.vp", (std::f64::consts::PI * 8.0).ln());
    near("muls-120.vp", 2.0);
    near("dot.vp", squares);
    near("sum-of-squares.vp", squares);
}
