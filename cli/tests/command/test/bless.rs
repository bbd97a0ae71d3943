//! Expectations that are written: what is written, what is refused.

use quadrille::data::Values;
use quadrille::io::field::read;

use super::{HALVE, RIGHT, START, folder};
use crate::runner::{Folder, finish};

/// The floats of a file.
fn floats(folder: &Folder, name: &str) -> Vec<f32> {
    match read(folder.file(name)).unwrap().0.into_values() {
        Values::F32(numbers) => numbers,
        other => panic!("expected floats, got {}", other.name()),
    }
}

#[test]
fn a_test_without_an_expectation_gets_one_that_holds() {
    let folder = folder(&[("a", "")]);
    folder.run("test").ended(2).says("the test expects nothing");
    let run = folder.run("test --bless").ended(0);
    assert!(run.out.contains("written: a.y.npy"), "{}", run.out);
    assert_eq!(floats(&folder, "a.y.npy"), [0.0, 0.25, 0.5]);
    let text = std::fs::read_to_string(folder.file("a.test.toml")).unwrap();
    assert!(
        text.starts_with(START)
            && text.ends_with("\n[expect.y]\nequals = \"a.y.npy\"\nexact = true\n"),
        "{text}"
    );
    let from = std::fs::read_to_string(folder.file("a.y.npy.json")).unwrap();
    let from: serde_json::Value = serde_json::from_str(&from).unwrap();
    for key in ["device", "driver", "cpu", "date", "api", "quadrille"] {
        assert!(from[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {from}");
    }
    folder.run("test").ended(0);
    folder.write("halve.frag", HALVE.replace("0.5 *", "0.75 *"));
    let run = folder.run("test").ended(1);
    assert!(run.out.contains("`equals`: 2 of 3 texels miss (exactly)"), "{}", run.out);
    let from = format!("what is expected was computed on {}", from["device"].as_str().unwrap());
    assert!(run.out.contains(&from), "{}", run.out);
    folder.run("test --bless").ended(0);
    assert_eq!(floats(&folder, "a.y.npy"), [0.0, 0.375, 0.75]);
    assert_eq!(
        std::fs::read_to_string(folder.file("a.test.toml")).unwrap(),
        text,
        "nothing new to say"
    );
    folder.run("test").ended(0);
}

#[test]
fn a_part_is_written_where_it_is_expected() {
    let expect = "[expect.y]\nat = [1, 0, 2, 1]\nequals = \"part.npy\"\nulp = 2\n";
    let folder = folder(&[("a", expect)]);
    folder.run("test").ended(2).says("there is no file part.npy");
    folder.run("test --bless").ended(0);
    assert_eq!(floats(&folder, "part.npy"), [0.25, 0.5]);
    folder.run("test").ended(0);
}

#[test]
fn numbers_that_test_nothing_are_refused() {
    let folder = folder(&[("a", "")]);
    let refused = |shader: &str, says: &str, arguments: &str| {
        folder.write("halve.frag", shader);
        let run = folder.run(arguments).ended(1);
        assert!(run.out.contains(says), "{}", run.out);
        assert!(!folder.names().contains(&"a.y.npy".to_owned()));
    };
    let constant = HALVE.replace("0.5 *", "1.0 + 0.0 *");
    refused(&constant, "output `y` is the same in all 3 texels", "test --bless");
    let infinite = HALVE.replace("0.5 *", "1.0 /");
    refused(
        &infinite,
        "output `y` has 1 numbers that are NaN or infinite",
        "test --bless --allow-constant",
    );
    folder.write("halve.frag", constant);
    folder.run("test --bless --allow-constant").ended(0);
    assert_eq!(floats(&folder, "a.y.npy"), [1.0; 3]);
    folder.write("b.test.toml", format!("{START}{RIGHT}"));
    let run = folder.run("test --bless b.test.toml").ended(2);
    assert!(run.out.contains("skip     b\n         no expectation has a file"), "{}", run.out);
    folder.write("c.test.toml", format!("{START}[expect.z]\nequals = \"z.npy\"\nulp = 1\n"));
    let run = folder.run("test --bless c.test.toml").ended(2);
    assert!(
        run.out.contains("c.test.toml:3:9: the shader has no output `z`; it has: y"),
        "{}",
        run.out
    );
    folder.write(
        "c.test.toml",
        format!("{START}[expect.y]\nat = [2, 0, 2, 1]\nequals = \"z.npy\"\nulp = 1\n"),
    );
    let run = folder.run("test --bless c.test.toml").ended(2);
    assert!(run.out.contains("is not inside the output of 3 x 1"), "{}", run.out);
    folder
        .run("test --bless --device all")
        .ended(2)
        .says("--bless writes what one device computes");
    let mut command = folder.command("test --bless");
    command.env("CI", "true");
    finish(command.spawn().unwrap()).ended(2).says("does not run where CI is set");
}

#[test]
fn a_run_becomes_a_test_that_passes_and_can_fail() {
    let folder = folder(&[]);
    std::fs::create_dir(folder.file("tests")).unwrap();
    let arguments = "run halve.frag --input x=random:5x3 --seed 7 --iterate 2 --feedback y=x --size 5x3 --api gles";
    let run = folder.run(&format!("{arguments} --output y=y.npy --save-test tests/halve")).ended(0);
    run.says("written: tests/halve.test.toml");
    run.says("written: tests/halve.y.npy");
    assert_eq!(floats(&folder, "tests/halve.y.npy"), floats(&folder, "y.npy"));
    let text = std::fs::read_to_string(folder.file("tests/halve.test.toml")).unwrap();
    let says = "shader = \"../halve.frag\"\ninput.x = \"random:5x3\"\nfeedback.y = \"x\"\nsize = [5, 3]\niterate = 2\n\
                seed = 7\napi = \"gles\"\n\n[expect.y]\nequals = \"halve.y.npy\"\nexact = true\n";
    assert_eq!(text, says);
    let run = folder.run("test tests --json").ended(0);
    assert_eq!(run.json()["tests"][0]["api"], "gles");
    folder.run(&format!("{arguments} --save-test tests/halve")).ended(2).says("is there already");
    folder.write("halve.frag", HALVE.replace("0.5", "0.5000001"));
    folder.run("test tests").ended(1);
    let refused = folder.run("run halve.frag --input x=zeros:2x2 --save-test zero").ended(1);
    refused.says("--save-test: output `y` is the same in all 4 texels");
    assert!(!folder.names().contains(&"zero.test.toml".to_owned()));
}
