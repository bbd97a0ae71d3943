//! A program's text, and positions in it.

use quadrille::error::Place;
use quadrille::shader::Excerpt;

/// A named text. A position in it is an offset in bytes, converted to a line and a column only for
/// messages.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    pub(super) name: String,
    pub(super) text: String,
}

impl Listing {
    /// Returns the position of an offset; one beyond the end is the end.
    pub(super) fn place(&self, offset: usize) -> Place {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before.get(start..).map_or(0, |part| part.chars().count()) + 1;
        Place::line(&self.name, line).at_column(column)
    }

    /// Returns the line of a position, with a caret under its column.
    pub(super) fn excerpt(&self, place: &Place) -> Excerpt {
        let line = place.line.unwrap_or(1);
        let text = self.text.split('\n').nth(line - 1).unwrap_or_default();
        Excerpt::new(line, text.trim_end(), place.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_a_line_and_a_column_in_characters() {
        let listing = Listing { name: "a.vp".into(), text: "# \u{3c0} x\r\nMOV\n".into() };
        let at = |offset| {
            let place = listing.place(offset);
            (place.line, place.column, listing.excerpt(&place).text)
        };
        assert_eq!(at(0), (Some(1), Some(1), "# \u{3c0} x".into()));
        assert_eq!(at(5), (Some(1), Some(5), "# \u{3c0} x".into()));
        assert_eq!(at(8), (Some(2), Some(1), "MOV".into()));
        assert_eq!(at(12), (Some(3), Some(1), String::new()));
        assert_eq!(at(99), (Some(3), Some(1), String::new()));
    }
}
