"""Type hints of arrays are read the same way for every version of numpy."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.types.arrays import array_item

ItemT = TypeVar("ItemT", bound=np.generic)


class NewAlias:
    """NDArray as of numpy 2.5: a TypeAliasType whose value is the actual hint."""

    __value__ = np.ndarray[Any, np.dtype[ItemT]]

    def __getitem__(self, item: Any) -> GenericAlias:
        return GenericAlias(self, (item,))  # type: ignore[arg-type]


@pytest.mark.parametrize("alias", [NDArray, NewAlias()], ids=["NDArray", "NewAlias"])
@pytest.mark.parametrize("item", [np.uint8, np.float64])
def test_the_item_of_an_array_is_read_through_every_alias(alias: Any, item: type) -> None:
    assert array_item(alias[item]) is item


@pytest.mark.parametrize("hint", [int, tuple[int, ...], "NDArray", np.uint8, None])
def test_other_type_hints_are_not_read_as_arrays(hint: Any) -> None:
    assert array_item(hint) is None
