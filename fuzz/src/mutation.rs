//! Mutates a file once.

use super::Choices;

/// Numbers at which readers tend to go wrong.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "16384",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "3.5e38",
    "1e-400",
    "-0",
    "nan",
    "inf",
    "0x10",
    "00001",
];

/// Characters that count as lines' ends, as blanks, or as nothing.
const CHARACTERS: [&str; 8] = ["\n", "\r\n", "\r", "\0", "\t", "\u{feff}", "\u{2028}", "é"];

/// Changes a file in one place. `words` are those of its format.
pub fn mutate(file: &mut Vec<u8>, choices: &mut Choices, words: &[&str]) {
    let at = choices.below(file.len() + 1);
    let end = (at + choices.between(1, 16)).min(file.len());
    match choices.below(10) {
        0 if at < file.len() => file[at] ^= 1 << choices.below(8),
        1 if at < file.len() => file[at] = choices.byte(),
        2 => file.truncate(at),
        3 => drop(file.drain(at..end)),
        4 => insert(file, at, choices.pick(words)),
        5 => insert(file, at, choices.pick(&CHARACTERS)),
        6 => {
            let again = file[at..end].to_vec();
            file.splice(at..at, again);
        }
        7 => {
            let times = choices.byte();
            file.splice(at..at, std::iter::repeat_n(choices.byte(), times.into()));
        }
        _ => replace_number(file, at, choices.pick(&NUMBERS)),
    }
}

fn insert(file: &mut Vec<u8>, at: usize, text: &str) {
    file.splice(at..at, text.bytes());
}

/// Puts another number in the place of the first one after a place.
fn replace_number(file: &mut Vec<u8>, at: usize, number: &str) {
    let is_digit = |index: &usize| file[*index].is_ascii_digit();
    let Some(start) = (at..file.len()).find(is_digit) else { return };
    let end = (start..file.len()).find(|index| !is_digit(index)).unwrap_or(file.len());
    file.splice(start..end, number.bytes());
}
