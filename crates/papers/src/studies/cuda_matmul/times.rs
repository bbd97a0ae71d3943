//! The tutorial's table of seconds, for each type of number.

use super::super::prelude::*;
use quadrille::linalg::matmul::{Element, Method};

use super::super::race::{Raced, race};
use super::with_copies::with_copies;
use super::{claims, lacks};
use quadrille_lab::bench::matmul::{Contender, Row};
use quadrille_lab::report::document::cuda as document;

pub(super) fn run(lab: &mut Lab<'_>) -> Result<Part> {
    let third = 1.0 / 3.0;
    let of_types = [typed::<i16>(lab, third)?, typed::<i32>(lab, 0.5)?, typed::<f32>(lab, 1.0)?];
    let lack = lacks(lab);
    let findings = findings(&of_types, lack.as_deref());
    let left_out = of_types.iter().flat_map(|one| one.left_out.clone()).collect();
    let figures = figure(&of_types).into_iter().collect();
    let tables = vec![table(&of_types, lab.runs())];
    Ok(Part { tables, figures, findings, left_out, ..Part::default() })
}

/// The methods of the tutorial, by its names of them, and what stands for them where fragments
/// multiply.
const METHODS: [(&str, &str); 5] = [
    ("serial-by-columns", "Multiply_Host, as printed"),
    ("serial", "Multiply_Host, its loops over j and k exchanged"),
    ("compute-tiled tile=16x16", "Multiply_Simple_Tile"),
    ("compute-shared tile=16x16", "Multiply_Fancy_Tile"),
    ("element", "drawn: one element of C a fragment"),
];

/// The times of a type of number, for each method at one size.
#[cfg_attr(test, derive(Clone))]
struct Typed {
    name: &'static str,
    n: usize,
    rows: Vec<Row>,
    /// The rows of smaller matrices, at which types are compared where one of them came no further.
    smaller: Vec<Row>,
    /// The times of the device's methods at this size, copies to it and back among them.
    with_copies: Vec<(Contender, Summary)>,
    left_out: Vec<String>,
}

/// The share of the time in which products alone are measured.
const ALONE: f64 = 0.7;

/// Measures within a share of the remaining time.
fn typed<T: Element>(lab: &mut Lab<'_>, share: f64) -> Result<Typed> {
    let sizes: &[usize] = lab.scale.pick(&[64, 256], &[64, 256, 512, 1024, 2048]);
    let contenders = METHODS.map(|(text, _)| text.parse::<Contender>());
    let contenders: Vec<Contender> = contenders.into_iter().flatten().collect();
    lab.within(share, |lab| {
        let raced = lab.within(ALONE, |lab| race::<T>(lab, sizes, |_| contenders.clone()))?;
        let Raced { n, rows, smaller, left_out } = raced;
        let with_copies = with_copies::<T>(lab, n, &rows)?;
        let left_out = left_out.into_iter().map(|line| format!("{}: {line}", T::NAME)).collect();
        Ok(Typed { name: T::NAME, n, rows, smaller, with_copies, left_out })
    })
}

/// The serial loop as printed, its kernels, and our serial loop.
const LISTING: &str = document::METHODS[0];
const TILED: &str = document::METHODS[1];
const SHARED: &str = document::METHODS[2];
const OURS: &str = "serial";

impl Typed {
    /// The times of a method for matrices of this size.
    fn at(&self, n: usize, method: &str) -> Option<Timing> {
        let mut rows = self.rows.iter().chain(&self.smaller);
        Some(rows.find(|row| row.n == n && row.contender.name() == method)?.timing())
    }

    /// Returns the ratio of the times of two methods.
    fn over(&self, one: &str, other: &str) -> Option<Estimate> {
        Some(timed(self.at(self.n, one)?, self.at(self.n, other)?))
    }

    /// Returns the speedup over the printed loop.
    fn speedup(&self, method: &str) -> Option<f64> {
        Some(self.over(LISTING, method)?.value)
    }

    /// Milliseconds with copies; `None` of what runs on the host, which needs none.
    fn with_copies(&self, row: &Row) -> Option<f64> {
        let mut copied = self.with_copies.iter();
        Some(copied.find(|(contender, _)| *contender == row.contender)?.1.median_ms)
    }

    /// The speedup over the printed loop, copies counted.
    fn speedup_with_copies(&self, row: &Row) -> Option<f64> {
        let listing = self.rows.iter().find(|row| row.contender.name() == LISTING)?;
        Some(listing.summary.median_ms / self.with_copies(row)?)
    }
}

type Line<'a> = (&'a Typed, &'a Row);

