//! The observer of the bench, also within a solve, which may take seconds.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use quadrille::{Control, Observer, Progress};

/// Shares an observer between the bench, which reports its progress, and solves, which ask whether
/// to continue.
pub(super) struct Watch<'a> {
    observer: RefCell<&'a mut dyn Observer>,
    last: Cell<Progress>,
    asked: Cell<Instant>,
    stopped: Cell<bool>,
}

/// A solve asks this often: an answer costs more than an iteration may.
const OFTEN: Duration = Duration::from_millis(50);

impl<'a> Watch<'a> {
    pub(super) fn new(observer: &'a mut dyn Observer) -> Watch<'a> {
        Watch {
            observer: RefCell::new(observer),
            last: Cell::new(Progress::new(0, None)),
            asked: Cell::new(Instant::now()),
            stopped: Cell::new(false),
        }
    }

    /// Whether the observer has stopped the bench.
    pub(super) fn stopped(&self) -> bool {
        self.stopped.get()
    }

    fn tell(&self, progress: Progress) -> Control {
        self.last.set(progress);
        self.asked.set(Instant::now());
        let control = self.observer.borrow_mut().observe(&progress);
        self.stopped.set(self.stopped() || control == Control::Stop);
        if self.stopped() { Control::Stop } else { Control::Continue }
    }

    /// Whether to stop, between two steps of the bench.
    fn stops(&self) -> bool {
        if self.asked.get().elapsed() > OFTEN {
            self.tell(self.last.get());
        }
        self.stopped()
    }
}

impl Observer for &Watch<'_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        self.tell(*progress)
    }
}

/// Watches one solution, setup and all, and stops it when its time is over.
pub(super) struct Limited<'a, 'w> {
    watch: &'a Watch<'w>,
    begun: Instant,
    limit: Option<Duration>,
    /// Residuals as they were looked at, where they are kept.
    pub(super) looks: Option<Vec<Look>>,
}

/// A look at the residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// The time since the setup began.
    pub(super) time: Duration,
    pub(super) iteration: u64,
    pub(super) residual: f64,
}

impl<'a, 'w> Limited<'a, 'w> {
    pub(super) fn new(watch: &'a Watch<'w>, limit: Option<Duration>) -> Limited<'a, 'w> {
        Limited { watch, begun: Instant::now(), limit, looks: None }
    }

    /// Keeps the residuals as well.
    pub(super) fn recording(self) -> Limited<'a, 'w> {
        Limited { looks: Some(Vec::new()), ..self }
    }
}

impl Observer for Limited<'_, '_> {
    fn observe(&mut self, progress: &Progress) -> Control {
        let time = self.begun.elapsed();
        if let (Some(looks), Some(residual)) = (&mut self.looks, progress.residual) {
            looks.push(Look { time, iteration: progress.done, residual });
        }
        let over = self.limit.is_some_and(|limit| time > limit);
        if self.watch.stops() || over { Control::Stop } else { Control::Continue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(done: u64) -> Progress {
        Progress::new(done, None).residual(0.5)
    }

    #[test]
    fn a_solve_ends_when_its_time_is_over_and_the_bench_goes_on() {
        let mut never = ();
        let watch = Watch::new(&mut never);
        let mut limited = Limited::new(&watch, Some(Duration::ZERO)).recording();
        std::thread::sleep(Duration::from_millis(1));
        assert_eq!(limited.observe(&look(3)), Control::Stop);
        assert!(!watch.stopped());
        let looks = limited.looks.unwrap();
        assert_eq!((looks[0].iteration, looks[0].residual), (3, 0.5));
        assert_eq!(Limited::new(&watch, None).observe(&look(1)), Control::Continue);
    }

    #[test]
    fn what_stops_the_bench_stops_a_solve_and_stays() {
        let mut asked = 0;
        let mut second = |_: &Progress| {
            asked += 1;
            if asked == 2 { Control::Stop } else { Control::Continue }
        };
        let watch = Watch::new(&mut second);
        assert_eq!((&watch).observe(&look(1)), Control::Continue);
        let mut limited = Limited::new(&watch, None);
        assert_eq!(limited.observe(&look(1)), Control::Continue, "not asked so soon");
        std::thread::sleep(2 * OFTEN);
        assert_eq!(limited.observe(&look(2)), Control::Stop);
        assert!(watch.stopped());
        assert_eq!((&watch).observe(&look(2)), Control::Stop);
    }
}
