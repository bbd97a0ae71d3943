//! Transfers from and to memory that the device shares, with mapped buffers and without.

use crate::common::{awkward, each, writes};
use quadrille::gl::{Error, Texel, Unorm8};
use quadrille::internal::Ability;
use quadrille::internal::Upload;
use quadrille::{Context, Extent, Kind, Rectangle};

/// Runs on every flavour, and on the one with the most abilities with mapped buffers masked.
fn each_and_masked(body: impl Fn(&Context)) {
    each(&body);
    let masked = Context::builder().without(Ability::MappedBuffers).build().unwrap();
    assert!(!masked.abilities().mapped_buffers);
    crate::common::clean("masked", &masked, body);
}

fn goes_and_comes_back<T: Texel>(context: &Context, make: impl Fn(usize) -> T) {
    for extent in awkward() {
        let sent: Vec<T> = (0..extent.texels()).map(&make).collect();
        let mut staging = context.staging(extent.texels()).unwrap();
        staging.as_mut_slice().unwrap().copy_from_slice(&sent);
        let mut texture = context.uninit::<T>(extent).unwrap();
        texture.write_from(&staging).unwrap();
        assert_eq!(texture.read().unwrap(), sent, "{extent}");
        // What it held must not pass for what was read.
        staging.as_mut_slice().unwrap().fill(make(extent.texels() + 1));
        assert_eq!(texture.read().unwrap(), sent, "{extent}, after a change of the staging memory");
        texture.read_to(&mut staging).unwrap();
        assert_eq!(staging.as_slice().unwrap(), sent, "{extent}");
    }
}

#[test]
fn every_texel_goes_and_comes_back() {
    each_and_masked(|context| {
        goes_and_comes_back(context, |i| i as f32 * 0.37 - 1e3);
        goes_and_comes_back(context, |i| [i as f32, -0.5 * i as f32]);
        goes_and_comes_back(context, |i| [i as f32, 0.25, -(i as f32)]);
        goes_and_comes_back(context, |i| [i as f32, 1e-20, 1e20, -(i as f32)]);
        goes_and_comes_back(context, |i| (i * 7) as u8);
        goes_and_comes_back(context, |i| i32::MIN + (i * 123_457) as i32);
        goes_and_comes_back(context, |i| [Unorm8(i as u8), Unorm8(3), Unorm8(255), Unorm8(0)]);
    });
}

#[test]
fn what_is_read_is_what_was_there_when_it_was_asked_for() {
    each_and_masked(|context| {
        let extent = Extent::new(37, 11);
        let mut texture = context.uninit::<f32>(extent).unwrap();
        let mut results: Vec<_> =
            (0..4).map(|_| context.staging::<f32>(extent.texels()).unwrap()).collect();
        for (i, result) in results.iter_mut().enumerate() {
            writes(context, &format!("{i}.5")).pass().draw(&mut texture).unwrap();
            texture.read_to(result).unwrap();
        }
        texture.fill(-1.0).unwrap();
        for (i, result) in results.iter().enumerate() {
            assert_eq!(result.as_slice().unwrap(), vec![i as f32 + 0.5; extent.texels()]);
        }
    });
}

#[test]
fn one_staging_serves_many_uploads() {
    each_and_masked(|context| {
        let extent = Extent::new(64, 33);
        let mut staging = context.staging::<f32>(extent.texels()).unwrap();
        let mut textures = [(); 5].map(|()| context.uninit::<f32>(extent).unwrap());
        for (i, texture) in textures.iter_mut().enumerate() {
            staging.as_mut_slice().unwrap().fill(i as f32);
            texture.write_from(&staging).unwrap();
        }
        for (i, texture) in textures.iter().enumerate() {
            assert_eq!(texture.read().unwrap(), vec![i as f32; extent.texels()]);
        }
    });
}

#[test]
fn memory_that_is_reused_brings_no_old_texels() {
    each_and_masked(|context| {
        let extent = Extent::new(100, 10);
        let mut texture = context.texture(extent, &vec![1.0_f32; 1000]).unwrap();
        for round in 2..6 {
            let later = texture.read_async().unwrap();
            texture.fill(round as f32).unwrap();
            drop(later); // Its buffer is used again, maybe while the device still writes it.
            let mut staging = context.staging::<f32>(1000).unwrap();
            texture.read_to(&mut staging).unwrap();
            assert_eq!(staging.as_slice().unwrap(), [round as f32; 1000]);
        }
    });
}

#[test]
fn what_does_not_fit_is_refused() {
    each_and_masked(|context| {
        let other = Context::headless().unwrap();
        let mut texture = context.texture(Extent::new(2, 2), &[1.0_f32; 4]).unwrap();
        let mut short = context.staging::<f32>(3).unwrap();
        let mut foreign = other.staging::<f32>(4).unwrap();
        for error in
            [texture.write_from(&short).unwrap_err(), texture.read_to(&mut short).unwrap_err()]
        {
            assert!(matches!(error, Error::Length { expected: 4, got: 3, .. }), "{error}");
        }
        for error in
            [texture.write_from(&foreign).unwrap_err(), texture.read_to(&mut foreign).unwrap_err()]
        {
            assert!(matches!(error, Error::Foreign { .. }), "{error}");
        }
        assert_eq!(texture.read().unwrap(), [1.0; 4]);
        assert!(context.staging::<f32>(0).unwrap().as_slice().unwrap().is_empty());
        let most = context.staging::<f32>(usize::MAX).err().unwrap();
        assert!(matches!(most.kind(), Kind::Limit | Kind::OutOfMemory), "{most}");
    });
}

#[test]
fn it_outlives_the_handle_of_its_context() {
    let context = Context::headless().unwrap();
    let mut staging = context.staging::<f32>(2).unwrap();
    let texture = context.texture(Extent::new(2, 1), &[1.0_f32, 2.0]).unwrap();
    texture.read_to(&mut staging).unwrap();
    drop((texture, context));
    assert_eq!(staging.as_slice().unwrap(), [1.0, 2.0]);
}

/// Uploads through mapped buffers on every device, software too, which takes the direct way by
/// itself.
#[test]
fn slices_go_through_mapped_buffers() {
    each(|context| {
        if !context.abilities().mapped_buffers {
            return crate::common::not_tested("no mapped buffers");
        }
        for extent in awkward() {
            let sent: Vec<[f32; 2]> = (0..extent.texels()).map(|i| [i as f32, -1.0]).collect();
            let place = Rectangle::new(1, 2, extent.width, extent.height);
            let whole = Extent::new(extent.width + 2, extent.height + 3);
            let mut texture = context.uninit::<[f32; 2]>(whole).unwrap();
            texture.fill([-7.0; 2]).unwrap();
            texture.write_by(Upload::Mapped(2), place, &sent).unwrap();
            let mut back = vec![[9.0; 2]; extent.texels()];
            if texture.read_by_mapped(2, place, &mut back).unwrap() {
                assert_eq!(back, sent, "{extent}");
            }
            assert_eq!(texture.read_rectangle(place).unwrap(), sent, "{extent}");
            let untouched = whole.texels() - extent.texels();
            let around = texture.read().unwrap();
            assert_eq!(around.iter().filter(|texel| **texel == [-7.0; 2]).count(), untouched);
        }
    });
}
