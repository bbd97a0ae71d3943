//! GB/s of uploads and readbacks of 256 KB to 64 MB by each route and number of threads, and what a readback costs while
//! the next result is computed. `quadrille bench device --probes transfer` has the routes that the library takes by itself.
//!
//! `cargo bench -p quadrille-benches --bench transfers`
#![allow(clippy::expect_used)] // A bench without a context has nothing to say.
#![allow(clippy::print_stdout)] // Its result.

use std::time::{Duration, Instant};

use quadrille::gl::{Staging, Texture, Upload};
use quadrille::shader::Source;
use quadrille::stream::{Kernel, PingPong};
use quadrille::{Context, Extent};

type Texel = [f32; 4];

const EXTENT: Extent = Extent { width: 2048, height: 2048 };
const RUNS: usize = 9;

/// Enough that a step takes long beside the calls for it.
const STEP: &str = "
uniform sampler2D x;
uniform int trips;
out vec4 next;
void main() {
    next = READ(x, TEXEL);
    for (int i = 0; i < trips; ++i) next = next * 0.999 + 0.001;
}";

fn main() {
    let context = Context::headless().expect("a context");
    println!("{}", context.abilities().renderer);
    for side in [128, 256, 512, 1024, EXTENT.width] {
        routes(&context, Extent::new(side, side));
    }
    overlap(&context, &mut vec![[0.0; 4]; EXTENT.texels()]);
}

fn routes(context: &Context, extent: Extent) {
    let host: Vec<Texel> = (0..extent.texels()).map(|i| [i as f32; 4]).collect();
    let mut texture = context.texture(extent, &host).expect("a texture");
    let mut back = host.clone();
    let title = format!("GB/s, {} KiB", size_of_val(host.as_slice()) >> 10);
    println!("\n{title:36}{:>9}{:>9}", "median", "best");
    uploads(context, &mut texture, &host);
    readbacks(context, &texture, &mut back);
}

/// Runs that end with an idle device; the first one, which allocates, does not count.
fn times(context: &Context, mut work: impl FnMut()) -> Vec<Duration> {
    let mut one = || {
        context.finish().expect("an idle device");
        let start = Instant::now();
        work();
        context.finish().expect("an idle device");
        start.elapsed()
    };
    one();
    let mut times: Vec<Duration> = (0..RUNS).map(|_| one()).collect();
    times.sort();
    times
}

fn rate(name: &str, texels: usize, times: &[Duration]) {
    let bytes = (texels * size_of::<Texel>()) as f64;
    let rate = |time: Duration| bytes / time.as_secs_f64() / 1e9;
    println!("{name:36}{:9.2}{:9.2}", rate(times[RUNS / 2]), rate(times[0]));
}

fn threads() -> impl Iterator<Item = usize> {
    let most = std::thread::available_parallelism().map_or(1, usize::from);
    [1, 2, 4, 6, 8, 12, 16].into_iter().filter(move |threads| *threads <= most)
}

fn uploads(context: &Context, texture: &mut Texture<Texel>, host: &[Texel]) {
    let place = texture.extent().rectangle();
    let rate = |name: &str, times: &[Duration]| rate(name, host.len(), times);
    for (name, by) in [("upload, direct", Upload::Direct), ("upload, buffer", Upload::Buffer)] {
        let write = || texture.write_by(by, place, host).expect("an upload");
        rate(name, &times(context, write));
    }
    if context.abilities().mapped_buffers {
        for threads in threads() {
            let by = Upload::Mapped(threads);
            let write = || texture.write_by(by, place, host).expect("an upload");
            rate(&format!("upload, mapped, {threads} threads"), &times(context, write));
        }
    }
    let write = || texture.write(host).expect("an upload");
    rate("upload, Texture::write", &times(context, write));
    let mut staging = context.staging(host.len()).expect("memory");
    staging.as_mut_slice().expect("memory").copy_from_slice(host);
    let write = || texture.write_from(&staging).expect("an upload");
    rate("upload, Staging", &times(context, write));
}

