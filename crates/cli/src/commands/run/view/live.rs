//! The loop of the window: events, steps, a frame, the title.

mod controls;
mod window;

use std::time::{Duration, Instant};

use quadrille::gl::{AnyTexture, Builder, Texture, Unorm8};
use quadrille::{Extent, gl};
use quadrille_run::view::{Layout, Painter, Shown};
use quadrille_run::{Experiment, Output};

use super::Beginning;
use crate::output::note;
use crate::prelude::*;
use controls::{Controls, Key};
use window::{Event, Window};

/// A window, before there is anything to show.
pub(crate) struct Live {
    window: Window,
    name: String,
}

/// A frame of sixty a second.
const FRAME: Duration = Duration::from_millis(16);
/// The time that Ctrl-C may wait where nothing moves.
const IDLE: Duration = Duration::from_millis(100);
/// The most time for the steps of one frame, however many it should have: keys must be heard.
const PATIENCE: Duration = Duration::from_millis(100);
/// The frames that are drawn after the window changed its size: a software renderer may follow at
/// the second one.
const FRAMES_OF_A_SIZE: u32 = 2;
/// The steps between two looks at the clock.
const BATCH: u64 = 16;

impl Live {
    /// Opens the window, which is hidden until there is something to show.
    pub(crate) fn open(name: &str) -> Result<Live, Failure> {
        Ok(Live { window: Window::open(name)?, name: name.to_owned() })
    }

    /// Makes the context on the window, and says where its display has software alone.
    pub(crate) fn context(&self, builder: Builder) -> Result<Context, gl::Error> {
        let context = builder.on_window(self.window.native(), self.window.extent())?;
        let abilities = context.abilities();
        if abilities.software {
            note(&format!("note: the display is drawn by software ({})", abilities.renderer));
        }
        Ok(context)
    }

    /// Shows an experiment until the window is closed; says whether Ctrl-C ended it.
    pub(crate) fn show(
        self,
        experiment: &mut Experiment,
        beginning: &Beginning,
    ) -> Result<bool, quadrille_run::Error> {
        self.window.show(Layout::window_for(experiment.extent()));
        // Outputs that do not feed back have nothing before the first step.
        if !experiment.outputs().iter().all(quadrille_run::Output::feeds_back) {
            experiment.step()?;
        }
        let shown = shown(experiment.outputs());
        let context = experiment.context().clone();
        let extent = self.window.extent();
        let mut view = View {
            painter: Painter::new(&context),
            picture: context.uninit(at_least_one(extent))?,
            controls: Controls::new(shown.len(), beginning),
            shown,
            rate: Rate::new(experiment.iteration()),
            range: (0.0, 1.0),
            title: String::new(),
            due: 0,
            window: self.window,
            name: self.name,
            context,
        };
        view.run(experiment)
    }
}

struct View {
    context: Context,
    painter: Painter,
    picture: Texture<[Unorm8; 4]>,
    controls: Controls,
    /// The outputs that can be shown, by their numbers.
    shown: Vec<usize>,
    rate: Rate,
    range: (f32, f32),
    title: String,
    /// The frames to draw, whether anything moves or not.
    due: u32,
    window: Window,
    name: String,
}

impl View {
    fn run(&mut self, experiment: &mut Experiment) -> Result<bool, quadrille_run::Error> {
        let mut wait = Duration::ZERO;
        self.due = FRAMES_OF_A_SIZE;
        loop {
            self.listen(wait)?;
            if self.controls.ended || interrupt::pressed() {
                return Ok(interrupt::pressed());
            }
            let begun = Instant::now();
            let advanced = self.advance(experiment)?;
            if advanced || self.due > 0 {
                self.paint(experiment)?;
                self.due = self.due.saturating_sub(1);
            }
            self.tell(experiment);
            let moving = self.due > 0 || !self.controls.paused && experiment.changes();
            wait = if moving { FRAME.saturating_sub(begun.elapsed()) } else { IDLE };
        }
    }

    /// Takes in what happened, after which there is something to draw.
    fn listen(&mut self, wait: Duration) -> Result<(), gl::Error> {
        for event in self.window.events(wait) {
            self.due = self.due.max(1);
            match event {
                Event::Pressed(key) => self.controls.press(key, self.range),
                Event::Closed => self.controls.press(Key::End, self.range),
                Event::Uncovered => {}
                Event::Resized(extent) => {
                    let extent = at_least_one(extent);
                    self.context.resize(extent)?;
                    self.picture = self.context.uninit(extent)?;
                    self.due = FRAMES_OF_A_SIZE;
                }
            }
        }
        Ok(())
    }

