//! Expectations that are written: what is written, what is refused.

use quadrille::data::Values;
use quadrille_run::io::field::read;

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
    let run = folder.run("test").ended(2);
    assert!(run.out.contains("the test expects nothing"), "{}", run.out);
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
    let run = folder.run("test").ended(2);
    assert!(run.out.contains("there is no file part.npy"), "{}", run.out);
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

/// The device is none to compute what is expected: it lacks something, or the test is known to fail
/// on it.
#[test]
fn nothing_is_written_where_a_test_is_skipped_or_known_to_fail() {
    let equals = "[expect.y]\nequals = \"y.npy\"\nulp = 1\n";
    let elsewhere = format!("{equals}[require]\nhardware = true\n");
    let known = format!("{equals}[known.\"llvmpipe\"]\nreason = \"its log2\"\n");
    let folder = folder(&[("a", &elsewhere), ("b", &known)]);
    let run = folder.run("test --bless").ended(2);
    run.says("every test was skipped");
    assert!(run.out.contains("skip     a\n         it is a software renderer"), "{}", run.out);
    let says = "skip     b\n         it is known to fail on llvmpipe (its log2), so nothing is written here";
    assert!(run.out.contains(says), "{}", run.out);
    assert!(!folder.names().contains(&"y.npy".to_owned()));
}

/// Neither a file of another test is overwritten, nor a name with quotes misread.
#[test]
fn a_saved_test_overwrites_nothing_and_keeps_its_name() {
    let folder = folder(&[]);
    let save = |name: &str| {
        let mut command = folder.command("run halve.frag --input x=ramp:3x1 --save-test");
        command.arg(name);
        finish(command.spawn().unwrap())
    };
    folder.write("taken.y.npy", "mine");
    save("taken").ended(2).says("taken.y.npy is there already, and would be overwritten");
    assert_eq!(std::fs::read_to_string(folder.file("taken.y.npy")).unwrap(), "mine");
    assert!(!folder.names().contains(&"taken.test.toml".to_owned()));
    save("two \"quotes\"").ended(0);
    folder.run("test").ended(0);
    let again = "`quadrille test --bless 'two \"quotes\".test.toml'` replaces what it expects";
    save("two \"quotes\"").ended(2).says(again);
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
    let says = "shader = \"../halve.frag\"\ninput.x = \"random:5x3\"\nseed = 7\nsize = [5, 3]\niterate = 2\n\
                feedback.y = \"x\"\napi = \"gles\"\n\n[expect.y]\nequals = \"halve.y.npy\"\nexact = true\n";
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

/// A description from somebody else may name any file.
#[test]
fn nothing_is_written_outside_of_the_folder_of_a_test_unless_that_is_asked_for() {
    let folder = folder(&[]);
    std::fs::create_dir_all(folder.file("tests/inside")).unwrap();
    std::os::unix::fs::symlink("..", folder.file("tests/link")).unwrap();
    let absolute = folder.file("absolute.npy").display().to_string();
    let test = |file: &str| {
        let text = START.replace("halve.frag", "../halve.frag");
        folder.write(
            "tests/a.test.toml",
            format!("{text}[expect.y]\nequals = \"{file}\"\nulp = 1\n"),
        );
    };
    for file in ["../outside.npy", "link/linked.npy", absolute.as_str()] {
        test(file);
        let before = folder.names();
        let run = folder.run("test --bless tests").ended(2);
        assert!(run.out.contains("is outside of the folder of the test"), "{}", run.out);
        assert_eq!(folder.names(), before, "{file}");
    }
    test("../outside.npy");
    folder.run("test --bless --bless-outside tests").ended(0);
    assert_eq!(floats(&folder, "outside.npy"), [0.0, 0.25, 0.5]);
    test("inside/y.npy");
    folder.run("test --bless tests").ended(0);
    assert_eq!(floats(&folder, "tests/inside/y.npy"), [0.0, 0.25, 0.5]);
}
