"""Experiments: steps, feedback, passes, what they take and refuse, progress and interrupts."""

import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

from .conftest import APIS, SCALE, f4, interrupt

Random = Callable[..., npt.NDArray[np.float32]]

LIFE = """
uniform usampler2D state; uniform ivec2 size; out uint next;
void main() {
    uint around = 0u;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            around += READ(state, (TEXEL + ivec2(x, y) + size) % size).r;
    uint self = READ(state, TEXEL).r;
    next = uint(around == 3u || around == 4u && self == 1u);
}"""
HALVE = "uniform sampler2D state; out float next; void main() { next = 0.5 * READ(state, TEXEL).r; }"
SLOW = """
uniform sampler2D state; out float next;
void main() { float x = READ(state, TEXEL).r; for (int i = 0; i < 500; ++i) { x = fract(x * 1.7 + 0.3); } next = x; }"""


SHIFT = """
uniform sampler2D x; out float y;
void main() { y = texture(x, vec2(float(TEXEL.x) + 1.0, 0.5) / vec2(textureSize(x, 0))).r; }"""


def test_wrap_and_filter_say_how_texture_samples() -> None:
    x = f4([0, 8, 4, 2])
    cases: list[tuple[Any, Any, list[int]]] = [
        ("repeat", "linear", [4, 6, 3, 1]),
        ({"x": "mirror"}, {"x": "linear"}, [4, 6, 3, 2]),
        (None, "linear", [4, 6, 3, 2]),
    ]
    for wrap, filter, wanted in cases:
        e = q.Experiment(SHIFT, x=x, wrap=wrap, filter=filter)
        np.testing.assert_array_equal(e.step()["y"], wanted)
        np.testing.assert_array_equal(q.run(SHIFT, x=x, wrap=wrap, filter=filter), wanted)
    kernel = q.Kernel(SHIFT)
    assert kernel(x=x, filter="linear").tolist() == [4, 6, 3, 2]
    assert kernel(x=x, filter="linear", wrap="repeat").tolist() == [4, 6, 3, 1]
    assert kernel(x=x, filter="linear").tolist() == [4, 6, 3, 2]
    refused: list[tuple[dict[str, Any], str]] = [
        ({"wrap": "around"}, "wrap: expected one of: clamp, repeat, mirror; got 'around'"),
        ({"filter": 3}, "filter: expected one of: nearest, linear, mipmap; got 3"),
        ({"filter": {"x": 3}}, "filter of `x`: expected one of: nearest, linear, mipmap; got 3"),
        ({"wrap": {"z": "repeat"}}, "no input `z`"),
    ]
    for given, message in refused:
        with pytest.raises(q.InputError, match=message):
            q.run(SHIFT, x=x, **given)


def test_mipmap_is_a_filter() -> None:
    plain = "uniform sampler2D x; in vec2 uv; out float y; void main() { y = texture(x, uv).r; }"
    square = np.random.default_rng(6).normal(size=(16, 16)).astype(np.float32)
    means = square.reshape(4, 4, 4, 4).mean(axis=(1, 3), dtype=np.float64)
    np.testing.assert_allclose(q.run(plain, x=square, size=(4, 4), filter="mipmap"), means, atol=1e-3)


def test_half_precision_rounds_and_refuses_what_becomes_infinite() -> None:
    x = np.random.default_rng(3).normal(size=(7, 11)).astype(np.float32)
    e = q.Experiment(HALVE, state=x, feedback={"next": "state"}, precision={"state": "half"})
    np.testing.assert_array_equal(e["next"], x.astype(np.float16))
    np.testing.assert_array_equal(q.run(SCALE, a=x, s=1.0, precision={"a": "half"}), x.astype(np.float16))
    for given, message in (
        ({"state": "double"}, "precision of `state`: expected one of: half, single; got 'double'"),
        ({"state": 16}, "precision of `state`: expected one of: half, single; got 16"),
        ({"z": "half"}, "no input `z`"),
    ):
        with pytest.raises(q.InputError, match=message):
            q.Experiment(HALVE, state=x, precision=given)  # type: ignore[arg-type]
    e = q.Experiment(SCALE, {"s": 4.0}, a=f4([20000, -1, 20000]), feedback={"y": "a"}, precision={"a": "half"})
    with pytest.warns(UserWarning, match="y: 2 values are 65504, -65504 or infinite"):
        assert e.step()["y"][0] >= 65504
    out = f4(np.zeros(3))
    with pytest.warns(UserWarning, match="y: 2 values"):
        e.read("y", out=out)


