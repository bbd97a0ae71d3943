//! What a report is made of, without a word about how it is shown: tables, figures, findings and
//! wishes, which can be written to a file and read again, so that a report may be finished later.

use serde::{Deserialize, Serialize};

/// A document whose tables and figures are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Document {
    /// Fatahalian, Sugerman and Hanrahan: Understanding the Efficiency of GPU Algorithms for
    /// Matrix-Matrix Multiplication (2004).
    #[serde(rename = "matmul-2004")]
    Matmul2004,
    /// Thompson, Hahn and Oskin: Using Modern Graphics Architectures for General-Purpose Computing
    /// (2002).
    #[serde(rename = "vectors-2002")]
    Vectors2002,
    /// Göddeke: GPGPU Performance Tuning (2005).
    Jacobi,
    /// A tutorial's templated matrix class in CUDA (2010).
    CudaMatmul,
}

impl Document {
    /// All of them, in the order of the report.
    pub const ALL: [Document; 4] =
        [Document::Matmul2004, Document::Vectors2002, Document::Jacobi, Document::CudaMatmul];

    /// Its short name, as in reports and arguments.
    pub fn name(self) -> &'static str {
        match self {
            Document::Matmul2004 => "matmul-2004",
            Document::Vectors2002 => "vectors-2002",
            Document::Jacobi => "jacobi",
            Document::CudaMatmul => "cuda-matmul",
        }
    }

    /// What stands on its first page.
    pub fn title(self) -> &'static str {
        match self {
            Document::Matmul2004 => {
                "Understanding the Efficiency of GPU Algorithms for Matrix-Matrix Multiplication"
            }
            Document::Vectors2002 => {
                "Using Modern Graphics Architectures for General-Purpose Computing"
            }
            Document::Jacobi => "GPGPU Performance Tuning",
            Document::CudaMatmul => "A templated matrix class in CUDA",
        }
    }

    /// Who wrote it, and when.
    pub fn origin(self) -> &'static str {
        match self {
            Document::Matmul2004 => "Fatahalian, Sugerman and Hanrahan, 2004",
            Document::Vectors2002 => "Thompson, Hahn and Oskin, 2002",
            Document::Jacobi => "Göddeke, 2005",
            Document::CudaMatmul => "a tutorial, 2010",
        }
    }
}

/// What one study found: a part of the report, and the unit in which it can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// In the order in which they stand.
    pub tables: Vec<Table>,
    /// In the order in which they stand.
    pub figures: Vec<Figure>,
    /// What the paper says, judged.
    pub findings: Vec<Finding>,
    /// What the paper wished of hardware, and what came of it.
    pub wishes: Vec<FeatureRequest>,
    /// What could not be run here, each with its reason.
    pub left_out: Vec<String>,
}

impl Part {
    /// The part with nothing in it that JSON could not give back: numbers that are not finite are
    /// words in tables, and have no place in figures.
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

/// Numbers in rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Unique in the report and fit for a file's name: `vectors-2002-table-4`.
    pub id: String,
    /// What stands above, with the paper's own number of the table where it has one.
    pub title: String,
    /// What each column holds, with its unit: `time [ms]`.
    pub columns: Vec<String>,
    /// As many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// What a reader must know to judge the numbers.
    pub notes: Vec<String>,
    /// The command that repeats the measurement alone.
    pub command: String,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number, in full; shown with three digits.
    Number(f64),
    /// Words.
    Text(String),
    /// Nothing was measured, or the paper has no number.
    Empty,
}

impl From<f64> for Cell {
    /// What is not finite is a word, since JSON has no such numbers.
    fn from(number: f64) -> Cell {
        if number.is_finite() { Cell::Number(number) } else { Cell::Text(number.to_string()) }
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Cell {
        Cell::Number(number as f64)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Empty, Into::into)
    }
}

/// A figure, as numbers: who shows it draws it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Unique in the report and fit for a file's name.
    pub id: String,
    /// What stands above, with the paper's own number of the figure where it has one.
    pub title: String,
    /// What is drawn.
    pub plot: Plot,
    /// What a reader must know to judge it.
    pub notes: Vec<String>,
}

/// The kinds of figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plot {
    /// Bars in groups: in each group a bar for each series, where there is one.
    Bars {
        /// What the axis counts.
        unit: String,
        /// What the bars of one colour have in common.
        series: Vec<String>,
        /// A name, and a bar for each series.
        groups: Vec<(String, Vec<Option<f64>>)>,
    },
    /// Lines through points.
    Lines {
        /// What the axes count.
        axes: [String; 2],
        /// Whether both axes are logarithmic.
        logarithmic: bool,
        /// The lines.
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

/// One line of a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// From left to right.
    pub points: Vec<[f64; 2]>,
    /// Whether it is the paper's, and not measured here.
    pub quoted: bool,
}

/// A sentence of a document, judged by this device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Who says it.
    pub document: Document,
    /// What it says.
    pub claim: String,
    /// What was measured here, with its numbers; or why nothing could be.
    pub measured: String,
    /// What follows.
    pub verdict: Verdict,
}

/// What a measurement says of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds here.
    Confirmed,
    /// It does not hold here.
    Contradicted,
    /// This device cannot tell; [`Finding::measured`] says why.
    #[serde(rename = "not measurable")]
    NotMeasurable,
}

impl Verdict {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Verdict; 3] =
        [Verdict::Confirmed, Verdict::Contradicted, Verdict::NotMeasurable];

    /// Confirmed if it holds.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Confirmed } else { Verdict::Contradicted }
    }

    /// As reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Contradicted => "contradicted",
            Verdict::NotMeasurable => "not measurable",
        }
    }
}

/// What a document asked of the hardware to come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureRequest {
    /// What was missing.
    pub wish: String,
    /// What OpenGL has for it today, and how quadrille uses it.
    pub answer: String,
    /// What it buys here, measured; or why it could not be.
    pub buys: String,
}
