//! Errors and notes of `quadrille vp`.

use super::*;

#[test]
fn assembler_errors_show_line_and_caret() {
    let folder = folder();
    folder.write("bad.vp", "MOV R0, v[1];\n  MUX R1, R0;\n");
    let run = refused(
        &folder,
        "vp bad.vp --input x.npy --output o.npy",
        &["bad.vp:2:3", "no instruction MUX", "MUX R1, R0;"],
    );
    assert!(run.err.lines().any(|line| line.trim_start().starts_with('|') && line.ends_with('^')));
    folder.write("bytes.vp", [0xff, 0xfe, 0]);
    refused(&folder, "vp bytes.vp --input x.npy", &["bytes.vp", "expected the text of a program"]);
    folder.write("long.vp", "é".repeat(1 << 20));
    refused(&folder, "vp long.vp --input x.npy", &["long.vp", "at most 1048576 bytes"]);
    refused(&folder, "vp gone.vp --input x.npy", &["gone.vp: cannot read it"]);
    refused(&folder, "vp . --input x.npy", &["."]);
}

#[test]
fn constants_that_are_wrong_say_why() {
    let folder = folder();
    let refused = |constant: &str, words: &str| {
        let arguments = format!("vp square.vp --input x.npy {constant} --output o.npy");
        refused(&folder, &arguments, &[words]);
    };
    refused("--constant 11", "there is no `=`");
    refused("--constant 11=1,2", "got 2 numbers");
    refused("--constant 11=a", "`a` is no single-precision number");
    refused("--constant x=1", "`x` is no register's number");
    refused("--constant 11=1 --constant 11=2", "c[11] twice");
    refused("--constant 5000=1", "c[5000]");
    let run = folder.run("vp square.vp --input x.npy --json").ended(0);
    run.says("note: square.vp reads c[11], which no --constant sets: zeros");
}

#[test]
fn inputs_that_are_never_read_are_noted() {
    let folder = folder();
    let dot = root().join("crates/vector-machine/programs/dot.vp");
    let dot = dot.display();
    let notes = |arguments: &str| folder.run(&format!("vp {arguments} --json")).ended(0).err;
    let forgotten = notes(&format!("{dot} --input x.npy --reduce --padding 0"));
    assert!(forgotten.contains("dot.vp never reads v[15], 1 of each 15 quads of x.npy"));
    let few = notes("first.vp --input x.npy --reduce --padding 0 --constant 3=1");
    assert!(few.contains("first.vp never reads v[2] to v[15], 14 of each 15 quads of x.npy"));
    let second = notes("square.vp --input x.npy --input y.npy --constant 11=1");
    assert!(second.contains("square.vp never reads v[2], all that it is given of y.npy"));
    assert_eq!(notes("blend.vp --input x.npy --input y.npy --constant 0=1"), "");
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let folder = folder();
    let refused = |arguments: &str, words: &[&str]| {
        refused(&folder, &format!("vp {arguments} --constant 0=1 --output o.npy"), words);
    };
    refused("blend.vp --input x.npy --input b.npy", &["b.npy has 5 numbers", "x.npy has 61"]);
    refused("blend.vp --input x.npy", &["blend.vp:1", "v[2]", "v[1] to v[1]"]);
    let four = "--input x.npy --input x.npy --input x.npy --input x.npy";
    refused(&format!("blend.vp {four}"), &["one to three vectors", "got 4"]);
    refused("blend.vp", &["--input <FILE.npy>"]);
    refused("first.vp --input x.npy --reduce", &["61 numbers", "60", "--padding"]);
    refused("blend.vp --input x.npy --input gone.npy", &["gone.npy: cannot read it"]);
    refused("blend.vp --input x.npy --input blend.vp", &["blend.vp", ".npy"]);
    refused("square.vp --input x.npy --padding 1", &["`padding` is about a sum: set `reduce`"]);
    refused(
        "first.vp --input x.npy --reduce --padding 1e39",
        &["'1e39' for '--padding", "a single-precision number"],
    );
    refused("square.vp --input x.npy --fold host", &["`fold` is about a sum: set `reduce`"]);
    refused(
        "square.vp --input x.npy --engine gpu",
        &["'gpu' for '--engine", "attributes, vertex, feedback"],
    );
    refused(
        "first.vp --input x.npy --reduce --fold gpu",
        &["'gpu' for '--fold", "host, device, blending"],
    );
    refused("square.vp --input x.npy --profile old", &["old", "modern", "period"]);
    refused("square.vp --input x.npy --tolerance 1", &["--compare"]);
    folder.write("table.npy", npy("<f4", false, "(2, 2)", &singles(&[0.0; 4])));
    refused("square.vp --input table.npy", &["table.npy: expected a vector", "[2, 2]"]);
}

#[test]
fn an_output_that_cannot_be_is_refused_before_the_work() {
    let folder = folder();
    // The program is not there either: the output is looked at first.
    refused(&folder, "vp gone.vp --input x.npy --output no/o.npy", &["its folder does not exist"]);
    refused(&folder, "vp gone.vp --input x.npy --output o.txt", &["o.txt", ".npy"]);
}
