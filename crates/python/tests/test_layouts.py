"""Arrays of every type, byte order and layout in memory, through every function that takes one."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse as sp

import quadrille_gl as q

from .conftest import APIS, LONG_DOUBLE

Numbers = npt.NDArray[Any]

# Of every kind the first is the type that others are compared with.
KINDS = {
    "f": ["f4", "f2", "f8"],
    "i": ["i4", "i1", "i2", "i8"],
    "u": ["u4", "u1", "u2", "u8"],
    "b": ["?"],
    "c": ["c8", "c16"],
}
LONG = ["g", "G"]


@pytest.fixture(params=APIS, autouse=True)
def context(request: pytest.FixtureRequest) -> Any:
    with q.Context("llvmpipe", api=request.param) as context:
        yield context


def strided(x: Numbers) -> Numbers:
    store = np.ones([3 * length for length in x.shape], x.dtype)
    view = store[tuple(slice(1, None, 3) for _ in x.shape)]
    view[...] = x
    return view


def backwards(x: Numbers) -> Numbers:
    return np.ascontiguousarray(np.flip(x))[tuple(slice(None, None, -1) for _ in x.shape)]


def unaligned(x: Numbers) -> Numbers:
    view: Numbers = np.ndarray(x.shape, x.dtype, bytearray(x.nbytes + 1), 1)
    view[...] = x
    return view


def member(x: Numbers) -> Numbers:
    """Of records: neither aligned nor beside each other."""
    view: Numbers = np.zeros(x.shape, [("before", "u1"), ("x", x.dtype)])["x"]
    view[...] = x
    return view


def read_only(x: Numbers) -> Numbers:
    x = x.copy()
    x.flags.writeable = False
    return x


def repeated(x: Numbers) -> Numbers:
    """Strides of 0: another array."""
    return np.broadcast_to(x[..., :1], x.shape)


class Subclass(np.ndarray[Any, Any]):
    """Indexed in other ways, as matrices of NumPy are."""

    def reshape(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("the array is asked for, not the class")


LAYOUTS: list[Callable[[Numbers], Numbers]] = [
    np.array,
    np.asfortranarray,
    lambda x: np.ascontiguousarray(x.T).T,
    strided,
    backwards,
    unaligned,
    member,
    read_only,
    repeated,
    lambda x: x.view(Subclass),
]


def values(kind: str, *shape: int) -> Numbers:
    """Numbers that each type holds."""
    x = (np.arange(np.prod(shape)) * 5 % 7).reshape(shape)
    if kind == "c":
        return x + 1j * np.flip(x)
    return x % 2 if kind == "b" else x


def layouts(x: Numbers, dtype: str) -> Iterator[Numbers]:
    orders: list[Literal["<", ">"]] = ["<", ">"]
    for order in orders:
        for layout in LAYOUTS:
            made = layout(x.astype(np.dtype(dtype).newbyteorder(order)))
            assert made.dtype.str[1:] == np.dtype(dtype).str[1:]
            yield made


RUN = "uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }"
RUN_INT = RUN.replace("sampler", "isampler").replace("out float", "out int")
UNIFORM = "uniform float a[6]; out float y; void main() { y = a[int(gl_FragCoord.x)]; }"
MATRIX = "uniform mat4 a; out vec4 y; void main() { y = a[int(gl_FragCoord.x)]; }"
COMPUTE = """layout(local_size_x = 64) in; layout(std430, binding = 0) readonly buffer a { float numbers[]; }; layout(std430, binding = 1) writeonly buffer y { float results[]; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < 6u) results[i] = 2.0 * numbers[i]; }"""
ADD = "!!VP1.0\nADD o[COL0], v[1], v[1];\nEND"


def v(*shape: int) -> q.Array:
    return q.array(np.arange(1, 1 + np.prod(shape), dtype="f4").reshape(shape))


def z(*shape: int) -> q.ComplexArray:
    made: q.ComplexArray = q.array(values("c", *shape).astype("c8") + 1)
    return made


def experiment(a: Numbers) -> Any:
    made = q.Experiment(RUN, a=np.zeros(6, "f4"))
    return made.set(a=a).step()["y"]


def same(got: Any, expected: Any) -> bool:
    q.testing.assert_same(got, expected, exact=True)
    return True


def identity() -> Any:
    return sp.coo_array(np.diag(np.arange(1.0, 7)))


def entries(a: Numbers) -> Any:
    return sp.coo_array((a + a.dtype.type(1), (np.arange(6), np.arange(6))), shape=(6, 6))


def places(a: Numbers) -> Any:
    """A permutation of the diagonal."""
    made = sp.coo_array((np.arange(1.0, 7), (np.arange(6), np.arange(6))), shape=(6, 6))
    made.coords = (a, a)
    return made


def rows(a: Numbers) -> Any:
    made = sp.csr_array(np.diag(np.arange(1.0, 7)))
    made.indices = a
    return made


class Entry(NamedTuple):
    shape: tuple[int, ...]
    call: Callable[[Numbers], Any]


LINE = (6,)
TWO = (4, 4)

ENTRIES: dict[str, Entry] = {
    "array": Entry(LINE, q.array),
    "array of two axes": Entry((3, 5), q.array),
    "array of three axes": Entry((2, 3, 4), q.array),
    "array as complex64": Entry(LINE, lambda a: q.array(a, dtype="complex64")),
    "array as float32": Entry(LINE, lambda a: q.array(a, dtype="float32")),
    "array as int32": Entry(LINE, lambda a: q.array(a, dtype="int32")),
    "array as uint32": Entry(LINE, lambda a: q.array(a, dtype="uint32")),
    "v + a": Entry(LINE, lambda a: v(6) + a),
    "a - v": Entry(LINE, lambda a: a - v(6)),
    "a * v": Entry((2, 3), lambda a: a * v(2, 3)),
    "v / a": Entry(LINE, lambda a: v(6) / a),
    "a ** v": Entry(LINE, lambda a: a ** v(6)),
    "v < a": Entry(LINE, lambda a: v(6) < a),
    "a == v": Entry(LINE, lambda a: a == v(6)),
    "v @ a": Entry(LINE, lambda a: v(6) @ a),
    "dot": Entry(LINE, lambda a: v(6).dot(a)),
    "z + a": Entry(LINE, lambda a: z(6) + a),
    "a - z": Entry(LINE, lambda a: a - z(6)),
    "z * a": Entry((2, 3), lambda a: z(2, 3) * a),
    "a * z": Entry((2, 3), lambda a: a * z(2, 3)),
    "z / a": Entry(LINE, lambda a: z(6) / a),
    "minimum": Entry(LINE, lambda a: q.minimum(v(6), a)),
    "maximum": Entry(LINE, lambda a: q.maximum(a, v(6))),
    "where condition": Entry(LINE, lambda a: q.where(a, v(6), 0.0)),
    "where operand": Entry(LINE, lambda a: q.where(v(6) > 2, a, v(6))),
    "fft": Entry(LINE, q.fft),
    "fft of columns": Entry((3, 5), lambda a: q.fft(a, axis=0)),
    "ifft": Entry((11,), q.ifft),
    "fft2": Entry((3, 4), q.fft2),
    "ifft2": Entry((3, 4), q.ifft2),
    "rfft": Entry(LINE, q.rfft),
    "irfft": Entry(LINE, q.irfft),
    "dct": Entry(LINE, q.dct),
    "idct": Entry(LINE, q.idct),
    "dst": Entry(LINE, q.dst),
    "idst": Entry(LINE, q.idst),
    "sort": Entry((2, 5), q.sort),
    "argsort": Entry(LINE, q.argsort),
    "unique": Entry(LINE, q.unique),
    "topk": Entry(LINE, lambda a: q.topk(a, 3)),
    "bincount": Entry(LINE, q.bincount),
    "bincount weights": Entry(LINE, lambda a: q.bincount(np.arange(6) % 3, a)),
    "histogram": Entry(LINE, lambda a: q.histogram(a, 4)),
    "histogram weights": Entry(LINE, lambda a: q.histogram(np.arange(6), 4, weights=a)),
    "convolve": Entry((4, 5), lambda a: q.convolve(a, [[1, 2, 3]])),
    "convolve weights": Entry((2, 3), lambda a: q.convolve(np.arange(20).reshape(4, 5), a)),
    "correlate": Entry((4, 5), lambda a: q.correlate(a, [[1], [3]])),
    "correlate weights": Entry((2, 3), lambda a: q.correlate(np.arange(20).reshape(4, 5), a)),
    "convolve1d": Entry(LINE, lambda a: q.convolve1d(a, [1, 2])),
    "convolve1d weights": Entry((3,), lambda a: q.convolve1d(np.arange(6), a)),
    "correlate1d": Entry(LINE, lambda a: q.correlate1d(a, [1, 2])),
    "correlate1d weights": Entry((3,), lambda a: q.correlate1d(np.arange(6), a)),
    "run": Entry((3, 5), lambda a: q.run(RUN, a=a)),
    "run of integers": Entry((3, 5), lambda a: q.run(RUN_INT, a=a)),
    "kernel": Entry(LINE, lambda a: q.Kernel(RUN)(a=a)),
    "kernel with out": Entry(LINE, lambda a: q.Kernel(RUN)(a=a, out=strided(np.zeros(6, "f4")))),
    "experiment": Entry(LINE, lambda a: q.Experiment(RUN, a=a).step()["y"]),
    "experiment.set": Entry(LINE, experiment),
    "uniforms": Entry(LINE, lambda a: q.run(UNIFORM, a=a, size=(6, 1))),
    "uniform matrix": Entry(TWO, lambda a: q.run(MATRIX, a=a, size=(4, 1))),
    "storage block": Entry(LINE, lambda a: q.run(COMPUTE, stage="compute", a=a, size=(6, 1))),
    "vp": Entry(LINE, lambda a: q.vp(ADD, a)),
    "matmul a": Entry(TWO, lambda a: q.matmul(a, np.eye(4, 3, dtype=np.result_type(a, "i1")))),
    "matmul b": Entry(TWO, lambda a: q.matmul(np.ones((2, 4), a.dtype), a)),
    "matmul of a vector": Entry(LINE, lambda a: q.matmul(np.ones((2, 6), a.dtype), a)),
    "sparse": Entry(LINE, lambda a: q.sparse(entries(a)) @ np.ones(6)),
    "sparse columns": Entry(LINE, lambda a: q.sparse(rows(a % a.dtype.type(6))) @ np.ones(6)),
    "sparse @ a": Entry(LINE, lambda a: q.sparse(identity()) @ a),
    "product's y": Entry(LINE, lambda a: q.sparse(identity()).product(np.ones(6), beta=2.0, y=a)),
    "solve's A": Entry(TWO, lambda a: q.solve(a + 40 * np.eye(4, dtype=a.dtype), np.ones(4)).x),
    "solve's entries": Entry(LINE, lambda a: q.solve(entries(a), np.ones(6)).x),
    "solve's places": Entry(LINE, lambda a: q.solve(places(np.argsort(a).astype(a.dtype)), np.ones(6)).x),
    "solve's diagonals": Entry(
        (1, 6), lambda a: q.solve(sp.dia_array((a + a.dtype.type(1), [0]), shape=(6, 6)), np.ones(6), width=3).x
    ),
    "solve's b": Entry(LINE, lambda a: q.solve(identity(), a).x),
    "solve's x0": Entry(LINE, lambda a: q.solve(identity(), np.ones(6), x0=a).x),
    "coefficient at points": Entry((3, 4), lambda a: q.solve(coefficient=a + a.dtype.type(1), b=np.ones((3, 4))).x),
    "coefficient at faces": Entry(
        (4, 4), lambda a: q.solve(coefficient=(a[:3] + a.dtype.type(1), (a + a.dtype.type(1))[:, :3]), b=np.ones((3, 3))).x
    ),
    "coefficient in space": Entry((2, 3, 4), lambda a: q.solve(coefficient=a + a.dtype.type(1), b=np.ones((2, 3, 4))).x),
    "clauses": Entry((2, 3), lambda a: q.sat(a + a.dtype.type(1)).model),
    "assert_same's got": Entry(LINE, lambda a: same(a, np.array(a).astype(a.dtype.newbyteorder("=")))),
    "assert_same's expected": Entry(LINE, lambda a: same(np.array(a).astype(a.dtype.newbyteorder("=")), a)),
}


def outcome(entry: Entry, a: Numbers) -> Any:
    """The numbers, or the type of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            made = entry.call(a)
        except (q.Error, TypeError, ValueError, AssertionError) as error:
            assert not isinstance(error, AssertionError), (entry, error)
            return type(error), str(error)
    parts = made if isinstance(made, tuple) else (made,)
    # As a text, in which NaN is NaN.
    return repr([np.asarray(part, "c16").tolist() for part in parts])


