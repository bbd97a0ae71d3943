//! `quadrille card`: the accuracy card of a device.

mod share;

use quadrille_lab::card::{self, Accuracy, Card, Engine, Group, Section};
use quadrille_lab::numbers::short;
use quadrille_lab::text::{aligned, broken};

use crate::output::progress::with_bar;
use crate::prelude::*;

const ABOUT: &str = "\
Measures the accuracy of this device's arithmetic, in fragment, vertex and compute shaders:
- the error of each operation and built-in function, in units in the last place (ULP);
- how it rounds, whether it fuses a * b + c, and whether it respects `precise`;
- how it treats denormals, NaN and infinities;
- which texels each way of reading reaches exactly, and which pixels lines cover;
- the error of interpolated coordinates, and how many iterations a loop may have.

--share writes one file to attach to a report of a device: the sentences, the largest errors, what the context can do and its
limits, the versions of the system and of the driver, the speed of a ladder of products, and the time of a first solution with
an empty cache. It has no name of a user, a computer or a folder. A file of that name is replaced.

The exit code is 0 even if the arithmetic is poor.";

const EXAMPLES: &str = "\
Examples:
  quadrille card
  quadrille card --device llvmpipe --json
  quadrille card --share";

/// Measure the accuracy of this device's arithmetic
#[derive(Args)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The seed of random arguments
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    device: DeviceArguments,

    /// Print one JSON object, with every row of every engine, instead of text
    #[arg(long)]
    json: bool,

    /// Also write a file for a report of this device, which names no user, computer or folder
    /// [default: quadrille-card.json]
    #[arg(long, value_name = "FILE.json", num_args = 0..=1, default_missing_value = share::NAME)]
    share: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    card: &'a Card,
    verdicts: &'a [Section],
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    output::check_file(arguments.share.as_deref(), ".json")?;
    let context = arguments.device.untuned()?;
    let card = with_bar("questions", |bar| card::run(&context, arguments.seed, bar))?;
    let verdicts = card.verdicts();
    output::show(arguments.json, &Report { card: &card, verdicts: &verdicts }, || {
        text(&card, &verdicts)
    })?;
    if card.stopped {
        return Err(interrupt::stopped("; unfinished measurements are left out").into());
    }
    match &arguments.share {
        Some(path) => share::write(path, &context, &card, &verdicts),
        None => Ok(()),
    }
}

/// Columns that a line may take.
const WIDTH: usize = 98;

fn text(card: &Card, verdicts: &[Section]) -> String {
    let mut parts = vec![format!("{}\n{}, seed {}", card.device, card.api, card.seed)];
    parts.extend(verdicts.iter().map(section));
    parts.push(
        "! marks what a program must take care of. The sentences describe fragment shaders.".into(),
    );
    if !card.accuracy.is_empty() {
        parts.push(accuracy(card));
    }
    if !card.specials.is_empty() {
        parts.push(format!(
            "min, max and similar functions, where IEEE 754 leaves a choice\n{}",
            open(card)
        ));
    }
    if !card.interpolation.is_empty() {
        parts.push(format!(
            "interpolated coordinates of neighbours that are not exact\n{}",
            interpolation(card)
        ));
    }
    parts.join("\n\n")
}

fn section(section: &Section) -> String {
    let sentences = section.verdicts.iter().map(|verdict| {
        let mark = if verdict.care { "  ! " } else { "    " };
        wrapped(mark, &verdict.text)
    });
    let lines: Vec<String> = [section.title.to_owned()].into_iter().chain(sentences).collect();
    lines.join("\n")
}

/// A sentence after its mark, with its other lines indented.
fn wrapped(mark: &str, text: &str) -> String {
    let indent = mark.len() + 2;
    let lines = broken(text.split(' '), WIDTH - indent);
    format!("{mark}{}", lines.join(&format!("\n{}", " ".repeat(indent))))
}

