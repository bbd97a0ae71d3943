//! The machine of a report, described so that a reader can judge its numbers.

use std::hash::{DefaultHasher, Hasher};

use serde::Serialize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use quadrille::gl::{Abilities, Context};
use quadrille::io::date;

use crate::{Key, Scale};
use quadrille_lab::survey::{Compute, Host};

#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The version, the processor and the system.
    #[serde(flatten)]
    pub host: Host,
    /// The executable's fingerprint: the same for the same build alone.
    pub build: String,
    /// Whether it was built for speed. Times of a debug build say little.
    pub release: bool,
    pub features: Vec<&'static str>,
    pub command: String,
    /// The beginning and the end, in UTC.
    pub began: String,
    pub ended: String,
    pub scale: Scale,
    pub seed: u64,
    pub cores: Option<usize>,
    pub memory_gib: f64,
    /// Threads that wanted to run, on average over the last 1, 5 and 15 minutes before it began.
    pub load_before: [f64; 3],
    /// The load averages at its end, which contain the report's own work.
    pub load_after: [f64; 3],
    /// The renderer.
    pub renderer: Renderer,
}

/// A context as its driver describes it.
#[derive(Clone, Debug, Serialize)]
pub struct Renderer {
    /// The name of the device in EGL.
    pub device: String,
    pub name: String,
    pub vendor: String,
    pub driver: String,
    pub api: String,
    pub software: bool,
    pub max_texture_size: u32,
    pub max_targets: u32,
    pub max_inputs: u32,
    pub max_vertex_uniforms: u32,
    pub max_fragment_uniforms: u32,
    pub compute: Option<Compute>,
    /// The optional abilities that it has, and those that it lacks.
    pub has: Vec<&'static str>,
    pub lacks: Vec<&'static str>,
}

impl Machine {
    pub fn here(context: &Context, scale: Scale, seed: u64, command: String) -> Machine {
        let kinds = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kinds);
        let now = date::now();
        let load = load();
        Machine {
            host: Host::here(),
            build: fingerprint().unwrap_or_else(|| "unknown".into()),
            release: !cfg!(debug_assertions),
            features: features(),
            command,
            began: now.clone(),
            ended: now,
            scale,
            seed,
            cores: System::physical_core_count(),
            memory_gib: system.total_memory() as f64 / (1_u64 << 30) as f64,
            load_before: load,
            load_after: load,
            renderer: Renderer::of(context),
        }
    }

    pub fn end(&mut self) {
        self.ended = date::now();
        self.load_after = load();
    }

    /// The conditions under which the parts of this report must have been measured.
    pub fn key(&self) -> Key {
        Key {
            quadrille: format!("{}, {} build {}", self.host.quadrille, self.profile(), self.build),
            renderer: format!("{}, {}", self.renderer.name, self.renderer.api),
            driver: self.renderer.driver.clone(),
            cpu: self.host.cpu.clone(),
            scale: self.scale,
            seed: self.seed,
        }
    }

    pub fn profile(&self) -> &'static str {
        if self.release { "release" } else { "debug" }
    }
}

fn load() -> [f64; 3] {
    let load = System::load_average();
    [load.one, load.five, load.fifteen]
}

fn features() -> Vec<&'static str> {
    if cfg!(feature = "window") { vec!["window"] } else { Vec::new() }
}

/// A hash of the running executable's bytes: a version number alone does not distinguish two
/// builds.
fn fingerprint() -> Option<String> {
    let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    Some(format!("{:016x}", hasher.finish()))
}

impl Renderer {
    fn of(context: &Context) -> Renderer {
        let abilities = context.abilities();
        let (has, lacks) = optional(abilities);
        Renderer {
            device: context.device().map_or_else(String::new, |device| device.label.clone()),
            name: abilities.renderer.clone(),
            vendor: abilities.vendor.clone(),
            driver: abilities.version_text.clone(),
            api: abilities.api_text(),
            software: abilities.software,
            max_texture_size: abilities.max_texture_size,
            max_targets: abilities.max_targets,
            max_inputs: abilities.max_inputs,
            max_vertex_uniforms: abilities.max_vertex_uniforms,
            max_fragment_uniforms: abilities.max_fragment_uniforms,
            compute: abilities.compute.map(Compute::of),
            has,
            lacks,
        }
    }
}

/// The abilities that not every context has: those that this one has, and the others.
fn optional(abilities: &Abilities) -> (Vec<&'static str>, Vec<&'static str>) {
    let named = [
        ("float targets", abilities.float_targets),
        ("float blending", abilities.float_blending),
        ("float filtering", abilities.float_filtering),
        ("compute shaders", abilities.compute.is_some()),
        ("precise", abilities.precise),
        ("timers", abilities.timers),
        ("messages", abilities.messages),
        ("robustness", abilities.robust),
    ];
    let of =
        |wish: bool| named.iter().filter(|(_, has)| *has == wish).map(|(name, _)| *name).collect();
    (of(true), of(false))
}
