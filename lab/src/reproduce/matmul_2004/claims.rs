//! The claims of the slides about methods, blocks and data paths, judged by the rows of one size.

use super::super::super::report::Finding;
use super::super::told::{Told, digits, is_about};
use super::facts::Facts;
use super::finding;

/// Methods of the slides, and blocks since then.
const THEIRS: [&str; 2] = ["cp", "sp"];
const BLOCKS: [&str; 4] = ["block4x4", "block8x4", "block8x8", "block16x8"];

/// All of them, in the order of the slides.
pub(super) fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    vec![
        finding("High performance matrix multiply on CPUs is cache aware (slide 9)", cpu(facts)),
        finding("Multiple outputs are ineffective (slide 12)", multiple_outputs(facts)),
        finding(
            "GPU algorithms are severely bandwidth limited (slide 21)",
            bandwidth_limited(facts),
        ),
        finding("Would need 8 x 8 submatrices to run at peak rates (slide 22)", eight(facts)),
        finding("Blocks are limited to 4 x 4 by the available outputs (slide 22)", outputs(facts)),
        finding(
            "Performance improves linearly with the bandwidth from texture to registers (slide 23)",
            wider_path(facts),
        ),
        finding(
            "Needs a 4 times wider path to achieve peak performance (slide 23)",
            widening(facts),
        ),
        finding(
            "Performance increases linearly with the dimension of submatrices (slide 24)",
            by_dimension(facts),
        ),
        finding("Storage increases as the square of the dimension (slide 24)", storage(facts)),
        finding(
            "Requires 16 times the space of SP for peak performance (slide 24)",
            sixteen(facts),
        ),
        finding(
            "The best algorithms achieve below 20 % of peak performance (slide 25)",
            below_20(facts),
        ),
        finding(
            "They saturate the data path between texture and FP units (slide 25)",
            saturated(facts),
        ),
        finding("They cannot exploit data reuse (slide 25)", reuse(facts)),
    ]
}

fn cpu(facts: &Facts<'_>) -> Told {
    let (library, all, serial) =
        (facts.gflops("gemm-1")?, facts.gflops("gemm")?, facts.gflops("serial")?);
    let ratio = library / serial.max(1e-12);
    let text = format!(
        "three loops {} GFLOPS on a core, the library gemm {} ({} times; threshold: 1.2 or more) and {} on all \
         cores; the slides' Pentium 4 with ATLAS had a peak of 12",
        digits(serial),
        digits(library),
        digits(ratio),
        digits(all)
    );
    Ok((text, ratio >= 1.2))
}

fn multiple_outputs(facts: &Facts<'_>) -> Told {
    let theirs = facts.best(&THEIRS)?;
    let drawn = facts.best(&["block4x4", "block8x4"])?;
    let ratio = theirs.summary.median_ms / drawn.summary.median_ms.max(1e-12);
    let text = format!(
        "{} is {} times as fast as the best method of one output, {} (threshold: 1.1 or more)",
        drawn.contender,
        digits(ratio),
        theirs.contender
    );
    Ok((text, ratio <= 1.1))
}

fn bandwidth_limited(facts: &Facts<'_>) -> Told {
    let mut texts = Vec::new();
    let mut holds = true;
    for name in THEIRS {
        let (peak, bandwidth) = (facts.of_peak(name)?, facts.of_bandwidth(name)?);
        holds &= bandwidth > 2.0 * peak;
        texts.push(format!(
            "{name} has {} % of the fetch bandwidth and {} % of the arithmetic",
            digits(bandwidth),
            digits(peak)
        ));
    }
    Ok((format!("{} (threshold: more than twice the share)", texts.join(", ")), holds))
}

/// From here on a method runs at its peak.
const AT_PEAK: f64 = 80.0;

fn eight(facts: &Facts<'_>) -> Told {
    // A block of d x d has d / 2 multiply-adds a fetch.
    let needed = 2.0 * facts.mads_a_fetch_costs()?;
    let peak = facts.of_peak("block8x8")?;
    let text = format!(
        "block8x8 runs at {} % of peak (at peak: {AT_PEAK} % or more); by the cost of a fetch a block of \
         {} x {} would have as much arithmetic as fetches",
        digits(peak),
        digits(needed),
        digits(needed)
    );
    Ok((text, peak >= AT_PEAK))
}

fn outputs(facts: &Facts<'_>) -> Told {
    let runs: Vec<&str> = BLOCKS.into_iter().filter(|name| facts.row(name).is_ok()).collect();
    facts.row("block4x4")?;
    Ok((format!("these blocks run here: {}", runs.join(", ")), runs == ["block4x4"]))
}

