"""Reads YAML and JSON files that users write, and reports errors by key and line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from yaml.constructor import ConstructorError

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

_UNKNOWN, _MISSING = "extra_forbidden", "missing"  # pydantic's kinds of errors
_TRUE, _BOOLEAN = "tag:yaml.org,2002:bool", re.compile("true|false|True|False")


class FileModel(BaseModel):
    """Base of models of such files and their parts; unknown keys and infinite numbers are errors."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True)


ModelT = TypeVar("ModelT", bound=FileModel)


class _Loader(yaml.CSafeLoader):
    """A loader of YAML 1.2, in which on, off, yes and no are texts; "on" is the name of a state.

    A key that is there twice, and a value that is none of its type, are errors with their lines.
    """

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._flattened: set[int] = set()  # those whose keys may hold merged ones

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except ValueError as error:
            raise ConstructorError(problem=str(error), problem_mark=node.start_mark) from error

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        if id(node) not in self._flattened:
            self._flattened.add(id(node))
            _refuse_repeated_keys(node)
        super().flatten_mapping(node)


def _refuse_repeated_keys(node: yaml.MappingNode) -> None:
    seen: set[tuple[str, str]] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode):
            if (key.tag, key.value) in seen:
                raise ConstructorError(
                    problem=f"the key {key.value!r} is there twice", problem_mark=key.start_mark
                )
            seen.add((key.tag, key.value))


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != _TRUE]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_TRUE, _BOOLEAN, list("tfTF"))


def read_yaml(path: Path) -> dict[str, Any]:
    """Returns the keys and values of a file; an empty file has none.

    Raises:
        ConfigurationError: The file is missing or not valid; the text names the line.
    """
    text = _text(path)
    try:
        content = yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        raise ConfigurationError(f"{path}{line}, cannot be read as YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{path} cannot be read as YAML: {error}") from error
    if not isinstance(content, dict | None):
        raise ConfigurationError(f'{path} must hold keys with values ("key: value")')
    return content or {}


def validated(path: Path, keys: Mapping[str, Any], model: type[ModelT]) -> ModelT:
    """Validates the content of a file.

    Args:
        path: The file, for error messages.
        keys: Its content.
        model: Model of the content.

    Raises:
        ConfigurationError: A key or value is invalid; the text names key and line.
    """
    try:
        return model.model_validate(keys)
    except ValidationError as error:
        # A misspelt key is reported as unknown and the right one as missing: the former error says more.
        first = min(error.errors(), key=lambda found: found["type"] != _UNKNOWN)
        raise error_at(path, first["loc"], _reason(first, model)) from error


def error_at(path: Path, key: Sequence[str | int], reason: str) -> ConfigurationError:
    """Returns the error for a key of a file, with its line.

    Args:
        path: The file.
        key: Path of the key, such as ("objects", 3, "room").
        reason: Why the value is invalid.
    """
    root = yaml.compose(_text(path), _Loader)
    return ConfigurationError(f"{path}, line {_line(root, key)}: {_key_text(key)}: {reason}")


def _reason(error: Mapping[str, Any], model: type[FileModel]) -> str:
    key = error["loc"]
    if error["type"] == _UNKNOWN:
        return f"there is no key {key[-1]!r}. {suggest(str(key[-1]), tuple(_part(model, key[:-1]).model_fields))}"
    if error["type"] == _MISSING:
        return "is missing"
    message = str(error["msg"])
    if error["type"] == "value_error":
        return message.removeprefix("Value error, ")
    return f"{message[0].lower()}{message[1:]}, got {error['input']!r}"


def _part(model: type[FileModel], key: Sequence[str | int]) -> type[FileModel]:
    """Returns the model of the value at a key."""
    for name in key:
        if name in model.model_fields:
            model = _model_in(model.model_fields[str(name)].annotation) or model
    return model


def _model_in(annotation: Any) -> type[FileModel] | None:
    """Returns the model in a type hint: Question for list[Question]; None if there is none."""
    if arguments := get_args(annotation):
        return next(filter(None, map(_model_in, arguments)), None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, FileModel) else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror}); name another file") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is no text in UTF-8; save it so") from error


def _line(node: yaml.Node | None, key: Sequence[str | int]) -> int:
    """Returns the line of a key, or of the innermost part that exists."""
    line = 1 if node is None else node.start_mark.line + 1
    for part in key:
        found = _child(node, part)
        if found is None:
            return line
        line, node = found
    return line


def _child(node: yaml.Node | None, part: str | int) -> tuple[int, yaml.Node] | None:
    """Returns line and node of a key or index; None if it does not exist."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == str(part):
                return name.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        item: yaml.Node = node.value[part]
        return item.start_mark.line + 1, item
    return None


def _key_text(key: Sequence[str | int]) -> str:
    """Returns the path of a key as text, "objects[3].room"."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key)
    return text.removeprefix(".") or "the file"
