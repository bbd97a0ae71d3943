//! `quadrille test`: outcomes, exit codes, and what it says of a test that is not as expected.

mod annotations;
mod bless;
mod devices;
mod own;
mod page;

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::kill;
use nix::unistd::Pid;

use crate::runner::{Folder, Running, Signal, finish, loop_budget};

const HALVE: &str = "uniform sampler2D x;
out float y;
void main() { y = 0.5 * READ(x, TEXEL).r; }
";

/// A shader that never ends on softpipe; elsewhere it ends at the loop budget or when 60 seconds
/// are over.
const ENDLESS: &str = "uniform sampler2D x;
out float y;
void main() {
    float sum = READ(x, TEXEL).r + 1.0;
    while (sum > 0.0) { sum += 1.0; if (sum > 1.0e6) { sum = 1.0; } }
    y = sum;
}
";

const START: &str = "shader = \"halve.frag\"\ninput.x = \"ramp:3x1\"\n";
const RIGHT: &str = "[expect.y]\nvalues = [[0.0, 0.25, 0.5]]\nexact = true\n";

fn folder(tests: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    folder.write("halve.frag", HALVE);
    folder.write("endless.frag", ENDLESS);
    for (name, text) in tests {
        folder.write(&format!("{name}.test.toml"), format!("{START}{text}"));
    }
    folder
}

#[test]
fn all_as_expected_ends_with_0_and_anything_else_with_1() {
    let skipped = format!("{RIGHT}[require]\nhardware = true\n");
    let known =
        "[expect.y]\nall = 7\nexact = true\n[known.\"llvmpipe\"]\nreason = \"no seven here\"\n";
    let folder = folder(&[("right", RIGHT), ("sub", &skipped), ("seven", known)]);
    std::fs::create_dir_all(folder.file("deep/er")).unwrap();
    folder.write("deep/er/x.frag", HALVE);
    folder.write("deep/er/x.test.toml", format!("{START}{RIGHT}").replace("halve", "x"));
    let run = folder.run("test --api all --junit out.xml").ended(0);
    assert!(run.out.contains("4 passed, 2 skipped, 2 known to fail on llvmpipe"), "{}", run.out);
    assert!(run.out.contains("\ndeep/er/x         0  "), "{}", run.out);
    assert!(run.out.contains("known on llvmpipe: no seven here"), "{}", run.out);
    let xml = std::fs::read_to_string(folder.file("out.xml")).unwrap();
    assert!(xml.contains("tests=\"8\" failures=\"0\" errors=\"0\" skipped=\"4\""), "{xml}");

    folder.write(
        "seven.test.toml",
        format!("{START}{RIGHT}[known.\"llvmpipe\"]\nreason = \"none\"\n"),
    );
    let run = folder.run("test --filter seven").ended(1);
    assert!(
        run.out.contains("`known.\"llvmpipe\"` says that it fails here (none): remove that"),
        "{}",
        run.out
    );
    folder.run("test sub.test.toml").ended(2).says("every test was skipped");
    folder.run("test sub.test.toml --allow-skipped").ended(0);
}

#[test]
fn a_failure_names_the_worst_number_and_the_command_that_repeats_it() {
    let folder = folder(&[("a", RIGHT), ("b", &RIGHT.replace("0.25", "0.26"))]);
    let run = folder.run("test --json").ended(1);
    run.says("1 of 2 tests are not as expected");
    let json = run.json();
    assert_eq!(
        (&json["passed"], &json["failed"], &json["skipped"]),
        (&1.into(), &1.into(), &0.into())
    );
    let entry = &json["tests"][1];
    assert_eq!(
        (&entry["name"], &entry["outcome"], &entry["output"]),
        (&"b".into(), &"fail".into(), &"y".into())
    );
    assert_eq!((&entry["missed"], &entry["api"]), (&1.into(), &"gl".into()));
    let worst = &entry["worst"];
    assert_eq!(worst["at"], serde_json::json!([1, 0]));
    assert_eq!((worst["expected"].as_f64(), worst["got"].as_f64()), (Some(0.26), Some(0.25)));
    assert_eq!(worst["ulp"].as_u64(), Some(u64::from(0.26_f32.to_bits() - 0.25_f32.to_bits())));
    assert_eq!(json["tests"][0]["worst"], serde_json::Value::Null);
    let command = entry["command"].as_str().unwrap().strip_prefix("quadrille ").unwrap();
    let again = folder.run(command).ended(1);
    assert!(again.out.contains("again: quadrille test b.test.toml --api gl"), "{}", again.out);
    assert!(again.out.contains("expected 0.26, got 0.25"), "{}", again.out);
}

