//! The files to write, all checked before any work.

use std::io::Write;

use quadrille::data::{Grid3, SystemMatrix};
use quadrille::io::write_whole;
use quadrille::{io, memory};
use quadrille_lab::chart;
use quadrille_lab::report::{Figure, Plot};
use quadrille_lab::solve::{RESIDUAL_AXIS, residual_line};

use super::arguments::Arguments;
use super::grid::Slice;
use super::history::History;
use super::system::Side;
use crate::prelude::*;

/// The files that results are written to.
pub(super) struct Outputs {
    solution: Option<PathBuf>,
    picture: Option<PathBuf>,
    history: Option<PathBuf>,
    plot: Option<PathBuf>,
    matrix: Option<PathBuf>,
    slice: Option<Slice>,
}

/// The grid whose points a picture shows.
#[derive(Clone, Copy)]
pub(super) enum PictureGrid {
    /// Rows of so many points.
    Rows(usize),
    Space(Grid3),
}

impl PictureGrid {
    /// Returns the grid of a matrix that has one.
    pub(super) fn of(matrix: &SystemMatrix) -> Option<PictureGrid> {
        match matrix {
            SystemMatrix::Grid(matrix) => Some(PictureGrid::Space(matrix.grid())),
            matrix => matrix.width().map(PictureGrid::Rows),
        }
    }
}

impl Outputs {
    /// Refuses files that could not be written, and two results for one file.
    pub(super) fn plan(arguments: &Arguments) -> anyhow::Result<Outputs> {
        let outputs = Outputs {
            solution: arguments.output.clone(),
            picture: arguments.picture.clone(),
            history: arguments.history.clone(),
            plot: arguments.plot.clone(),
            matrix: arguments.write_matrix.clone(),
            slice: arguments.slice,
        };
        if let Some(path) = &outputs.solution {
            io::vector::check_name(path)?;
            output::check_folder(path)?;
        }
        for (path, ending) in
            [(&outputs.picture, ".png"), (&outputs.history, ".csv"), (&outputs.matrix, ".mtx")]
        {
            output::check_file(path.as_deref(), ending)?;
        }
        output::check_chart(outputs.plot.as_deref())?;
        let files = outputs.files().into_iter();
        let named: Vec<_> = files.filter_map(|(name, path)| Some((name, path?))).collect();
        for (at, (name, path)) in named.iter().enumerate() {
            if let Some((other, _)) = named[..at].iter().find(|(_, other)| other == path) {
                let text = format!("--{other} and --{name} are one file, {}", path.display());
                return Err(Failure::Input { text }.into());
            }
        }
        Ok(outputs)
    }

    /// The files, each by the name of its argument.
    pub(super) fn files(&self) -> [(&'static str, Option<&Path>); 5] {
        let all = [
            ("output", &self.solution),
            ("picture", &self.picture),
            ("history", &self.history),
            ("plot", &self.plot),
            ("write-matrix", &self.matrix),
        ];
        all.map(|(name, path)| (name, path.as_deref()))
    }

    /// The fate of the solution, for a message.
    pub(super) fn kept(&self) -> String {
        match (&self.solution, &self.picture) {
            (Some(path), _) => format!("the nearest iterate is in {}", path.display()),
            (None, Some(path)) => format!("the nearest iterate is drawn in {}", path.display()),
            (None, None) => "without --output the nearest iterate is lost".into(),
        }
    }

    /// Refuses a picture of unknowns that are no points of a grid, and a slice that it does not have.
    pub(super) fn must_have_a_grid(&self, matrix: &SystemMatrix) -> Result<(), Failure> {
        if self.picture.is_none() {
            return Ok(());
        }
        match (PictureGrid::of(matrix), self.slice) {
            (None, _) => Err(Failure::Input {
                text: "--picture draws the points of a grid, which a matrix without nine diagonals has not; leave it out, and write x \
                       by --output"
                    .into(),
            }),
            (Some(PictureGrid::Rows(_)), Some(_)) => Err(Failure::Input {
                text: "--slice is for grids of three dimensions, and this one has two; leave it out".into(),
            }),
            (Some(PictureGrid::Space(grid)), Some(slice)) => slice.must_be_in(grid),
            _ => Ok(()),
        }
    }

    pub(super) fn write_matrix(&self, matrix: &SystemMatrix) -> Result<(), io::Error> {
        let Some(path) = &self.matrix else { return Ok(()) };
        interrupt::writing(|| io::matrix_market::write_system(path, matrix))
    }

    /// The solutions, one row for each right-hand side, and how they were found.
    pub(super) fn write(
        &self,
        sides: &[Side],
        solutions: &[&[f64]],
        grid: Option<PictureGrid>,
        title: &str,
        history: &History<'_>,
    ) -> anyhow::Result<()> {
        if let Some(path) = &self.solution {
            match (sides, solutions) {
                ([side], [x]) => io::vector::write_f64(path, &side.shape, x)?,
                (_, all) => {
                    let n = all.first().map_or(0, |x| x.len());
                    let rows = all.iter().flat_map(|x| x.iter().copied());
                    let rows = memory::collected(n * all.len(), rows)?;
                    io::vector::write_f64(path, &[all.len(), n], &rows)?;
                }
            }
        }
        if let (Some(path), Some(x), Some(grid)) = (&self.picture, solutions.first(), grid) {
            let (width, values, title) = match grid {
                PictureGrid::Rows(width) => {
                    let values = memory::collected(x.len(), x.iter().map(|x| *x as f32))?;
                    (width, values, title.to_owned())
                }
                PictureGrid::Space(grid) => {
                    let slice = self.slice.unwrap_or_else(|| Slice::middle(grid));
                    let (width, values) = slice.of(grid, x);
                    (width, values, format!("{title}; {slice}"))
                }
            };
            let height = values.len().div_ceil(width);
            quadrille_run::io::picture::HeatMap::new(width, height, &values)
                .title(&title)
                .write(path)?;
        }
        self.write_history(title, history)
    }

    /// Writes the histories of the residuals.
    pub(super) fn write_history(&self, title: &str, history: &History<'_>) -> anyhow::Result<()> {
        if let Some(path) = &self.history {
            write_whole(path, |file| file.write_all(history.table().as_bytes()))?;
        }
        if let Some(path) = &self.plot {
            let svg = chart::svg_of_all(&[figure(title, history)])?;
            write_whole(path, |file| file.write_all(svg.as_bytes()))?;
        }
        Ok(())
    }
}

fn figure(title: &str, history: &History<'_>) -> Figure {
    let lines = history.lines().into_iter().map(|(name, points)| {
        let points = points.into_iter();
        residual_line(name, points.map(|(done, residual)| (done as f64, residual)))
    });
    let plot = Plot::Lines {
        axes: ["iterations".into(), RESIDUAL_AXIS.into()],
        logarithmic: false,
        lines: lines.collect(),
    };
    Figure { id: "history".into(), title: title.into(), plot, notes: Vec::new() }
}
