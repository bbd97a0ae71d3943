"""Bars for long work, by tqdm where it is installed."""

from __future__ import annotations

import importlib
import warnings
from typing import Any


class Bar:
    """Shows what it is called with."""

    def __init__(self, shown: Any) -> None:
        self._shown = shown

    def __call__(self, done: int, expected: int | None, residual: float | None) -> None:
        if expected is not None and self._shown.total != expected:
            self._shown.total = expected
        if residual is not None:
            self._shown.set_postfix_str(f"residual {residual:.1e}", refresh=False)
        self._shown.update(done - self._shown.n)

    def close(self) -> None:
        self._shown.close()


class _Nothing:
    """Takes the place of a bar."""

    def __call__(self, done: int, expected: int | None, residual: float | None) -> None:
        pass

    def close(self) -> None:
        pass


def bar(unit: str) -> Bar | _Nothing:
    """Makes a bar that counts in this unit."""
    try:
        tqdm: Any = importlib.import_module("tqdm.auto")
    except ImportError:
        text = "progress=True shows a bar where tqdm is installed: pip install tqdm; or give a callable"
        warnings.warn(text, UserWarning, stacklevel=2)
        return _Nothing()
    return Bar(tqdm.tqdm(unit=f" {unit}"))
