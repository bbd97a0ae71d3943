//! The names of numbered files: the frames of a sequence.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf, is_separator};

use super::{Error, Result};
use quadrille::internal::io::{reading, whole_file};

/// A file's name, or the names of numbered files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileNames {
    /// A single file.
    One(PathBuf),
    /// A file for each number.
    Each(Numbered),
}

/// The names of numbered files. In its text `%d` stands for the number, and `%04d` for the number
/// with zeros before it where it has less than four digits.
///
/// ```
/// use quadrille_run::io::{FileNames, Numbered};
/// let FileNames::Each(frames) = FileNames::parse("frame-%04d.png")? else { unreachable!() };
/// assert_eq!(frames.name(7), std::path::Path::new("frame-0007.png"));
/// assert_eq!(frames.number("frame-12345.png"), Some(12345));
/// # Ok::<(), quadrille::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    text: String,
    folder: PathBuf,
    before: String,
    /// The least number of digits.
    digits: usize,
    after: String,
}

/// The number of digits of the greatest number.
const MOST_DIGITS: usize = 20;

impl FileNames {
    /// Parses a name or a pattern. `%%` is a percent sign.
    ///
    /// # Errors
    /// [`Error::Syntax`] for another use of the percent sign, for several numbers, and for one in
    /// the name of a folder.
    pub fn parse(text: &str) -> Result<FileNames> {
        let wrong = |got: String| {
            Error::Syntax {
            place: whole_file(Path::new(text)),
            expected: "one %d in the name of the file, or %0Nd for N digits, as in frame-%04d.png (%% is a percent sign)"
                .into(),
            got,
        }
        };
        let (mut parts, mut number) = (vec![String::new()], None);
        let mut rest = text;
        while let Some((plain, after)) = rest.split_once('%') {
            let count = parts.len();
            let part = &mut parts[count - 1];
            part.push_str(plain);
            if let Some(after) = after.strip_prefix('%') {
                part.push('%');
                rest = after;
                continue;
            }
            let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            let digits = match after[end..].starts_with('d') {
                true => digits(&after[..end]),
                false => None,
            };
            let Some(digits) = digits else {
                let shown: String = after.chars().take(end + 1).collect();
                return Err(wrong(format!("%{shown}")));
            };
            if number.replace(digits).is_some() {
                return Err(wrong("two numbers".into()));
            }
            parts.push(String::new());
            rest = &after[end + 1..];
        }
        parts.last_mut().into_iter().for_each(|part| part.push_str(rest));
        let (Some(digits), [before, after]) = (number, &parts[..]) else {
            return Ok(FileNames::One(parts.concat().into()));
        };
        if after.contains(is_separator) {
            return Err(wrong("a number in the name of a folder".into()));
        }
        let (folder, before) = split(before);
        Ok(FileNames::Each(Numbered {
            text: text.to_owned(),
            folder: folder.into(),
            before: before.to_owned(),
            digits,
            after: after.clone(),
        }))
    }
}

/// Splits a path into a folder, which is empty for the current one, and the rest.
fn split(path: &str) -> (&str, &str) {
    let Some(at) = path.rfind(is_separator) else { return ("", path) };
    let (folder, name) = path.split_at(at + 1);
    // The root of a file system, or of a drive, is none without its separator.
    let root = Path::new(folder).parent().is_none();
    (if root { folder } else { &path[..at] }, name)
}

/// Returns the least number of digits, from what is between `%` and `d`: nothing, or a zero and a
/// count.
fn digits(text: &str) -> Option<usize> {
    match text.strip_prefix('0') {
        _ if text.is_empty() => Some(1),
        Some(count) => count.parse().ok().filter(|count| (1..=MOST_DIGITS).contains(count)),
        None => None,
    }
}

impl Numbered {
    /// Returns the file of a number.
    pub fn name(&self, number: u64) -> PathBuf {
        self.folder.join(self.file_name(number))
    }

    /// Returns the number of a file by its name without its folder; none if it is not one of these
    /// files.
    pub fn number(&self, file_name: &str) -> Option<u64> {
        let digits = file_name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        let number = digits.parse().ok()?;
        // `+7`, and more or fewer zeros, are names of other files.
        (self.file_name(number) == file_name).then_some(number)
    }

    /// Returns the folder of the files; empty for the current one.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves the files to the folder that `path` gives for theirs.
    #[must_use]
    pub fn below(self, path: impl FnOnce(&str) -> PathBuf) -> Numbered {
        let folder = path(&self.folder.to_string_lossy());
        Numbered { folder, ..self }
    }

