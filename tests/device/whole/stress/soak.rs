//! A million passes: the value, the objects and the memory.

use super::variable;
use crate::common::Flavour;
use quadrille::shader::Source;
use quadrille::stream::PingPong;
use quadrille::stream::reduce::Reducer;
use quadrille::{Context, Extent};

/// Passes between two looks.
const BLOCK: u64 = 1000;
/// More than noise, and a hundredth of what a leak of one object a pass would take.
const GROWTH: u64 = 16 << 20;

/// `cargo test --test stress -- --ignored --nocapture`; `QUADRILLE_SOAK_PASSES` says how many, a
/// million unless set.
#[test]
#[ignore = "takes a minute or more"]
fn soak() {
    let passes = variable("QUADRILLE_SOAK_PASSES", 1_000_000) / BLOCK * BLOCK;
    assert!(passes <= 1 << 24, "{passes}: a float counts to 2^24");
    let context = Flavour::Gl.builder().debug(false).build().unwrap();
    let text = "uniform sampler2D x;\nuniform float amount;\nout float y;\n\
                void main() { y = READ(x, TEXEL).r + amount; }";
    let add = context.kernel(Source::fragment("soak.frag", text)).unwrap();
    let extent = Extent::new(16, 16);
    let zeros = context.texture(extent, &[0.0_f32; 256]).unwrap();
    let mut pair = PingPong::new(zeros, context.uninit(extent).unwrap()).unwrap();
    let reducer = Reducer::new(&context);
    let (mut settled, start) = (None, std::time::Instant::now());
    for block in 1..=passes / BLOCK {
        for _ in 0..BLOCK {
            pair.step(|old, new| add.pass().input("x", old).uniform("amount", 1.0_f32).draw(new))
                .unwrap();
        }
        let value = (block * BLOCK) as f32;
        assert!(pair.newest().read_async().unwrap().read().unwrap().iter().all(|x| *x == value));
        assert_eq!(reducer.max(pair.newest()).unwrap(), f64::from(value));
        settled = look(&context, block, passes, settled);
    }
    context.check().unwrap();
    eprintln!("{passes} passes in {:.1?}", start.elapsed());
}

/// Checks that what has settled after a tenth of the passes stays: the objects, and about the
/// memory.
fn look(
    context: &Context,
    block: u64,
    passes: u64,
    settled: Option<(usize, u64)>,
) -> Option<(usize, u64)> {
    if block * BLOCK * 10 < passes {
        return None;
    }
    let now = (context.objects().unwrap().total(), resident());
    let (objects, memory) = settled.unwrap_or(now);
    assert_eq!(now.0, objects, "objects after {} passes", block * BLOCK);
    assert!(now.1 <= memory + GROWTH, "{} bytes grew to {}", memory, now.1);
    if (block * BLOCK).is_multiple_of((passes / 10).max(1)) {
        eprintln!("{:9} passes: {} objects, {} KiB resident", block * BLOCK, now.0, now.1 >> 10);
    }
    Some((objects, memory))
}

/// The bytes of this process that are in memory.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let number = line.split_ascii_whitespace().nth(1).unwrap();
    number.parse::<u64>().unwrap() << 10
}