/// Each of these ends with 2, and says what was expected.
#[test]
fn bad_descriptions_end_with_2() {
    let expectations = [
        ("versio = 1", "unknown key `versio` of a test: expected one of: shader, run"),
        ("", "the test expects nothing"),
        (
            "[expect.y]\nequals = \"none.npy\"\nulp = 1",
            "`expect.y.equals`: there is no file none.npy; `quadrille test --bless` writes it",
        ),
    ];
    let tests: Vec<(String, &str)> =
        expectations.iter().enumerate().map(|(i, (text, _))| (format!("t{i}"), *text)).collect();
    let tests: Vec<(&str, &str)> =
        tests.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = folder(&tests);
    let run = folder.run("test --filter t").ended(2);
    for (index, (_, said)) in expectations.iter().enumerate() {
        assert!(run.out.contains(said), "{said}: {}", run.out);
        assert!(run.out.contains(&format!("t{index}.test.toml:")), "{}", run.out);
    }
    run.says("3 of 3 descriptions are wrong");
    folder.run("test --filter zzz").ended(2).says("has `zzz` in its name");
    folder.run("test halve.frag").ended(2).says("expected a folder or a file *.test.toml");
    folder
        .run("test no/such")
        .ended(2)
        .says("no/such: expected a folder or a file *.test.toml, and there is nothing");
    folder.run("test --timeout 0 t1.test.toml").ended(2).says("a number above 0");
}

