//! Textures of floats and of integers, and what is read of them later.

use super::operation::{Class, numbers};
use super::outcome::Outcome;
use super::world::Step;
use quadrille::gl::{Readback, Target, Texture};
use quadrille::{Context, Extent, Rectangle};

pub enum AnyTexture {
    Float(Texture<f32>),
    Int(Texture<i32>),
}

pub enum AnyReadback {
    Float(Readback<f32>),
    Int(Readback<i32>),
}

impl AnyTexture {
    pub fn new(
        context: &Context,
        class: Class,
        extent: Extent,
        seed: i32,
    ) -> Result<AnyTexture, Outcome> {
        Ok(match class {
            Class::Float => {
                AnyTexture::Float(context.texture(extent, &floats(extent.texels(), seed))?)
            }
            Class::Int => {
                AnyTexture::Int(context.texture(extent, &numbers(extent.texels(), seed))?)
            }
        })
    }

    pub fn context(&self) -> Context {
        match self {
            AnyTexture::Float(texture) => texture.context(),
            AnyTexture::Int(texture) => texture.context(),
        }
    }

    pub fn extent(&self) -> Extent {
        match self {
            AnyTexture::Float(texture) => texture.extent(),
            AnyTexture::Int(texture) => texture.extent(),
        }
    }

    pub fn target(&mut self) -> &mut dyn Target {
        match self {
            AnyTexture::Float(texture) => texture,
            AnyTexture::Int(texture) => texture,
        }
    }

    pub fn read(&self) -> Result<Vec<i32>, Outcome> {
        match self {
            AnyTexture::Float(texture) => whole(texture.read()?),
            AnyTexture::Int(texture) => Ok(texture.read()?),
        }
    }

    pub fn write(&mut self, [left, top]: [u32; 2], seed: i32) -> Step {
        let Extent { width, height } = self.extent();
        let (across, down) = (width.saturating_sub(left), height.saturating_sub(top));
        let place = Rectangle::new(left, top, across, down);
        done(match self {
            AnyTexture::Float(texture) => {
                texture.write_rectangle(place, &floats(place.texels(), seed))
            }
            AnyTexture::Int(texture) => {
                texture.write_rectangle(place, &numbers(place.texels(), seed))
            }
        })
    }
}

pub fn done(result: Result<(), quadrille::gl::Error>) -> Step {
    result?;
    Ok(Outcome::Done)
}

pub fn floats(count: usize, seed: i32) -> Vec<f32> {
    numbers(count, seed).into_iter().map(|number| number as f32).collect()
}

/// Floats that are whole numbers, as all of them should be.
pub fn whole(floats: Vec<f32>) -> Result<Vec<i32>, Outcome> {
    let number = |float: f32| {
        let fault = || Outcome::Failed(format!("{float} where a whole number is due"));
        if (float as i32) as f32 == float { Ok(float as i32) } else { Err(fault()) }
    };
    floats.into_iter().map(number).collect()
}
