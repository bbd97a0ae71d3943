//! `quadrille card`.

use crate::common::is_thorough;
use crate::runner::{Folder, finish, loop_budget};
use serde_json::Value;

#[test]
fn one_object_holds_every_row_and_the_sentences_and_the_seed_decides() {
    let folder = Folder::new();
    let seeded = |seed: u32| folder.run(&format!("card --json --seed {seed}")).ended(0);
    let run = seeded(7);
    assert!(!is_thorough() || run.out == seeded(7).out, "the seed decides all");
    assert!(run.out != seeded(4).out, "the seed decides");
    let json = run.json();
    assert!(json["device"].as_str().unwrap().contains("llvmpipe"));
    assert_eq!((json["seed"].as_u64(), &json["stopped"]), (Some(7), &false.into()));
    let lists = [
        "accuracy",
        "integers",
        "rounding",
        "contraction",
        "specials",
        "passages",
        "indexing",
        "lines",
        "interpolation",
        "verdicts",
        "engines",
    ];
    for list in lists {
        assert!(!json[list].as_array().unwrap().is_empty(), "{list}");
    }
    let rows = json["accuracy"].as_array().unwrap();
    let sum = rows.iter().find(|row| row["operation"] == "a + b").unwrap();
    assert_eq!((&sum["engine"], &sum["kept"]), (&"fragment".into(), &true.into()));
    assert!(sum["max_ulps"].as_f64().unwrap() > 0.0);
    assert_eq!(json["loop_budget"], serde_json::json!(loop_budget()));
    assert_eq!(json["quantising"]["direction"], "to the nearest byte");
    let sentence = &json["verdicts"][0]["verdicts"][0];
    assert!(sentence["text"].is_string() && sentence["care"].is_boolean());
}

#[test]
fn people_read_sentences_that_fit_their_terminal() {
    let run = Folder::new().run("card --api gles").ended(0);
    let texts = [
        "OpenGL ES",
        "arithmetic\n",
        "denormals\n",
        "as operands: flushed to zero",
        "`precise` is supported",
        "inversesqrt(a)",
        "promised",
        "min(NaN, 1)",
        match loop_budget() {
            Some(_) => "loops\n  ! all loops of an invocation end after 65535 iterations together",
            None => "loops\n    a loop of 262144 iterations completes",
        },
        "what a program must take care of",
        "texelFetch at a place: every texel of",
    ];
    for text in texts {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    for line in run.out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert_eq!(run.err, "");
}

#[test]
fn a_device_that_is_not_there_is_refused() {
    let run = Folder::new().run("card --device nowhere").ended(2);
    run.says("nowhere");
    assert_eq!(run.out, "");
}

/// A person attaches the file to a report. Here the driver says all that should not be in it, as the
/// names of what built it could.
#[test]
fn the_file_to_share_has_what_a_report_needs_and_nothing_of_its_owner() {
    let folder = Folder::new();
    let here = folder.file("home of zoe").display().to_string();
    let mut command = folder.command("card --share");
    command
        .args(["--device", "0"])
        .env("HOME", &here)
        .env("USER", "zoe")
        .env("HOSTNAME", "zoes-box");
    command
        .env("force_gl_renderer", format!("llvmpipe by zoe of {here} on zoes-box in /var/tmp/x"));
    command.env("force_gl_vendor", format!("Mesa ({})", hostname()));
    command.env("LP_NUM_THREADS", "/opt/zoe").env("TMPDIR", folder.path());
    finish(command.spawn().unwrap()).ended(0).says("quadrille-card.json");
    let text = std::fs::read_to_string(folder.file("quadrille-card.json")).unwrap();
    let temporary = folder.path().display().to_string();
    for private in ["zoe", "/opt", "/var", &here, &temporary] {
        assert!(!text.contains(private), "{private}: {text}");
    }
    let json: Value = serde_json::from_str(&text).unwrap();
    let about = &json["about"];
    assert_eq!(about["found"]["renderer"], "llvmpipe by ~ of ~ on ~ in ~");
    assert_eq!(about["found"]["vendor"], "Mesa (~)");
    assert_eq!(about["environment"]["LP_NUM_THREADS"], "~");
    assert!(about["found"]["driver"].as_str().unwrap().contains("Mesa"), "{about}");
    assert!(about["host"]["threads"].as_u64().unwrap() > 0);
    assert!(json["verdicts"][0]["verdicts"][0]["text"].is_string());
    let sum = &json["accuracy"][0];
    assert_eq!(
        (&sum["operation"], &sum["max_ulps"], &sum["kept"]),
        (&"a + b".into(), &0.5.into(), &true.into())
    );
    let ladder = json["ladder"].as_array().unwrap();
    assert!(ladder.len() > 5 && ladder.iter().all(|rung| rung["right"] == true), "{ladder:?}");
    assert!(json["first_answer"]["seconds"].as_f64().unwrap() > 0.0);
}

fn hostname() -> String {
    let name = std::process::Command::new("uname").arg("-n").output().unwrap().stdout;
    String::from_utf8(name).unwrap().trim().to_owned()
}

#[test]
fn a_file_to_share_has_the_name_that_is_given_and_must_be_writable() {
    let folder = Folder::new();
    folder.run("card --share card.txt").ended(2).says(".json");
    folder.run("card --share nowhere/card.json").ended(2).says("nowhere/card.json");
    folder.write("mine.json", "before");
    folder.run("card --share mine.json").ended(0);
    assert!(std::fs::read_to_string(folder.file("mine.json")).unwrap().starts_with('{'));
}

/// Softpipe shares no code with llvmpipe, and divides integers by the processor's own instruction,
/// which ends the process where a quotient does not exist.
#[test]
fn softpipe_has_a_card_too() {
    if !is_thorough() {
        return; // An interpreter takes long for it.
    }
    let folder = Folder::new();
    let mut command = folder.command("card --json --device softpipe");
    command.env("GALLIUM_DRIVER", "softpipe");
    let json = finish(command.spawn().unwrap()).ended(0).json();
    assert!(json["device"].as_str().unwrap().contains("softpipe"));
    let wrong = |row: &&Value| row["wrong"] != 0;
    assert_eq!(json["integers"].as_array().unwrap().iter().find(wrong), None);
}
