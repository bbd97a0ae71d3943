//! Ping-pong: two textures that take turns as source and target.

use crate::gl::{Error, Texel, Texture};

/// Two textures of one extent. The newer one is read, the older one is written, then they change
/// places.
///
/// ```
/// use quadrille::{Context, Extent, shader::Source, stream::PingPong};
/// let context = Context::headless()?;
/// let text = "uniform sampler2D x; out float y; void main() { y = 0.5 * READ(x, TEXEL).r; }";
/// let halve = context.kernel(Source::fragment("halve.frag", text))?;
/// let one = Extent::new(1, 1);
/// let mut x = PingPong::new(context.texture(one, &[1.0_f32])?, context.uninit(one)?)?;
/// for _ in 0..10 {
///     x.step(|old, new| halve.pass().input("x", old).draw(new))?;
/// }
/// assert_eq!(x.newest().read()?, [1.0 / 1024.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PingPong<T: Texel> {
    newest: Texture<T>,
    oldest: Texture<T>,
}

impl<T: Texel> PingPong<T> {
    /// Pairs the texture to begin with and one that will be written first.
    pub fn new(first: Texture<T>, second: Texture<T>) -> Result<Self, Error> {
        if first.extent() != second.extent() {
            return Err(Error::Length {
                what: format!(
                    "ping-pong between {} and {} texels",
                    first.extent(),
                    second.extent()
                ),
                expected: first.extent().texels(),
                got: second.extent().texels(),
            });
        }
        Ok(PingPong { newest: first, oldest: second })
    }

    /// Runs one step from the newest texture to the other, which becomes the newest unless the
    /// step failed.
    pub fn step<E>(
        &mut self,
        step: impl FnOnce(&Texture<T>, &mut Texture<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.with_scratch(step)?;
        self.swap();
        Ok(())
    }

    /// Runs `work` on the newest texture and the other one without swapping them: the other one is
    /// scratch space until the next step.
    pub fn with_scratch<R, E>(
        &mut self,
        work: impl FnOnce(&Texture<T>, &mut Texture<T>) -> Result<R, E>,
    ) -> Result<R, E> {
        work(&self.newest, &mut self.oldest)
    }

    /// Swaps the two textures without a step: what
    /// [`with_scratch`](Self::with_scratch) wrote becomes the newest.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.newest, &mut self.oldest);
    }

    /// The texture written last.
    pub fn newest(&self) -> &Texture<T> {
        &self.newest
    }

    /// The texture written last, to write into it from the host.
    pub fn newest_mut(&mut self) -> &mut Texture<T> {
        &mut self.newest
    }

    /// Gives both back, the newest first.
    pub fn into_inner(self) -> (Texture<T>, Texture<T>) {
        (self.newest, self.oldest)
    }
}