fn table(of_types: &[Typed], runs: usize) -> Table {
    let columns = vec![
        only_text("type", "", |(typed, _): &Line<'_>| typed.name.into()),
        only_text("n", "", |(_, row)| row.n.into()),
        only_text("method", "", |(_, row)| row.contender.to_string().into()),
        only_text("the tutorial's name", "", |(_, row)| theirs(row).into()),
        only_text("time", "s", |(_, row)| (row.summary.median_ms / 1e3).into()),
        only_text("speedup over Multiply_Host", "", |(typed, row)| {
            typed.speedup(row.contender.name()).into()
        }),
        only_text("over its loops exchanged", "", |(typed, row)| {
            typed.over(OURS, row.contender.name()).map(|over| over.value).into()
        }),
        only_text("spread", "%", |(_, row)| row.summary.spread_percent().into()),
        only_text("time with copies", "s", |(typed, row)| {
            typed.with_copies(row).map(|ms| ms / 1e3).into()
        }),
        only_text("its speedup over Multiply_Host", "", |(typed, row)| {
            typed.speedup_with_copies(row).into()
        }),
        only_text("tutorial", "s", |(typed, row)| {
            let place = document::place(row.contender.name());
            place.and_then(|place| Some(document::seconds(typed.name)?[place])).into()
        }),
        only_text("tutorial, speedup", "", |(typed, row)| claimed(row, typed.name).into()),
        only_text("tutorial, 470 GTX, speedup", "", |(typed, row)| {
            document::later_speedup(row.contender.name(), typed.name).into()
        }),
    ];
    let sizes: Vec<String> =
        of_types.iter().map(|typed| format!("{} at {}", typed.name, typed.n)).collect();
    let notes = [
        "The tutorial does not say how large its matrices are: compare ratios only. Each of its functions copies both \
         operands to the device and the product back, and so do the times with copies; the others are of the product \
         alone."
            .into(),
        "Multiply_Host runs over i, j, k and so reads B by columns. Over i, k, j, as quadrille's own serial method runs, \
         B is read by rows, which compilers and caches like: the same sums, much sooner."
            .into(),
        format!(
            "The command repeats float, without copies; the others: --type short, --type int ({}).",
            sizes.join(", ")
        ),
    ];
    let (n, methods) =
        (float(of_types).map_or(256, |float| float.n), METHODS.map(|(text, _)| text).join(","));
    let command = format!(
        "quadrille bench matmul --type float --size {n} --runs {runs} --methods \"{methods}\""
    );
    let rows = of_types.iter().flat_map(|typed| typed.rows.iter().map(move |row| (typed, row)));
    let rows: Vec<Line<'_>> = rows.collect();
    let title = "Figure 12. Seconds of a multiplication";
    Rows { columns, rows: &rows }.table("cuda-matmul-times", title, notes, command)
}

/// The tutorial's name of a method.
fn theirs(row: &Row) -> Option<&'static str> {
    let text = row.contender.to_string();
    METHODS.iter().find(|(ours, _)| *ours == text).map(|(_, theirs)| *theirs)
}

fn claimed(row: &Row, numbers: &str) -> Option<f64> {
    let Contender::Method(method, _) = row.contender else { return None };
    document::speedup(method, numbers)
}

fn figure(of_types: &[Typed]) -> Option<Figure> {
    let mut groups = Vec::new();
    for typed in of_types {
        for (method, name) in [
            (Method::Serial, "loops exchanged"),
            (Method::ComputeTiled, "tiled"),
            (Method::ComputeShared, "shared"),
            (Method::Element, "drawn"),
        ] {
            if let Some(ours) = typed.speedup(method.name()) {
                let bars = vec![Some(ours), document::speedup(method, typed.name)];
                groups.push((format!("{}, {name}", typed.name), bars));
            }
        }
    }
    let unit = "times as fast as Multiply_Host as printed";
    let title = "Figure 12. Speedup over Multiply_Host";
    Figure::bars("cuda-matmul-speedup", title, unit, ["here", "the tutorial"], groups)
}

fn findings(of_types: &[Typed], lack: Option<&str>) -> Vec<Finding> {
    let told = |judge: fn(&[Typed]) -> Option<Answer>| -> AnswerOrReason {
        judge(of_types).ok_or_else(|| instead(of_types, lack))
    };
    let of_kernels = |judge| told(judge).and_then(|answer| beyond_overhead(of_types, answer));
    vec![
        judge(&claims::PARALLEL, of_kernels(parallel)),
        judge(&claims::FASTEST, of_kernels(fastest)),
        judge(&claims::SAME, of_kernels(same)),
        judge(&claims::LONGER, told(longer)),
        judge(&claims::NEWER, of_kernels(newer)),
    ]
}

/// Rows and columns from which on a kernel runs longer than it takes to start.
const LARGE: usize = 256;

