//! Ping-pong: both textures of a pair are alike in what they hold at first and in how they are
//! sampled.

use quadrille::gl::{Filter, Unorm8, Wrap};
use quadrille::stream::PingPong;
use quadrille::{Extent, Kind};

#[test]
fn a_ping_pong_of_zeros_is_zero_on_both_sides() {
    crate::common::each(|context| {
        let extent = Extent::new(5, 3);
        // Memory that held something else before.
        let mut dirty = context.uninit::<[f32; 4]>(extent).unwrap();
        dirty.fill([7.0; 4]).unwrap();
        drop(dirty);
        let mut pair = PingPong::<[f32; 4]>::zeros(context, extent).unwrap();
        assert_eq!(pair.newest().read().unwrap(), [[0.0; 4]; 15]);
        pair.swap();
        assert_eq!(pair.newest().read().unwrap(), [[0.0; 4]; 15]);
    });
}

#[test]
fn the_filter_of_a_ping_pong_holds_in_every_step() {
    crate::common::each(|context| {
        // Between two texels: the mean, if it is filtered on this side.
        let text = "uniform sampler2D x; out float y; void main() { y = textureLod(x, vec2(0.5), 0.0).r; }";
        let kernel = crate::common::kernel(context, text);
        let extent = Extent::new(2, 1);
        let zeros = || PingPong::<Unorm8>::zeros(context, extent).unwrap();
        let mut told = zeros();
        told.set_filter(Filter::Linear).unwrap();
        let created = zeros().with_filter(Filter::Linear).unwrap();
        let (first, second) = zeros().into_inner();
        let paired = PingPong::new(first.with_filter(Filter::Linear).unwrap(), second).unwrap();
        for mut pair in [told, created, paired] {
            let mut mean = context.uninit::<f32>(Extent::new(1, 1)).unwrap();
            for _ in 0..2 {
                pair.newest_mut().write(&[Unorm8(0), Unorm8(200)]).unwrap();
                kernel.pass().input("x", pair.newest()).draw(&mut mean).unwrap();
                assert!(
                    (mean.read().unwrap()[0] - 100.0 / 255.0).abs() < 0.01,
                    "{:?}",
                    mean.read()
                );
                pair.swap();
            }
        }
        let integers = PingPong::<i32>::zeros(context, extent).unwrap();
        let error = integers.with_filter(Filter::Linear).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
    });
}

/// Each step shifts the texels to the left, over the edge, and reads the other texture than the
/// step before.
#[test]
fn the_wrap_mode_of_a_ping_pong_holds_in_every_step() {
    crate::common::each(|context| {
        let text = "uniform sampler2D x; out float y;
            void main() { y = texture(x, (vec2(TEXEL) + vec2(1.5, 0.5)) / vec2(textureSize(x, 0))).r; }";
        let kernel = crate::common::kernel(context, text);
        let extent = Extent::new(5, 1);
        let row = || context.texture(extent, &[0.0_f32, 1.0, 2.0, 3.0, 4.0]).unwrap();
        let mut told = PingPong::new(row(), row()).unwrap();
        told.set_wrap(Wrap::Repeat);
        let created = PingPong::new(row(), row()).unwrap().with_wrap(Wrap::Repeat);
        let paired = PingPong::new(row().with_wrap(Wrap::Repeat), row()).unwrap();
        for mut pair in [told, created, paired] {
            for step in 1..=4 {
                pair.step(|old, new| kernel.pass().input("x", old).draw(new)).unwrap();
                let shifted: Vec<f32> = (0..5).map(|x| ((x + step) % 5) as f32).collect();
                assert_eq!(pair.newest().read().unwrap(), shifted, "after {step} steps");
            }
        }
    });
}
