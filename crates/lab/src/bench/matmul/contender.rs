//! The contenders of a comparison: the library's methods and others.

use std::fmt;
use std::str::FromStr;

use quadrille::error::UnknownName;
use quadrille::linalg::matmul::{Error, Method, Options};
use quadrille::stream::Engine;

use super::listing::Order;

/// A method with its options, or a library on the host. As text it is the text of the wish, or
/// `gemm-1` and `gemm`, or `serial-by-columns` and `serial-blocked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contender {
    Method(Method, Options),
    /// Plain loops in another order than the library's `serial`.
    Serial(Order),
    /// The crate gemm, for floats.
    Library(Threads),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    One,
    All,
}

impl Contender {
    /// Loops that only who names them compares.
    const LOOPS: [Contender; 2] =
        [Contender::Serial(Order::ByColumns), Contender::Serial(Order::Blocked)];

    /// Every method as it is where no option is named, and the library on one core and on all, if
    /// the build has it.
    pub fn all() -> Vec<Contender> {
        let library = [Threads::One, Threads::All].map(Contender::Library).into_iter();
        let library = library.filter(|_| cfg!(feature = "reports"));
        Method::ALL.into_iter().map(Contender::from).chain(library).collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            Contender::Method(method, _) => method.name(),
            Contender::Serial(Order::ByColumns) => "serial-by-columns",
            Contender::Serial(Order::Blocked) => "serial-blocked",
            Contender::Library(Threads::One) => "gemm-1",
            Contender::Library(Threads::All) => "gemm",
        }
    }

    /// The options requested besides the method, as text.
    pub fn options(self) -> String {
        let text = self.to_string();
        text.split_once(' ').map_or(String::new(), |(_, options)| options.to_owned())
    }

    pub fn engine(self) -> Option<Engine> {
        match self {
            Contender::Method(method, _) => method.engine(),
            Contender::Serial(_) | Contender::Library(_) => None,
        }
    }

    /// Whether it is quadrille's own plain loops, which take long where matrices are large.
    pub fn is_serial(self) -> bool {
        matches!(self, Contender::Method(Method::Serial, _))
    }

    pub fn takes_integers(self) -> bool {
        match self {
            Contender::Method(method, _) => method.takes_integers(),
            Contender::Serial(_) => true,
            Contender::Library(_) => false,
        }
    }
}

impl From<Method> for Contender {
    fn from(method: Method) -> Contender {
        Contender::Method(method, method.into())
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Method(_, wish) => wish.fmt(f),
            Contender::Serial(_) | Contender::Library(_) => f.write_str(self.name()),
        }
    }
}

impl FromStr for Contender {
    type Err = Error;

    fn from_str(text: &str) -> Result<Contender, Error> {
        let library = [Threads::One, Threads::All].map(Contender::Library);
        let mut on_host = library.into_iter().chain(Contender::LOOPS);
        if let Some(contender) = on_host.find(|contender| contender.name() == text) {
            return Ok(contender);
        }
        let unknown = |name: &str| {
            let all = Contender::all().into_iter().chain(Contender::LOOPS);
            UnknownName::new("method", name, all.map(Contender::name))
        };
        match text.parse::<Options>() {
            Ok(wish) => Ok(Contender::Method(wish.method.ok_or_else(|| unknown(text))?, wish)),
            Err(Error::Unknown(UnknownName { what: "method", got, .. })) => {
                Err(unknown(&got).into())
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contender_is_read_back_from_its_text() {
        for contender in Contender::all().into_iter().chain(Contender::LOOPS) {
            assert_eq!(contender.to_string().parse::<Contender>().unwrap(), contender);
        }
        let text = "sp unroll=128 padding=0 b=transposed";
        assert_eq!(text.parse::<Contender>().unwrap().to_string(), text);
    }

    #[test]
    fn the_unknown_is_refused_with_what_there_is() {
        for text in ["fast", "auto", ""] {
            let error = text.parse::<Contender>().unwrap_err().to_string();
            assert!(error.contains("serial, element") && error.contains("gemm-1, gemm"), "{error}");
        }
        assert!("sp unrol=3".parse::<Contender>().unwrap_err().to_string().contains("unrol=3"));
    }
}
