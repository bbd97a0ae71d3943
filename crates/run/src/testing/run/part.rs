//! Parts of fields.

use quadrille::data::{Field, Values};
use quadrille::{Extent, Rectangle};

/// Returns a part of a field; none where it is not inside.
pub(super) fn cut(field: &Field, at: Rectangle) -> Option<Field> {
    if !at.fits(field.extent()) {
        return None;
    }
    let values: Values = match field.values() {
        Values::F32(values) => part_of(values, field, at).into(),
        Values::I32(values) => part_of(values, field, at).into(),
        Values::U32(values) => part_of(values, field, at).into(),
    };
    let cut = Field::new(Extent::new(at.width, at.height), field.channels(), values).ok()?;
    Some(cut.as_line(field.is_line()))
}

fn part_of<T: Copy>(values: &[T], field: &Field, at: Rectangle) -> Vec<T> {
    let (channels, width) = (field.channels(), field.extent().width as usize);
    let row = |y: u32| {
        let start = (y as usize * width + at.x as usize) * channels;
        values[start..start + at.width as usize * channels].iter().copied()
    };
    (at.y..at.y + at.height).flat_map(row).collect()
}
