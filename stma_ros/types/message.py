"""The base class of messages: frozen dataclasses that hold exactly the values that their ROS counterparts can hold.

Values are converted to wire precision when a message is made (float32 rounded, arrays read-only, sequences as tuples),
so a component sees the same numbers whether a message came over DDS, from a bag, or directly from another component.
"""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.arrays import array_item

MessageT = TypeVar("MessageT", bound="Message")


class MessageError(ValueError):
    """A value does not fit the type of a message's field."""


@dataclass(frozen=True)
class Wire:
    """Annotates a type hint with the field's type in ROS, in the spelling of `get_fields_and_field_types`."""

    ros_type: str


Int8 = Annotated[int, Wire("int8")]
UInt8 = Annotated[int, Wire("uint8")]
UInt16 = Annotated[int, Wire("uint16")]
Int32 = Annotated[int, Wire("int32")]
UInt32 = Annotated[int, Wire("uint32")]
Int64 = Annotated[int, Wire("int64")]
UInt64 = Annotated[int, Wire("uint64")]
Float32 = Annotated[float, Wire("float")]
Int8Array = Annotated[NDArray[np.int8], Wire("sequence<int8>")]
Float32Array = Annotated[NDArray[np.float32], Wire("sequence<float>")]
UInt8Array = Annotated[NDArray[np.uint8], Wire("sequence<uint8>")]
Float64Array = Annotated[NDArray[np.float64], Wire("sequence<double>")]
Float64Array9 = Annotated[NDArray[np.float64], Wire("double[9]")]
Float64Array12 = Annotated[NDArray[np.float64], Wire("double[12]")]
Float64Array36 = Annotated[NDArray[np.float64], Wire("double[36]")]

