//! Enumerations whose variants have names.

/// An enumeration whose variants have names, each said once: the type, `ALL` and `name`, and with
/// a word for its kind, as in `enum Fold: "fold"`, `Display` and `FromStr`.
#[doc(hidden)]
#[macro_export]
macro_rules! __named_enum {
    (
        $(#[$attribute:meta])*
        $vis:vis enum $Type:ident $(: $kind:literal)? {
            $($(#[$of_variant:meta])* $Variant:ident => $name:literal),* $(,)?
        }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $(#[$attribute])*
        $vis enum $Type {
            $($(#[$of_variant])* $Variant),*
        }

        impl $Type {
            /// All of them, in order.
            $vis const ALL: [$Type; [$($name),*].len()] = [$($Type::$Variant),*];

            /// Returns the name.
            $vis fn name(self) -> &'static str {
                match self {
                    $($Type::$Variant => $name),*
                }
            }
        }

        $(quadrille::internal::named!($Type: $kind);)?
    };
}
pub use __named_enum as named_enum;
