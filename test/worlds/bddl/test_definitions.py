"""Tests of finding the definitions of activities in the package bddl."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.worlds.bddl import definitions
from stma_ros.worlds.bddl.definitions import activity_names, problem_of
from support.activities import SNACKS


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yields the folder of a package with one activity."""
    activity = tmp_path / "activity_definitions" / "storing_snacks"
    activity.mkdir(parents=True)
    (activity / "problem0.bddl").write_text(SNACKS)
    spec = ModuleSpec("bddl", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(definitions, "find_spec", lambda name: spec)
    definitions._definitions.cache_clear()
    yield tmp_path
    definitions._definitions.cache_clear()


def test_activities_of_the_package_are_named_and_read(package: Path) -> None:
    assert activity_names() == ("storing_snacks",)
    assert problem_of("storing_snacks").name == "storing_snacks"


def test_activity_that_does_not_exist_is_refused(package: Path) -> None:
    with pytest.raises(ConfigurationError, match="no activity 'washing_the_moon'"):
        problem_of("washing_the_moon")


def test_activity_with_an_unknown_predicate_is_refused(package: Path) -> None:
    file = package / "activity_definitions" / "storing_snacks" / "problem0.bddl"
    file.write_text(SNACKS.replace("(ontop mug.n.04_1", "(upside_down mug.n.04_1"))
    with pytest.raises(ConfigurationError, match=r"storing_snacks/problem0\.bddl, line.*'upside_down'"):
        problem_of("storing_snacks")


def test_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "find_spec", lambda name: None)
    definitions._definitions.cache_clear()
    with pytest.raises(MissingDependencyError, match=r"stma_ros\[activities\]"):
        activity_names()