_INTEGER_RANGES = {
    f"{sign}int{bits}": (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
_ARRAY_TYPES = {"int8": np.int8, "uint8": np.uint8, "float": np.float32, "double": np.float64}


class Constants(enum.IntEnum):
    """An enumeration whose values are constants of a ROS message."""

    @classmethod
    def wire(cls) -> str:
        """Returns the integer type of the constants in ROS."""
        return "uint8"


@dataclass(frozen=True)
class FieldSpec:
    """Type of one field of a message.

    Attributes:
        name: Name of the field.
        ros_type: Type in ROS.
        coerce: Converts a value to wire precision.
        element: Type of a nested message or of a sequence's elements; None for plain values and arrays.
        is_sequence: Whether it is a tuple of values.
        is_array: Whether it is a NumPy array.
        part: Type of a MessagePart, which has no type in ROS; None for other fields.
    """

    name: str
    ros_type: str
    coerce: Callable[[Any], Any]
    element: type | None
    is_sequence: bool
    is_array: bool
    part: type[MessagePart] | None = None


class Message:
    """Base class; subclasses are `@dataclass(frozen=True, eq=False, kw_only=True)` and name their ROS type."""

    ROS_TYPE: ClassVar[str]

    def __init_subclass__(cls, ros_type: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if ros_type:
            cls.ROS_TYPE = ros_type

    @classmethod
    def from_fields(cls: type[MessageT], values: Mapping[str, Any]) -> MessageT:
        """Makes a message from the values of its fields on the wire (`field_specs`)."""
        arguments = dict(values)
        for spec in _own_specs(cls):
            if spec.part is not None:
                names = [inner.name for inner in field_specs(spec.part)]
                arguments[spec.name] = spec.part.from_fields({name: arguments.pop(name) for name in names})
        return cls(**arguments)

    def __post_init__(self) -> None:
        for spec in _own_specs(type(self)):
            try:
                value = spec.coerce(getattr(self, spec.name))
            except (TypeError, ValueError, OverflowError) as error:
                raise MessageError(f"{type(self).__name__}.{spec.name} ({spec.ros_type}): {error}") from error
            object.__setattr__(self, spec.name, value)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return bool(_key(self) == _key(other))

    def __hash__(self) -> int:
        return hash(_key(self))


class MessagePart(Message):
    """Fields that several message types have in common, as one value.

    It has no type in ROS: on the wire, its fields replace it among those of the message. The message has properties of
    the same names.
    """


_specs: dict[type[Message], tuple[FieldSpec, ...]] = {}
_dataclass_specs: dict[type[Message], tuple[FieldSpec, ...]] = {}


def field_specs(cls: type[Message]) -> tuple[FieldSpec, ...]:
    """Returns the fields of a message type on the wire, in the order of its definition."""
    if cls not in _specs:
        specs: list[FieldSpec] = []
        for spec in _own_specs(cls):
            specs.extend(field_specs(spec.part) if spec.part is not None else (spec,))
        _specs[cls] = tuple(specs)
    return _specs[cls]


def _own_specs(cls: type[Message]) -> tuple[FieldSpec, ...]:
    """Returns the fields of the dataclass, with message parts as single fields."""
    if cls not in _dataclass_specs:
        hints = get_type_hints(cls, include_extras=True)
        specs = (_field_spec(field.name, hints[field.name]) for field in fields(cls))  # type: ignore[arg-type]
        _dataclass_specs[cls] = tuple(specs)
    return _dataclass_specs[cls]


def _field_spec(name: str, hint: Any) -> FieldSpec:
    if get_origin(hint) is tuple:
        element = get_args(hint)[0]
        inner = _field_spec(name, element)
        return FieldSpec(
            name, f"sequence<{inner.ros_type}>", _sequence_coercer(inner.coerce), inner.element, True, False
        )
    if get_origin(hint) is Annotated:
        wire: Wire = next(a for a in hint.__metadata__ if isinstance(a, Wire))
        if array_item(get_args(hint)[0]) is not None:
            return FieldSpec(name, wire.ros_type, _array_coercer(wire.ros_type), None, False, True)
        coerce = _float32 if wire.ros_type == "float" else _integer_coercer(wire.ros_type)
        return FieldSpec(name, wire.ros_type, coerce, None, False, False)
    if isinstance(hint, type) and issubclass(hint, MessagePart):
        return FieldSpec(name, "", _instance_coercer(hint), hint, False, False, hint)
    if isinstance(hint, type) and issubclass(hint, Message):
        return FieldSpec(name, _short_type(hint.ROS_TYPE), _instance_coercer(hint), hint, False, False)
    if isinstance(hint, type) and issubclass(hint, Constants):
        return FieldSpec(name, hint.wire(), hint, hint, False, False)
    scalar: dict[Any, tuple[str, Callable[[Any], Any]]] = {
        bool: ("boolean", bool),
        str: ("string", _string),
        float: ("double", float),
    }
    ros_type, coerce = scalar[hint]
    return FieldSpec(name, ros_type, coerce, None, False, False)


def _short_type(ros_type: str) -> str:
    package, _, name = ros_type.split("/")
    return f"{package}/{name}"


def _float32(value: float) -> float:
    rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return rounded


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return str(value)


def _integer_coercer(ros_type: str) -> Callable[[Any], int]:
    low, high = _INTEGER_RANGES[ros_type]

    def coerce(value: Any) -> int:
        number = int(value)
        if number != value or not low <= number <= high:
            raise ValueError(f"{value!r} is not a whole number from {low} to {high}")
        return number

    return coerce


def _instance_coercer(cls: type) -> Callable[[Any], Any]:
    def coerce(value: Any) -> Any:
        if not isinstance(value, cls):
            raise TypeError(f"expected {cls.__name__}, got {type(value).__name__}")
        return value

    return coerce


def _sequence_coercer(element: Callable[[Any], Any]) -> Callable[[Iterable[Any]], tuple[Any, ...]]:
    def coerce(values: Iterable[Any]) -> tuple[Any, ...]:
        if isinstance(values, str):
            raise TypeError("expected a sequence, got text")
        return tuple(element(value) for value in values)

    return coerce


def _array_coercer(ros_type: str) -> Callable[[Any], NDArray[Any]]:
    base = ros_type.removeprefix("sequence<").removesuffix(">").split("[")[0]
    dtype = np.dtype(_ARRAY_TYPES[base])
    size = int(ros_type[:-1].split("[")[1]) if ros_type.endswith("]") else None

    def coerce(value: Any) -> NDArray[Any]:
        array = np.asarray(value, dtype=dtype).reshape(-1)
        if size is not None and array.size != size:
            raise ValueError(f"expected {size} numbers, got {array.size}")
        if array.flags.writeable:
            array = array.copy() if array.base is not None or array is value else array
            array.flags.writeable = False
        return array

    return coerce


def _key(value: Any) -> Any:
    """Returns a hashable key for comparison, in which NaN equals NaN and arrays are compared by content."""
    if isinstance(value, Message):
        return tuple(_key(getattr(value, spec.name)) for spec in field_specs(type(value)))
    if isinstance(value, tuple):
        return tuple(_key(item) for item in value)
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return value
