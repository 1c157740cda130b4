"""Compilation of numerical kernels: one place for numba's options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compiles a function for one thread, without the GIL, and caches the machine code on disk.

    numba caches in the first folder that it can write to: `NUMBA_CACHE_DIR`, `__pycache__` in the source's folder, or
    the user's cache folder. If there is none (as in a container without a home folder), the kernel is compiled in
    every process, which makes the start slower.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        compiled: Function = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba's "cannot cache function: no locator available"
        compiled = numba.njit(**options)(function)
    return compiled
