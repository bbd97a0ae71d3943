//! `quadrille run --view` and the example in a window, on a display of the test's own: what is on
//! the screen is compared with the twin, pixel by pixel, and keys are pressed.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod display;

use std::process::{Command, Stdio};

use crate::common::pixels;
use crate::runner::{Folder, Run, Running, Signal, finish};
use display::{Display, UNITS, until};
use quadrille::Extent;
use quadrille::data::Values;
use quadrille::internal::reference::colour::{BACKGROUND, Picture, Pixel, Scaled};
use quadrille::io::ColourMap;
use quadrille::io::field;
use quadrille::view::Layout;

const FIELD: Extent = Extent { width: 9, height: 7 };

const GROW: &str = "
uniform sampler2D old;
layout(location = 0) out float new;
layout(location = 1) out vec4 colour;
void main() {
    new = READ(old, TEXEL).r + 1.0 + float(TEXEL.x * TEXEL.y);
    colour = vec4(float(TEXEL.x) / 8.0, float(TEXEL.y) / 6.0, 0.25, 1.0);
}
";

const RUN: &str = "run grow.frag --input old=zeros:9x7 --feedback new=old --view \
                   --output new=new.npy --output colour=colour.png";

/// The numbers after so many steps.
fn numbers(steps: u32) -> Vec<f32> {
    let cells = (0..7_u32).flat_map(|y| (0..9_u32).map(move |x| (x, y)));
    cells.map(|(x, y)| (steps * (1 + x * y)) as f32).collect()
}

fn range(steps: u32) -> (f32, f32) {
    (steps as f32, (steps * 49) as f32)
}

/// What a window of this extent shows after so many steps.
fn shown(map: ColourMap, steps: u32, range: (f32, f32)) -> impl Fn(Extent) -> Vec<Pixel> {
    move |window| {
        let layout = Layout::new(window, FIELD, true);
        let picture = Picture { window, field: FIELD, place: layout.place };
        let colours = map.colours();
        picture.by_scale(&numbers(steps), Scaled { colours: &colours, range, bar: layout.bar })
    }
}

fn coloured(window: Extent) -> Vec<Pixel> {
    let layout = Layout::new(window, FIELD, false);
    let cells = (0..7).flat_map(|y| (0..9).map(move |x| (x as f32, y as f32)));
    let colours: Vec<[f32; 4]> = cells.map(|(x, y)| [x / 8.0, y / 6.0, 0.25, 1.0]).collect();
    Picture { window, field: FIELD, place: layout.place }.of_colours(&colours)
}

struct Viewing {
    display: Display,
    folder: Folder,
    child: Option<Running>,
    window: u32,
}

impl Viewing {
    fn start(more: &str) -> Viewing {
        let (display, folder) = (Display::new(), Folder::new());
        folder.write("grow.frag", GROW);
        let mut command = folder.command(&format!("{RUN} {more}"));
        let mut child = Running::start(display.on(&mut command));
        let window = display.window("grow.frag", &mut child);
        display.focus(window);
        Viewing { display, folder, child: Some(child), window }
    }

    #[track_caller]
    fn says(&self, words: &[&str]) -> String {
        self.display.says(self.window, words)
    }

    #[track_caller]
    fn shows(&self, map: ColourMap, steps: u32, range: (f32, f32)) {
        self.display.shows(self.window, shown(map, steps, range));
    }

    #[track_caller]
    fn presses(&self, letter: char, words: &[&str]) -> String {
        self.display.press_letter(letter);
        self.says(words)
    }

    fn ends(&mut self) -> Run {
        finish(self.child.take().unwrap())
    }

    #[track_caller]
    fn wrote(&self, steps: u32) {
        let path = self.folder.file("new.npy");
        let (written, _) = field::read(path).unwrap();
        assert_eq!(*written.values(), Values::F32(numbers(steps)));
        assert!(self.folder.file("colour.png").exists());
    }
}

#[test]
fn it_pauses_at_the_last_iteration_and_its_keys_do_what_they_say() {
    let mut view = Viewing::start("--iterate 5");
    view.says(&["iteration 5", "new", "viridis 5 .. 245", "paused"]);
    view.shows(ColourMap::Viridis, 5, range(5));

    view.presses('c', &["grey 5 .. 245"]);
    view.shows(ColourMap::Grey, 5, range(5));
    view.presses('s', &["iteration 6", "grey 6 .. 294", "paused"]);
    view.shows(ColourMap::Grey, 6, range(6));

    view.presses('a', &["6 .. 294 held"]);
    view.presses('s', &["iteration 7", "6 .. 294 held"]);
    view.shows(ColourMap::Grey, 7, range(6));
    view.presses('a', &["grey 7 .. 343 -"]);
    view.shows(ColourMap::Grey, 7, range(7));

    let title = view.presses('o', &["colour"]);
    assert!(!title.contains("grey"), "{title}");
    view.display.shows(view.window, coloured);
    view.presses('o', &["new", "grey"]);

    // A pause is a pause; then it goes on to the same end.
    view.presses('r', &["iteration 0", "grey 0 .. 0", "paused"]);
    view.shows(ColourMap::Grey, 0, (0.0, 0.0));
    view.presses(' ', &["iteration 5", "paused"]);
    view.shows(ColourMap::Grey, 5, range(5));

    view.display.press_letter('q');
    view.ends().ended(0);
    view.wrote(5);
}

