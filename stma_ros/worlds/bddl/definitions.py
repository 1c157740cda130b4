"""Finds the definitions of activities in the package `bddl`, which is not imported: it would need all that it needs."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.worlds.bddl.problem import Problem, read_problem

_FOLDER, _FILE = "activity_definitions", "problem0.bddl"


def activity_names() -> tuple[str, ...]:
    """Returns the names of all activities. Raises MissingDependencyError."""
    return tuple(sorted(file.parent.name for file in _definitions().glob(f"*/{_FILE}")))


def problem_of(activity: str) -> Problem:
    """Returns the definition of an activity.

    Raises:
        MissingDependencyError: the package is not installed.
        ConfigurationError: there is no such activity, or its definition cannot be read.
    """
    file = _definitions() / activity / _FILE
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"there is no activity {activity!r}: {file} cannot be read") from error
    return read_problem(activity, text, f"{activity}/{_FILE}")


@lru_cache(maxsize=1)
def _definitions() -> Path:
    found = find_spec("bddl")
    folders = found.submodule_search_locations if found is not None else None
    for folder in folders or ():
        if (definitions := Path(folder) / _FOLDER).is_dir():
            return definitions
    raise MissingDependencyError(
        "activities are defined in the package bddl, which is not installed. Install the extra with "
        "pip install 'stma_ros[activities]'"
    )
