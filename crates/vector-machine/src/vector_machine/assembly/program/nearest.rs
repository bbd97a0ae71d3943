//! The opcode that was perhaps meant.

use crate::vector_machine::assembly::isa::Opcode;

/// Returns the opcode that a word becomes by at most one letter changed, added or left out, after
/// its letters are made capitals.
pub(super) fn nearest(word: &str) -> Option<Opcode> {
    let word = word.to_ascii_uppercase();
    let same = |opcode: &Opcode| opcode.name() == word;
    let near = |opcode: &Opcode| one_edit(opcode.name().as_bytes(), word.as_bytes());
    let find = |wanted: &dyn Fn(&Opcode) -> bool| Opcode::ALL.into_iter().find(wanted);
    find(&same).or_else(|| find(&near))
}

/// Returns whether one edit makes one word of the other: what remains between the beginning and the
/// ending that they share is at most one letter in each.
fn one_edit(a: &[u8], b: &[u8]) -> bool {
    let shared =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let shorter = a.len().min(b.len());
    let front = shared(&mut a.iter().zip(b));
    let back = shared(&mut a.iter().rev().zip(b.iter().rev())).min(shorter - front);
    a.len().max(b.len()) - front - back <= 1
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use crate::vector_machine::assembly::isa::Opcode;

    #[test]
    fn one_slip_is_understood() {
        for (word, meant) in [
            ("mov", Opcode::Mov),
            ("MULT", Opcode::Mul),
            ("DP", Opcode::Dp3),
            ("AD", Opcode::Add),
            ("SUBB", Opcode::Sub),
            ("sqt", Opcode::Slt),
            ("MAAD", Opcode::Mad),
        ] {
            assert_eq!(nearest(word), Some(meant), "{word}");
        }
    }

    #[test]
    fn other_words_are_left_alone() {
        for word in ["", "DIV", "FRACTION", "X", "R1", "MVO"] {
            assert_eq!(nearest(word), None, "{word}");
        }
    }
}
