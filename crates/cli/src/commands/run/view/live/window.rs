//! A window by winit, whose events are polled.

use std::rc::Rc;
use std::time::Duration;

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key as Pressed, NamedKey};
use winit::platform::pump_events::EventLoopExtPumpEvents;
#[cfg(windows)]
use winit::platform::windows::EventLoopBuilderExtWindows as AnyThread;
#[cfg(not(windows))]
use winit::platform::x11::EventLoopBuilderExtX11 as AnyThread;
use winit::window::{Window as Native, WindowId};

use quadrille::Extent;

use super::controls::Key;
use crate::process::failure::Failure;

pub(super) enum Event {
    Pressed(Key),
    Resized(Extent),
    /// The window must be drawn again.
    Uncovered,
    Closed,
}

/// A window that is open, or hidden until it is shown.
pub(super) struct Window {
    // Before the loop, which has the connection to the display.
    native: Rc<Native>,
    events: EventLoop<()>,
    inbox: Inbox,
}

#[derive(Default)]
struct Inbox {
    native: Option<Rc<Native>>,
    refused: Option<String>,
    events: Vec<Event>,
}

impl Window {
    /// Opens a window that is not seen yet.
    pub(super) fn open(title: &str) -> Result<Window, Failure> {
        let mut events = EventLoop::builder();
        // The command does not run on the main thread; Windows, X11 and Wayland do not mind, either
        // call is for the latter two.
        AnyThread::with_any_thread(&mut events, true);
        let mut events = events.build().map_err(|error| no_window(&error.to_string()))?;
        let mut inbox = Inbox::default();
        // The first events say that windows may be made; some systems send others before.
        for _ in 0..100 {
            events.pump_app_events(Some(Duration::from_millis(10)), &mut inbox);
            if inbox.native.is_some() || inbox.refused.is_some() {
                break;
            }
        }
        let refused = inbox.refused.take().unwrap_or_else(|| "the display does not answer".into());
        let native = inbox.native.clone().ok_or_else(|| no_window(&refused))?;
        native.set_title(title);
        Ok(Window { native, events, inbox })
    }

    pub(super) fn native(&self) -> Rc<Native> {
        Rc::clone(&self.native)
    }

    pub(super) fn extent(&self) -> Extent {
        let PhysicalSize { width, height } = self.native.inner_size();
        Extent::new(width, height)
    }

    /// Lets it be seen, as large as this if the system allows.
    pub(super) fn show(&self, extent: Extent) {
        // An answer comes as an event where it does not come now.
        let _ = self.native.request_inner_size(PhysicalSize::new(extent.width, extent.height));
        self.native.set_visible(true);
    }

    pub(super) fn set_title(&self, title: &str) {
        self.native.set_title(title);
    }

    /// Returns the events, after waiting at most this long for one.
    pub(super) fn events(&mut self, wait: Duration) -> Vec<Event> {
        self.events.pump_app_events(Some(wait), &mut self.inbox);
        std::mem::take(&mut self.inbox.events)
    }
}

impl ApplicationHandler for Inbox {
    fn resumed(&mut self, active: &ActiveEventLoop) {
        if self.native.is_some() {
            return;
        }
        let attributes = Native::default_attributes().with_title("quadrille").with_visible(false);
        match active.create_window(attributes) {
            Ok(native) => self.native = Some(Rc::new(native)),
            Err(error) => self.refused = Some(error.to_string()),
        }
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.events.extend(match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => Some(Event::Closed),
            WindowEvent::Resized(size) => {
                Some(Event::Resized(Extent::new(size.width, size.height)))
            }
            WindowEvent::RedrawRequested => Some(Event::Uncovered),
            WindowEvent::KeyboardInput { event, .. } => key(&event).map(Event::Pressed),
            _ => None,
        });
    }
}

fn key(event: &KeyEvent) -> Option<Key> {
    if event.state != ElementState::Pressed {
        return None;
    }
    match &event.logical_key {
        Pressed::Named(NamedKey::Space) => Some(Key::Pause),
        Pressed::Named(NamedKey::ArrowRight) => Some(Key::Step),
        Pressed::Named(NamedKey::ArrowUp) => Some(Key::More),
        Pressed::Named(NamedKey::ArrowDown) => Some(Key::Fewer),
        Pressed::Named(NamedKey::Escape) => Some(Key::End),
        Pressed::Character(text) => match text.to_lowercase().as_str() {
            "s" => Some(Key::Step),
            "r" => Some(Key::Restart),
            "c" => Some(Key::Colours),
            "a" => Some(Key::Range),
            "o" => Some(Key::Output),
            "q" => Some(Key::End),
            _ => None,
        },
        _ => None,
    }
}

/// winit begins with the line of its own source that found the fault.
fn without_place(reason: &str) -> &str {
    match reason.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ")) {
        Some((_, reason)) => reason.trim(),
        None => reason.trim(),
    }
}

fn no_window(reason: &str) -> Failure {
    let name = |variable| match std::env::var(variable) {
        Ok(value) => format!("{variable} is `{value}`"),
        Err(_) => format!("{variable} is not set"),
    };
    let text = format!(
        "--view needs a display, and no window can be opened: {}\n\
         {}, {}; one of them must name a display that answers.\n\
         Over ssh, `ssh -X` brings one. Without any: leave --view out, or run under `xvfb-run`.\n\
         On Debian windows need: apt-get install libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0",
        without_place(reason),
        name("DISPLAY"),
        name("WAYLAND_DISPLAY"),
    );
    Failure::NoDevice { text }
}
