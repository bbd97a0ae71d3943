//! Options that the libraries specify, as arguments of a command line.

use clap::builder::TypedValueParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches};
use quadrille::options::{FrontEnd, Kind, OptionSpec, Specified};

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
        for option in T::of(FrontEnd::Command) {
            let value = match option.kind {
                Kind::Flag => matches.get_flag(option.name).then(|| "true".to_owned()),
                _ => matches.get_one::<String>(option.name).cloned(),
            };
            if let Some(value) = value {
                let refused = |error| Error::raw(clap::error::ErrorKind::ValueValidation, error);
                self.0.set(option, &value.as_str()).map_err(refused)?;
            }
        }
        Ok(())
    }
}

fn argument<T: Specified + 'static>(option: &'static OptionSpec) -> Arg {
    let long = FrontEnd::Command.spelled(option.name);
    let argument = Arg::new(option.name)
        .long(long.trim_start_matches('-').to_owned())
        .help(option.help)
        .long_help(long_help(option));
    if option.kind == Kind::Flag {
        return argument.action(ArgAction::SetTrue);
    }
    let value = match option.kind {
        Kind::Integer { .. } => "N".to_owned(),
        Kind::Number => "X".to_owned(),
        _ => option.name.to_uppercase().replace('_', "-"),
    };
    let argument = argument.value_name(value).value_parser(parser::<T>(option));
    match option.default {
        "" => argument,
        default => argument.default_value(default),
    }
}

/// Refuses a value where clap names the argument.
fn parser<T: Specified + 'static>(
    option: &'static OptionSpec,
) -> impl TypedValueParser<Value = String> {
    clap::builder::StringValueParser::new().try_map(move |text| {
        match T::default().set(option, &text.as_str()) {
            Ok(()) => Ok(text),
            Err(_) => Err(format!("expected {}", option.expected())),
        }
    })
}

/// Returns the sentence, and beneath it each name with what it means.
fn long_help(option: &OptionSpec) -> String {
    let Kind::Name(names) = option.kind else { return option.help.to_owned() };
    let widest = names.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut help = format!("{}\n", option.help);
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
