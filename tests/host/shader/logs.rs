//! Drivers' logs are read back into the user's lines.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

use quadrille::internal::shader::{Expanded, Language, expand};
use quadrille::shader::{Api, Diagnostic, Diagnostics, Reads, Severity, Source};

const LANGUAGE: Language =
    Language { api: Api::Gl, version: 330, precise: false, reads: Reads::Fetch };

const UNDECLARED: &str = "\
// no mistake here
layout(location = 0) out vec4 result;
void main() {
    vec4 a = vec4(1.0);
    a = a +   foo * 2.0;
    result = a;
}
";

fn expanded(text: &str) -> Expanded {
    expand(&Source::fragment("blur.frag", text), &LANGUAGE).unwrap()
}

/// The number, in the expanded text, of the one line that holds `part`.
fn line_of(expanded: &Expanded, part: &str) -> usize {
    let mut lines = expanded.text.lines().enumerate().filter(|(_, line)| line.contains(part));
    let line = lines.next().unwrap_or_else(|| panic!("no line holds {part}")).0 + 1;
    assert!(lines.next().is_none(), "several lines hold {part}");
    line
}

/// A recorded log about line `from` of a lone file, as if it were about line `to`.
fn moved(log: &str, from: usize, to: usize) -> String {
    // One form alone: the place that it writes may look like another one.
    let forms = ["0:{}(", "0({})", "0:{}:"];
    let of = |form: &str, line: usize| form.replace("{}", &line.to_string());
    let form = forms.iter().find(|form| log.contains(&of(form, from)));
    form.map_or(log.to_owned(), |form| log.replace(&of(form, from), &of(form, to)))
}

const CARET: &str = "\n    5 |     a = a +   foo * 2.0;\n      |               ^";

#[test]
fn mesa_columns_are_counted_in_the_users_line() {
    let expanded = expanded(UNDECLARED);
    let log = include_str!("../../data/logs/mesa-undeclared.log");
    let log = moved(log, 6, line_of(&expanded, "foo"));
    let diagnostics = expanded.explain(&log);
    let first = diagnostics.items[0].to_string();
    assert_eq!(first, format!("blur.frag:5:15: error: `foo' undeclared{CARET}"));
    let columns: Vec<_> =
        diagnostics.items.iter().map(|item| item.place.as_ref().unwrap().column).collect();
    assert_eq!(columns, [Some(15), Some(15), Some(9)]);
}

#[test]
fn the_display_is_the_documented_one() {
    let expanded = expanded("\n\n\n\n\n\n\n\n\n\n\n    foo = 1.0;\n");
    let log = format!("0:{}(2): error: `foo' undeclared\n", line_of(&expanded, "foo"));
    let expected = "blur.frag:12:5: error: `foo' undeclared\n   12 |     foo = 1.0;\n      |     ^";
    assert_eq!(expanded.explain(&log).to_string(), expected);
}

#[test]
fn glslang_and_angle_quote_the_token() {
    let expanded = expanded(UNDECLARED);
    let line = line_of(&expanded, "foo");
    let recorded = moved(include_str!("../../data/logs/glslang-undeclared.log"), 6, line);
    let found = expanded.explain(&recorded);
    let placed = found.items.iter().find(|item| item.place.is_some()).unwrap();
    let expected = format!("blur.frag:5:15: error: 'foo' : undeclared identifier{CARET}");
    assert_eq!(placed.to_string(), expected);

    let angle = include_str!("../../data/logs/angle-undeclared.log");
    let angle = moved(angle, 18, line).replace("webgl_286cc28ba4512e72", "foo");
    assert_eq!(expanded.explain(&angle).items[0].to_string(), expected);
    // What it quotes next is no token of the line: the line is known, the column is not.
    let next = &expanded.explain(&angle).items[1];
    assert_eq!(next.place.as_ref().unwrap().to_string(), "blur.frag:5");
}

