"""Hypothesis strategies for messages of every type."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from stma_ros.types.message import Constants, FieldSpec, Message, field_specs

_TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=8)
_SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "string": _TEXT,
    "float": st.floats(width=32),
    "double": st.floats(),
}
_DTYPES = {"int8": np.int8, "uint8": np.uint8, "float": np.float32, "double": np.float64}


def messages(type_: type[Message]) -> st.SearchStrategy[Message]:
    """Returns a strategy for any value that the type can hold."""
    return st.fixed_dictionaries({spec.name: _field(spec) for spec in field_specs(type_)}).map(
        type_.from_fields
    )


def _field(spec: FieldSpec) -> st.SearchStrategy[Any]:
    if spec.is_array:
        base, _, size = spec.ros_type.removeprefix("sequence<").rstrip(">]").partition("[")
        return st_numpy.arrays(_DTYPES[base], int(size) if size else st.integers(0, 5))
    if spec.is_sequence:
        inner = spec.ros_type.removeprefix("sequence<").removesuffix(">")
        return st.lists(_value(inner, spec.element), max_size=2).map(tuple)
    return _value(spec.ros_type, spec.element)


def _value(ros_type: str, element: type | None) -> st.SearchStrategy[Any]:
    if element is not None and issubclass(element, Message):
        return messages(element)
    if element is not None and issubclass(element, Constants):
        return st.sampled_from(element)
    if ros_type in _SCALARS:
        return _SCALARS[ros_type]
    limits = np.iinfo(ros_type)
    return st.integers(int(limits.min), int(limits.max))
