//! Object counts: right for each kind of work, and zero when all is gone, after errors too.

use crate::common::Flavour;
use quadrille::gl::{Fence, Objects, Timer};
use quadrille::shader::Source;
use quadrille::stream::reduce::Reducer;
use quadrille::stream::{PingPong, Tiles};
use quadrille::{Context, Extent, Rectangle};

/// Textures, buffers, framebuffers, programs, shaders, queries, fences.
fn counts(context: &Context) -> [usize; 7] {
    let o: Objects = context.objects().unwrap();
    [o.textures, o.buffers, o.framebuffers, o.programs, o.shaders, o.queries, o.fences]
}

#[test]
fn each_kind_of_object_is_counted_while_it_lives() {
    crate::common::each(|context| {
        let extent = Extent::new(2, 2);
        let mut texture = context.uninit::<f32>(extent).unwrap();
        assert_eq!(counts(context), [1, 0, 0, 0, 0, 0, 0]);
        texture.write(&[1.0; 4]).unwrap();
        assert_eq!(counts(context), [1, 0, 0, 0, 0, 0, 0], "an upload needs no framebuffer");
        texture.fill(1.0).unwrap();
        texture.read().unwrap();
        assert_eq!(counts(context), [1, 0, 1, 0, 0, 0, 0], "a texture has one framebuffer");
        let kernel = crate::common::writes(context, "2.0");
        assert_eq!(counts(context), [1, 0, 1, 1, 0, 0, 0], "shaders go when they are linked");
        for _ in 0..3 {
            kernel.pass().draw(&mut texture).unwrap();
        }
        assert_eq!(counts(context), [1, 0, 1, 1, 0, 0, 0], "drawing makes nothing");
        let tiles = Tiles::new(context, &[Rectangle::new(0, 0, 1, 1)]).unwrap();
        let fence = Fence::new(context).unwrap();
        assert_eq!(counts(context), [1, 1, 1, 1, 0, 0, 1]);
        let readback = texture.read_async().unwrap();
        assert_eq!(counts(context), [1, 2, 1, 1, 0, 0, 2]);
        drop((readback, fence));
        assert_eq!(counts(context), [1, 1, 1, 1, 0, 0, 0]);
        drop((tiles, kernel));
        assert_eq!(counts(context), [1, 0, 1, 0, 0, 0, 0]);
        drop(texture);
        assert_eq!(counts(context), [0; 7]);
    });
}

#[test]
fn the_bytes_of_textures_and_buffers_are_counted() {
    crate::common::each(|context| {
        let bytes = || context.objects().unwrap().bytes;
        let texture = context.uninit::<[f32; 4]>(Extent::new(17, 3)).unwrap();
        assert_eq!(bytes(), 17 * 3 * 16);
        let small = context.uninit::<u8>(Extent::new(5, 1)).unwrap();
        let buffer = context.uninit_buffer::<[f32; 2]>(10).unwrap();
        assert_eq!(bytes(), 17 * 3 * 16 + 5 + 80);
        let readback = texture.read_async().unwrap();
        assert_eq!(bytes(), 2 * 17 * 3 * 16 + 5 + 80);
        drop((texture, readback));
        assert_eq!(bytes(), 5 + 80);
        assert!(context.uninit::<f32>(Extent::new(1, 1 << 20)).is_err());
        drop((small, buffer));
        assert_eq!(bytes(), 0);
    });
}

#[test]
fn a_timer_is_a_query_while_it_runs() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let timer = Timer::start(context).unwrap();
        assert_eq!(counts(context), [0, 0, 0, 0, 0, 1, 0]);
        timer.stop().unwrap();
        assert_eq!(counts(context), [0; 7]);
        assert!(Timer::start(context).is_ok_and(|_| Timer::start(context).is_err()));
        assert_eq!(counts(context), [0; 7]);
    });
}

#[test]
fn the_framebuffer_of_several_targets_goes_with_the_first_of_them() {
    crate::common::each(|context| {
        let text = "layout(location = 0) out float a;\nlayout(location = 1) out float b;\n\
                    void main() { a = 1.0; b = 2.0; }";
        let kernel = crate::common::kernel(context, text);
        let new = || context.uninit::<f32>(Extent::new(2, 1)).unwrap();
        let (mut first, mut second, mut third) = (new(), new(), new());
        for _ in 0..3 {
            kernel.pass().draw_into(&mut [&mut first, &mut second]).unwrap();
        }
        assert_eq!(context.objects().unwrap().framebuffers, 1);
        kernel.pass().draw_into(&mut [&mut second, &mut first]).unwrap();
        kernel.pass().draw_into(&mut [&mut second, &mut third]).unwrap();
        assert_eq!(context.objects().unwrap().framebuffers, 3, "the order of targets matters");
        drop(first);
        assert_eq!(context.objects().unwrap().framebuffers, 1);
        // A new texture that takes the old one's number must not meet its framebuffer.
        let mut fourth = new();
        kernel.pass().draw_into(&mut [&mut fourth, &mut second]).unwrap();
        assert_eq!(fourth.read().unwrap(), [1.0; 2]);
        assert_eq!(second.read().unwrap(), [2.0; 2]);
        drop(second);
        third.fill(0.0).unwrap();
        drop((third, fourth));
        assert_eq!(counts(context)[2], 0);
    });
}

