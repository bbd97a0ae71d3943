//! Reading texels later, while other work goes on.

use std::time::Duration;

use crate::common::Flavour;
use quadrille::gl::{Texel, Unorm8};
use quadrille::{Context, Extent};

fn comes_back<T: Texel>(context: &Context, make: impl Fn(usize) -> T) {
    for extent in crate::common::awkward() {
        let sent: Vec<T> = (0..extent.texels()).map(&make).collect();
        let texture = context.texture(extent, &sent).unwrap();
        let later = texture.read_async().unwrap();
        assert_eq!(later.read().unwrap(), sent, "{extent}");
    }
}

#[test]
fn every_texel_comes_back_later_as_it_went() {
    crate::common::each(|context| {
        comes_back(context, |i| i as f32 * 0.37 - 1e3);
        comes_back(context, |i| [i as f32, -0.5 * i as f32]);
        comes_back(context, |i| [i as f32, 1e-20, 1e20, -(i as f32)]);
        comes_back(context, |i| (i * 7) as u8);
        comes_back(context, |i| i32::MIN + (i * 123_457) as i32);
        comes_back(context, |i| [i as i32 - 500, i32::MAX - i as i32]);
        comes_back(context, |i| Unorm8((i * 7) as u8));
    });
}

#[test]
fn what_is_read_is_what_was_there_when_it_was_asked_for() {
    crate::common::each(|context| {
        let extent = Extent::new(37, 11);
        let mut texture = context.uninit::<f32>(extent).unwrap();
        let mut readbacks = Vec::new();
        for i in 0..5 {
            crate::common::writes(context, &format!("{i}.5")).pass().draw(&mut texture).unwrap();
            readbacks.push(texture.read_async().unwrap());
        }
        texture.fill(-1.0).unwrap();
        // Other work goes on meanwhile, another readback at once among it.
        assert_eq!(texture.read().unwrap(), vec![-1.0; extent.texels()]);
        assert_eq!(context.objects().unwrap().fences, 5);
        for (i, later) in readbacks.into_iter().enumerate() {
            assert_eq!(later.read().unwrap(), vec![i as f32 + 0.5; extent.texels()]);
        }
    });
}

#[test]
fn a_readback_outlives_its_texture() {
    crate::common::each(|context| {
        let texture = context.texture::<f32>(Extent::new(2, 1), &[1.0, 2.0]).unwrap();
        let later = texture.read_async().unwrap();
        drop(texture);
        assert_eq!(later.read().unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_readback_that_was_waited_for_is_ready() {
    crate::common::each(|context| {
        let texture = context.texture::<f32>(Extent::new(2, 1), &[1.0, 2.0]).unwrap();
        let later = texture.read_async().unwrap();
        later.wait(Duration::ZERO).unwrap(); // Either answer is true.
        assert!(later.wait(Duration::from_secs(20)).unwrap());
        assert!(later.is_ready().unwrap());
        assert_eq!(later.read().unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_readback_dropped_early_leaves_nothing() {
    crate::common::each(|context| {
        let texture = context.texture::<f32>(Extent::new(300, 300), &[1.0; 90_000]).unwrap();
        for _ in 0..3 {
            drop(texture.read_async().unwrap());
        }
        let objects = context.objects().unwrap();
        assert_eq!((objects.buffers, objects.fences, objects.textures), (0, 0, 1));
        assert_eq!(texture.read().unwrap()[89_999], 1.0);
    });
}

#[test]
fn readbacks_of_two_contexts_do_not_mix() {
    let contexts = Flavour::ALL.map(|flavour| flavour.builder().build().unwrap());
    let textures: Vec<_> = (0..4)
        .map(|i| contexts[i].texture::<f32>(Extent::new(1, 2), &[i as f32; 2]).unwrap())
        .collect();
    let later: Vec<_> = textures.iter().map(|texture| texture.read_async().unwrap()).collect();
    for (i, later) in later.into_iter().enumerate().rev() {
        assert_eq!(later.read().unwrap(), [i as f32; 2]);
    }
}