#[test]
fn nvidia_quotes_the_token_and_keeps_its_number() {
    let expanded = expanded(UNDECLARED);
    let log = include_str!("../../data/logs/nvidia-undefined.log").replace("uvl", "foo");
    let log = moved(&log, 32, line_of(&expanded, "foo"));
    let expected = format!("blur.frag:5:15: error: C1503: undefined variable \"foo\"{CARET}");
    assert_eq!(expanded.explain(&log).items[0].to_string(), expected);
}

fn unplaced(log: &str) -> Vec<(Severity, String)> {
    let read = |item: Diagnostic| (item.severity, item.message);
    Diagnostics::unplaced(log).items.into_iter().map(read).collect()
}

#[test]
fn linkers_logs_have_no_places() {
    let expected = "vertex shader output `shade' declared as type `vec3', but fragment shader input declared as type `vec4'";
    let mesa = unplaced(include_str!("../../data/logs/mesa-link-330.log"));
    assert_eq!(mesa, [(Severity::Error, expected.to_owned())]);
    let mesa = unplaced(include_str!("../../data/logs/mesa-link-300es.log"));
    assert_eq!(mesa.len(), 2);
    let nvidia = unplaced(include_str!("../../data/logs/nvidia-link-warning.log"));
    assert_eq!(nvidia[0], (Severity::Note, "Vertex info".to_owned()));
    assert_eq!(nvidia[1], (Severity::Note, "-----------".to_owned()));
    assert_eq!(nvidia[2].0, Severity::Warning);
    assert!(nvidia[2].1.starts_with("0(23) : warning C7050: \"vs_out[6].w\""), "{nvidia:?}");
}

#[test]
fn no_line_of_a_recorded_log_is_lost() {
    let expanded = expanded(&"float x;\n".repeat(100));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/logs");
    let mut logs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "log") {
            continue;
        }
        logs += 1;
        let log = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> =
            log.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let items = expanded.explain(&log).items;
        assert_eq!(items.len(), lines.len(), "{}", path.display());
        for (item, line) in items.iter().zip(&lines) {
            assert!(line.ends_with(item.message.as_str()), "{line}: {item:?}");
            let error = line.to_lowercase().contains("error") && !line.contains("following errors");
            assert_eq!(item.severity == Severity::Error, error, "{line}: {item:?}");
            let numbered = line.contains("0:") || line.starts_with("0(");
            assert_eq!(item.place.is_some(), numbered, "{line}: {item:?}");
        }
    }
    assert!(logs >= 12, "{logs} logs");
}

#[test]
fn unknown_lines_are_kept_as_they_are() {
    let expanded = expanded(UNDECLARED);
    let log = "  internal compiler failure 0x17 ;\n\nerror C5041: cannot bind\nerrors: 3\n";
    let expected = "  internal compiler failure 0x17 ;\nerror: C5041: cannot bind\nerrors: 3";
    assert_eq!(expanded.explain(log).to_string(), expected);
}

#[test]
fn a_line_that_does_not_exist_keeps_its_number_in_the_message() {
    let shown = expanded(UNDECLARED).explain("0:99999(3): error: beyond\n0:0(1): error: before\n");
    let expected = "error: 0:99999(3): error: beyond\nerror: 0:0(1): error: before";
    assert_eq!(shown.to_string(), expected);
    assert!(shown.place().is_none());
}

#[test]
fn an_absurd_log_is_still_shown() {
    let log = "0:99999999999999999999999(1): error: x\n0(\n0:\n:\n0:1(1)\nERROR: 0:é: y\n\0\n";
    assert_eq!(expanded("").explain(log).items.len(), 6);
    assert!(expanded("").explain("").is_empty());
}

#[test]
fn eight_are_shown_and_errors_come_before_warnings() {
    let warnings = (0..20).map(|n| format!("warning: w{n}\n")).collect::<String>();
    let diagnostics = expanded("").explain(&format!("{warnings}error: the one that counts\n"));
    assert!(diagnostics.has_errors());
    let shown = diagnostics.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 9, "{shown}");
    assert_eq!(lines[6..], ["warning: w6", "error: the one that counts", "and 13 more"]);
}

