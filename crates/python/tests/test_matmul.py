"""Products of matrices: against NumPy in double precision, within the bound of rounding."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

from .conftest import LONG_DOUBLE

ONES = np.ones((2, 1), "f4")
METHODS = ["serial", "element", "cp", "sp", "block4x4", "block8x4", "block8x8", "block16x8",
           "compute-simple", "compute-tiled", "compute-shared", "compute-blocked"]


def pair(m: int, k: int, n: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    generator = np.random.default_rng(m + k + n)
    return generator.random((m, k), dtype="f4") - np.float32(0.5), generator.random((k, n), dtype="f4") - np.float32(0.5)


def check(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any]) -> None:
    """Within gamma_k of the products of magnitudes (Higham, section 3.5)."""
    a, b = a.astype("f8"), b.astype("f8")
    assert c.dtype == np.float32 and c.shape == (a @ b).shape
    u = 2.0**-24
    k = a.shape[-1]
    # Besides, products below the smallest normal float may be taken for 0.
    assert np.all(np.abs(c - a @ b) <= k * u / (1 - k * u) * (np.abs(a) @ np.abs(b)) + k * 2.0**-126)


@pytest.mark.parametrize("shape", [(1, 1, 1), (17, 31, 13), (64, 65, 66)])
def test_products_are_those_of_numpy(shape: tuple[int, int, int]) -> None:
    a, b = pair(*shape)
    check(a, b, q.matmul(a, b))


def test_a_check_tells_sums_on_the_way_that_overflow_from_products_that_do() -> None:
    a, b = np.tile(np.repeat(np.array([3e38, -3e38, 0], "f4"), [4, 4, 8]), (16, 1)), np.ones((16, 32), "f4")
    large = np.full((16, 16), 1e30, "f4")
    assert np.all(q.matmul(large, large, check=True) == np.inf)
    with pytest.raises(q.Error, match="should be 0 within .* sums on the way may exceed the largest float"):
        q.matmul(a, b, check=True)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_multiplies_or_says_what_it_lacks(method: Any) -> None:
    a, b = pair(20, 35, 36)
    try:
        c = q.matmul(a, b, method=method, check=True)
    except q.LimitError as error:
        # A context of OpenGL 3.3 has no compute shaders and no storage buffers.
        assert "lacks; it can run: serial" in str(error)
    else:
        check(a, b, c)


@pytest.mark.parametrize("shape", [(0, 0, 0), (3, 0, 4), (0, 3, 4), (3, 4, 0)])
@pytest.mark.parametrize("dtype", ["f4", "i4", "i2", "i8"])
def test_empty_matrices_have_products(shape: tuple[int, int, int], dtype: str) -> None:
    m, k, n = shape
    c = q.matmul(np.ones((m, k), dtype), np.ones((k, n), dtype))
    assert c.dtype == {"i8": "i4"}.get(dtype, dtype)
    np.testing.assert_array_equal(c, np.zeros((m, n)))


def test_any_order_and_strides_give_the_right_numbers() -> None:
    whole, b = pair(24, 32, 16)
    b = b[:16, :9]
    packed = np.zeros(16 * 12 * 4 + 1, "u1")[1:].view("f4").reshape(12, 16)
    packed[:] = whole[:12, :16]
    assert not packed.flags.aligned
    for a in [whole[:12, :16], np.asfortranarray(whole[:12, :16]), whole[::2, ::-2], whole.T[::2, :16], packed, packed.astype(">f4"),
              np.broadcast_to(whole[0, :16], (12, 16))]:
        check(a, b, q.matmul(a, b))


def test_vectors_are_a_row_and_a_column() -> None:
    a, b = pair(5, 7, 4)
    check(a[0], b, q.matmul(a[0], b))
    check(a, b[:, 0], q.matmul(a, b[:, 0]))
    one = q.matmul(a[0], b[:, 0])
    assert isinstance(one, np.float32)
    check(a[0], b[:, 0], np.asarray(one))


@pytest.mark.parametrize("kind", ["f4", "i4", "i2"])
def test_out_is_written_in_any_order_and_may_overlap_an_operand(kind: str) -> None:
    generator = np.random.default_rng(7)
    a, b = (generator.integers(-9, 9, shape).astype(kind) for shape in [(13, 7), (7, 13)])
    expected = a.astype("i8") @ b.astype("i8")
    whole = np.full((26, 26), 5, kind)
    for out in [np.empty((13, 13), kind), np.empty((13, 13), kind).T, whole[::2, ::-2]]:
        assert q.matmul(a, b, out=out) is out
        np.testing.assert_array_equal(out, expected)
    assert np.all(whole[1::2] == 5) and np.all(whole[:, ::2] == 5)
    parts: list[Any] = [np.s_[:], np.s_[::-1], np.s_[:, ::-1]]
    for part in parts:
        square = np.ascontiguousarray(expected % 5).astype(kind)
        expected_square = square.astype("i8") @ square.astype("i8")
        assert np.shares_memory(square, square[part])
        q.matmul(square, square, out=square[part])
        np.testing.assert_array_equal(square[part], expected_square)
    buffer = np.arange(40).astype(kind)
    left, right, out = buffer[:12].reshape(3, 4), buffer[8:20].reshape(4, 3), buffer[5:14].reshape(3, 3)
    expected = left.astype("i8") @ right.astype("i8")
    q.matmul(left, right, out=out)
    np.testing.assert_array_equal(out, expected)


def test_out_of_vectors_and_of_empty_products() -> None:
    a, b = pair(5, 7, 4)
    row, one, none = np.empty(4, "f4"), np.empty((), "f4"), np.ones((2, 3), "f4")
    assert q.matmul(a[0], b, out=row) is row and q.matmul(a[0], b[:, 0], out=one) is one
    check(a[0], b, row)
    check(a[0], b[:, 0], one)
    np.testing.assert_array_equal(q.matmul(np.ones((2, 0), "f4"), np.ones((0, 3), "f4"), out=none), np.zeros((2, 3)))


@pytest.mark.parametrize(("out", "match"), [
    (np.zeros((3, 2), "f4"), r"out: expected an array of float32 of shape \[2, 3\], got one of float32 of shape \[3, 2\]"),
    (np.zeros(6, "f4"), r"got one of float32 of shape \[6\]"),
    (np.zeros((2, 3)), "got one of float64"),
    (np.zeros((2, 3), "i4"), "got one of int32"),
    (np.zeros((2, 3), ">f4"), "got one of >f4"),
    ([[0.0] * 3] * 2, "got <class 'list'>"),
    (np.broadcast_to(np.float32(0), (2, 3)), "read-only"),
    (np.lib.stride_tricks.as_strided(np.zeros(3, "f4"), (2, 3), (0, 4)), "repeats some of them"),
])
def test_a_wrong_out_is_refused(out: Any, match: str) -> None:
    a, b = pair(2, 4, 3)
    with pytest.raises(q.InputError, match=match):
        q.matmul(a, b, out=out)
    with pytest.raises(q.InputError, match="inner dimensions differ"):
        q.matmul(a, b[1:], out=out)


@pytest.mark.parametrize("dtype", ["i2", "i4"])
def test_integers_wrap_as_those_of_numpy(dtype: str) -> None:
    info = np.iinfo(dtype)
    generator = np.random.default_rng(1)
    a, b = (generator.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in [(19, 23), (23, 17)])
    methods: list[Any] = ["auto", "serial", "element"]
    for method in methods:
        np.testing.assert_array_equal(q.matmul(a, b, method=method, check=True), a @ b, strict=True)


@pytest.mark.parametrize("dtypes", [("i8", "i8"), ("i1", "i1"), ("u1", "i2"), ("?", "?"), ("u4", "i4"), ("u8", "i1"), ("i4", "i2"), (">i2", "i2")])
def test_other_integers_have_exact_products_of_int32(dtypes: tuple[str, str]) -> None:
    generator = np.random.default_rng(1)
    a, b = (generator.integers(0, 2, shape).astype(dtype) for dtype, shape in zip(dtypes, [(9, 11), (11, 8)], strict=True))
    c = q.matmul(a, b)
    assert c.dtype == (np.int16 if dtypes == (">i2", "i2") else np.int32)
    np.testing.assert_array_equal(c, a.astype("i8") @ b.astype("i8"))


def test_sums_that_could_leave_int32_are_refused_unless_the_type_says_they_wrap() -> None:
    a = np.full((2, 2), 2**15, "i8")
    with pytest.raises(q.InputError, match=r'int64 is int32, which sums of up to 2.147e9 could exceed: convert both by astype\("int32"\)'):
        q.matmul(a, a)
    np.testing.assert_array_equal(q.matmul(a.astype("i4"), a.astype("i4")), np.full((2, 2), -(2**31), "i4"), strict=True)
    small = np.full((2, 2), 100, "i1")
    np.testing.assert_array_equal(q.matmul(small, small), np.full((2, 2), 20000, "i4"), strict=True)
    with pytest.raises(q.InputError, match="could exceed"):
        q.matmul(np.full((1, 1), 3 * 10**9, "u4"), np.ones((1, 1), "i4"))


def test_float64_is_rounded_with_a_warning() -> None:
    a, b = pair(4, 5, 6)
    with pytest.warns(UserWarning, match="b: float64 numbers were rounded to float32") as caught:
        c = q.matmul(a, b.astype("f8") + 1e-12)
    assert len(caught) == 1 and caught[0].filename == __file__
    check(a, b, c)
    check(a, b, q.matmul(a.astype("f8"), b))
    check(a.astype("f2"), b, q.matmul(a.astype("f2"), b))
    with pytest.raises(q.InputError, match="1e39.* does not fit float32"):
        q.matmul([[1e39]], [[1.0]])


def test_integers_beside_floats_must_be_exact() -> None:
    a = np.array([[1, 2**24]])
    np.testing.assert_array_equal(q.matmul(a, ONES), np.array([[2**24]], "f4"), strict=True)
    with pytest.raises(q.InputError, match="a: expected integers that float32 holds exactly"):
        q.matmul(a + 1, ONES)


@pytest.mark.parametrize(("a", "b", "match"), [
    (np.ones((2, 3)), np.ones((2, 3)), "the inner dimensions differ: A is a 2 x 3 matrix and B is a 2 x 3 matrix"),
    (np.ones((2, 2, 2)), np.ones((2, 2)), r"a: expected a matrix or a vector, got the shape \[2, 2, 2\]"),
    (np.ones((2, 2)), 2.0, r"b: expected a matrix or a vector, got the shape \[\]"),
    (np.ones((2, 2)) * 1j, np.ones((2, 2)), "a: expected an array of float16.*complex128"),
    ([["x"]], [[1.0]], "a: expected an array of"),
    pytest.param(np.ones((2, 2), "g"), np.ones((2, 2)), "a: expected an array of", marks=LONG_DOUBLE),
    (np.ma.masked_array(np.ones((2, 2)), [[True, False], [False, False]]), np.ones((2, 2)), "masked"),
])
def test_what_is_no_product_is_refused(a: Any, b: Any, match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.matmul(a, b)


@pytest.mark.parametrize("options", [
    {"method": "element", "cell": 4, "unroll": 3}, {"method": "element", "cell": "1", "transpose": "both", "padding": 0},
    {"method": "sp", "passes": 3, "reads": "fetch"}, {"method": "block8x4", "tile": (16, 8), "order": "hilbert"},
    {"method": "block4x4", "tile": 16, "order": "morton", "transpose": "none"}, {"method": "block4x4", "tile": "16x32", "reads": "sample"},
    {"method": "cp", "cover": "quad", "transpose": "a"},
])
def test_options_do_not_change_the_product(options: dict[str, Any]) -> None:
    a, b = pair(64, 40, 32)
    check(a, b, q.matmul(a, b, check=True, **options))


@pytest.mark.parametrize(("options", "match"), [
    ({"method": "strassen"}, "method: expected one of: auto, serial, element, .*; got 'strassen'"),
    ({"method": "element unroll=2"}, "method: expected one of: auto"),
    ({"method": "serial", "unroll": 2}, "method serial has no unroll; it is an option of element"),
    ({"method": "element", "tile": 2.5}, "tile: expected a width and a height of at least 1, as in 16x8; got 2.5"),
    ({"progress": "x"}, "progress: expected True"),
])
def test_wrong_options_list_what_there_is(options: dict[str, Any], match: str) -> None:
    a, b = pair(4, 4, 4)
    with pytest.raises(q.InputError, match=match):
        q.matmul(a, b, **options)


def test_a_stopped_check_raises_what_stopped_it() -> None:
    def tell(*_: object) -> None:
        raise RuntimeError("enough")

    a, b = pair(1500, 1500, 1500)
    with pytest.raises(RuntimeError, match="enough"):
        q.matmul(a, b, method="serial", check=True, progress=tell)
