//! The tutorial's table of seconds, for each type of number.

use std::time::Instant;

use quadrille::linalg::matmul::{Element, Method};

use super::super::super::Error;
use super::super::super::matmul::{Contender, Row, claimed_speedup};
use super::super::super::report::{Cell, Figure, Finding, Part, Plot, Table};
use super::super::Lab;
use super::super::race::{Race, Raced};
use super::super::told::{Told, digits};
use super::{finding, lacks};

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part, Error> {
    let of_types = [typed::<i16>(lab, 3.0)?, typed::<i32>(lab, 2.0)?, typed::<f32>(lab, 1.0)?];
    let lack = lacks(lab);
    let findings = findings(&of_types, lack.as_deref());
    let left_out = of_types.iter().flat_map(|one| one.left_out.clone()).collect();
    let figures = figure(&of_types).into_iter().collect();
    Ok(Part {
        tables: vec![table(&of_types, runs(lab))],
        figures,
        findings,
        left_out,
        ..Part::default()
    })
}

/// The methods of the tutorial, by its names of them, and what stands for them where fragments
/// multiply.
const METHODS: [(&str, &str); 4] = [
    ("serial", "Multiply_Host"),
    ("compute-tiled tile=16x16", "Multiply_Simple_Tile"),
    ("compute-shared tile=16x16", "Multiply_Fancy_Tile"),
    ("element", "drawn: one element of C a fragment"),
];

/// One type of number: a time for each method at one size.
struct Typed {
    name: &'static str,
    n: usize,
    rows: Vec<Row>,
    left_out: Vec<String>,
}

fn runs(lab: &Lab<'_>) -> usize {
    lab.scale.pick(3, 5)
}

/// Within its share of the remaining time.
fn typed<T: Element>(lab: &mut Lab<'_>, types: f64) -> Result<Typed, Error> {
    let sizes: &[usize] = lab.scale.pick(&[64, 128, 256], &[64, 128, 256, 512, 1024, 2048]);
    let until = Instant::now() + lab.left().div_f64(types);
    let race = Race { sizes, runs: runs(lab), until, together: |_| true };
    let contenders = || METHODS.iter().filter_map(|(text, _)| text.parse::<Contender>().ok());
    let Raced { n, rows, left_out, .. } = race.run::<T>(lab, |_| contenders().collect(), None)?;
    let named = |line: String| format!("{}: {line}", T::NAME);
    Ok(Typed { name: T::NAME, n, rows, left_out: left_out.into_iter().map(named).collect() })
}

impl Typed {
    fn seconds(&self, method: Method) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.contender.name() == method.name())?;
        Some(row.summary.median_ms / 1e3)
    }

    /// How many times as long the host takes.
    fn speedup(&self, method: Method) -> Option<f64> {
        Some(self.seconds(Method::Serial)? / self.seconds(method)?.max(1e-12))
    }
}

/// The tutorial's seconds of a type: host, tiled, shared.
fn document(name: &str) -> Option<[f64; 3]> {
    match name {
        "short" => Some([22.7, 5.8, 2.5]),
        "float" => Some([32.1, 5.7, 2.5]),
        _ => None,
    }
}

/// The same on a GeForce 470 GTX, as a comment has them; of which type is not said, but float's host.
const LATER: [f64; 3] = [32.49, 0.299, 0.165];

fn place(method: Method) -> Option<usize> {
    [Method::Serial, Method::ComputeTiled, Method::ComputeShared].iter().position(|m| *m == method)
}

const COLUMNS: [&str; 10] = [
    "type",
    "n",
    "method",
    "the tutorial's name",
    "time [s]",
    "host over it",
    "spread [%]",
    "tutorial [s]",
    "tutorial, host over it",
    "tutorial, 470 GTX, host over it",
];

fn table(of_types: &[Typed], runs: usize) -> Table {
    let sizes: Vec<String> =
        of_types.iter().map(|typed| format!("{} at {}", typed.name, typed.n)).collect();
    let float = of_types.iter().find(|typed| typed.name == "float");
    let methods = METHODS.map(|(text, _)| text).join(",");
    Table {
        id: "cuda-matmul-times".into(),
        title: "Figure 12. Seconds of a multiplication".into(),
        columns: COLUMNS.map(String::from).into(),
        rows: of_types.iter().flat_map(lines).collect(),
        notes: vec![
            "The tutorial does not say how large its matrices are: compare ratios only. Its times include copies; \
             ours are of the product alone."
                .into(),
            "Its serial loop reads B by columns; ours reads B by rows, which is much faster on the host."
                .into(),
            format!("The command repeats float; the others: --type short, --type int ({}).", sizes.join(", ")),
        ],
        command: format!(
            "quadrille bench matmul --type float --size {} --runs {runs} --methods \"{methods}\"",
            float.map_or(256, |float| float.n)
        ),
    }
}

