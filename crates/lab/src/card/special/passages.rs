//! The special numbers that arrive unchanged, by every way that numbers take without being computed
//! with.

use quadrille::gl::{Blend, Texture};

use super::specials::TINY;
use crate::card::prelude::*;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Passage {
    pub way: &'static str,
    /// Whether 1e-40 arrives, and -1e-40.
    pub denormals: bool,
    /// Whether NaN arrives as any NaN.
    pub nan: bool,
    pub infinities: bool,
    pub negative_zero: bool,
    pub largest: bool,
}

const SENT: [f32; 8] =
    [TINY, -TINY, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, f32::MAX, f32::MIN];
const EXTENT: Extent = Extent { width: SENT.len() as u32, height: 1 };

fn drawn(defines: &[&str]) -> Result<Source, stream::Error> {
    let source = crate::shaders::source(Stage::Fragment, "card/passage.frag")?;
    Ok(defines.iter().fold(source, |source, define| source.define(*define, 1)))
}

fn dispatched() -> Result<Source, stream::Error> {
    Ok(crate::shaders::source(Stage::Compute, "card/passage.comp")?)
}

pub(crate) fn sources() -> Result<Vec<Source>, stream::Error> {
    let drawn = [&[][..], &["TO_BITS"], &["FROM_BITS"], &["FROM_UNIFORM", "TO_BITS"]].map(drawn);
    drawn.into_iter().chain([dispatched()]).collect()
}

pub(crate) fn measure(context: &Context) -> Result<Vec<Passage>> {
    let image = context.texture(EXTENT, &SENT)?;
    let mut passages = vec![
        judge("upload and readback", &image.read()?),
        judge("texture to shader", &read(context, &image)?),
        judge("shader to target", &written(context)?),
        judge("texture to target, by a shader", &copied(context, &image, Blend::Replace)?),
        judge("texture to texture, by GL", &copied_by_gl(context, &image)?),
        judge("uniform to shader", &uniforms(context)?),
        judge("clear value to texture", &cleared(context)?),
    ];
    if context.abilities().float_blending {
        passages.push(judge("added to -0 by blending", &copied(context, &image, Blend::Add)?));
    }
    if context.abilities().compute.is_some() {
        passages.push(judge("buffer to buffer, by a shader", &dispatch(context)?));
    }
    Ok(passages)
}

fn judge(way: &'static str, arrived: &[f32]) -> Passage {
    let kept =
        |place: usize| arrived.get(place).map(|got| got.to_bits()) == Some(SENT[place].to_bits());
    Passage {
        way,
        denormals: kept(0) && kept(1),
        nan: arrived.get(2).is_some_and(|got| got.is_nan()),
        infinities: kept(3) && kept(4),
        negative_zero: kept(5),
        largest: kept(6) && kept(7),
    }
}

fn floats(bits: &[i32]) -> Vec<f32> {
    bits.iter().map(|bits| f32::from_bits(*bits as u32)).collect()
}

fn read(context: &Context, image: &Texture<f32>) -> Result<Vec<f32>> {
    let mut bits = context.uninit::<i32>(EXTENT)?;
    context.kernel(drawn(&["TO_BITS"])?)?.pass().input("image", image).draw(&mut bits)?;
    Ok(floats(&bits.read()?))
}

fn written(context: &Context) -> Result<Vec<f32>> {
    let bits = context.texture(EXTENT, &SENT.map(|number| number.to_bits() as i32))?;
    let mut numbers = context.uninit::<f32>(EXTENT)?;
    context.kernel(drawn(&["FROM_BITS"])?)?.pass().input("image", &bits).draw(&mut numbers)?;
    Ok(numbers.read()?)
}

fn copied(context: &Context, image: &Texture<f32>, blend: Blend) -> Result<Vec<f32>> {
    let mut numbers = context.texture(EXTENT, &[-0.0_f32; SENT.len()])?;
    context.kernel(drawn(&[])?)?.pass().input("image", image).blend(blend).draw(&mut numbers)?;
    Ok(numbers.read()?)
}

fn copied_by_gl(context: &Context, image: &Texture<f32>) -> Result<Vec<f32>> {
    let mut numbers = context.texture(EXTENT, &[1.0_f32; SENT.len()])?;
    numbers.copy_from(image)?;
    Ok(numbers.read()?)
}

fn uniforms(context: &Context) -> Result<Vec<f32>> {
    let kernel = context.kernel(drawn(&["FROM_UNIFORM", "TO_BITS"])?)?;
    let mut bits = context.uninit::<i32>(Extent::new(1, 1))?;
    let mut all = Vec::new();
    for number in SENT {
        kernel.pass().uniform("given", number).draw(&mut bits)?;
        all.extend(bits.read()?);
    }
    Ok(floats(&all))
}

fn cleared(context: &Context) -> Result<Vec<f32>> {
    let mut texel = context.uninit::<f32>(Extent::new(1, 1))?;
    let mut all = Vec::new();
    for number in SENT {
        texel.fill(number)?;
        all.extend(texel.read()?);
    }
    Ok(all)
}

fn dispatch(context: &Context) -> Result<Vec<f32>> {
    let kernel = context.compute_kernel(dispatched()?)?;
    let sent = context.buffer(&SENT)?;
    let mut arrived = context.uninit_buffer::<f32>(SENT.len())?;
    let dispatch = kernel.dispatch().buffer("Sent", &sent).buffer_mut("Arrived", &mut arrived);
    dispatch.run([SENT.len() as u32, 1, 1])?;
    Ok(arrived.read()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_shows_in_its_own_place() {
        let whole = judge("whole", &SENT);
        assert!(
            whole.denormals
                && whole.nan
                && whole.infinities
                && whole.negative_zero
                && whole.largest
        );
        let flushed = judge("flushed", &SENT.map(|x| if x.is_subnormal() { 0.0 } else { x }));
        assert!(!flushed.denormals && flushed.nan && flushed.negative_zero);
        let quiet = judge("quiet", &SENT.map(|x| if x.is_finite() { x + 0.0 } else { 0.0 }));
        assert!(quiet.denormals && !quiet.nan && !quiet.infinities && !quiet.negative_zero);
        let halves = judge("halves", &SENT.map(|x| x.clamp(-65504.0, 65504.0)));
        assert!(!halves.largest && !halves.infinities);
    }
}
