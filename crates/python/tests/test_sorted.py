"""Sorts, different numbers and histograms of device arrays and of NumPy's."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import quadrille_gl as q

from .conftest import example

_DTYPES = ["float32", "int32", "uint32", "int8", "uint16", "int64", "bool"]


def _numbers(dtype: str, *shape: int) -> npt.NDArray[Any]:
    low = 0 if dtype[0] in "ub" else -50
    return np.random.default_rng(len(dtype)).integers(low, 50, shape).astype(dtype)


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("shape", [(0,), (1,), (1001,), (7, 13), (2, 3, 5)])
def test_sorts_are_numpys(dtype: str, shape: tuple[int, ...]) -> None:
    x = _numbers(dtype, *shape)
    assert np.array_equal(q.sort(x), np.sort(x))
    assert np.array_equal(q.argsort(x), np.argsort(x, kind="stable"))
    assert np.array_equal(q.sort(x, descending=True), np.flip(np.sort(x), -1))
    assert np.array_equal(q.unique(x), np.unique(x))


def test_what_is_given_back_is_what_was_given() -> None:
    x = np.array([3, -1, 2], "int32")
    assert q.sort(x).dtype == np.int32 and q.argsort(x).dtype == np.uint32
    v = q.array(x, dtype="int32")
    assert isinstance(q.sort(v), q.Array) and v.sort().dtype == np.int32
    assert np.array_equal(np.asarray(v.argsort(descending=True)), [0, 2, 1])
    assert np.array_equal(np.asarray(q.array([2.0, 1.0, 2.0]).unique()), [1, 2])
    for dtype in ("bool", "uint8", "uint16", "int8", "int64", "uint64", "float16", ">i4"):
        y = np.array([1, 0, 1]).astype(dtype)
        assert q.sort(y).dtype == q.unique(y).dtype == q.topk(y, 1)[0].dtype == y.dtype
    assert q.sort(np.array([0.5, 0.25])).dtype == np.float32


def test_the_greatest_and_their_places() -> None:
    x = _numbers("int32", 1000)
    for largest in (True, False):
        values, places = q.topk(x, 10, largest=largest)
        order = np.argsort(-x if largest else x, kind="stable")[:10]
        assert np.array_equal(places, order) and np.array_equal(values, x[order])
    assert len(q.topk(x, 5000)[0]) == 1000


@pytest.mark.parametrize("dtype", ["int32", "uint32", "uint8", "int64"])
def test_counts_are_numpys(dtype: str) -> None:
    x = np.abs(_numbers(dtype, 3000).astype("int64")).astype(dtype)
    assert np.array_equal(q.bincount(x), np.bincount(x))
    assert np.array_equal(q.bincount(x, minlength=99), np.bincount(x, minlength=99))
    weights = np.random.default_rng(1).random(3000, dtype="float32")
    got, expected = q.bincount(x, weights), np.bincount(x, weights)
    assert got.dtype == np.float32 and np.allclose(got, expected, rtol=1e-5)
    v = q.array(x, dtype="uint32")
    assert np.array_equal(np.asarray(q.bincount(v)), np.bincount(x))
    empty = q.bincount(np.zeros(0, dtype))
    assert empty.shape == (0,) and np.array_equal(q.bincount(empty, minlength=2), [0, 0])


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "bool"])
def test_narrow_numbers_are_sorted_by_all_of_their_bits(dtype: str) -> None:
    x = np.random.default_rng(2).integers(0, 2**16, 5000).astype(dtype)
    for descending in (False, True):
        sign = -1 if descending else 1
        order = np.argsort(sign * x.astype("int64"), kind="stable")
        assert np.array_equal(q.sort(x, descending=descending), x[order])
        assert np.array_equal(q.argsort(x, descending=descending), order)
    assert np.array_equal(q.sort(x.reshape(50, 100)), np.sort(x.reshape(50, 100)))
    assert np.array_equal(q.unique(x), np.unique(x))
    assert np.array_equal(q.topk(x, 7)[0], np.sort(x)[:-8:-1])


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bool"])
@pytest.mark.parametrize("bins", [1, 7, 1000])
def test_histograms_are_numpys(dtype: str, bins: int) -> None:
    # Multiples of 1/4: no number is between an edge and that edge in single precision.
    x = (_numbers("float32", 3001) / 4).astype(dtype) if dtype == "float32" else _numbers(dtype, 3001)
    weights = np.random.default_rng(1).random(3001, dtype="float32")
    for limits in (None, (-3.0, 5.0)):
        counts, edges = q.histogram(x, bins, limits)
        low, high = limits or (float(x.min()), float(x.max()))
        assert np.array_equal(edges, np.linspace(low, high, bins + 1).astype("float32"))
        expected = np.histogram(x.astype("float64"), edges.astype("float64"))[0]
        assert counts.dtype == np.uint32 and np.array_equal(counts, expected)
        sums = q.histogram(x, bins, limits, weights)[0]
        doubles = [numbers.astype("float64") for numbers in (x, edges, weights)]
        expected = np.histogram(doubles[0], doubles[1], weights=doubles[2])[0]
        assert sums.dtype == np.float32 and np.allclose(sums, expected, rtol=1e-5)
    counts, edges = q.histogram(q.array(x.astype("float32")), bins)
    assert isinstance(counts, q.Array) and isinstance(edges, np.ndarray)
    assert np.asarray(counts).sum() == len(x)


def test_the_range_of_a_histogram_is_numpys() -> None:
    for x in (np.zeros(0, "float32"), np.full(3, 7, "float32"), np.array([1, 4], "int32")):
        counts, edges = q.histogram(x)
        expected = np.histogram(x)
        assert np.array_equal(counts, expected[0]) and np.allclose(edges, expected[1])
    x = np.array([np.nan, 1, 2, np.inf], "float32")
    with pytest.raises(q.InputError, match="finite numbers.*range="):
        q.histogram(x)
    assert np.array_equal(q.histogram(x, 2, (0, 2))[0], [0, 2])
    with pytest.raises(q.InputError, match="1 to 65536 bins, got 0"):
        q.histogram(np.array([1, 2], "float32"), 0)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(q.InputError, match="u32 holds, got -3 at index"):
        q.bincount(np.array([1, -3], "int32"))
    with pytest.raises(q.InputError, match="whole numbers, got float32"):
        q.bincount(np.array([1, 3], "float32"))
    with pytest.raises(q.InputError, match="1 to 65536 bins, got 70001"):
        q.bincount(np.array([70_000], "int32"))
    with pytest.raises(q.InputError, match="different shapes"):
        q.bincount(np.array([1, 3], "int32"), np.array([1], "float32"))


def test_arrays_of_whole_numbers_are_exact() -> None:
    x = np.array([2**31 - 1, -(2**31), 7, 2**24 + 1])
    v = q.array(x, dtype=np.int32)
    assert v.dtype == np.int32 and np.array_equal(np.asarray(v), x)
    assert np.array_equal(np.asarray(v.cumsum()), np.cumsum(x.astype("int32"), dtype="int32"))
    assert v.reshape(2, 2).shape == (2, 2) and "int32" in repr(v)
    out = np.empty(4, "int32")
    assert v.to_numpy(out) is out and np.array_equal(out, x)
    assert v.evaluate() is v and v._repr_png_() is None
    u = q.array(np.array([2**32 - 1, 0], "uint32"), dtype="uint32")
    assert np.array_equal(np.asarray(u), [2**32 - 1, 0]) and u.dtype == np.uint32


def test_conversions_are_exact_or_refused() -> None:
    v = q.array(np.array([1, 2, 3], "float32"))
    assert v.astype("int32").dtype == np.int32 and v.astype("float32") is v
    assert np.array_equal(np.asarray(v.astype("uint32").astype("float32") + v), [2, 4, 6])
    assert (v > 1).astype("uint32").dtype == np.uint32
    assert q.array([0, 1], dtype="bool").dtype == bool
    assert (v > 1).astype("float32").dtype == np.float32
    wide = np.array([[2**24, -(2**31)], [2**31 - 128, -0]], "float32")
    for dtype in ("int32", "float32"):
        wide = np.asarray(q.array(wide).astype(dtype).astype("float32"))
    assert np.array_equal(wide, [[2**24, -(2**31)], [2**31 - 128, 0]])
    assert np.array_equal(np.asarray(q.array([2**31 - 1], dtype="int32").astype("uint32")), [2**31 - 1])
    for numbers, dtype, message in [
        ([1.5], "int32", r"1.5 at \[0\] is no int32"),
        ([-1.0], "uint32", "-1 at"),
        ([2.0], "bool", "neither 0 nor 1"),
    ]:
        with pytest.raises(q.InputError, match=message):
            q.array(np.array(numbers, "float32")).astype(dtype)
    with pytest.raises(q.InputError, match="16777217"):
        q.array([2**24 + 1], dtype="int32").astype("float32")
    with pytest.raises(q.InputError, match="float32, bool, int32, uint32 and complex64, got float64"):
        v.astype("float64")


def test_operators_refuse_whole_numbers() -> None:
    v, w = q.array([1, 2], dtype="int32"), q.array(np.array([1, 2], "float32"))
    for wrong in (lambda: v + 1, lambda: w + v, lambda: v.sum(), lambda: -v, lambda: v > w):
        with pytest.raises(q.InputError, match="astype"):
            wrong()


def test_a_palette_is_the_means_of_the_pixels_nearest_to_each_colour() -> None:
    palette = example("palette")
    pixels = np.random.default_rng(3).random((33, 21, 3), dtype="float32") ** 2
    colours, labels, errors = palette.palette(pixels, 5)
    far = np.square(pixels[..., None, :].astype("float64") - colours).sum(-1)
    assert np.array_equal(far.argmin(-1), labels) and errors[-1] == pytest.approx(far.min(-1).mean(), rel=1e-6)
    assert all(later <= earlier * (1 + 1e-6) for earlier, later in zip(errors, errors[1:], strict=False))
    for label, colour in enumerate(colours):
        assert np.allclose(pixels[labels == label].mean(0), colour, atol=2e-4)
    # More colours than pixels: each pixel its own.
    assert palette.palette(pixels[:2, :3], 50)[2] == [0.0]
