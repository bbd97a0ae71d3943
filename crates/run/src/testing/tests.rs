//! What each key of an expectation promises, by pairs of numbers that pass and that fail:
//! `tests/data/pairs.json`, which Python's tests read too.

use std::path::Path;

use quadrille::data::{Field, Values};
use quadrille::gl::Context;
use quadrille::internal::testing::check_part;
use quadrille::shader::Api;
use quadrille::testing::{Denormals, Nan, Rule, Wanted, compare};
use serde_json::{Map, Value};

use super::file::Claim;
use super::{TestFile, run};
use crate::io::field;

const PAIRS: &str = include_str!("../../../../tests/data/pairs.json");

/// Outputs y of x, and z of expected, so that the shader has both inputs.
const COPY: &str = "uniform sampler2D x, expected;
layout(location = 0) out float y;
layout(location = 1) out float z;
void main() { y = READ(x, TEXEL).r; z = READ(expected, TEXEL).r; }
";
/// What is expected as a shader computes it.
const TWIN: &str = "uniform sampler2D expected;
out float y;
void main() { y = READ(expected, TEXEL).r; }
";

/// A rule, and numbers that came, are expected, and pass or fail.
struct Group {
    rule: Map<String, Value>,
    pairs: Vec<([String; 2], bool)>,
}

fn table() -> Value {
    serde_json::from_str(PAIRS).unwrap()
}

fn groups(of: &str) -> Vec<Group> {
    let group = |group: &Value| {
        let pairs = |key: &'static str| {
            let pair = move |pair: &Value| ([0, 1].map(|at| text(&pair[at])), key == "pass");
            group[key].as_array().unwrap().iter().map(pair).collect::<Vec<_>>()
        };
        let rule = group["rule"].as_object().unwrap().clone();
        Group { rule, pairs: [pairs("pass"), pairs("fail")].concat() }
    };
    table()[of].as_array().unwrap().iter().map(group).collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Keys as lines of TOML.
fn lines(keys: &Map<String, Value>) -> String {
    keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

/// The rule as a test in Rust writes it.
fn rule_of(keys: &Map<String, Value>) -> Rule {
    let bound = |key| keys.get(key).map_or(0.0, |bound: &Value| bound.as_f64().unwrap());
    let mut rule = match keys.get("ulp") {
        Some(ulp) => Rule::ulp(ulp.as_u64().unwrap()),
        None if keys.contains_key("exact") => Rule::exact(),
        None => Rule::close(bound("absolute"), bound("relative")),
    };
    rule = rule.outliers(bound("outliers") as usize);
    rule = rule.nan(if keys.contains_key("nan") { Nan::Forbid } else { Nan::Equal });
    match keys.get("denormals").and_then(Value::as_str) {
        Some("any") => rule.denormals(Denormals::Any),
        Some("keep") => rule.denormals(Denormals::Keep),
        Some("flush") => rule.denormals(Denormals::Flush),
        _ => rule,
    }
}

/// The expectations of a group: each pair as a literal, as all texels, as a file and as a twin.
fn expectations(folder: &Path, group: &Group) -> String {
    let mut toml = String::new();
    for (index, ([_, expected], _)) in group.pairs.iter().enumerate() {
        let file = format!("expected.{index}.npy");
        write(&folder.join(&file), std::slice::from_ref(expected));
        for claim in [
            format!("values = [[{expected}]]"),
            format!("all = {expected}"),
            format!("equals = \"{file}\""),
            "twin = \"twin.frag\"".into(),
        ] {
            let keys = lines(&group.rule);
            toml += &format!("[[expect.y]]\nat = [{index}, 0, 1, 1]\n{claim}\n{keys}");
        }
    }
    toml
}

fn write(path: &Path, digits: &[String]) {
    let numbers: Vec<f32> = digits.iter().map(|digits| digits.parse().unwrap()).collect();
    let field = Field::line(numbers).unwrap();
    field::write(path, &field, field::PictureOptions::new()).unwrap();
}

fn contexts() -> [Context; 2] {
    [Api::Gl, Api::Gles].map(|api| Context::builder().api(api).build().unwrap())
}

#[test]
fn every_rule_holds_for_its_pairs_in_files_and_in_rust() {
    let contexts = contexts();
    for group in groups("floats") {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("copy.frag"), COPY).unwrap();
        std::fs::write(file("twin.frag"), TWIN).unwrap();
        let (got, expected): (Vec<_>, Vec<_>) =
            group.pairs.iter().map(|([got, expected], _)| (got.clone(), expected.clone())).unzip();
        write(&file("x.npy"), &got);
        write(&file("expected.npy"), &expected);
        let inputs = "input.x = \"x.npy\"\ninput.expected = \"expected.npy\"\n";
        let toml =
            format!("shader = \"copy.frag\"\n{inputs}{}", expectations(folder.path(), &group));
        let test = TestFile::parse(file("pairs.test.toml"), &toml).unwrap();
        let rule = rule_of(&group.rule);
        for expectation in &test.expectations {
            assert_eq!(expectation.general.rule(), Some(rule), "{:?}", group.rule);
        }
        for ([got, expected], passes) in &group.pairs {
            let [a, b] = [got, expected].map(|digits| [digits.parse::<f32>().unwrap()]);
            let difference = compare(&a, &b, &rule).unwrap();
            assert_eq!(difference.is_right(), *passes, "{:?}: {got} for {expected}", group.rule);
        }
        for context in &contexts {
            let ran = run(context, &test).unwrap();
            let found: Vec<_> = ran.findings.iter().filter(|one| one.claim != "again").collect();
            assert_eq!(found.len(), 4 * group.pairs.len());
            for (found, (pair, passes)) in found.chunks(4).zip(&group.pairs) {
                for found in found {
                    let (rule, claim) = (&group.rule, found.claim);
                    assert_eq!(found.is_right(), *passes, "{rule:?}, {claim}: {pair:?}");
                }
            }
        }
    }
}