#[test]
fn repeating_work_makes_nothing_new() {
    crate::common::each(|context| {
        let extent = Extent::new(33, 65);
        let reducer = Reducer::new(context);
        let text = "uniform sampler2D x;\nout float y;\nvoid main() { y = READ(x, TEXEL).r; }";
        let copy = crate::common::kernel(context, text);
        let start = context.texture(extent, &crate::common::random(extent.texels(), 1)).unwrap();
        let mut x = PingPong::new(start, context.uninit::<f32>(extent).unwrap()).unwrap();
        let mut before = None;
        for _ in 0..5 {
            x.step(|old, new| copy.pass().input("x", old).draw(new)).unwrap();
            x.step(|old, new| copy.pass().input("x", old).draw(new)).unwrap();
            reducer.sum(x.newest()).unwrap();
            reducer.norm(x.newest()).unwrap();
            reducer.min(x.newest()).unwrap();
            let now = context.objects().unwrap();
            assert_eq!(*before.get_or_insert(now), now);
        }
    });
}

#[test]
fn a_failed_step_does_not_change_places() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let one = Extent::new(1, 1);
        let first = context.texture::<f32>(one, &[1.0]).unwrap();
        let second = context.texture::<f32>(one, &[2.0]).unwrap();
        let mut x = PingPong::new(first, second).unwrap();
        assert_eq!(x.step(|_, _| Err("no")), Err("no"));
        assert_eq!(x.newest().read().unwrap(), [1.0]);
        x.step(|_, _| Ok::<(), ()>(())).unwrap();
        assert_eq!(x.newest().read().unwrap(), [2.0]);
        let (newest, oldest) = x.into_inner();
        assert_eq!((newest.read().unwrap(), oldest.read().unwrap()), (vec![2.0], vec![1.0]));
        assert!(PingPong::new(newest, context.uninit(Extent::new(1, 2)).unwrap()).is_err());
    });
}

/// Work that fails, and what its error says.
type Failure = (&'static str, fn(&Context) -> Option<String>);

const FAILURES: [Failure; 12] = [
    ("does not compile", |context| {
        let source = Source::fragment("bad.frag", "out float x;\nvoid main() { x = nothing; }");
        context.kernel(source).err().map(|error| error.to_string())
    }),
    ("does not link", |context| {
        let text = "float promised();\nout float x;\nvoid main() { x = promised(); }";
        let source = Source::fragment("half.frag", text);
        context.kernel(source).err().map(|error| error.to_string())
    }),
    ("need locations", |context| {
        let source = Source::fragment(
            "two.frag",
            "out float a;\nout float b;\nvoid main() { a = 1.0; b = 2.0; }",
        );
        context.kernel(source).err().map(|error| error.to_string())
    }),
    ("not given: sampler2D x", |context| {
        let text = "uniform sampler2D x;\nout float y;\nvoid main() { y = READ(x, TEXEL).r; }";
        let mut target = context.uninit::<f32>(Extent::new(2, 2)).unwrap();
        let drawn = crate::common::kernel(context, text).pass().draw(&mut target);
        drawn.err().map(|error| error.to_string())
    }),
    ("has no uniform `typo`", |context| {
        let mut target = context.uninit::<f32>(Extent::new(2, 2)).unwrap();
        let drawn =
            crate::common::writes(context, "1.0").pass().uniform("typo", 1.0).draw(&mut target);
        drawn.err().map(|error| error.to_string())
    }),
    ("got 2 x 2 texels of R32I", |context| {
        let mut target = context.uninit::<i32>(Extent::new(2, 2)).unwrap();
        crate::common::writes(context, "1.0").pass().draw(&mut target).err().map(|e| e.to_string())
    }),
    ("exceeds this device's limit", |context| {
        context.uninit::<f32>(Extent::new(1, 1 << 20)).err().map(|error| error.to_string())
    }),
    ("expected 4 values, got 3", |context| {
        context.texture::<f32>(Extent::new(2, 2), &[0.0; 3]).err().map(|error| error.to_string())
    }),
    ("has no texel", |context| {
        context.uninit::<f32>(Extent::new(0, 2)).err().map(|error| error.to_string())
    }),
    ("exceeds this device's limit of 2147483647", |context| {
        context.uninit_buffer::<f32>(usize::MAX).err().map(|error| error.to_string())
    }),
    ("expected two textures alike", |context| {
        let x = context.uninit::<f32>(Extent::new(2, 2)).unwrap();
        let y = context.uninit::<f32>(Extent::new(2, 3)).unwrap();
        Reducer::new(context).dot(&x, &y).err().map(|error| error.to_string())
    }),
    ("sum_exactly takes integers", |context| {
        let x = context.uninit::<u8>(Extent::new(2, 2)).unwrap();
        Reducer::new(context).sum(&x).err().map(|error| error.to_string())
    }),
];

#[test]
fn nothing_is_left_after_any_error() {
    crate::common::each(|context| {
        for (text, fails) in FAILURES {
            let said = fails(context).unwrap_or_else(|| panic!("nothing failed: {text}"));
            assert!(said.contains(text), "no `{text}` in: {said}");
            assert_eq!(counts(context), [0; 7], "left after: {said}");
            context.check().unwrap();
        }
    });
}

#[test]
fn the_check_for_a_clean_context_can_fail() {
    let context = Flavour::Gl.builder().build().unwrap();
    let dirty = std::panic::AssertUnwindSafe(|| {
        let kept = std::cell::RefCell::new(Vec::new());
        crate::common::clean("dirty", &context, |context| {
            kept.borrow_mut().push(context.uninit::<f32>(Extent::new(1, 1)).unwrap());
        });
    });
    assert!(std::panic::catch_unwind(dirty).is_err());
}
