//! The conclusion for this device about a paper as a whole, in one paragraph.

use maud::{Markup, html};

use quadrille_lab::report::{Document, Finding, Kind, Verdict};

/// The argument of the paper, and the claims that carry it.
struct Thesis {
    argues: &'static str,
    central: &'static [&'static str],
}

fn thesis(document: Document) -> Thesis {
    match document {
        Document::Matmul2004 => Thesis {
            argues: "The authors argue that a matrix product on a GPU is limited by the path from texture to \
                     arithmetic, so that it stays far below the peak rate, and that neither layouts nor blocking help.",
            central: &["matmul-2004-8", "matmul-2004-11", "matmul-2004-19", "matmul-2004-22"],
        },
        Document::Vectors2002 => Thesis {
            argues: "The authors argue that the vertex processor of a graphics card is a vector machine, which beats \
                     the CPU where a program has enough arithmetic for each number that is transferred.",
            central: &["vectors-2002-19", "vectors-2002-20", "vectors-2002-25", "vectors-2002-29"],
        },
        Document::Jacobi => Thesis {
            argues: "The author argues that a Jacobi iteration on a GPU gains from choosing the layout of the data, \
                     and from moving work out of the fragment shader: boundaries into lines of their own, coordinates \
                     into the vertex shader, a division into a product.",
            central: &["jacobi-4", "jacobi-7", "jacobi-8", "jacobi-10", "jacobi-12"],
        },
        Document::CudaMatmul => Thesis {
            argues: "The author argues that a matrix product in parallel is several times faster than a serial loop, \
                     and faster again where the threads of a block share what they read.",
            central: &["cuda-matmul-7", "cuda-matmul-8"],
        },
    }
}

/// The thesis, the counts, and what became of the central claims.
pub(super) fn paragraph(document: Document, findings: &[&Finding]) -> Markup {
    let thesis = thesis(document);
    let central: Vec<&&Finding> = thesis
        .central
        .iter()
        .filter_map(|id| findings.iter().find(|finding| finding.id == *id))
        .collect();
    html! {
        p.conclusion {
            (thesis.argues) " " (counts(findings))
            @for finding in central {
                " " a href={ "#" (finding.id) } { (finding.claim) } ": " (finding.word()) "."
            }
        }
    }
}

fn counts(findings: &[&Finding]) -> String {
    let end = |kind, verdict| {
        findings.iter().filter(|finding| finding.kind == kind && finding.verdict == verdict).count()
    };
    let [holds, fails, open] = Verdict::ALL.map(|verdict| end(Kind::Measurement, verdict));
    if holds + fails + open == 0 {
        return "None of its claims was measured here.".into();
    }
    let open = match open {
        0 => String::new(),
        open => format!(", and {open} cannot be decided here"),
    };
    let wrong = match end(Kind::Erratum, Verdict::Contradicted) {
        0 => String::new(),
        wrong => format!(" Errors in its text: {wrong}."),
    };
    format!(
        "Of its claims about speed and accuracy {} on this device and {}{open}.{wrong}",
        plural(holds, "holds", "hold"),
        plural(fails, "does not", "do not"),
    )
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures;

    #[test]
    fn conclusions_name_measured_claims_of_their_paper() {
        for document in Document::ALL {
            for central in thesis(document).central {
                assert!(measures(document, central), "{central}");
            }
        }
    }
}
