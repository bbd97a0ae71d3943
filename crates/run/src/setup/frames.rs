//! Inputs that are sequences of numbered files, one for each step.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::error::{InputError, Result};
use crate::io::Numbered;
use crate::io::field::{self, Notes};
use quadrille::Place;
use quadrille::data::Field;
use quadrille::internal::data::Layout;
use quadrille::io;

use crate::io::cells::COLOUR;

/// A sequence of numbered `.npy`, `.png` or `.jpg` files, of which each step of an experiment reads
/// the next: the first step the file with the lowest number. While a step computes with one, a
/// thread reads the next two; the others are not in memory.
///
/// ```
/// use quadrille::{Context, Source, data::Field};
/// use quadrille_run::io::{FileNames, field};
/// use quadrille_run::{Experiment, Frames, Setup};
/// # let context = Context::headless()?;
/// # let folder = std::env::temp_dir().join("quadrille-frames-doc");
/// # std::fs::create_dir_all(&folder)?;
/// for number in 1..=3 {
///     let line = Field::line(vec![number as f32])?;
///     field::write(folder.join(format!("x-{number:02}.npy")), &line, Default::default())?;
/// }
/// let text = format!("{}/x-%02d.npy", folder.display());
/// let FileNames::Each(files) = FileNames::parse(&text)? else { unreachable!() };
/// let (frames, first, _) = Frames::find(&files)?;
/// assert_eq!((frames.count(), first.values().len()), (3, 1));
///
/// let add = Source::fragment("add.frag", "
///     uniform sampler2D x;
///     uniform sampler2D sum;
///     out float more;
///     void main() { more = READ(sum, TEXEL).r + READ(x, TEXEL).r; }");
/// let zero = Field::line(vec![0.0_f32])?;
/// let setup = Setup::new().frames("x", frames, first).input("sum", zero).feedback("more", "sum");
/// let mut experiment = Experiment::new(&context, &add, setup)?;
/// experiment.advance(3, &mut ())?;
/// assert_eq!(experiment.read("more")?, Field::line(vec![6.0_f32])?);
/// assert!(experiment.step().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frames {
    files: Numbered,
    /// The number of the first.
    start: u64,
    count: u64,
    /// Whether grey levels are read as colours.
    pub(crate) in_colours: bool,
}

impl Frames {
    /// Looks for the files, and reads the first.
    ///
    /// # Errors
    /// [`io::Error::NoFrame`] if there are none, or one is missing; those of [`field::read`].
    pub fn find(files: &Numbered) -> Result<(Frames, Field, Notes), io::Error> {
        let numbers = files.find()?;
        let (start, files) = (*numbers.start(), files.clone());
        let count = numbers.end() - start + 1;
        let (first, notes) = field::read(files.name(start))?;
        Ok((Frames { files, start, count, in_colours: false }, first, notes))
    }

    /// Returns the number of frames.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Refuses more steps than there are frames.
    pub(crate) fn must_have(&self, input: &str, steps: u64) -> Result<()> {
        if steps <= self.count {
            return Ok(());
        }
        let last = self.files.name(self.start + self.count - 1);
        let files = format!("{} to {}", self.files.name(self.start).display(), last.display());
        Err(InputError::NoFrame { input: input.to_owned(), frames: self.count, files, steps }
            .into())
    }
}

type Read = Result<(Field, Notes), io::Error>;

/// A sequence that is being read.
#[derive(Debug)]
pub(crate) struct Reading {
    sequence: Frames,
    /// The layout of each frame.
    layout: Layout,
    /// The frame that the input holds.
    held: u64,
    /// The frame that comes next, and those from it on.
    next: u64,
    ahead: Option<Receiver<Read>>,
}

impl Reading {
    /// Starts to read a sequence whose first frame, of this layout, the input holds already.
    pub(crate) fn of(sequence: Frames, layout: Layout) -> Reading {
        Reading { sequence, layout, held: 0, next: 1, ahead: None }
    }

    /// Refuses to come to this step if it ends before.
    pub(crate) fn must_have(&self, input: &str, steps: u64) -> Result<()> {
        self.sequence.must_have(input, steps)
    }

    /// Returns the frame of a step; none if the input holds it.
    pub(crate) fn bring(&mut self, input: &str, iteration: u64) -> Result<Option<Field>> {
        self.sequence.must_have(input, iteration.saturating_add(1))?;
        if self.held == iteration {
            return Ok(None);
        }
        if self.ahead.is_none() || self.next != iteration {
            self.ahead = Some(read_ahead(self.sequence.clone(), iteration));
        }
        let name = self.sequence.files.name(self.sequence.start + iteration);
        let read = match &self.ahead {
            Some(ahead) => ahead.recv().unwrap_or_else(|_| field::read(&name)),
            None => field::read(&name),
        };
        self.next = iteration + 1;
        let (field, _) = read?;
        let shades = self.sequence.in_colours && field.is_picture();
        let field = if shades { field.in_colours(COLOUR)? } else { field };
        must_be_alike(&name, input, self.layout, field.layout())?;
        self.held = iteration;
        Ok(Some(field))
    }
}

/// Reads frames in their order on a thread, which waits while two are not taken and ends when
/// nobody takes them.
fn read_ahead(sequence: Frames, first: u64) -> Receiver<Read> {
    let (sender, receiver) = sync_channel(1);
    let work = move || {
        for index in first..sequence.count {
            if sender.send(field::read(sequence.files.name(sequence.start + index))).is_err() {
                break;
            }
        }
    };
    // Without a thread there is nobody to receive from, and each frame is read when it is due.
    let _ = thread::Builder::new().name("frames".into()).spawn(work);
    receiver
}

fn must_be_alike(name: &Path, input: &str, expected: Layout, got: Layout) -> Result<()> {
    if expected == got {
        return Ok(());
    }
    let text = |layout: Layout| {
        let plural = if layout.channels == 1 { "" } else { "s" };
        let size = format!("{} x {}", layout.extent.width, layout.extent.height);
        let axis = if layout.line { ", an array of one axis" } else { "" };
        format!("{} channel{plural}, {size}{axis}", layout.channels)
    };
    let place = Place::file(name.display().to_string());
    let (input, expected, got) = (input.to_owned(), text(expected), text(got));
    Err(InputError::Frame { place, input, expected, got }.into())
}

/// The files that it reads, from the first on. More of them may come later.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} on", self.sequence.files, self.sequence.start)
    }
}
