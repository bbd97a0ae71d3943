//! Contexts: which device they are on, what they can do, and several of them side by side.

use crate::common::Flavour;
use quadrille::gl::{DeviceSelector, Error, devices};
use quadrille::internal::{self, Ability, Limit};
use quadrille::shader::{Api, Reads, Source};
use quadrille::{Context, Extent, Kind};

#[test]
fn contexts_take_turns_in_one_thread() {
    let contexts = Flavour::ALL.map(|flavour| flavour.builder().build().unwrap());
    let extent = Extent::new(5, 3);
    let text = "uniform sampler2D x;\nout float y;\nvoid main() { y = READ(x, TEXEL).r + 1.0; }";
    let kernels = contexts.each_ref().map(|context| crate::common::kernel(context, text));
    let mut old = contexts.each_ref().map(|context| context.uninit::<f32>(extent).unwrap());
    let mut new = contexts.each_ref().map(|context| context.uninit::<f32>(extent).unwrap());
    for (i, texture) in old.iter_mut().enumerate() {
        texture.fill(100.0 * i as f32).unwrap();
    }
    for round in 1..=10 {
        for i in 0..contexts.len() {
            kernels[i].pass().input("x", &old[i]).draw(&mut new[i]).unwrap();
            std::mem::swap(&mut old[i], &mut new[i]);
        }
        for (i, texture) in old.iter().enumerate() {
            assert_eq!(texture.read().unwrap(), [100.0 * i as f32 + round as f32; 15]);
        }
    }
    for context in &contexts {
        context.check().unwrap();
    }
}

#[test]
fn a_context_that_goes_leaves_the_others_alone() {
    let first = Flavour::Gl.builder().build().unwrap();
    let kept = first.texture::<f32>(Extent::new(2, 1), &[1.0, 2.0]).unwrap();
    let second = Flavour::Gles.builder().build().unwrap();
    let gone = second.texture::<f32>(Extent::new(1, 1), &[3.0]).unwrap();
    drop(second);
    assert_eq!(gone.read().unwrap(), [3.0], "a texture keeps its context alive");
    drop(gone);
    assert_eq!(kept.read().unwrap(), [1.0, 2.0]);
    drop(kept);
    assert_eq!(first.objects().unwrap().total(), 0);
    first.check().unwrap();
}

#[test]
fn what_is_dropped_while_another_context_is_current_is_deleted_in_its_own() {
    let first = Flavour::Gl.builder().build().unwrap();
    let second = Flavour::Gl.builder().build().unwrap();
    let one = first.texture::<f32>(Extent::new(1, 1), &[1.0]).unwrap();
    let two = second.texture::<f32>(Extent::new(1, 1), &[2.0]).unwrap();
    drop(one);
    assert_eq!(two.read().unwrap(), [2.0]);
    assert_eq!(first.objects().unwrap().total(), 0);
    assert_eq!(second.objects().unwrap().textures, 1);
    assert_eq!(two.read().unwrap(), [2.0]);
    first.check().unwrap();
    second.check().unwrap();
}

