//! Bars on standard error. Where that is not a terminal nothing is drawn at all.

use std::fmt;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use quadrille::{Control, Observer, Progress};

use crate::process::{interrupt, launcher};

/// A bar for work, which may be an iteration with a residual.
pub(crate) struct Bar {
    bar: ProgressBar,
}

// What is not known yet has no place in these: the message and the time left come with the comma
// before them.
const KNOWN: &str = "{bar:20} {pos}/{len} iterations{msg}{left}";
const OPEN: &str = "{spinner} {pos} iterations{msg}, {elapsed}";
const WORK: &str = "{bar:20} {percent:>3} % of the {msg}, {elapsed}{left}";

impl Bar {
    /// Makes a bar for turns whose costs are known beforehand. It counts work, so it shows a share
    /// and the time left, not a number.
    pub(crate) fn new(what: &str) -> Bar {
        let bar = ProgressBar::new(1).with_style(style(WORK));
        Bar { bar: of_first_rank(bar).with_message(what.to_owned()) }
    }

    /// Makes a bar for iterations, whose number may become known later.
    pub(crate) fn of_iterations() -> Bar {
        Bar { bar: of_first_rank(ProgressBar::new_spinner().with_style(style(OPEN))) }
    }

    /// Shows how far it came, and stops at Ctrl-C.
    pub(crate) fn show(&self, progress: &Progress) -> Control {
        match (progress.expected, self.bar.length()) {
            (Some(expected), length) => {
                if length.is_none() {
                    self.bar.set_style(style(KNOWN));
                }
                self.bar.set_length(expected.max(progress.done));
            }
            (None, Some(_)) => {
                self.bar.unset_length();
                self.bar.set_style(style(OPEN));
            }
            (None, None) => {}
        }
        if let Some(residual) = progress.residual {
            self.bar.set_message(format!(", residual {residual:.1e}"));
        }
        self.bar.set_position(progress.done);
        if interrupt::pressed() { Control::Stop } else { Control::Continue }
    }
}

impl Observer for Bar {
    fn observe(&mut self, progress: &Progress) -> Control {
        self.show(progress)
    }
}

/// Several ranks have one bar, on the terminal of their launcher.
fn of_first_rank(bar: ProgressBar) -> ProgressBar {
    if launcher::rank() > 0 {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    } else if let Some(terminal) = launcher::terminal() {
        bar.set_draw_target(ProgressDrawTarget::term(terminal, 10));
    }
    bar
}

/// Does work that Ctrl-C stops, with a bar.
pub(crate) fn with_bar<R>(what: &str, work: impl FnOnce(&mut Bar) -> R) -> R {
    let mut bar = Bar::new(what);
    interrupt::watched(|| work(&mut bar))
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A template that indicatif refuses gives its plain bar, which is better than none.
pub(crate) fn style(template: &str) -> ProgressStyle {
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("left", |state: &ProgressState, text: &mut dyn fmt::Write| {
        // A line of a terminal that cannot be written is drawn again.
        let _ = text.write_str(&left(state.pos(), state.eta()));
    })
}

/// The time that is left, as far as that is known.
fn left(done: u64, eta: Duration) -> String {
    match done > 0 && eta >= Duration::from_secs(1) {
        true => format!(", {:#} left", HumanDuration(eta)),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_told_once_it_is_known() {
        let seconds = Duration::from_secs;
        assert_eq!(left(0, seconds(0)), "");
        assert_eq!(left(3, Duration::from_millis(900)), "");
        assert_eq!(left(3, seconds(12)), ", 12s left");
    }
}
