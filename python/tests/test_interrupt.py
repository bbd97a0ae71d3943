"""Ctrl-C."""

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
