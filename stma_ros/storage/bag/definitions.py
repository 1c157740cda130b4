"""Decodes recorded messages by the definitions of their bag."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from rosbags.interfaces import Nodetype
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_typestore
from rosbags.typesys.store import Typestore

from stma_ros.storage.bag.messages import Definition
from stma_ros.storage.cdr import from_cdr
from stma_ros.storage.definitions import definitions, element_type, nested_types, parse_definition
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message, MessageError, field_specs
from stma_ros.types.wire import from_wire

MessageT = TypeVar("MessageT", bound=Message)
_OURS = "stma_ros/"
_STANDARD = "std_msgs/msg/Header"  # any type of the standard packages


class BagDefinitions:
    """The definitions in a bag, supplemented by those of its ROS distribution."""

    def __init__(self, definitions: Mapping[str, Definition], distribution: str = "") -> None:
        """Makes the definitions of a bag.

        Args:
            definitions: Definitions in the bag by type; they may be added later.
            distribution: Distribution that recorded the bag, such as "humble"; empty = unknown.
        """
        self._definitions = definitions
        self._distribution = distribution
        self._decoders: dict[type[Message], Callable[[bytes], Any]] = {}
        self._plain: dict[str, Typestore] = {}

    def decode(self, data: bytes, type_: type[MessageT]) -> MessageT:
        """Decodes a message. If the bag's definition differs from the present one, fields are matched by name.

        Raises:
            StorageError: The bytes are not such a message, the bag's definition lacks a required field, or the
                definition of a message of this package differs in any way.
        """
        decoder = self._decoders.get(type_)
        if decoder is None:
            decoder = self._decoders[type_] = self._decoder(type_)
        message: MessageT = decoder(data)
        return message

    def decode_plain(self, data: bytes, ros_type: str, default: Definition) -> Any:
        """Decodes a message of a type that this package has no class of.

        Args:
            data: The message.
            ros_type: Its type.
            default: Definition of the type for bags that hold none.

        Returns:
            An object with the fields of the bag's definition as attributes.

        Raises:
            StorageError: The bytes are not such a message, or the definition cannot be used.
        """
        if ros_type not in self._plain:
            definition = self._definitions.get(ros_type, default)
            known = {**definitions().store(_STANDARD).fielddefs, **self._of_distribution()}
            known.update(parse_definition(ros_type, definition.encoding, definition.text))
            store = get_typestore(Stores.EMPTY)
            store.register({name: known[name] for name in _parts(ros_type, known)})
            self._plain[ros_type] = store
        try:
            return self._plain[ros_type].deserialize_cdr(data, ros_type)
        except (SerdeError, IndexError, ValueError) as error:
            raise StorageError(f"{len(data)} bytes that are no {ros_type}: {error}") from error

    def _decoder(self, type_: type[MessageT]) -> Callable[[bytes], MessageT]:
        ros_type = type_.ROS_TYPE
        recorded = self._recorded(ros_type)
        ours = definitions().store(ros_type).fielddefs
        differing = [
            name
            for name in _parts(ros_type, recorded)
            if name not in ours or recorded[name][1] != ours[name][1]
        ]
        if not differing:
            return partial(from_cdr, type_=type_)
        for name in differing:
            if name.startswith(_OURS):
                raise StorageError(
                    _other_fields(name, recorded[name][1], ours[name][1] if name in ours else [])
                )
        _check_fields(type_, recorded)
        store = get_typestore(Stores.EMPTY)
        store.register({name: recorded[name] for name in _parts(ros_type, recorded)})
        return partial(_by_name, store, type_)

    def _recorded(self, ros_type: str) -> dict[str, Any]:
        """Returns definitions by name: those of the bag, then of its distribution, then the present ones."""
        found = {**definitions().store(ros_type).fielddefs, **self._of_distribution()}
        definition = self._definitions.get(ros_type)
        if definition is not None:
            found.update(parse_definition(ros_type, definition.encoding, definition.text))
        return found

    def _of_distribution(self) -> Mapping[str, Any]:
        name = f"ROS2_{self._distribution.upper()}"
        if name not in Stores.__members__:
            return {}
        known: Mapping[str, Any] = get_typestore(Stores[name]).fielddefs
        return known


def _by_name(store: Typestore, type_: type[MessageT], data: bytes) -> MessageT:
    try:
        return from_wire(store.deserialize_cdr(data, type_.ROS_TYPE), type_)
    except (SerdeError, MessageError, IndexError) as error:
        raise StorageError(f"{len(data)} bytes that are no {type_.ROS_TYPE}: {error}") from error


def _parts(ros_type: str, known: Mapping[str, Any]) -> Iterator[str]:
    """Yields the type and all nested types, each once."""
    seen = [ros_type]
    for name in seen:
        if name not in known:
            raise StorageError(f"the bag holds no definition of {name}, which is part of its {ros_type}")
        yield name
        seen.extend(part for part in nested_types(known[name][1]) if part not in seen)


def _check_fields(type_: type[Message], recorded: Mapping[str, Any]) -> None:
    fields = dict(recorded[type_.ROS_TYPE][1])
    for spec in field_specs(type_):
        if spec.name not in fields:
            raise StorageError(
                f"the bag's {type_.ROS_TYPE} has no field {spec.name}, which is needed: "
                "it was recorded with another version of that package; record it again, or name another topic"
            )
        kind, detail = element_type(fields[spec.name])
        element = spec.element if spec.element is not None and issubclass(spec.element, Message) else None
        if (element is not None) != (kind == Nodetype.NAME):
            raise StorageError(
                f"the bag's {type_.ROS_TYPE} has another type of field {spec.name} than is needed; record it again, or "
                "name another topic"
            )
        if element is not None:
            _check_fields(element, {**recorded, element.ROS_TYPE: recorded[detail]})


def _other_fields(name: str, recorded: list[Any], ours: list[Any]) -> str:
    there, here = dict(recorded), dict(ours)
    names = [field for field in {**there, **here} if there.get(field) != here.get(field)]
    which = f"({', '.join(names)}) " if names else "(another order) "
    return (
        f"the bag was recorded with other fields in {name} {which}than this version has; "
        "read it with the version of stma_ros that its metadata.yaml names"
    )
