from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, NoReturn, Protocol, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from .results import Report, Satisfiability, Solution

__all__ = [
    "Array",
    "ComplexArray",
    "Context",
    "Device",
    "Experiment",
    "Kernel",
    "Pass",
    "SparseMatrix",
    "Stencil",
    "__version__",
    "argsort",
    "array",
    "bincount",
    "card",
    "compare",
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "dct",
    "devices",
    "doctor",
    "dst",
    "end_all",
    "fft",
    "fft2",
    "histogram",
    "idct",
    "idst",
    "ifft",
    "ifft2",
    "irfft",
    "judge_test",
    "matmul",
    "maximum",
    "minimum",
    "read_test",
    "rfft",
    "run",
    "run_test",
    "sat",
    "shown",
    "solve",
    "sort",
    "sparse",
    "stencil",
    "topk",
    "unique",
    "vp",
    "where",
]

__version__: str

# An array for a sampler, or a number, a text or numbers for a uniform.
_Given: TypeAlias = npt.ArrayLike
_Source: TypeAlias = str | PathLike[str]
_Stage: TypeAlias = Literal["fragment", "compute"]
# Work groups along x, y and z.
_Groups: TypeAlias = int | tuple[int] | tuple[int, int] | tuple[int, int, int]
# Arrays of float32, int32 or uint32, as the shader declares its outputs.
_Array: TypeAlias = npt.NDArray[Any]
_Out: TypeAlias = _Array | dict[str, _Array]
# Done, expected, residual.
_Progress: TypeAlias = bool | Callable[[int, int | None, float | None], object]

