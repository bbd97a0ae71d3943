//! The names of things in reports.

use quadrille::shader::Reads;

/// The variants of an enumeration and their names in reports and arguments, said once: `ALL`,
/// `name`, and with a word for its kind `FromStr`.
macro_rules! named {
    ($vis:vis $Type:ident { $($Variant:ident => $name:literal),* $(,)? }) => {
        impl $Type {
            $vis const ALL: [$Type; [$($name),*].len()] = [$($Type::$Variant),*];

            $vis fn name(self) -> &'static str {
                match self {
                    $($Type::$Variant => $name),*
                }
            }
        }
    };
    ($vis:vis $Type:ident, $kind:literal { $($variants:tt)* }) => {
        named!($vis $Type { $($variants)* });

        impl std::str::FromStr for $Type {
            type Err = quadrille::error::UnknownName;

            fn from_str(text: &str) -> Result<$Type, Self::Err> {
                let unknown = || Self::Err::new($kind, text, $Type::ALL.map($Type::name));
                $Type::ALL.into_iter().find(|one| one.name() == text).ok_or_else(unknown)
            }
        }
    };
}
pub(crate) use named;

pub fn reads_name(reads: Reads) -> &'static str {
    match reads {
        Reads::Fetch => "fetch",
        Reads::Sample => "sample",
    }
}
