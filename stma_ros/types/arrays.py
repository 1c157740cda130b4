"""Reads type hints of arrays in all supported versions of NumPy."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import numpy as np


def array_item(hint: Any) -> Any:
    """Returns the type of the numbers in an array's type hint: np.uint8 for NDArray[np.uint8]; None for other hints.

    In older versions of NumPy, NDArray is a generic form of np.ndarray. From 2.5 on it is an alias (TypeAliasType),
    which is the origin of its hints. The shape in the hint also differs between versions; it is ignored.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is np.ndarray:
        (item,) = get_args(arguments[1])
        return item
    value = getattr(origin, "__value__", None)
    return None if value is None else array_item(value[arguments])
