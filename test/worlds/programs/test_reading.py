"""Tests of reading programs, scene graphs and folders of activities."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.home_graph import read_graph
from stma_ros.worlds.programs.program import read_program
from support.people_programs import (
    CUP,
    MILK,
    MILK_TO_THE_TABLE,
    PLATE,
    TABLE,
    home_document,
    write_activity,
)


def test_program_has_title_description_and_steps() -> None:
    program = read_program(MILK_TO_THE_TABLE)
    assert (program.title, program.description) == ("Breakfast", "Get the milk out.")
    assert len(program.steps) == 6
    assert program.steps[-1].action == "PUTBACK"
    assert program.steps[-1].arguments == (MILK, TABLE)
    assert str(program.steps[-1]).startswith("[PUTBACK]")


@pytest.mark.parametrize(
    "text", ["", "Title alone", "[WALK] <bed> (1.2)", "Title\n[WALK] <bed>", "Title\n[WALK"]
)
def test_text_that_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(StorageError, match="step such as"):
        read_program(text)


@given(st.text())
def test_any_text_is_a_program_or_refused(text: str) -> None:
    with contextlib.suppress(StorageError):
        assert read_program(text).steps


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in home_document().items() if name != key}


def _with_edge(*edge: object) -> dict[str, Any]:
    document = home_document()
    document["edges"].append(dict(zip(("from_id", "relation_type", "to_id"), edge, strict=True)))
    return document


def _unpeopled() -> dict[str, Any]:
    document = home_document()
    for node in document["nodes"]:
        if node["class_name"] == "character":
            node["class_name"] = "mannequin"
    return document


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (None, "no scene graph"),
        ([], "no scene graph"),
        (_without("edges"), "no scene graph"),
        (_with_edge(1, "ON", 999), "names a node that is missing"),
        (_with_edge(1, "ABOVE", 2), "no relation 'ABOVE', only BETWEEN"),
        (_unpeopled(), "nobody is at home"),
    ],
)
def test_document_that_is_no_graph_is_refused(document: Any, reason: str) -> None:
    with pytest.raises(StorageError, match=reason):
        read_graph(document)


def test_folder_lists_the_activities_that_have_both_files(tmp_path: Path) -> None:
    write_activity(tmp_path, "b", MILK_TO_THE_TABLE, home_document())
    write_activity(tmp_path, "a", MILK_TO_THE_TABLE, home_document())
    (tmp_path / "programs" / "alone.txt").write_text(MILK_TO_THE_TABLE)
    folder = ActivityFolder(tmp_path)
    assert folder.names == ("a", "b")
    assert folder.program("a").title == "Breakfast"
    assert len(folder.initial_graph("a").nodes) == len(folder.final_graph("b").nodes)


def test_folder_without_activities_and_damaged_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"has no activities: they are pairs"):
        ActivityFolder(tmp_path)
    write_activity(tmp_path, "a", "no steps", home_document())
    folder = ActivityFolder(tmp_path)
    with pytest.raises(StorageError, match=r"a\.txt cannot be read"):
        folder.program("a")
    (tmp_path / "graphs" / "a.json").write_text("[1")
    with pytest.raises(StorageError, match=r"a\.json cannot be read"):
        folder.initial_graph("a")
    (tmp_path / "graphs" / "a.json").write_text("{}")
    with pytest.raises(StorageError, match=r"a\.json cannot be read: it has no 'final_graph'"):
        folder.final_graph("a")


def test_things_in_a_circle_are_in_no_room_and_each_is_found_once() -> None:
    document = home_document()
    document["edges"] = [
        each for each in document["edges"] if not {each["from_id"], each["to_id"]} & {CUP, PLATE}
    ]
    for source, target in ((CUP, PLATE), (PLATE, CUP)):
        document["edges"].append({"from_id": source, "relation_type": "INSIDE", "to_id": target})
    graph = read_graph(document)
    assert graph.room_of(CUP) is graph.room_of(PLATE) is None
    assert list(graph.holders(CUP)) == list(graph.load(CUP)) == [PLATE]
