//! The progress of studies: a bar on a terminal, else a line for each study that ended.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use quadrille::Control;
use quadrille_papers::render::span;
use quadrille_papers::{Event, Forecast, Plan, Record, Scale, Study};

use crate::output::{self, progress};
use crate::process::interrupt;

pub(super) struct Watch {
    bar: ProgressBar,
    terminal: bool,
    scale: Scale,
    forecast: Forecast,
    began: Instant,
    study_began: Instant,
    /// The number of studies, and of those that have ended or were kept.
    all: usize,
    ended: usize,
    /// The first and the last date of what was kept, and how many.
    kept: Option<(usize, String, String)>,
    /// The reasons why studies are not kept, and the studies of each.
    stale: Vec<(String, Vec<&'static str>)>,
}

const BAR: &str = "{bar:20} {percent:>3} %, {msg}";

impl Watch {
    pub(super) fn new(plan: &Plan<'_>) -> Watch {
        let bar = ProgressBar::new(1);
        bar.set_style(progress::style(BAR));
        let scale = plan.key.scale;
        Watch {
            bar,
            terminal: std::io::stderr().is_terminal(),
            scale,
            forecast: Forecast::new(plan.studies.iter().map(|study| study.time(scale)).sum()),
            began: Instant::now(),
            study_began: Instant::now(),
            all: plan.studies.len(),
            ended: 0,
            kept: None,
            stale: Vec::new(),
        }
    }

    pub(super) fn tell(&mut self, event: &Event<'_>) -> Control {
        match event {
            Event::Kept(study, record) => self.keep(study, record),
            Event::Stale(study, reason) => self.stale((*reason).to_owned(), study.id),
            Event::Begun(study) => {
                self.tell_stale();
                self.tell_kept();
                self.study_began = Instant::now();
                self.show(study);
            }
            Event::Working(study) => self.show(study),
            Event::Ended(study, record) => self.end(study, record),
        }
        if interrupt::pressed() { Control::Stop } else { Control::Continue }
    }

    fn keep(&mut self, study: &Study, record: &Record) {
        // It takes no time, which says nothing about the others.
        self.forecast.skipped(study.time(self.scale));
        self.ended += 1;
        let date = &record.date;
        self.kept = Some(match self.kept.take() {
            None => (1, date.clone(), date.clone()),
            Some((count, first, last)) => {
                (count + 1, first.min(date.clone()), last.max(date.clone()))
            }
        });
    }

    fn stale(&mut self, reason: String, id: &'static str) {
        match self.stale.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, ids)) => ids.push(id),
            None => self.stale.push((reason, vec![id])),
        }
    }

    /// Once, a line for each reason: most often all parts have the same.
    fn tell_stale(&mut self) {
        for (reason, ids) in std::mem::take(&mut self.stale) {
            let ids = ids.join(", ");
            self.say(&format!(
                "note: measured again, since what an earlier run left does not stand ({reason}): {ids}"
            ));
        }
    }

    /// Once, before the first study that is measured.
    fn tell_kept(&mut self) {
        if let Some((count, first, last)) = self.kept.take() {
            let when = if first == last { first } else { format!("{first} to {last}") };
            self.say(&format!(
                "note: {count} of {} parts are from {when} UTC; --fresh measures them again",
                self.all
            ));
        }
    }

    fn end(&mut self, study: &Study, record: &Record) {
        let took = self.study_began.elapsed();
        self.forecast.done(study.time(self.scale), took);
        self.ended += 1;
        let (ended, all) = (self.ended, self.all);
        let what = match &record.failure {
            None => span(took),
            Some(failure) => format!("left out, {}: {}", failure.kind, failure.reason),
        };
        let left = match self.forecast.left(Duration::ZERO, Duration::ZERO) {
            _ if ended == all => String::new(),
            left => format!("; about {} left", span(left)),
        };
        if !self.terminal || record.failure.is_some() {
            self.say(&format!("[{ended}/{all}] {}: {what}{left}", study.id));
        }
    }

    fn show(&self, study: &Study) {
        let left = self.forecast.left(study.time(self.scale), self.study_began.elapsed());
        let elapsed = self.began.elapsed();
        self.bar.set_length((elapsed + left).as_millis().max(1) as u64);
        self.bar.set_position(elapsed.as_millis() as u64);
        self.bar.set_message(format!("about {} left: {}", span(left), study.title));
    }

    fn say(&self, text: &str) {
        self.bar.suspend(|| output::note(text));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.tell_kept();
        self.bar.finish_and_clear();
    }
}