DIFFUSE = """
uniform sampler2D x; out float y;
void main() {
    y = 0.5 * READ(x, TEXEL).r
        + 0.25 * (READ_CLAMPED(x, TEXEL - ivec2(1, 0)).r + READ_CLAMPED(x, TEXEL + ivec2(1, 0)).r);
}"""


def diffused(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    wide = np.pad(x, 1, mode="edge")
    return 0.5 * x + 0.25 * (wide[:-2] + wide[2:])


def test_arrays_larger_than_a_texture_are_computed_in_panels() -> None:
    x = (np.arange(100_001) * 7919 % 1024).astype(np.float32)
    e = q.Experiment(DIFFUSE, x=x, feedback={"y": "x"}, halo=1).step(2)
    np.testing.assert_array_equal(e["y"], diffused(diffused(x)))
    np.testing.assert_array_equal(q.run(DIFFUSE, x=x, halo=1), diffused(x))
    kernel = q.Kernel(DIFFUSE)
    for length in (100_001, 5, 70_000):
        np.testing.assert_array_equal(kernel(x=x[:length], halo=1), diffused(x[:length]))
    np.testing.assert_array_equal(q.run(SCALE, a=x, s=2.0), 2 * x)
    with pytest.raises(q.LimitError, match="With a halo of 0, .* of the cells read what their panels do not store.* Give a halo of 1"):
        kernel(x=x)
    np.testing.assert_array_equal(kernel(x=x, halo=1), diffused(x))
    for halo in (-1, 0.5, "1"):
        with pytest.raises(q.InputError, match="halo: expected an integer from 0 on, or a shader that declares"):
            kernel(x=x, halo=halo)
    own = "uniform sampler2D x; uniform int halo; out float y; void main() { y = float(halo) * READ(x, TEXEL).r; }"
    np.testing.assert_array_equal(q.run(own, x=x, halo=3), 3 * x)
    np.testing.assert_array_equal(q.run(own, {"halo": 3}, x=x, halo=1), 3 * x)


LAYERS = """
uniform sampler2DArray x; out float y;
void main() { y = texelFetch(x, ivec3(TEXEL, 0), 0).r - texelFetch(x, ivec3(TEXEL, 2), 0).r; }"""


@pytest.mark.parametrize("shape", [(3, 5, 7), (3, 5, 7, 2)])
def test_a_sampler_of_layers_takes_three_and_four_axes(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    wanted = (x[0] - x[2]).reshape(*shape[1:3], -1)[..., 0]
    np.testing.assert_array_equal(q.run(LAYERS, x=x), wanted)
    e = q.Experiment(LAYERS, x=x)
    np.testing.assert_array_equal(e.step()["y"], wanted)
    np.testing.assert_array_equal(e.set(x=-x).step()["y"], -wanted)


def life(state: npt.NDArray[np.uint32], steps: int) -> npt.NDArray[np.uint32]:
    for _ in range(steps):
        around = sum(np.roll(state, (y, x), (0, 1)) for y in (-1, 0, 1) for x in (-1, 0, 1))
        state = ((around == 3) | ((around == 4) & (state == 1))).astype(np.uint32)
    return state


def test_life_is_that_of_numpy() -> None:
    shape = (33, 17)
    start = np.random.default_rng(2).integers(0, 2, shape, dtype=np.uint32)
    e = q.Experiment(LIFE, state=start, feedback={"next": "state"})
    np.testing.assert_array_equal(e["next"], start, strict=True)
    for steps in (1, 2, 97):
        assert e.step(steps) is e
        np.testing.assert_array_equal(e["next"], life(start, e.iteration), strict=True)
    assert e.iteration == 100
    out = np.empty(shape, np.uint32)
    assert e.restart().step(4).read("next", out=out) is out
    np.testing.assert_array_equal(out, life(start, 4), strict=True)
    assert (e.inputs, e.outputs, e.uniforms["size"]) == (["state"], ["next"], "ivec2")
    assert repr(e) == "<quadrille_gl.Experiment kernel.frag: state -> next>"


def test_lines_and_channels_keep_their_shapes(random: Random) -> None:
    for shape in [(7,), (5, 4, 2), (3, 6, 3), (2, 2, 4)]:
        start = random(*shape)
        kind = ["float", "float", "vec2", "vec3", "vec4"][shape[2] if len(shape) == 3 else 1]
        swizzle = "rgba"[: shape[2] if len(shape) == 3 else 1]
        text = f"uniform sampler2D s; out {kind} n; void main() {{ n = 0.5 * READ(s, TEXEL).{swizzle}; }}"
        n = q.Experiment(text, s=start, feedback={"n": "s"}).step(3)["n"]
        np.testing.assert_array_equal(n, start / np.float32(8), strict=True)


def test_the_caller_may_change_its_array_afterwards(random: Random) -> None:
    start = random(4, 5)
    was = start.copy()
    e = q.Experiment(HALVE, state=start, feedback={"next": "state"})
    start[:] = 0
    np.testing.assert_array_equal(e.step()["next"], was / 2)
    np.testing.assert_array_equal(e.restart()["next"], was)


def test_arrays_and_numbers_can_be_set(random: Random) -> None:
    text = "uniform sampler2D a; uniform sampler2D b; uniform float s; out float y; void main() { y = READ(a, TEXEL).r + s * READ(b, TEXEL).r; }"
    a, b, c = random(3, 4), random(3, 4), random(3, 4)
    e = q.Experiment(text, a=np.zeros_like(a), b=b, s=0.0, feedback={"y": "a"})
    np.testing.assert_array_equal(e.set({"s": 2.0}, a=c[:, :, np.newaxis]).step()["y"], c + 2 * b)
    assert e.iteration == 1
    with pytest.raises(q.InputError, match=r"b: expected an array of shape \[3, 4\], got \[4, 3\]"):
        e.set(b=b.T)
    with pytest.raises(q.InputError, match="b: expected an array of shape"):
        e.set(b=b.ravel())
    with pytest.raises(q.InputError, match="has no uniform `t`; it has: .*s"):
        e.set(t=1)
    with pytest.raises(q.InputError, match="has no input `c`; it has: a, b"):
        e.set(c=b)
    with pytest.raises(q.InputError, match="only a new Experiment reads files"):
        e.set(b="b.npy")
    np.testing.assert_array_equal(e["y"], c + 2 * b)


def test_iteration_counts_without_feedback() -> None:
    text = "uniform int iteration; out int y; void main() { y = iteration; }"
    e = q.Experiment(text, size=(2, 1))
    with pytest.raises(q.InputError, match="y"):
        e["y"]
    assert e.step(5)["y"].tolist() == [[4, 4]]
    assert e.step(0)["y"].tolist() == [[4, 4]]


def test_inputs_come_from_files_and_rules(tmp_path: Path, random: Random) -> None:
    a = random(3, 5)
    np.save(tmp_path / "a.npy", a)
    text = "uniform sampler2D a; uniform sampler2D r; out float y; void main() { y = READ(a, TEXEL).r + READ(r, TEXEL).r; }"
    one = q.Experiment(text, a=tmp_path / "a.npy", r="random:5x3", seed=7).step()["y"]
    np.testing.assert_array_equal(one, q.Experiment(text, a=str(tmp_path / "a.npy"), r="random:5x3", seed=7).step()["y"])
    assert not np.array_equal(one, q.Experiment(text, a=a, r="random:5x3", seed=8).step()["y"])
    ramp = q.Experiment(text, a="zeros:5x3", r="ramp:5x3").step()["y"]
    np.testing.assert_array_equal(ramp, np.tile(f4([0, 0.25, 0.5, 0.75, 1]), (3, 1)))
    with pytest.raises(q.InputError, match="WIDTHxHEIGHT"):
        q.Experiment(text, a="ramp:5", r="ramp:5x3")
    with pytest.raises(q.InputError, match="missing.npy"):
        q.Experiment(text, a=tmp_path / "missing.npy", r="ramp:5x3")


def test_a_sequence_of_files_is_read_step_by_step(tmp_path: Path, random: Random) -> None:
    frames = [random(3, 5) for _ in range(4)]
    for number, frame in enumerate(frames, start=8):
        np.save(tmp_path / f"x-{number:02}.npy", frame)
    text = "uniform sampler2D x; uniform sampler2D sum; out float more; void main() { more = READ(sum, TEXEL).r + READ(x, TEXEL).r; }"

    def make() -> q.Experiment:
        return q.Experiment(text, x=tmp_path / "x-%02d.npy", sum="zeros:5x3", feedback={"more": "sum"})

    e = make()
    expected = f4(np.zeros((3, 5)))
    for frame in frames:
        expected = expected + frame
        np.testing.assert_array_equal(e.step()["more"], expected)
    with pytest.raises(q.InputError, match=r"x.*4.*x-08.npy to .*x-11.npy"):
        e.step()
    np.testing.assert_array_equal(make().step(4)["more"], expected)
    np.testing.assert_array_equal(e.restart().step(2)["more"], frames[0] + frames[1])

    # An array in its place stays.
    e.set(x=frames[3]).step(3)
    np.testing.assert_array_equal(e["more"], frames[0] + frames[1] + frames[3] + frames[3] + frames[3])

    (tmp_path / "x-09.npy").unlink()
    with pytest.raises(q.InputError, match="x-09.npy"):
        make()


def test_passes_read_each_other(random: Random) -> None:
    rows = "uniform sampler2D image; uniform float s; out float y; void main() { y = s * (READ(image, TEXEL).r + READ_CLAMPED(image, TEXEL + ivec2(1, 0)).r); }"
    columns = rows.replace("image", "x").replace("ivec2(1, 0)", "ivec2(0, 1)")
    start = random(6, 9)
    e = q.Experiment(
        {"rows": q.Pass(rows, uniforms={"s": 0.5}), "columns": q.Pass(columns, read={"x": "rows.y"}, uniforms={"s": 0.25})},
        image=start, feedback={"columns.y": "image"})
    assert (e.inputs, e.outputs) == (["image"], ["rows.y", "columns.y"])
    expected = start
    for _ in range(3):
        right = np.concatenate([expected[:, 1:], expected[:, -1:]], axis=1)
        half = np.float32(0.5) * (expected + right)
        below = np.concatenate([half[1:], half[-1:]])
        expected = np.float32(0.25) * (half + below)
    np.testing.assert_array_equal(e.step(3)["columns.y"], expected)
    smaller = q.Pass(rows, size=(2, 3), uniforms={"s": 1})
    assert q.Experiment({"a": smaller}, image=start).step()["a.y"].shape == (3, 2)


def test_what_is_wrong_is_refused_with_what_there_is() -> None:
    start = np.ones((3, 3), "f4")
    cases: list[tuple[dict[str, Any], str]] = [
        ({"feedback": {"nxt": "state"}}, "has no output `nxt`; it has: next"),
        ({"feedback": {"next": 1}}, "feedback: expected a mapping of str; got"),
        ({"size": (0, 1)}, r"size: expected .*got \(0, 1\)"),
        ({"size": 3}, "size: expected the width and the height"),
        ({"reads": "slow"}, "slow"),
    ]
    for arguments, message in cases:
        with pytest.raises(q.InputError, match=message):
            q.Experiment(HALVE, **{"state": start, **arguments})
    e = q.Experiment(HALVE, state=start)
    with pytest.raises(q.InputError, match=r"step\(2\) would compute the same each time"):
        e.step(2)
    with pytest.raises(q.InputError, match="count: expected a number of steps from 0 on, got -1"):
        e.step(-1)
    with pytest.raises(q.InputError, match="next"):
        e["next"]
    e.step()
    with pytest.raises(q.InputError, match="has no output `nothing`; it has: next"):
        e["nothing"]
    with pytest.raises(q.InputError, match=r"of shape \[3, 3\]"):
        e.read("next", out=np.empty((2, 3), "f4"))


@pytest.mark.parametrize("reads", ["fetch", "sample"])
def test_how_texels_are_read_changes_nothing(reads: Any, random: Random) -> None:
    start = random(9, 11)
    e = q.Experiment(HALVE, state=start, feedback={"next": "state"}, reads=reads)
    np.testing.assert_array_equal(e.step(2)["next"], start / 4)


def test_experiments_have_a_context_and_end_with_it() -> None:
    with q.Context("llvmpipe", api=APIS[-1]) as context:
        e = q.Experiment(HALVE, state=f4([[8]]), feedback={"next": "state"})
        assert context.objects()["kept"] == 1
        assert e.step(3)["next"] == [[1]]
    with pytest.raises(q.DeviceError, match="closed"):
        e.step()
    e = q.Experiment(SCALE, a=[1], s=2)
    before = q.Context()
    assert before.objects()["kept"] == 0
    kept = q.Experiment(SCALE, a=[1], s=2, context=before)
    assert before.objects()["kept"] == 1
    del kept
    left = before.objects()
    assert [left[key] for key in ("textures", "buffers", "bytes", "kept")] == [0, 0, 0, 0]


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    e = q.Experiment(SLOW, state=np.ones((256, 256), "f4"), feedback={"next": "state"})
    told: list[tuple[int, int | None, float | None]] = []
    e.step(60, progress=lambda *progress: told.append(progress))
    assert told[-1] == (60, 60, None)
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    with pytest.raises(q.InputError, match="progress: expected True, False or a callable"):
        e.step(2, progress=3)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        e.step(10**6, progress=lambda *_: 1 / 0)
    assert e.step(2, progress=False).iteration < 10**6

    class Bar:
        def __init__(self, unit: str) -> None:
            self.n, self.total, self.closed = 0, 0, False
            bars.append(self)

        def update(self, more: int) -> None:
            self.n += more

        def close(self) -> None:
            self.closed = True

    bars: list[Bar] = []
    module = types.ModuleType("tqdm.auto")
    module.tqdm = Bar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    e.step(5, progress=True)
    assert [(bar.n, bar.total, bar.closed) for bar in bars] == [(5, 5, True)]
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(UserWarning, match="pip install tqdm") as caught:
        e.step(2, progress=True)
    assert caught[0].filename == __file__


def test_an_interrupt_stops_between_steps_and_keeps_the_state() -> None:
    start = np.ones((128, 128), "f4")
    e = q.Experiment(SLOW, state=start, feedback={"next": "state"})
    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        e.step(10**9)
    timer.join()
    reached = e.iteration
    assert 0 < reached < 10**9
    state = e["next"]
    again = q.Experiment(SLOW, state=start, feedback={"next": "state"})
    np.testing.assert_array_equal(again.step(reached)["next"], state)
    np.testing.assert_array_equal(e.step(3)["next"], again.step(3)["next"])


MIX = """
uniform sampler2D state; uniform float rate; out vec3 next;
void main() { next = fract(READ(state, TEXEL).gbr * 1.7 + rate); }"""


def test_a_saved_state_goes_on_with_the_same_bits(tmp_path: Path, random: Random) -> None:
    start, file = random(5, 7, 3), tmp_path / "state"

    def make() -> q.Experiment:
        return q.Experiment(MIX, state=start, rate=0.3, feedback={"next": "state"})

    whole = make().step(30)["next"]
    make().step(11).save(file)
    e = make()
    assert e.load(str(file)) is e
    assert e.iteration == 11
    np.testing.assert_array_equal(e.step(19)["next"], whole, strict=True)
    np.testing.assert_array_equal(e.load(file).step(19)["next"], whole, strict=True)
    assert e.restart().iteration == 0
    np.testing.assert_array_equal(e.step(30)["next"], whole, strict=True)


def test_the_state_of_another_experiment_is_refused(tmp_path: Path, random: Random) -> None:
    start, file = random(5, 7, 3), tmp_path / "state"
    feedback = {"next": "state"}
    q.Experiment(MIX, state=start, rate=0.3, feedback=feedback).step(3).save(file)
    e = q.Experiment(MIX, state=start, rate=0.25, feedback=feedback).step()
    with pytest.raises(q.InputError, match=r"uniform `rate`: expected 0\.25, got 0\.3"):
        e.load(file)
    assert e.iteration == 1
    file.write_bytes(file.read_bytes()[:-5])
    with pytest.raises(q.InputError, match="state: expected "):
        q.Experiment(MIX, state=start, rate=0.3, feedback=feedback).load(file)
    with pytest.raises(q.InputError, match="cannot read it"):
        e.load(tmp_path / "none")
    with pytest.raises(q.InputError, match="cannot write it"):
        e.save(tmp_path / "none" / "state")
    with pytest.raises(TypeError):
        e.save(3)  # type: ignore[arg-type]
