"""Contexts: devices, threads, processes, and the end of all."""

import os
import threading
from collections.abc import Callable

import numpy as np
import pytest

import quadrille_gl as q

from .conftest import APIS, SCALE


def test_devices_can_be_chosen() -> None:
    devices = q.devices()
    assert [device.index for device in devices] == list(range(len(devices)))
    for device in devices:
        with q.Context(device) as context:
            assert context.renderer
            assert f"Device {device.index}: {device.label}" in repr(device)
    with pytest.raises(q.InputError, match="no OpenGL device matches `no such thing`"):
        q.Context("no such thing")
    with pytest.raises(q.InputError, match='expected "gl" or "gles"'):
        q.Context(api="metal")
    with pytest.raises(q.InputError, match="device: expected an index"):
        q.Context(2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("api", APIS)
def test_a_with_block_chooses_the_context_of_functions(api: str) -> None:
    a = np.ones((3, 3), "f4")
    with q.Context("llvmpipe", api=api) as context:
        assert context.software
        assert ("ES" in context.version) == (api == "gles")
        assert context.objects()["kept"] == 0
        kernel = q.Kernel(SCALE)
        assert context.objects()["kept"] == 1
        with q.Context("llvmpipe") as inner:
            q.run(SCALE, a=a, s=2)
            assert np.all(kernel(a=a, s=3) == 3)
            other = q.Kernel(SCALE, context=context)
            assert inner.objects()["kept"] == 0
            assert context.objects()["kept"] == 2
        assert np.all(other(a=a, s=4) == 4)
        del other
        assert context.objects()["kept"] == 1
    calls: list[Callable[[], object]] = [
        lambda: kernel(a=a, s=1),
        context.objects,
        lambda: q.Kernel(SCALE, context=context),
    ]
    for closed in calls:
        with pytest.raises(q.DeviceError, match="the context is closed"):
            closed()
    context.close()
    assert np.all(q.run(SCALE, a=a, s=2) == 2)


def test_a_default_context_that_is_lost_is_made_anew(script: Callable[[str], str]) -> None:
    printed = script(f"""
import quadrille_gl as q
from quadrille_gl import _quadrille
k = q.Kernel({SCALE!r})
print(k(a=[1], s=2)[0])
c = q.Context()
for context in [None, c]:
    try:
        _quadrille._lose(context)
    except q.DeviceError as error:
        print(str(error).endswith("make a new one and upload again"))
print(q.run({SCALE!r}, a=[1], s=3)[0])
print(q.Kernel({SCALE!r})(a=[1], s=4)[0])
""")
    assert printed.split() == ["2.0", "True", "True", "3.0", "4.0"]


def test_calls_come_from_any_thread() -> None:
    kernel = q.Kernel(SCALE)
    wrong = []

    def work(number: int) -> None:
        a = np.full((17, 13), number, "f4")
        for factor in range(50):
            if not np.all(kernel(a=a, s=factor) == number * factor):
                wrong.append((number, factor))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_after_a_fork_an_exception_says_why(script: Callable[[str], str]) -> None:
    printed = script(f"""
import os, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, quadrille_gl as q
k = q.Kernel({SCALE!r})
a = np.ones((2, 2), "f4")
k(a=a, s=1)
child = os.fork()
if child == 0:
    for call in [lambda: k(a=a, s=1), lambda: q.run({SCALE!r}, a=a, s=1), q.devices, q.Context]:
        try:
            call()
        except q.DeviceError as error:
            print("forked" in str(error) and "spawn" in str(error), flush=True)
    del k
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print(k(a=a, s=5)[0, 0], flush=True)
""")
    assert printed.split() == ["True"] * 4 + ["5.0"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_before_the_first_use_is_right(script: Callable[[str], str]) -> None:
    printed = script(f"""
import os, sys, warnings
warnings.simplefilter("ignore")
import numpy as np, quadrille_gl as q
child = os.fork()
if child == 0:
    print(q.run({SCALE!r}, a=[1], s=5)[0], flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print(q.run({SCALE!r}, a=[1], s=6)[0], flush=True)
""")
    assert printed.split() == ["5.0", "6.0"]


@pytest.mark.parametrize("rest", [
    "",
    "del k",
    "del q",
    "c.close()",
    "c.close(); del k; del c",
    "import builtins; builtins.kept = [k, c]",
    "import atexit; atexit.register(lambda: print(k(a=[1], s=2)))",
    "cycle = [k]; cycle.append(cycle); del k",
    "import threading; threading.Thread(target=lambda: [k(a=[1], s=i) for i in range(300)]).start()",
    # It runs when all ends, and is then refused.
    "import threading\\ndef f():\\n  try: [k(a=[1], s=i) for i in range(10**6)]\\n  except BaseException: pass\\n"
    "threading.Thread(target=f, daemon=True).start()",
    "class D:\\n def __del__(self, k=k):\\n  try: k(a=[1], s=2)\\n  except Exception: pass\\nd = D()",
    "import sys; sys.exit(0)",
])
def test_the_interpreter_ends_in_any_order(rest: str, script: Callable[[str], str]) -> None:
    script(f"""
import quadrille_gl as q
c = q.Context()
k = q.Kernel({SCALE!r}, context=c)
k(a=[1], s=2)
q.run({SCALE!r}, a=[1], s=2)
exec({rest!r}.replace("\\\\n", chr(10)))
""")
