"""Comparison of arrays in tests, by the rules and with the messages of `quadrille test`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _quadrille
from .errors import InputError

__all__ = ["assert_same"]


def assert_same(
    got: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    ulp: int | None = None,
    absolute: float | None = None,
    relative: float | None = None,
    exact: bool = False,
    outliers: int = 0,
    nan: Literal["equal", "forbid"] = "equal",
    denormals: Literal["any", "keep", "flush"] | None = None,
    name: str = "the result",
) -> None:
    """Fails unless an array is the expected one, and says how many texels miss and which number is the worst.

    Arrays have the shapes that results have: `(n,)`, `(height, width)` or `(height, width, channels)`, of float32, int32 or uint32. A
    number in place of `expected` stands for all of them; `expected` is rounded to float32 where `got` has floats, and other integers are
    taken where they are the same in the type of `got`.

    One tolerance is needed: `ulp`, the most units in the last place, of floats; `absolute + relative * |expected|`, of which either may
    be left out; or `exact=True`. `outliers` texels may miss. NaN is right where NaN is expected, with `nan="forbid"` nowhere. A subnormal
    float is as good as zero unless `denormals="keep"`, which is so with `exact=True`; with "flush" the device must give zero.

    Raises `AssertionError` where the arrays differ, and `InputError` for wrong arguments.

    >>> import numpy as np, quadrille_gl as q
    >>> y = q.run("uniform sampler2D x; out float y; void main() { y = sqrt(READ(x, TEXEL).r); }", x=[1.0, 2.0])
    >>> q.testing.assert_same(y, np.sqrt([1.0, 2.0]), ulp=4)
    >>> q.testing.assert_same(np.float32([1, 2]), [1.0, 1.5], absolute=0.01)
    Traceback (most recent call last):
    AssertionError: the result is not as expected: 1 of 2 texels miss (within 0.01)
    the worst is at column 1 of row 0, channel 0: expected 1.5, got 2 (4194304 ULP, 5.000e-1 absolute)
    """
    __tracebackhide__ = True
    got = np.atleast_1d(np.asarray(got))
    text = _quadrille.compare(
        got,
        _like(got, np.asarray(expected)),
        exact=exact,
        ulp=ulp,
        absolute=absolute,
        relative=relative,
        outliers=outliers,
        nan=nan,
        denormals=denormals,
    )
    if text is not None:
        raise AssertionError(f"{name} is not as expected: {text}")


def _like(got: npt.NDArray[Any], expected: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The expected numbers in the type of those that came."""
    if expected.ndim == 0:
        expected = np.broadcast_to(expected, got.shape)
    if expected.dtype == got.dtype or expected.dtype.kind not in "fiub" or got.dtype.kind not in "fiub":
        return expected
    if got.dtype.kind == "f":
        with np.errstate(over="ignore", under="ignore"):
            floats = expected.astype(np.float32)
        if np.any(np.isinf(floats) & np.isfinite(expected)):
            raise InputError("expected: a number does not fit float32 (largest 3.4028235e38)")
        return floats
    with np.errstate(invalid="ignore"):
        integers = expected.astype(np.int32 if got.dtype.kind == "i" else np.uint32)
    # What is another number in that type is left for the comparison, which says so.
    return integers if np.array_equal(integers, expected) else expected
