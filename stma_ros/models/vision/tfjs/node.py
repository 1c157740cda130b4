"""Nodes of a graph model and their attributes."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stma_ros.models.vision.tfjs.errors import GraphModelError, UnsupportedGraphError

# TensorFlow.js calculates with three types, whatever integers the model was trained with. A file may give the number of
# a type instead of its name.
_TYPES: Mapping[Any, np.dtype[Any]] = {
    key: np.dtype(kind)
    for keys, kind in (
        (("DT_FLOAT", 1), np.float32),
        (("DT_INT32", 3, "DT_UINT8", 4, "DT_INT64", 9), np.int32),
        (("DT_BOOL", 10), np.bool_),
    )
    for key in keys
}


@dataclass(frozen=True)
class OutputRef:
    """An output of a node: the name of the node, and the index of the output."""

    node: str
    index: int = 0

    @classmethod
    def parse(cls, text: str) -> OutputRef:
        """Reads `name` or `name:index`. Another text after the colon belongs to the name."""
        name, colon, index = text.rpartition(":")
        return cls(name, int(index)) if colon and index.isdecimal() else cls(text)


@dataclass(frozen=True)
class Node:
    """A node of the graph.

    Its methods return attributes, or the default where the file leaves an attribute out, and raise GraphModelError
    where the attribute is of another kind.

    Attributes:
        name: Unique name.
        op: Name of the operation.
        inputs: The tensors it reads, in order. Control inputs, which only order side effects, are left out.
        attributes: As in the file.
    """

    name: str
    op: str
    inputs: tuple[OutputRef, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.op} {self.name!r}"

    def integer(self, key: str, default: int = 0) -> int:
        try:
            return int(self._value(key, "i", default))
        except (TypeError, ValueError) as error:
            raise self._malformed(key) from error

    def number(self, key: str, default: float) -> float:
        try:
            return float(self._value(key, "f", default))
        except (TypeError, ValueError) as error:
            raise self._malformed(key) from error

    def flag(self, key: str) -> bool:
        return bool(self._value(key, "b", False))

    def integers(self, key: str) -> tuple[int, ...]:
        """Returns a list of integers; one that is left out is empty."""
        try:
            return tuple(int(value) for value in self._list(key, "i"))
        except (TypeError, ValueError) as error:
            raise self._malformed(key) from error

    def text(self, key: str, default: str) -> str:
        value = self._value(key, "s", None)
        return default if value is None else self._decoded(key, value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Returns a list of texts; one that is left out is empty."""
        return tuple(self._decoded(key, value) for value in self._list(key, "s"))

    def dtype(self, key: str) -> np.dtype[Any]:
        """Returns the type of elements with which TensorFlow.js calculates; float32 where the file leaves it out.

        Raises:
            UnsupportedGraphError: TensorFlow.js has no numbers of that type, or it is text or complex.
        """
        value = self._value(key, "type", "DT_FLOAT")
        try:
            return _TYPES[value]
        except (KeyError, TypeError) as error:
            raise self.unsupported(f"{key}={value}") from error

    def shape(self, key: str) -> tuple[int, ...] | None:
        """Returns a shape, with -1 for each unknown size; None where the number of dimensions is unknown."""
        return parse_shape(self._value(key, "shape", None), str(self))

    def unsupported(self, form: str, remedy: str = "") -> UnsupportedGraphError:
        """Returns the error for a form of this operation that the conversion does not know.

        Args:
            form: The attribute and its value, or what else is special.
            remedy: What to do; empty = the general advice.
        """
        advice = (
            remedy or "convert an output that does not need it, or extend the operation's function (table.py)"
        )
        return UnsupportedGraphError(f"the operation {self} cannot be converted with {form}; {advice}")

    def _value(self, key: str, kind: str, default: object) -> Any:
        attribute = self.attributes.get(key)
        if attribute is None:
            return default
        if not isinstance(attribute, Mapping):
            raise self._malformed(key)
        return attribute.get(kind, default)

    def _list(self, key: str, kind: str) -> list[Any]:
        values = self._value(key, "list", {})
        found = values.get(kind, []) if isinstance(values, Mapping) else None
        if not isinstance(found, list):
            raise self._malformed(key)
        return found

    def _decoded(self, key: str, value: object) -> str:
        try:
            return base64.b64decode(str(value), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError) as error:
            raise self._malformed(key) from error

    def _malformed(self, key: str) -> GraphModelError:
        return GraphModelError(
            f"the attribute {key} of the operation {self} is malformed: {self.attributes.get(key)!r}; "
            "get the model's JSON file anew"
        )


def parse_shape(value: Any, owner: str) -> tuple[int, ...] | None:
    """Reads a shape of the file.

    Args:
        value: The shape as in the file.
        owner: What has the shape, for the error.

    Returns:
        The sizes, with -1 for each unknown one; None where the number of dimensions is unknown.

    Raises:
        GraphModelError: It is not a shape.
    """
    if value is None or (isinstance(value, Mapping) and value.get("unknownRank")):
        return None
    try:
        return tuple(int(dimension.get("size", 0)) for dimension in value.get("dim", []))
    except (AttributeError, TypeError, ValueError) as error:
        raise GraphModelError(
            f"the shape of {owner} is malformed: {value!r}; get the model's JSON file anew"
        ) from error