def is_costly(name: str) -> bool:
    """Those that compile shaders in each call are tried on one API, with some of the layouts."""
    return name.startswith(("solve's", "coefficient", "bincount", "histogram", "vp"))


EACH = [(api, name) for api in APIS for name in ENTRIES if api == APIS[0] or not is_costly(name)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("context", "name"), EACH, indirect=["context"])
def test_a_layout_changes_no_number(name: str, kind: str) -> None:
    entry, (first, *_) = ENTRIES[name], KINDS[kind]
    x = values(kind, *entry.shape)
    # Natively and in C order: what the other tests compare with NumPy.
    plain, of_repeated = (outcome(entry, np.array(given.astype(first))) for given in (x, repeated(x)))
    for number, dtype in enumerate(KINDS[kind]):
        for at, (given, layout) in enumerate(zip(layouts(x, dtype), 2 * LAYOUTS)):
            if is_costly(name) and (at + number) % 7:
                continue
            expected = of_repeated if layout is repeated else plain
            got = outcome(entry, given)
            where = (dtype, given.dtype.str, given.strides, getattr(layout, "__name__", layout))
            if isinstance(got, tuple) and "scipy.sparse does not support" in got[1]:
                continue
            if isinstance(expected, tuple):
                assert isinstance(got, tuple) and got[0] is expected[0], (where, got, expected)
            else:
                assert got == expected, (where, got, expected)