@final
class Device:
    @property
    def index(self) -> int: ...
    @property
    def label(self) -> str: ...
    @property
    def software(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Context:
    def __new__(
        cls, device: int | str | Device | None = None, *, api: str | None = None, tuned: bool = False
    ) -> Self: ...
    @property
    def renderer(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def software(self) -> bool: ...
    @property
    def max_texture_size(self) -> int: ...
    @property
    def memory(self) -> int | None: ...
    @property
    def notice(self) -> str | None: ...
    def objects(self) -> dict[str, int]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: type[BaseException] | BaseException | TracebackType | None) -> None: ...

@final
class Pass:
    def __new__(
        cls,
        source: _Source,
        *,
        read: Mapping[str, str] | None = None,
        uniforms: dict[str, _Given] | None = None,
        size: tuple[int, int] | str | None = None,
        repeat: int | None = None,
        feedback: Mapping[str, str] | None = None,
        stage: _Stage | None = None,
        groups: _Groups | None = None,
        include: Sequence[_Source] | None = None,
        define: Mapping[str, object] | None = None,
        common: _Source | None = None,
        dialect: Literal["auto", "plain", "shadertoy", "ghostty", "sandbox", "legacy", "isf"] | None = None,
        # The options above are written by tests/host/whole/options.rs.
    ) -> Self: ...

@final
class Experiment:
    def __new__(
        cls,
        source: _Source | Mapping[str, _Source | Pass],
        mapping: Mapping[str, _Given | PathLike[str]] | None = None,
        /,
        *,
        stage: _Stage | None = None,
        allow_outside: bool = False,
        context: Context | None = None,
        include: Sequence[_Source] | None = None,
        define: Mapping[str, object] | None = None,
        common: _Source | None = None,
        dialect: Literal["auto", "plain", "shadertoy", "ghostty", "sandbox", "legacy", "isf"] | _Given | None = None,
        wrap: Literal["clamp", "repeat", "mirror"] | Mapping[str, Literal["clamp", "repeat", "mirror"]] | None = None,
        filter: Literal["nearest", "linear", "mipmap"] | Mapping[str, Literal["nearest", "linear", "mipmap"]] | None = None,
        precision: Mapping[str, Literal["half", "single"]] | None = None,
        seed: int | None = None,
        flip: bool | _Given | None = None,
        rate: float | _Given | None = None,
        start: int | _Given | None = None,
        size: tuple[int, int] | None = None,
        halo: int | _Given | None = None,
        groups: _Groups | None = None,
        feedback: Mapping[str, str] | None = None,
        reads: Literal["fetch", "sample"] | None = None,
        # The options above are written by tests/host/whole/options.rs.
        **given: _Given | PathLike[str],
    ) -> Self: ...
    def step(self, count: int = 1, *, progress: _Progress | None = None) -> Self: ...
    def read(self, output: str, *, out: _Array | None = None) -> _Array: ...
    def __getitem__(self, output: str, /) -> _Array: ...
    def set(self, mapping: Mapping[str, _Given] | None = None, /, **given: _Given) -> Self: ...
    def restart(self) -> Self: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def load(self, path: str | PathLike[str]) -> Self: ...
    @property
    def iteration(self) -> int: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def uniforms(self) -> dict[str, str]: ...
    @property
    def outputs(self) -> list[str]: ...

@final
class Kernel:
    def __new__(
        cls,
        source: _Source,
        *,
        stage: _Stage | None = None,
        context: Context | None = None,
        include: Sequence[_Source] | None = None,
        define: Mapping[str, object] | None = None,
        common: _Source | None = None,
        dialect: Literal["auto", "plain", "shadertoy", "ghostty", "sandbox", "legacy", "isf"] | None = None,
        # The options above are written by tests/host/whole/options.rs.
    ) -> Self: ...
    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def uniforms(self) -> dict[str, str]: ...
    @property
    def outputs(self) -> list[str]: ...
    # Any: an array where there is one output, else a dict of arrays by name.
    def __call__(
        self,
        mapping: Mapping[str, _Given] | None = None,
        /,
        *,
        out: _Out | None = None,
        wrap: Literal["clamp", "repeat", "mirror"] | Mapping[str, Literal["clamp", "repeat", "mirror"]] | None = None,
        filter: Literal["nearest", "linear", "mipmap"] | Mapping[str, Literal["nearest", "linear", "mipmap"]] | None = None,
        precision: Mapping[str, Literal["half", "single"]] | None = None,
        flip: bool | _Given | None = None,
        rate: float | _Given | None = None,
        start: int | _Given | None = None,
        size: tuple[int, int] | None = None,
        halo: int | _Given | None = None,
        groups: _Groups | None = None,
        # The options above are written by tests/host/whole/options.rs.
        **given: _Given,
    ) -> Any: ...

# A device array, a number or a NumPy array.
_Operand: TypeAlias = Array | float | np.number[Any] | np.bool_ | _Array
_Complex64: TypeAlias = Literal["complex64"] | type[np.complex64]
_ComplexOperand: TypeAlias = Array | ComplexArray | complex | _Array

@final
class Array:
    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **options: object
    ) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def device(self) -> str: ...
    def reshape(self, *shape: int | Sequence[int]) -> Array: ...
    def evaluate(self) -> Self: ...
    @overload
    def astype(self, dtype: _Complex64) -> ComplexArray: ...  # type: ignore[overload-overlap]
    @overload
    def astype(self, dtype: npt.DTypeLike) -> Array: ...
    def sort(self, *, descending: bool = False) -> Array: ...
    def argsort(self, *, descending: bool = False) -> Array: ...
    def unique(self) -> Array: ...
    def to_numpy(self, out: _Array | None = None) -> _Array: ...
    def item(self) -> float: ...
    def sqrt(self) -> Array: ...
    def exp(self) -> Array: ...
    def log(self) -> Array: ...
    def sin(self) -> Array: ...
    def cos(self) -> Array: ...
    def tanh(self) -> Array: ...
    def cumsum(self) -> Array: ...
    def cumprod(self) -> Array: ...
    def sum(self) -> float: ...
    def mean(self) -> float: ...
    def min(self) -> float: ...
    def max(self) -> float: ...
    def any(self) -> bool: ...
    def all(self) -> bool: ...
    def dot(self, other: Array | _Array) -> float: ...
    def norm(self) -> float: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> _Array: ...
    def _repr_png_(self) -> bytes | None: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __float__(self) -> float: ...
    def __getitem__(self, _index: object, /) -> NoReturn: ...
    def __setitem__(self, _index: object, _value: object, /) -> None: ...
    def __delitem__(self, key: object, /) -> None: ...
    def __add__(self, other: _Operand, /) -> Array: ...
    def __radd__(self, other: _Operand, /) -> Array: ...
    def __sub__(self, other: _Operand, /) -> Array: ...
    def __rsub__(self, other: _Operand, /) -> Array: ...
    def __mul__(self, other: _Operand, /) -> Array: ...
    def __rmul__(self, other: _Operand, /) -> Array: ...
    def __truediv__(self, other: _Operand, /) -> Array: ...
    def __rtruediv__(self, other: _Operand, /) -> Array: ...
    def __pow__(self, other: _Operand, modulo: None = None, /) -> Array: ...
    def __rpow__(self, other: _Operand, modulo: None = None, /) -> Array: ...
    def __matmul__(self, other: Array | _Array, /) -> float: ...
    def __rmatmul__(self, other: Array | _Array, /) -> float: ...
    def __lt__(self, other: _Operand, /) -> Array: ...  # type: ignore[misc]
    def __le__(self, other: _Operand, /) -> Array: ...  # type: ignore[misc]
    def __gt__(self, other: _Operand, /) -> Array: ...  # type: ignore[misc]
    def __ge__(self, other: _Operand, /) -> Array: ...  # type: ignore[misc]
    def __eq__(self, other: object, /) -> Array: ...  # type: ignore[override]
    def __ne__(self, other: object, /) -> Array: ...  # type: ignore[override]
    def __neg__(self) -> Array: ...
    def __pos__(self) -> Array: ...
    def __abs__(self) -> Array: ...