    /// Does the steps that are due; says whether there were any.
    fn advance(&mut self, experiment: &mut Experiment) -> Result<bool, quadrille_run::Error> {
        let restarts = self.controls.restarts();
        if restarts {
            experiment.restart()?;
            self.rate = Rate::new(0);
        }
        self.controls.arrive(experiment.iteration());
        // Without feedback or a count one step is all there is.
        if !experiment.changes() && experiment.iteration() > 0 {
            return Ok(restarts);
        }
        let begun = Instant::now();
        let due = self.controls.due(experiment.iteration());
        for step in 1..=due {
            experiment.step()?;
            if step % BATCH == 0 || step == due {
                experiment.finish()?;
                if begun.elapsed() > PATIENCE {
                    break;
                }
            }
        }
        self.controls.arrive(experiment.iteration());
        self.rate.count(experiment.iteration());
        Ok(restarts || due > 0)
    }

    fn paint(&mut self, experiment: &Experiment) -> Result<(), quadrille_run::Error> {
        let window = self.picture.extent();
        let Some(output) = self.output(experiment) else { return Ok(()) };
        let field = match experiment.texture(output.name()) {
            Ok(field) => field,
            // After a restart, until the next step.
            Err(quadrille_run::Error::State(quadrille_run::error::StateError::NotYet {
                ..
            })) => return Ok(()),
            Err(error) => return Err(error),
        };
        let by_scale = output.channels() < 3;
        let flip = experiment.flips();
        let layout = Layout { flip, ..Layout::new(window, field.extent(), by_scale) };
        let shown = if by_scale { self.numbers(field)? } else { Shown::Colours };
        self.painter.paint(field, shown, layout, &mut self.picture)?;
        self.context.present(&self.picture, window.rectangle(), window)?;
        Ok(self.context.swap()?)
    }

    /// The output that is shown.
    fn output<'a>(&self, experiment: &'a Experiment) -> Option<&'a Output> {
        experiment.outputs().get(*self.shown.get(self.controls.output)?)
    }

    fn numbers(&mut self, field: &dyn AnyTexture) -> Result<Shown, quadrille_run::Error> {
        self.range = match self.controls.held {
            Some(range) => range,
            None => self.painter.range(field)?.unwrap_or((0.0, 1.0)),
        };
        Ok(Shown::Numbers { map: self.controls.map, range: self.range })
    }

    fn tell(&mut self, experiment: &Experiment) {
        let title = self.title_of(experiment);
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    fn title_of(&self, experiment: &Experiment) -> String {
        let mut parts = vec![self.name.clone(), format!("iteration {}", experiment.iteration())];
        if let Some(output) = self.output(experiment) {
            parts.push(output.name().to_owned());
            if output.channels() < 3 {
                let (low, high) = self.range;
                let held = if self.controls.held.is_some() { " held" } else { "" };
                let name = self.controls.map.name();
                parts.push(format!("{name} {} .. {}{held}", short(low), short(high)));
            }
        }
        match (self.controls.paused, experiment.changes()) {
            (true, _) => parts.push("paused".into()),
            (false, true) => parts.push(format!("{} steps/s", short(self.rate.a_second))),
            (false, false) => {}
        }
        parts.join(" - ")
    }
}

/// The outputs that have a picture: those of the last pass, which the others are there for, come
/// first.
fn shown(outputs: &[Output]) -> Vec<usize> {
    let pass = |output: &Output| output.name().rsplit_once('.').map(|(pass, _)| pass.to_owned());
    let last = outputs.last().map(pass);
    let pictures = || outputs.iter().enumerate().filter(|(_, output)| output.is_texture());
    let of = |is_last: bool| {
        let chosen = pictures().filter(|(_, output)| (Some(pass(output)) == last) == is_last);
        chosen.map(|(index, _)| index).collect::<Vec<_>>()
    };
    [of(true), of(false)].concat()
}

/// Steps a second, shown a few times a second.
struct Rate {
    since: Instant,
    from: u64,
    a_second: f32,
}

impl Rate {
    fn new(iteration: u64) -> Rate {
        Rate { since: Instant::now(), from: iteration, a_second: 0.0 }
    }

    fn count(&mut self, iteration: u64) {
        let elapsed = self.since.elapsed();
        if elapsed > Duration::from_millis(500) {
            let steps = iteration.saturating_sub(self.from) as f32;
            let a_second = steps / elapsed.as_secs_f32();
            *self = Rate { a_second, ..Rate::new(iteration) };
        }
    }
}

/// Four digits, as people write them.
fn short(number: f32) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{number:.3e}");
    }
    let digits = if size >= 1.0 { 3 - (size.log10() as usize).min(3) } else { 4 };
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A window that was made as small as can be still has a picture.
fn at_least_one(extent: Extent) -> Extent {
    Extent::new(extent.width.max(1), extent.height.max(1))
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_of_the_title_are_short() {
        let pairs = [
            (0.0, "0"),
            (1.0, "1"),
            (-0.25, "-0.25"),
            (7.12345, "7.123"),
            (1234.5, "1234"),
            (60.04, "60.04"),
            (12345.0, "12345"),
            (1e7, "1.000e7"),
            (-2e-5, "-2.000e-5"),
            (f32::INFINITY, "inf"),
        ];
        for (number, text) in pairs {
            assert_eq!(short(number), text);
        }
    }
}
