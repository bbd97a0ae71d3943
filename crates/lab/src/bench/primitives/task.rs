//! The tasks that are timed.

use quadrille::gl::Context;
use quadrille::stream::Clock;

use crate::report::names::named_enum;

named_enum! {
    /// A task that is timed.
    pub enum Task: "task" {
        /// The sums of all floats up to each: 8 bytes a number.
        Scan => "scan",
        /// The floats above 0.5, which are half of them, in their order; their number is read back:
        /// 8 bytes a number.
        Select => "select",
        /// `u32` in their order.
        Sort => "sort",
        /// `u32` of 16 bits in their order.
        Sort16 => "sort-16",
        /// The places of `u32` in their order.
        Argsort => "argsort",
        /// How many of `u32` are in each of 256 bins: 4 bytes a number.
        Histogram => "histogram",
        /// The same of one number that repeats.
        HistogramOne => "histogram-one",
        /// A Fourier transform of complex numbers, in two dimensions where they are a square.
        Fft => "fft",
        /// A correlation with 3 x 3 weights, of rows of 1024 numbers: 8 bytes a number.
        Convolution => "convolution",
    }
}

// In the order of the table.
impl Task {
    /// The unit of its rate.
    pub fn unit(self) -> &'static str {
        match self {
            Task::Sort | Task::Sort16 | Task::Argsort | Task::Fft => "G/s",
            _ => "GB/s",
        }
    }

    /// What counts for each number: its bytes, or itself.
    pub(super) fn counted(self) -> usize {
        match self {
            Task::Scan | Task::Select | Task::Convolution => 8,
            Task::Histogram | Task::HistogramOne => 4,
            Task::Sort | Task::Sort16 | Task::Argsort | Task::Fft => 1,
        }
    }

    /// The arrays of the vector's length that it takes about.
    pub(super) fn arrays(self) -> usize {
        match self {
            Task::Scan => 3,
            Task::Select | Task::Sort | Task::Sort16 => 5,
            Task::Argsort | Task::Fft => 9,
            Task::Histogram | Task::HistogramOne | Task::Convolution => 2,
        }
    }

    /// The clock: what ends on the host is timed by the wall.
    pub(super) fn clock(self, context: &Context) -> Clock {
        match self {
            Task::Select => Clock::Wall,
            _ => Clock::of(context),
        }
    }
}
