//! The arithmetic in which headers of the Interactive Shader Format write sizes, as in
//! `floor($WIDTH / 2.0)`.

use crate::dialect::SizeMistake;

/// Names of the functions, and how many values each takes.
const FUNCTIONS: [(&str, usize); 13] = [
    ("abs", 1),
    ("ceil", 1),
    ("clamp", 3),
    ("exp", 1),
    ("floor", 1),
    ("log", 1),
    ("log2", 1),
    ("max", 2),
    ("min", 2),
    ("mod", 2),
    ("pow", 2),
    ("round", 1),
    ("sqrt", 1),
];

/// Deeper ones are refused before they take the stack.
const DEEPEST: usize = 64;

/// Returns the value of an expression, by the values of its names without their `$`; else the byte
/// of the first mistake.
pub(super) fn evaluate(
    text: &str,
    value_of: &mut dyn FnMut(&str) -> Result<f64, SizeMistake>,
) -> Result<f64, (usize, SizeMistake)> {
    let mut parser = Parser { text, at: 0, depth: 0, value_of };
    let value = parser.sum()?;
    match parser.next() {
        None => Ok(value),
        Some(found) => Err((parser.at, SizeMistake::Behind { found })),
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The byte at which the rest begins.
    at: usize,
    depth: usize,
    value_of: &'a mut dyn FnMut(&str) -> Result<f64, SizeMistake>,
}

type Parsed = Result<f64, (usize, SizeMistake)>;

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the next character that is no space.
    fn next(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    /// Passes over a character if it is one of these.
    fn take(&mut self, these: &[char]) -> Option<char> {
        let found = self.next().filter(|found| these.contains(found))?;
        self.at += found.len_utf8();
        Some(found)
    }

    /// Passes over the characters from here on for which this holds.
    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn sum(&mut self) -> Parsed {
        let mut sum = self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let term = self.product()?;
            sum += if sign == '+' { term } else { -term };
        }
        Ok(sum)
    }

    fn product(&mut self) -> Parsed {
        let mut product = self.factor()?;
        while let Some(sign) = self.take(&['*', '/', '%']) {
            let factor = self.factor()?;
            product = match sign {
                '*' => product * factor,
                '/' => product / factor,
                _ => product % factor,
            };
        }
        Ok(product)
    }

    fn factor(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.at, SizeMistake::Deep));
        }
        let value = match self.next() {
            Some(sign @ ('-' | '+')) => {
                self.take(&[sign]);
                let factor = self.factor()?;
                if sign == '-' { -factor } else { factor }
            }
            Some('(') => {
                self.take(&['(']);
                let sum = self.sum()?;
                self.close()?;
                sum
            }
            Some('$') => self.name()?,
            Some('0'..='9' | '.') => self.number()?,
            Some(c) if c.is_ascii_alphabetic() => self.call()?,
            found => return Err((self.at, SizeMistake::NoValue { found })),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn close(&mut self) -> Result<(), (usize, SizeMistake)> {
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err((self.at, SizeMistake::Open { found: self.next() })),
        }
    }

    fn name(&mut self) -> Parsed {
        let begin = self.at;
        self.at += 1;
        let name = self.word(is_letter);
        (self.value_of)(name).map_err(|mistake| (begin, mistake))
    }

    fn number(&mut self) -> Parsed {
        let begin = self.at;
        self.word(|c| c.is_ascii_digit() || c == '.');
        // An exponent, unless a name begins there.
        let rest = self.rest();
        if let Some(power) = rest.strip_prefix(['e', 'E']) {
            let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
            if digits.starts_with(|c: char| c.is_ascii_digit()) {
                self.at += rest.len() - digits.len();
                self.word(|c| c.is_ascii_digit());
            }
        }
        let number = &self.text[begin..self.at];
        number.parse().map_err(|_| (begin, SizeMistake::Number { found: number.to_owned() }))
    }

    fn call(&mut self) -> Parsed {
        let begin = self.at;
        let name = self.word(is_letter);
        let Some((_, expected)) = FUNCTIONS.into_iter().find(|(known, _)| *known == name) else {
            let has = FUNCTIONS.map(|(name, _)| name.to_owned()).to_vec();
            return Err((begin, SizeMistake::NoFunction { found: name.to_owned(), has }));
        };
        if self.take(&['(']).is_none() {
            return Err((self.at, SizeMistake::Closed { function: name.to_owned() }));
        }
        let mut values = vec![self.sum()?];
        while self.take(&[',']).is_some() {
            values.push(self.sum()?);
        }
        self.close()?;
        match applied(name, &values) {
            Some(value) => Ok(value),
            None => {
                let (function, got) = (name.to_owned(), values.len());
                Err((begin, SizeMistake::Values { function, expected, got }))
            }
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns a function of these values; none where it takes another number of them.
fn applied(name: &str, values: &[f64]) -> Option<f64> {
    Some(match (name, values) {
        ("abs", [x]) => x.abs(),
        ("ceil", [x]) => x.ceil(),
        ("clamp", [x, least, most]) => x.max(*least).min(*most),
        ("exp", [x]) => x.exp(),
        ("floor", [x]) => x.floor(),
        ("log", [x]) => x.ln(),
        ("log2", [x]) => x.log2(),
        ("max", [x, y]) => x.max(*y),
        ("min", [x, y]) => x.min(*y),
        ("mod", [x, y]) => x - y * (x / y).floor(),
        ("pow", [x, y]) => x.powf(*y),
        ("round", [x]) => x.round(),
        ("sqrt", [x]) => x.sqrt(),
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, (usize, SizeMistake)> {
        evaluate(text, &mut |name| match name {
            "WIDTH" => Ok(642.0),
            "HEIGHT" => Ok(483.0),
            "amount" => Ok(0.25),
            _ => Err(SizeMistake::NoName { found: name.to_owned(), has: Vec::new() }),
        })
    }

    #[test]
    fn arithmetic_is_that_of_doubles() {
        for (text, wanted) in [
            ("64", 64.0),
            (" .5 ", 0.5),
            ("5.", 5.0),
            ("1e2", 100.0),
            ("2.5E-1", 0.25),
            ("$WIDTH/2.0", 321.0),
            ("floor($HEIGHT/2.0)", 241.0),
            ("floor($WIDTH*min((0.2),1.0))", 128.0),
            ("max(floor($HEIGHT*0.001),1.0)", 1.0),
            ("$WIDTH - 2 - 40", 600.0),
            ("2 + 3 * 4 / 2 - 1", 7.0),
            ("12 / 3 / 2", 2.0),
            ("7 % 4 + 1", 4.0),
            ("-(1 - 3) * +2", 4.0),
            ("--3", 3.0),
            ("pow(2.0, 3)", 8.0),
            ("mod(-1, 4)", 3.0),
            ("clamp($amount * 100, 1, 16)", 16.0),
            ("round(2.5) + ceil(2.1) + abs(-1)", 7.0),
            ("sqrt(16) + log2(8) + exp(0) + log(1)", 8.0),
        ] {
            assert_eq!(value(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        let name = |found: &str| SizeMistake::NoName { found: found.into(), has: Vec::new() };
        for (text, at, mistake) in [
            ("", 0, SizeMistake::NoValue { found: None }),
            ("$WIDTH /", 8, SizeMistake::NoValue { found: None }),
            ("3 * * 4", 4, SizeMistake::NoValue { found: Some('*') }),
            ("floor($WIDTH / 2", 16, SizeMistake::Open { found: None }),
            ("(1 2)", 3, SizeMistake::Open { found: Some('2') }),
            ("1 2", 2, SizeMistake::Behind { found: '2' }),
            ("$WIDTH)", 6, SizeMistake::Behind { found: ')' }),
            ("1 + $width", 4, name("width")),
            ("$", 0, name("")),
            ("1.2.3", 0, SizeMistake::Number { found: "1.2.3".into() }),
            ("floor 3", 6, SizeMistake::Closed { function: "floor".into() }),
            ("1 + max(2)", 4, SizeMistake::Values { function: "max".into(), expected: 2, got: 1 }),
            (
                "floor(1, 2)",
                0,
                SizeMistake::Values { function: "floor".into(), expected: 1, got: 2 },
            ),
        ] {
            assert_eq!(value(text), Err((at, mistake)), "{text}");
        }
        assert!(matches!(value("WIDTH / 2"), Err((0, SizeMistake::NoFunction { .. }))));
        assert!(matches!(value(&"(".repeat(100_000)), Err((_, SizeMistake::Deep))));
        assert!(matches!(value(&"-".repeat(100_000)), Err((_, SizeMistake::Deep))));
    }
}
