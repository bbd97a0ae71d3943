use quadrille::Context;
use quadrille::{Control, Progress};

use super::*;

fn timed(choice: &str, median_ms: f64) -> Timed {
    Timed { choice: choice.into(), summary: Summary::still(median_ms) }
}

const QUESTION: Question = Question { operation: Operation::Blas1, side: 4 };

#[test]
fn the_default_and_those_near_the_fastest_go_on() {
    let mut tried: Vec<Timed> = (10..30).map(|ms| timed(&ms.to_string(), f64::from(ms))).collect();
    tried.push(timed("default", 100.0));
    assert_eq!(finalists(&tried, "default"), ["default", "10", "11", "12", "13"]);
    let far = [timed("default", 10.0), timed("far", 16.0)];
    assert_eq!(finalists(&far, "default"), ["default"]);
    assert!(finalists(&[], "default").is_empty());
}

#[test]
fn the_default_stays_unless_another_is_clearly_faster() {
    let tried = [timed("default", 10.0), timed("other", 8.0), timed("slow", 20.0)];
    let chosen = |ms| {
        let last = vec![timed("default", 10.0), timed("other", ms)];
        answer(&QUESTION, "default", &tried, &last, 3).unwrap()
    };
    assert_eq!((chosen(9.8).entry.choice.as_str(), chosen(9.8).over_default), ("default", 1.0));
    let answer = chosen(5.0);
    assert_eq!((answer.entry.choice.as_str(), answer.over_default), ("other", 2.0));
    // 64 numbers, a product and a sum each, in 5 ms.
    assert_eq!(
        (answer.entry.size, answer.entry.gflops, answer.untried),
        (64, 128.0 / 5e-3 / 1e9, 3)
    );
    let ratios: Vec<(&str, f64)> =
        answer.measured.iter().map(|rate| (rate.choice.as_str(), rate.of_default)).collect();
    assert_eq!(ratios, [("other", 2.0), ("default", 1.0), ("slow", 0.5)]);
}

#[test]
fn vectors_are_asked_about_once_and_sides_once_each() {
    let all = |sides: &[usize]| questions(&Operation::ALL, sides, true);
    let sides: Vec<usize> = all(&[8, 4, 8]).iter().map(|question| question.side).collect();
    assert_eq!(sides, [8, 8, 8, 4, 8, 4, 8, 4, 8]);
    assert_eq!(all(&[]).len(), 3 + 2 + 4 + 1);
    assert!(all(&[1]).iter().all(|question| question.size() > 0 && question.work() > 0.0));
}

/// Every operation, in no time: the default and perhaps one more way are tried.
#[test]
fn every_operation_is_answered_in_its_time_with_what_runs() {
    let context = Context::headless().unwrap();
    let asked = questions(&Operation::ALL, &[8], true);
    let go_on = &mut |_: &Progress| Control::Continue;
    let outcome = run(&context, &asked, Duration::ZERO, go_on).unwrap();
    assert!(outcome.dropped.is_empty() && !outcome.stopped);
    assert_eq!(outcome.answers.len(), Operation::ALL.len());
    for (answer, question) in outcome.answers.iter().zip(&asked) {
        assert_eq!(
            (answer.operation, answer.entry.size),
            (question.operation.name(), question.size())
        );
        assert_eq!(answer.entry.choice, answer.default, "nothing else was tried");
        assert!(answer.entry.gflops > 0.0 && answer.untried > 0, "{answer:?}");
    }
}

#[test]
fn every_way_is_right_at_a_ragged_size_and_is_what_runs() {
    let context = Context::headless().unwrap();
    let on_vectors = [Operation::Blas1, Operation::Reduce, Operation::Vector];
    let all =
        [questions(&on_vectors, &[13], true), questions(&[Operation::Fft], &[12, 13, 16], true)];
    for question in all.concat() {
        let subject = subject_of(&question, &context).unwrap();
        let mut outcome = Vec::new();
        let mut observer = |_: &Progress| Control::Continue;
        let mut meter = Meter::new(&mut observer, 1);
        let choices = subject.choices(&context);
        let mut trial = Trial {
            context: &context,
            question: &question,
            subject: &*subject,
            meter: &mut meter,
            dropped: &mut outcome,
        };
        let timed = trial.measure(&choices, Rounds::Exactly(1)).unwrap();
        let ran: Vec<&str> = timed.iter().map(|timed| timed.choice.as_str()).collect();
        // Work groups do not take every length of a transform.
        let groups = |choice: &str| choice.contains(' ') && question.operation == Operation::Fft;
        let fits = |choice: &&String| ran.contains(&choice.as_str()) || !groups(choice);
        assert_eq!(ran, choices.iter().filter(fits).collect::<Vec<_>>(), "{question:?}");
        assert!(question.size() != 16 || ran.len() == choices.len(), "{question:?}: {ran:?}");
        assert!(context.tuned(question.operation.name(), 1).is_none(), "nothing stays set");
    }
}

/// A subject whose second way gives a wrong number, fast.
struct Planted;

struct PlantedRunning(String);

impl Subject for Planted {
    fn choices(&self, _context: &Context) -> Vec<String> {
        ["right", "wrong"].map(str::to_owned).to_vec()
    }

    fn start<'a>(&'a self, context: &'a Context) -> Result<Box<dyn subject::Running + 'a>> {
        let tuned = context.tuned("blas1", 1).map_or("right".into(), |entry| entry.choice);
        Ok(Box::new(PlantedRunning(tuned)))
    }
}

impl subject::Running for PlantedRunning {
    fn choice(&self) -> String {
        self.0.clone()
    }

    fn check(&mut self) -> Result<quadrille::testing::Comparison> {
        let got = if self.0 == "wrong" { 1.5 } else { 1.0 };
        Ok(quadrille::testing::Comparison::of_number(got, 1.0, 1e-6))
    }

    fn time(&mut self, _context: &Context, parts: u64) -> Result<Duration> {
        let micros = if self.0 == "wrong" { 1 } else { 1000 };
        Ok(Duration::from_micros(micros * parts))
    }
}

#[test]
fn a_wrong_way_is_dropped_however_fast() {
    let context = Context::headless().unwrap();
    let (mut dropped, mut observer) = (Vec::new(), |_: &Progress| Control::Continue);
    let mut meter = Meter::new(&mut observer, 1);
    let mut trial = Trial {
        context: &context,
        question: &QUESTION,
        subject: &Planted,
        meter: &mut meter,
        dropped: &mut dropped,
    };
    let right = trial.measure(&["right", "wrong"], Rounds::Exactly(1)).unwrap();
    assert_eq!(right.iter().map(|timed| timed.choice.as_str()).collect::<Vec<_>>(), ["right"]);
    let [Dropped { operation: "blas1", size: 64, choice, max_error }] = &dropped[..] else {
        panic!("{dropped:?}")
    };
    assert_eq!((choice.as_str(), *max_error), ("wrong", 0.5));
}
