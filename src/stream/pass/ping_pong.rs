//! Ping-pong: two textures that alternate as source and target of an iteration.

use crate::Extent;
use crate::gl::{Context, Error, Filter, Result, Texel, Texture, Wrap};

/// Two textures of one extent for iterations: each step reads the newest texture and writes the
/// other one, which becomes the newest.
///
/// ```
/// use quadrille::{Context, Extent, PingPong, Source};
/// let context = Context::headless()?;
/// let text = "uniform sampler2D x; out float y; void main() { y = 0.5 * READ(x, TEXEL).r + 1.0; }";
/// let step = context.kernel(Source::fragment("step.frag", text))?;
/// let mut x = PingPong::<f32>::zeros(&context, Extent::new(1, 1))?;
/// for _ in 0..10 {
///     x.step(|old, new| step.pass().input("x", old).draw(new))?;
/// }
/// assert_eq!(x.newest().read()?, [2.0 - 1.0 / 512.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PingPong<T: Texel> {
    newest: Texture<T>,
    oldest: Texture<T>,
}

impl<T: Texel> PingPong<T> {
    /// Pairs `first`, which the first step reads, with `second`, which it writes. Both are sampled
    /// as `first` is: with a filter and a wrap mode of its own, as in
    /// `PingPong::new(heat.with_wrap(Wrap::Repeat), other)`, every step has them.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if the extents differ.
    pub fn new(first: Texture<T>, mut second: Texture<T>) -> Result<Self> {
        if first.extent() != second.extent() {
            return Err(Error::Length {
                what: format!("ping-pong between {} and {}", first.extent(), second.extent()),
                expected: first.extent().texels(),
                got: second.extent().texels(),
            });
        }
        second.sample_as(&first);
        Ok(PingPong { newest: first, oldest: second })
    }

    /// Creates a pair of textures of zeros.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the extent exceeds the limit of the device, and errors of the device.
    pub fn zeros(context: &Context, extent: Extent) -> Result<Self> {
        let (mut first, mut second) = (context.uninit(extent)?, context.uninit(extent)?);
        first.fill(T::zeroed())?;
        second.fill(T::zeroed())?;
        PingPong::new(first, second)
    }

    /// Sets the filter of both textures, as in `PingPong::<f32>::zeros(&context,
    /// extent)?.with_filter(Filter::Linear)?`.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the device cannot filter textures of `T`.
    pub fn with_filter(mut self, filter: Filter) -> Result<Self> {
        self.set_filter(filter)?;
        Ok(self)
    }

    /// Sets the wrap mode of both textures.
    pub fn with_wrap(mut self, wrap: Wrap) -> Self {
        self.set_wrap(wrap);
        self
    }

    /// Sets the filter of both textures, as [`Texture::set_filter`].
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the device cannot filter textures of `T`.
    pub fn set_filter(&mut self, filter: Filter) -> Result<()> {
        self.newest.set_filter(filter)?;
        self.oldest.set_filter(filter)
    }

    /// Sets the wrap mode of both textures, as [`Texture::set_wrap`].
    pub fn set_wrap(&mut self, wrap: Wrap) {
        self.newest.set_wrap(wrap);
        self.oldest.set_wrap(wrap);
    }

    /// Runs a step, which reads the newest texture and writes the other. The other becomes the
    /// newest unless the step failed.
    ///
    /// # Errors
    ///
    /// Those of `step`.
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
    ///
    /// # Errors
    ///
    /// Those of `work`.
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

    /// Returns the texture written last.
    pub fn newest(&self) -> &Texture<T> {
        &self.newest
    }

    /// Returns the texture written last, for the host to write to. A filter or wrap mode that is
    /// set here changes with the next step: set those of the pair.
    pub fn newest_mut(&mut self) -> &mut Texture<T> {
        &mut self.newest
    }

    /// Returns both textures, the newest first.
    pub fn into_inner(self) -> (Texture<T>, Texture<T>) {
        (self.newest, self.oldest)
    }
}
