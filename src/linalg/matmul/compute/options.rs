//! Which options the methods of compute shaders have: `tile`, apart from the simplest.

use crate::linalg::matmul::{Engine, Error, Method, Wish};

/// An error for an option that the method does not have.
pub(super) fn refuse(method: Method, wish: &Wish) -> Result<(), Error> {
    let drawn = |method: Method| method.engine() == Engine::Fragment;
    let one_texel = |method| matches!(method, Method::Element | Method::Cp | Method::Sp);
    let celled = |method| matches!(method, Method::Element | Method::Block4x4);
    let tiled = |method| method != Method::Serial && method != Method::ComputeSimple;
    refuse_one(method, "unroll", wish.unroll.is_some(), drawn)?;
    refuse_one(method, "passes", wish.passes.is_some(), one_texel)?;
    refuse_one(method, "tile", wish.tile.is_some(), tiled)?;
    refuse_one(method, "order", wish.order.is_some(), drawn)?;
    refuse_one(method, "triangle", wish.triangle, drawn)?;
    refuse_one(method, "mapping", wish.mapping.is_some(), drawn)?;
    refuse_one(method, "cell", wish.cell.is_some(), celled)?;
    refuse_one(method, "reads", wish.reads.is_some(), drawn)
}

fn refuse_one(
    method: Method,
    option: &'static str,
    given: bool,
    has: impl Fn(Method) -> bool,
) -> Result<(), Error> {
    if !given || has(method) {
        return Ok(());
    }
    let those = Method::ALL.into_iter().filter(|method| has(*method));
    let those: Vec<&str> = those.map(Method::name).collect();
    Err(Error::Option { method, option, those: those.join(", ") })
}
