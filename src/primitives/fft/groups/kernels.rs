//! What the passes of work groups share: kernels by their defines, tables, and the groups of a
//! dispatch.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use crate::gl;
use crate::shader::{Source, Stage};
use crate::stream::Error;

use super::super::roots;
use super::plan::Defines;

/// The most work groups along one axis that are used: every device has 65535, and a power of two
/// leaves none over.
const MOST_GROUPS: usize = 1 << 15;

/// Returns what was made of a key, or makes it.
pub(super) fn kept<Key: Hash + Eq, Value>(
    made: &mut HashMap<Key, Rc<Value>>,
    key: Key,
    make: impl FnOnce(&Key) -> Result<Value, Error>,
) -> Result<Rc<Value>, Error> {
    if let Some(known) = made.get(&key) {
        return Ok(Rc::clone(known));
    }
    let value = Rc::new(make(&key)?);
    made.insert(key, Rc::clone(&value));
    Ok(value)
}

pub(super) fn table(order: usize) -> Result<Vec<[f32; 2]>, Error> {
    Ok(roots::table(order).map_err(gl::Error::from)?)
}

pub(super) fn source(file: &str, defines: &Defines) -> Result<Source, Error> {
    let source = Source::library(Stage::Compute, file)?;
    let define = |source: Source, (name, value): &(&str, usize)| source.define(*name, value);
    Ok(defines.iter().fold(source, define))
}

/// Returns the number of work groups along x, y and z.
pub(super) fn number(groups: usize) -> [u32; 3] {
    let wide = groups.min(MOST_GROUPS);
    [wide as u32, groups.div_ceil(wide) as u32, 1]
}