@final
class ComplexArray:
    __array_ufunc__: None
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def device(self) -> str: ...
    @property
    def real(self) -> Array: ...
    @property
    def imag(self) -> Array: ...
    def conj(self) -> ComplexArray: ...
    @overload
    def astype(self, dtype: _Complex64) -> ComplexArray: ...  # type: ignore[overload-overlap]
    @overload
    def astype(self, dtype: npt.DTypeLike) -> Array: ...
    def to_numpy(self, out: _Array | None = None) -> _Array: ...
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> _Array: ...
    def __len__(self) -> int: ...
    def __abs__(self) -> Array: ...
    def __neg__(self) -> ComplexArray: ...
    def __add__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __radd__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __sub__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __rsub__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __mul__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __rmul__(self, other: _ComplexOperand, /) -> ComplexArray: ...
    def __truediv__(self, other: _Operand, /) -> ComplexArray: ...
    def __rtruediv__(self, value: Any, /) -> Any: ...

@overload
def array(x: ComplexArray, *, dtype: None = None, context: Context | None = None) -> ComplexArray: ...
@overload
def array(  # type: ignore[overload-overlap]
    x: Array | ComplexArray | npt.ArrayLike, *, dtype: _Complex64, context: Context | None = None
) -> ComplexArray: ...
# Before complex numbers: an array whose dtype is not known counts as one of these.
@overload
def array(
    x: npt.NDArray[np.floating[Any] | np.integer[Any] | np.bool], *, dtype: npt.DTypeLike | None = None, context: Context | None = None
) -> Array: ...
@overload
def array(x: npt.NDArray[np.complexfloating[Any, Any]], *, dtype: None = None, context: Context | None = None) -> ComplexArray: ...
@overload
def array(
    x: Array | npt.ArrayLike, *, dtype: npt.DTypeLike | None = None, context: Context | None = None
) -> Array: ...

