//! Options that the libraries specify, as arguments of a command line.

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use quadrille::options::{Entry, FrontEnd, Kind, Many, OptionSpec, Specified};

use super::assignment::assigned;

/// The characters of a line of help.
const WIDTH: usize = 118;

/// A type with options, flattened into the arguments of a command, which are the group `Options`.
pub(crate) struct Options<T>(pub(crate) T);

impl<T: Specified + 'static> Args for Options<T> {
    fn augment_args(command: Command) -> Command {
        let names = T::of(FrontEnd::Command).map(|option| option.name);
        let group = ArgGroup::new("Options").args(names).multiple(true);
        command.args(T::of(FrontEnd::Command).map(argument::<T>)).group(group)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Specified + 'static> FromArgMatches for Options<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options<T>, Error> {
        let mut made = Options(T::default());
        made.update_from_arg_matches(matches)?;
        Ok(made)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let refused = |error: String| Error::raw(ErrorKind::ValueValidation, error);
        for option in T::of(FrontEnd::Command) {
            // A default is what the type has already.
            if matches.value_source(option.name) != Some(ValueSource::CommandLine) {
                continue;
            }
            let mut names = Vec::new();
            for text in matches.get_many::<String>(option.name).into_iter().flatten() {
                let value = Value::of(option, text).map_err(refused)?;
                if option.many != Many::List && names.contains(&value.of) {
                    let flag = FrontEnd::Command.spelled(option.name);
                    let of = value.of.map_or_else(String::new, |of| format!(" of `{of}`"));
                    return Err(refused(format!("{flag}{of} is given twice: expected it once")));
                }
                self.0.set(option, &value).map_err(|error| refused(error.to_string()))?;
                names.push(value.of);
            }
        }
        Ok(())
    }
}

/// A value, with the name that it is for.
struct Value<'a> {
    of: Option<&'a str>,
    text: &'a str,
}

impl<'a> Value<'a> {
    fn of(option: &OptionSpec, text: &'a str) -> Result<Value<'a>, String> {
        let has_name = match option.many {
            Many::ByName(_) => true,
            Many::ByNameOrAll => text.contains('='),
            _ => false,
        };
        let (of, text) = match has_name {
            true => assigned(text).map(|(name, text)| (Some(name), text))?,
            false => (None, text),
        };
        Ok(Value { of, text })
    }
}

impl Entry for Value<'_> {
    fn of(&self) -> Option<&str> {
        self.of
    }

    fn text(&self) -> Option<String> {
        Some(self.text.to_owned())
    }
}

fn argument<T: Specified + 'static>(option: &'static OptionSpec) -> Arg {
    let long = |name| FrontEnd::Command.spelled(name).trim_start_matches('-').to_owned();
    let argument = Arg::new(option.name)
        .long(long(option.name))
        .aliases(option.formerly.iter().map(|name| long(name)))
        .help(sentence(option))
        .long_help(long_help(option))
        .value_parser(parser::<T>(option));
    let argument = match (option.kind, option.many) {
        (Kind::Flag, _) => {
            argument.num_args(0..=1).require_equals(true).default_missing_value("true")
        }
        (_, Many::One) => argument,
        _ => argument.action(ArgAction::Append),
    };
    let is_number =
        matches!(option.kind, Kind::Integer { .. } | Kind::Number | Kind::Positive | Kind::Single);
    let argument = argument.value_name(value_name(option)).allow_negative_numbers(is_number);
    match option.default {
        "" => argument,
        default => argument.default_value(default),
    }
}

fn value_name(option: &OptionSpec) -> String {
    match (option.many, option.kind) {
        (Many::ByName(form), _) => form.to_owned(),
        (Many::ByNameOrAll, Kind::Name(names)) => {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            format!("[NAME=]{}", names.join("|"))
        }
        (_, Kind::Flag) => "WHETHER".to_owned(),
        (_, Kind::Integer { .. }) => "N".to_owned(),
        (_, Kind::Number | Kind::Positive | Kind::Single) => "X".to_owned(),
        (_, Kind::Folder) => "DIR".to_owned(),
        (_, Kind::Contents) => "FILE".to_owned(),
        (_, Kind::Sides { example: [_, _], .. }) => "WxH".to_owned(),
        (_, Kind::Sides { .. }) => "XxYxZ".to_owned(),
        _ => option.name.to_uppercase().replace('_', "-"),
    }
}

/// Refuses a value where clap names the argument.
fn parser<T: Specified + 'static>(
    option: &'static OptionSpec,
) -> impl TypedValueParser<Value = String> {
    clap::builder::StringValueParser::new().try_map(move |text| {
        let value = Value::of(option, &text)?;
        match T::default().set(option, &value) {
            Ok(()) => Ok(text),
            Err(_) => Err(format!("expected {}", option.expected())),
        }
    })
}

fn sentence(option: &OptionSpec) -> String {
    let repeated = if option.many == Many::One { "" } else { "; can be repeated" };
    format!("{}{repeated}", option.help)
}

/// Returns the sentence, and beneath it each name with what it means.
fn long_help(option: &OptionSpec) -> String {
    let Kind::Name(names) = option.kind else { return sentence(option) };
    let widest = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut help = sentence(option) + "\n";
    for (name, meaning) in names {
        let margin = widest + 4;
        let mut line = format!("\n  {name:widest$}  ");
        let mut length = margin;
        for word in meaning.split(' ') {
            if length + word.len() > WIDTH - 10 {
                line += &format!("\n{:margin$}", "");
                length = margin;
            }
            let blank = if line.ends_with(' ') { "" } else { " " };
            line += &format!("{blank}{word}");
            length += word.len() + blank.len();
        }
        help += &line;
    }
    help
}
