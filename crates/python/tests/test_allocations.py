"""Each allocation of the module that is as large as what it is given, made to fail one after the other: an exception follows."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import quadrille_gl as q

# Before and after the first that fails; `call` is what a case does.
STEPS = """
import ctypes, sys, warnings
import numpy as np, quadrille_gl as q, scipy.sparse as sp
from pathlib import Path

warnings.simplefilter("ignore")
# A shader's text and what is made of it, tables of bins and of kinds of points have less than that.
N = 1 << 18
LEAST = 480 << 10
PRIME = 262139

x = (np.arange(N) % 7 + 1).astype("f4")
x8, d, bool_, whole, wide = x.astype("u1"), x.astype("f8") + 0.5, x > 3, x.astype("i4"), x.astype("i8")
c = (x + 1j * x[::-1]).astype("c8")
square, prime = x.reshape(512, 512), x[:PRIME]
v, w, z, iv, uv, bv = (q.array(a) for a in (x, x + 1, c, x, x, bool_))
iv, uv = v.astype("int32"), v.astype("uint32")
vsquare, vprime, zprime = v.reshape(512, 512), q.array(prime), q.array(c[:PRIME])
scale = q.Kernel("uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }")
ints = q.Kernel("uniform isampler2D a; out int y; void main() { y = READ(a, TEXEL).r; }")
blocks = q.Kernel('''layout(local_size_x = 64) in; layout(std430, binding = 0) readonly buffer a { float numbers[]; }; layout(std430, binding = 1) writeonly buffer y { float results[]; };
void main() { uint i = gl_GlobalInvocationID.x; if (i < uint(numbers.length())) results[i] = 2.0 * numbers[i]; }''', stage="compute")
passes = q.Experiment("uniform sampler2D a; out float y; void main() { y = 0.5 * READ(a, TEXEL).r; }", a=square, feedback={"y": "a"})
program = "!!VP1.0\\nADD o[COL0], v[1], v[1];\\nEND"
taps = np.linspace(-1, 1, 300)
n = N // 2
banded = sp.diags_array([np.full(n, 4.0), np.full(n - 1, -1.0), np.full(n - 1, -1.0)], offsets=[0, 1, -1]).tocsr()
far = sp.diags_array([np.full(n, 4.0), np.full(n - 1000, -1.0), np.full(n - 1000, -1.0), np.full(n - 7, -0.5)], offsets=[0, 1000, -1000, 7]).tocsr()
# One whose columns are in another order and twice.
doubled = sp.csr_array((np.ones(4 * n), np.tile(np.arange(n)[::-1], 4), np.arange(0, 4 * n + 1, 4)), shape=(n, n))
one_row = sp.csr_array((np.ones(N), np.arange(N)[::-1], [0, N]), shape=(1, N))
sides, points, space = np.ones(n), np.ones((256, 512)), np.ones((32, 64, 64))
device = q.sparse(banded)
files = Path(sys.argv[1])
(files / "m.mtx").write_text(f"%%MatrixMarket matrix coordinate real general\\n{n} {n} {n}\\n" + "".join(f"{i} {i} 2\\n" for i in range(1, n + 1)))
np.save(files / "a.npy", x)
clauses = [[1, 2, -3]] * (N // 16) + [[5]]

shim = ctypes.CDLL(None)
shim.short_memory_begin.argtypes = [ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_long]
shim.short_memory_end.restype = ctypes.c_long
maps = [line.split() for line in open("/proc/self/maps") if "_quadrille" in line and "x" in line.split()[1]]
code = [[int(end, 16) for end in line[0].split("-")] for line in maps]
BEGIN, END = min(ends[0] for ends in code), max(ends[1] for ends in code)

def outcome(call, first):
    shim.short_memory_begin(BEGIN, END, LEAST, first)
    try:
        result = call()
        done = type(result).__name__
    except Exception as error:
        done = error
    return done, shim.short_memory_end()

for case in sys.argv[2:]:
    call = eval("lambda: " + case)
    print(case, end=": ", flush=True)
    # What it needs of the driver, and what it stores for later calls, is there then.
    done, _ = outcome(call, 0)
    assert not isinstance(done, Exception), done
    done, count = outcome(call, 0)
    # Of an iteration's steps, which are alike, some.
    for first in [*range(1, min(count, 24) + 1), *range(29, count + 1, 7)]:
        failed, _ = outcome(call, first)
        assert failed == done or isinstance(failed, MemoryError), (first, failed)
    assert outcome(call, 0)[0] == done
    print(count, flush=True)
"""

CASES = """
q.array(x)  q.array(d)  q.array(x8)  q.array(bool_)  q.array(whole)  q.array(wide)  q.array(whole, dtype="int32")  q.array(x8, dtype="uint32")
q.array(x.astype(">f4"))  q.array(c)  q.array(c.astype(">c16"))  q.array(x, dtype="complex64")
np.asarray(v)  np.asarray(v + x)  np.asarray(d - v)  np.asarray(v * w)  np.asarray(v / w)  np.asarray(v ** w)  np.asarray(v < x)  np.asarray(bv)
np.asarray(iv)  np.asarray(uv)  np.asarray(-v)  np.asarray(abs(v))  v.to_numpy(out=np.empty(N, "f4"))  v.to_numpy(out=np.empty(2 * N, "f4")[::2])
(v + w).evaluate()  v.sqrt().evaluate()  v.exp().evaluate()  v.log().evaluate()  v.sin().evaluate()  v.cos().evaluate()  v.tanh().evaluate()
v.sum()  v.mean()  v.min()  v.max()  v.any()  v.all()  v.dot(x)  v.norm()  v @ w  v.reshape(512, 512)
v.astype("int32")  v.astype("uint32")  v.astype("complex64")  bv.astype("float32")  iv.astype("uint32")  iv.astype("float32")
v.sort()  v.argsort()  v.unique()  iv.sort()  uv.argsort()  v.cumsum()  v.cumprod()  iv.cumsum()  bv.cumsum()
np.asarray(z)  np.asarray(z + 1.0)  np.asarray(z + z)  np.asarray(z - v)  np.asarray(2j * z)  np.asarray(z * x)  np.asarray(c * z)  np.asarray(z / v)  np.asarray(-z)
np.asarray(z.conj())  np.asarray(z.real)  np.asarray(z.imag)  np.asarray(abs(z))  z.astype("complex64")  (z - z).astype("float32")  z.to_numpy(out=np.empty(N, "c8"))
np.asarray(q.minimum(v, x))  np.asarray(q.maximum(x8, v))  np.asarray(q.where(bool_, v, x))  np.asarray(q.where(v > 3, x, 1.0))
q.fft(x)  q.fft(c)  q.fft(v)  q.fft(z)  q.ifft(z)  q.fft(prime)  q.fft(zprime)  q.ifft(c[:PRIME])  q.fft(square, axis=0)  q.fft2(square)  q.ifft2(vsquare)
q.rfft(x)  q.rfft(v)  q.rfft(prime)  q.irfft(c)  q.irfft(z)  q.irfft(zprime, 2 * PRIME - 1)
q.dct(x)  q.dct(v, 1)  q.idct(vprime)  q.idct(x, 1)  q.dst(x)  q.dst(v, 1)  q.idst(vprime)  q.idst(x, 1)
q.sort(x)  q.sort(d)  q.sort(x8)  q.argsort(wide)  q.unique(x)  q.topk(x, N // 2)  q.topk(v, 5)
q.bincount(whole)  q.bincount(uv, x)  q.bincount(whole, minlength=60000)  q.histogram(x, 60000)  q.histogram(v, 10, weights=d)  q.histogram(whole, 10)
q.convolve(x, [1, 2, 1])  q.convolve(square, np.ones((3, 3)))  q.convolve(vsquare, np.ones((20, 20)))  q.convolve(x, prime)
q.correlate(square, np.ones((17, 17)))  q.correlate(v, taps)  q.convolve1d(v, taps)  q.convolve1d(square, np.ones(300), axis=0)  q.correlate1d(x, taps)
q.matmul(square, square.T)  q.matmul(square, square.T, method="serial")  q.matmul(square, square.T, method="element", tile=4, order="hilbert")
q.matmul(square, square.T, method="sp", unroll=1)  q.matmul(square, square.T, check=True)  q.matmul(whole.reshape(512, 512), whole.reshape(512, 512))
q.matmul(square.astype("i2"), square.T.astype("i2"))  q.matmul(square, x[:512])  q.matmul(square, square.T, out=np.empty((512, 512), "f4"))
scale(a=square, s=2.0)  scale(a=d, s=2.0)  scale(a=x8, s=1)  ints(a=whole)  ints(a=x8)  scale(a=square, s=1.0, out=np.empty((512, 512), "f4"))
scale(a=square, s=1.0, precision={"a": "half"})  blocks(a=x)  q.run("uniform sampler2D a; out vec3 y; void main() { y = READ(a, TEXEL).rrr; }", a=square)
passes.set(a=square)  passes.step(3)  passes["y"]  passes.read("y", out=np.empty((512, 512), "f4"))
q.Experiment("uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }", a=str(files / "a.npy"))
q.Experiment("uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }", a="random:512x512")
q.Kernel("out float y; void main() { y = 1.0; }")(size=(512, 512))
q.vp(program, x)  q.vp(program, d)  q.vp(program, x8, bytes=True)  q.vp(program, x, reduce=True, padding=0.0)  q.vp(program, x, engine="simulator")
q.sat(clauses, flips=10)
q.sparse(banded)  q.sparse(doubled)  q.sparse(one_row)  q.sparse(files / "m.mtx")  device @ sides  device.product(sides, alpha=2.0, beta=1.0, y=sides)
q.solve(banded, sides)  q.solve(far, sides)  q.solve(doubled + 8 * sp.eye_array(n), sides)  q.solve(banded.todia(), sides, width=128)  q.solve(banded, sides, x0=sides)
q.solve(banded, np.ones((n, 2)))  q.solve(files / "m.mtx", sides)  q.solve(far, sides, method="bicgstab")  q.solve(banded, sides, method="cg", preconditioner="chebyshev")
q.solve(q.stencil("poisson5:512x256"), sides, tolerance=0.1)  q.solve(q.stencil("poisson5:512x256"), sides, method="fft")  q.solve(q.stencil("fe9:512x256"), sides, method="multigrid", tolerance=0.1)
q.solve(q.stencil("jump:512x256"), sides, method="mgcg", tolerance=0.1)  q.solve(q.stencil("convection:512x256"), sides, tolerance=0.1)  q.solve(q.stencil("poisson7:64x64x32"), sides, tolerance=0.1)
q.solve(q.stencil("jump7:64x64x32"), sides, tolerance=0.1)  q.solve(coefficient=points, b=points, tolerance=0.1)  q.solve(coefficient=space, b=space, tolerance=0.1)
q.solve(q.stencil("poisson7:64x64x32").tocoo(), sides, shape=(32, 64, 64), tolerance=0.1)  q.solve(q.stencil("heat9:512x256:sides=periodic"), sides, method="fft")
q.stencil("poisson5:512x256").tocoo()  q.stencil("poisson7:64x64x32").tocoo()  q.stencil("heat9:512x256:sides=periodic").tocoo()
q.testing.assert_same(x, x, exact=True)  q.testing.assert_same(x, d, absolute=1.0)  q.testing.assert_same(whole, whole, exact=True)
"""

# They take no arrays, or what they make is as small as what they are given.
WITHOUT = {"card", "devices", "doctor"}

# Of classes whose other methods are cases.
SMALL = {"_call", "dtype", "device", "ndim", "shape", "size", "item"}


def cases() -> list[str]:
    return [case for case in re.split(r"  |\n", CASES) if case]


def test_every_function_has_a_case() -> None:
    functions = {name for name in q.__all__ if inspect.isroutine(getattr(q, name))}
    methods = {name for kind in (q.Array, q.ComplexArray) for name in vars(kind) if not name.startswith("_")}
    missing = {name for name in (functions - WITHOUT) | (methods - SMALL) if not re.search(rf"\b{name}\b", CASES)}
    assert not missing


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if sys.platform != "linux" or not shutil.which("gcc"):
        pytest.skip("needs gcc and the C library of GNU")
    built = tmp_path_factory.mktemp("shim") / "short_memory.so"
    source = Path(__file__).with_name("short_memory.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-fno-builtin", "-o", built, source], check=True)
    return built


@pytest.mark.parametrize("part", range(12))
def test_an_allocation_that_fails_is_an_exception(part: int, shim: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(shim)}
    arguments = [sys.executable, "-c", STEPS, str(tmp_path), *cases()[part::12]]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600, env=environment)
    # The last line is the case that ended it.
    assert done.returncode == 0, done.stdout + done.stderr
