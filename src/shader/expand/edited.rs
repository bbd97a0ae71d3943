//! Lines that a lowering changed, and the way back to their columns as they were written.

/// A part of a line that gives way to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The characters of the line in front of the part.
    pub start: usize,
    /// The characters of the line in front of what follows the part.
    pub end: usize,
    /// The text in place of the part.
    pub text: String,
}

/// A line that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edited {
    /// The line as it is now.
    pub(super) text: String,
    /// The line as it was written.
    pub(super) written: String,
    /// For each column now, that of what was written, both counted from 0.
    columns: Vec<usize>,
}

impl Edited {
    /// Changes a line; edits of one place stand there in their order.
    pub(super) fn new(line: &str, edits: &[&Edit]) -> Edited {
        let mut edits = edits.to_vec();
        edits.sort_by_key(|edit| edit.start);
        let characters: Vec<char> = line.chars().collect();
        let (mut text, mut columns, mut at) = (String::new(), Vec::new(), 0);
        let copy = |text: &mut String, columns: &mut Vec<usize>, from: usize, to: usize| {
            for (column, character) in characters.iter().enumerate().take(to).skip(from) {
                text.push(*character);
                columns.push(column);
            }
        };
        for edit in edits {
            copy(&mut text, &mut columns, at, edit.start);
            text.push_str(&edit.text);
            columns.extend(edit.text.chars().map(|_| edit.start));
            at = at.max(edit.end);
        }
        copy(&mut text, &mut columns, at, usize::MAX);
        Edited { text, written: line.to_owned(), columns }
    }

    /// Leads back to what was written before an earlier change.
    pub(super) fn behind(mut self, earlier: &Edited) -> Edited {
        self.columns.iter_mut().for_each(|column| *column = earlier.column(*column + 1) - 1);
        Edited { written: earlier.written.clone(), ..self }
    }

    /// Returns the column of what was written, both counted from 1.
    pub(super) fn column(&self, column: usize) -> usize {
        let behind = self.written.chars().count();
        self.columns.get(column.wrapping_sub(1)).map_or(behind, |at| *at) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { line: 1, start, end, text: text.to_owned() }
    }

    #[test]
    fn columns_lead_back_to_what_was_written() {
        let edits = [edit(7, 7, " = 1."), edit(10, 10, " = 2."), edit(13, 16, "x")];
        let edited = Edited::new("float a, b; F();", &edits.iter().collect::<Vec<_>>());
        assert_eq!(edited.text, "float a = 1., b = 2.; Fx");
        let column = |of: &str| edited.column(edited.text.find(of).unwrap() + 1);
        assert_eq!(
            [column("a ="), column("= 1"), column("b ="), column("; F"), column("x")],
            [7, 8, 10, 11, 14]
        );
        assert_eq!(edited.column(100), 17);
        let later = Edited::new(&edited.text, &[&edit(0, 0, "int i; "), &edit(23, 24, "yz")]);
        let later = later.behind(&edited);
        assert_eq!(later.text, "int i; float a = 1., b = 2.; Fyz");
        let column = |of: &str| later.column(later.text.find(of).unwrap() + 1);
        assert_eq!(
            [column("int"), column("a ="), column("b ="), column("F"), column("z")],
            [1, 7, 10, 13, 14]
        );
        assert_eq!(later.written, "float a, b; F();");
    }
}
