//! Constant registers, as arguments: `11=2`, `12=1,0,0,1`.

use std::str::FromStr;

use crate::process::failure::Failure;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) register: usize,
    pub(super) quad: [f32; 4],
}

impl FromStr for Setting {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Setting, Failure> {
        let form = "expected REGISTER=X or REGISTER=X,Y,Z,W, as in 11=2 or 12=1,0,0,1";
        let wrong = |why: String| Failure::Input { text: format!("{form}; {why}") };
        let Some((register, numbers)) = text.split_once('=') else {
            return Err(wrong("there is no `=`".into()));
        };
        let register = register.trim();
        let register = register
            .parse()
            .map_err(|_| wrong(format!("`{register}` is no register's number, 0 to 95 or more")))?;
        let numbers = numbers
            .split(',')
            .map(|number| single(number.trim()).ok_or_else(|| wrong(misfit(number.trim()))))
            .collect::<Result<Vec<f32>, Failure>>()?;
        let quad = match numbers[..] {
            [x] => [x; 4],
            [x, y, z, w] => [x, y, z, w],
            _ => return Err(wrong(format!("got {} numbers", numbers.len()))),
        };
        Ok(Setting { register, quad })
    }
}

/// A number; `None` for what is none, and for what only rounding would make infinite.
fn single(text: &str) -> Option<f32> {
    let number: f32 = text.parse().ok()?;
    let spelt_out = !text.contains(|c: char| c.is_ascii_digit());
    (number.is_finite() || spelt_out).then_some(number)
}

fn misfit(text: &str) -> String {
    format!("`{text}` is no single-precision number")
}

/// Refuses a register that is set twice: one of the two would be lost without a word.
pub(super) fn check_once(settings: &[Setting]) -> Result<(), Failure> {
    for (index, setting) in settings.iter().enumerate() {
        let register = setting.register;
        if settings.iter().take(index).any(|earlier| earlier.register == register) {
            let text = format!("--constant sets c[{register}] twice: give it once");
            return Err(Failure::Input { text });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_stands_in_all_four_places() {
        let setting: Setting = "11=2.5".parse().unwrap();
        assert_eq!(setting, Setting { register: 11, quad: [2.5; 4] });
        let setting: Setting = " 0 = 1, -2,3e-3,inf".parse().unwrap();
        assert_eq!(setting, Setting { register: 0, quad: [1.0, -2.0, 3e-3, f32::INFINITY] });
    }

    #[test]
    fn what_is_malformed_says_how() {
        for (text, words) in [
            ("11", "there is no `=`"),
            ("=1", "`` is no register's number"),
            ("c[1]=1", "`c[1]` is no register's number"),
            ("-1=1", "`-1` is no register's number"),
            ("1=", "`` is no single-precision number"),
            ("1=x", "`x` is no single-precision number"),
            ("1=1e39", "`1e39` is no single-precision number"),
            ("1=1,2", "got 2 numbers"),
            ("1=1,2,3,4,5", "got 5 numbers"),
        ] {
            let error = text.parse::<Setting>().unwrap_err().to_string();
            assert!(error.contains(words) && error.contains("REGISTER=X"), "{text}: {error}");
        }
    }

    #[test]
    fn a_register_is_set_once() {
        let settings = |texts: &[&str]| -> Vec<Setting> {
            texts.iter().map(|text| text.parse().unwrap()).collect()
        };
        assert!(check_once(&settings(&["1=1", "2=1"])).is_ok());
        let error = check_once(&settings(&["1=1", "2=1", "1=1,2,3,4"])).unwrap_err();
        assert!(error.to_string().contains("c[1] twice"));
    }
}
