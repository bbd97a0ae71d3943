//! JUnit's XML, which CI services read.

use maud::{Markup, PreEscaped, html};

use super::super::outcome::{Case, Outcome, Tally};

/// Renders all outcomes as one file: a suite for each device and API.
pub fn junit(cases: &[Case]) -> String {
    let Tally { failed, skipped, known, bad, .. } = Tally::of(cases);
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let body = html! {
        testsuites tests=(cases.len()) failures=(failed) errors=(bad) skipped=(skipped + known)
            time=(time(seconds)) {
            @for (name, suite) in suites(cases) { (of_suite(&name, &suite)) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", body.into_string())
}

/// Returns the cases of each device and API, in the order in which they first come.
fn suites(cases: &[Case]) -> Vec<(String, Vec<&Case>)> {
    let mut suites: Vec<(String, Vec<&Case>)> = Vec::new();
    for case in cases {
        let name = format!("{}, {}", case.device, case.api);
        match suites.iter_mut().find(|(other, _)| *other == name) {
            Some((_, suite)) => suite.push(case),
            None => suites.push((name, vec![case])),
        }
    }
    suites
}

fn of_suite(name: &str, suite: &[&Case]) -> Markup {
    let count =
        |outcomes: &[Outcome]| suite.iter().filter(|case| outcomes.contains(&case.outcome)).count();
    let failures = count(&[Outcome::Fail, Outcome::Crash, Outcome::Timeout]);
    html! {
        testsuite name=(legal(name)) tests=(suite.len()) failures=(failures) errors=(count(&[Outcome::Bad]))
            skipped=(count(&[Outcome::Skip, Outcome::Known])) {
            @for case in suite { (of_test(case)) }
        }
    }
}

fn of_test(case: &Case) -> Markup {
    let text = legal(&case.reasons.join("\n"));
    let first = text.lines().next().unwrap_or_default();
    let whole = format!("{text}\n{}", case.command);
    html! {
        testcase name=(legal(&case.name)) classname=(legal(&case.device)) time=(time(case.seconds)) {
            @match case.outcome {
                Outcome::Pass => (PreEscaped("")),
                Outcome::Skip | Outcome::Known => { skipped message=(text) {} },
                Outcome::Bad => { error message=(first) { (whole) } },
                outcome => { failure type=(outcome.name()) message=(first) { (whole) } },
            }
        }
    }
}

fn time(seconds: f64) -> String {
    format!("{seconds:.3}")
}

/// Removes the control characters that XML does not have.
fn legal(text: &str) -> String {
    text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, device: &str, outcome: Outcome, reason: &str) -> Case {
        Case {
            name: name.into(),
            device: device.into(),
            api: "gl",
            outcome,
            output: None,
            worst: None,
            missed: 0,
            reasons: vec![reason.into()],
            place: None,
            seconds: 0.25,
            command: "quadrille test a".into(),
            figures: Vec::new(),
        }
    }

    #[test]
    fn outcomes_become_the_elements_that_ci_knows() {
        let xml = junit(&[
            case("a<b", "x", Outcome::Pass, ""),
            case("c", "x", Outcome::Timeout, "it \"hangs\" \u{1b}[0m & more\nsecond line"),
            case("d", "y", Outcome::Skip, "no doubles"),
            case("e", "x", Outcome::Known, "log2"),
            case("f", "x", Outcome::Bad, "line 3"),
        ]);
        let begins = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"5\" failures=\"1\" errors=\"1\" \
                      skipped=\"2\" time=\"1.250\"><testsuite name=\"x, gl\" tests=\"4\" failures=\"1\" errors=\"1\" \
                      skipped=\"1\"><testcase name=\"a&lt;b\" classname=\"x\" time=\"0.250\"></testcase>";
        assert!(xml.starts_with(begins), "{xml}");
        let failure = "<failure type=\"timeout\" message=\"it &quot;hangs&quot; ?[0m &amp; more\">it &quot;hangs&quot; \
                       ?[0m &amp; more\nsecond line\nquadrille test a</failure>";
        assert!(xml.contains(failure), "{xml}");
        assert!(xml.contains("<skipped message=\"no doubles\"></skipped>"), "{xml}");
        assert!(xml.contains("<error message=\"line 3\">"), "{xml}");
        assert_eq!(xml.matches("<testsuite ").count(), 2);
    }
}