    /// Returns the numbers of the files that are there, which follow each other.
    ///
    /// # Errors
    /// [`Error::Read`] for the folder; [`Error::NoFrame`] if there is no such file, or one between
    /// two others is missing.
    pub fn find(&self) -> Result<RangeInclusive<u64>> {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let mut numbers = BTreeSet::new();
        for entry in fs::read_dir(folder).map_err(reading(folder))? {
            let entry = entry.map_err(reading(folder))?;
            numbers.extend(entry.file_name().to_str().and_then(|name| self.number(name)));
        }
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else {
            let got = "no such file".into();
            let expected = format!("numbered files, as {}", self.name(1).display());
            return Err(Error::NoFrame { place: whole_file(Path::new(&self.text)), expected, got });
        };
        match (first..=last).zip(&numbers).find(|(expected, there)| expected != *there) {
            None => Ok(first..=last),
            Some((missing, next)) => Err(Error::NoFrame {
                place: whole_file(&self.name(missing)),
                expected: format!("each number from {first} to {last}"),
                got: format!("none before {next}"),
            }),
        }
    }

    fn file_name(&self, number: u64) -> String {
        let Numbered { before, digits, after, .. } = self;
        format!("{before}{number:0digits$}{after}")
    }
}

impl std::fmt::Display for Numbered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn numbered(text: &str) -> Numbered {
        match FileNames::parse(text).unwrap() {
            FileNames::Each(numbered) => numbered,
            FileNames::One(path) => panic!("{}", path.display()),
        }
    }

    #[test]
    fn names_have_as_many_digits_as_asked_and_more_where_needed() {
        for (text, number, name) in [
            ("a-%d.png", 0, "a-0.png"),
            ("a-%03d.png", 7, "a-007.png"),
            ("x/a%02d", 123, "x/a123"),
            ("/%01d.npy", 5, "/5.npy"),
            ("50%%-%d.npy", 5, "50%-5.npy"),
            ("%d%%.npy", 5, "5%.npy"),
        ] {
            let numbered = numbered(text);
            assert_eq!(numbered.name(number), Path::new(name), "{text}");
            let file = Path::new(name).file_name().unwrap().to_str().unwrap();
            assert_eq!(numbered.number(file), Some(number), "{text}");
        }
        let four = numbered("a-%04d.png");
        for other in ["a-7.png", "a-00007.png", "a-+007.png", "a-.png", "b-0007.png", "a-0007.jpg"]
        {
            assert_eq!(four.number(other), None, "{other}");
        }
        assert_eq!(
            four.clone().below(|folder| Path::new("t").join(folder)).name(1),
            Path::new("t/a-0001.png")
        );
    }

    #[cfg(windows)]
    #[test]
    fn folders_of_windows_are_folders() {
        for (text, folder) in
            [(r"x\a-%d.npy", "x"), (r"C:\a-%d.npy", r"C:\"), (r"C:\x/a-%d.npy", r"C:\x")]
        {
            let numbered = numbered(text);
            assert_eq!(numbered.folder(), Path::new(folder), "{text}");
            assert_eq!(numbered.number("a-3.npy"), Some(3), "{text}");
        }
        assert!(FileNames::parse(r"%d\a.png").is_err());
    }

    #[test]
    fn other_texts_are_one_file_or_refused() {
        for (text, name) in [("a.png", "a.png"), ("50%%.npy", "50%.npy"), ("-", "-"), ("", "")] {
            assert_eq!(FileNames::parse(text).unwrap(), FileNames::One(name.into()));
        }
        for (text, got) in [
            ("a%x.png", "%x"),
            ("a%4d.png", "%4d"),
            ("a%00d.png", "%00d"),
            ("a%021d.png", "%021d"),
            ("a%-4d.png", "%-"),
            ("a%", "%"),
            ("50%.png", "%."),
            ("%dé%é", "%é"),
            ("%d-%d.png", "two numbers"),
            ("%d/a.png", "folder"),
        ] {
            let error = FileNames::parse(text).unwrap_err().to_string();
            assert!(
                error.starts_with(text) && error.contains(got) && error.contains("%0Nd"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_gap_names_the_missing_file() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{}/f%02d.npy", folder.path().display());
        let numbered = numbered(&text);
        let error = numbered.find().unwrap_err().to_string();
        assert!(error.contains("f%02d.npy") && error.contains("f01.npy"), "{error}");
        for number in [9, 10, 11, 13, 15] {
            fs::write(numbered.name(number), "").unwrap();
        }
        fs::write(folder.path().join("f7.npy"), "").unwrap();
        let error = numbered.find().unwrap_err().to_string();
        assert!(
            error.contains("f12.npy: expected each number from 9 to 15, got none before 13"),
            "{error}"
        );
        fs::remove_file(numbered.name(13)).unwrap();
        fs::remove_file(numbered.name(15)).unwrap();
        assert_eq!(numbered.find().unwrap(), 9..=11);
    }
}
