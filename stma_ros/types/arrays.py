"""Type hints of arrays, whatever version of numpy they were made with."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import numpy as np


def array_item(hint: Any) -> Any:
    """Returns the type of the numbers in an array's type hint: np.uint8 for NDArray[np.uint8]; None for other hints.

    NDArray stands for np.ndarray itself in older versions of numpy; from 2.5 on it is an alias (TypeAliasType), whose
    hints have the alias as their origin. The shape in the hint differs between versions as well, and is left out.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is np.ndarray:
        (item,) = get_args(arguments[1])
        return item
    value = getattr(origin, "__value__", None)
    return None if value is None else array_item(value[arguments])