#[test]
fn every_rule_holds_for_its_pairs_of_integers() {
    for group in groups("integers") {
        let toml = format!("shader = \"a.frag\"\n[expect.n]\nall = 0\n{}", lines(&group.rule));
        let test = TestFile::parse("a.test.toml", &toml).unwrap();
        let rule = test.expectations[0].general.rule_of_integers();
        assert_eq!(rule, rule_of(&group.rule));
        for ([got, expected], passes) in &group.pairs {
            let [a, b] = [got, expected].map(|digits| [digits.parse::<i32>().unwrap()]);
            let difference = compare(&a, &b, &rule).unwrap();
            assert_eq!(difference.is_right(), *passes, "{:?}: {got} for {expected}", group.rule);
        }
    }
}

#[test]
fn claims_without_a_rule_hold_for_their_numbers() {
    for claim in table()["claims"].as_array().unwrap() {
        // Infinite ends are words, which TOML writes without quotation marks.
        let keys = lines(claim["claim"].as_object().unwrap()).replace('"', "");
        let toml = format!("shader = \"a.frag\"\n[expect.y]\n{keys}");
        let test = TestFile::parse("a.test.toml", &toml).unwrap();
        let wanted = match test.expectations[0].general.claim.as_ref().unwrap() {
            Claim::Inside(low, high) => Wanted::Inside(*low, *high),
            _ => Wanted::Finite,
        };
        for key in ["pass", "fail"] {
            for digits in claim[key].as_array().unwrap().iter().map(text) {
                let got = Field::line(vec![digits.parse::<f32>().unwrap()]).unwrap();
                let difference = check_part(&got, got.extent().rectangle(), wanted, 0).unwrap();
                assert_eq!(difference.is_right(), key == "pass", "{keys}{digits}");
            }
        }
    }
}

#[test]
fn a_number_that_no_float_is_near_is_refused_and_a_written_infinity_is_not() {
    for (expect, is_read) in [
        ("values = [[1e39]]", false),
        ("values = [[-1e400, 0]]", false),
        ("all = 3.5e38", false),
        ("all = [0, 1e39]", false),
        ("all = 3.4028235e38", true),
        ("values = [[inf, -inf, +inf, nan]]", true),
    ] {
        let toml = format!("shader = \"a.frag\"\n[expect.y]\n{expect}\nexact = true");
        let read = TestFile::parse("a.test.toml", &toml);
        assert_eq!(read.is_ok(), is_read, "{expect}");
        if let Err(error) = read {
            assert!(error.to_string().contains("3.4e38"), "{error}");
        } else if let Ok(test) = read
            && let Some(Claim::Values(literal)) = &test.expectations[0].general.claim
        {
            let field = literal.field(&Values::F32(Vec::new())).unwrap();
            assert_eq!(field.values().doubles().filter(|number| number.is_infinite()).count(), 3);
        }
    }
}