fn wider_path(facts: &Facts<'_>) -> Told {
    let (one, four) = (facts.row("element cell=1")?, facts.row("element cell=4")?);
    let ratio = one.summary.median_ms / four.summary.median_ms.max(1e-12);
    let text = format!(
        "the same sums with four numbers a fetch instead of one, a path 4 times as wide: {} times as fast \
         (linear: 3 or more)",
        digits(ratio)
    );
    Ok((text, ratio >= 3.0))
}

fn widening(facts: &Facts<'_>) -> Told {
    let cost = facts.mads_a_fetch_costs()?;
    let intensity = facts.efficiency("sp")?.mads_per_fetch.unwrap_or(1.0);
    let needed = cost / intensity.max(1e-12);
    let text = format!(
        "a fetch costs {} multiply-adds of four numbers and sp makes {} of them: a path {} times as wide \
         would feed it (threshold: 4, within a factor of 1.5)",
        digits(cost),
        digits(intensity),
        digits(needed)
    );
    Ok((text, is_about(needed, 4.0, 1.5)))
}

fn by_dimension(facts: &Facts<'_>) -> Told {
    let (two, four, eight) =
        (facts.gflops("sp")?, facts.gflops("block4x4")?, facts.gflops("block8x8")?);
    let power = (eight / two.max(1e-12)).max(1e-12).log2() / 2.0;
    let text = format!(
        "2 x 2, 4 x 4 and 8 x 8 make {}, {} and {} GFLOPS: the {}th power of the dimension (linear: 0.75 \
         to 1.25)",
        digits(two),
        digits(four),
        digits(eight),
        digits(power)
    );
    Ok((text, (0.75..=1.25).contains(&power)))
}

/// Texels of sums, and live registers with the operands of a step.
fn storage(facts: &Facts<'_>) -> Told {
    let mut texts = Vec::new();
    let mut registers = Vec::new();
    for (name, sums) in [("sp", 1), ("block4x4", 4), ("block8x8", 16)] {
        let live = facts.efficiency(name)?.registers.ok_or("no fragment makes a block")?;
        registers.push(live as f64);
        texts.push(format!("{name} {sums} and {live}"));
    }
    let growth = registers[2] / registers[1].max(1.0);
    let text = format!(
        "registers of four numbers, sums alone and with a step's operands: {}; from 4 x 4 to 8 x 8 the \
         latter grow {} times, of 4",
        texts.join(", "),
        digits(growth)
    );
    Ok((text, is_about(growth, 4.0, 1.25)))
}

fn sixteen(facts: &Facts<'_>) -> Told {
    let peak = facts.of_peak("block8x8")?;
    let best = facts.best(&BLOCKS)?;
    let of_peak = facts.of_peak(&best.contender.to_string())?;
    let text = format!(
        "with 16 times the sums of sp block8x8 has {} % of peak (at peak: {AT_PEAK} % or more); the best \
         block, {}, has {} %",
        digits(peak),
        best.contender,
        digits(of_peak)
    );
    Ok((text, peak >= AT_PEAK))
}

fn below_20(facts: &Facts<'_>) -> Told {
    let (cp, sp) = (facts.of_peak("cp")?, facts.of_peak("sp")?);
    let mut text = format!("cp has {} % of peak, sp {} %", digits(cp), digits(sp));
    if let Ok(best) = facts.best(&BLOCKS) {
        let peak = facts.of_peak(&best.contender.to_string())?;
        text +=
            &format!("; {}, which the slides could not have, {} %", best.contender, digits(peak));
    }
    Ok((text, cp.max(sp) < 20.0))
}

fn saturated(facts: &Facts<'_>) -> Told {
    let (cp, sp) = (facts.of_bandwidth("cp")?, facts.of_bandwidth("sp")?);
    let text = format!(
        "cp fetches at {} % of what cached fetches reach, sp at {} % (saturated: one of them at {AT_PEAK} % \
         or more)",
        digits(cp),
        digits(sp)
    );
    Ok((text, cp.max(sp) >= AT_PEAK))
}

