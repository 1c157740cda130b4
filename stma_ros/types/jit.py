"""Compilation of numerical kernels: one place for numba's options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

ItemT = TypeVar("ItemT", bound=np.generic)
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


def read_only(array: NDArray[ItemT]) -> NDArray[ItemT]:
    """Returns a read-only view of an array.

    A kernel is compiled for each type of array, and read-only ones have another type: an argument that may be either is
    passed as such a view, so that no frame waits for a compilation.
    """
    view = array.view()
    view.setflags(write=False)
    return view
