//! The bins of a histogram.

use crate::data;
use crate::gl::{AnyTexture, Context, Value};
use crate::grid::{DeviceVector, row_shift};
use crate::shader::Source;
use crate::stream::Result;
use crate::stream::launch::Launch;

/// The most bins of a histogram.
pub const MOST_BINS: usize = 1 << 16;

pub(super) struct Bins {
    count: usize,
    range: Option<Range>,
}

/// Equal bins between two floats.
struct Range {
    edges: Vec<f32>,
    on_device: DeviceVector,
    /// The bins over the whole range.
    scale: f32,
}

/// Returns the edges of equal bins, if they differ.
fn edges(bins: usize, low: f32, high: f32) -> Option<Vec<f32>> {
    let (from, width) = (f64::from(low), f64::from(high) - f64::from(low));
    let edge = |index: usize| (from + width * index as f64 / bins as f64) as f32;
    let edges: Vec<f32> = (0..=bins).map(edge).collect();
    let differ = edges.windows(2).all(|pair| pair[0] < pair[1]);
    (low.is_finite() && high.is_finite() && differ).then_some(edges)
}

impl Bins {
    pub(super) fn of_numbers(count: usize) -> Result<Bins> {
        match (1..=MOST_BINS).contains(&count) {
            true => Ok(Bins { count, range: None }),
            false => Err(data::ArrayError::Bins { most: MOST_BINS, got: count }.into()),
        }
    }

    pub(super) fn between(context: &Context, count: usize, low: f32, high: f32) -> Result<Bins> {
        let bins = Bins::of_numbers(count)?;
        let Some(edges) = edges(count, low, high) else {
            return Err(data::ArrayError::Range { bins: count, low, high }.into());
        };
        // The shaders read them from one texture.
        let most = DeviceVector::<f32>::room_of_panel(context).min(MOST_BINS + 1) - 1;
        if count > most {
            return Err(data::ArrayError::Bins { most, got: count }.into());
        }
        let on_device = DeviceVector::from_host(context, &edges)?;
        let scale = (count as f64 / (f64::from(high) - f64::from(low))) as f32;
        Ok(Bins { range: Some(Range { edges, on_device, scale }), ..bins })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn has_range(&self) -> bool {
        self.range.is_some()
    }

    pub(super) fn edges(&self) -> Option<&[f32]> {
        self.range.as_ref().map(|range| range.edges.as_slice())
    }

    /// Defines what include/bin.glsl needs.
    pub(super) fn define(range: bool, source: Source) -> Source {
        if range { source.define("RANGE", 1) } else { source }
    }

    /// Gives a launch the inputs of include/bin.glsl.
    pub(super) fn bind<'a>(&'a self, launch: Launch<'a>) -> Launch<'a> {
        let uniforms = self.uniforms().into_iter();
        let launch = uniforms.fold(launch, |launch, (name, value)| launch.uniform(name, value));
        match self.texture() {
            Some(edges) => launch.input("edges", edges),
            None => launch,
        }
    }

    fn uniforms(&self) -> Vec<(&'static str, Value)> {
        let mut uniforms = vec![("bins", Value::from(self.count as u32))];
        if let (Some(range), Some(edges)) = (&self.range, self.texture()) {
            uniforms.push(("scale", range.scale.into()));
            uniforms.push(("shift_of_edges", row_shift(edges.extent()).into()));
        }
        uniforms
    }

    fn texture(&self) -> Option<&dyn AnyTexture> {
        let panel = self.range.as_ref()?.on_device.panel(0)?;
        Some(panel)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn edges_are_equal_parts_of_the_range_or_none() {
        assert_eq!(edges(4, -1.0, 1.0).unwrap(), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(edges(1, 0.0, f32::MAX).unwrap(), [0.0, f32::MAX]);
        for (bins, low, high) in
            [(2, 1.0, 1.0), (2, 1.0, 0.0), (2, f32::NAN, 1.0), (2, 0.0, f32::INFINITY)]
        {
            assert!(edges(bins, low, high).is_none(), "{low} to {high}");
        }
        // The numbers between 1 and 1.000001 are eight.
        assert!(edges(100, 1.0, 1.000_001).is_none());
    }
}
