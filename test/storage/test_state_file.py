"""Files with the state of a component: what is saved is loaded, and nothing else is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from stma_ros.storage.state_file import StateFile, state_name
from stma_ros.types.errors import StorageError
from stma_ros.types.planning import Action, Task


@dataclass(frozen=True)
class State:
    task: Task
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class OtherState:
    task: Task


STATE = State(Task(task_id="t", text="Käse \n \x00"), (Action("command", ("go",)),))


def file(folder: Path) -> StateFile[State]:
    return StateFile(folder / "deep" / "memory.state", State)


def test_state_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    assert file(tmp_path).load() is None
    file(tmp_path).save(STATE)
    assert file(tmp_path).load() == STATE


def test_newer_state_replaces_the_older_one(tmp_path: Path) -> None:
    file(tmp_path).save(State(Task()))
    file(tmp_path).save(STATE)
    assert file(tmp_path).load() == STATE
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["memory.state"]


def test_cleared_state_is_gone(tmp_path: Path) -> None:
    file(tmp_path).save(STATE)
    file(tmp_path).clear()
    file(tmp_path).clear()
    assert file(tmp_path).load() is None


@pytest.mark.parametrize("damage", [b"", b"stma_ros state", b"something else\n{}", None])
def test_damaged_state_is_an_error_that_names_the_file_and_leaves_it(
    tmp_path: Path, damage: bytes | None
) -> None:
    file(tmp_path).save(STATE)
    path = tmp_path / "deep" / "memory.state"
    content = path.read_bytes()[:-1] if damage is None else damage
    path.write_bytes(content)
    with pytest.raises(StorageError, match=r"memory\.state is damaged"):
        file(tmp_path).load()
    assert path.read_bytes() == content


def test_state_of_another_version_is_refused(tmp_path: Path) -> None:
    StateFile(tmp_path / "deep" / "memory.state", OtherState).save(OtherState(Task()))
    with pytest.raises(StorageError, match="of another version"):
        file(tmp_path).load()


def test_folder_that_cannot_be_made_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "deep").write_text("a file")
    with pytest.raises(StorageError, match="set state_dir"):
        file(tmp_path)


def test_preserved_copies_are_numbered_and_can_be_loaded_when_the_state_has_changed(tmp_path: Path) -> None:
    saved = file(tmp_path)
    names = []
    for number in range(2):
        saved.save(State(Task(task_id=str(number))))
        names.append(saved.preserve())
    saved.save(STATE)
    assert names == ["memory.1.state", "memory.2.state"]
    assert [state_name(name) for name in names] == ["memory.state"] * 2
    loaded = [StateFile(tmp_path / "deep" / name, State).load() for name in names]
    assert loaded == [State(Task(task_id="0")), State(Task(task_id="1"))]
    assert saved.load() == STATE
