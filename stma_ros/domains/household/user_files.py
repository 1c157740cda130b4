"""Reads the files by which users extend the knowledge of the domain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from stma_ros.types.errors import ConfigurationError


def read(path: Path, what: str) -> Any:
    """Returns the content of a YAML or JSON file.

    Args:
        path: the file.
        what: what it holds, for the error message.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))  # JSON is YAML, too
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigurationError(f"the file of {what} {path} cannot be read: {error}") from error
