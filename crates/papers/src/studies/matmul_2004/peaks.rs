//! Microbenchmarks: peak arithmetic, bandwidth from near and far, and fetches of the kinds that
//! shading was built for.

use super::super::prelude::*;

use super::super::race::probed;
use super::claims;
use super::gpubench::columns;
use quadrille_lab::bench::device;
use quadrille_lab::bench::device::{Plan, Question, Row, charts};
use quadrille_lab::bench::host::{self, HostLimits};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let mut part = Part::default();
    let rows = probed(lab, &plan(lab.scale), "of the probes", &mut part.left_out)?;
    part.findings = findings(&rows);
    if !rows.is_empty() {
        part.tables = vec![table(&rows), data_paths(&rows)];
        part.figures = figures(&rows);
        if let Some(host) = host::limits()? {
            part.figures.extend(motivation(&rows, &host));
        }
    }
    Ok(part)
}

fn plan(scale: Scale) -> Plan {
    Plan {
        questions: vec![Question::Mad, Question::Fetch],
        runs: scale.pick(5, 9),
        run: Duration::from_millis(scale.pick(5, 20)),
        brief: scale == Scale::Quick,
        only: &[],
    }
}

const COMMAND: &str = "quadrille bench device --probes mad,fetch";

fn table(rows: &[Row]) -> Table {
    let notes = [
        "The slides' charts have axes and no numbers: up to 70 GFLOPS and 30 GB/s.",
        "Cached: the same few kilobytes again and again; shared: the same texels for all fragments at a \
         time; sequential: all of a large image, once. MADs: multiply-adds of four numbers in the \
         time of a fetch.",
    ];
    let title = "Slides 17 and 18. Peak arithmetic rate and observed bandwidth";
    Rows { columns: columns(), rows }.table("matmul-2004-peaks", title, notes, COMMAND)
}

fn figures(rows: &[Row]) -> Vec<Figure> {
    let mut figures = charts(rows);
    for figure in &mut figures {
        let slide = if figure.id == "peak-arithmetic" { 17 } else { 18 };
        figure.title = format!("Slide {slide}. {}", figure.title);
        figure.id = format!("matmul-2004-{}", figure.id);
    }
    let bars = PATHS.iter().map(|path| (path.name.into(), vec![path.cost(rows)]));
    let title = "Slides 19 and 20. What a cached fetch costs";
    let unit = "multiply-adds of four numbers";
    figures.extend(Figure::bars("matmul-2004-fetch-costs", title, unit, ["a fetch"], bars));
    figures
}

/// Arithmetic and memory bandwidth of the device, relative to the host's.
fn motivation(rows: &[Row], host: &HostLimits) -> Option<Figure> {
    let best = |engine: device::Engine, probe: &str, variant: &str| {
        let of = rows.iter().filter(|row| row.engine == engine && row.probe == probe);
        let rates = of.filter(|row| row.variant.starts_with(variant)).map(|row| row.rate);
        rates.reduce(f64::max)
    };
    let device = |engine| {
        let arithmetic = best(engine, "mad", "").map(|rate| rate / host.mad_gflops);
        let memory = best(engine, "fetch", "sequential").map(|rate| rate / host.memory_gb_s);
        vec![arithmetic, memory]
    };
    let bars = [
        ("the host, all cores".to_owned(), vec![Some(1.0), Some(1.0)]),
        ("fragment shaders".to_owned(), device(device::Engine::Fragment)),
        ("compute shaders".to_owned(), device(device::Engine::Compute)),
    ];
    let title = "Slide 2. Arithmetic and memory bandwidth, relative to the host";
    let figure =
        Figure::bars("matmul-2004-motivation", title, "times", ["multiply-adds", "memory"], bars)?;
    Some(figure.note(format!(
        "The host: {:.3} GFLOPS of multiply-adds on all cores, {:.3} on one, by vectors of 256 bits at most; one core \
         reads memory at {:.3} GB/s and its caches at {:.3}. The slide has a Pentium 4 of 3.4 GHz at 1, and bars \
         without numbers up to 6.",
        host.mad_gflops, host.core_mad_gflops, host.memory_gb_s, host.cache_gb_s
    )))
}