fn lines(typed: &Typed) -> Vec<Vec<Cell>> {
    let line = |row: &Row| {
        let Contender::Method(method, _) = row.contender else { return Vec::new() };
        let text = row.contender.to_string();
        let theirs = METHODS.iter().find(|(ours, _)| *ours == text).map(|(_, theirs)| *theirs);
        let seconds = place(method).and_then(|place| Some(document(typed.name)?[place]));
        let later = place(method).filter(|place| *place > 0 && typed.name == "float");
        vec![
            typed.name.into(),
            row.n.into(),
            text.into(),
            theirs.into(),
            (row.summary.median_ms / 1e3).into(),
            typed.speedup(method).into(),
            (100.0 * row.summary.relative_spread()).into(),
            seconds.into(),
            claimed_speedup(method, typed.name).into(),
            later.map(|place| LATER[0] / LATER[place]).into(),
        ]
    };
    typed.rows.iter().map(line).collect()
}

fn figure(of_types: &[Typed]) -> Option<Figure> {
    let mut groups = Vec::new();
    for typed in of_types {
        for (method, name) in [
            (Method::ComputeTiled, "tiled"),
            (Method::ComputeShared, "shared"),
            (Method::Element, "drawn"),
        ] {
            if let Some(ours) = typed.speedup(method) {
                let bars = vec![Some(ours), claimed_speedup(method, typed.name)];
                groups.push((format!("{}, {name}", typed.name), bars));
            }
        }
    }
    let series = vec!["here".into(), "the tutorial".into()];
    let plot = Plot::Bars { unit: "times as fast as the host's loop".into(), series, groups };
    let some = matches!(&plot, Plot::Bars { groups, .. } if !groups.is_empty());
    some.then(|| Figure {
        id: "cuda-matmul-speedup".into(),
        title: "Figure 12. Speedup over the host's loop".into(),
        plot,
        notes: Vec::new(),
    })
}

fn findings(of_types: &[Typed], lack: Option<&str>) -> Vec<Finding> {
    let told = |judge: fn(&[Typed]) -> Option<(String, bool)>| -> Told {
        judge(of_types).ok_or_else(|| instead(of_types, lack))
    };
    vec![
        finding(
            "The parallel multiply is significantly faster than the serial one on the CPU (3.9 times for \
             short, 5.6 for float)",
            told(parallel),
        ),
        finding("Shared memory has the best runtime (2.3 times as fast as tiled)", told(shared)),
        finding(
            "New hardware can give even better performance (470 GTX: 109 and 197 times the host)",
            told(newer),
        ),
        finding(
            "Short and float take the same time on the device (5.8 s and 5.7 s, 2.5 s and 2.5 s)",
            told(same),
        ),
        finding("The host takes longer for float than for short (32.1 s and 22.7 s)", told(host)),
    ]
}

/// Why nothing can be said, and what fragments do in the place of the tutorial's kernels.
fn instead(of_types: &[Typed], lack: Option<&str>) -> String {
    let reason = lack.unwrap_or("there was no time for its kernels");
    let float = of_types.iter().find(|typed| typed.name == "float");
    match float.and_then(|float| float.speedup(Method::Element)) {
        Some(drawn) => format!(
            "{reason}; drawn, with one fragment per element of C, it is {} times as fast as the host's loop for float",
            digits(drawn)
        ),
        None => reason.to_owned(),
    }
}

/// The types of which the tutorial has seconds.
fn theirs(of_types: &[Typed]) -> impl Iterator<Item = &Typed> {
    of_types.iter().filter(|typed| document(typed.name).is_some())
}

fn parallel(of_types: &[Typed]) -> Option<(String, bool)> {
    let mut texts = Vec::new();
    let mut holds = true;
    for typed in theirs(of_types) {
        let speedup = typed.speedup(Method::ComputeTiled)?;
        holds &= speedup >= 1.2;
        texts.push(format!("{} {} times", typed.name, digits(speedup)));
    }
    Some((format!("tiled over the host's loop: {}", texts.join(", ")), holds))
}