@LONG_DOUBLE
@pytest.mark.parametrize("context", APIS[:1], indirect=True)
@pytest.mark.parametrize("name", ENTRIES)
def test_long_doubles_are_refused_or_taken_as_they_are(name: str) -> None:
    entry = ENTRIES[name]
    for dtype, kind in zip(LONG, "fc"):
        x = values(kind, *entry.shape)
        for given in layouts(x, dtype):
            got = outcome(entry, given)
            assert isinstance(got, tuple), (dtype, got)


def test_some_layouts_are_numpys() -> None:
    x = values("c", 3, 4)
    for dtype in KINDS["c"]:
        for given in layouts(x, dtype):
            assert np.array_equal(q.array(given), given)
            assert np.allclose(q.fft2(given), np.fft.fft2(given), atol=1e-4)
            assert np.array_equal(q.array(given) * given, np.asarray(given * given, "c8"))
            assert np.array_equal(given + q.array(given), given + given)


def test_numbers_without_axes_keep_their_imaginary_parts() -> None:
    given = np.array([1 + 2j, 3], "c8")
    numbers: list[Any] = [1 + 2j, np.complex64(1 + 2j), np.array(1 + 2j), np.array(1 + 2j, ">c8"), np.array(1 + 2j, ">c16")]
    for number in numbers:
        assert np.array_equal(q.array(given) * number, given * (1 + 2j))
        assert np.array_equal(q.array(given) + number, given + (1 + 2j))
        with pytest.raises((TypeError, q.InputError), match="unsupported operand|complex|takes no device array|different shapes"):
            v(2) + number
    reals: list[Any] = [2, np.float16(2), np.array(2, ">i2"), np.array(2, ">f8"), np.array(True)]
    for number in reals:
        assert np.array_equal(v(2) + number, np.arange(1, 3) + float(number))


def test_masks_are_refused_where_complex_numbers_are_taken() -> None:
    with pytest.raises(q.InputError, match="masked array"):
        q.fft(np.ma.array([1.0, 2.0], mask=[False, True]))
