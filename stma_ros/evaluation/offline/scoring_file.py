"""Reads the scorer's input files, each with its kind and version."""

from __future__ import annotations

from pathlib import Path

from stma_ros.storage.written_file import ModelT, read_yaml, validated
from stma_ros.types.errors import ConfigurationError


def read_scoring_file(path: Path, form: str, version: int, model: type[ModelT]) -> ModelT:
    """Reads a file that begins with `format: FORM` and `version: N`, next to the keys of the model.

    Raises:
        ConfigurationError: the file is missing, of another format, or wrong; the text names key and line.
    """
    content = read_yaml(path)
    if content.get("format") != form:
        raise ConfigurationError(f'{path} is another kind of file: this one begins with "format: {form}"')
    if content.get("version") != version:
        raise ConfigurationError(
            f"{path} has version {content.get('version')!r}; this program reads version {version}: where the rest is "
            f'as in docs/howto/scoring.md, write "version: {version}"'
        )
    keys = {key: value for key, value in content.items() if key not in ("format", "version")}
    return validated(path, keys, model)
