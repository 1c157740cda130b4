"""Converts frozen dataclasses and messages to JSON values and back, by their type hints.

Large arrays and byte strings are stored separately as blobs, named by a hash of their content: a blob that several
values share is stored once, and is shared again after decoding.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from stma_ros.types.arrays import array_item
from stma_ros.types.message import Message, MessagePart
from stma_ros.types.standard import Time

ValueT = TypeVar("ValueT")

_MAX_INLINE = 16  # numbers of an array that is not a blob
_SCALARS = (bool, int, float, str)
_JPEG = b"\xff\xd8\xff"


class CodecError(ValueError):
    """Data do not encode a value of the type."""


def encode(value: Any, blobs: dict[str, bytes]) -> Any:
    """Encodes a value as JSON values.

    Args:
        value: A scalar, enumeration, array of numbers or bytes, or a tuple, mapping or dataclass of these.
        blobs: Mapping to which the blobs are added by name.

    Raises:
        TypeError: The value has another type.
    """
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, _SCALARS):
        return value
    if isinstance(value, bytes):
        return _put(value, blobs)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        array = np.ascontiguousarray(value)
        numbers = array.tolist() if array.size <= _MAX_INLINE else _put(array.tobytes(), blobs)
        return {"dtype": array.dtype.str, "shape": list(value.shape), "numbers": numbers}
    if isinstance(value, tuple | list):
        return [encode(item, blobs) for item in value]
    if isinstance(value, Mapping):
        return [[encode(key, blobs), encode(item, blobs)] for key, item in value.items()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: encode(getattr(value, name), blobs) for name in _fields(type(value))}
    raise TypeError(f"{type(value).__name__} cannot be saved")


def decode(type_: type[ValueT], plain: Any, blobs: Mapping[str, bytes]) -> ValueT:
    """Decodes a value; its arrays are read-only.

    Args:
        type_: Type of the value.
        plain: JSON values from `encode`.
        blobs: Blobs by name.

    Raises:
        CodecError: The data do not encode a value of the type.
    """
    try:
        return cast(ValueT, _decode(type_, plain, blobs))
    except CodecError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise CodecError(
            f"this is no {getattr(type_, '__name__', type_)}: {type(error).__name__}: {error}"
        ) from error


def fingerprint(type_: Any) -> str:
    """Returns a hash (8 hexadecimal digits) of the fields of a type and of all types in them."""
    described: dict[str, str] = {}
    _describe(type_, described)
    text = "\n".join(f"{name}: {about}" for name, about in sorted(described.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def shift_times(value: ValueT, nanoseconds: int) -> ValueT:
    """Returns the value with each Time in it shifted; parts without a Time are shared rather than copied."""
    if isinstance(value, Time):
        return cast(ValueT, Time.from_nanoseconds(value.nanoseconds + nanoseconds))
    if isinstance(value, tuple | list):
        items = [shift_times(item, nanoseconds) for item in value]
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else cast(ValueT, type(value)(items))
    if isinstance(value, Mapping):
        return cast(ValueT, {key: shift_times(item, nanoseconds) for key, item in value.items()})
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        old = {name: getattr(value, name) for name in _fields(type(value))}
        new = {name: shift_times(item, nanoseconds) for name, item in old.items()}
        same = all(new[name] is item for name, item in old.items())
        return value if same else _construct(type(value), new)
    return value


def _put(content: bytes, blobs: dict[str, bytes]) -> str:
    suffix = "jpg" if content.startswith(_JPEG) else "bin"
    name = f"{hashlib.sha256(content).hexdigest()[:24]}.{suffix}"
    blobs[name] = content
    return name


@cache
def _fields(type_: type) -> dict[str, Any]:
    """Returns the types of a dataclass's fields by name; for a message, those of its fields on the wire."""
    hints = get_type_hints(type_)
    found: dict[str, Any] = {}
    for field in dataclasses.fields(type_):
        if _is_part(hints[field.name]):
            found.update(_fields(hints[field.name]))
        elif field.init:
            found[field.name] = hints[field.name]
    return found


