//! Dates, for files and reports that people may look into.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Returns today's date in UTC, as `2026-11-21`.
pub fn today() -> String {
    date(seconds() / SECONDS_OF_A_DAY)
}

/// Returns the date and the minute in UTC, as `2026-11-21 12:03`.
pub fn now() -> String {
    moment(seconds())
}

/// Returns the seconds since the first of January 1970.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns the date and the minute of that second since 1970.
fn moment(seconds: u64) -> String {
    let (days, minutes) = (seconds / SECONDS_OF_A_DAY, seconds % SECONDS_OF_A_DAY / 60);
    format!("{} {:02}:{:02}", date(days), minutes / 60, minutes % 60)
}

/// Returns the date of a day counted from the first of January 1970, by Howard Hinnant's
/// `civil_from_days`: years begin in March there, so that the leap day is their last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + later)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn leap_years_are_those_of_the_calendar() {
        let dates = [0, 59, 11_016, 11_017, 20_778, 47_540, 47_541].map(date);
        let expected = [
            "1970-01-01",
            "1970-03-01",
            "2000-02-29",
            "2000-03-01",
            "2026-11-21",
            "2100-02-28",
            "2100-03-01",
        ];
        assert_eq!(dates, expected);
    }
    #[test]
    fn minutes_are_cut_and_not_rounded() {
        let moments = [0, 59, 60, 86_399, 20_778 * 86_400 + 12 * 3_600 + 3 * 60 + 59];
        let expected = [
            "1970-01-01 00:00",
            "1970-01-01 00:00",
            "1970-01-01 00:01",
            "1970-01-01 23:59",
            "2026-11-21 12:03",
        ];
        assert_eq!(moments.map(super::moment), expected);
    }
}
