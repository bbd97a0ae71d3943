//! Finds the column that a driver's message means.
//!
//! Only Mesa gives a column, and it counts in a text of its own, where each run of blanks or
//! comments has become one blank. Where the message quotes a token, the token is looked for in the
//! line, nearest to the column given.

use super::strip::strip;

/// The column, from 1, of the token that the message is about; `given` is the driver's column.
pub(super) fn find(line: &str, message: &str, given: Option<usize>) -> Option<usize> {
    let given = given.filter(|&column| column > 0).map(|column| uncollapsed(line, column));
    let near = given.unwrap_or(1);
    let nearest = |token: &str| {
        occurrences(line, token).into_iter().min_by_key(|&column| column.abs_diff(near))
    };
    quoted(message).into_iter().find_map(nearest).or(given)
}

/// The columns at which a token stands alone in a line.
fn occurrences(line: &str, token: &str) -> Vec<usize> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = token.chars().all(letter);
    let stands_alone = |&(index, found): &(usize, &str)| {
        let before = line.get(..index).and_then(|text| text.chars().next_back());
        let behind = line.get(index + found.len()..).and_then(|text| text.chars().next());
        !is_word || !(before.is_some_and(letter) || behind.is_some_and(letter))
    };
    let column = |(index, _)| line.get(..index).map_or(1, |before| before.chars().count() + 1);
    line.match_indices(token).filter(stands_alone).map(column).collect()
}

/// What a message quotes, in any driver's quotes: `a', 'a', "a".
fn quoted(message: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find(['`', '\'', '"']) {
        let (_, from) = rest.split_at(start);
        let close = if from.starts_with('"') { '"' } else { '\'' };
        let inside = from.get(1..).unwrap_or_default();
        let Some((token, behind)) = inside.split_once(close) else { break };
        if !token.trim().is_empty() {
            tokens.push(token.trim());
        }
        rest = behind;
    }
    tokens
}

/// The column of the line for a column of the same line with every run of blanks made one.
fn uncollapsed(line: &str, column: usize) -> usize {
    let bare = strip(line).lines.concat();
    let mut collapsed = 0;
    let mut in_blank = false;
    for (index, character) in bare.chars().enumerate() {
        let blank = character.is_whitespace();
        if !(blank && in_blank) {
            collapsed += 1;
        }
        in_blank = blank;
        if collapsed == column && !blank {
            return index + 1;
        }
    }
    column
}
