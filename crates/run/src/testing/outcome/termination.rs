//! The end of a test's process.

use std::time::Duration;

use super::answer::Answer;

/// The end of a test's process.
#[derive(Clone, Debug, PartialEq)]
pub enum Termination {
    /// The process answered.
    Answered(Answer),
    /// The process crashed; the text says what is known about the crash.
    Crashed(String),
    /// The process was ended after the time that it had.
    TimedOut(Duration),
}

impl Termination {
    /// Describes a process that ended by a signal, or with an exit code, without an answer; and its
    /// last words.
    pub fn crashed(signal: Option<i32>, code: Option<i32>, words: &str) -> Termination {
        let how = match (signal, code) {
            (Some(signal), _) => format!("its process ended by signal {signal}"),
            // The codes by which Windows ends processes are errors, which are negative.
            (_, Some(code)) if code < 0 => format!("its process ended by exception {code:#010X}"),
            (_, Some(code)) => format!("its process ended with exit code {code} and no answer"),
            _ => "its process ended without an answer".into(),
        };
        Termination::Crashed(match words.trim() {
            "" => how,
            words => format!("{how}; it said: {words}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_tells_the_signal_or_the_code_and_the_last_words() {
        let crashed = |text: &str| Termination::Crashed(text.into());
        let signal = Termination::crashed(Some(11), None, "a driver's words\n");
        assert_eq!(signal, crashed("its process ended by signal 11; it said: a driver's words"));
        let exception = Termination::crashed(None, Some(0xC0000005_u32 as i32), "");
        assert_eq!(exception, crashed("its process ended by exception 0xC0000005"));
        let code = Termination::crashed(None, Some(3), "");
        assert_eq!(code, crashed("its process ended with exit code 3 and no answer"));
    }
}
