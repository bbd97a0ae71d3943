"""Transforms and convolutions of device arrays and NumPy arrays, against NumPy and SciPy in double precision."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import fft as scipy_fft
from scipy import ndimage

import quadrille_gl as q

from .conftest import APIS, example

Random = Callable[..., npt.NDArray[np.float32]]

NEAR = 3e-6
"""Beyond the bounds of the transforms here, and far from any wrong one."""


@pytest.fixture(params=APIS, autouse=True)
def context(request: pytest.FixtureRequest) -> Any:
    with q.Context("llvmpipe", api=request.param) as context:
        yield context


def is_near(got: Any, exact: npt.NDArray[Any], dtype: str = "complex64") -> bool:
    got = np.asarray(got)
    assert got.dtype == dtype and got.shape == exact.shape
    return bool(np.linalg.norm(got - exact) <= NEAR * np.linalg.norm(exact))


def complex_of(random: Random, *shape: int) -> npt.NDArray[np.complex64]:
    return (random(*shape) + 1j * random(*shape)[::-1]).astype("complex64")


@pytest.mark.parametrize("shape", [(1,), (8,), (30,), (11,), (4, 6), (2, 3, 5)])
def test_transforms_are_numpys(shape: tuple[int, ...], random: Random) -> None:
    z = complex_of(random, *shape)
    for given in (z, q.array(z)):
        for axis in range(-len(shape), len(shape)):
            assert is_near(q.fft(given, axis=axis), np.fft.fft(z.astype("c16"), axis=axis))
            assert is_near(q.ifft(given, axis=axis), np.fft.ifft(z.astype("c16"), axis=axis))
        if len(shape) > 1:
            assert is_near(q.fft2(given), np.fft.fft2(z.astype("c16")))
            assert is_near(q.ifft2(given), np.fft.ifft2(z.astype("c16")))
    x = random(*shape)
    for real in (x, q.array(x)):
        assert is_near(q.fft(real), np.fft.fft(x.astype("f8")))
    assert isinstance(q.fft(q.array(x)), q.ComplexArray) and isinstance(q.fft(x), np.ndarray)


@pytest.mark.parametrize("shape", [(1,), (2,), (8,), (9,), (22,), (3, 6), (2, 2, 5)])
def test_real_transforms_are_numpys_and_go_back(shape: tuple[int, ...], random: Random) -> None:
    x = random(*shape)
    for given in (x, q.array(x)):
        half = q.rfft(given)
        assert is_near(half, np.fft.rfft(x.astype("f8")))
        assert is_near(q.irfft(half, shape[-1]), x.astype("f8"), "float32")


@pytest.mark.parametrize("shape", [(2,), (7,), (16,), (3, 5)])
@pytest.mark.parametrize("kind", [1, 2])
def test_sine_and_cosine_transforms_are_scipys(shape: tuple[int, ...], kind: int, random: Random) -> None:
    x = random(*shape)
    for name in ("dct", "dst"):
        exact = getattr(scipy_fft, name)(x.astype("f8"), kind)
        assert is_near(getattr(q, name)(x, kind), exact, "float32")
        back = getattr(q, "i" + name)(getattr(q, name)(q.array(x), kind), kind)
        assert is_near(back, x.astype("f8"), "float32")


@pytest.mark.parametrize("mode", ["reflect", "constant", "nearest", "wrap"])
@pytest.mark.parametrize(
    ("shape", "weights"), [((9,), (3,)), ((16,), (4,)), ((7, 8), (3, 3)), ((5, 6), (2, 4)), ((20, 18), (17, 16))]
)
def test_convolutions_are_scipys(shape: tuple[int, ...], weights: tuple[int, ...], mode: str, random: Random) -> None:
    x, w = random(*shape), random(*weights)
    for given in (x, q.array(x)):
        for name in ("convolve", "correlate"):
            exact = getattr(ndimage, name)(x.astype("f8"), w.astype("f8"), mode=mode)
            assert is_near(getattr(q, name)(given, w, mode=mode), exact, "float32")


@pytest.mark.parametrize("mode", ["reflect", "constant", "nearest", "wrap"])
@pytest.mark.parametrize(
    ("shape", "axis", "count"), [((9,), 0, 3), ((7, 8), -1, 4), ((7, 8), 0, 5), ((3, 4, 5), 2, 3), ((3, 4, 5), 0, 2), ((5, 300), 1, 251)]
)
def test_convolutions_along_an_axis_are_scipys(
    shape: tuple[int, ...], axis: int, count: int, mode: str, random: Random
) -> None:
    x, w = random(*shape), random(count)
    for given in (x, q.array(x)):
        for name in ("convolve1d", "correlate1d"):
            exact = getattr(ndimage, name)(x.astype("f8"), w.astype("f8"), axis=axis, mode=mode)
            assert is_near(getattr(q, name)(given, w, axis, mode=mode), exact, "float32")


def test_weights_that_are_a_product_are_two_convolutions(random: Random) -> None:
    x, column, row = random(20, 31), random(5), random(4)
    both = ndimage.convolve(x.astype("f8"), np.outer(column, row).astype("f8"), mode="wrap")
    down = q.convolve1d(q.array(x), column, axis=0, mode="wrap")
    assert is_near(q.convolve1d(down, row, axis=1, mode="wrap"), both, "float32")


def test_complex_arrays_have_the_operators_of_numpy(random: Random) -> None:
    a, b = complex_of(random, 5, 3), complex_of(random, 5, 3)
    x = random(5, 3) + np.float32(2)
    z, w, v = q.array(a), q.array(b), q.array(x)
    assert z.shape == (5, 3) and z.ndim == 2 and z.size == 15 and len(z) == 5 and z.dtype == "complex64"
    assert np.array_equal(np.asarray(z), a) and np.array_equal(np.asarray(z.real), a.real)
    assert np.array_equal(np.asarray(z.imag), a.imag) and np.array_equal(np.asarray(z.conj()), a.conj())
    assert is_near(abs(z), np.abs(a), "float32")
    for got, exact in [
        (z + w, a + b),
        (z - w, a - b),
        (z * w, a * b),
        (z + 2, a + 2),
        (2j - z, 2j - a),
        (3 * z, 3 * a),
        ((1 + 2j) * z, (1 + 2j) * a),
        (z / 4, a / 4),
        (z * v, a * x),
        (v * z, a * x),
        (v + z, a + x),
        (z / v, a / x),
        (-z, -a),
        (b + z, a + b),
        (z * x, a * x),
        (x * z, a * x),
    ]:
        assert is_near(got, exact)
    assert "ComplexArray [5, 3]" in repr(z)


def test_real_and_complex_numbers_convert_where_that_is_exact(random: Random) -> None:
    x = random(3, 5)
    z = q.array(x).astype("complex64")
    assert isinstance(z, q.ComplexArray) and np.array_equal(np.asarray(z), x.astype("c8"))
    assert z.astype(np.complex64) is z and np.array_equal(np.asarray(z.astype("float32")), x)
    whole = np.arange(6, dtype="u4").reshape(2, 3)
    again = q.array(whole, dtype="complex64")
    assert np.array_equal(np.asarray(again), whole.astype("c8"))
    assert np.array_equal(np.asarray(again.astype("uint32")), whole) and again.astype("int32").dtype == "int32"
    assert np.array_equal(np.asarray(q.array(np.array([True, False])).astype("complex64")), [1, 0])
    some = np.zeros((2, 3), "c8")
    some[1, 2] = 3 - 0.25j
    odd = np.array([2**24 + 1], "u4")
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: q.array(some).astype("float32"), "one of -0.25 at index 5 in C order"),
        (lambda: q.array(x).astype("complex64").astype("int32"), "int32"),
        (lambda: q.array(odd, dtype="complex64"), "16777217"),
        (lambda: q.array(odd, dtype="uint32").astype("complex64"), "16777217"),
        (lambda: q.array(x).astype("float64"), "uint32 and complex64, got float64"),
    ]
    for wrong, words in cases:
        with pytest.raises(q.InputError, match=words):
            wrong()


def test_what_is_wrong_is_refused_with_numbers(random: Random) -> None:
    x = random(4)
    z = q.fft(q.array(x))
    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: q.fft(x, axis=1), "axis of shape \\[4\\], got 1"),
        (lambda: q.fft(np.zeros((3, 0), "f4")), "axis -1 of shape \\[3, 0\\] has no number"),
        (lambda: q.rfft(z), "rfft: expected real numbers, got complex64"),
        (lambda: q.irfft(x), "got n = 6 and float32"),
        (lambda: q.irfft(z, 9), "n = 6 or 7 real ones have 4; got n = 9"),
        (lambda: q.dct(x, 3), "type 1 or 2, got 3"),
        (lambda: q.convolve(x, [1, 2], mode="mirror"), "expected a mode of reflect"),
        (lambda: q.convolve(x, [[1, 2]]), "shapes \\[4\\] and \\[1, 2\\]"),
        (lambda: q.convolve(x, []), "some weights"),
        (lambda: q.convolve1d(x, []), "some weights"),
        (lambda: q.convolve1d(x, [[1, 2]]), "weights of one axis, got \\[1, 2\\]"),
        (lambda: q.correlate1d(np.zeros((2, 3, 4), "f4"), [1], 1), "first or the last axis, got 1 of shape \\[2, 3, 4\\]"),
        (lambda: q.convolve1d(x, [1], 1), "axis of shape \\[4\\], got 1"),
        (lambda: z / z, "z \\* w.conj\\(\\)"),
        (lambda: z + q.fft(x[:2]), "different shapes"),
        (lambda: q.fft2(x), "axis of shape \\[4\\], got -2"),
    ]
    for call, words in wrong:
        with pytest.raises(q.InputError, match=words):
            call()
    with pytest.warns(UserWarning, match="rounded to float32"):
        q.array(np.array([1 / 3 + 1j]))
    with pytest.raises(q.InputError, match="does not fit float32"):
        q.array(np.array([1e300 + 1j]))


def test_the_sea_is_the_sum_of_its_waves() -> None:
    ocean = example("ocean")
    sea = ocean.Sea(side=32, metres=60, wind=(5, 2))
    waves, opposite = np.asarray(sea.waves).astype("c16"), np.asarray(sea.opposite).astype("c16")
    # The exponential of complex numbers ends the process on versions of wine that have no cexp.
    angles = 3.5 * np.asarray(sea.rates).astype("f8")
    turns = np.cos(angles) + 1j * np.sin(angles)
    exact = np.fft.ifft2(waves * turns + opposite * turns.conj())
    assert np.linalg.norm(exact.imag) <= 1e-6 * np.linalg.norm(exact.real)
    heights = sea.heights(3.5)
    # Beside the transform's rounding the device's sines have their own.
    assert np.linalg.norm(np.asarray(heights) - exact.real) <= 1e-5 * np.linalg.norm(exact)
    assert np.std(exact.real) == pytest.approx(1, abs=0.3)
    assert np.asarray(sea.light(heights)).min() >= 0
