"""Compute shaders: blocks and images by name, against NumPy."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

from .conftest import APIS, f4

SCALE = """
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Input { KIND x[]; };
layout(std430, binding = 3) writeonly buffer Output { KIND y[]; };
uniform KIND factor;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(x.length())) { y[i] = factor * x[i]; }
}
"""
SWAP = """
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer State { vec2 u[]; };
uniform ivec2 size;
uniform int iteration;
void main() {
    ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(p, size))) return;
    vec2 old = u[p.y * size.x + p.x];
    u[p.y * size.x + p.x] = vec2(old.y, old.x + float(iteration) + 1.0);
}
"""
TRANSPOSE = """
layout(local_size_x = 4, local_size_y = 4) in;
uniform sampler2D source;
layout(r32f, binding = 1) uniform writeonly highp image2D target;
void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, imageSize(target)))) imageStore(target, place, vec4(READ(source, place.yx).r));
}
"""
FIRST = """
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Count { uint count[]; };
void main() { atomicAdd(count[gl_WorkGroupID.x + 10u * gl_WorkGroupID.y + 100u * gl_WorkGroupID.z], 1u); }
"""


def scaled(kind: str) -> str:
    return SCALE.replace("KIND", kind)


def swapped(state: npt.NDArray[np.float32], steps: int) -> npt.NDArray[np.float32]:
    for step in range(steps):
        state = np.stack([state[..., 1], state[..., 0] + np.float32(step + 1)], axis=-1)
    return state


@pytest.mark.parametrize("kind", ["float32", "int32", "uint32"])
def test_a_block_is_computed_from_another(kind: str) -> None:
    glsl = {"float32": "float", "int32": "int", "uint32": "uint"}[kind]
    scale = q.Kernel(scaled(glsl), stage="compute")
    assert (scale.inputs, scale.outputs, scale.uniforms) == (["Input", "Output"], ["Output"], {"factor": glsl})
    for count in [65, 7]:
        x = np.random.default_rng(count).integers(-999 if kind != "uint32" else 0, 999, count).astype(kind)
        # Integers times 3 are exact; the array may be given in any order.
        np.testing.assert_array_equal(scale(Input=x[::-1], factor=3), 3 * x[::-1], strict=True)
        out = np.empty(count, kind)
        assert scale(Input=x, factor=2, out=out) is out
        np.testing.assert_array_equal(out, 2 * x)


@pytest.mark.parametrize("api", APIS)
def test_a_file_says_its_stage_by_its_name(api: str, tmp_path: Path) -> None:
    (tmp_path / "scale.comp").write_text(scaled("float").replace("factor * x", "MORE * factor * x"))
    x = f4([1, 2, 3])
    with q.Context(api=api):
        y = q.run(tmp_path / "scale.comp", Input=x, factor=0.5, define={"MORE": "4.0"})
        np.testing.assert_array_equal(y, x * 2, strict=True)
        # A name that says nothing is told by the argument.
        (tmp_path / "scale.glsl").write_text(scaled("float"))
        z = q.run(str(tmp_path / "scale.glsl"), stage="compute", Input=x, factor=4)
        np.testing.assert_array_equal(z, x * 4, strict=True)


def test_vectors_take_channels() -> None:
    x = np.random.default_rng(3).random((7, 5, 4), dtype="f4")
    options: dict[str, Any] = {"stage": "compute", "groups": 1}
    np.testing.assert_array_equal(
        q.run(scaled("vec4"), Input=x, factor=[1, 2, 4, 8], **options), x * f4([1, 2, 4, 8]), strict=True
    )
    with pytest.raises(q.InputError, match=r"`Input` holds vec4\[\], 4 channels a cell, and the array given has 1"):
        q.run(scaled("vec4"), Input=x[..., 0], factor=[1, 2, 4, 8], **options)


def test_what_is_changed_in_place_begins_with_what_is_given() -> None:
    generator = np.random.default_rng(4)
    swap = q.Kernel(SWAP, stage="compute")
    for _ in range(2):
        state = generator.integers(-99, 99, (3, 5, 2)).astype("f4")
        np.testing.assert_array_equal(swap(State=state), swapped(state, 1), strict=True)
    e = q.Experiment(SWAP, stage="compute", State=state)
    np.testing.assert_array_equal(e["State"], state, strict=True)
    np.testing.assert_array_equal(e.step(5)["State"], swapped(state, 5), strict=True)
    np.testing.assert_array_equal(e.restart()["State"], state, strict=True)
    other = state[::-1, ::-1] + np.float32(7)
    np.testing.assert_array_equal(e.set(State=other).step(2)["State"], swapped(other, 2), strict=True)


def test_elements_that_are_not_written_keep_their_value() -> None:
    text = scaled("float").replace("i < uint(x.length())", "i < uint(x.length()) && i % 2u == 0u")
    x = np.arange(1, 8).astype("f4")
    kernel = q.Kernel(text, stage="compute")
    even = np.arange(7) % 2 == 0
    for factor in [2, 3]:
        np.testing.assert_array_equal(kernel(Input=x, factor=factor), np.where(even, x * factor, 0))
        np.testing.assert_array_equal(kernel(Input=x, Output=-x, factor=factor), np.where(even, x * factor, -x))


def test_passes_that_draw_and_passes_that_dispatch_read_each_other() -> None:
    twice = "uniform sampler2D x; out float y; void main() { y = 2.0 * READ(x, TEXEL).r; }"
    turn = q.Pass(TRANSPOSE, stage="compute", read={"source": "double.y"}, size=(3, 7), groups=(1, 2))
    e = q.Experiment({"double": twice, "turn": turn, "again": q.Pass(twice, read={"x": "turn.target"})},
                     x=np.arange(21).reshape(3, 7))
    np.testing.assert_array_equal(e.step()["again.y"], 4 * np.arange(21).reshape(3, 7).T.astype("f4"), strict=True)


def test_work_groups_are_as_many_as_are_asked_for() -> None:
    cases: list[tuple[Any, tuple[int, int, int]]] = [
        (7, (7, 1, 1)), ((7,), (7, 1, 1)), ((3, 2), (3, 2, 1)), ((2, 3, 5), (2, 3, 5)), (np.array([4, 1]), (4, 1, 1)),
    ]
    for groups, shape in cases:
        count = q.run(FIRST, stage="compute", groups=groups, Count=np.zeros(1000, "u4"))
        expected = np.zeros((10, 10, 10), "u4")
        expected[: shape[2], : shape[1], : shape[0]] = 4
        np.testing.assert_array_equal(count, expected.ravel(), strict=True)


@pytest.mark.parametrize("groups", [0, -1, (1, 0), (), (1, 1, 1, 1), 1.5, "4x4", (2**33, 1)])
def test_wrong_groups_are_told(groups: Any) -> None:
    with pytest.raises(q.InputError, match=r"groups: expected the numbers of work groups along x, y and z, integers from 1 on"):
        q.run(FIRST, stage="compute", groups=groups, Count=np.zeros(1000, "u4"))


def test_what_does_not_fit_is_told(tmp_path: Path) -> None:
    with pytest.raises(q.InputError, match='stage: expected "fragment" or "compute", got "vertex"'):
        q.Kernel(scaled("float"), stage="vertex")  # type: ignore[arg-type]
    with pytest.raises(q.InputError, match=r"kernel.comp has no input `Inputs`; it has: Input"):
        q.run(scaled("float"), stage="compute", Inputs=f4([1]), Input=f4([1]), factor=1)
    (tmp_path / "wrong.comp").write_text(scaled("float").replace("x[i];", "z[i];"))
    with pytest.raises(q.CompileError) as caught:
        q.Kernel(tmp_path / "wrong.comp")
    first = caught.value.diagnostics[0]
    assert (first.file, first.line) == (str(tmp_path / "wrong.comp"), 8)