/// A kind of fetch, by the probes' names of its variants.
struct Path {
    name: &'static str,
    variants: [&'static str; 3],
    slides: &'static str,
}

const FLOAT: Path = Path {
    name: "four floats, nearest",
    variants: ["shared RGBA32F, texture", "cached RGBA32F, texture", "cached RGBA32F, texelFetch"],
    slides: "1 float a clock: consumed at 8 times the rate",
};
const BYTES: Path = Path {
    name: "four bytes, nearest",
    variants: ["cached RGBA8, texture", "cached RGBA8, texelFetch", ""],
    slides: "4 components of 8 bits a clock: 2 to 1",
};
const FILTERED_FLOAT: Path = Path {
    name: "four floats, filtered",
    variants: ["cached RGBA32F, texture filtered", "", ""],
    slides: "-",
};
const FILTERED_BYTES: Path = Path {
    name: "four bytes, filtered",
    variants: ["cached RGBA8, texture filtered", "", ""],
    slides: "filtering reduces the amount of data 8 to 1; bilinear, as here, 4 to 1",
};
const CONSTANTS: Path = Path {
    name: "four floats, constants",
    variants: ["shared RGBA32F, constants", "", ""],
    slides: "shaders use interpolated values and constants",
};
const INTERPOLATED: Path = Path {
    name: "four floats, interpolated",
    variants: ["interpolated RGBA32F", "", ""],
    slides: "shaders use interpolated values and constants",
};
const PATHS: [Path; 6] = [FLOAT, BYTES, FILTERED_FLOAT, FILTERED_BYTES, CONSTANTS, INTERPOLATED];

impl Path {
    /// The least multiply-adds in the time of a fetch by fragments.
    fn cost(&self, rows: &[Row]) -> Option<f64> {
        self.cheapest(rows).map(|row| row.rate)
    }

    fn cheapest<'a>(&self, rows: &'a [Row]) -> Option<&'a Row> {
        let costs = rows.iter().filter(|row| {
            row.probe == "fetch-cost"
                && row.engine == device::Engine::Fragment
                && self.variants.contains(&row.variant.as_str())
        });
        costs.min_by(|one, other| one.rate.total_cmp(&other.rate))
    }

    fn told(&self, rows: &[Row]) -> Result<Estimate, String> {
        self.cheapest(rows).map(|row| rated(row.rate, &row.summary)).ok_or_else(|| {
            format!(
                "a fetch of {} was not measured here, for want of time or of the format",
                self.name
            )
        })
    }
}

/// Numbers that a multiply-add of four takes from textures, over those that a fetch brings.
const CONSUMED: f64 = 2.0;

