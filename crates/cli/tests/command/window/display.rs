//! A display of the test's own: Xvfb, looked at and pressed as a person would.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::pixels::difference;
use crate::common::twins::colour::Pixel;
use crate::runner::Running;
use quadrille::Extent;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, ImageFormat, InputFocus,
    KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// The most that a channel on the screen may differ from the twin's.
pub const UNITS: u8 = 2;

/// A slow machine that compiles something else meanwhile.
const LONG: Duration = Duration::from_secs(120);

pub struct Display {
    // Held: it ends with the display.
    _server: Running,
    number: u32,
    connection: RustConnection,
    root: Window,
}

/// The pixels on the screen in a window, the top row first.
#[derive(PartialEq)]
pub struct Screenshot {
    pub extent: Extent,
    pub pixels: Vec<Pixel>,
}

/// Asks until there is an answer.
#[track_caller]
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < LONG, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Display {
    pub fn new() -> Display {
        // apt-get install xvfb, if it does not start.
        let options = "-displayfd 1 -screen 0 1100x1100x24 -nolisten tcp -noreset";
        let mut command = Command::new("Xvfb");
        command.args(options.split(' ')).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut server = Running::start(command.stderr(Stdio::null()));
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let number = line.trim().parse().expect("the number of a display");
        let (connection, screen) = x11rb::connect(Some(&format!(":{number}"))).unwrap();
        let root = connection.setup().roots[screen].root;
        Display { _server: server, number, connection, root }
    }

    /// Lets a command open its windows here, drawn by Mesa's software renderer.
    pub fn on<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("DISPLAY", format!(":{}", self.number))
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("XDG_SESSION_TYPE")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
    }

    /// Waits for a window whose title begins so, while the program that opens it runs, and looks at
    /// it.
    #[track_caller]
    pub fn window(&self, title: &str, program: &mut Child) -> Window {
        until(&format!("a window `{title}`"), || {
            if let Some(status) = program.try_wait().unwrap() {
                let mut said = String::new();
                std::io::Read::read_to_string(program.stderr.as_mut().unwrap(), &mut said).unwrap();
                panic!("it ended with {status}: {said}");
            }
            let children = self.connection.query_tree(self.root).ok()?.reply().ok()?.children;
            children.into_iter().find(|window| {
                self.is_seen(*window) && self.title(*window).is_some_and(|t| t.starts_with(title))
            })
        })
    }

    fn is_seen(&self, window: Window) -> bool {
        let attributes = self.connection.get_window_attributes(window).unwrap().reply();
        attributes.is_ok_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    pub fn title(&self, window: Window) -> Option<String> {
        let (name, text) = (self.atom("_NET_WM_NAME"), self.atom("UTF8_STRING"));
        let property = self.connection.get_property(false, window, name, text, 0, 1024);
        String::from_utf8(property.ok()?.reply().ok()?.value).ok()
    }

    /// Waits until the title has all of these words.
    #[track_caller]
    pub fn says(&self, window: Window, words: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let title = self.title(window).unwrap_or_default();
            if words.iter().all(|word| title.contains(word)) {
                return title;
            }
            assert!(begun.elapsed() < LONG, "waited for {words:?} in `{title}`");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The keyboard's focus, which a window manager would give it.
    pub fn focus(&self, window: Window) {
        let connection = &self.connection;
        connection
            .set_input_focus(InputFocus::PARENT, window, x11rb::CURRENT_TIME)
            .unwrap()
            .check()
            .unwrap();
    }

    /// Presses a key and lets it go.
    pub fn press(&self, symbol: u32) {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let mapping = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap();
        let mapping = mapping.reply().unwrap();
        let each = usize::from(mapping.keysyms_per_keycode);
        let place = mapping.keysyms.chunks(each).position(|symbols| symbols[0] == symbol);
        let code = first + u8::try_from(place.expect("a key with this symbol")).unwrap();
        for kind in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
            let sent = self.connection.xtest_fake_input(kind, code, 0, self.root, 0, 0, 0);
            sent.unwrap().check().unwrap();
        }
    }

    pub fn press_letter(&self, letter: char) {
        self.press(u32::from(letter));
    }

    /// Closes a window as a window manager does when its button is pressed.
    pub fn close(&self, window: Window) {
        let (protocols, delete) = (self.atom("WM_PROTOCOLS"), self.atom("WM_DELETE_WINDOW"));
        let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
        let sent = self.connection.send_event(false, window, EventMask::NO_EVENT, message);
        sent.unwrap().check().unwrap();
    }

    pub fn resize(&self, window: Window, extent: Extent) {
        let to = ConfigureWindowAux::new().width(extent.width).height(extent.height);
        self.connection.configure_window(window, &to).unwrap().check().unwrap();
    }

    pub fn screenshot(&self, window: Window) -> Option<Screenshot> {
        let place = self.connection.get_geometry(window).ok()?.reply().ok()?;
        let (width, height) = (place.width, place.height);
        let format = ImageFormat::Z_PIXMAP;
        let image = self.connection.get_image(format, window, 0, 0, width, height, u32::MAX);
        let image = image.ok()?.reply().ok()?;
        // 24 bits in four bytes, blue first.
        let pixels = image.data.chunks_exact(4).map(|p| [p[2], p[1], p[0]]).collect();
        Some(Screenshot { extent: Extent::new(width.into(), height.into()), pixels })
    }

    /// Waits until a window shows what is expected of its extent, within [`UNITS`] of each channel.
    #[track_caller]
    pub fn shows(&self, window: Window, expected: impl Fn(Extent) -> Vec<Pixel>) -> Screenshot {
        let begun = Instant::now();
        loop {
            let wrong = match self.screenshot(window) {
                Some(shot) => match difference(&shot.pixels, &expected(shot.extent), UNITS) {
                    None => return shot,
                    Some(wrong) => wrong,
                },
                None => "no screenshot".into(),
            };
            assert!(begun.elapsed() < LONG, "{wrong}; the title is {:?}", self.title(window));
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
