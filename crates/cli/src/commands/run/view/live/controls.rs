//! The settings that keys change.

use quadrille_run::io::ColourMap;

use crate::commands::run::view::Beginning;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Pause,
    Step,
    Restart,
    Colours,
    Range,
    Output,
    More,
    Fewer,
    End,
}

/// The state of the iteration and of its display.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Controls {
    pub(super) paused: bool,
    pub(super) ended: bool,
    /// Steps a frame.
    pub(super) steps: u64,
    pub(super) map: ColourMap,
    /// The fixed range; if none, the range follows the values.
    pub(super) held: Option<(f32, f32)>,
    /// The index of the output that is shown.
    pub(super) output: usize,
    outputs: usize,
    single: u64,
    /// The step at which to pause.
    limit: Option<u64>,
    at_first: Option<u64>,
    restart: bool,
}

/// More steps a frame than anyone would wait for.
const MOST: u64 = 1 << 16;

impl Controls {
    pub(super) fn new(outputs: usize, beginning: &Beginning) -> Controls {
        let Beginning { limit, map, range } = *beginning;
        Controls {
            paused: false,
            ended: false,
            steps: 1,
            map,
            held: range,
            output: 0,
            outputs,
            single: 0,
            limit,
            at_first: limit,
            restart: false,
        }
    }

    /// `range` is what is shown now.
    pub(super) fn press(&mut self, key: Key, range: (f32, f32)) {
        match key {
            Key::Pause => self.paused = !self.paused,
            Key::Step => {
                self.single += u64::from(self.paused);
                self.paused = true;
            }
            Key::Restart => {
                self.restart = true;
                self.single = 0;
                self.limit = self.at_first;
            }
            Key::Colours => self.map = self.map.next(),
            Key::Range => self.held = if self.held.is_none() { Some(range) } else { None },
            Key::Output => {
                self.output = (self.output + 1) % self.outputs.max(1);
                // Another output has numbers of its own.
                self.held = None;
            }
            Key::More => self.steps = (self.steps * 2).min(MOST),
            Key::Fewer => self.steps = (self.steps / 2).max(1),
            Key::End => self.ended = true,
        }
    }

    /// Whether to begin again; true once for each request.
    pub(super) fn restarts(&mut self) -> bool {
        std::mem::take(&mut self.restart)
    }

    pub(super) fn due(&mut self, iteration: u64) -> u64 {
        let single = std::mem::take(&mut self.single);
        if self.paused {
            return single;
        }
        match self.limit {
            Some(limit) => self.steps.min(limit.saturating_sub(iteration)),
            None => self.steps,
        }
    }

    /// Pauses after the steps of --iterate; from there on there is no limit.
    pub(super) fn arrive(&mut self, iteration: u64) {
        if self.limit.is_some_and(|limit| iteration >= limit) {
            self.paused = true;
            self.limit = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: (f32, f32) = (-1.0, 2.0);

    fn controls(outputs: usize, limit: Option<u64>) -> Controls {
        Controls::new(outputs, &Beginning { limit, map: ColourMap::Grey, range: None })
    }

    #[test]
    fn it_pauses_at_the_limit_and_goes_on_beyond_it() {
        let mut controls = controls(1, Some(5));
        controls.steps = 4;
        assert_eq!(controls.due(0), 4);
        controls.arrive(4);
        assert_eq!((controls.due(4), controls.paused), (1, false));
        controls.arrive(5);
        assert_eq!((controls.due(5), controls.paused), (0, true));
        controls.press(Key::Pause, RANGE);
        assert_eq!(controls.due(5), 4);
        controls.press(Key::Restart, RANGE);
        assert!(controls.restarts() && !controls.restarts());
        assert_eq!(controls.due(3), 2, "the limit is back");
    }

    #[test]
    fn a_step_while_running_pauses_and_then_steps() {
        let mut controls = controls(1, None);
        controls.press(Key::Step, RANGE);
        assert_eq!((controls.due(7), controls.paused), (0, true));
        controls.press(Key::Step, RANGE);
        controls.press(Key::Step, RANGE);
        assert_eq!((controls.due(7), controls.due(9)), (2, 0));
    }

    #[test]
    fn a_range_is_held_until_it_is_let_go_or_the_output_changes() {
        let mut controls = controls(2, None);
        controls.press(Key::Range, RANGE);
        assert_eq!(controls.held, Some(RANGE));
        controls.press(Key::Range, (0.0, 9.0));
        assert_eq!(controls.held, None);
        controls.press(Key::Range, RANGE);
        controls.press(Key::Output, RANGE);
        assert_eq!((controls.held, controls.output), (None, 1));
        controls.press(Key::Output, RANGE);
        assert_eq!(controls.output, 0);
    }

    #[test]
    fn steps_a_frame_have_ends() {
        let mut controls = controls(1, None);
        controls.press(Key::Fewer, RANGE);
        assert_eq!(controls.steps, 1);
        for _ in 0..99 {
            controls.press(Key::More, RANGE);
        }
        assert_eq!(controls.steps, MOST);
    }
}
