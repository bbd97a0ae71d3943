//! The contents of a report, independent of its rendering: tables, figures and findings, which can
//! be stored and read again, so that a report can be finished later.

pub mod document;
pub mod estimate;
mod finding;
pub mod limit;
pub mod names;
pub mod table;
pub mod text;

use names::named_enum;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::numbers::shown;

pub use self::finding::{Answer, Basis, Estimate, Finding, Kind, Stability, Verdict};

named_enum! {
    /// A paper or tutorial whose tables and figures are repeated.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Document: "paper" {
        /// Fatahalian, Sugerman and Hanrahan: Understanding the Efficiency of GPU Algorithms for
        /// Matrix-Matrix Multiplication (2004).
        #[serde(rename = "matmul-2004")]
        Matmul2004 => "matmul-2004",
        /// Thompson, Hahn and Oskin: Using Modern Graphics Architectures for General-Purpose
        /// Computing (2002).
        #[serde(rename = "vectors-2002")]
        Vectors2002 => "vectors-2002",
        /// Göddeke: GPGPU Performance Tuning (2005).
        Jacobi => "jacobi",
        /// "Parallel programming using CUDA", a tutorial (2010).
        CudaMatmul => "cuda-matmul",
    }
}

impl Document {
    pub fn title(self) -> &'static str {
        match self {
            Document::Matmul2004 => {
                "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication"
            }
            Document::Vectors2002 => {
                "Using Modern Graphics Architectures for General-Purpose Computing: A Framework and Analysis"
            }
            Document::Jacobi => "GPGPU Performance Tuning – An illustrated example",
            Document::CudaMatmul => "Parallel programming using CUDA",
        }
    }

    pub fn origin(self) -> &'static str {
        match self {
            Document::Matmul2004 => "Fatahalian, Sugerman and Hanrahan, 2004",
            Document::Vectors2002 => "Thompson, Hahn and Oskin, 2002",
            Document::Jacobi => "Göddeke, 2005",
            Document::CudaMatmul => "a tutorial, 2010",
        }
    }
}

/// The results of one study: a part of the report, and the unit in which it is resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub tables: Vec<Table>,
    pub figures: Vec<Figure>,
    pub findings: Vec<Finding>,
    pub left_out: Vec<String>,
    /// The share of the processors that other programs had meanwhile; 0 where the system does not
    /// say.
    #[serde(default)]
    pub others: f64,
}

/// The most of the processors that other programs may have, for times to be undisturbed.
pub const QUIET: f64 = 0.15;

impl Part {
    /// Whether other programs may have changed its times.
    pub fn is_disturbed(&self) -> bool {
        self.others > QUIET
    }

    /// The part without values that JSON cannot represent: values that are not finite become
    /// words in tables and are left out of figures.
    pub fn finite(mut self) -> Part {
        let cells = self.tables.iter_mut().flat_map(|table| table.rows.iter_mut().flatten());
        for cell in cells {
            if let Cell::Number(number) = cell {
                *cell = Cell::from(*number);
            }
        }
        for figure in &mut self.figures {
            figure.plot.keep_finite();
        }
        self
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Unique in the report and fit for a file's name: `vectors-2002-table-4`.
    pub id: String,
    /// The caption, with the paper's own number of the table if it has one.
    pub title: String,
    /// The headings of the columns, with units: `time [ms]`.
    pub columns: Vec<String>,
    /// The rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    pub notes: Vec<String>,
    /// The command that repeats the measurement alone.
    pub command: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A count or a size, shown in full.
    Count(u64),
    /// A number, in full; shown with three digits.
    Number(f64),
    Flag(bool),
    Text(String),
    /// An empty cell: nothing was measured, or the paper has no number.
    Empty,
}

impl From<f64> for Cell {
    /// Makes a cell of a number; one that is not finite becomes a word, since JSON has no such
    /// numbers.
    fn from(number: f64) -> Cell {
        if number.is_finite() { Cell::Number(number) } else { Cell::Text(number.to_string()) }
    }
}

macro_rules! cells {
    ($($From:ty => $cell:expr),* $(,)?) => {
        $(impl From<$From> for Cell {
            fn from(value: $From) -> Cell {
                $cell(value)
            }
        })*
    };
}

cells!(
    usize => |count| Cell::Count(count as u64),
    u64 => Cell::Count,
    u32 => |count: u32| Cell::Count(count.into()),
    bool => Cell::Flag,
    &str => |text: &str| Cell::Text(text.to_owned()),
    String => Cell::Text,
);

impl From<Duration> for Cell {
    /// Makes a cell of a time in milliseconds.
    fn from(time: Duration) -> Cell {
        Cell::Number(time.as_secs_f64() * 1e3)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Empty, Into::into)
    }
}

