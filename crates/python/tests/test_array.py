"""Device arrays against NumPy in double precision."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

from .conftest import APIS, f4

Random = Callable[..., npt.NDArray[np.float32]]

U = 2.0**-24
"""A rounding of float32 is relative to the result, by this much at most."""

SPECIAL = f4([0, np.inf, -np.inf, np.nan, 1, -1, 2, -3, 0.5, 3.4e38, 1e-30])


@pytest.fixture(params=APIS, autouse=True)
def context(request: pytest.FixtureRequest) -> Any:
    with q.Context("llvmpipe", api=request.param) as context:
        yield context


def assert_near(got: Any, exact: npt.NDArray[np.float64], units: float | npt.NDArray[np.float64]) -> None:
    """Within so many units in the last place, where denormals may be zeros; infinities and NaN in the same places."""
    got = np.asarray(got)
    assert got.dtype == "f4" and got.shape == exact.shape
    largest = float(np.finfo("f4").max)
    with np.errstate(all="ignore"):
        limit = np.maximum(np.abs(exact), 1.1754944e-38) * 2 * U * units + 1.1754944e-38
        near = np.abs(got.astype("f8") - exact) <= limit
        same = (got == exact) | (np.isnan(got) & np.isnan(exact)) | (np.isinf(got) & (np.abs(exact) > largest * (1 - 2 * U * units)))
    wrong = np.flatnonzero(~(near | same))
    assert wrong.size == 0, [(int(at), got.flat[at], exact.flat[at]) for at in wrong[:5]]


@pytest.mark.parametrize("shape", [(0,), (1,), (2,), (3,), (5,), (1021,), (4097,), (0, 3), (1, 1), (7, 3), (127, 61), (5, 4, 3)])
def test_an_expression_is_that_of_double_precision(shape: tuple[int, ...], random: Random) -> None:
    x, y = random(*shape), random(*shape)
    v, w = q.array(x), q.array(y)
    got = (2.0 * v + v * w - w / (v + 1)).sqrt()
    a, b = x.astype("f8"), y.astype("f8")
    inner = 2 * a + a * b - b / (a + 1)
    # Each of the six roundings is at most U times the sum of the magnitudes, which is at most 4; a
    # quotient counts thrice.
    limit = 8 * U * 4 / (2 * np.sqrt(np.maximum(inner, 1e-3))) + 6 * U * 2
    safe = inner > 1e-3
    result = np.asarray(got)
    assert result.shape == shape and result.dtype == "f4"
    assert np.all(np.abs(result - np.sqrt(np.abs(inner)))[safe] <= limit[safe])
    assert (v + w).sum() == pytest.approx((a + b).sum(), rel=60 * U)
    assert v.norm() == pytest.approx(np.linalg.norm(a.ravel()), rel=60 * U)
    if x.size:
        assert (v.min(), v.max()) == (x.min(), x.max())
        assert v.mean() == pytest.approx(a.mean(), rel=60 * U)
    if x.ndim == 1:
        assert v.dot(w) == pytest.approx(a @ b, rel=60 * U) == v @ y
    assert np.array_equal(v, x)


def test_each_operator_is_numpys(random: Random) -> None:
    a, b = (m.ravel() for m in np.meshgrid(np.append(SPECIAL, random(20) - 0.5), np.append(SPECIAL, random(20) - 0.5)))
    v, w = q.array(a), q.array(b)
    x, y = a.astype("f8"), b.astype("f8")
    with np.errstate(all="ignore"):
        assert_near(v + w, x + y, 0.5)
        assert_near(v - w, x - y, 0.5)
        assert_near(v * w, x * y, 0.5)
        assert_near(v / w, x / y, 2.5)
        assert_near(v**w, x**y, 3 + 3 * np.nan_to_num(np.abs(y * np.log(np.abs(x))), posinf=0))
        assert_near(3 / v, 3 / x, 2.5)
        assert_near(2 - v, 2 - x, 0.5)
        assert_near(-v, -x, 0)
        assert_near(abs(v), abs(x), 0)
        assert_near(q.minimum(v, w), np.minimum(x, y), 0)
        assert_near(q.maximum(v, w), np.maximum(x, y), 0)
        assert_near(q.maximum(v, 0.5), np.maximum(x, 0.5), 0)
        assert_near(q.where(v, v, w), np.where(x, x, y), 0)
        assert_near(q.where(v > w, v, 7), np.where(x > y, x, 7), 0)
        assert_near(q.where(a > b, 1.5, w), np.where(x > y, 1.5, y), 0)
        for power in [0, 1, 2, 3, -1, -2, 7, 0.5, 2.5]:
            assert_near(v**power, x**power, 3 + 3 * abs(power) + 3 * np.nan_to_num(np.abs(power * np.log(np.abs(x))), posinf=0) * (power % 1 != 0))
        assert_near(2**v, 2.0**x, 3 + 3 * np.nan_to_num(np.abs(x), posinf=0))
        for name in ["__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"]:
            got, exact = getattr(v, name)(w), getattr(x, name)(y)
            assert got.dtype == np.asarray(got).dtype == bool
            assert np.array_equal(got, exact), name
            assert got.sum() == exact.sum()
            assert (got.any(), got.all()) == (exact.any(), exact.all())
    assert np.array_equal(v == 1, x == 1)
    equals: object = v == None  # noqa: E711
    assert equals is False


def test_functions_have_the_names_of_numpy(random: Random) -> None:
    x = np.append(10 * random(1003), SPECIAL)
    with np.errstate(all="ignore"):
        for name in ["sqrt", "exp", "log", "sin", "cos", "tanh"]:
            assert_near(getattr(q.array(x), name)(), getattr(np, name)(x.astype("f8")), 4)


def test_dtypes_orders_and_strides(random: Random) -> None:
    x = random(12, 10)
    for view in [x, x.T, x[::2, ::-1], np.asfortranarray(x), x[1:2], x[:, 3], x.astype("f8"), x.astype("f2"), x.astype(">f4")]:
        assert np.array_equal(q.array(view), view)
    assert np.array_equal(q.array([[1, 2], [3, 2**24]]), [[1, 2], [3, 2**24]])
    flags = x > 0.5
    assert q.array(flags).dtype == bool and np.array_equal(q.array(flags), flags)
    assert np.array_equal(q.array(flags) * 2.0, flags * 2.0)
    with pytest.warns(UserWarning, match="float64 numbers were rounded"):
        q.array([0.1])
    with pytest.raises(q.InputError, match=r"16777217 at \[0, 1\] is no float32.*astype"):
        q.array([[2**24, 2**24 + 1]])
    with pytest.raises(q.InputError, match=r"1099511627776 at \[1\] does not fit an integer of 32 bits; .*astype"):
        q.array([0, 2**40])
    assert float(q.array(np.array([2**40]).astype("f4")).sum()) == 2**40
    with pytest.raises(q.InputError, match="expected an array of one axis or more"):
        q.array(3.0)  # a number
    for given, kind in [(None, "NoneType"), ("3", "str"), (object(), "object")]:
        with pytest.raises(q.InputError, match=f"expected an array of numbers, or numbers; got <class '{kind}'>"):
            q.array(given)  # type: ignore[call-overload]
    with pytest.raises(q.InputError, match="got dtype"):
        q.array(["a"])
    with pytest.raises(q.InputError, match="does not fit float32"):
        q.array(x) * 1e300


def test_results_go_to_numpy(random: Random) -> None:
    x = random(5, 7)
    v = q.array(x)
    out = np.empty((7, 5), "f4").T
    assert (v + v).to_numpy(out=out) is out
    assert np.array_equal(out, 2 * x)
    assert np.asarray(v, "f8").dtype == np.float64
    assert np.array(v) is not np.array(v)
    for wrong in [np.empty((5, 7)), np.empty((7, 5), "f4")]:
        with pytest.raises(q.InputError, match=r"out: expected an array of float32 of shape \[5, 7\]"):
            v.to_numpy(out=wrong)
    fixed = np.zeros((5, 7), "f4")
    fixed.flags.writeable = False
    with pytest.raises(q.InputError, match="read-only"):
        v.to_numpy(out=fixed)
    with pytest.raises(ValueError, match="without a copy"):
        v.__array__(copy=False)
    assert np.array_equal(v.reshape((7, -1)), x.reshape(7, -1))
    for shape in [(4, 4), (-1, -1), (), (-2, 3)]:
        with pytest.raises(q.InputError, match="reshape"):
            v.reshape(shape)


def test_numpy_arrays_meet_device_arrays(random: Random) -> None:
    x, y = random(3, 4), random(3, 4)
    v = q.array(x)
    for got, exact in [(y + v, y + x), (v - y, x - y), (y / v, y / x), (y > v, y > x),
                       (y**v, y**x), (y == v, y == x), (y <= v, y <= x), (y < v, y < x), (y >= v, y >= x), (y != v, y != x)]:
        assert isinstance(got, q.Array)
        assert np.allclose(got, exact, rtol=3e-7, atol=0)
    numbers: list[Any] = [np.float32(2), np.float64(2), np.int64(2), np.asarray(2.0), True + 1]
    for number in numbers:
        assert np.array_equal(number * v, 2 * x) and np.array_equal(v * number, 2 * x)
    # NumPy's functions would read it back one by one and leave the device without a word.
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: np.sin(v), r"np.sin takes no device array: write v\.sin\(\)"),
        (lambda: np.abs(v), r"write abs\(v\)"),
        (lambda: np.maximum(y, v), r"write q\.maximum\(v, w\)"),
        (lambda: np.add.reduce(v), r"np\.add\.reduce .*write v\.sum\(\)"),
        (lambda: np.add(y, v, out=y), r"write v \+ w"),
        (lambda: np.arctan(v), r"np.arctan takes no device array, and device arrays have no method for it.*np\.asarray\(v\)"),
        (lambda: y // v, r"np\.floor_divide .*np\.asarray\(v\)"),
    ]
    for call, text in calls:
        with pytest.raises(TypeError, match=text):
            call()
    with pytest.raises(TypeError):
        v + "text"  # type: ignore[operator]
    for shape in [(4, 3), (12,), (1, 4)]:
        with pytest.raises(q.InputError, match="different shapes"):
            v + q.array(np.zeros(shape, "f4"))
        with pytest.raises(q.InputError, match="different shapes"):
            np.zeros(shape, "f4") * v


def test_what_does_not_go_says_what_does(random: Random) -> None:
    v = q.array(random(3, 4))
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: v[0], r"np\.asarray\(v\)"),
        (lambda: list(v),  # type: ignore[call-overload]
         r"np\.asarray\(v\)"),
        (lambda: v.__setitem__(0, 1), r"q\.where"),
        (lambda: bool(v), r"any\(\), all\(\)"),
        (lambda: float(v), "expected an array of one number, got 12"),
        (lambda: v @ v, r"q\.matmul"),
        (lambda: q.array(np.zeros(0, "f4")).min(), "min: the array is empty"),
        (lambda: q.array(np.zeros(0, "f4")).mean(), "mean: the array is empty"),
        (lambda: q.minimum(1, 2), "expected a device array"),
        (lambda: q.maximum(v, "a"), "maximum: expected a number"),  # type: ignore[arg-type]
        (lambda: pow(v, 2, 3), "modulus"),  # type: ignore[misc]
    ]
    for call, text in calls:
        with pytest.raises(q.InputError, match=text):
            call()
    with pytest.raises(TypeError, match="unhashable"):
        hash(v)
    assert float(q.array([3.0]) + 1) == 4 and bool(q.array([3.0]))


def test_arrays_of_two_contexts_do_not_mix(context: q.Context) -> None:
    v = q.array([1.0, 2.0])
    with q.Context("llvmpipe") as other:
        w = q.array([3.0, 4.0])
        with pytest.raises(q.InputError, match="different contexts"):
            v + w
        assert np.array_equal(q.array(v) + w, [4, 6])
        assert np.array_equal(v + q.array(w, context=context), [4, 6])
        assert other.renderer in repr(w)
    with pytest.raises(q.DeviceError, match="closed"):
        w.sum()
    assert "closed context" in repr(w)


def test_long_chains_are_computed_in_parts(random: Random, context: q.Context) -> None:
    x = random(1000)
    v, exact = q.array(x), x.astype("f8")
    w = v
    for step in range(300):
        w = 0.5 * w + v * (1 / (1 + step))
        exact = 0.5 * exact + x * (1 / (1 + step))
    assert np.allclose(w, exact, rtol=1e-5)
    square = v
    for _ in range(40):
        square = q.minimum(square * square + square, 1)
    assert np.asarray(square).max() <= 1
    many = [q.array(random(10)) for _ in range(50)]
    total = many[0]
    for one in many[1:]:
        total = total + one
    assert np.allclose(total, sum(np.asarray(one, "f8") for one in many), rtol=1e-5)
    numbers = many[0]
    for step in range(100):
        numbers = numbers + 0.5
    assert np.allclose(numbers, np.asarray(many[0]) + 50, rtol=1e-5)


def test_what_is_computed_is_computed_once_and_forgotten(random: Random, context: q.Context) -> None:
    before = context.objects()["kept"]
    v = q.array(random(100, 100))
    w = (v + 1).evaluate()
    assert context.objects()["kept"] == before + 2
    kept = v * w
    assert context.objects()["kept"] == before + 2, "nothing is computed yet"
    assert kept.sum() == kept.sum()
    assert context.objects()["kept"] == before + 3
    programs = context.objects()["programs"]
    for factor in range(2000):
        (factor * v + 0.5).sum()
    objects = context.objects()
    assert objects["programs"] <= programs + 2, "another number compiles nothing"
    assert objects["kept"] == before + 3
    del v, w, kept
    assert context.objects()["kept"] == before


def test_threads_share_arrays(random: Random) -> None:
    x = random(999)
    w = q.array(x)
    for _ in range(20):
        w = w + 1
    results: list[float] = []
    threads = [threading.Thread(target=lambda: results.append(w.sum())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1 and len(results) == 8


def test_they_show_what_they_are(random: Random, context: q.Context) -> None:
    text = repr(q.array([1.0, 2.5]))
    assert text == f"<quadrille_gl.Array (2,) float32 on {context.renderer} [1.  2.5]>"
    large = q.array(random(30, 20))
    assert repr(large > 0.5) == f"<quadrille_gl.Array (30, 20) bool on {context.renderer}>"
    assert (large.ndim, large.size, len(large), large.device) == (2, 600, 30, context.renderer)


def test_kernels_take_them(random: Random) -> None:
    x = random(4, 5)
    text = "uniform sampler2D a; out float y; void main() { y = 2.0 * READ(a, TEXEL).r; }"
    assert np.array_equal(q.run(text, a=q.array(x)), 2 * x)


def test_cumulative_sums_and_products() -> None:
    numbers = np.random.default_rng(3).integers(-50, 50, (37, 41)).astype("float32")
    v = q.array(numbers)
    assert np.array_equal(np.asarray(v.cumsum()), numbers.cumsum())
    assert v.cumsum().shape == (37 * 41,)
    signs = np.sign(numbers) + (numbers == 0)
    assert np.array_equal(np.asarray(q.array(signs.astype("float32")).cumprod()), signs.cumprod())
    np.testing.assert_array_equal(
        np.asarray((v > 0).cumsum()), (numbers > 0).cumsum(dtype="int32"), strict=True
    )
    assert np.asarray(q.array(np.zeros(0, "float32")).cumsum()).shape == (0,)