#[test]
fn contexts_work_in_several_threads_at_once() {
    let work = |start: f32| {
        move || {
            let context = Flavour::Gl.builder().build().unwrap();
            let mut texture = context.uninit::<f32>(Extent::new(64, 64)).unwrap();
            for i in 0..50 {
                let number = start + i as f32;
                crate::common::writes(&context, &format!("{number:.1}"))
                    .pass()
                    .draw(&mut texture)
                    .unwrap();
                assert!(texture.read().unwrap().iter().all(|x| *x == number));
            }
        }
    };
    let threads = [0.0, 1000.0].map(|start| std::thread::spawn(work(start)));
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn two_handles_are_one_context() {
    let context = Flavour::Gl.builder().build().unwrap();
    let other = Flavour::Gl.builder().build().unwrap();
    assert!(context.ptr_eq(&context.clone()));
    assert!(!context.ptr_eq(&other));
}

#[test]
fn a_device_is_chosen_by_its_index() {
    let listed = devices().unwrap();
    assert!(!listed.is_empty());
    let mut made = 0;
    for device in &listed {
        match Context::builder().device(DeviceSelector::Index(device.index)).build() {
            Ok(context) => {
                let on = context.device().unwrap();
                assert_eq!((on.index, &on.label), (device.index, &device.label));
                made += 1;
            }
            Err(error) => assert!(matches!(error, Error::NoContext { .. }), "{error}"),
        }
    }
    assert!(made > 0);
}

#[test]
fn an_index_past_the_last_device_lists_the_devices() {
    let error = Context::builder().device(DeviceSelector::Index(99)).build().unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    let text = error.to_string();
    assert!(text.starts_with("no OpenGL device matches `99`; expected one of: 0: "), "{text}");
    for device in devices().unwrap() {
        // Its renderer stands between them, where a context tells it.
        let index = format!("{}: ", device.index);
        assert!(text.contains(&index) && text.contains(&device.label), "{text}");
    }
}

#[test]
fn a_device_is_chosen_by_a_part_of_its_name_in_any_case() {
    let best = Context::headless().unwrap().abilities().renderer.clone();
    let part = best.split(' ').next().unwrap();
    let wishes = [best.clone(), part.to_lowercase(), format!(" {} ", part.to_uppercase())];
    for wish in wishes
        .map(|text| DeviceSelector::from(text.as_str()))
        .into_iter()
        .chain([DeviceSelector::Named(part.into())])
    {
        let context = Context::builder().device(wish.clone()).build().unwrap();
        assert_eq!(context.abilities().renderer, best, "{wish:?}");
    }
}

#[test]
fn a_name_that_no_device_has_lists_the_renderers_there_are() {
    let error = Context::builder().device("Voodoo2").build().unwrap_err();
    assert_eq!(error.kind(), Kind::Input);
    let text = error.to_string();
    assert!(text.starts_with("no OpenGL device matches `voodoo2`; expected one of: "), "{text}");
    assert!(text.contains(&Context::headless().unwrap().abilities().renderer), "{text}");
}

#[test]
fn a_wish_is_an_index_or_a_name() {
    assert_eq!(DeviceSelector::from("2"), DeviceSelector::Index(2));
    assert_eq!(DeviceSelector::from(" 0 "), DeviceSelector::Index(0));
    assert_eq!(DeviceSelector::from(""), DeviceSelector::Best);
    assert_eq!(DeviceSelector::from("NVIDIA"), DeviceSelector::Named("nvidia".into()));
    assert_eq!(DeviceSelector::from("-1"), DeviceSelector::Named("-1".into()));
}

#[test]
fn a_fall_to_software_is_announced_and_a_chosen_device_is_not() {
    let context = Context::builder().device(DeviceSelector::Best).build().unwrap();
    let announced = context.notice().is_some_and(|notice| notice.contains("using software"));
    assert_eq!(announced, context.abilities().software);
    let chosen = Context::builder().device(DeviceSelector::Index(0)).build().unwrap();
    assert_eq!(chosen.notice(), None);
}

#[test]
fn what_is_missing_is_told_with_the_command_that_installs_it() {
    let none = || vec!["0: unnamed device: cannot".to_owned()];
    let request = || "OpenGL 3.3".to_owned();
    for (error, says) in [
        (Error::NoLibrary, "libEGL.so.1 cannot be loaded"),
        (Error::NoDevices { detail: "the list is empty".into() }, "the list is empty"),
        (Error::NoDriver { request: request(), tried: none() }, "0: unnamed device: cannot"),
        (Error::NoSuchDevice { selector: "llvmpipe".into(), found: none() }, "not installed"),
    ] {
        let text = error.to_string();
        assert!(text.contains(says), "no `{says}` in:\n{text}");
        // Of this distribution, or of all those that are known.
        assert!(text.ends_with(&internal::gl::mesa()), "{text}");
        assert!(text.lines().last().unwrap().starts_with("  "), "{text}");
    }
    let other = Error::NoSuchDevice { selector: "nvidia".into(), found: none() }.to_string();
    assert!(!other.contains(&internal::gl::mesa()), "{other}");
}

#[test]
fn every_flavour_computes_in_floats_and_says_what_it_is() {
    for flavour in Flavour::ALL.into_iter().filter(|flavour| flavour.is_there()) {
        let context = flavour.builder().build().unwrap();
        let abilities = context.abilities();
        let api = if matches!(flavour, Flavour::Gl | Flavour::Gl33) { Api::Gl } else { Api::Gles };
        assert_eq!(abilities.api, api);
        assert!(abilities.float_targets && abilities.messages);
        assert!(abilities.max_texture_size >= 2048 && abilities.max_targets >= 4);
        assert!(!abilities.renderer.is_empty() && !abilities.version_text.is_empty());
    }
}

#[test]
fn a_limit_masks_every_ability_above_it() {
    let highest = Flavour::Gl.builder().build().unwrap();
    let high = highest.abilities();
    if Flavour::Gl33.is_there() {
        let context = Context::builder().limit_to(Limit::Gl33).build().unwrap();
        let low = context.abilities();
        assert_eq!((low.api, low.version), (Api::Gl, (3, 3)));
        assert!(low.compute.is_none() && !low.precise && !low.mapped_buffers);
        assert_eq!(low.language(Reads::Fetch).version, 330);
    }
    if Flavour::Gles30.is_there() {
        let context = Context::builder().limit_to(Limit::Gles30).build().unwrap();
        let low = context.abilities();
        assert_eq!((low.api, low.version), (Api::Gles, (3, 0)));
        assert!(low.compute.is_none() && !low.precise && !low.timers && !low.float_blending);
        assert!(low.max_targets <= 4 && low.max_inputs <= 16);
        assert_eq!(low.language(Reads::Fetch).version, 300);
    }
    // The mask is what makes the difference, not the device, wherever this is true.
    if high.version >= (4, 3) {
        assert!(high.compute.is_some() || !high.renderer.starts_with("llvmpipe"));
        assert!(high.precise);
        assert!(high.version < (4, 4) || high.mapped_buffers);
    }
}

#[test]
fn an_ability_can_be_masked_alone() {
    let without = |ability| Flavour::Gl.builder().without(ability).build().unwrap();
    assert!(without(Ability::Compute).abilities().compute.is_none());
    assert!(!without(Ability::Precise).abilities().precise);
    assert!(!without(Ability::Timers).abilities().timers);
    assert!(!without(Ability::MappedBuffers).abilities().mapped_buffers);
    assert!(!without(Ability::FloatBlending).abilities().float_blending);
    assert!(without(Ability::FloatBlending).abilities().float_targets);
}

#[test]
fn a_context_without_float_targets_says_what_it_lacks_and_what_to_do() {
    for flavour in Flavour::ALL {
        let context = flavour.builder().without(Ability::FloatTargets).build().unwrap();
        crate::common::clean("no float targets", &context, |context| {
            let extent = Extent::new(2, 2);
            let mut floats = context.texture::<f32>(extent, &[1.0; 4]).unwrap();
            let mut others = context.uninit::<[f32; 4]>(extent).unwrap();
            let draw = crate::common::writes(context, "1.0").pass().draw(&mut floats).unwrap_err();
            let two = Source::fragment(
                "two.frag",
                "layout(location = 0) out float a;\nlayout(location = 1) out vec4 b;\n\
                 void main() { a = 1.0; b = vec4(2.0); }",
            );
            let two = context.kernel(two).unwrap();
            let both = two.pass().draw_into(&mut [&mut floats, &mut others]).unwrap_err();
            for (kind, text) in [
                (draw.kind(), draw.to_string()),
                (both.kind(), both.to_string()),
                text_of(floats.fill(0.0).unwrap_err()),
                text_of(floats.read().unwrap_err()),
                text_of(floats.read_async().err().unwrap()),
            ] {
                assert_eq!(kind, Kind::Unsupported);
                assert!(text.starts_with("computing in 32-bit floats needs float render targets"));
                assert!(text.contains("GL_EXT_color_buffer_float"), "{text}");
                assert!(text.contains(&context.abilities().renderer), "{text}");
                assert!(text.contains("choose another device"), "{text}");
            }
            // Integers need no such ability.
            let mut bytes = context.texture::<u8>(extent, &[1, 2, 3, 4]).unwrap();
            assert_eq!(bytes.read().unwrap(), [1, 2, 3, 4]);
            bytes.fill(9).unwrap();
            assert_eq!(bytes.read().unwrap(), [9; 4]);
        });
    }
}

fn text_of(error: Error) -> (Kind, String) {
    (error.kind(), error.to_string())
}

#[test]
fn a_timer_is_refused_where_there_is_none() {
    crate::common::on(&[Flavour::Gles30, Flavour::Gles], |context| {
        let error = quadrille::gl::Timer::start(context).err().unwrap();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains("timer queries"), "{error}");
    });
}

#[test]
fn only_one_timer_runs_at_a_time() {
    crate::common::on(&[Flavour::Gl], |context| {
        let first = quadrille::gl::Timer::start(context).unwrap();
        let error = quadrille::gl::Timer::start(context).err().unwrap();
        assert_eq!(error.kind(), Kind::Driver);
        assert!(error.to_string().contains("one may run at a time"), "{error}");
        first.stop().unwrap();
        quadrille::gl::Timer::start(context).unwrap().stop().unwrap();
        drop(quadrille::gl::Timer::start(context).unwrap());
        quadrille::gl::Timer::start(context).unwrap().stop().unwrap();
    });
}