fn readbacks(context: &Context, texture: &Texture<Texel>, back: &mut [Texel]) {
    let (place, texels) = (texture.extent().rectangle(), back.len());
    let rate = |name: &str, times: &[Duration]| rate(name, texels, times);
    if context.abilities().mapped_buffers {
        for threads in threads() {
            let read = || {
                texture.read_by_mapped(threads, place, back).expect("a readback");
            };
            rate(&format!("readback, mapped, {threads} threads"), &times(context, read));
        }
    }
    let read = || texture.read_into(back).expect("a readback");
    rate("readback, Texture::read_into", &times(context, read));
    let read = || drop(texture.read().expect("a readback"));
    rate("readback, Texture::read, new memory", &times(context, read));
    let read = || texture.read_async().expect("a readback").read_into(back).expect("a readback");
    rate("readback, Texture::read_async", &times(context, read));
    let mut staging = context.staging(back.len()).expect("memory");
    let read = || {
        texture.read_to(&mut staging).expect("a readback");
        staging.as_slice().expect("a readback");
    };
    rate("readback, Staging", &times(context, read));
}

/// Results in a row, each computed by some passes.
struct Work {
    kernel: Kernel,
    x: PingPong<Texel>,
    passes: usize,
}

const RESULTS: usize = 8;

impl Work {
    fn new(context: &Context) -> Work {
        let kernel = context.kernel(Source::fragment("step.frag", STEP)).expect("a kernel");
        let texture = || context.texture(EXTENT, &vec![[1.0; 4]; EXTENT.texels()]);
        let x = PingPong::new(texture().expect("a texture"), texture().expect("a texture"));
        Work { kernel, x: x.expect("two textures alike"), passes: 1 }
    }

    fn result(&mut self) {
        for _ in 0..self.passes {
            let kernel = &self.kernel;
            let step = |old: &Texture<Texel>, new: &mut Texture<Texel>| {
                kernel.pass().input("x", old).uniform("trips", 16).draw(new)
            };
            self.x.step(step).expect("a pass");
        }
    }
}

fn overlap(context: &Context, back: &mut [Texel]) {
    let mut work = Work::new(context);
    let median = |times: &[Duration]| times[RUNS / 2].as_secs_f64() * 1e3 / RESULTS as f64;
    let several = |one: &mut dyn FnMut()| (0..RESULTS).for_each(|_| one());
    let pass = median(&times(context, || several(&mut || work.result())));
    let texture = context.texture(EXTENT, back).expect("a texture");
    let read = median(&times(context, || {
        several(&mut || texture.read_into(back).expect("a readback"));
    }));
    println!(
        "\n{RESULTS} results of 64 MB, ms for each; ratio to the longer of computing and reading"
    );
    for share in [0.5, 1.0, 2.0, 4.0] {
        work.passes = ((read * share / pass).round() as usize).max(1);
        let compute = median(&times(context, || several(&mut || work.result())));
        let waiting = median(&times(context, || {
            several(&mut || {
                work.result();
                work.x.newest().read_into(back).expect("a readback");
            });
        }));
        let later = median(&times(context, || later(&mut work, back)));
        let staged = median(&times(context, || staged(context, &mut work)));
        let ratio = |total: f64| total / compute.max(read);
        println!(
            "compute {compute:7.2}  read {read:6.2}  waiting {waiting:7.2} ({:.2})  later {later:7.2} ({:.2})  \
             staging {staged:7.2} ({:.2})",
            ratio(waiting),
            ratio(later),
            ratio(staged)
        );
    }
}

/// Each result comes back while the next is computed.
fn later(work: &mut Work, back: &mut [Texel]) {
    let mut pending = None;
    for _ in 0..RESULTS {
        work.result();
        let next = work.x.newest().read_async().expect("a readback");
        if let Some(before) = pending.replace(next) {
            let before: quadrille::gl::Readback<Texel> = before;
            before.read_into(back).expect("a readback");
        }
    }
    if let Some(last) = pending {
        last.read_into(back).expect("a readback");
    }
}

/// Transfers through staging memory, and the host looks at the texels in their place.
fn staged(context: &Context, work: &mut Work) {
    let memory = || context.staging::<Texel>(EXTENT.texels()).expect("memory");
    let mut results: [Staging<Texel>; 2] = [memory(), memory()];
    for index in 0..RESULTS {
        work.result();
        work.x.newest().read_to(&mut results[index % 2]).expect("a readback");
        if index > 0 {
            results[(index + 1) % 2].as_slice().expect("a readback");
        }
    }
    results[(RESULTS + 1) % 2].as_slice().expect("a readback");
}
