"""Where memory is short: an exception, never the end of the process."""

import os
import subprocess
import sys

import numpy as np
import pytest

import quadrille_gl as q

# Each is computed with few numbers first, so that the driver has compiled what it needs: it may
# crash where it gets no memory.
STEPS = """
import resource, warnings
import numpy as np, quadrille_gl as q

warnings.simplefilter("ignore")
VP = "!!VP1.0\\nMUL o[COL0], v[1], c[11];\\nEND"
scale = q.Kernel("uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }")
whole = q.Kernel("uniform isampler2D a; out int y; void main() { y = READ(a, TEXEL).r; }")
fixed = q.Kernel("uniform float a[4]; out float y; void main() { y = a[int(gl_FragCoord.x)]; }")
four, ones = q.array(np.ones(4, "f4")), {n: q.array(np.ones(n, "f4")) for n in (1 << 10, 1 << 22)}
# Drivers allocate in steps of pages.
ROOM = [*range(2, 20), *range(20, 64, 4), 80, 96, 128]

def call(n):
    bytes, doubles = np.broadcast_to(np.int8(1), (n,)), np.broadcast_to(np.float64(1.1), (n,))
    return {case}

def held():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

def outcome(n):
    try:
        call(n)
    except Exception as error:
        return type(error).__name__
    return "done"

print(outcome(1 << 10))
for room in ROOM:
    resource.setrlimit(resource.RLIMIT_AS, (held() + (room << 20), resource.RLIM_INFINITY))
    found = outcome(1 << 22)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(found, flush=True)
"""

CASES = [
    "q.array(bytes)",
    "q.array(doubles)",
    "four <= bytes",
    "q.array(bytes) + bytes",
    "q.where(bytes, q.array(bytes), 1.0)",
    "q.minimum(q.array(bytes), bytes)",
    "scale(a=bytes.reshape(-1, 64))",
    "scale(a=doubles.reshape(-1, 64))",
    "whole(a=bytes.reshape(-1, 64))",
    "fixed(a=bytes, size=(4, 1))",
    "q.vp(VP, bytes, constants={11: 2.0})",
    "q.vp(VP, bytes.view('u1'), constants={11: 2.0}, bytes=True)",
    "q.vp(VP, np.ones(n, 'f4'), constants={11: 2.0})",
    "q.vp(VP, np.ones(n, 'f4'), constants={11: 2.0}, engine='simulator')",
    "q.sat([[1, 2, -3]] * (n // 64) + [[5]], flips=10)",
    "q.stencil(f'poisson5:{n // 256}x16').tocoo()",
    "q.matmul(bytes.reshape(-1, 64), np.ones((64, 2), 'i4'))",
    "q.testing.assert_same(bytes, doubles, absolute=1.0)",
    "np.asarray(ones[n] > 0)",
    "ones[n].reshape(-1, 64)._repr_png_()",
    "ones[n].reshape(-1, 64, 4)._repr_png_()",
]

MEMORY = {"MemoryError", "OutOfMemoryError"}


@pytest.mark.skipif(sys.platform == "win32", reason="limits memory as Unix does")
@pytest.mark.parametrize("case", CASES)
def test_short_memory_is_an_exception(case: str) -> None:
    text = STEPS.replace("{case}", case)
    # Else glibc keeps large blocks that were freed.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "1000000"}
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120, env=environment)
    words = done.stderr
    # What ends the process where an allocation of ours fails; a driver has its own ways.
    assert "memory allocation of" not in words and "panicked" not in words, (done.stdout, words)
    outcomes = done.stdout.split()
    assert set(outcomes) <= {"done", outcomes[0]} | MEMORY, outcomes
    assert MEMORY & set(outcomes) or outcomes[0] != "done", outcomes
    if done.returncode == 0:
        assert outcomes[-1] == outcomes[0], outcomes


def test_what_memory_does_not_hold_is_an_error_of_both_families() -> None:
    assert issubclass(q.OutOfMemoryError, MemoryError) and issubclass(q.OutOfMemoryError, q.LimitError)
    with pytest.raises(q.OutOfMemoryError, match="not enough memory: poisson5:20000000 takes .* points would fit"):
        q.stencil("poisson5:20000000x20000000").tocoo()


def test_shapes_are_compared_before_anything_is_copied() -> None:
    # Its numbers take one byte here, and a copy of them more than there is.
    huge = np.broadcast_to(np.int8(1), (1 << 40,))
    square = np.broadcast_to(np.int8(1), (1 << 20, 1 << 20))
    v = q.array([1.0, 2.0])
    for wrong in (lambda: v <= huge, lambda: huge * v, lambda: q.where(huge, v, v), lambda: q.maximum(v, huge)):
        with pytest.raises(q.InputError, match="different shapes"):
            wrong()
    with pytest.raises(q.InputError, match="vectors of one length"):
        q.vp("!!VP1.0\nADD o[COL0], v[1], v[2];\nEND", [1.0], huge)
    with pytest.raises(q.InputError, match="inner dimensions differ"):
        q.matmul(square, [[1, 2]])
    with pytest.raises(q.InputError, match="x0: expected the shape of b"):
        q.solve(q.stencil("poisson5:3"), np.ones(9), x0=huge)
    with pytest.raises(q.InputError, match="b: expected the shape"):
        q.solve(q.stencil("poisson5:3"), huge)
    with pytest.raises(q.InputError, match="the numbers of a uniform"):
        q.run("uniform float a; out float y; void main() { y = a; }", a=huge, size=(1, 1))
    text = "uniform sampler2D x; out float y; void main() { y = READ(x, TEXEL).r; }"
    experiment = q.Experiment(text, x=[1.0, 2.0])
    with pytest.raises(q.InputError, match="x: expected an array of shape"):
        experiment.set(x=huge)
    with pytest.raises(q.InputError, match="x: expected an array of shape"):
        experiment.set({"x": square})
