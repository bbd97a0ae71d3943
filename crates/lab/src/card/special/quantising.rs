//! The rounding of floats to bytes when they are drawn into a texture of fractions of 255.

use crate::card::prelude::*;
use quadrille::gl::Unorm8;

/// The conversion of fractions between two bytes and outside them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantising {
    pub direction: &'static str,
    /// The largest distance from 255 x, in bytes: half of one is best.
    pub max_steps: f64,
    /// Whether every byte's own fraction gives that byte.
    pub bytes_kept: bool,
    pub clamped: bool,
    pub nan: u8,
}

impl Quantising {
    /// The direction, and the error if it is not the nearest byte.
    pub(crate) fn text(&self) -> String {
        match self.direction {
            NEAREST => NEAREST.into(),
            other => format!("{other}, off by up to {:.2} bytes", self.max_steps),
        }
    }
}

const NEAREST: &str = "to the nearest byte";

/// A hardware's own sum decides near the middle of two bytes.
const NEARLY: f64 = 0.55;

/// The distance from the middle at which two bytes are distinguished: 255 x is itself rounded on
/// the way.
const BLUR: f64 = 1e-3;

pub(crate) fn source() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Fragment, "card/passage.frag")?.define("FROM_BITS", 1))
}

pub(crate) fn measure(context: &Context) -> Result<Quantising> {
    let numbers = numbers();
    let extent = Extent::new(numbers.len() as u32, 1);
    let bits: Vec<i32> = numbers.iter().map(|x| x.to_bits() as i32).collect();
    let image = context.texture(extent, &bits)?;
    let mut bytes = context.uninit::<Unorm8>(extent)?;
    context.kernel(source()?)?.pass().input("image", &image).draw(&mut bytes)?;
    let got: Vec<u8> = bytes.read()?.iter().map(|byte| byte.0).collect();
    Ok(judge(&numbers, &got))
}

/// Every byte's fraction and four between it and the next; then three that are none.
fn numbers() -> Vec<f32> {
    let parts = [0.0, 0.25, 0.49, 0.51, 0.75];
    let inside =
        (0..255).flat_map(|byte| parts.map(|part| ((f64::from(byte) + part) / 255.0) as f32));
    inside.chain([1.0, -1.0, 2.0, f32::NAN]).collect()
}

fn judge(numbers: &[f32], got: &[u8]) -> Quantising {
    let all = numbers.iter().zip(got).map(|(x, byte)| (255.0 * f64::from(*x), f64::from(*byte)));
    let inside: Vec<_> = all.clone().filter(|(exact, _)| (0.0..=255.0).contains(exact)).collect();
    let off = |(exact, byte): &(f64, f64)| (exact - byte).abs();
    let max_steps = inside.iter().map(off).fold(0.0, f64::max);
    let direction = if max_steps < 0.5 + BLUR {
        NEAREST
    } else if max_steps < NEARLY {
        "to the nearest byte, but near the middle of two to either"
    } else if inside.iter().all(|(exact, byte)| (exact + BLUR).floor() == *byte) {
        "down to the byte below"
    } else {
        "in no one direction"
    };
    let of_bytes = inside.iter().filter(|(exact, _)| (exact - exact.round()).abs() < BLUR);
    let clamped = all.clone().all(|(exact, byte)| {
        exact.is_nan() || exact.clamp(0.0, 255.0) == exact || exact.clamp(0.0, 255.0) == byte
    });
    let nan = numbers.iter().zip(got).find(|(x, _)| x.is_nan());
    Quantising {
        direction,
        max_steps,
        bytes_kept: of_bytes.clone().all(|(exact, byte)| exact.round() == *byte),
        clamped,
        nan: nan.map_or(0, |(_, byte)| *byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(round: fn(f32) -> f32) -> Vec<u8> {
        numbers().into_iter().map(|x| round(x.clamp(0.0, 1.0) * 255.0) as u8).collect()
    }

    #[test]
    fn nearest_is_told_from_cut_off() {
        let nearest = judge(&numbers(), &bytes(f32::round));
        assert_eq!(nearest.direction, "to the nearest byte");
        assert!(nearest.bytes_kept && nearest.clamped, "{nearest:?}");
        let cut = judge(&numbers(), &bytes(|x| (x + 1e-4).floor()));
        assert_eq!(cut.direction, "down to the byte below");
        assert!(cut.max_steps > 0.7);
        let mut odd = bytes(f32::round);
        let mut near = odd.clone();
        near[3] = 0; // 0.51 of a byte
        let near = judge(&numbers(), &near);
        assert!(near.bytes_kept && near.text().ends_with("to either, off by up to 0.51 bytes"));
        odd[10] += 1;
        let odd = judge(&numbers(), &odd);
        assert_eq!(odd.direction, "in no one direction");
        assert!(!odd.bytes_kept);
        let mut wrapped = bytes(f32::round);
        wrapped[numbers().len() - 2] = 254;
        assert!(!judge(&numbers(), &wrapped).clamped);
    }
}
