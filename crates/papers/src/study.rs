//! A study, and what it is run with.

use std::time::{Duration, Instant};

use quadrille::gl::Context;
use quadrille::{Control, Observer};

use quadrille_lab::Result;
use quadrille_lab::report::{Document, Part};

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Everything small: one pass within three minutes on a software renderer of two cores.
    Quick,
    /// The papers' sizes where they fit: within thirty.
    Whole,
}

/// A piece of the report.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// Unique, and fit for a file's name: `jacobi-table`.
    pub id: &'static str,
    /// The paper whose tables and figures it repeats; `None` for the accuracy card and similar
    /// studies.
    pub document: Option<Document>,
    pub title: &'static str,
    /// The seconds it is given: quick, whole. It spends about that on a software renderer of two
    /// cores, and no more anywhere, but for the last run that was begun.
    pub seconds: [u32; 2],
    pub run: fn(&mut Lab<'_>) -> Result<Part>,
}

/// The studies of a paper, each by its id, its seconds, the function that runs it, and its title.
macro_rules! list_studies {
    (
        $(#[$doc:meta])* $list:ident of $document:expr;
        $($id:literal, $seconds:expr, $run:path, $title:literal;)*
    ) => {
        $(#[$doc])*
        pub(crate) const $list: &[$crate::Study] = &[$($crate::Study {
            id: $id,
            document: $document,
            title: $title,
            seconds: $seconds,
            run: $run,
        }),*];
    };
}
pub(super) use list_studies;

pub struct Lab<'a> {
    pub context: &'a Context,
    pub scale: Scale,
    pub seed: u64,
    until: Instant,
    observer: &'a mut dyn Observer,
    stopped: bool,
}

impl<'a> Lab<'a> {
    pub fn new(
        context: &'a Context,
        scale: Scale,
        seed: u64,
        time: Duration,
        observer: &'a mut dyn Observer,
    ) -> Lab<'a> {
        let until = Instant::now() + time;
        Lab { context, scale, seed, until, observer, stopped: false }
    }

    pub fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Returns the number of runs of each that fit the remaining time, by the time that fewer took;
    /// `None` if these are not at least twice as many.
    pub fn more_runs(&self, had: usize, took: Duration) -> Option<usize> {
        let times = 0.9 * self.left().as_secs_f64() / took.as_secs_f64().max(1e-3);
        (times >= 2.0 && !self.stopped).then(|| (times * had as f64).min(31.0) as usize)
    }

    /// Runs of each that is compared.
    pub fn runs(&self) -> usize {
        self.scale.pick(3, 5)
    }

    /// Works within a part of the remaining time.
    pub fn within<R>(&mut self, part: f64, work: impl FnOnce(&mut Lab<'a>) -> R) -> R {
        let part = Instant::now() + self.left().mul_f64(part);
        let whole = std::mem::replace(&mut self.until, part);
        let result = work(self);
        self.until = whole;
        result
    }

    /// Whether the user stopped the work: what a study returns then is thrown away.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// An observer for the benches below, which stops them when the user does. It does not stop
    /// them when time is over: a study plans for its time.
    pub fn observer(&mut self) -> impl Observer {
        |progress: &quadrille::Progress| {
            let control = self.observer.observe(progress);
            self.stopped |= control == Control::Stop;
            control
        }
    }

    /// Makes an observer that also stops when the time is over.
    pub fn in_time(&mut self) -> impl Observer {
        let until = self.until;
        let mut observer = self.observer();
        move |progress: &quadrille::Progress| {
            let control = observer.observe(progress);
            if Instant::now() >= until { Control::Stop } else { control }
        }
    }
}

impl Scale {
    pub fn name(self) -> &'static str {
        self.pick("quick", "whole")
    }

    pub fn pick<T>(self, quick: T, whole: T) -> T {
        match self {
            Scale::Quick => quick,
            Scale::Whole => whole,
        }
    }
}

impl Study {
    pub fn time(&self, scale: Scale) -> Duration {
        let [quick, whole] = self.seconds;
        Duration::from_secs(scale.pick(quick, whole).into())
    }
}