/// Accepts an answer only for matrices that are large enough to say something of the kernels.
fn beyond_overhead(of_types: &[Typed], answer: Answer) -> AnswerOrReason {
    match of_types.iter().map(|typed| typed.n).min() {
        Some(n) if n < LARGE => Err(format!(
            "there was no time for more than n = {n}: to start a kernel takes as long as to run it"
        )),
        _ => Ok(answer),
    }
}

fn float(of_types: &[Typed]) -> Option<&Typed> {
    of_types.iter().find(|typed| typed.name == "float")
}

/// Explains why nothing can be said, and what fragments do in place of the tutorial's kernels.
fn instead(of_types: &[Typed], lack: Option<&str>) -> String {
    let reason = lack.unwrap_or("there was no time for its kernels");
    match float(of_types).and_then(|float| float.speedup(Method::Element.name())) {
        Some(drawn) => format!(
            "{reason}; drawn, with one fragment per element of C, it is {} times as fast as Multiply_Host as printed \
             for float",
            short(drawn)
        ),
        None => reason.to_owned(),
    }
}

/// Ratios in words: "short 1.9, float 2.1".
fn each(of_types: &[&Typed], one: &str, other: &str) -> Option<(String, Vec<Estimate>)> {
    let (mut texts, mut all) = (Vec::new(), Vec::new());
    for typed in of_types {
        let over = typed.over(one, other)?;
        texts.push(format!("{} {over}", typed.name));
        all.push(over);
    }
    Some((texts.join(", "), all))
}

/// The speedups of the types for which the tutorial gives seconds.
fn parallel(of_types: &[Typed]) -> Option<Answer> {
    let theirs = of_types.iter().filter(|typed| document::seconds(typed.name).is_some());
    let theirs: Vec<&Typed> = theirs.collect();
    let (printed, speedups) = each(&theirs, LISTING, TILED)?;
    let (exchanged, _) = each(&theirs, OURS, TILED)?;
    let words = format!(
        "speedup of tiled over Multiply_Host as printed (i, j, k): {printed}; over the same with j and k exchanged: \
         {exchanged}"
    );
    Some(Answer::of_all(words, speedups))
}

fn fastest(of_types: &[Typed]) -> Option<Answer> {
    let all: Vec<&Typed> = of_types.iter().collect();
    let (over_tiled, mut ratios) = each(&all, TILED, SHARED)?;
    let (over_host, speedups) = each(&all, LISTING, SHARED)?;
    ratios.extend(speedups);
    let words = format!(
        "speedup of shared over tiled: {over_tiled}; over Multiply_Host as printed: {over_host}"
    );
    Some(Answer::of_all(words, ratios))
}

fn newer(of_types: &[Typed]) -> Option<Answer> {
    let float = float(of_types)?;
    let (tiled, shared) = (float.over(LISTING, TILED)?, float.over(LISTING, SHARED)?);
    let words = format!(
        "for float tiled is {tiled} and shared {shared} times as fast as Multiply_Host as printed, shared {} times as fast \
         as with its loops exchanged; the tutorial's GeForce 470 GTX made 109 and 197",
        float.over(OURS, SHARED)?
    );
    Some(Answer::of(words, shared))
}

fn same(of_types: &[Typed]) -> Option<Answer> {
    let ratios = [TILED, SHARED].map(|method| float_over_short(of_types, method));
    let [(n, tiled), (_, shared)] = [ratios[0]?, ratios[1]?];
    let words = format!("float over short at n = {n}: tiled {tiled}, shared {shared}");
    Some(Answer::of_all(words, vec![tiled, shared]))
}

fn longer(of_types: &[Typed]) -> Option<Answer> {
    let (n, ratio) = float_over_short(of_types, LISTING)?;
    Some(Answer::of(format!("float takes {ratio} times as long as short at n = {n}"), ratio))
}

/// The ratio of the times of float and short, for the largest matrices that both had time for.
fn float_over_short(of_types: &[Typed], method: &str) -> Option<(usize, Estimate)> {
    let short = of_types.iter().find(|typed| typed.name == "short")?;
    let float = float(of_types)?;
    let n = float.n.min(short.n);
    Some((n, timed(float.at(n, method)?, short.at(n, method)?)))
}

#[cfg(test)]
mod tests {
    use super::super::super::sweep::planted;
    use super::*;
    use quadrille_lab::report::{Cell, Verdict};

    /// Seconds of the printed loop, tiled and shared; exchanged loops are a tenth of the printed.
    fn typed(name: &'static str, [host, tiled, shared]: [f64; 3]) -> Typed {
        let seconds = [host, host / 10.0, tiled, shared, tiled];
        let rows = METHODS.iter().zip(seconds).map(|((text, _), s)| planted(text, 1e3 * s));
        let (rows, smaller) = (rows.collect(), Vec::new());
        Typed { name, n: 1024, rows, smaller, with_copies: Vec::new(), left_out: Vec::new() }
    }

