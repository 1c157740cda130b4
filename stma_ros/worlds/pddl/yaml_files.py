"""Small files in YAML: everything in them is text."""

from __future__ import annotations

import re
from typing import Any, Final, cast

import yaml

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.reader import Source

_VARIABLE = re.compile(r"\?(?=\w)")
_MARK: Final = "\ue000"  # of Unicode's private use: no file has it
"""Stands for the question mark of a variable, which PyYAML does not accept in lists such as [open ?container]."""


class _Loader(yaml.BaseLoader):
    """Reads scalars as text: the predicates `on` and `no` are no truth values. An entry that is given twice is an
    error."""

    def construct_scalar(self, node: yaml.ScalarNode) -> Any:
        return super().construct_scalar(node).replace(_MARK, "?")

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the entry {key.value} is given twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep=True)


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_mapping)


def read_yaml(source: Source) -> dict[str, Any]:
    """Returns the entries of a file. Raises ConfigurationError."""
    try:
        content = yaml.load(_VARIABLE.sub(_MARK, source.text), _Loader)
    except yaml.YAMLError as error:
        reason = " ".join(str(error).replace(_MARK, "?").split())
        raise ConfigurationError(f"{source.file} is not valid YAML: {reason}") from error
    if content in (None, ""):
        return {}
    if not isinstance(content, dict) or not all(isinstance(name, str) for name in content):
        raise ConfigurationError(f"{source.file}: entries such as `name: ...` are expected")
    return cast("dict[str, Any]", content)