# Of device arrays the results are device arrays, else NumPy's.
def fft(x: Array | ComplexArray | npt.ArrayLike, *, axis: int = -1, context: Context | None = None) -> Any: ...
def ifft(x: Array | ComplexArray | npt.ArrayLike, *, axis: int = -1, context: Context | None = None) -> Any: ...
def fft2(x: Array | ComplexArray | npt.ArrayLike, *, context: Context | None = None) -> Any: ...
def ifft2(x: Array | ComplexArray | npt.ArrayLike, *, context: Context | None = None) -> Any: ...
def rfft(x: Array | npt.ArrayLike, *, context: Context | None = None) -> Any: ...
def irfft(x: ComplexArray | npt.ArrayLike, n: int | None = None, *, context: Context | None = None) -> Any: ...
def dct(x: Array | npt.ArrayLike, type: int = 2, *, context: Context | None = None) -> Any: ...
def idct(x: Array | npt.ArrayLike, type: int = 2, *, context: Context | None = None) -> Any: ...
def dst(x: Array | npt.ArrayLike, type: int = 2, *, context: Context | None = None) -> Any: ...
def idst(x: Array | npt.ArrayLike, type: int = 2, *, context: Context | None = None) -> Any: ...
def convolve(
    x: Array | npt.ArrayLike, weights: npt.ArrayLike, *, mode: str = "reflect", context: Context | None = None
) -> Any: ...
def correlate(
    x: Array | npt.ArrayLike, weights: npt.ArrayLike, *, mode: str = "reflect", context: Context | None = None
) -> Any: ...
def convolve1d(
    x: Array | npt.ArrayLike, weights: npt.ArrayLike, axis: int = -1, *, mode: str = "reflect", context: Context | None = None
) -> Any: ...
def correlate1d(
    x: Array | npt.ArrayLike, weights: npt.ArrayLike, axis: int = -1, *, mode: str = "reflect", context: Context | None = None
) -> Any: ...
def minimum(x: _Operand, y: _Operand, /) -> Array: ...
def maximum(x: _Operand, y: _Operand, /) -> Array: ...
def where(condition: Array | _Array, x: _Operand, y: _Operand, /) -> Array: ...
@overload
def sort(x: Array, /, *, descending: bool = False, context: Context | None = None) -> Array: ...
@overload
def sort(
    x: npt.ArrayLike, /, *, descending: bool = False, context: Context | None = None
) -> _Array: ...
@overload
def argsort(x: Array, /, *, descending: bool = False, context: Context | None = None) -> Array: ...
@overload
def argsort(
    x: npt.ArrayLike, /, *, descending: bool = False, context: Context | None = None
) -> _Array: ...
@overload
def unique(x: Array, /, *, context: Context | None = None) -> Array: ...
@overload
def unique(x: npt.ArrayLike, /, *, context: Context | None = None) -> _Array: ...
@overload
def topk(
    x: Array, count: int, /, *, largest: bool = True, context: Context | None = None
) -> tuple[Array, Array]: ...
@overload
def topk(
    x: npt.ArrayLike, count: int, /, *, largest: bool = True, context: Context | None = None
) -> tuple[_Array, _Array]: ...
@overload
def bincount(
    x: Array,
    /,
    weights: Array | npt.ArrayLike | None = None,
    minlength: int = 0,
    *,
    context: Context | None = None,
) -> Array: ...
@overload
def bincount(
    x: npt.ArrayLike,
    /,
    weights: Array | npt.ArrayLike | None = None,
    minlength: int = 0,
    *,
    context: Context | None = None,
) -> _Array: ...

@overload
def histogram(
    x: Array,
    /,
    bins: int = 10,
    range: tuple[float, float] | None = None,
    weights: Array | npt.ArrayLike | None = None,
    *,
    context: Context | None = None,
) -> tuple[Array, _Array]: ...
@overload
def histogram(
    x: npt.ArrayLike,
    /,
    bins: int = 10,
    range: tuple[float, float] | None = None,
    weights: Array | npt.ArrayLike | None = None,
    *,
    context: Context | None = None,
) -> tuple[_Array, _Array]: ...

class _SparseRows(Protocol):
    """Any of SciPy's sparse matrices."""

    def tocsr(self) -> Any: ...

class _Sparse(Protocol):
    """Any of SciPy's sparse matrices."""

    def tocoo(self) -> Any: ...

@final
class Stencil:
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def depth(self) -> int | None: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def tocoo(self) -> Any: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def stencil(text: str, /) -> Stencil: ...
def solve(
    a: Stencil | _Source | _Sparse | npt.ArrayLike | None = None,
    b: npt.ArrayLike | None = None,
    *,
    coefficient: npt.ArrayLike | tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    x0: npt.ArrayLike | None = None,
    width: int | None = None,
    shape: tuple[int, int, int] | None = None,
    method: Literal["auto", "cg", "bicgstab", "jacobi", "multigrid", "mgcg", "fft"] = "auto",
    preconditioner: Literal["auto", "none", "jacobi", "chebyshev", "multigrid"] = "auto",
    smoother: Literal["auto", "jacobi", "line-jacobi"] = "auto",
    coarsen: Literal["auto", "strong", "both"] = "auto",
    project: bool = False,
    precision: Literal["mixed", "single"] = "mixed",
    residual_on: Literal["auto", "host", "device"] = "auto",
    tolerance: float = 1e-8,
    iterations: int = 100000,
    check_every: int | None = None,
    progress: _Progress | None = None,
    checkpoint: Callable[[int, npt.NDArray[np.float64]], object] | None = None,
    every: float | None = None,
    context: Context | None = None,
) -> Solution: ...
# Any: an array, or a number where both are vectors.

