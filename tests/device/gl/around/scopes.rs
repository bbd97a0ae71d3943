//! The beginning and the end of a scope, and what happens outside.

use super::*;

#[test]
fn outside_of_a_scope_everything_is_an_error() {
    let caller = Caller::new(Api::Gl);
    let context = caller.around().unwrap();
    let outside = |error: Error| {
        assert!(matches!(error, Error::OutsideScope), "{error}");
        assert_eq!(error.kind(), Kind::Input);
        assert!(error.to_string().contains("Context::within"), "{error}");
    };
    outside(context.uninit::<f32>(Extent::new(1, 1)).unwrap_err());
    outside(context.objects().unwrap_err());
    outside(context.finish().unwrap_err());
    // SAFETY: the caller's context is current.
    let texture =
        unsafe { context.within(|| context.texture::<f32>(Extent::new(1, 1), &[4.0]).unwrap()) }
            .unwrap();
    outside(texture.read().unwrap_err());
    outside(texture.read_async().err().unwrap());
    // SAFETY: as above.
    unsafe { context.within(|| assert_eq!(texture.read().unwrap(), [4.0])) }.unwrap();
    assert!(context.device().is_none());
    caller.must_be_clean("errors outside of a scope");
}

#[test]
fn what_is_dropped_outside_is_deleted_by_the_next_scope() {
    let caller = Caller::new(Api::Gl);
    let context = caller.around().unwrap();
    // SAFETY: the caller's context is current, here and below.
    let texture = unsafe {
        context.within(|| {
            let mut texture = context.uninit::<f32>(Extent::new(3, 3)).unwrap();
            texture.fill(1.0).unwrap();
            texture
        })
    }
    .unwrap();
    let left = caller.textures();
    assert_eq!(left, 1);
    drop(texture);
    assert_eq!(caller.textures(), left, "nothing is deleted outside");
    unsafe { context.within(|| ()) }.unwrap();
    assert_eq!(caller.textures(), 0);
    let objects = unsafe { context.within(|| context.objects().unwrap()) }.unwrap();
    assert_eq!(objects, Objects::default());
    caller.must_be_clean("dropping outside");
}

#[test]
fn the_last_handle_may_go_anywhere() {
    let caller = Caller::new(Api::Gl);
    let context = caller.around().unwrap();
    // SAFETY: the caller's context is current.
    let texture =
        unsafe { context.within(|| context.uninit::<f32>(Extent::new(1, 1)).unwrap()) }.unwrap();
    drop(context);
    // With another context current, whose objects have the same numbers.
    let own = Context::headless().unwrap();
    let kept = own.texture::<f32>(Extent::new(1, 1), &[3.0]).unwrap();
    drop(texture);
    assert_eq!(kept.read().unwrap(), [3.0]);
    own.check().unwrap();
    caller.make_current();
    assert_eq!(caller.textures(), 1, "it dies with the caller's context");
}

#[test]
fn a_panic_leaves_the_scope_as_an_end_does() {
    for api in APIS {
        let caller = Caller::new(api);
        odd::set(&caller.gl);
        let before = odd::snapshot(&caller.gl);
        let context = caller.around().unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let panics = || {
                let _texture = context.texture::<f32>(Extent::new(1, 1), &[1.0]).unwrap();
                panic!("by the test");
            };
            // SAFETY: the caller's context is current.
            unsafe { context.within::<()>(panics) }
        }));
        assert!(panicked.is_err());
        assert_eq!(odd::snapshot(&caller.gl), before);
        assert!(matches!(context.objects(), Err(Error::OutsideScope)));
        // SAFETY: as above.
        let objects = unsafe { context.within(|| context.objects().unwrap()) }.unwrap();
        assert_eq!(objects, Objects::default());
        caller.must_be_clean("a panic");
    }
}

#[test]
fn a_context_of_ones_own_in_a_scope_ends_it() {
    let caller = Caller::new(Api::Gl);
    let context = caller.around().unwrap();
    // SAFETY: the caller's context is current at each entry.
    let entered = unsafe {
        context.within(|| {
            let texture = context.texture::<f32>(Extent::new(2, 1), &[1.0, 2.0]).unwrap();
            // Leaves a program in use and a framebuffer bound, which go with their owners.
            Reducer::new(&context).sum(&texture).unwrap();
            let own = Context::headless().unwrap();
            let sum = Reducer::new(&own)
                .sum(&own.texture::<f32>(Extent::new(2, 1), &[3.0, 4.0]).unwrap())
                .unwrap();
            assert_eq!(sum, 7.0);
            let error = texture.read().unwrap_err();
            assert!(matches!(error, Error::SwitchedAway), "{error}");
        })
    };
    let error = entered.unwrap_err();
    assert!(matches!(error, Error::SwitchedAway), "{error}");
    assert_eq!(error.kind(), Kind::Input);
    assert!(!caller.is_current());
    // The next scope, with the caller's context current again, deletes what that one could not.
    caller.make_current();
    unsafe { context.within(|| assert_eq!(context.objects().unwrap(), Objects::default())) }
        .unwrap();
    assert_eq!(caller.textures(), 0);
    caller.must_be_clean("a scope that was left");
    assert_eq!(odd::snapshot(&caller.gl)["number 0x8b8d"], "0", "no program of ours is in use");
}

#[test]
fn own_contexts_and_callers_take_turns() {
    let own = Context::headless().unwrap();
    let mine = own.texture::<f32>(Extent::new(1, 1), &[1.0]).unwrap();
    let caller = Caller::new(Api::Gles);
    let context = caller.around().unwrap();
    // SAFETY: the caller's context is current at each entry.
    let theirs =
        unsafe { context.within(|| context.texture::<f32>(Extent::new(1, 1), &[2.0]).unwrap()) }
            .unwrap();
    for _ in 0..3 {
        assert_eq!(mine.read().unwrap(), [1.0]);
        caller.make_current();
        let read = unsafe { context.within(|| theirs.read().unwrap()) }.unwrap();
        assert_eq!(read, [2.0]);
    }
    // Own contexts need no scope, and none harms them.
    assert_eq!(unsafe { own.within(|| mine.read().unwrap()) }.unwrap(), [1.0]);
}

#[test]
fn a_scope_may_stand_in_another() {
    let caller = Caller::new(Api::Gl);
    odd::set(&caller.gl);
    let before = odd::snapshot(&caller.gl);
    let (one, other) = (caller.around().unwrap(), caller.around().unwrap());
    // SAFETY: the caller's context is current.
    unsafe {
        one.within(|| {
            let texture = one.texture::<f32>(Extent::new(1, 1), &[5.0]).unwrap();
            let inner = other.within(|| other.texture::<f32>(Extent::new(1, 1), &[6.0])?.read());
            assert_eq!(inner.unwrap().unwrap(), [6.0]);
            one.within(|| assert_eq!(texture.read().unwrap(), [5.0])).unwrap();
            assert_eq!(texture.read().unwrap(), [5.0]);
        })
    }
    .unwrap();
    assert_eq!(odd::snapshot(&caller.gl), before);
    caller.must_be_clean("scopes in scopes");
}
