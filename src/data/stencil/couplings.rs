//! The nine couplings of a point, in the order of [`Band::ALL`].

use super::super::Band;

/// Returns nine couplings that are the same seen from either end of each.
pub(super) fn symmetric(middle: f64, side: f64, above: f64, falling: f64, rising: f64) -> [f64; 9] {
    Band::ALL.map(|band| match band {
        Band::DD => middle,
        Band::DU | Band::DL => side,
        Band::UD | Band::LD => above,
        Band::UU | Band::LL => falling,
        Band::UL | Band::LU => rising,
    })
}

/// Returns the integrals of grad(u) A grad(v) over the four squares around a point.
pub(super) fn finite_elements(anisotropy: f64, degrees: f64) -> [f64; 9] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    // A = [[down, cross], [cross, across]]: `down` from row to row, `across` along a row.
    let down = cos * cos + anisotropy * sin * sin;
    let across = sin * sin + anisotropy * cos * cos;
    let cross = (1.0 - anisotropy) * sin * cos;
    symmetric(
        4.0 / 3.0 * (down + across),
        (down - 2.0 * across) / 3.0,
        (across - 2.0 * down) / 3.0,
        -(down + across) / 6.0 - cross / 2.0,
        -(down + across) / 6.0 + cross / 2.0,
    )
}

/// Returns the couplings of diffusion and of a flow to `degrees` by upwind differences: with a
/// component of the velocity along each axis, the lesser one goes along the diagonal, and the rest
/// along the axis of the greater (the N scheme of Roe 1987 on squares).
pub(super) fn convection(degrees: f64, peclet: f64) -> [f64; 9] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let greater = 6.0 * peclet / 64.0;
    let speed = greater / sin.abs().max(cos.abs());
    let (along_x, along_y) = ((speed * cos).abs(), (speed * sin).abs());
    // The upstream neighbours.
    let (x, y) = (if cos > 0.0 { -1 } else { 1 }, if sin > 0.0 { -1 } else { 1 });
    let mut couplings = symmetric(20.0, -4.0, -4.0, -1.0, -1.0).map(|coupling| coupling / 64.0);
    let mut add = |x: isize, y: isize, weight: f64| {
        // On a grid of width 3 the offset is that of the band.
        if let Some(band) = Band::at_offset(3 * y + x, 3) {
            couplings[band.index()] += weight;
        }
    };
    add(0, 0, greater);
    add(x, y, -along_x.min(along_y));
    add(x, 0, -(along_x - along_y).max(0.0));
    add(0, y, -(along_y - along_x).max(0.0));
    couplings
}
