"""Kernels: what they compute, what they take, and what they refuse."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import quadrille_gl as q

from .conftest import LONG_DOUBLE, SCALE, f4

Random = Callable[..., npt.NDArray[np.float32]]

COPY = "uniform sampler2D a; out float y; void main() { y = READ(a, TEXEL).r; }"


@pytest.mark.parametrize("shape", [(1,), (7,), (1, 1), (5, 3), (64, 65), (257, 129)])
def test_one_output_is_an_array_of_the_shape_of_the_input(shape: tuple[int, ...], random: Random) -> None:
    a = random(*shape)
    y = q.run(SCALE, a=a, s=0.5)
    assert y.dtype == np.float32
    # A product with a power of two is exact.
    np.testing.assert_array_equal(y, a * np.float32(0.5), strict=True)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_channels_are_the_last_axis(channels: int, random: Random) -> None:
    kind = ["float", "vec2", "vec3", "vec4"][channels - 1]
    swizzle = "rgba"[:channels]
    text = f"uniform sampler2D a; out {kind} y; void main() {{ y = READ(a, TEXEL).{swizzle}; }}"
    a = random(5, 7, channels)
    y = q.run(text, a=a)
    np.testing.assert_array_equal(y, a[:, :, 0] if channels == 1 else a, strict=True)


def test_several_channels_of_a_line_are_a_row(random: Random) -> None:
    text = "uniform sampler2D a; out vec2 y; void main() { y = READ(a, TEXEL).r * vec2(1.0, -1.0); }"
    a = random(9)
    expected = np.stack([a, -a], axis=1)[np.newaxis]
    np.testing.assert_array_equal(q.run(text, a=a), expected, strict=True)
    np.testing.assert_array_equal(q.run(text, a=a, out=np.empty((1, 9, 2), "f4")), expected, strict=True)


@pytest.mark.parametrize("channels", [1, 2])
def test_any_strides_give_the_right_numbers(channels: int, random: Random) -> None:
    text = f"uniform sampler2D a; out {['float', 'vec2'][channels - 1]} y; void main() {{ y = READ(a, TEXEL).{'rg'[:channels]}; }}"
    whole = random(12, 14, 2)
    base = whole if channels == 2 else np.ascontiguousarray(whole[:, :, 0])
    kernel = q.Kernel(text)
    packed = np.zeros(base.size + 1, "V4").view("u1")[1 : 1 + base.nbytes]
    packed[:] = base.view("u1").ravel()
    unaligned = packed.view("f4").reshape(base.shape)
    assert not unaligned.flags.aligned
    for a in [
        base,
        np.asfortranarray(base),
        base.swapaxes(0, 1),
        base[::-1],
        base[:, ::-2],
        base[3:9:2, 1:8:3],
        np.broadcast_to(base[:1], base.shape),
        unaligned,
        base.astype(">f4"),
    ]:
        np.testing.assert_array_equal(kernel(a=a), a.astype("f4"), strict=True)


def test_float64_is_rounded_with_one_warning_at_the_line_that_gave_it() -> None:
    a = np.array([0.1, 0.2, np.nan, np.inf])
    with pytest.warns(UserWarning, match="a: float64 numbers were rounded to float32") as caught:
        y = q.run(COPY, a=a)
    assert len(caught) == 1
    assert Path(caught[0].filename) == Path(__file__)
    np.testing.assert_array_equal(y, a.astype("f4"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # No number changes.
        q.run(COPY, a=np.array([0.5, 1e10, np.nan, -np.inf]))
        with pytest.raises(UserWarning):
            q.Kernel(COPY)(a=a)


def test_a_float64_that_overflows_is_refused_with_its_place() -> None:
    a = np.ones((3, 4))
    a[1, 2] = 1e39
    with pytest.raises(q.InputError, match=r"a: 1e39 at \[1, 2\] does not fit float32"):
        q.run(COPY, a=a)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">i2", ">f8"])
def test_dtypes_that_convert_exactly_do(dtype: str) -> None:
    a = np.array([[0, 1, 1], [100, 5, 1]]).astype(dtype)
    np.testing.assert_array_equal(q.run(COPY, a=a), a.astype("f4"), strict=True)


@pytest.mark.parametrize(("kind", "dtype", "numbers"), [
    ("i", "int32", [-(2**31), 2**31 - 1, -1, 2**24 + 1]),
    ("u", "uint32", [0, 2**32 - 1, 2**31, 2**24 + 1]),
])
def test_integers_stay_exact(kind: str, dtype: str, numbers: list[int]) -> None:
    text = f"uniform {kind}sampler2D a; out {kind if kind == 'u' else ''}int y; void main() {{ y = READ(a, TEXEL).r; }}"
    for source in [dtype, "int64"]:
        if source == "int64" and kind == "u":
            source = "uint64"
        y = q.run(text, a=np.array(numbers, source))
        np.testing.assert_array_equal(y, np.array(numbers, dtype), strict=True)


def test_what_does_not_convert_exactly_is_refused() -> None:
    integers = "uniform isampler2D a; out int y; void main() { y = READ(a, TEXEL).r; }"
    with pytest.raises(q.InputError, match=r"2147483648 at \[1\] does not fit an integer of 32 bits"):
        q.run(integers, a=[0, 2**31])
    with pytest.raises(q.InputError, match=r"0.5 at \[1\] cannot be converted exactly"):
        q.run(integers, a=f4([0, 0.5]))
    with pytest.raises(q.InputError, match=r"16777217 at \[0, 1\] cannot be converted exactly"):
        q.run(COPY, a=[[0, 2**24 + 1]])


@pytest.mark.parametrize("a", [
    np.zeros(3, "c8"), np.array(["x"]), np.array([None]), pytest.param(np.zeros(2, "g"), marks=LONG_DOUBLE), np.zeros(2, "M8[s]"), "text",
])
def test_what_is_no_number_is_refused(a: Any) -> None:
    with pytest.raises(q.InputError, match="a: expected an array( of float16, float32|, got .text.)"):
        q.run(COPY, a=a)


def test_what_is_wrong_is_told_by_what_it_is() -> None:
    with pytest.raises(q.InputError, match="a: expected an array, since the shader reads one; got a number"):
        q.run(COPY, a=2.0)
    with pytest.raises(q.InputError, match="a: expected an array of numbers, or numbers; got <class 'NoneType'>"):
        q.run(COPY, a=None)  # type: ignore[arg-type]
    with pytest.raises(q.InputError, match="got an empty text"):
        q.run("", a=[1])
    with pytest.raises(q.InputError, match=r"size: expected the width and the height, integers from 1 on, as in \(640, 360\); got \(0, 4\)"):
        q.run(COPY, a=[1], size=(0, 4))
    with pytest.raises(q.InputError, match="out: expected an array of float32, int32 or uint32, got <class 'quadrille_gl.Array'>"):
        q.run(COPY, a=[1], out=q.array([1]))  # type: ignore[arg-type]
    with pytest.raises(q.InputError, match="define: expected a mapping of str; got"):
        q.run(COPY, a=[1], define={7: 1})  # type: ignore[dict-item]
    with pytest.raises(q.InputError) as caught:
        q.run(SCALE, a=[1], s=np.ones(10_000))
    assert len(str(caught.value)) < 250
    cube = "uniform samplerCube a; out float y; void main() { y = texture(a, vec3(1.0)).x; }"
    with pytest.raises(q.InputError, match=r"`a` is of a type \(samplerCube\) that cannot be set"):
        q.run(cube, size=(1, 1))


def test_matrices_of_every_shape_are_given_as_numpy_has_them() -> None:
    matrices = "uniform mat2 m[2]; uniform mat2x3 w; out vec4 y; void main() { y = vec4(m[1] * vec2(1.0, 2.0), (w * vec2(1.0, 3.0)).yz); }"
    m, w = np.arange(8.0).reshape(2, 2, 2), np.arange(6.0).reshape(3, 2)
    y = q.run(matrices, m=m, w=w, size=(1, 1))
    assert np.array_equal(np.asarray(y).ravel(), [*(m[1] @ [1, 2]), *(w @ [1, 3])[1:]])


@pytest.mark.parametrize("instance", ["", "params"])
def test_members_of_uniform_blocks_are_given_by_their_names(instance: str) -> None:
    front = f"{instance}." if instance else ""
    block = f"layout(std140) uniform Params {{ float gain; vec2 at[2]; layout(row_major) mat2 turn; }} {instance};"
    text = f"{block} out float y; void main() {{ y = {front}gain + {front}at[1].y + {front}turn[1][0]; }}"
    given: dict[str, Any] = {"at": [[1, 2], [3, 4]], "Params.turn": np.array([[5, 60], [7, 8]])}
    assert np.asarray(q.run(text, given, gain=0.5, size=(1, 1))).item() == 64.5
    with pytest.raises(q.InputError, match=r"not given: uniform Params \{ float gain; \}"):
        q.run(text, given, size=(1, 1))


def test_a_masked_array_is_refused() -> None:
    with pytest.raises(q.InputError, match="masked"):
        q.run(COPY, a=np.ma.masked_array([1.0, 2.0], [True, False]))


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0), (2, 2, 0), (2, 2, 5), (1, 1, 1, 1)])
def test_what_is_no_grid_of_cells_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(q.InputError, match="a`?: expected (an array of one axis|an array, since the shader reads one|a grid of at least one cell)"):
        q.run(COPY, a=np.zeros(shape, "f4"))


def test_several_outputs_are_a_dict_by_name(random: Random) -> None:
    text = """
        uniform sampler2D a;
        layout(location = 0) out float twice;
        layout(location = 1) out vec2 halves;
        layout(location = 2) out int whole;
        void main() { float x = READ(a, TEXEL).r; twice = 2.0 * x; halves = x * vec2(0.5, -0.5); whole = int(x * 100.0); }"""
    a = random(6, 5)
    kernel = q.Kernel(text)
    assert kernel.outputs == ["twice", "halves", "whole"]
    y = kernel(a=a)
    assert list(y) == kernel.outputs
    np.testing.assert_array_equal(y["twice"], 2 * a, strict=True)
    np.testing.assert_array_equal(y["halves"], np.stack([a / 2, -a / 2], axis=2), strict=True)
    assert y["whole"].dtype == np.int32
    # The product is within half an ULP of the host's, so the whole part differs where it is that
    # near to an integer.
    assert np.all(np.abs(y["whole"] - a * 100) <= 1 + 1e-4)
    into = {"halves": np.empty((6, 5, 2), "f4")}
    only = kernel(a=a, out=into)
    assert list(only) == ["halves"]
    assert only["halves"] is into["halves"]
    np.testing.assert_array_equal(into["halves"], y["halves"])


def test_out_is_written_in_place_in_any_order(random: Random) -> None:
    a = random(8, 6)
    kernel = q.Kernel(SCALE)
    whole = np.full((16, 12), 7, "f4")
    for out in [np.empty((8, 6), "f4"), np.empty((6, 8), "f4").T, whole[::2, ::-2]]:
        assert kernel(a=a, s=2, out=out) is out
        np.testing.assert_array_equal(out, 2 * a)
    assert np.all(whole[1::2] == 7)
    same = a.copy()
    assert kernel(a=same, s=2, out=same) is same
    np.testing.assert_array_equal(same, 2 * a)


@pytest.mark.parametrize(("out", "match"), [
    (np.zeros((2, 3), "f4"), r"shape \[3, 2\], and the array given is of float32 of shape \[2, 3\]"),
    (np.zeros((3, 2), "i4"), "array of float32 .* is of int32"),
    (np.zeros((3, 2), "f8"), "expected an array of float32, int32 or uint32, got float64"),
    ([0.0], "expected an array of float32"),
    ({"z": np.zeros((3, 2), "f4")}, "there is no output `z`; there are: y"),
    (np.broadcast_to(np.float32(0), (3, 2)), "read-only"),
])
def test_a_wrong_out_is_refused(out: Any, match: str) -> None:
    with pytest.raises(q.InputError, match=match):
        q.run(COPY, a=np.zeros((3, 2), "f4"), out=out)


def test_an_array_for_several_outputs_is_refused() -> None:
    text = "layout(location = 0) out float u; layout(location = 1) out float v; void main() { u = 1.0; v = 2.0; }"
    with pytest.raises(q.InputError, match="expected a dict of arrays by name.*u, v"):
        q.run(text, size=(2, 2), out=np.zeros((2, 2), "f4"))


def test_size_is_width_by_height() -> None:
    text = "uniform ivec2 size; out ivec4 y; void main() { y = ivec4(TEXEL, size); }"
    y = q.run(text, size=(3, 2))
    assert y.shape == (2, 3, 4)
    assert y[1, 2].tolist() == [2, 1, 3, 2]
    for size in [(3,), (0, 3), (-1, 2), "ab", 7, (2.5, 1)]:
        with pytest.raises(q.InputError, match=r"expected the width and the height.* as in \(640, 360\)"):
            q.run(text, size=size)  # type: ignore[arg-type]
    with pytest.raises(q.InputError, match=r"the size to compute is unknown.*, as in size=\(640, 360\)"):
        q.run(text)
    several = "uniform sampler2D a, b; out float y; void main() { y = READ(a, ivec2(0)).r + READ(b, ivec2(0)).r; }"
    with pytest.raises(q.InputError, match=r"(?s)the inputs differ in size.*as in size=\(640, 360\)"):
        q.run(several, a=[1.0], b=[1.0, 2.0])


@pytest.mark.parametrize(("declared", "value", "expected"), [
    ("float u; float f() { return u; }", 0.1, np.float32(0.1)),
    ("float u; float f() { return u; }", np.float64(0.1), np.float32(0.1)),
    ("float u; float f() { return u; }", 3, 3),
    ("int u; float f() { return float(u); }", -7, -7),
    ("uint u; float f() { return float(u / 2u); }", 2**32 - 2, 2**31 - 1),
    ("bool u; float f() { return u ? 1.0 : 2.0; }", False, 2),
    ("bool u; float f() { return u ? 1.0 : 2.0; }", np.True_, 1),
    ("vec3 u; float f() { return u.x + 10.0 * u.z; }", (1, 2, 3), 31),
    ("ivec2 u; float f() { return float(u.x - u.y); }", np.array([3, 5]), -2),
    ("float u[3]; float f() { return u[0] + 10.0 * u[2]; }", [1, 2, 3], 31),
    ("vec2 u[2]; float f() { return u[0].y + 10.0 * u[1].x; }", [[1, 2], [3, 4]], 32),
    # Column 1 of row 0.
    ("mat2 u; float f() { return u[1][0]; }", [[1, 2], [3, 4]], 2),
    ("float u; float f() { return u; }", "0.25", 0.25),
])
def test_uniforms_take_numbers_vectors_and_matrices(declared: str, value: Any, expected: float) -> None:
    kernel = q.Kernel(f"uniform {declared} out float y; void main() {{ y = f(); }}")
    assert kernel(u=value, size=(1, 1)).item() == np.float32(expected)


@pytest.mark.parametrize(("declared", "value"), [
    ("int", 1.5), ("int", 2**31), ("uint", -1), ("float", 1e39), ("float", float("nan")), ("vec2", [1, 2, 3]), ("vec2", 1.0),
    ("float", None), ("float", "x"), ("float", [[1], [2, 3]]), ("bool", 2), ("float", {}),
])
def test_a_value_of_another_type_is_refused(declared: str, value: Any) -> None:
    use = "length(vec2(u))" if declared == "vec2" else "float(u)"
    kernel = q.Kernel(f"uniform {declared} u; out float y; void main() {{ y = {use}; }}")
    with pytest.raises((q.InputError, ValueError), match="u|inhomogeneous"):
        kernel(u=value, size=(1, 1))


def test_wrong_names_list_what_there_is() -> None:
    kernel = q.Kernel(SCALE)
    a = np.zeros((2, 2), "f4")
    with pytest.raises(q.InputError, match="kernel.frag has no input `b`; it has: a"):
        kernel(a=a, b=a, s=1)
    with pytest.raises(q.InputError, match="not given: float s"):
        kernel(a=a)


def test_a_call_keeps_nothing_of_the_last_one() -> None:
    kernel = q.Kernel("uniform sampler2D a; uniform float s; out float y; void main() { if (s < 0.0) discard; y = s + READ(a, TEXEL).r; }")
    a = np.ones((2, 3), "f4")
    assert np.all(kernel(a=a, s=1) == 2)
    assert np.all(kernel(a=2 * a, s=1) == 3)
    # What is discarded is 0, not what was there before.
    assert np.all(kernel(a=a, s=-1) == 0)
    with pytest.raises(q.InputError, match="not given"):
        kernel(a=a)
    assert kernel(a=a[:1], s=1).shape == (1, 3)
    assert np.all(kernel({"a": a}, s=3) == 4)


def test_names_that_are_reserved_go_into_the_mapping() -> None:
    text = "uniform sampler2D out_; uniform float context; out float y; void main() { y = context * READ(out_, TEXEL).r; }"
    y = q.run(text, {"context": 2.0}, out_=f4([3]))
    assert y.tolist() == [6]
    with pytest.raises(q.InputError, match="`out_` is given twice"):
        q.run(text, {"out_": [1]}, out_=f4([3]))


def test_compile_errors_have_the_line() -> None:
    with pytest.raises(q.CompileError, match=r"kernel\.frag:2") as caught:
        q.Kernel("out float y;\nvoid main() { y = wrong; }\n")
    [first, *_] = [item for item in caught.value.diagnostics if item.severity == "error"]
    assert (first.file, first.line) == ("kernel.frag", 2)
    assert "wrong" in first.message


def test_files_defines_and_includes(tmp_path: Path) -> None:
    (tmp_path / "half.glsl").write_text("const float HALF = 0.5;\n")
    shader = tmp_path / "scale.frag"
    shader.write_text('#include "half.glsl"\nout float y; void main() { y = HALF * FACTOR; }\n')
    sources: list[Path | str] = [shader, str(shader)]
    for source in sources:
        assert q.run(source, size=(1, 1), define={"FACTOR": "3.0"}).item() == 1.5
    assert q.Kernel(shader, define={"FACTOR": "3.0"}).name == str(shader)
    text = '#include "half.glsl"\nout float y; void main() { y = HALF; }'
    assert q.run(text, size=(1, 1), include=[tmp_path]).item() == 0.5
    common = "float twice(float x) { return 2.0 * x; }"
    text = "out float y; void main() { y = twice(1.5); }"
    assert q.run(text, size=(1, 1), common=common).item() == 3.0
    (tmp_path / "common.glsl").write_text(common + "\n")
    assert q.Experiment(text, size=(1, 1), common=tmp_path / "common.glsl").step()["y"].item() == 3.0
    own = "uniform float define; out float y; void main() { y = define; }"
    named: Any = {"define": 2.0}
    assert q.run(own, size=(1, 1), **named).item() == 2.0
    with pytest.raises(q.InputError, match="common: expected a file, or its text; got"):
        q.run(text, size=(1, 1), common=7)  # type: ignore[arg-type]
    old: Any = {"defines": {"FACTOR": "4.0"}}
    assert q.run(shader, size=(1, 1), **old).item() == 2.0
    with pytest.raises(q.InputError, match="define: it is given twice, also as `defines`"):
        q.run(shader, size=(1, 1), define={"FACTOR": 1}, **old)
    with pytest.raises(q.InputError, match="missing.frag"):
        q.run("missing.frag")
    with pytest.raises(q.InputError, match="expected a shader: its text, or the name of its file; got <class 'int'>"):
        q.run(7)  # type: ignore[arg-type]


def test_a_kernel_tells_what_it_has() -> None:
    kernel = q.Kernel(SCALE)
    assert (kernel.inputs, kernel.uniforms, kernel.outputs) == (["a"], {"s": "float"}, ["y"])
    assert repr(kernel) == "<quadrille_gl.Kernel kernel.frag: a, s -> y>"


def test_an_array_that_is_too_long_is_a_limit() -> None:
    sampled = "uniform sampler2D a; out float y; void main() { y = texture(a, vec2(0.5)).r; }"
    with pytest.raises(q.LimitError, match="a texture of this device has at most .* texels"):
        q.run(sampled, a=np.zeros(10**6, "f4"))


def test_an_error_leaves_the_kernel_usable() -> None:
    kernel = q.Kernel(SCALE)
    for _ in range(3):
        with pytest.raises(q.InputError):
            kernel(a=np.zeros((2, 2), "f4"), s="x")
        assert np.all(kernel(a=np.ones((2, 2), "f4"), s=2) == 2)