fn accuracy(card: &Card) -> String {
    let headings = ["operation", "arguments", "max ULP", "mean", "inexact", "worst at", "promised"];
    let mut last = "";
    let fragment = card.accuracy.iter().filter(|row| row.engine == Engine::Fragment);
    let rows = fragment.map(|row| {
        let name = if row.operation == last { "" } else { row.operation };
        last = row.operation;
        vec![
            name.into(),
            row.range.into(),
            ulps(row.max_ulps),
            ulps(row.mean_ulps),
            format!("{:.0}", 100.0 * row.not_nearest as f64 / row.arguments.max(1) as f64),
            worst(row),
            promised(row),
        ]
    });
    let table = aligned(&headings, rows.collect());
    format!(
        "errors in units in the last place; inexact: percent that are not the nearest float\n{table}"
    )
}

fn promised(row: &Accuracy) -> String {
    match row.kept {
        Some(false) => format!("! {}", row.promise),
        _ => row.promise.to_owned(),
    }
}

/// The first two arguments of the largest error.
fn worst(row: &Accuracy) -> String {
    match row.max_ulps > 0.0 {
        true => row.worst.iter().take(2).map(|x| argument(*x)).collect::<Vec<_>>().join(", "),
        false => String::new(),
    }
}

/// Three digits; near 1 the distance from 1.
fn argument(number: f32) -> String {
    match (number.abs() - 1.0).abs() < 1e-3 && number.abs() != 1.0 {
        true => format!("{}{:+.1e}", number.signum(), number - number.signum()),
        false => short(number.into()),
    }
}

fn ulps(ulps: f64) -> String {
    match ulps {
        n if !n.is_finite() => "no number".into(),
        n if n < 100.0 => format!("{n:.2}"),
        n => short(n),
    }
}

/// The table of what GLSL and IEEE 754 leave open, by engine, where devices differ most.
fn open(card: &Card) -> String {
    let names: Vec<&str> = card.engines.iter().map(|engine| engine.name()).collect();
    let headings: Vec<&str> = [&["expression"][..], &names].concat();
    let mut rows = Vec::new();
    let asked = |row: &&card::Answer| row.engine == Engine::Fragment && row.ieee.is_none();
    for row in card.specials.iter().filter(asked).filter(|row| row.group != Group::Denormals) {
        let answers = card.specials.iter().filter(|other| other.what == row.what);
        let cells = [row.what.to_owned()].into_iter();
        rows.push(cells.chain(answers.map(|answer| answer.gives.clone())).collect());
    }
    aligned(&headings, rows)
}

fn interpolation(card: &Card) -> String {
    let inexact = card.interpolation.iter().filter(|row| row.max_texels > 0.0 || row.misread > 0);
    let row = |row: &card::Interpolation| {
        let off = [row.max_texels, row.max_ulps].map(ulps);
        [&[row.extent.clone(), row.reads.into()][..], &off, &[row.misread.to_string()]].concat()
    };
    let headings = ["strip", "read by", "off by [texels]", "[ULP]", "missed"];
    aligned(&headings, inexact.map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_short_and_say_how_near_to_1_they_are() {
        let shown = [0.5, -252.898, 1.0 - 6e-8, -5.37e8, 1.0, 0.0].map(argument);
        assert_eq!(shown, ["0.500", "-253", "1-6.0e-8", "-5.37e8", "1.00", "0"]);
        assert_eq!(
            [0.5, 347.2, 2.3e6, f64::INFINITY].map(ulps),
            ["0.50", "347", "2.30e6", "no number"]
        );
    }

    #[test]
    fn long_sentences_go_on_below_their_first_word() {
        let text = wrapped("  ! ", &["word"; 40].join(" "));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 3 && lines[0].starts_with("  ! word"), "{text}");
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
        assert!(lines[1].starts_with("      word"), "{text}");
        assert_eq!(text.matches("word").count(), 40);
        assert_eq!(wrapped("    ", "short"), "    short");
    }
}