    fn verdicts(short: [f64; 3], float: [f64; 3]) -> Vec<Verdict> {
        let of_types = [typed("short", short), typed("float", float)];
        findings(&of_types, None).iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn the_tutorials_own_seconds_confirm_it() {
        use Verdict::{Confirmed, Contradicted, NotMeasurable};
        let (short, float) = ([22.7, 5.8, 2.5], [32.1, 5.7, 2.5]);
        // The first card is no newer than itself.
        let all = [Confirmed, Confirmed, Confirmed, Confirmed, NotMeasurable];
        assert_eq!(verdicts(short, float), all);
        assert_eq!(verdicts(short, [32.5, 0.3, 0.16])[4], Confirmed);
        assert_eq!(verdicts(short, [32.1, 5.7, 5.0])[4], Contradicted);
        assert_eq!(verdicts([22.7, 30.0, 2.5], float)[0], Contradicted);
        assert_eq!(verdicts(short, [32.1, 5.7, 6.5])[1], Contradicted);
        assert_eq!(verdicts(short, [32.1, 11.0, 2.5])[2], Contradicted);
        assert_eq!(verdicts(short, [22.7, 5.7, 2.5])[3], Contradicted);
    }

    #[test]
    fn the_serial_loop_is_the_printed_one_and_ours_stands_beside_it() {
        let of_types = [typed("short", [22.7, 5.8, 2.5]), typed("float", [32.1, 5.7, 2.5])];
        let findings = findings(&of_types, None);
        assert!(
            findings[0].measured.contains("float 5.63; over the same"),
            "{}",
            findings[0].measured
        );
        assert!(findings[0].measured.contains("float 0.56"), "{}", findings[0].measured);
        let table = table(&of_types, 3);
        assert_eq!(table.rows[0][5], Cell::Number(1.0));
        assert_eq!(table.rows[1][5], Cell::Number(10.0));
        assert!(table.command.contains("serial-by-columns,serial,"), "{}", table.command);
    }

    #[test]
    fn copies_count_in_columns_of_their_own() {
        let tiled = "compute-tiled tile=16x16".parse().unwrap();
        let with_copies = vec![(tiled, Summary::still(8e3))];
        let float = Typed { with_copies, ..typed("float", [32.0, 4.0, 2.0]) };
        let table = table(&[float], 3);
        let numbers = |row: usize| table.rows[row][8..10].to_vec();
        assert_eq!(numbers(2), [Cell::Number(8.0), Cell::Number(4.0)]);
        assert_eq!(table.rows[2][5], Cell::Number(8.0), "the product alone");
        assert_eq!(numbers(0), [Cell::Empty, Cell::Empty], "the host needs no copies");
    }

    #[test]
    fn small_matrices_tell_nothing_of_kernels() {
        let small = |name| {
            let mut typed = Typed { n: 128, ..typed(name, [32.1, 5.7, 2.5]) };
            typed.rows.iter_mut().for_each(|row| row.n = 128);
            typed
        };
        let findings = findings(&[small("short"), small("float")], None);
        assert_eq!(findings[0].verdict, Verdict::NotMeasurable);
        assert!(findings[0].measured.contains("n = 128"), "{}", findings[0].measured);
        assert_eq!(findings[3].verdict, Verdict::Contradicted);
    }

    #[test]
    fn types_are_compared_at_the_largest_size_that_both_have() {
        let short = typed("short", [22.7, 5.8, 2.5]);
        let mut float = typed("float", [32.1, 5.7, 2.5]);
        float.rows.iter_mut().for_each(|row| row.n = 512);
        let float = Typed { n: 512, ..float };
        let alone = float_over_short(&[typed("short", [1.0; 3]), float.clone()], LISTING);
        assert!(alone.is_none(), "short at 1024 and float at 512 are not compared");
        let smaller = typed("short", [10.0, 6.0, 3.0]).rows.into_iter();
        let smaller = smaller.map(|row| Row { n: 512, ..row }).collect();
        let both = [Typed { smaller, ..short }, float];
        let (n, ratio) = float_over_short(&both, LISTING).unwrap();
        assert_eq!((n, ratio.value), (512, 3.21));
        assert!(same(&both).unwrap().words.contains("at n = 512: tiled 0.95"));
    }

    #[test]
    fn without_compute_shaders_there_is_a_reason_and_a_counterpart() {
        let rows = vec![planted("serial-by-columns", 10.0), planted("element", 5.0)];
        let float = Typed { rows, ..typed("float", [1.0; 3]) };
        for finding in findings(&[float], Some("its kernels need compute shaders")) {
            assert_eq!(finding.verdict, Verdict::NotMeasurable);
            assert!(finding.measured.contains("need compute shaders"), "{}", finding.measured);
            assert!(finding.measured.contains("2.00 times"), "{}", finding.measured);
        }
    }
}
