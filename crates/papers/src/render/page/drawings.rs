//! Drawings of who reads what, beside the studies that measure it. They are made by
//! `drawings/draw.py`.

use maud::{Markup, PreEscaped, html};

/// A drawing: the study that it belongs to, the paper's figure, and its SVG.
type Drawing = (&'static str, &'static str, &'static str);

const DRAWINGS: [Drawing; 6] = [
    ("matmul-2004-methods", "Column packed texels (slide 10)", include_str!("drawings/cp.svg")),
    ("matmul-2004-methods", "Submatrix packed texels (slide 11)", include_str!("drawings/sp.svg")),
    ("cuda-matmul-times", "The serial product (figure 8)", include_str!("drawings/serial.svg")),
    ("cuda-matmul-times", "One block (figure 9)", include_str!("drawings/simple.svg")),
    ("cuda-matmul-times", "Tiles (figure 10)", include_str!("drawings/tiled.svg")),
    (
        "cuda-matmul-times",
        "Tiles in shared memory (figure 11)",
        include_str!("drawings/shared.svg"),
    ),
];

/// The drawings of a study.
pub(super) fn of(study: &str) -> Markup {
    html! {
        @for (_, title, svg) in DRAWINGS.iter().filter(|(of, ..)| *of == study) {
            details.table {
                summary { (title) }
                div.paper tabindex="0" role="group" aria-label=(title) { (PreEscaped(svg)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DRAWINGS;

    #[test]
    fn each_drawing_belongs_to_a_study() {
        let studies = crate::studies();
        for (study, title, svg) in DRAWINGS {
            assert!(studies.iter().any(|known| known.id == study), "{title}: {study}");
            assert!(svg.ends_with("</svg>\n"), "{title}");
        }
    }
}
