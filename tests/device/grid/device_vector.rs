//! Vectors on the device: what is sent comes back, whatever the length, in one panel or in several.

use crate::common::Flavour;
use quadrille::grid::DeviceVector;
use quadrille::internal::Ability;
use quadrille::{Context, Kind};

/// None, one, primes, one beside whole texels, whole rows and powers of two.
const LENGTHS: [usize; 12] = [0, 1, 2, 3, 4, 5, 7, 63, 65, 1021, 4097, 10_007];

/// A context whose textures are at most 4 x 4 texels, so that vectors of more than 64 numbers have
/// several panels.
fn in_panels(flavour: Flavour) -> Context {
    flavour.builder().without(Ability::LargerTextures(4)).build().unwrap()
}

#[test]
fn what_is_sent_comes_back() {
    let body = |context: &Context| {
        for length in LENGTHS {
            let sent = crate::common::random(length, 1);
            let vector = DeviceVector::from_host(context, &sent).unwrap();
            assert_eq!((vector.len(), vector.is_empty()), (length, length == 0));
            assert_eq!(vector.read().unwrap(), sent, "{length}");
            for index in [0, length / 2, length.saturating_sub(1), length] {
                assert_eq!(vector.get(index).unwrap(), sent.get(index).copied(), "{index}");
            }
            let mut other = DeviceVector::<f32>::zeros(context, length).unwrap();
            assert_eq!(other.read().unwrap(), vec![0.0; length]);
            other.copy_from(&vector).unwrap();
            drop(vector);
            assert_eq!(other.read().unwrap(), sent, "{length}");
            let again = crate::common::random(length, 2);
            other.write(&again).unwrap();
            assert_eq!(other.read().unwrap(), again, "{length}");
            let bytes: Vec<u8> = (0..length).map(|i| i as u8).collect();
            assert_eq!(DeviceVector::from_host(context, &bytes).unwrap().read().unwrap(), bytes);
        }
    };
    crate::common::each(body);
    for flavour in [Flavour::Gl, Flavour::Gles30] {
        crate::common::clean("panels of 4 x 4 texels", &in_panels(flavour), body);
    }
}

#[test]
fn another_length_or_context_is_refused() {
    crate::common::on(&[Flavour::Gl33], |context| {
        let mut five = DeviceVector::from_host(context, &[1.0_f32; 5]).unwrap();
        let six = DeviceVector::from_host(context, &[2.0_f32; 6]).unwrap();
        let error = five.write(&[0.0; 4]).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert_eq!(error.to_string(), "writing a vector: expected 5 values, got 4");
        let error = five.copy_from(&six).unwrap_err();
        assert_eq!(error.to_string(), "copying a vector: expected 5 values, got 6");
        let elsewhere = Context::headless().unwrap();
        let foreign = DeviceVector::from_host(&elsewhere, &[2.0_f32; 5]).unwrap();
        let error = five.copy_from(&foreign).unwrap_err();
        assert_eq!(error.kind(), Kind::Input);
        assert!(error.to_string().contains("belongs to another context"), "{error}");
        assert_eq!(five.read().unwrap(), [1.0; 5]);
    });
}

#[cfg(target_pointer_width = "64")]
#[test]
fn more_than_the_device_holds_is_an_error_with_the_bytes() {
    crate::common::on(&[Flavour::Gl], |context| {
        if context.abilities().software {
            let error = DeviceVector::<f32>::uninit(context, 1 << 45).unwrap_err();
            assert_eq!(error.kind(), Kind::OutOfMemory);
            let text = "not enough memory: 140737488355328 bytes were asked for";
            assert!(error.to_string().starts_with(text), "{error}");
        }
        assert_eq!(context.objects().unwrap().total(), 0);
    });
}
