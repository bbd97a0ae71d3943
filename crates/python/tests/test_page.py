"""The examples of docs/python.md run, in one session, and without a driver an error says what to install."""

import doctest
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


def test_examples_of_the_page_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 8
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    runner.run(test)
    result = runner.summarize(verbose=False)
    assert result.failed == 0 and result.attempted >= 20


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no EGL")
def test_without_egl_an_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Callable[[str], str]
) -> None:
    # An empty file is found first, and cannot be loaded.
    for name in ["libEGL.so", "libEGL.so.1"]:
        (tmp_path / name).touch()
    known = os.environ.get("LD_LIBRARY_PATH", "")
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{tmp_path}:{known}".rstrip(":"))
    printed = script("""
import quadrille_gl as q
for call in [q.devices, q.Context, lambda: q.array([1.0]), lambda: q.run("out float y; void main() { y = 1.0; }", size=(1, 1))]:
    try:
        call()
    except q.DeviceError as error:
        print("libEGL.so.1 cannot be loaded" in str(error) and "apt-get install libegl1" in str(error))
""")
    assert printed.split() == ["True"] * 4
