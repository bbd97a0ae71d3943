//! Adds code around a text that detects loops which a device ends early, and reads beyond a panel.
//! The text is not expanded again.

use super::expanded::{Expanded, Made};
use super::lines::Lines;
use crate::shader::source::stage::Stage;

/// The properties by which the code for shaders that compute an array in panels differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InPanels {
    /// Whether the array is cut along x and along y.
    pub cut: [bool; 2],
    /// Whether it reads whole textures too.
    pub mixed: bool,
    /// Whether the device may end its loops.
    pub budget: bool,
}

impl InPanels {
    /// Returns the defines of `include/panels.glsl` and `include/loop_budget.glsl`.
    fn defines(self) -> Vec<String> {
        let InPanels { cut: [x, y], mixed, budget } = self;
        let words = [
            (x, "QUADRILLE_CUT_X"),
            (y, "QUADRILLE_CUT_Y"),
            (mixed, "QUADRILLE_MIXED"),
            (!budget, "QUADRILLE_NO_BUDGET"),
        ];
        let defined = words.into_iter().filter(|(is, _)| *is);
        defined.map(|(_, word)| format!("#define {word} 1")).collect()
    }
}

impl Expanded {
    /// Puts `include/watch.glsl` and `watch/main.frag` around a fragment shader, which then reports
    /// in this target, behind its own, whether a device's loop budget ended its loops early; or
    /// `watch/main.comp` around a compute shader, which reports it in a block at this binding. A
    /// vertex shader of the author's own is watched too.
    pub fn watched(&self, place: u32) -> Expanded {
        let unplaced = self.declarations().unplaced.clone();
        let own_main = self.frame_file();
        let defines = format!("(defines of {})", self.name());
        self.changed(|lines, made| {
            // The user's only output can no longer go without a place.
            for at in unplaced {
                lines.insert(at, "layout(location = 0) ");
            }
            lines.each(|file, line| {
                if file == own_main {
                    *line = line.replace("void main()", "void quadrille_users_main()");
                }
            });
            made.vertex = made.vertex.take().map(|vertex| Box::new(vertex.with_watched_corners()));
            let corner = made.vertex.is_some().then_some("in highp float quadrille_corner_ended;");
            lines.add_at(made.parts.own, |lines| {
                lines.embedded("include/loop_budget.glsl");
                lines.embedded("include/watch.glsl");
                let file = lines.file("(watch)");
                lines.text(file, &corner.map(str::to_owned).into_iter().collect::<Vec<_>>());
            });
            let file = lines.file(&defines);
            let (line, main) = match self.stage {
                // The binding of a block is read from the text, as a number.
                Stage::Compute => (
                    format!(
                        "layout(std430, binding = {place}) buffer Quadrille_Ended {{ uint quadrille_count; }};"
                    ),
                    "watch/main.comp",
                ),
                _ => (format!("#define QUADRILLE_PLACE {place}"), "watch/main.frag"),
            };
            lines.text(file, &[line]);
            lines.embedded(main);
        })
    }

    /// Lets an author's own vertex shader report to its fragments whether its loops were ended.
    fn with_watched_corners(&self) -> Expanded {
        self.changed(|lines, made| {
            lines.add_at(made.parts.own, |lines| {
                let file = lines.file("(watch)");
                lines.text(file, &["#define QUADRILLE_WATCHED 1".to_owned()]);
                lines.embedded("include/loop_budget.glsl");
            });
        })
    }

    /// Puts `include/panels.glsl` before a fragment shader, which then computes an array in panels:
    /// one draw of each. It must be [watched](Expanded::watched) too.
    pub fn in_panels(&self, how: InPanels) -> Expanded {
        self.changed(|lines: &mut Lines, made: &mut Made| {
            let before = lines.len();
            lines.add_at(made.parts.prelude, |lines| {
                let file = lines.file("(panels)");
                lines.text(file, &how.defines());
                lines.embedded("include/panels.glsl");
            });
            made.parts.own += lines.len() - before;
            made.in_panels = true;
        })
    }
}
