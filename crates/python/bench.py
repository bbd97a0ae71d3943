"""Compares quadrille with moderngl on five tasks, and with its own Rust library: lines of code, time, error.

    pip install . moderngl && cargo build --release -p quadrille-python --example bench
    python crates/python/bench.py target/release/examples/bench

Each task is from NumPy arrays to NumPy arrays, on the same device. Lines are those of the functions below, without blank ones. Times are
medians of calls that alternate, after one that is not counted; "made" is the time to compile, and make what stays. Without the name of
the Rust program only moderngl is compared, and without moderngl only Rust.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import quadrille_gl as q

os.environ.setdefault("EGL_PLATFORM", "surfaceless")
Call = Callable[[], Any]


# The helpers of a user of moderngl, which each task may use; they are not counted.
def moderngl_context() -> Any:
    import moderngl

    return moderngl.create_context(standalone=True, backend="egl", libgl="libGL.so.1", libegl="libEGL.so.1", require=330)


VERTEX = "#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }\n"


def texture(gl: Any, shape: tuple[int, ...], dtype: str, data: Any = None) -> Any:
    height, width, channels = (*shape, 1)[:3]
    made = gl.texture((width, height), channels, None if data is None else np.ascontiguousarray(data).tobytes(), dtype=dtype, alignment=1)
    made.filter = (gl.NEAREST, gl.NEAREST)
    return made


# 1 and 2: a product with a number, small and large.
def scale_quadrille(a: Any) -> Call:
    k = q.Kernel("uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }")
    return lambda: k(a=a, s=1.5)


def scale_moderngl(gl: Any, a: Any) -> Call:
    program = gl.program(vertex_shader=VERTEX, fragment_shader="""#version 330
        uniform sampler2D a; uniform float s; out float y; void main() { y = s * texelFetch(a, ivec2(gl_FragCoord.xy), 0).r; }""")
    array, source, target = gl.vertex_array(program, []), texture(gl, a.shape, "f4"), texture(gl, a.shape, "f4")
    frame = gl.framebuffer(color_attachments=[target])

    def call() -> Any:
        source.write(a.tobytes(), alignment=1)
        program["s"] = 1.5
        frame.use()
        source.use(0)
        array.render(gl.TRIANGLES, vertices=3)
        return np.frombuffer(target.read(alignment=1), "f4").reshape(a.shape)

    return call


# 3: two outputs of two channels' numbers.
def polar_quadrille(a: Any) -> Call:
    k = q.Kernel("""uniform sampler2D a; layout(location = 0) out float radius; layout(location = 1) out float angle;
        void main() { vec2 p = READ(a, TEXEL).rg; radius = length(p); angle = atan(p.y, p.x); }""")
    return lambda: k(a=a)


def polar_moderngl(gl: Any, a: Any) -> Call:
    program = gl.program(vertex_shader=VERTEX, fragment_shader="""#version 330
        uniform sampler2D a; layout(location = 0) out float radius; layout(location = 1) out float angle;
        void main() { vec2 p = texelFetch(a, ivec2(gl_FragCoord.xy), 0).rg; radius = length(p); angle = atan(p.y, p.x); }""")
    array, source = gl.vertex_array(program, []), texture(gl, a.shape, "f4")
    targets = [texture(gl, a.shape[:2], "f4") for _ in range(2)]
    frame = gl.framebuffer(color_attachments=targets)

    def call() -> Any:
        source.write(a.tobytes(), alignment=1)
        frame.use()
        source.use(0)
        array.render(gl.TRIANGLES, vertices=3)
        radius, angle = (np.frombuffer(target.read(alignment=1), "f4").reshape(a.shape[:2]) for target in targets)
        return {"radius": radius, "angle": angle}

    return call


# 4: a blur of rows, then of columns.
def blur_quadrille(a: Any) -> Call:
    text = """uniform sampler2D x; uniform ivec2 along; out float y; void main() { y = 0.25 * READ_CLAMPED(x, TEXEL - along).r
        + 0.5 * READ(x, TEXEL).r + 0.25 * READ_CLAMPED(x, TEXEL + along).r; }"""
    rows = q.Pass(text, read={"x": "a"}, uniforms={"along": (1, 0)})
    e = q.Experiment({"rows": rows, "columns": q.Pass(text, read={"x": "rows.y"}, uniforms={"along": (0, 1)})}, a=a)
    return lambda: e.set(a=a).step()["columns.y"]


def blur_moderngl(gl: Any, a: Any) -> Call:
    program = gl.program(vertex_shader=VERTEX, fragment_shader="""#version 330
        uniform sampler2D x; uniform ivec2 along; out float y;
        float at(ivec2 p) { return texelFetch(x, clamp(p, ivec2(0), textureSize(x, 0) - 1), 0).r; }
        void main() { ivec2 p = ivec2(gl_FragCoord.xy); y = 0.25 * at(p - along) + 0.5 * at(p) + 0.25 * at(p + along); }""")
    array, source = gl.vertex_array(program, []), texture(gl, a.shape, "f4")
    rows, columns = texture(gl, a.shape, "f4"), texture(gl, a.shape, "f4")
    passes = [(source, gl.framebuffer(color_attachments=[rows]), (1, 0)), (rows, gl.framebuffer(color_attachments=[columns]), (0, 1))]

    def call() -> Any:
        source.write(a.tobytes(), alignment=1)
        for read, frame, along in passes:
            frame.use()
            read.use(0)
            program["along"] = along
            array.render(gl.TRIANGLES, vertices=3)
        return np.frombuffer(columns.read(alignment=1), "f4").reshape(a.shape)

    return call


# 5: steps of the game of life on a torus.
STEPS = 100


def life_quadrille(a: Any) -> Call:
    e = q.Experiment("""uniform usampler2D cells; uniform ivec2 size; out uint next; void main() {
        uint n = 0u; for (int i = 0; i < 9; ++i) n += READ(cells, (TEXEL + ivec2(i % 3, i / 3) - 1 + size) % size).r;
        next = uint(n == 3u || n == 4u && READ(cells, TEXEL).r == 1u); }""", cells=a, feedback={"next": "cells"})
    return lambda: e.set(cells=a).step(STEPS)["next"]


def life_moderngl(gl: Any, a: Any) -> Call:
    program = gl.program(vertex_shader=VERTEX, fragment_shader="""#version 330
        uniform usampler2D cells; out uint next;
        void main() { ivec2 size = textureSize(cells, 0), p = ivec2(gl_FragCoord.xy);
        uint n = 0u; for (int i = 0; i < 9; ++i) n += texelFetch(cells, (p + ivec2(i % 3, i / 3) - 1 + size) % size, 0).r;
        next = uint(n == 3u || n == 4u && texelFetch(cells, p, 0).r == 1u); }""")
    array = gl.vertex_array(program, [])
    cells = [texture(gl, a.shape, "u4") for _ in range(2)]
    frames = [gl.framebuffer(color_attachments=[one]) for one in cells]

    def call() -> Any:
        cells[0].write(a.tobytes(), alignment=1)
        for step in range(STEPS):
            frames[(step + 1) % 2].use()
            cells[step % 2].use(0)
            array.render(gl.TRIANGLES, vertices=3)
        return np.frombuffer(cells[STEPS % 2].read(alignment=1), "u4").reshape(a.shape)

    return call


def blurred(a: Any) -> Any:
    for axis in (1, 0):
        padded = np.pad(a.astype("f8"), [(1, 1) if axis == i else (0, 0) for i in (0, 1)], mode="edge")
        parts = [np.take(padded, np.arange(a.shape[axis]) + shift, axis) for shift in (0, 1, 2)]
        a = 0.25 * parts[0] + 0.5 * parts[1] + 0.25 * parts[2]
    return a


def lived(a: Any) -> Any:
    for _ in range(STEPS):
        around = sum(np.roll(a, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1))
        a = ((around == 3) | ((around == 4) & (a == 1))).astype("u4")
    return a


def polar(a: Any) -> Any:
    x, y = a.astype("f8")[..., 0], a.astype("f8")[..., 1]
    return {"radius": np.hypot(x, y), "angle": np.arctan2(y, x)}


class Task(NamedTuple):
    name: str
    ours: Callable[..., Call]
    theirs: Callable[..., Call]
    expected: Callable[[Any], Any]
    data: Any
    calls: int


def tasks() -> list[Task]:
    random = np.random.default_rng(1)
    normal = lambda *shape: random.standard_normal(shape, "f4")
    scaled = lambda a: 1.5 * a.astype("f8")
    return [
        Task("scale 16 x 16", scale_quadrille, scale_moderngl, scaled, normal(16, 16), 2000),
        Task("scale 4096 x 4096", scale_quadrille, scale_moderngl, scaled, normal(4096, 4096), 9),
        Task("polar 1024 x 1024", polar_quadrille, polar_moderngl, polar, normal(1024, 1024, 2), 21),
        Task("blur 1024 x 1024", blur_quadrille, blur_moderngl, blurred, normal(1024, 1024), 21),
        Task(f"life 256 x 256, {STEPS} steps", life_quadrille, life_moderngl, lived, random.integers(0, 2, (256, 256), "u4"), 21),
    ]


def lines(function: Callable[..., Any]) -> int:
    return sum(1 for line in inspect.getsource(function).splitlines() if line.strip())


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def error(got: Any, expected: Any) -> float:
    if isinstance(expected, dict):
        return float(np.max([error(got[name], numbers) for name, numbers in expected.items()]))
    return float(np.max(np.abs(got.astype("f8") - expected)))


def medians(calls: list[Call], count: int) -> list[float]:
    """Seconds of each, which alternate."""
    times = [[timed(call)[0] for call in calls] for _ in range(count)]
    return [float(np.median(column)) for column in zip(*times)]


def against_moderngl() -> None:
    gl = moderngl_context()
    print(f"quadrille {q.__version__} on {q.Context().renderer}; moderngl on {gl.info['GL_RENDERER']}")
    print(f"{'task':28} {'':10} {'lines':>6} {'made, ms':>9} {'call, ms':>9} {'error':>8}")
    for name, ours, theirs, expected, data, count in tasks():
        made = [timed(lambda: ours(data)), timed(lambda: theirs(gl, data))]
        calls = [call for _, call in made]
        errors = [error(call(), expected(data)) for call in calls]
        rows = zip(("quadrille", "moderngl"), (ours, theirs), made, medians(calls, count), errors)
        for label, function, (first, _), seconds, wrong in rows:
            print(f"{name:28} {label:10} {lines(function):6} {first * 1e3:9.1f} {seconds * 1e3:9.3f} {wrong:8.1e}")


class Rust:
    """The program of bench.rs."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, work: str, side: int, count: int) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{work} {side} {count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def against_rust(program: str) -> None:
    rust = Rust(program)
    text = "uniform sampler2D a; uniform float s; out float y; void main() { y = s * READ(a, TEXEL).r; }"
    for side in (16, 64):
        a, k = np.ones((side, side), "f4"), q.Kernel(text)
        k(a=a, s=2.0)
        ours, theirs = [], []
        for _ in range(75):
            ours.append(medians([lambda: k(a=a, s=2.0)], 60)[0] * 1e6)
            theirs.append(rust.ask("call", side, 60))
        python, native = float(np.median(ours)), float(np.median(theirs))
        print(f"call, {side} x {side}: Python {python:.1f} us, Rust {native:.1f} us, at most 1.3 x + 30 = {1.3 * native + 30:.1f} us")
    a = np.ones((4096, 4096), "f4")
    q.run(text, a=a, s=2.0)
    answers = []
    for _ in range(15):
        # The context of the module rests while Rust's works, and the other way.
        python = timed(lambda: q.run(text, a=a, s=2.0))[0] * 1e3
        answers.append((python, rust.ask("run", 4096, 1), rust.ask("transfer", 4096, 1)))
    python, native, transfer = (float(np.median(column)) for column in zip(*answers))
    print(f"run, 4096 x 4096: Python {python:.1f} ms, Rust {native:.1f} ms ({native / python:.2f} of its rate); its transfers alone {transfer:.1f} ms")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        against_rust(sys.argv[1])
    try:
        import moderngl  # noqa: F401
    except ImportError:
        print("moderngl is not installed, and not compared")
    else:
        against_moderngl()
