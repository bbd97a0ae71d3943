//! DIMACS files (`.cnf`) as found in the wild.
//!
//! Lines that begin with `c` are comments, wherever they stand; `p cnf VARIABLES CLAUSES` comes
//! before the clauses, alone in its line; a clause is literals that end in 0, over several lines or
//! several on one, with any white space between. A line that begins with `%` ends the formula, as
//! in SATLIB's files, where a 0 follows that is no clause. A byte order mark before the text is
//! skipped.
//!
//! **A count of clauses that differs from the header's is an error**, not a note: nothing else
//! reveals a file that was cut off at the end of a line, and a model of its first half would be a
//! wrong answer. If the header is wrong, it is one number to correct.

mod error;
mod scanner;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use quadrille::memory;

use self::error::{in_file, no_memory, reading};
use self::scanner::{Scanner, Token};
use crate::cnf::{Cnf, MAX_LITERALS, MAX_VARIABLES};

pub use self::error::{Error, Result};

const HEADER: &str = "the header `p cnf VARIABLES CLAUSES`";

/// Reads a formula from a file.
///
/// # Errors
/// [`Error::Read`] if the file cannot be read, [`Error::Syntax`] with line and column.
pub fn read(path: impl AsRef<Path>) -> Result<Cnf> {
    let path = path.as_ref();
    let file = File::open(path).map_err(reading(path))?;
    read_from(file, path)
}

/// Reads a formula from bytes; errors call them by `name`.
///
/// ```
/// use quadrille_vp::cnf::dimacs;
///
/// let cnf = dimacs::parse("two.cnf", b"c an example\np cnf 2 2\n1 -2 0 2\n0\n")?;
/// assert_eq!(cnf.clause(0), [1, -2]);
/// let error = dimacs::parse("two.cnf", b"p cnf 2 1\n1 -3 0\n").unwrap_err();
/// assert!(error.to_string().starts_with("two.cnf:2:3: expected "));
/// # Ok::<(), quadrille_vp::cnf::dimacs::Error>(())
/// ```
///
/// # Errors
/// [`Error::Syntax`] with line and column.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Cnf> {
    read_from(bytes, name)
}

/// Reads a formula from a stream; errors call it by `name`. Its memory is the formula's.
///
/// # Errors
/// As [`read`].
pub fn read_from(stream: impl Read, name: impl AsRef<Path>) -> Result<Cnf> {
    let name = name.as_ref();
    let mut scanner = Scanner::new(name, BufReader::with_capacity(1 << 16, stream));
    scanner.skip_byte_order_mark()?;
    let header = Header::read(&mut scanner)?;
    let mut cnf = Cnf::empty(header.variables).map_err(in_file(name))?;
    let mut clause = Vec::new();
    // Where the clause begins that is not ended yet.
    let mut open: Option<Token> = None;
    while let Some(token) = scanner.next()? {
        if token.begins_line && token.text().starts_with(b"%") {
            scanner.must_end_after_percent()?;
            break;
        }
        if cnf.len() == header.clauses {
            return Err(header.too_many(&scanner, &token));
        }
        match header.literal(&scanner, &token)? {
            0 => {
                cnf.push(&clause).map_err(in_file(name))?;
                clause.clear();
                open = None;
            }
            literal => {
                memory::push(&mut clause, literal).map_err(no_memory(name))?;
                open = open.or(Some(token));
                if cnf.literals().len() + clause.len() > MAX_LITERALS {
                    let expected = format!("at most {MAX_LITERALS} literals");
                    return Err(scanner.syntax_here(expected, "more"));
                }
            }
        }
    }
    header.must_be_complete(&scanner, cnf.len(), open.as_ref())?;
    Ok(cnf)
}

/// The sizes that the file's header promises.
struct Header {
    variables: usize,
    clauses: usize,
}

impl Header {
    fn read(scanner: &mut Scanner<'_, impl BufRead>) -> Result<Header> {
        let Some(first) = scanner.next()? else {
            return Err(scanner.syntax_here(HEADER, "the end of the file"));
        };
        if !(first.begins_line && first.text() == b"p") {
            return Err(scanner.syntax(&first, HEADER, first.quoted()));
        }
        let format = header_word(scanner, &first, "`cnf`")?;
        if format.text() != b"cnf" {
            return Err(Error::Unsupported {
                place: scanner.place(&format),
                got: format!("the format {}", format.quoted()),
                accepted: "`cnf`, plain clauses (convert weighted or other formulas first)",
            });
        }
        let variables = header_word(scanner, &first, "the number of variables")?;
        let variables = count(scanner, &variables, "variables", MAX_VARIABLES)?;
        let clauses = header_word(scanner, &first, "the number of clauses")?;
        let clauses = count(scanner, &clauses, "clauses", MAX_LITERALS)?;
        // A number here would pass for a literal, and a 0 for a clause that nothing satisfies.
        scanner.must_end_line(HEADER)?;
        Ok(Header { variables, clauses })
    }

    fn literal(&self, scanner: &Scanner<'_, impl BufRead>, token: &Token) -> Result<i32> {
        let Some(number) = token.number() else {
            let expected = "a literal (a variable's number, negative where it is negated) or 0";
            return Err(scanner.syntax(token, expected, token.quoted()));
        };
        if number == 0 && token.text() != b"0" {
            let expected = "a literal, or a plain 0 to end the clause";
            return Err(scanner.syntax(token, expected, token.quoted()));
        }
        let fits = number.unsigned_abs() <= self.variables as u64;
        match i32::try_from(number) {
            Ok(literal) if fits => Ok(literal),
            _ => {
                let expected =
                    format!("a variable from 1 to {}, as the header says", self.variables);
                Err(scanner.syntax(token, expected, token.quoted()))
            }
        }
    }

    /// Describes the promised number of clauses in a message.
    fn said(&self) -> String {
        let plural = if self.clauses == 1 { "" } else { "s" };
        format!("{} clause{plural}", self.clauses)
    }

    fn too_many(&self, scanner: &Scanner<'_, impl BufRead>, token: &Token) -> Error {
        let expected = format!(
            "the end of the file after {} (if there are more, correct the header)",
            self.said()
        );
        scanner.syntax(token, expected, token.quoted())
    }

    fn must_be_complete(
        &self,
        scanner: &Scanner<'_, impl BufRead>,
        got: usize,
        open: Option<&Token>,
    ) -> Result<()> {
        if let Some(start) = open {
            let expected = format!(
                "a 0 to end the clause that begins at line {}, column {}",
                start.line, start.column
            );
            return Err(scanner.syntax_here(expected, "the end of the formula"));
        }
        if got == self.clauses {
            return Ok(());
        }
        let expected = format!("{}, as the header says", self.said());
        let got = format!("{got} (is the file cut off? If not, correct the header)");
        Err(scanner.syntax_here(expected, got))
    }
}

/// Returns the next word of the header, which is one line.
fn header_word(
    scanner: &mut Scanner<'_, impl BufRead>,
    first: &Token,
    what: &str,
) -> Result<Token> {
    match scanner.next()? {
        Some(token) if token.line == first.line => Ok(token),
        _ => Err(scanner.syntax(first, format!("{what} in {HEADER}"), "the end of the line")),
    }
}

fn count(
    scanner: &Scanner<'_, impl BufRead>,
    token: &Token,
    what: &str,
    most: usize,
) -> Result<usize> {
    match token.number().map(usize::try_from) {
        Some(Ok(count)) if count <= most => Ok(count),
        _ => {
            let expected = format!("a number of {what} from 0 to {most} in {HEADER}");
            Err(scanner.syntax(token, expected, token.quoted()))
        }
    }
}
