"""The plugin of pytest that runs every `*.test.toml`, as `quadrille test` does: each file and API is a test, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import pytest

from . import _quadrille
from ._isolated import ALLOW_OUTSIDE, LATE
from .errors import InputError

ENDING = ".test.toml"
# A driver may load its libraries for this long, whatever the time limit of a test.
START = 60.0
# What is kept of the words of a process that crashed.
WORDS = 2000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("quadrille")
    group.addoption(
        "--quadrille-device",
        metavar="DEVICE",
        help=f"the device of tests in *{ENDING}: its index, or a part of its name "
        "[default: QUADRILLE_DEVICE if set, else hardware before software]",
    )
    group.addoption(
        "--quadrille-api",
        choices=["gl", "gles", "all"],
        help=f"desktop OpenGL, OpenGL ES, or both, for every *{ENDING} [default: what each test says]",
    )
    group.addoption(
        "--quadrille-allow-outside",
        action="store_true",
        help=f"let every *{ENDING} name files outside of the folder in which pytest is started, or of its own where it is not below that",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> TestFile | None:
    if not file_path.name.endswith(ENDING):
        return None
    made: TestFile = TestFile.from_parent(parent, path=file_path)
    return made


class TestFile(pytest.File):
    """A description of a test."""

    __test__ = False

    def collect(self) -> Iterator[ShaderTest]:
        try:
            apis, limit = _quadrille.read_test(self.path, allow_outside=self.config.getoption("--quadrille-allow-outside"))
        except InputError as error:
            raise self.CollectError(str(error)) from None
        asked = self.config.getoption("--quadrille-api")
        for api in {None: apis, "all": ["gl", "gles"]}.get(asked, [asked]):
            yield ShaderTest.from_parent(self, name=api, limit=limit)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


class Wrong(Exception):
    """A test is not as expected."""


class ShaderTest(pytest.Item):
    """A test in one API."""

    def __init__(self, *, limit: float, **rest: Any) -> None:
        super().__init__(**rest)
        self.limit = limit

    def runtest(self) -> None:
        outcome, reasons = self._judged()
        text = "\n".join(reasons)
        if outcome == "skip":
            pytest.skip(text)
        if outcome == "known":
            pytest.xfail(text)
        if outcome != "pass":
            raise Wrong(f"{outcome}: {text}")

    def _judged(self) -> tuple[str, list[str]]:
        """Runs it in a process of its own."""
        command = [sys.executable, "-m", "quadrille_gl._isolated", str(self.path), self.name, str(self.limit)]
        if self.config.getoption("--quadrille-allow-outside"):
            command.append(ALLOW_OUTSIDE)
        device: str | None = self.config.getoption("--quadrille-device")
        if device is not None:
            command.append(device)
        with TemporaryFile() as out, TemporaryFile() as err:
            # Its standard input ends with this process, and it does too.
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err)
            try:
                process.wait(START + self.limit)
            except subprocess.TimeoutExpired:
                # It looks at its own limit, and hangs.
                pass
            finally:
                process.kill()
                process.communicate()
            lines, words = (_text(file) for file in (out, err))
        return self._ended(process.returncode, lines.splitlines(), words[-WORDS:])

    def _ended(self, code: int, lines: list[str], words: str) -> tuple[str, list[str]]:
        if not lines:
            return "fail", [f"there is no context: {_quadrille.shown(words.strip()) or f'none after {START:.0f} s'}"]
        device = json.loads(lines[0])
        ended: dict[str, Any] = {"signal": -code} if code < 0 else {"code": code}
        match lines[1:]:
            case [answer] if answer == LATE:
                ended = {"late": self.limit}
            case [answer]:
                ended = {"answer": answer}
        return _quadrille.judge_test(self.path, self.name, device, words=words, **ended)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Wrong):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.path.name.removesuffix(ENDING)} ({self.name})"