def _is_part(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, MessagePart)


def _construct(type_: type[ValueT], values: Mapping[str, Any]) -> ValueT:
    """Makes a dataclass from the values of its `_fields`."""
    if issubclass(type_, Message):
        return cast(ValueT, type_.from_fields(values))
    return type_(**values)


def _decode(hint: Any, plain: Any, blobs: Mapping[str, bytes]) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _decode(arguments[0], plain, blobs)
    if origin in (Union, types.UnionType):
        return None if plain is None else _decode(_present(hint), plain, blobs)
    item = array_item(hint)
    if item is not None:
        return _array(item, plain, blobs)
    if origin is tuple:
        return _tuple(arguments, _list(plain), blobs)
    if origin is not None and issubclass(origin, Mapping):
        key, value = arguments
        return {_decode(key, k, blobs): _decode(value, v, blobs) for k, v in _list(plain)}
    if hint is bytes:
        return blobs[plain]
    if hint in _SCALARS:
        return _scalar(hint, plain)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(plain)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        known = _fields(hint)
        if not isinstance(plain, dict) or plain.keys() != known.keys():
            raise CodecError(f"these are not the fields of {hint.__name__}: {str(plain)[:80]}")
        return _construct(hint, {name: _decode(known[name], plain[name], blobs) for name in known})
    raise TypeError(f"{hint} cannot be read")


def _present(hint: Any) -> Any:
    """Returns X of `X | None`."""
    present = [argument for argument in get_args(hint) if argument is not type(None)]
    if len(present) != 1:
        raise TypeError(f"{hint} cannot be told apart")
    return present[0]


def _list(plain: Any) -> list[Any]:
    if not isinstance(plain, list):
        raise CodecError(f"expected a list, got {str(plain)[:80]}")
    return plain


def _tuple(arguments: tuple[Any, ...], plain: list[Any], blobs: Mapping[str, bytes]) -> tuple[Any, ...]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_decode(arguments[0], item, blobs) for item in plain)
    return tuple(_decode(hint, item, blobs) for hint, item in zip(arguments, plain, strict=True))


def _scalar(hint: type, plain: Any) -> Any:
    fits = type(plain) is hint or (hint is float and type(plain) is int)
    if not fits:
        raise CodecError(f"expected {hint.__name__}, got {plain!r}")
    return hint(plain)


def _array(item: Any, plain: Any, blobs: Mapping[str, bytes]) -> Any:
    """Decodes an array of numbers of the type `item`."""
    dtype = np.dtype(plain["dtype"])
    if isinstance(item, type) and dtype != np.dtype(item):
        raise CodecError(f"expected an array of {item.__name__}, got {dtype}")
    numbers = plain["numbers"]
    array = (
        np.frombuffer(blobs[numbers], dtype)
        if isinstance(numbers, str)
        else np.asarray(numbers, dtype).reshape(-1)
    ).reshape(plain["shape"])
    array.flags.writeable = False
    return array


def _describe(hint: Any, described: dict[str, str]) -> str:
    """Describes a type hint, and adds the fields of dataclasses to `described` by the dataclass's name."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        return _describe(arguments[0], described)
    item = array_item(hint)
    if item is not None:
        return f"array[{_describe(item, described)}]"
    if arguments:
        origin = get_origin(hint)
        inner = ", ".join(_describe(argument, described) for argument in arguments)
        return f"{'union' if origin in (Union, types.UnionType) else getattr(origin, '__name__', origin)}[{inner}]"
    name = getattr(hint, "__name__", str(hint))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint) and name not in described:
        described[name] = ""  # a type may contain itself
        described[name] = ", ".join(
            f"{field}: {_describe(inner, described)}" for field, inner in _fields(hint).items()
        )
    return name
