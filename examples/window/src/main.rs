//! Quadrille in a window of your own: your window, your context, and quadrille around it. Two
//! chemicals react and spread (Gray and Scott); what they make is shown as it grows.
//!
//! `cargo run --release -p quadrille-window`
//!
//! A number after `--` ends it after so many frames.
#![allow(unsafe_code, reason = "a window's context is made and kept current by whoever owns it")]

use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::Context as _;
use glutin::api::egl::{context::PossiblyCurrentContext, display::Display, surface::Surface};
use glutin::config::ConfigTemplateBuilder;
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::prelude::*;
use glutin::surface::{SurfaceAttributesBuilder, WindowSurface};
use quadrille::gl::Unorm8;
use quadrille::{Context, Extent, Kernel, PingPong, Source, Texture};
use quadrille_run::io::ColourMap;
use quadrille_run::view::{Layout, Painter, Shown};
use raw_window_handle::{HasDisplayHandle, HasWindowHandle};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};

const FIELD: Extent = Extent { width: 128, height: 128 };
const WINDOW: Extent = Extent { width: 512, height: 524 };
const STEPS: usize = 16;

/// A step of the reaction: x is the chemical that grows, y the one that it feeds on.
const REACTION: &str = "
    uniform sampler2D old;
    out vec2 new;
    vec2 at(int x, int y) { return READ_CLAMPED(old, TEXEL + ivec2(x, y)).rg; }
    void main() {
        vec2 here = at(0, 0);
        vec2 around = 0.2 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1))
            + 0.05 * (at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1));
        float reaction = here.x * here.x * here.y;
        new = here + vec2(0.5, 1.0) * (around - here)
            + vec2(reaction - 0.117 * here.x, 0.055 * (1.0 - here.y) - reaction);
    }";

/// The reaction that quadrille computes and draws. All of it is safe, and used inside of scopes.
struct Chemistry {
    context: Context,
    kernel: Kernel,
    state: PingPong<[f32; 2]>,
    painter: Painter,
    picture: Texture<[Unorm8; 4]>,
}

impl Chemistry {
    fn new(context: &Context) -> anyhow::Result<Chemistry> {
        let seed = |x: usize, y: usize| x.abs_diff(60) < 6 && y.abs_diff(50) < 9;
        let cells = (0..FIELD.texels()).map(|i| (i % 128, i / 128));
        let start: Vec<[f32; 2]> =
            cells.map(|(x, y)| if seed(x, y) { [0.25, 0.5] } else { [0.0, 1.0] }).collect();
        Ok(Chemistry {
            context: context.clone(),
            kernel: context.kernel(Source::fragment("reaction.frag", REACTION))?,
            state: PingPong::new(context.texture(FIELD, &start)?, context.uninit(FIELD)?)?,
            painter: Painter::new(context),
            picture: context.uninit(WINDOW)?,
        })
    }

    fn frame(&mut self) -> anyhow::Result<()> {
        for _ in 0..STEPS {
            self.state.step(|old, new| self.kernel.pass().input("old", old).draw(new))?;
        }
        let shown = Shown::Numbers { map: ColourMap::Inferno, range: (0.0, 0.4) };
        let layout = Layout::new(WINDOW, FIELD, true);
        self.painter.paint(self.state.newest(), shown, layout, &mut self.picture)?;
        Ok(self.context.present(&self.picture, WINDOW.rectangle(), WINDOW)?)
    }
}

/// Your window, with your context on it. Fields are dropped in this order.
struct Yours {
    chemistry: Chemistry,
    quadrille: Context,
    surface: Surface<WindowSurface>,
    context: PossiblyCurrentContext,
    window: Window,
}

impl Yours {
    fn open(active: &ActiveEventLoop) -> anyhow::Result<Yours> {
        let size = PhysicalSize::new(WINDOW.width, WINDOW.height);
        let attributes = Window::default_attributes().with_title("quadrille").with_resizable(false);
        let window = active.create_window(attributes.with_inner_size(size))?;
        let handle = window.window_handle()?.as_raw();
        let (width, height) = (NonZeroU32::new(WINDOW.width), NonZeroU32::new(WINDOW.height));
        let (width, height) = width.zip(height).context("a window without pixels")?;
        // SAFETY: the window outlives all that is made on it here, since it is dropped last.
        let (context, surface, gl) = unsafe {
            let display = Display::new(window.display_handle()?.as_raw())?;
            let template = ConfigTemplateBuilder::new().compatible_with_native_window(handle);
            let mut configs = display.find_configs(template.build())?;
            let config = configs.next().context("no configuration for this window")?;
            let version = ContextApi::OpenGl(Some(Version::new(3, 3)));
            let wish =
                ContextAttributesBuilder::new().with_context_api(version).build(Some(handle));
            let context = display.create_context(&config, &wish)?;
            let wish = SurfaceAttributesBuilder::<WindowSurface>::new();
            let surface =
                display.create_window_surface(&config, &wish.build(handle, width, height))?;
            let context = context.make_current(&surface)?;
            let load = |name: &std::ffi::CStr| display.get_proc_address(name);
            (context, surface, Arc::new(glow::Context::from_loader_function_cstr(load)))
        };
        // SAFETY: the context was just made current, and nothing here makes another current.
        let (quadrille, chemistry) = unsafe {
            let quadrille = Context::around(gl)?;
            let chemistry = quadrille.within(|| Chemistry::new(&quadrille))??;
            (quadrille, chemistry)
        };
        Ok(Yours { chemistry, quadrille, surface, context, window })
    }

    fn frame(&mut self) -> anyhow::Result<()> {
        // Your own drawing would stand here, before the scope or after it.
        // SAFETY: this window's context is the only one, and current.
        unsafe { self.quadrille.within(|| self.chemistry.frame()) }??;
        self.surface.swap_buffers(&self.context)?;
        self.window.request_redraw();
        Ok(())
    }
}

struct App {
    yours: Option<Yours>,
    frames: u64,
    most: u64,
    result: anyhow::Result<()>,
}

impl App {
    fn draw(&mut self, active: &ActiveEventLoop) {
        self.result = self.yours.as_mut().map_or(Ok(()), Yours::frame);
        self.frames += 1;
        if self.result.is_err() || self.frames >= self.most {
            active.exit();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, active: &ActiveEventLoop) {
        match Yours::open(active) {
            Ok(yours) => self.yours = Some(yours),
            Err(error) => {
                self.result = Err(error);
                active.exit();
            }
        }
    }

    fn window_event(&mut self, active: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => active.exit(),
            WindowEvent::RedrawRequested => self.draw(active),
            _ => {}
        }
    }
}

fn main() -> anyhow::Result<()> {
    let most = std::env::args().nth(1).map_or(Ok(u64::MAX), |frames| frames.parse())?;
    let mut app = App { yours: None, frames: 0, most, result: Ok(()) };
    EventLoop::new()?.run_app(&mut app)?;
    let frames = app.frames;
    app.result?;
    println!("{frames} frames, {} steps", frames * STEPS as u64);
    Ok(())
}
