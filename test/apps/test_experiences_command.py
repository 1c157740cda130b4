"""Tests of `stma experiences`."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.apps import cli
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.types.standard import Time
from support.experiences.made import made


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "experiences.db"
    with ExperienceMemory(path) as memory:
        memory.add(made(1, score=0.25))
        memory.add(made(2, score=0.75, task="bring [the] mug to Anna"))
    return path


def _ids(store: Path) -> list[str]:
    with ExperienceMemory(store) as memory:
        return [each.id for each in memory]


def test_list_shows_the_best_judged_first(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["experiences", "list", str(store)]) == 0
    output = capsys.readouterr().out
    assert "2 of 2 experiences" in output
    assert output.index("bring [the] mug to Anna") < output.index(made(1).task)
    assert all(name in output for name in _ids(store))
    assert cli.main(["experiences", "list", str(store), "--limit", "1"]) == 0
    assert made(1).task not in capsys.readouterr().out


def test_show_tells_actions_reasons_scores_and_the_final_graph(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["experiences", "show", str(store), _ids(store)[0][:10]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  1. pick(mug1_1): failed, it is too far away" in lines
    assert "     why: The mug1 is on the table." in lines
    assert "     score 0.25: It was too far away." in lines
    assert "  (mug1_1, on, sink_1)" in lines


def test_dates_of_experiences_name_their_time_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "experiences.db"
    with ExperienceMemory(store) as memory:
        memory.add(made(1, stamp=Time(1_700_000_000)))
    assert cli.main(["experiences", "show", str(store), _ids(store)[0]]) == 0
    assert "2023-11-14 22:13 UTC" in capsys.readouterr().out


def test_rules_show_where_things_were_found(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["experiences", "rules", str(store)]) == 0
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if "│" in line]
    assert [[cell.strip() for cell in row[1:-1]] for row in rows] == [
        ["mug1", "table", "(not known)", "1", "1"],
        ["mug2", "table", "(not known)", "1", "1"],
    ]
    assert cli.main(["experiences", "rules", str(store), "--task", "find mug2"]) == 0
    assert "mug2" in capsys.readouterr().out


def test_forget_removes_and_counts(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = _ids(store)
    assert cli.main(["experiences", "forget", str(store), first, "unknown"]) == 1
    assert "1 of 2 forgotten" in capsys.readouterr().out
    assert _ids(store) == [second]


def test_export_and_import_carry_experiences_to_another_store(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lessons, other = tmp_path / "lessons [old].jsonl", tmp_path / "other.db"
    assert cli.main(["experiences", "export", str(store), str(lessons), "--name", "mug1"]) == 0
    assert f"written to {lessons};" in capsys.readouterr().out
    assert "Anna" not in lessons.read_text()
    assert "put the mug1" not in lessons.read_text()
    assert cli.main(["experiences", "import", str(other), str(lessons)]) == 0
    assert "2 new, 0 known already, 0 lines refused" in capsys.readouterr().out
    lessons.write_text("put the mug away\n")
    assert cli.main(["experiences", "import", str(other), str(lessons)]) == 1
    assert "line 1:" in capsys.readouterr().out
    assert len(_ids(other)) == 2


def test_export_never_replaces_the_store(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["experiences", "export", str(store), str(store)]) == cli.EXIT_REFUSED
    assert f"{store} is the store itself; name another file" in capsys.readouterr().err
    assert len(_ids(store)) == 2


def test_server_that_does_not_answer_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pg8000", reason="stores on a server need pg8000: pip install 'stma_ros[postgres]'")
    arguments = ["experiences", "list", "postgresql://robots@localhost:1/fleet"]
    assert cli.main(arguments) == cli.EXIT_REFUSED
    assert "postgresql://robots@localhost:1/fleet does not answer" in capsys.readouterr().err


def test_store_that_is_not_there_is_named_and_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in (["list"], ["show"], ["export"]):
        arguments = [*action, str(tmp_path / "nowhere.db"), *([] if action == ["list"] else ["x"])]
        assert cli.main(["experiences", *arguments]) == cli.EXIT_REFUSED
        assert "there is no store of experiences" in capsys.readouterr().err
    assert not (tmp_path / "nowhere.db").exists()