/// The other tests run, and every file of results has the wrong one.
#[test]
fn a_bad_description_stops_no_other_test() {
    let wrong = RIGHT.replace("0.25", "0.26");
    let folder = folder(&[("a", RIGHT), ("b", "[expect.y"), ("c", &wrong)]);
    let run = folder.run("test --json --junit out.xml --report page --timeout 20").ended(2);
    run.says("1 of 3 tests are not as expected, and 1 of 3 descriptions are wrong");
    let json = run.json();
    let outcome = |index: usize| json["tests"][index]["outcome"].as_str().unwrap().to_owned();
    assert_eq!([0, 1, 2].map(outcome), ["pass", "bad", "fail"]);
    let reason = json["tests"][1]["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("b.test.toml:3:") && reason.contains("not valid TOML"), "{reason}");
    let again = json["tests"][2]["command"].as_str().unwrap();
    assert!(again.ends_with("quadrille test c.test.toml --api gl --timeout 20"), "{again}");
    let xml = std::fs::read_to_string(folder.file("out.xml")).unwrap();
    assert!(xml.contains("<error message=\"b.test.toml:3:"), "{xml}");
    let page = std::fs::read_to_string(folder.file("page/index.html")).unwrap();
    assert!(page.contains("not valid TOML"), "{page}");
    // No device is needed to say so of a file alone.
    let run = folder.run("test b.test.toml --device none/such").ended(2);
    assert!(run.out.ends_with("0 passed, 1 with a wrong description\n"), "{}", run.out);
}

/// Expected numbers that cannot be compared, where the test runs.
#[test]
fn expectations_that_do_not_fit_the_output_end_with_2() {
    let elsewhere = "[require]\nhardware = true\n";
    let missing = "[expect.y]\nequals = \"none.npy\"\nulp = 1\n";
    let golden = "[expect.y]\nequals = \"a.npy\"\nulp = 1\n";
    let skipped = format!("{missing}{elsewhere}");
    let folder = folder(&[("fit", golden), ("none", missing), ("skipped", &skipped)]);
    folder.run("test --bless fit.test.toml").ended(0);
    folder.write("fit.test.toml", format!("{START}{golden}").replace("3x1", "2x2"));
    let run = folder.run("test --filter fit").ended(2);
    let says =
        "fit.test.toml:3:9: output `y`, `equals`, file a.npy: expected 3 x 1 with one channel";
    assert!(run.out.contains(says), "{}", run.out);
    let run = folder.run("test --filter none").ended(2);
    assert!(run.out.contains("none.npy; `quadrille test --bless` writes it"), "{}", run.out);
    folder.run("test --filter skipped --allow-skipped").ended(0);
}

#[test]
fn what_only_the_device_finds_wrong_ends_with_2_too() {
    let folder = folder(&[("a", "[expect.z]\nfinite = true"), ("b", "[expect.y]\nall = 1")]);
    let run = folder.run("test").ended(2);
    assert!(
        run.out.contains("a.test.toml:3:9: the shader has no output `z`; it has: y"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("b.test.toml:3:9: output `y` has floats and no tolerance"),
        "{}",
        run.out
    );
    run.says("2 of 2 descriptions are wrong");
    let softpipe = folder.run("test --device softpipe").ended(2);
    softpipe.says("GALLIUM_DRIVER=softpipe, or with all others by `--device all`");
    let none = folder.run("test --device none/such").ended(2);
    none.says("none/such");
    assert_eq!(none.out, "");
}

#[test]
fn a_shader_that_does_not_compile_fails_at_its_line() {
    let folder = folder(&[("a", RIGHT)]);
    folder.write("halve.frag", HALVE.replace("0.5 *", "0.5 * half *"));
    let run = folder.run("test").ended(1);
    assert!(run.out.contains("halve.frag:3:"), "{}", run.out);
    assert!(run.out.contains('^'), "{}", run.out);
}

/// The command on Mesa's other renderer, which ends no loop by itself.
fn on_softpipe(folder: &Folder, arguments: &str) -> Running {
    let mut command = folder.command(arguments);
    command.env("GALLIUM_DRIVER", "softpipe").env("QUADRILLE_DEVICE", "softpipe");
    Running::start(&mut command)
}

/// The description of a test without an end.
fn endless() -> String {
    format!("timeout = 60\n{START}[expect.y]\nfinite = true").replace("halve", "endless")
}

#[test]
fn an_endless_shader_ends_one_test() {
    let folder = folder(&[("a", RIGHT), ("c", RIGHT)]);
    folder.write("b.test.toml", endless());
    let run = finish(on_softpipe(&folder, "test --timeout 1.5 --json")).ended(1);
    let json = run.json();
    let outcomes: Vec<&str> = json["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["pass", "timeout", "pass"]);
    assert_eq!(json["tests"][1]["reasons"][0], "it was not done after 1.5 s");
    let again = "GALLIUM_DRIVER=softpipe quadrille test b.test.toml --api gl --timeout 1.5";
    assert_eq!(json["tests"][1]["command"], again);
    // Where llvmpipe ends its loops, that is an error.
    if loop_budget().is_some() {
        let run = folder.run("test --filter b").ended(1);
        assert!(run.out.contains("ends all loops of a fragment after"), "{}", run.out);
    }
}

#[test]
fn a_process_that_is_killed_is_a_crash() {
    let folder = folder(&[]);
    folder.write("b.test.toml", endless());
    let run = on_softpipe(&folder, "test");
    let child = child_that_computes(run.id());
    kill(Pid::from_raw(child), Signal::SIGKILL).unwrap();
    let run = finish(run);
    assert!(
        run.out.contains("crash    b\n         its process ended by signal 9"),
        "{}\n{}",
        run.out,
        run.err
    );
}

/// Ctrl-C ends the tests and says so, and no process is left.
#[test]
fn an_interrupt_ends_every_process() {
    let folder = folder(&[]);
    folder.write("b.test.toml", endless());
    for signal in [Signal::SIGINT, Signal::SIGKILL] {
        let mut run = on_softpipe(&folder, "test");
        let child = child_that_computes(run.id());
        run.send(signal);
        assert!(run.ends_within(Duration::from_secs(20)).is_some());
        let begun = Instant::now();
        while Path::new(&format!("/proc/{child}/stat")).exists() {
            assert!(begun.elapsed().as_secs() < 20, "the test's process goes on after {signal}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The process of the one test of a run, once it has a test to compute.
fn child_that_computes(parent: u32) -> i32 {
    let begun = Instant::now();
    loop {
        let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).unwrap();
        let mut all = children.unwrap_or_default();
        for task in tasks.flatten() {
            all += &std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        }
        for child in all.split_whitespace() {
            let words = std::fs::read(format!("/proc/{child}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&words).contains("b.test.toml") {
                return child.parse().unwrap();
            }
        }
        assert!(begun.elapsed().as_secs() < 20, "no process of the test");
        std::thread::sleep(Duration::from_millis(10));
    }
}
