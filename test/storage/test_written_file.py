"""Tests of YAML files that people write: what is wrong is named with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stma_ros.storage.written_file import read_yaml
from stma_ros.types.errors import ConfigurationError


def read(tmp_path: Path, text: str) -> object:
    (tmp_path / "file.yaml").write_text(text)
    return read_yaml(tmp_path / "file.yaml")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("b: 1\na: 2024-13-45\n", "line 2, cannot be read as YAML: month must be in 1..12"),
        ("b: 1\na: 0x_\n", "line 2, cannot be read as YAML: invalid literal"),
        ("b: 1\na: [1, !!int x]\n", "line 2, cannot be read as YAML: invalid literal"),
        ("a: 1\nb: 2\na: 3\n", "line 3, cannot be read as YAML: the key 'a' is there twice"),
        ("a:\n  - {b: 1, c: 2, b: 3}\n", "line 2, cannot be read as YAML: the key 'b' is there twice"),
    ],
)
def test_a_value_that_is_none_and_a_repeated_key_are_refused_with_their_line(
    tmp_path: Path, text: str, error: str
) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(error)):
        read(tmp_path, text)


def test_a_merged_key_may_be_overridden(tmp_path: Path) -> None:
    text = "a: &a {long: 1}\nb: {c: &c {<<: *a, long: 2}}\nd: {<<: *c, long: 3}\n"
    assert read(tmp_path, text) == {"a": {"long": 1}, "b": {"c": {"long": 2}}, "d": {"long": 3}}
