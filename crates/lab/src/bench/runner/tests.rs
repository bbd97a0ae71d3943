use std::cell::{Cell, RefCell};

use quadrille::{Control, Progress};

use super::*;
use crate::MeasurementError;

const MS: Duration = Duration::from_millis(1);

/// The state that all fake cases share: a clock that only their work moves, and a log of their
/// calls.
#[derive(Default)]
struct Desk {
    clock: Cell<Duration>,
    log: RefCell<Vec<String>>,
}

impl Desk {
    fn note(&self, what: &str, name: &str) {
        self.log.borrow_mut().push(format!("{what} {name}"));
    }

    /// The names in the order of their timed runs, after all were set up.
    fn runs(&self) -> String {
        let log = self.log.borrow();
        let begun = log.iter().rposition(|line| line.starts_with("check")).unwrap();
        let lines = log.iter().skip(begun).filter_map(|line| line.strip_prefix("time "));
        lines.collect::<Vec<_>>().concat()
    }
}

/// A case whose part takes some time, and its first run after being prepared ten times that.
struct Fake<'a> {
    desk: &'a Desk,
    name: &'static str,
    part: Duration,
    bytes: usize,
    cold: bool,
    on_host: bool,
    fails: Option<fn() -> Error>,
}

impl Case for Fake<'_> {
    type Time = Duration;

    fn prepare(&mut self) -> Result<()> {
        self.desk.note("prepare", self.name);
        self.cold = true;
        self.fails.map_or(Ok(()), |error| Err(error()))
    }

    fn check(&mut self) -> Result<Comparison> {
        self.desk.note("check", self.name);
        Ok(Comparison::RIGHT)
    }

    fn time(&mut self, parts: u64) -> Result<Duration> {
        self.desk.note("time", self.name);
        let cold = std::mem::take(&mut self.cold);
        let time = self.part * parts as u32 * if cold { 10 } else { 1 };
        self.desk.clock.set(self.desk.clock.get() + time);
        Ok(time)
    }

    fn release(&mut self) {
        self.desk.note("release", self.name);
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn on_host(&self) -> bool {
        self.on_host
    }
}

fn fake<'a>(desk: &'a Desk, name: &'static str, part: Duration) -> Fake<'a> {
    Fake { desk, name, part, bytes: 1, cold: false, on_host: false, fails: None }
}

fn effort(rounds: Rounds) -> Effort {
    let (run, warm_up) = (40 * MS, Duration::ZERO);
    Effort { rounds, run, parts: [1, 4096], kept_bytes: 2, warm_up }
}

fn run<'a>(
    desk: &'a Desk,
    cases: Vec<Fake<'a>>,
    effort: Effort,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<Outcome<Fake<'a>>> {
    let ahead = cases.len() as u64 * effort.turns();
    let mut observer = |progress: &Progress| observer(progress);
    let mut meter = Meter::with_clock(&mut observer, ahead, || desk.clock.get());
    measure(cases, &effort, &mut meter)
}

fn go_on(_: &Progress) -> Control {
    Control::Continue
}

#[test]
fn cases_take_turns_and_their_runs_are_filled() {
    let desk = Desk::default();
    let cases = vec![fake(&desk, "a", MS), fake(&desk, "b", 100 * MS)];
    let outcome = run(&desk, cases, effort(Rounds::Exactly(3)), &mut go_on).unwrap();
    assert!(outcome.finished && desk.runs().ends_with("ababab"), "{}", desk.runs());
    let [a, b] = &outcome.measured[..] else { panic!("two were measured") };
    assert_eq!((a.parts, a.times.len(), b.parts), (40, 3, 1));
    assert_eq!((a.summary().median_ms, b.summary().median_ms), (1.0, 100.0));
}

#[test]
fn what_does_not_fit_together_is_made_once_and_timed_warm() {
    let desk = Desk::default();
    let cases = ["a", "b", "c", "d", "e"].map(|name| fake(&desk, name, MS));
    let mut cases = Vec::from(cases);
    cases[3].bytes = 9;
    let outcome = run(&desk, cases, effort(Rounds::Exactly(2)), &mut go_on).unwrap();
    let log = desk.log.borrow();
    for name in ["a", "b", "c", "d", "e"] {
        let made = log.iter().filter(|line| **line == format!("prepare {name}")).count();
        assert_eq!(made, 1, "{name}");
    }
    let at = |line: &str| log.iter().position(|other| other == line).unwrap();
    assert!(at("release a") < at("prepare c") && at("release c") < at("prepare d"));
    assert!(outcome.measured.iter().all(|measured| measured.summary().median_ms == 1.0));
}

#[test]
fn what_is_cold_at_first_has_full_runs() {
    let desk = Desk::default();
    // Its first part takes 30 ms, which alone would nearly fill a run.
    let outcome =
        run(&desk, vec![fake(&desk, "a", 3 * MS)], effort(Rounds::Exactly(3)), &mut go_on).unwrap();
    assert_eq!(outcome.measured[0].parts, 13);
}