@final
class SparseMatrix:
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def nnz(self) -> int: ...
    @property
    def doubled(self) -> int: ...
    @property
    def error_bound(self) -> float: ...
    @overload
    def __matmul__(self, x: Array, /) -> Array: ...
    @overload
    def __matmul__(self, x: npt.ArrayLike, /) -> npt.NDArray[np.float32]: ...
    def __rmatmul__(self, value: object, /) -> Any: ...
    @overload
    def product(
        self, x: Array, *, alpha: float = 1.0, beta: float = 0.0, y: Array | npt.ArrayLike | None = None
    ) -> Array: ...
    @overload
    def product(
        self, x: npt.ArrayLike, *, alpha: float = 1.0, beta: float = 0.0, y: Array | npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float32]: ...

def sparse(a: _SparseRows | _Source, *, context: Context | None = None) -> SparseMatrix: ...

def matmul(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    out: _Array | None = None,
    method: Literal["auto", "serial", "element", "cp", "sp", "block4x4", "block8x4", "block8x8", "block16x8", "compute-simple", "compute-tiled", "compute-shared", "compute-blocked"] = "auto",
    unroll: int | None = None,
    passes: int | None = None,
    split: int | None = None,
    tile: str | int | tuple[int, int] | None = None,
    order: Literal["rows", "columns", "morton", "hilbert"] | None = None,
    cover: Literal["quad", "triangle"] | None = None,
    transpose: Literal["a", "b", "both", "none"] | None = None,
    padding: int | None = None,
    strips: int | None = None,
    cell: Literal["1", "4", "2x2"] | int | None = None,
    reads: Literal["fetch", "sample", "buffer"] | None = None,
    check: bool = False,
    progress: _Progress | None = None,
    context: Context | None = None,
) -> Any: ...
def card(*, seed: int = 1, progress: _Progress | None = None, context: Context | None = None) -> Report: ...
def doctor() -> Report: ...
def sat(
    formula: _Source | Iterable[Iterable[int]],
    *,
    seed: int = 1,
    flips: int = 100000,
    restarts: int | None = None,
    candidates: int | None = None,
    engine: Literal["fragment", "vertex", "feedback", "simulator", "host"] | None = None,
    progress: _Progress | None = None,
    context: Context | None = None,
) -> Satisfiability: ...
# Any: an array, or with `reduce` a number.
def vp(
    program: _Source,
    *vectors: npt.ArrayLike,
    constants: Mapping[int, float | Sequence[float]] | None = None,
    glsl: bool = False,
    engine: Literal["attributes", "vertex", "feedback", "fragment", "compute", "simulator"] | None = None,
    profile: Literal["modern", "period"] = "modern",
    reduce: bool = False,
    fold: Literal["host", "device", "blending"] | None = None,
    padding: float | None = None,
    bytes: bool = False,
    out: _Array | None = None,
    context: Context | None = None,
) -> Any: ...
def devices() -> list[Device]: ...
def run(
    source: _Source,
    mapping: Mapping[str, _Given] | None = None,
    /,
    *,
    stage: _Stage | None = None,
    out: _Out | None = None,
    allow_outside: bool = False,
    context: Context | None = None,
    include: Sequence[_Source] | None = None,
    define: Mapping[str, object] | None = None,
    common: _Source | None = None,
    dialect: Literal["auto", "plain", "shadertoy", "ghostty", "sandbox", "legacy", "isf"] | _Given | None = None,
    wrap: Literal["clamp", "repeat", "mirror"] | Mapping[str, Literal["clamp", "repeat", "mirror"]] | None = None,
    filter: Literal["nearest", "linear", "mipmap"] | Mapping[str, Literal["nearest", "linear", "mipmap"]] | None = None,
    precision: Mapping[str, Literal["half", "single"]] | None = None,
    flip: bool | _Given | None = None,
    rate: float | _Given | None = None,
    start: int | _Given | None = None,
    size: tuple[int, int] | None = None,
    halo: int | _Given | None = None,
    groups: _Groups | None = None,
    # The options above are written by tests/host/whole/options.rs.
    **given: _Given,
) -> Any: ...
def compare(
    got: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    exact: bool,
    ulp: int | None,
    absolute: float | None,
    relative: float | None,
    outliers: int,
    nan: str,
    denormals: str | None,
) -> str | None: ...
def shown(text: str) -> str: ...
def read_test(path: _Source, *, allow_outside: bool = False) -> tuple[list[str], float]: ...
def run_test(path: _Source, context: Context, *, allow_outside: bool = False) -> str: ...
def judge_test(
    path: _Source,
    api: str,
    device: str,
    *,
    answer: str | None = None,
    late: float | None = None,
    signal: int | None = None,
    code: int | None = None,
    words: str = "",
) -> tuple[str, list[str]]: ...