const TWO_MISSING: &str = "\
out vec4 colour;
void main() {
    float a = cos(time + zoom) * missing(time);
    float b = mix(time,
        a, 0.5) + 1;
    vec2 c = vec3(a);
    colour = vec4(c, a, b);
}
";

/// Mesa's words: names that are not declared, and what it says of all that they stand in.
#[test]
fn what_follows_from_a_missing_name_is_left_out() {
    let expanded = expanded(TWO_MISSING);
    let line = |part: &str| line_of(&expanded, part);
    let (a, b, c, rest) = (line("float a"), line("float b"), line("vec2 c"), line("a, 0.5"));
    let log = [
        format!("0:{a}(16): error: `time' undeclared"),
        format!("0:{a}(23): error: `zoom' undeclared"),
        format!("0:{a}(16): error: operands to arithmetic operators must be numeric"),
        format!("0:{a}(12): error: no matching function for call to `cos(error)'; candidates are:"),
        format!("0:{a}(12): error:    float cos(float)"),
        format!("0:{a}(12): error:    vec2 cos(vec2)"),
        format!("0:{a}(32): error: no function with name 'missing'"),
        format!("0:{b}(16): error: `time' undeclared"),
        // A call over two lines, of which the second has no name that is missing.
        format!(
            "0:{rest}(12): error: no matching function for call to `mix(error, float, float)'; candidates are:"
        ),
        format!("0:{rest}(12): error:    float mix(float, float, float)"),
        format!(
            "0:{c}(11): error: initializer of type vec3 cannot be assigned to variable of type vec2"
        ),
    ];
    let diagnostics = expanded.explain(&log.join("\n"));
    assert_eq!(diagnostics.items.len(), log.len());
    let shown = diagnostics.to_string();
    let errors: Vec<&str> = shown.lines().filter(|line| line.contains("error: ")).collect();
    let ends = ["`time' undeclared", "`zoom' undeclared", "name 'missing'", "of type vec2"];
    assert_eq!(errors.len(), ends.len(), "{shown}");
    assert!(errors.iter().zip(ends).all(|(error, end)| error.ends_with(end)), "{shown}");
    let last = "(7 other errors, which seem to follow from these, are left out)";
    assert_eq!(shown.lines().last(), Some(last));
}

#[test]
fn candidates_of_a_call_with_known_types_are_shown() {
    let expanded = expanded(UNDECLARED);
    let line = line_of(&expanded, "vec4(1.0)");
    let log = format!(
        "0:{line}(5): error: no matching function for call to `cos(bool)'; candidates are:\n\
         0:{line}(5): error:    float cos(float)\n"
    );
    let shown = expanded.explain(&log).to_string();
    assert!(shown.contains("cos(bool)") && shown.contains("float cos(float)"), "{shown}");
}

#[test]
fn missing_names_are_shown_before_other_errors() {
    let others = (0..20).map(|n| format!("error: other {n}\n")).collect::<String>();
    let shown = expanded("").explain(&format!("{others}error: `x' undeclared\n")).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[6..], ["error: other 6", "error: `x' undeclared", "and 13 more"]);
}

#[test]
fn a_mistake_in_a_define_is_reported_there() {
    let source = Source::fragment("a.frag", "float x = SCALE;\n").define("SCALE", "1.0.0");
    let expanded = expand(&source, &LANGUAGE).unwrap();
    let log = format!("0:{}(1): error: bad number\n", line_of(&expanded, "1.0.0"));
    let shown = expanded.explain(&log).to_string();
    assert!(
        shown
            .starts_with("(defines of a.frag):1:1: error: bad number\n    1 | #define SCALE 1.0.0"),
        "{shown}"
    );
}