#[test]
fn a_device_that_was_idle_is_kept_at_work_before_the_rounds() {
    let desk = Desk::default();
    let cases = vec![fake(&desk, "a", 50 * MS), fake(&desk, "b", 50 * MS)];
    let effort = Effort { warm_up: 1000 * MS, ..effort(Rounds::Exactly(1)) };
    run(&desk, cases, effort, &mut go_on).unwrap();
    // The set-up of each took a run of 500 ms: so there are ten turns of 100 ms, and a round.
    let idle_and_after = desk.runs();
    assert!(idle_and_after.ends_with(&"ab".repeat(11)), "{idle_and_after}");
    assert!(!idle_and_after.ends_with(&"ab".repeat(12)), "{idle_and_after}");
}

#[test]
fn a_device_is_put_to_work_again_after_runs_of_the_host() {
    let desk = Desk::default();
    let host = Fake { on_host: true, ..fake(&desk, "h", 400 * MS) };
    let cases = vec![fake(&desk, "a", 50 * MS), fake(&desk, "b", 50 * MS), host];
    let effort = Effort { kept_bytes: 3, warm_up: 150 * MS, ..effort(Rounds::Exactly(2)) };
    let outcome = run(&desk, cases, effort, &mut go_on).unwrap();
    // "a" works for 150 ms before its timed run, "b" comes after it and needs no more.
    assert!(desk.runs().ends_with("abhaaaabh"), "{}", desk.runs());
    assert!(outcome.measured.iter().all(|measured| measured.times.len() == 2));
}

#[test]
fn what_the_device_cannot_do_is_skipped_with_its_reason_and_other_errors_end() {
    let desk = Desk::default();
    let lacking = || MeasurementError::Library { got: "short" }.into();
    let broken = || MeasurementError::Figure { reason: "broken".into() }.into();
    let cases = |error| {
        let lame = Fake { fails: Some(error), ..fake(&desk, "b", MS) };
        vec![fake(&desk, "a", MS), lame, fake(&desk, "c", MS)]
    };
    let outcome = run(&desk, cases(lacking), effort(Rounds::Exactly(1)), &mut go_on).unwrap();
    let names: Vec<&str> = outcome.measured.iter().map(|measured| measured.case.name).collect();
    assert_eq!((names, outcome.skipped[0].0.name), (vec!["a", "c"], "b"));
    assert!(outcome.skipped[0].1.to_string().contains("short"));
    assert!(run(&desk, cases(broken), effort(Rounds::Exactly(1)), &mut go_on).is_err());
}

#[test]
fn rounds_fill_their_time() {
    for (time, rounds) in [(0, 3), (440, 3), (760, 7), (9_999, 9)] {
        let desk = Desk::default();
        let cases = vec![fake(&desk, "a", 50 * MS), fake(&desk, "b", 50 * MS)];
        let effort = effort(Rounds::Within(time * MS, 9));
        let outcome = run(&desk, cases, effort, &mut go_on).unwrap();
        assert_eq!(outcome.measured[1].times.len(), rounds, "{time} ms");
    }
    // Each of two groups has half of it.
    let desk = Desk::default();
    let cases = ["a", "b", "c", "d"].map(|name| fake(&desk, name, 50 * MS));
    let effort = effort(Rounds::Within(1500 * MS, 9));
    let outcome = run(&desk, cases.into(), effort, &mut go_on).unwrap();
    assert!(outcome.measured.iter().all(|measured| measured.times.len() == 7));
}

#[test]
fn stopped_before_all_had_run_there_is_nothing_and_after_it_what_there_is() {
    // Two are set up, and then run in turns.
    for (turns, runs) in [(1, vec![]), (3, vec![]), (4, vec![1, 1]), (5, vec![2, 1])] {
        let desk = Desk::default();
        let cases = vec![fake(&desk, "a", MS), fake(&desk, "b", MS)];
        let mut left = turns;
        let mut observer = |_: &Progress| {
            left -= 1;
            if left == 0 { Control::Stop } else { Control::Continue }
        };
        let outcome = run(&desk, cases, effort(Rounds::Exactly(5)), &mut observer).unwrap();
        let times: Vec<usize> = outcome.measured.iter().map(|one| one.times.len()).collect();
        assert_eq!((times, outcome.finished), (runs, false), "{turns}");
    }
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let desk = Desk::default();
    let lame = Fake {
        fails: Some(|| MeasurementError::Library { got: "int" }.into()),
        ..fake(&desk, "b", MS)
    };
    let cases = vec![fake(&desk, "a", 10 * MS), lame, fake(&desk, "c", 10 * MS)];
    let mut told = Vec::new();
    let mut observer = |progress: &Progress| {
        told.push(progress.done as f64 / progress.expected.unwrap() as f64);
        Control::Continue
    };
    let effort = effort(Rounds::Within(MS, 9));
    run(&desk, cases, effort, &mut observer).unwrap();
    assert!(told.is_sorted() && told[0] < 0.2, "{told:?}");
    assert_eq!(told.last(), Some(&1.0));
}
