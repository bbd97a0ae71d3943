"""Vertex programs of 2002."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

# Some tests give it what its types refuse.
vp: Any = q.vp

SQUARE = "!!VP1.0\nMUL o[COL0], v[1], v[1];\nEND"
SCALE = "!!VP1.0\nMOV R0, c[12];\nMAD o[COL0], v[1], c[11], R0;\nEND"
ADD = "!!VP1.0\nADD o[COL0], v[1], v[2];\nEND"
SUM = "!!VP1.0\nDP4 o[COL0].x, v[1], c[1];\nEND"


@pytest.mark.parametrize("engine", [None, "attributes", "vertex", "feedback", "fragment", "simulator"])
def test_engines_agree_with_numpy(engine: str | None) -> None:
    x = np.random.default_rng(1).standard_normal(1021).astype("f4")
    squares = vp(SQUARE, x, engine=engine)
    assert squares.dtype == "f4" and np.array_equal(squares, x * x)


def test_constants_are_numbers_or_fours() -> None:
    x = np.arange(8, dtype="f4")
    got = vp(SCALE, x, constants={11: 2, 12: (0.5, 1, 1.5, 2)})
    assert np.array_equal(got, 2 * x + np.tile(np.array([0.5, 1, 1.5, 2], "f4"), 2))


@pytest.mark.parametrize(
    "x", [np.arange(12)[::-2], np.arange(6, dtype=">f4"), np.array([True, False]), np.linspace(0, 1, 5).astype("f4")[::2]]
)
def test_any_strides_and_types_that_floats_hold(x: npt.NDArray[np.generic]) -> None:
    assert np.array_equal(vp(SQUARE, x), x.astype("f4") ** 2)


def test_bytes_stay_bytes_and_are_clamped() -> None:
    x = np.array([0, 3, 15, 16, 255], dtype="u1")
    assert np.array_equal(vp(SQUARE, x), x.astype("f4") ** 2)
    got = vp(SQUARE, x, bytes=True)
    assert got.dtype == "u1" and got.tolist() == [0, 9, 225, 255, 255]


def test_out_is_written_in_any_order_and_may_overlap_a_vector() -> None:
    x = np.arange(30, dtype="f4")
    square = x[::-1] * x[::-1]
    whole = np.full(60, 7, "f4")
    for out in [np.empty(30, "f4"), whole[::2], x]:
        assert vp(SQUARE, x[::-1], out=out) is out
        assert np.array_equal(out, square)
    assert np.all(whole[1::2] == 7)
    x = np.arange(30, dtype="f4")
    expected = x[:20] * x[:20]
    vp(SQUARE, x[:20], out=x[5:25])
    assert np.array_equal(x[5:25], expected) and x[4] == 4 and x[25] == 25
    clamped = np.empty(3, "u1")
    assert vp(SQUARE, np.array([2, 15, 16], "u1"), bytes=True, out=clamped) is clamped and clamped.tolist() == [4, 225, 255]
    nothing = np.empty(0, "f4")
    assert vp(SQUARE, nothing, out=nothing) is nothing


def test_doubles_are_rounded_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="rounded to float32"):
        vp(SQUARE, np.array([0.1, 0.2]))


@pytest.mark.parametrize("fold", ["device", "host"])
def test_sums(fold: str) -> None:
    x = np.random.default_rng(2).integers(0, 100, 60).astype("f4")
    # An invocation has fifteen fours, of which the program reads the first.
    assert vp(SUM, x, constants={1: 1.0}, reduce=True, fold=fold) == x[:4].sum()
    dot = Path(__file__).parents[3] / "crates/vector-machine/programs/dot.vp"
    y = np.random.default_rng(3).integers(0, 100, 60).astype("f4")
    assert vp(dot, x, y, reduce=True, padding=0, fold=fold) == float(x @ y)


def test_glsl() -> None:
    got = vp("void program() { o[1] = sqrt(v[1] * v[1] + v[2] * v[2]); }", np.array([3], "f4"), np.array([4], "f4"), glsl=True)
    assert got == pytest.approx([5], rel=1e-6)


def test_no_numbers() -> None:
    assert vp(SQUARE, np.array([], "f4")).shape == (0,)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: vp(SQUARE), "one to three vectors, got 0"),
        (lambda x: vp(ADD, x, x[:2]), "vectors of one length"),
        (lambda x: vp(SQUARE, x.reshape(2, 2)), r"vector 1: expected the shape \(n,\)"),
        (lambda x: vp(SQUARE, x, engine="gpu"), "engine: .*fragment"),
        (lambda x: vp(SQUARE, x, profile="new"), "profile: .*period"),
        (lambda x: vp(SQUARE, x, fold="cpu"), "fold: .*blending"),
        (lambda x: vp(SQUARE, x, constants={11: (1, 2)}), "constants: expected"),
        (lambda x: vp(SQUARE, x, constants={5000: 1}), "5000"),
        (lambda x: vp(SQUARE, x, bytes=True, reduce=True), "bytes"),
        (lambda x: vp(SQUARE, x, out=x[:3]), r"out: expected an array of float32 of shape \[4\], got one of float32 of shape \[3\]"),
        (lambda x: vp(SQUARE, x, out=x.astype("f8")), "out: expected an array of float32"),
        (lambda x: vp(SQUARE, x, bytes=True, out=x), "out: expected an array of uint8"),
        (lambda x: vp(SQUARE, x, reduce=True, out=x), "out: a sum is a float"),
        (lambda x: vp(SQUARE, x, out=np.broadcast_to(x[0], (4,))), "read-only"),
        (lambda x: vp("!!VP1.0\nMUL o[COL0], v[1];\nEND", x), "program.vp:2"),
        (lambda x: vp("missing.vp", x), "missing.vp"),
        (lambda x: vp(SQUARE, np.array([2**24 + 1])), "16777217"),
    ],
)
def test_wrong_arguments_say_what_was_expected(call: object, words: str) -> None:
    assert callable(call)
    with pytest.raises(q.Error, match=words):
        call(np.array([1, 2, 3, 4], "f4"))
