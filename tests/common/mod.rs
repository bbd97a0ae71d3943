//! The one place that makes contexts for tests. A test runs on every flavour of context that
//! quadrille promises to work on, and fails where GL has an error, where the driver has said
//! something, or where an object is left.
#![allow(dead_code, unreachable_pub, reason = "every test file takes what it needs")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

pub mod channels;
pub mod levels;
pub mod pixels;
pub mod planted;
pub mod points;
pub mod ranks;
pub mod sums;
pub mod systems;
pub mod twins;
pub mod variants;
pub mod vertex_programs;

use quadrille::gl::{Builder, Objects};
use quadrille::internal::{Ability, Limit};
use quadrille::shader::{Api, Source};
use quadrille::stream::{Engine, Kernel};
use quadrille::{Context, Extent};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Returns the version of Mesa, as 25, 0; `None` of another driver.
pub fn mesa(context: &Context) -> Option<(u32, u32)> {
    let mut numbers = context.abilities().version_text.split_once("Mesa ")?.1.split(['.', '-']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Says what a context lacks that the test is about. Where every context of a test does,
/// tests/renderers counts it as skipped.
pub fn not_tested(lacking: &str) {
    eprintln!("not tested: {lacking}");
}

/// Returns whether a context from which nothing is masked has compute shaders, and says so where it
/// has not. llvmpipe has them: a test of them that ran nowhere would be none.
fn computes(context: &Context) -> bool {
    let abilities = context.abilities();
    let has = abilities.compute.is_some();
    assert!(has || !abilities.renderer.starts_with("llvmpipe"), "llvmpipe has compute shaders");
    if !has {
        not_tested("no compute shaders");
    }
    has
}

/// Makes the usual context for a test that needs compute shaders.
pub fn computing() -> Option<Context> {
    Some(Context::headless().unwrap()).filter(computes)
}

/// The contexts that a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Desktop OpenGL, as high as it goes.
    Gl,
    /// Desktop OpenGL with all above 3.3 masked.
    Gl33,
    /// OpenGL ES with all above 3.0 masked.
    Gles30,
    /// OpenGL ES, as high as it goes.
    Gles,
}

impl Flavour {
    pub const ALL: [Flavour; 4] = [Flavour::Gl, Flavour::Gl33, Flavour::Gles30, Flavour::Gles];

    /// Whether the machine has it, by `QUADRILLE_FLAVOURS`.
    pub fn is_there(self) -> bool {
        self.there() == self
    }

    /// The flavour that stands for this one where `QUADRILLE_FLAVOURS` says that the machine has
    /// desktop OpenGL alone (`gl`), or OpenGL ES alone (`gles`).
    fn there(self) -> Flavour {
        // A browser has one.
        if cfg!(target_family = "wasm") {
            return Flavour::Gles30;
        }
        match (std::env::var("QUADRILLE_FLAVOURS").as_deref(), self) {
            (Ok("gl"), Flavour::Gles) => Flavour::Gl,
            (Ok("gl"), Flavour::Gles30) => Flavour::Gl33,
            (Ok("gles"), Flavour::Gl) => Flavour::Gles,
            (Ok("gles"), Flavour::Gl33) => Flavour::Gles30,
            _ => self,
        }
    }

    pub fn builder(self) -> Builder {
        let builder = Context::builder().debug(true);
        match self.there() {
            Flavour::Gl => builder,
            Flavour::Gl33 => builder.limit_to(Limit::Gl33),
            Flavour::Gles30 => builder.limit_to(Limit::Gles30),
            Flavour::Gles => builder.api(Api::Gles),
        }
    }
}

/// Whether `QUADRILLE_THOROUGH` is set, as in `.ci/run`: what takes long and seldom finds more is
/// tested as well.
pub fn is_thorough() -> bool {
    std::env::var_os("QUADRILLE_THOROUGH").is_some()
}

/// Runs a test on each engine of the contexts of [`each_size`].
pub fn each_engine(side: u32, body: impl Fn(&Context, Engine)) {
    each_size(side, |context| {
        for engine in Engine::of(context) {
            eprintln!("  on {engine}");
            body(context, engine);
        }
    });
}

/// Runs a test on the extreme contexts, and on one whose textures are so small, this many texels a
/// side, that vectors have several panels. Where it need not be thorough it runs on one of the three.
pub fn each_size(side: u32, body: impl Fn(&Context)) {
    let all = is_thorough() || cfg!(target_family = "wasm");
    if all || turn_of_this_test().is_multiple_of(3) {
        let small = Flavour::Gl.builder().without(Ability::LargerTextures(side)).build().unwrap();
        clean(&format!("panels of {side} x {side} texels"), &small, &body);
    }
    if all || !turn_of_this_test().is_multiple_of(3) {
        on_extremes(body);
    }
}

/// A number that the test's name picks.
fn turn_of_this_test() -> usize {
    let thread = std::thread::current();
    thread.name().unwrap_or_default().bytes().map(usize::from).sum()
}

/// Whether `QUADRILLE_THOROUGH` is `all`: tests run on every flavour.
fn is_on_all() -> bool {
    std::env::var("QUADRILLE_THOROUGH").as_deref() == Ok("all")
}

/// Runs a test on the flavour with the most abilities and on another one, which its name picks, where it is to be thorough; on all
/// where `QUADRILLE_THOROUGH` is `all`; else as [`on_extremes`].
pub fn each(body: impl Fn(&Context)) {
    let [most, others @ ..] = Flavour::ALL;
    match is_thorough() {
        false => on_extremes(body),
        true if is_on_all() => on(&Flavour::ALL, body),
        true => on(&[most, others[turn_of_this_test() % others.len()]], body),
    }
}

/// Runs a test on the flavour with the most abilities and on the one with the fewest, which have both
/// interfaces: always enough for a test of many programs, each of which takes long to compile. Where
/// it need not be thorough it runs on one of them, that its name picks.
pub fn on_extremes(body: impl Fn(&Context)) {
    let there: Vec<Flavour> = EXTREMES.into_iter().filter(|flavour| flavour.is_there()).collect();
    let turn = turn_of_this_test();
    on(if is_thorough() { &there } else { &there[turn % there.len()..][..1] }, body);
}

/// The flavours of [`on_extremes`].
pub const EXTREMES: [Flavour; 2] = [Flavour::Gl, Flavour::Gles30];

/// Runs every case on the flavours of [`on_extremes`] where `QUADRILLE_THOROUGH` is `all`, else each on
/// one of them, by turns: compiling its programs is most of a case's time.
pub fn by_turns<C>(cases: impl IntoIterator<Item = C>, body: impl Fn(&Context, &C)) {
    by_turns_on(&EXTREMES, cases, body);
}

/// Runs cases on flavours by turns: with `QUADRILLE_THOROUGH=all` every case on each of them.
pub fn by_turns_on<C>(
    flavours: &[Flavour],
    cases: impl IntoIterator<Item = C>,
    body: impl Fn(&Context, &C),
) {
    let cases: Vec<C> = cases.into_iter().collect();
    for (turn, flavour) in flavours.iter().enumerate() {
        let (turn, turns) = if is_on_all() { (0, 1) } else { (turn, flavours.len()) };
        let mine = || cases.iter().skip(turn).step_by(turns);
        on(&[*flavour], |context| mine().for_each(|case| body(context, case)));
    }
}

/// All items where a test is to be thorough, else those of one of so many turns.
pub fn in_turn<T>(items: &[T], turn: usize, turns: usize) -> impl Iterator<Item = &T> {
    let turns = if is_thorough() { 1 } else { turns };
    items.iter().skip(turn % turns).step_by(turns)
}

/// Runs a test on these flavours, of which QUADRILLE_FLAVOURS leaves those that are there (`gl` or
/// `gles`, all without it): on the device that the environment names or the best there is,
/// and on Mesa's llvmpipe too where that is another and is there.
pub fn on(flavours: &[Flavour], body: impl Fn(&Context)) {
    #[cfg(target_family = "wasm")]
    crate::browser::asked(flavours.iter().any(|flavour| flavour.is_there()));
    for flavour in flavours.iter().filter(|flavour| flavour.is_there()) {
        let context = flavour.builder().build().unwrap();
        let software = context.abilities().software;
        clean(&format!("{flavour:?}"), &context, &body);
        drop(context);
        if !software {
            match flavour.builder().device("llvmpipe").build() {
                Ok(context) => clean(&format!("{flavour:?} of llvmpipe"), &context, &body),
                // A machine with a GPU and no Mesa; where there is no GPU there is no way past it.
                Err(error) => eprintln!("not on llvmpipe too: {error}"),
            }
        }
    }
}

/// Runs a test on the contexts that have compute shaders.
pub fn on_compute(body: impl Fn(&Context)) {
    on(&[Flavour::Gl, Flavour::Gles], |context| {
        if computes(context) {
            body(context);
        }
    });
}

/// Runs a test on one context, which must be clean and empty before and after.
pub fn clean(name: &str, context: &Context, body: impl Fn(&Context)) {
    eprintln!("on {name}: {} {:?}", context.abilities().renderer, context.abilities().version);
    context.check().expect("clean before the test");
    assert_eq!(context.objects().unwrap(), Objects::default(), "before the test");
    body(context);
    context.check().expect("clean after the test");
    assert_eq!(context.objects().unwrap(), Objects::default(), "left by the test");
}

/// A fragment kernel of a few lines.
pub fn kernel(context: &Context, text: &str) -> Kernel {
    context.kernel(Source::fragment("test.frag", text)).unwrap()
}

/// A kernel that writes this expression, a float, to every texel.
pub fn writes(context: &Context, expression: &str) -> Kernel {
    kernel(context, &format!("out float result;\nvoid main() {{\n    result = {expression};\n}}\n"))
}

/// Extents that break what is written with powers of two in mind.
pub const AWKWARD: [(u32, u32); 8] =
    [(1, 1), (3, 1), (1, 5), (2, 2), (7, 11), (17, 257), (1023, 3), (65, 33)];

pub fn awkward() -> impl Iterator<Item = Extent> {
    AWKWARD.into_iter().map(|(width, height)| Extent::new(width, height))
}

/// Numbers from -1 to 1, the same for the same seed.
pub fn random(count: usize, seed: u64) -> Vec<f32> {
    let mut generator = Pcg64Mcg::seed_from_u64(seed);
    (0..count).map(|_| generator.random_range(-1.0..1.0)).collect()
}