fn reuse(facts: &Facts<'_>) -> Told {
    let theirs = facts.best(&THEIRS)?;
    let block = facts.best(&BLOCKS)?;
    let ratio = theirs.summary.median_ms / block.summary.median_ms.max(1e-12);
    let intensity =
        facts.efficiency(&block.contender.to_string())?.mads_per_fetch.unwrap_or_default();
    let text = format!(
        "{} reuses what it fetches in registers, {} multiply-adds a fetch, and is {} times as fast as {} (threshold: \
         more than 1.1)",
        block.contender,
        digits(intensity),
        digits(ratio),
        theirs.contender
    );
    Ok((text, ratio <= 1.1))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::super::super::device::Limits;
    use super::super::super::super::matmul::Row;
    use super::super::super::super::report::Verdict;
    use super::super::super::sweep::planted as row;
    use super::*;

    /// The size of planted rows.
    const N: usize = 1024;

    /// A product at so many GFLOPS, of so many multiply-adds a fetch.
    fn at(contender: &str, gflops: f64, intensity: f64) -> Row {
        let operations = 2.0 * (N as f64).powi(3);
        let fetches = operations / 8.0 / intensity;
        let row = row(contender, operations / gflops / 1e6);
        Row { fetched_bytes: Some((16.0 * fetches) as u64), ..row }
    }

    /// As on the slides: a fetch costs four multiply-adds, and what runs is limited by it.
    fn as_then() -> Vec<Row> {
        vec![
            at("serial", 1.0, 0.5),
            at("element cell=1", 2.0, 0.125),
            at("element cell=4", 8.0, 0.5),
            at("cp", 13.0, 0.8),
            at("sp", 16.0, 1.0),
            at("block4x4", 16.1, 2.0),
            row("gemm-1", 100.0),
            row("gemm", 50.0),
        ]
    }

    /// 80 GFLOPS are 10 Gmad/s; 40 GB/s are 2.5 Gfetch/s.
    const LIMITS: Limits =
        Limits { fragment_mad_gflops: 80.0, compute_mad_gflops: None, fetch_gb_s: 40.0 };

    fn verdict(rows: &[Row], claim: &str) -> Verdict {
        let facts = Facts { n: N, rows, limits: Some(&LIMITS), left_out: &[] };
        let findings = findings(&facts);
        let found: Vec<_> = findings.iter().filter(|found| found.claim.contains(claim)).collect();
        assert_eq!(found.len(), 1, "{claim}");
        found[0].verdict
    }

    fn with(row: Row) -> Vec<Row> {
        let mut rows = as_then();
        rows.retain(|old| old.contender != row.contender);
        rows.push(row);
        rows
    }

    /// A claim holds for some rows, and not once one of them differs.
    fn turns(claim: &str, before: &[Row], other: Row) {
        assert_eq!(verdict(before, claim), Verdict::Confirmed, "{claim}");
        let mut rows = before.to_vec();
        rows.retain(|old| old.contender != other.contender);
        rows.push(other);
        assert_eq!(verdict(&rows, claim), Verdict::Contradicted, "{claim}");
    }

    #[test]
    fn claims_about_methods_turn_with_their_numbers() {
        let then = as_then();
        turns("cache aware", &then, row("gemm-1", 5000.0));
        turns("Multiple outputs", &then, at("block4x4", 30.0, 2.0));
        turns("bandwidth limited", &then, at("cp", 4.0, 4.0));
        turns("limited to 4 x 4", &then, at("block8x4", 30.0, 2.7));
        turns("linearly with the bandwidth", &then, at("element cell=4", 4.0, 0.5));
        turns("below 20 %", &with(at("sp", 15.9, 1.0)), at("sp", 40.0, 4.0));
        let mut by_sp = with(at("cp", 8.0, 0.8));
        by_sp.retain(|row| row.contender.name() != "sp");
        by_sp.push(at("sp", 18.0, 1.0));
        turns("saturate", &by_sp, at("sp", 4.0, 1.0));
        turns("exploit data reuse", &then, at("block4x4", 30.0, 2.0));
        turns("4 times wider", &then, at("sp", 16.0, 4.0));
    }

    #[test]
    fn claims_about_blocks_turn_with_their_numbers() {
        let mut peak = as_then();
        peak.push(at("block8x8", 70.0, 4.0));
        let slow = || at("block8x8", 24.0, 4.0);
        turns("8 x 8 submatrices", &peak, slow());
        turns("16 times the space", &peak, slow());
        turns("dimension of submatrices", &peak, slow());
        assert_eq!(verdict(&peak, "square of the dimension"), Verdict::Confirmed);
    }

    #[test]
    fn what_was_not_measured_says_why() {
        let left_out = ["block8x8 at n = 1024: needs storage buffers".to_owned()];
        let rows = as_then();
        let facts = Facts { n: N, rows: &rows, limits: Some(&LIMITS), left_out: &left_out };
        let reason = eight(&facts).unwrap_err();
        assert!(reason.contains("needs storage buffers"), "{reason}");
        let facts = Facts { limits: None, ..facts };
        assert!(below_20(&facts).unwrap_err().contains("peaks"));
        let facts = Facts { rows: &[], ..facts };
        assert!(findings(&facts).iter().all(|found| found.verdict == Verdict::NotMeasurable));
    }
}