impl Cell {
    /// The text of the cell for people.
    pub fn shown(&self) -> String {
        match self {
            Cell::Count(number) => shown(*number as f64),
            Cell::Number(number) => shown(*number),
            Cell::Flag(holds) => if *holds { "yes" } else { "no" }.into(),
            Cell::Text(text) => text.clone(),
            Cell::Empty => "–".into(),
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Count(_) | Cell::Number(_))
    }

    /// Whether a column has numbers, and besides them no more than gaps and a few words.
    pub fn are_numbers<'a>(cells: impl Iterator<Item = &'a Cell>) -> bool {
        let (mut numbers, mut words) = (0, 0);
        for cell in cells.filter(|cell| **cell != Cell::Empty) {
            *(if cell.is_number() { &mut numbers } else { &mut words }) += 1;
        }
        numbers > 0 && numbers >= words
    }
}

/// A figure as values, without its drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Unique in the report and fit for a file's name.
    pub id: String,
    /// The caption, with the paper's own number of the figure if it has one.
    pub title: String,
    pub plot: Plot,
    pub notes: Vec<String>,
}

impl Figure {
    /// Bars in groups. A group without a bar is left out; without any group there is no figure.
    pub fn bars(
        id: impl Into<String>,
        title: impl Into<String>,
        unit: &str,
        series: impl IntoIterator<Item = impl Into<String>>,
        groups: impl IntoIterator<Item = BarGroup>,
    ) -> Option<Figure> {
        let has_bars = |(_, bars): &BarGroup| bars.iter().any(Option::is_some);
        let groups: Vec<BarGroup> = groups.into_iter().filter(has_bars).collect();
        let series = series.into_iter().map(Into::into).collect();
        let some = !groups.is_empty();
        let plot = Plot::Bars { unit: unit.into(), series, groups };
        some.then(|| Figure { id: id.into(), title: title.into(), plot, notes: Vec::new() })
    }

    /// Lines over logarithmic axes. A line without a point is left out; without any line there is
    /// no figure.
    pub fn lines(
        id: impl Into<String>,
        title: impl Into<String>,
        axes: [&str; 2],
        lines: impl IntoIterator<Item = Line>,
    ) -> Option<Figure> {
        let lines: Vec<Line> = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
        let some = !lines.is_empty();
        let plot = Plot::Lines { axes: axes.map(String::from), logarithmic: true, lines };
        some.then(|| Figure { id: id.into(), title: title.into(), plot, notes: Vec::new() })
    }

    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Figure {
        self.notes.push(note.into());
        self
    }
}

/// The name of a group of bars, and a bar for each series.
pub type BarGroup = (String, Vec<Option<f64>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// Bars in groups, with at most one bar of each series in a group.
    Bars {
        unit: String,
        series: Vec<String>,
        groups: Vec<BarGroup>,
    },
    Lines {
        axes: [String; 2],
        logarithmic: bool,
        lines: Vec<Line>,
    },
}

impl Plot {
    fn keep_finite(&mut self) {
        match self {
            Plot::Bars { groups, .. } => {
                let bars = groups.iter_mut().flat_map(|(_, bars)| bars);
                bars.for_each(|bar| *bar = bar.filter(|height| height.is_finite()));
            }
            Plot::Lines { lines, .. } => {
                let all_finite = |point: &[f64; 2]| point.iter().all(|number| number.is_finite());
                lines.iter_mut().for_each(|line| line.points.retain(all_finite));
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub name: String,
    /// The points from left to right.
    pub points: Vec<[f64; 2]>,
    pub quoted: bool,
}

impl Line {
    pub fn measured(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Line {
        Line { name: name.into(), points: points.into_iter().collect(), quoted: false }
    }

    pub fn quoted(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Line {
        Line { quoted: true, ..Line::measured(name, points) }
    }
}

/// Returns what there is, each once, in the order in which it comes first.
pub fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut some = Vec::new();
    for one in all {
        if !some.contains(&one) {
            some.push(one);
        }
    }
    some
}