#[test]
fn without_a_count_it_runs_until_it_is_closed() {
    let mut view = Viewing::start("");
    const SPACE: u32 = 0x20;
    const ESCAPE: u32 = 0xff1b;
    const RIGHT: u32 = 0xff53;
    const UP: u32 = 0xff52;
    let first = view.says(&["iteration", "steps/s"]);
    until("the iteration to go on", || (view.display.title(view.window)? != first).then_some(()));
    view.display.press(UP);
    view.display.press(SPACE);
    let paused = iteration(&view.says(&["paused"]));
    view.shows(ColourMap::Viridis, paused, range(paused));
    view.display.press(RIGHT);
    view.says(&[&format!("iteration {}", paused + 1), "paused"]);
    view.shows(ColourMap::Viridis, paused + 1, range(paused + 1));
    view.display.press(ESCAPE);
    view.ends().ended(0);
    view.wrote(paused + 1);
}

fn iteration(title: &str) -> u32 {
    let rest = title.split("iteration ").nth(1).unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_picture_follows_the_window_and_its_button_ends_it() {
    let mut view = Viewing::start("--iterate 3");
    view.says(&["iteration 3", "paused"]);
    // Wider than high, odd, and at last smaller than the field.
    for extent in [Extent::new(901, 333), Extent::new(120, 500), Extent::new(7, 5)] {
        view.display.resize(view.window, extent);
        let shot = view.display.shows(view.window, shown(ColourMap::Viridis, 3, range(3)));
        until("the new size", || {
            let shot = view.display.screenshot(view.window)?;
            (shot.extent == extent).then_some(())
        });
        assert!(shot.pixels.len() > 30);
    }
    view.display.close(view.window);
    view.ends().ended(0);
    view.wrote(3);
}

#[test]
fn ctrl_c_keeps_what_there_is() {
    let mut view = Viewing::start("--iterate 2");
    view.says(&["iteration 2", "paused"]);
    view.child.as_ref().unwrap().send(Signal::SIGINT);
    view.ends().ended(130);
    view.wrote(2);
}

#[test]
fn without_a_display_it_says_what_it_needs() {
    let folder = Folder::new();
    folder.write("grow.frag", GROW);
    let without = |value: Option<&str>| {
        let mut command = folder.command(RUN);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command.env_remove("WAYLAND_SOCKET");
        if let Some(value) = value {
            command.env("DISPLAY", value);
        }
        finish(command.spawn().unwrap()).ended(2)
    };
    let run = without(None);
    run.says("DISPLAY is not set");
    run.says("WAYLAND_DISPLAY is not set");
    run.says("xvfb-run");
    without(Some(":4093")).says("DISPLAY is `:4093`");
    assert!(!folder.file("new.npy").exists());
}

#[test]
fn the_example_shows_its_chemicals() {
    let display = Display::new();
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("quadrille-window");
    let mut command = Command::new(&path);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Running::start(display.on(&mut command));
    let window = display.window("quadrille", &mut child);
    let colours = ColourMap::Inferno.colours();
    // The bar is there, and something has grown out of the dark around it.
    until("chemicals", || {
        let shot = display.screenshot(window)?;
        let width = shot.extent.width as usize;
        let bar = &shot.pixels[shot.pixels.len() - width..];
        let whole = bar.first() == Some(&colours[0]) && bar.last() == Some(&colours[255]);
        let bright = shot.pixels.iter().filter(|pixel| pixel[0] > 100).count();
        (whole && bright > shot.pixels.len() / 20).then_some(())
    });
    display.close(window);
    let run = finish(child).ended(0);
    assert!(run.out.contains("frames"), "{}", run.out);

    let mut command = Command::new(&path);
    command.arg("3").stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = finish(display.on(&mut command).spawn().unwrap()).ended(0);
    assert!(run.out.starts_with("3 frames, 48 steps"), "{}", run.out);
}

#[test]
fn a_wrong_picture_would_be_found() {
    let window = Extent::new(100, 100);
    let right = shown(ColourMap::Viridis, 5, range(5))(window);
    for wrong in [shown(ColourMap::Viridis, 5, (0.0, 245.0)), shown(ColourMap::Grey, 5, range(5))] {
        assert!(pixels::difference(&wrong(window), &right, UNITS).is_some());
    }
    pixels::faults_must_be_seen(&right[..window.width as usize], UNITS);
    assert!(right.contains(&BACKGROUND));
}