fn shared(of_types: &[Typed]) -> Option<(String, bool)> {
    let mut texts = Vec::new();
    let mut holds = true;
    for typed in of_types {
        let tiled = typed.seconds(Method::ComputeTiled)?;
        let times = tiled / typed.seconds(Method::ComputeShared)?.max(1e-12);
        holds &= times > 1.0 && typed.speedup(Method::ComputeShared)? > 1.0;
        texts.push(format!("{} {} times", typed.name, digits(times)));
    }
    Some((
        format!(
            "speedup of shared over tiled: {} (threshold: faster than tiled and than the host)",
            texts.join(", ")
        ),
        holds,
    ))
}

fn newer(of_types: &[Typed]) -> Option<(String, bool)> {
    let float = of_types.iter().find(|typed| typed.name == "float")?;
    let (tiled, shared) =
        (float.speedup(Method::ComputeTiled)?, float.speedup(Method::ComputeShared)?);
    let claimed = claimed_speedup(Method::ComputeShared, "float")?;
    let text = format!(
        "here tiled is {} and shared {} times as fast as the host's loop (threshold: shared more than {}, as on the \
         tutorial's first card)",
        digits(tiled),
        digits(shared),
        digits(claimed)
    );
    Some((text, shared > claimed))
}

fn same(of_types: &[Typed]) -> Option<(String, bool)> {
    let ratios = [Method::ComputeTiled, Method::ComputeShared]
        .map(|method| float_over_short(of_types, method));
    let [tiled, shared] = [ratios[0]?, ratios[1]?];
    let text = format!(
        "float over short: tiled {}, shared {} (threshold for the same: a factor of 1.25)",
        digits(tiled),
        digits(shared)
    );
    Some((text, [tiled, shared].iter().all(|ratio| (0.8..=1.25).contains(ratio))))
}

fn host(of_types: &[Typed]) -> Option<(String, bool)> {
    let ratio = float_over_short(of_types, Method::Serial)?;
    Some((format!("float takes {} times as long as short", digits(ratio)), ratio >= 1.1))
}

/// Of one size.
fn float_over_short(of_types: &[Typed], method: Method) -> Option<f64> {
    let of = |name| of_types.iter().find(|typed| typed.name == name);
    let (float, short) = (of("float")?, of("short")?);
    let grown = (float.n as f64 / short.n.max(1) as f64).powi(3);
    Some(float.seconds(method)? / short.seconds(method)?.max(1e-12) / grown)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::report::Verdict;
    use super::super::super::sweep::planted;
    use super::*;

    fn typed(name: &'static str, seconds: [f64; 3]) -> Typed {
        let rows = METHODS.iter().zip(seconds).map(|((text, _), s)| planted(text, 1e3 * s));
        Typed { name, n: 1024, rows: rows.collect(), left_out: Vec::new() }
    }

    fn verdicts(short: [f64; 3], float: [f64; 3]) -> Vec<Verdict> {
        let of_types = [typed("short", short), typed("float", float)];
        findings(&of_types, None).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn the_tutorials_own_seconds_confirm_it() {
        use Verdict::{Confirmed, Contradicted};
        let (short, float) = ([22.7, 5.8, 2.5], [32.1, 5.7, 2.5]);
        // The first card is no newer than itself.
        assert_eq!(
            verdicts(short, float),
            [Confirmed, Confirmed, Contradicted, Confirmed, Confirmed]
        );
        assert_eq!(verdicts(short, [32.5, 0.3, 0.16])[2], Confirmed);
        assert_eq!(verdicts([22.7, 30.0, 2.5], float)[0], Contradicted);
        assert_eq!(verdicts(short, [32.1, 5.7, 6.0])[1], Contradicted);
        assert_eq!(verdicts(short, [32.1, 11.0, 2.5])[3], Contradicted);
        assert_eq!(verdicts(short, [22.7, 5.7, 2.5])[4], Contradicted);
    }

    #[test]
    fn without_compute_shaders_there_is_a_reason_and_a_counterpart() {
        let rows = vec![planted("serial", 10.0), planted("element", 5.0)];
        let float = Typed { name: "float", n: 64, rows, left_out: Vec::new() };
        let findings = findings(&[float], Some("its kernels need compute shaders"));
        for finding in &findings[..4] {
            assert_eq!(finding.verdict, Verdict::NotMeasurable);
            assert!(finding.measured.contains("need compute shaders"), "{}", finding.measured);
            assert!(finding.measured.contains("2.00 times"), "{}", finding.measured);
        }
    }
}
