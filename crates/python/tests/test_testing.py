"""`quadrille_gl.testing`, and the plugin that runs `*.test.toml`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quadrille_gl as q

from .conftest import f4


def test_arrays_within_a_tolerance_are_the_same() -> None:
    x = f4([[1, 2, 3], [4, 5, 6]])
    near = np.nextafter(np.nextafter(x, f4(9)), f4(9))
    q.testing.assert_same(near, x, ulp=2)
    q.testing.assert_same(x, x.tolist(), exact=True)
    q.testing.assert_same(x, x.astype("f8") + 1e-12, exact=True)
    q.testing.assert_same(x, x + 1, absolute=1)
    q.testing.assert_same(x, 1.5 * x, relative=0.34)
    q.testing.assert_same(np.zeros((3, 2), "f4"), 0, exact=True)
    q.testing.assert_same(f4([np.nan, np.inf]), [np.nan, np.inf], ulp=0)
    q.testing.assert_same(np.arange(3, dtype="i4"), [0, 1, 2], exact=True)
    q.testing.assert_same(np.arange(3, dtype="u4"), [0, 1, 2], exact=True)
    q.testing.assert_same(f4([]), [], exact=True)
    q.testing.assert_same(f4([1, 2, 3]), [1, 2, 4], exact=True, outliers=1)
    q.testing.assert_same(f4([1e-40]), [0], ulp=0)
    q.testing.assert_same(f4(2), 2, exact=True)


@pytest.mark.parametrize(("got", "expected", "rule", "message"), [
    (f4([[1, 2], [3, 4]]), [[1, 2], [3, 4.5]], {"ulp": 4}, "1 of 4 texels miss (within 4 ULP)\nthe worst is at column 1 of row 1, channel 0: expected 4.5, got 4 "),
    (f4([1, 2]), [1, 2, 3], {"ulp": 4}, "expected 3 x 1"),
    (f4([1, 2]), [[1, 2]], {"ulp": 4}, "expected an array of shape [1, 2], got [2]"),
    (f4([]), [1], {"exact": True}, "expected an array of shape [1], got [0]"),
    (np.array([1], "i4"), [2], {"exact": True}, "expected 2, got 1"),
    (np.array([1], "u4"), [-1], {"exact": True}, "expected integers, got unsigned integers"),
    (np.array([1], "i4"), [1.5], {"absolute": 1}, "expected floats, got integers"),
])
def test_what_differs_is_told(got: Any, expected: Any, rule: Any, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        q.testing.assert_same(got, expected, name="edges", **rule)
    assert str(caught.value).startswith("edges is not as expected: ")
    assert message in str(caught.value)


# What each rule accepts and refuses, for test files and tests in Rust too.
PAIRS = json.loads((Path(__file__).parents[3] / "tests/data/pairs.json").read_text())


@pytest.mark.parametrize(("group", "dtype"), [(group, "f4") for group in PAIRS["floats"]] + [(group, "i4") for group in PAIRS["integers"]], ids=str)
def test_every_rule_holds_for_its_pairs(group: Any, dtype: str) -> None:
    def numbers(number: Any) -> Any:
        return np.array([number], dtype)

    for got, expected in group["pass"]:
        q.testing.assert_same(numbers(got), numbers(expected), **group["rule"])
        q.testing.assert_same(numbers(got), numbers(expected)[0], **group["rule"])
    for got, expected in group["fail"]:
        with pytest.raises(AssertionError):
            q.testing.assert_same(numbers(got), numbers(expected), **group["rule"])


@pytest.mark.parametrize(("rule", "message"), [
    ({}, "expected one tolerance"),
    ({"ulp": 1, "exact": True}, "expected one tolerance"),
    ({"absolute": -1}, "absolute: expected a finite number from 0 on, got -1"),
    ({"relative": np.inf}, "relative: expected a finite number"),
    ({"ulp": 1, "nan": "maybe"}, 'nan: expected "equal" or "forbid", got "maybe"'),
    ({"ulp": 1, "denormals": "no"}, 'denormals: expected "any" or "keep" or "flush", got "no"'),
])
def test_wrong_rules_are_refused(rule: Any, message: str) -> None:
    with pytest.raises(q.InputError, match=message):
        q.testing.assert_same(f4([1]), [1], **rule)
    with pytest.raises(q.InputError, match="does not fit float32"):
        q.testing.assert_same(f4([1]), [1e300], ulp=1)


HALVE = "uniform sampler2D x; out float y; void main() { y = 0.5 * READ(x, TEXEL).r; }"
ENDLESS = "uniform sampler2D x; out float y; void main() { while (READ(x, TEXEL).r < 2.0) { y += 1.0; } }"
TEST = 'shader = "halve.frag"\ninput.x = "ramp:3x1"\n[expect.y]\nvalues = [[0.0, 0.25, 0.5]]\nexact = true\n'


@pytest.fixture
def folder(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.path.joinpath("halve.frag").write_text(HALVE)
    return pytester


def add(folder: pytest.Pytester, name: str, text: str) -> None:
    folder.path.joinpath(f"{name}.test.toml").write_text(text)


def test_each_file_and_api_is_a_test(folder: pytest.Pytester) -> None:
    add(folder, "right", 'api = ["gl", "gles"]\n' + TEST)
    add(folder, "wrong", TEST.replace("0.25", "0.5"))
    add(folder, "skipped", TEST + "[require]\nhardware = true\n")
    add(folder, "known", TEST.replace("0.25", "0.5") + '[known."llvmpipe"]\nreason = "its halves"\n')
    add(folder, "mended", TEST + '[known."llvmpipe"]\nreason = "its halves"\n')
    result = folder.runpytest_inprocess("-v", "-rA", "--quadrille-device", "llvmpipe")
    result.assert_outcomes(passed=2, failed=2, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines([
        "*right.test.toml::gl PASSED*",
        "*right.test.toml::gles PASSED*",
        "*mended (gl)*",
        'fail: it passes, and `known."llvmpipe"` says that it fails here (its halves): remove that entry',
        "*wrong (gl)*",
        "fail: output `y`, `values`: 1 of 3 texels miss (exactly)",
        "the worst is at column 1 of row 0, channel 0: expected 0.5, got 0.25 (*",
        "SKIPPED*it is a software renderer*",
        "XFAIL*known on llvmpipe: its halves*",
    ])
    folder.runpytest_inprocess("--quadrille-api=all", "right.test.toml", "wrong.test.toml::gles").assert_outcomes(passed=2, failed=1)


def test_a_wrong_description_is_an_error_with_its_line(folder: pytest.Pytester) -> None:
    add(folder, "bad", TEST + "ulps = 3\n")
    result = folder.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*bad.test.toml:6:1: unknown key `ulps`*"])


def test_a_shader_without_an_end_ends_at_its_limit(folder: pytest.Pytester) -> None:
    folder.path.joinpath("halve.frag").write_text(ENDLESS)
    add(folder, "endless", "timeout = 0.5\n" + TEST)
    result = folder.runpytest_inprocess("--quadrille-device=llvmpipe")
    result.assert_outcomes(failed=1)
    said = result.stdout.str()
    # llvmpipe itself ends loops after many turns, which the library finds out.
    assert "timeout: it was not done after 0.5 s" in said or "ended a loop" in said or "loops" in said, said


def test_a_device_that_is_not_there_is_a_failure(folder: pytest.Pytester) -> None:
    add(folder, "right", TEST)
    result = folder.runpytest_inprocess("--quadrille-device=nothing such")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no context: no OpenGL device matches `nothing such`*"])


def test_a_crash_is_told(folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    add(folder, "right", TEST)
    folder.path.joinpath("sitecustomize.py").write_text(
        "import os, quadrille_gl._quadrille as m\n"
        "def crash(*_, **__):\n os.write(2, b'words'); os.kill(os.getpid(), 11)\n"
        "m.run_test = crash\n")
    monkeypatch.setenv("PYTHONPATH", str(folder.path))
    result = folder.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["crash: its process ended by signal 11; it said: words"])


def test_a_test_names_files_of_its_folder_unless_others_are_allowed(folder: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("#error root:secret:0:0\n")
    add(folder, "right", f'common = "{secret}"\n{TEST}')
    result = folder.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    said = result.stdout.str()
    assert "`common` names" in said and "outside of the folder" in said and "secret:0" not in said, said
    result = folder.runpytest_inprocess("--quadrille-allow-outside")
    result.assert_outcomes(failed=1)
    assert "secret:0" in result.stdout.str()
