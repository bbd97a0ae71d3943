//! What installs OpenGL with Mesa's software renderer, by the names of each distribution's packages.

/// Distributions that have the same command.
struct Family {
    /// The names by which `/etc/os-release` says that a distribution is one of them, or like one.
    ids: &'static [&'static str],
    /// Their names for people.
    names: &'static str,
    command: &'static str,
}

const FAMILIES: [Family; 4] = [
    Family {
        ids: &["debian", "ubuntu"],
        names: "Debian, Ubuntu",
        command: "apt-get install libegl1 libgl1-mesa-dri libgles2",
    },
    Family {
        ids: &["fedora", "rhel", "centos"],
        names: "Fedora, RHEL",
        command: "dnf install mesa-libEGL mesa-dri-drivers libglvnd-gles",
    },
    Family {
        ids: &["alpine"],
        names: "Alpine",
        command: "apk add mesa-egl mesa-gles mesa-dri-gallium",
    },
    Family { ids: &["arch"], names: "Arch", command: "pacman -S libglvnd mesa" },
];

const WINDOWS: &str = "  the driver of the graphics card; or opengl32.dll and libgallium_wgl.dll of a build of Mesa for \
     Windows, beside the program (for Python, beside python.exe)";

/// Returns the command that installs Mesa's software renderer here, an indented line of its own; on
/// a distribution that is none of those known, a line for each of them. The text ends without a
/// line's end.
#[must_use]
pub fn mesa() -> String {
    if cfg!(windows) {
        return WINDOWS.into();
    }
    lines(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
}

/// Returns the lines for a distribution that has this `/etc/os-release`.
fn lines(os_release: &str) -> String {
    let here = FAMILIES.iter().find(|family| ids(os_release).any(|id| family.ids.contains(&id)));
    match here {
        Some(family) => format!("  {}", family.command),
        None => {
            let line = |family: &Family| format!("  {:<16} {}", family.names, family.command);
            FAMILIES.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

/// The names that a distribution has and those that it is like, its own first.
fn ids(os_release: &str) -> impl Iterator<Item = &str> {
    let values = |key: &'static str| {
        let value = os_release.lines().find_map(move |line| line.strip_prefix(key));
        value.unwrap_or_default().trim_matches(['"', '\'']).split_whitespace()
    };
    values("ID=").chain(values("ID_LIKE="))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_distribution_has_its_own_command() {
        for (os_release, command) in [
            (
                "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nVERSION_ID=\"13\"\nID=debian\n",
                "apt-get",
            ),
            ("NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n", "apt-get"),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt-get"),
            ("ID=fedora\n", "dnf"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf"),
            ("ID=alpine\nVERSION_ID=3.22.1\n", "apk"),
            ("ID='arch'\n", "pacman"),
        ] {
            let lines = lines(os_release);
            assert!(lines.trim_start().starts_with(command), "{os_release}: {lines}");
            assert_eq!(lines.lines().count(), 1, "{os_release}");
        }
    }

    #[test]
    fn another_distribution_gets_all_commands_with_their_names() {
        for os_release in ["", "ID=plan9\n", "VERSION_ID=debian\n"] {
            let lines = lines(os_release);
            assert_eq!(lines.lines().count(), FAMILIES.len());
            for part in ["Debian, Ubuntu   apt-get", "Fedora", "Alpine", "Arch"] {
                assert!(lines.contains(part), "no `{part}` in:\n{lines}");
            }
        }
    }
}
