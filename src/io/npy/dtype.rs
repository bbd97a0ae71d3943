//! The type of a file's numbers, as NumPy writes it: `<f4` is a float of four bytes, the lowest first.

use crate::data::Element;

/// A type, and the text of it in the header, for errors.
#[derive(Clone, Debug)]
pub(super) struct DType {
    descr: String,
    scalar: Option<Scalar>,
}

/// A type of which each number is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    /// `f`, `i`, `u` or `b`.
    pub kind: u8,
    /// The bytes of a number.
    pub size: usize,
    /// Whether the highest byte comes first.
    pub big: bool,
}

impl DType {
    /// The type of a value in a header: a text in quotes, or a list for a record of several.
    pub(super) fn of(value: &[u8]) -> DType {
        let text = match value {
            [b'\'', text @ .., b'\''] | [b'"', text @ .., b'"'] => Some(text),
            _ => None,
        };
        let descr = match text {
            Some(text) => format!("'{}'", String::from_utf8_lossy(text)),
            None => String::from_utf8_lossy(value).into_owned(),
        };
        DType { descr, scalar: text.and_then(Scalar::of) }
    }

    pub(super) fn descr(&self) -> String {
        self.descr.clone()
    }

    pub(super) fn scalar(&self) -> Option<Scalar> {
        self.scalar
    }

    /// Returns whether the highest byte of a value comes first.
    pub(super) fn is_big(&self) -> bool {
        self.scalar.is_some_and(|scalar| scalar.big)
    }

    pub(super) fn is(&self, kind: u8, size: usize) -> bool {
        self.scalar.is_some_and(|scalar| (scalar.kind, scalar.size) == (kind, size))
    }
}

impl Scalar {
    fn of(text: &[u8]) -> Option<Scalar> {
        let (order, kind, size) = match *text {
            [order, kind @ (b'f' | b'i' | b'u' | b'b'), size @ (b'1' | b'2' | b'4' | b'8')] => {
                (order, kind, usize::from(size - b'0'))
            }
            _ => return None,
        };
        let big = match order {
            b'<' => false,
            b'>' => true,
            b'=' => cfg!(target_endian = "big"),
            b'|' if size == 1 => false,
            _ => return None,
        };
        Some(Scalar { kind, size, big })
    }
}

/// Returns the type in the header: in this machine's order of bytes, in which numbers are written
/// as they are.
pub(super) fn descr<T: Element>() -> String {
    let order = match size_of::<T>() {
        1 => '|',
        _ if cfg!(target_endian = "little") => '<',
        _ => '>',
    };
    format!("{order}{}", T::DESCR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_an_order_a_kind_and_a_size() {
        let scalar = |text: &str| DType::of(text.as_bytes()).scalar();
        assert_eq!(scalar("'<f4'"), Some(Scalar { kind: b'f', size: 4, big: false }));
        assert_eq!(scalar("\">i8\""), Some(Scalar { kind: b'i', size: 8, big: true }));
        assert_eq!(scalar("'|b1'"), Some(Scalar { kind: b'b', size: 1, big: false }));
        for other in
            ["'f4'", "'|f4'", "'<c8'", "'<f16'", "'<U5'", "'|O'", "'", "", "[('a', '<f4')]"]
        {
            assert_eq!(scalar(other), None, "{other}");
        }
        assert_eq!(DType::of(b"\"<f4\"").descr(), "'<f4'");
    }
}
