"""A session that failed to start does not block the next one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from stma_ros.apps.session import ros as ros_session
from stma_ros.apps.session.ros import RosSession
from stma_ros.apps.session.session import ROS, SessionSpec
from stma_ros.ros.task_client import GraphError
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import StmaError
from stma_ros.worlds.registry import world_entry
from support.ros.waiting import eventually, running


def test_a_session_names_its_registry_to_the_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registries: list[object] = []

    def bring_up(**arguments: object) -> None:
        registries.append(arguments["registry"])
        raise StmaError("that is all that is asked here")

    monkeypatch.setattr(ros_session, "bring_up", bring_up)
    registry = "support.samples.diary_agent:AGENTS"
    spec = SessionSpec(ROS, "diary", world="scripted", registry=registry)
    with (
        closing(RosSession(spec, RunFolder(tmp_path), record=False)) as session,
        pytest.raises(StmaError, match="that is all"),
    ):
        session.start_episode("", 0)
    assert registries == [registry]


def test_a_session_can_start_after_a_failed_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pids: list[int] = []

    class Watched(ros_session.NodeProcesses):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)
            pids.extend(self.pids)

    monkeypatch.setattr(ros_session, "NodeProcesses", Watched)
    options = {"width": 160, "height": 120}
    spec = SessionSpec(ROS, world_options=options)
    with closing(RosSession(spec, RunFolder(tmp_path), record=False)) as session:
        with monkeypatch.context() as patience:
            patience.setattr(ros_session, "_START", 0.1 - world_entry("house").load_time)
            with pytest.raises(GraphError):
                session.start_episode("", 1000)
        assert pids
        eventually(lambda: not any(map(running, pids)), "the end of the nodes")
        assert session.start_episode("", 1000) == ""
