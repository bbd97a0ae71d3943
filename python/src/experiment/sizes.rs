//! The arguments `size` and `groups`: how much is computed.

use pyo3::prelude::*;
use quadrille::Extent;

use crate::error::wrong;

/// The argument `size`: width and height.
pub(crate) fn extent(size: &Bound<'_, PyAny>) -> PyResult<Extent> {
    match size.extract::<(u32, u32)>() {
        Ok((width, height)) if width > 0 && height > 0 => Ok(Extent::new(width, height)),
        _ => {
            let text = format!(
                "size: expected (width, height), two integers from 1 on, as in size=(640, 360); got {}",
                size.repr()?
            );
            Err(wrong(size.py(), text))
        }
    }
}

/// The argument `groups`: the work groups along x, y and z.
pub(crate) fn groups(groups: &Bound<'_, PyAny>) -> PyResult<[u32; 3]> {
    let along = |groups: &Bound<'_, PyAny>| {
        let given = groups.extract::<u32>().map(|x| vec![x]).or_else(|_| groups.extract());
        let given: Vec<u32> = given.ok()?;
        let fits = (1..=3).contains(&given.len()) && !given.contains(&0);
        fits.then(|| std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(1)))
    };
    along(groups).ok_or_else(|| {
        let got = groups.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        let text = format!("groups: expected (x, y, z), integers from 1 on, of which y and z may be left out; got {got}");
        wrong(groups.py(), text)
    })
}
