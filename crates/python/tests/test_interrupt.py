"""Ctrl-C."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import quadrille_gl as q

from .conftest import SCALE, interrupt


def test_an_interrupt_while_another_thread_computes_leaves_all_usable() -> None:
    slow = q.Kernel("""
        uniform float s; out float y;
        void main() { float x = s; for (int i = 0; i < 20000; ++i) { x = fract(x * 1.7 + 0.3); } y = x; }""")
    slow(s=0.5, size=(8, 8))
    fast = q.Kernel(SCALE)
    other = threading.Thread(target=lambda: [slow(s=0.5, size=(512, 512)) for _ in range(2)])
    timer = threading.Timer(0.3, interrupt)
    other.start()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            fast(a=[1], s=2)
    other.join()
    timer.join()
    assert np.all(fast(a=[1], s=2) == 2)


# A process of its own: a pass that does not return holds the software renderer for good. Softpipe ends no loop by itself.
STUCK = """
import os, signal, sys, threading, time
import numpy as np, quadrille_gl as q
signal.signal(signal.SIGINT, signal.default_int_handler)
TEXT = "uniform sampler2D a; uniform float stop; out float y;" \\
    "void main() { float x = READ(a, TEXEL).r; while (stop < 1.0) { x = fract(x * 1.7 + 0.3); } y = x; }"
a = np.ones((4, 4), "f4")
kept = q.array([1.0, 2.0])
def interrupt(*times):
    def send():
        for wait in times:
            time.sleep(wait)
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()
def interrupted(work, *times):
    interrupt(*times)
    begun = time.monotonic()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - begun
    raise SystemExit("it was not interrupted")
def refused(work):
    try:
        work()
    except q.DeviceError as error:
        return str(error)
    raise SystemExit("it was not refused")
"""


def stuck(text: str) -> str:
    """Runs a program in which a pass does not return, and says what it printed."""
    environment = {**os.environ, "GALLIUM_DRIVER": "softpipe", "QUADRILLE_DEVICE": ""}
    command = [sys.executable, "-X", "faulthandler", "-c", STUCK + text]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)
    assert (done.returncode, done.stderr) == (0, ""), (done.returncode, done.stdout, done.stderr)
    return done.stdout


WAYS = {
    "run": "lambda: q.run(TEXT, a=a, stop=0)",
    "kernel": "lambda k=q.Kernel(TEXT): k(a=a, stop=0, out=np.empty_like(a))",
    "step": "lambda e=q.Experiment(TEXT, a=a, stop=0): e.step()['y']",
}


@pytest.mark.skipif(sys.platform == "win32", reason="softpipe is chosen by a variable of Mesa")
@pytest.mark.parametrize("way", WAYS)
def test_the_second_interrupt_leaves_a_pass_that_does_not_return_at_once(way: str) -> None:
    said = stuck(f"""
took = interrupted({WAYS[way]}, 2, 1)
assert 2.9 < took < 6, took
for work in [lambda: np.asarray(kept + 1), lambda: kept.sum(), lambda: q.run(TEXT, a=a, stop=2), lambda: q.array([1.0]), q.Context]:
    begun = time.monotonic()
    print(refused(work))
    assert time.monotonic() - begun < 1
assert a.sum() == 16
print("goes on")
""")
    lines = said.splitlines()
    assert lines[-1] == "goes on"
    assert "given up at an interrupt, since a pass did not return" in lines[0]
    assert all("still in the software renderer" in line for line in lines[2:-1]), said


@pytest.mark.skipif(sys.platform == "win32", reason="softpipe is chosen by a variable of Mesa")
def test_an_interrupt_leaves_a_pass_that_does_not_return_after_ten_seconds() -> None:
    said = stuck("""
with q.Context() as context:
    took = interrupted(lambda: q.run(TEXT, a=a, stop=0), 2)
    assert 11.5 < took < 15, took
    print(refused(lambda: q.run(TEXT, a=a, stop=2)))
context.close()
print("closed")
""")
    assert "given up" in said and said.endswith("closed\n"), said


@pytest.mark.skipif(sys.platform == "win32", reason="softpipe is chosen by a variable of Mesa")
def test_a_pass_of_another_thread_does_not_keep_the_process() -> None:
    said = stuck("""
def work():
    try:
        q.run(TEXT, a=a, stop=0)
    except BaseException as error:
        print(type(error).__name__, flush=True)
threading.Thread(target=work, daemon=True).start()
time.sleep(3)
print("ends", flush=True)
""")
    assert said.startswith("ends"), said


def test_an_array_is_held_no_longer_than_its_call() -> None:
    array = np.ones(8, "f4")
    count = sys.getrefcount(array)
    out = np.empty(8, "f4")
    fast = q.Kernel(SCALE)
    fast(a=array, s=2, out=out)
    q.array(array)
    q.matmul(array, array)
    assert (sys.getrefcount(array), sys.getrefcount(out)) == (count, sys.getrefcount(np.empty(8, "f4")) + 1)
