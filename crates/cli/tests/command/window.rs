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
use crate::common::twins::colour::{BACKGROUND, Picture, Pixel, Scaled};
use crate::runner::{Folder, Run, Running, Signal, finish};
use display::{Display, UNITS, until};
use quadrille::Extent;
use quadrille::data::Values;
use quadrille_run::io::{ColourMap, field};
use quadrille_run::view::Layout;

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

/// The expected content of a window of this extent after `steps` steps.
fn shown(map: ColourMap, steps: u32, range: (f32, f32)) -> impl Fn(Extent) -> Vec<Pixel> {
    move |window| {
        let layout = Layout::new(window, FIELD, true);
        let picture = Picture { window, field: FIELD, place: layout.place, flip: false };
        let colours = map.colours();
        picture.by_scale(&numbers(steps), Scaled { colours: &colours, range, bar: layout.bar })
    }
}

fn coloured(window: Extent) -> Vec<Pixel> {
    in_colours(window, |x, y| [x / 8.0, y / 6.0, 0.25, 1.0])
}

/// The expected content of a window of this extent for colours by column and row, the top one
/// first.
fn in_colours(window: Extent, colour: impl Fn(f32, f32) -> [f32; 4]) -> Vec<Pixel> {
    let place = Layout::new(window, FIELD, false).place;
    let cells = (0..7).flat_map(|y| (0..9).map(move |x| (x as f32, y as f32)));
    let colours: Vec<[f32; 4]> = cells.map(|(x, y)| colour(x, y)).collect();
    Picture { window, field: FIELD, place, flip: false }.of_colours(&colours)
}

struct Viewing {
    display: Display,
    folder: Folder,
    child: Option<Running>,
    window: u32,
}

impl Viewing {
    fn start(more: &str) -> Viewing {
        let folder = Folder::new();
        folder.write("grow.frag", GROW);
        Viewing::of(folder, &format!("{RUN} {more}"))
    }

    /// Views a command whose first argument is the name of what is run.
    fn of(folder: Folder, line: &str) -> Viewing {
        let display = Display::new();
        let mut command = folder.command(line);
        let mut child = Running::start(display.on(&mut command));
        let window = display.window(line.split(' ').nth(1).unwrap(), &mut child);
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

/// Rows count from the bottom in the shader, from the top on the screen.
#[test]
fn what_has_its_origin_at_the_bottom_is_shown_and_written_the_same_way_up() {
    let folder = Folder::new();
    let image =
        "void mainImage(out vec4 c, in vec2 p) { c = vec4(floor(p) / vec2(8, 6), 0.25, 1); }";
    folder.write("up.frag", image);
    let up = |x: f32, y: f32| [x / 8.0, (6.0 - y) / 6.0, 0.25, 1.0];
    let mut view = Viewing::of(folder, "run up.frag --size 9x7 --view --output colour=colour.npy");
    view.display.shows(view.window, |window| in_colours(window, up));
    view.display.press_letter('q');
    view.ends().ended(0);
    let (written, _) = field::read(view.folder.file("colour.npy")).unwrap();
    let expected = (0..7).flat_map(|y| (0..9).flat_map(move |x| up(x as f32, y as f32)));
    assert_eq!(*written.values(), Values::F32(expected.collect()));
}

/// Two passes: `grow` counts, `half` divides; a buffer holds the count from step to step.
const PASSES: &str = "
size = [9, 7]
iterate = 5
[buffer.old]
channels = 1
from = 'grow.new'
[pass.grow]
shader = 'grow.frag'
[pass.half]
shader = 'half.frag'
read.numbers = 'grow.new'
";

const HALF: &str = "uniform sampler2D numbers; out float halved; void main() { halved = 0.5 * READ(numbers, TEXEL).r; }";

#[test]
fn of_several_passes_the_last_is_shown_first_and_keys_reach_the_others() {
    let folder = Folder::new();
    folder.write("grow.frag", GROW);
    folder.write("half.frag", HALF);
    folder.write("two.run.toml", PASSES);
    let line = "run two.run.toml --view --output grow.new=new.npy --output half.halved=half.npy";
    let mut view = Viewing::of(folder, line);
    view.says(&["iteration 5", "half.halved", "viridis 2.5 .. 122.5", "paused"]);
    view.shows(ColourMap::Viridis, 5, range(5));
    view.presses('o', &["grow.new", "viridis 5 .. 245"]);
    view.shows(ColourMap::Viridis, 5, range(5));
    view.presses('o', &["grow.colour"]);
    view.display.shows(view.window, coloured);
    view.presses('o', &["half.halved"]);
    view.presses('s', &["iteration 6", "viridis 3 .. 147"]);
    view.presses('r', &["iteration 0"]);
    view.presses('s', &["iteration 1", "viridis 0.5 .. 24.5"]);
    view.shows(ColourMap::Viridis, 1, range(1));
    view.display.press_letter('q');
    view.ends().ended(0);
    let (new, _) = field::read(view.folder.file("new.npy")).unwrap();
    assert_eq!(*new.values(), Values::F32(numbers(1)));
    let (half, _) = field::read(view.folder.file("half.npy")).unwrap();
    let halves = numbers(1).into_iter().map(|number| 0.5 * number).collect();
    assert_eq!(*half.values(), Values::F32(halves));
}

#[test]
fn storage_blocks_have_no_picture() {
    let (display, folder) = (Display::new(), Folder::new());
    let head = "layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Count { float count[]; };";
    folder.write("count.comp", format!("{head} void main() {{ count[0] += 1.0; }}"));
    let line = "run count.comp --input Count=zeros:1x1 --view";
    let run = finish(display.on(&mut folder.command(line)).spawn().unwrap()).ended(2);
    run.says("--view: expected an output that is a picture");
    run.says("`Count`");

    // Beside an image they are left out.
    let main = "layout(r32f, binding = 0) uniform writeonly image2D picture;
        void main() { count[0] += 1.0; imageStore(picture, ivec2(0), vec4(count[0])); }";
    folder.write("both.comp", format!("{head} {main}"));
    let line = "run both.comp --input Count=zeros:1x1 --input picture=zeros:1x1 --iterate 4 \
                --groups 1x1x1 --view";
    let mut view = Viewing::of(folder, line);
    view.says(&["iteration 4", "picture", "4 .. 4", "paused"]);
    view.presses('o', &["picture"]);
    view.display.press_letter('q');
    view.ends().ended(0);
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