fn data_paths(rows: &[Row]) -> Table {
    type Line = (&'static Path, Option<f64>);
    let columns = vec![
        only_text("fetch, from the cache", "", |(path, _): &Line| path.name.into()),
        only_text("cost", "MAD", |(_, cost)| (*cost).into()),
        only_text("consumed over provided", "", |(_, cost)| cost.map(|c| CONSUMED * c).into()),
        only_text("the slides", "", |(path, _)| path.slides.into()),
    ];
    let notes = [
        "Consumed over provided: a multiply-add of four numbers takes eight, a fetch brings four; so it \
         is twice the cost. A filtered fetch reads four texels and brings their mean.",
        "Constants are a uniform array, of which all fragments read the same number at a time. A fragment has its \
         interpolated values when it begins, and cannot have them again: their row is an eighth of a pass whose fragments \
         take eight, read a texel and write one.",
    ];
    let rows: Vec<Line> = PATHS.iter().map(|path| (path, path.cost(rows))).collect();
    let title = "Slides 19 and 20. Data paths designed for shading";
    Rows { columns, rows: &rows }.table("matmul-2004-data-paths", title, notes, COMMAND)
}

fn findings(rows: &[Row]) -> Vec<Finding> {
    vec![
        judge(&claims::CONSUMES, consumes(rows)),
        judge(&claims::BYTES, bytes(rows)),
        judge(&claims::FILTERING, filtering(rows)),
        judge(&claims::FILLED, filled(rows)),
    ]
}

/// The fastest fetch of four floats by fragments in this pattern, in GB/s.
fn fetched(rows: &[Row], pattern: &str) -> Result<Estimate, String> {
    let ways = ["texture", "texelFetch"].map(|by| format!("{pattern} RGBA32F, {by}"));
    let fetches = rows.iter().filter(|row| {
        (row.probe, row.engine) == ("fetch", device::Engine::Fragment)
            && ways.contains(&row.variant)
    });
    let fastest = fetches.max_by(|one, other| one.rate.total_cmp(&other.rate));
    let rate = fastest.map(|row| rated(row.rate, &row.summary));
    rate.ok_or_else(|| format!("{pattern} fetches were not measured here, for want of time"))
}

/// The wider path that slide 23 asks for.
const WIDENED: f64 = 4.0;

fn filled(rows: &[Row]) -> AnswerOrReason {
    let (cached, once) = (fetched(rows, "cached")?, fetched(rows, "sequential")?);
    let now = cached.over(once);
    let widened = now.times(WIDENED);
    let words = format!(
        "fragments fetch {cached} GB/s from the cache and {once} GB/s of texels that are read once: the path takes {now} \
         times what fills the cache, one 4 times as wide would take {widened} times"
    );
    Ok(Answer::of(words, widened))
}

fn consumes(rows: &[Row]) -> AnswerOrReason {
    let cost = FLOAT.told(rows)?;
    let ratio = cost.times(CONSUMED);
    let words = format!(
        "{ratio} times: {cost} multiply-adds of four numbers, eight numbers each, in the time of a fetch of four"
    );
    Ok(Answer::of(words, ratio))
}

fn bytes(rows: &[Row]) -> AnswerOrReason {
    let [byte, float] = [BYTES.told(rows)?, FLOAT.told(rows)?].map(|cost| cost.times(CONSUMED));
    Ok(Answer::of(format!("{byte} to 1 with bytes, {float} to 1 with floats"), byte))
}

fn filtering(rows: &[Row]) -> AnswerOrReason {
    let times = FILTERED_BYTES.told(rows)?.over(BYTES.told(rows)?);
    let floats = match (FILTERED_FLOAT.told(rows), FLOAT.told(rows)) {
        (Ok(filtered), Ok(nearest)) => format!("; of floats {} times", filtered.over(nearest)),
        _ => String::new(),
    };
    let words = format!(
        "a filtered fetch of bytes, which reads four texels, takes {times} times as long as one of the nearest{floats}"
    );
    Ok(Answer::of(words, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_lab::Summary;

    fn cost(variant: &str, rate: f64) -> Row {
        Row {
            probe: "fetch-cost",
            engine: device::Engine::Fragment,
            variant: variant.into(),
            rate,
            unit: "MADs",
            summary: Summary::still(1.0),
            comparison: Comparison::RIGHT,
        }
    }

    fn fetch(variant: &str, rate: f64) -> Row {
        Row { probe: "fetch", unit: "GB/s", ..cost(variant, rate) }
    }

    #[test]
    fn the_cache_is_filled_by_a_path_that_is_neither_wide_nor_narrow() {
        let verdict = |once| {
            let rows = [
                fetch("cached RGBA32F, texture", 40.0),
                fetch("cached RGBA32F, texelFetch", 20.0),
                fetch("sequential RGBA32F, texture", once),
            ];
            findings(&rows)[3].verdict
        };
        // As fast as from the cache; then slower even than a path takes as it is; then faster than
        // a wider one.
        let verdicts = [40.0, 20.0, 200.0].map(verdict);
        assert_eq!(verdicts, [Verdict::Confirmed, Verdict::Contradicted, Verdict::Contradicted]);
    }

    fn verdicts(float: f64, bytes: f64, filtered: f64) -> Vec<Verdict> {
        let rows = [
            cost("shared RGBA32F, texture", float),
            cost("cached RGBA32F, texture", 2.0 * float),
            cost("cached RGBA8, texture", bytes),
            cost("cached RGBA8, texture filtered", filtered),
        ];
        findings(&rows)[..3].iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn each_path_is_judged_by_its_own_cost() {
        use Verdict::{Confirmed, Contradicted};
        assert_eq!(verdicts(4.0, 1.0, 1.0), [Confirmed; 3]);
        assert_eq!(verdicts(2.0, 1.0, 1.0), [Contradicted, Confirmed, Confirmed]);
        assert_eq!(verdicts(4.0, 4.0, 4.0), [Confirmed, Contradicted, Confirmed]);
        assert_eq!(verdicts(4.0, 1.0, 2.5), [Confirmed, Confirmed, Contradicted]);
        assert!(findings(&[]).iter().all(|finding| finding.verdict == Verdict::NotMeasurable));
    }
}
