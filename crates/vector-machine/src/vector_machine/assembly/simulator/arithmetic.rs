//! Products and sums by the rules of the vertex engine.

/// Returns the number, or a zero of its sign for a denormal.
pub(super) fn flush(x: f32) -> f32 {
    if x.is_subnormal() { 0.0_f32.copysign(x) } else { x }
}

/// Multiplies; 0 times anything is 0, infinities and NaN included.
pub(super) fn product(a: f32, b: f32) -> f32 {
    let product = a * b;
    if product.is_nan() && (a == 0.0 || b == 0.0) { 0.0 } else { product }
}

/// Returns the sum of products, from the first on, each step rounded.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let products = a.iter().zip(b).map(|(&a, &b)| flush(product(a, b)));
    products.reduce(|sum, product| flush(sum + product)).unwrap_or(0.0)
}
