//! Runs studies one after the other. What each finds is on disk before the next begins, so that a
//! run that ends early loses one study at most; a later run keeps the parts that are still valid.

pub(super) mod forecast;
mod load;
pub(super) mod machine;
pub(super) mod outcome;
mod passes;
pub(super) mod record;

use std::path::{Path, PathBuf};
use std::time::Instant;

use quadrille::error::Kind;
use quadrille::gl::{self, Context};
use quadrille::io;
use quadrille::io::date;
use quadrille::{Control, Progress};

use super::{Entry, Failure, Key, Lab, Record, Study};
use load::Ticks;
use quadrille_lab::report::{Finding, Part, Stability};
use quadrille_lab::{Error, Result};

pub struct Plan<'a> {
    pub studies: &'a [Study],
    pub key: Key,
    pub folder: &'a Path,
    /// Whether what earlier runs found is thrown away.
    pub fresh: bool,
}

/// The events of a run. The answer to each says whether to continue.
pub enum Event<'a> {
    /// A part of an earlier run is kept.
    Kept(&'a Study, &'a Record),
    /// A part of an earlier run is not valid here, for this reason, and will be measured again.
    Stale(&'a Study, &'a str),
    Begun(&'a Study),
    Working(&'a Study),
    /// A study has ended, and its part is on disk.
    Ended(&'a Study, &'a Record),
}

/// A study is given its time this often where claims are open after the first pass: quick, whole.
const PATIENCE: [u32; 2] = [2, 2];
const MOST_PASSES: usize = 6;

type Tell<'a> = &'a mut dyn FnMut(Event<'_>) -> Control;

/// Takes over what stands and measures the rest. `make` makes a context: at first, and after one
/// was lost. Fails only where there is no context at first, or where a part cannot be written;
/// gives the entries, and whether the user stopped the work.
pub fn run(
    plan: &Plan<'_>,
    make: &dyn Fn() -> Result<Context, gl::Error>,
    tell: Tell<'_>,
) -> Result<(Vec<Entry>, bool)> {
    let mut entries = Vec::new();
    for study in plan.studies {
        let record = plan.take_over(study, tell)?;
        entries.push(Entry { study: *study, kept: record.is_some(), record });
    }
    let stopped = plan.measure(&mut entries, make, tell)?;
    Ok((entries, stopped))
}

/// Whether another pass may change the verdict: where it is open, and where a single pass decided
/// it near the limit, since the machine may be in another state a minute later.
fn is_open(finding: &Finding, passes: usize) -> bool {
    match finding.answer {
        // What could not be measured twice cannot be measured here.
        None => finding.is_open && passes < 2,
        Some(_) => {
            finding.is_open || passes < 2 && finding.stability == Some(Stability::NearTheLimit)
        }
    }
}

impl Plan<'_> {
    fn file(&self, study: &Study) -> PathBuf {
        self.folder.join(format!("{}.json", study.id))
    }

    fn take_over(&self, study: &Study, tell: Tell<'_>) -> Result<Option<Record>, io::Error> {
        let file = self.file(study);
        if self.fresh {
            return Record::forget(&file).map(|()| None);
        }
        match Record::read(&file, &self.key) {
            Ok(Some(record)) => {
                tell(Event::Kept(study, &record));
                Ok(Some(record))
            }
            Ok(None) => Ok(None),
            Err(reason) => {
                tell(Event::Stale(study, &reason));
                Ok(None)
            }
        }
    }

    /// Runs what no earlier run has left; says whether the user stopped it.
    fn measure(
        &self,
        entries: &mut [Entry],
        make: &dyn Fn() -> Result<Context, gl::Error>,
        tell: Tell<'_>,
    ) -> Result<bool> {
        let mut open = entries.iter_mut().filter(|entry| entry.record.is_none()).peekable();
        if open.peek().is_none() {
            return Ok(false);
        }
        let mut context = make()?;
        while let Some(Entry { study, record, .. }) = open.next() {
            if tell(Event::Begun(study)) == Control::Stop {
                return Ok(true);
            }
            let began = Instant::now();
            let Some(found) = self.find(study, &context, tell) else { return Ok(true) };
            let lost = matches!(&found, Err(error) if error.kind() == Kind::ContextLost);
            let measured = record.insert(self.record(found, began));
            measured.write(&self.file(study))?;
            let stop = tell(Event::Ended(study, measured)) == Control::Stop;
            if stop && open.peek().is_some() {
                return Ok(true);
            }
            if lost {
                match make() {
                    Ok(another) => context = another,
                    Err(error) => {
                        let error = Error::from(error);
                        open.for_each(|entry| entry.record = Some(self.failed(&error)));
                        return Ok(false);
                    }
                }
            }
        }
        Ok(false)
    }

    /// The part that a study finds; `None` if the user stopped it. While another pass may change a
    /// verdict the study is done again, and all passes are judged together.
    fn find(&self, study: &Study, context: &Context, tell: Tell<'_>) -> Option<Result<Part>> {
        let scale = self.key.scale;
        let patience = scale.pick(PATIENCE[0], PATIENCE[1]) * study.time(scale);
        let began = Instant::now();
        let mut passes = Vec::new();
        loop {
            match self.pass(study, context, tell)? {
                Ok(part) => passes.push(part),
                Err(error) => return Some(Err(error)),
            }
            let part = passes::together(&passes);
            let average = began.elapsed() / passes.len() as u32;
            let fits = began.elapsed() + average <= patience && passes.len() < MOST_PASSES;
            if !fits || !part.findings.iter().any(|finding| is_open(finding, passes.len())) {
                return Some(Ok(part));
            }
        }
    }

    fn pass(&self, study: &Study, context: &Context, tell: Tell<'_>) -> Option<Result<Part>> {
        let mut observer = |_: &Progress| tell(Event::Working(study));
        let time = study.time(self.key.scale);
        let mut lab = Lab::new(context, self.key.scale, self.key.seed, time, &mut observer);
        let before = Ticks::now();
        let found = (study.run)(&mut lab);
        let others = Ticks::now().zip(before).map(|(now, then)| now.share_of_others_since(then));
        let found = found.map(|part| passes::beside(part, others.unwrap_or_default()));
        (!lab.stopped()).then_some(found)
    }

    fn record(&self, found: Result<Part>, began: Instant) -> Record {
        let seconds = began.elapsed().as_secs_f64();
        match found {
            Ok(part) => Record { seconds, part: part.finite(), failure: None, ..self.blank() },
            Err(error) => Record { seconds, ..self.failed(&error) },
        }
    }

    fn failed(&self, error: &Error) -> Record {
        Record { failure: Some(Failure::of(error)), ..self.blank() }
    }

    fn blank(&self) -> Record {
        let (key, date) = (self.key.clone(), date::now());
        Record { key, date, seconds: 0.0, part: Part::default(), failure: None }
    }
}
