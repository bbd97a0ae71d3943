#!/usr/bin/env python3
"""Builds the wheels of quadrille-gl: the extension module, which maturin compiles, and the command `quadrille` as a program beside it.

pip calls the functions: this is the build backend. A wheel for other computers than this one is linked by zig, which is on PyPI, and for Windows by MinGW:

    pip install 'maturin>=1.9,<2' cargo-zigbuild ziglang
    crates/python/build/quadrille_build.py manylinux_2_28_x86_64 target/wheels
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

# maturin would fetch a toolchain for itself alone; without it, it says what is missing.
os.environ.setdefault("MATURIN_NO_INSTALL_RUST", "1")

ROOT = Path(__file__).resolve().parents[3]
# Where maturin looks for what a wheel has beside its modules.
DATA = ROOT / "quadrille_gl._quadrille.data"


class Platform(NamedTuple):
    """What a wheel for other computers is compiled for."""

    target: str
    # By zig, for this policy of PyPI; else by the linker that the target has.
    policy: str = ""
    # The last part of zig's name of the target: the version of the C library.
    library: str = ""
    flags: str = ""


PLATFORMS = {
    "manylinux_2_28_x86_64": Platform("x86_64-unknown-linux-gnu", "manylinux_2_28", library=".2.28"),
    "manylinux_2_28_aarch64": Platform("aarch64-unknown-linux-gnu", "manylinux_2_28", library=".2.28"),
    # Programs for musl are static, unless one says otherwise to the compiler and to zig, and a static program cannot load a driver.
    "musllinux_1_2_x86_64": Platform("x86_64-unknown-linux-musl", "musllinux_1_2", flags="-C target-feature=-crt-static -C link-arg=-dynamic"),
    "win_amd64": Platform("x86_64-pc-windows-gnu"),
}


def compile_command(profile: str, platform: Platform | None) -> Path:
    """Compiles the command, without the reports of papers, and returns where it is."""
    cargo = ["cargo-zigbuild" if platform and platform.policy else "cargo", "rustc"]
    if platform:
        cargo += ["--target", platform.target + platform.library]
    package = ["--locked", "--package", "quadrille-cli", "--bin", "quadrille", "--no-default-features", "--profile", profile]
    # By an argument of the last call of the compiler: a profile with another value would compile all dependencies again.
    strip = ["--", "-C", "strip=symbols"] if profile == "release" else []
    flags = {"RUSTFLAGS": platform.flags} if platform and platform.flags else {}
    done = subprocess.run(
        [*cargo, *package, "--message-format", "json-render-diagnostics", *strip],
        cwd=ROOT,
        env=os.environ | flags,
        stdout=subprocess.PIPE,
        check=True,
    )
    messages = map(json.loads, done.stdout.splitlines())
    return next(Path(message["executable"]) for message in messages if message.get("executable"))


@contextlib.contextmanager
def command(profile: str = "release", platform: Platform | None = None) -> Iterator[None]:
    """While this lasts, the wheels that maturin makes have the command."""
    program = compile_command(profile, platform)
    shutil.rmtree(DATA, ignore_errors=True)
    (DATA / "scripts").mkdir(parents=True)
    try:
        shutil.copy2(program, DATA / "scripts")
        yield
    finally:
        shutil.rmtree(DATA)


def build_wheel(folder: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    with command():
        name: str = maturin.build_wheel(folder, settings, metadata)
        return name


def build_editable(folder: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    with command():
        name: str = maturin.build_editable(folder, settings, metadata)
        return name


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds a wheel for other computers, or the source distribution.")
    parser.add_argument("what", choices=[*PLATFORMS, "sdist"])
    parser.add_argument("folder", type=Path, help="where it is written")
    parser.add_argument("--dev", action="store_true", help="by the profile for development")
    arguments = parser.parse_args()
    out = ["--out", str(arguments.folder.resolve())]
    if arguments.what == "sdist":
        subprocess.run(["maturin", "sdist", *out], cwd=ROOT, check=True)
        return
    platform = PLATFORMS[arguments.what]
    profile = "dev" if arguments.dev else "release"
    words = ["maturin", "build", "--target", platform.target, "--profile", profile, *out]
    if platform.policy:
        words += ["--zig", "--compatibility", platform.policy]
    if arguments.dev:
        words += ["--strip", "false"]
    with command(profile, platform):
        subprocess.run(words, cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
