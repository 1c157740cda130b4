"""An agent is closed as a whole, also if one of its components fails, and all its memories forget."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory
from stma_ros.components.visual_memory.evidence_memory import EvidenceMemory
from stma_ros.library.scene.thumbnails import thumbnail
from stma_ros.storage.memory_store import MemoryNotSavedError
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.exploration import Snapshot
from stma_ros.types.planning import SkillRequest, SkillSchema
from stma_ros.types.standard import Header, Time


class _EmptyWorld:
    """A world in which there is nothing to do."""

    skills: tuple[SkillSchema, ...] = ()

    def execute(self, request: SkillRequest, token: CancelToken) -> Iterable[Emission]:
        return ()


def _agent(folder: Path, choose: Callable[[int], int] | None = None) -> LocalAgent:
    configured = configure_agent("pred_eqa", {"spatial_memory": {"memory_dir": str(folder)}})
    return LocalAgent(_EmptyWorld(), configured, choose=choose)  # type: ignore[arg-type]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Returns the folder of an agent with a picture in its visual memory."""
    picture = thumbnail(Header(), np.zeros((60, 80, 3), np.uint8))
    with closing(EvidenceMemory(10, str(tmp_path))) as evidence:
        evidence.add([Snapshot(id="snapshot_1", stamp=Time(5), picture=picture)])
    return tmp_path


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("seed", [None, 0, 1, 2])
def test_all_memories_of_an_agent_forget_before_it_has_a_task(saved: Path, seed: int | None) -> None:
    assert files(saved)
    agent = _agent(saved, None if seed is None else random.Random(seed).randrange)
    reply = agent.forget()
    assert "Forgot everything" in reply.text
    assert "Forgot 1 picture." in reply.text
    assert files(saved) == []
    agent.close()
    assert files(saved) == []


def test_agent_reports_a_memory_that_cannot_forget(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: EvidenceMemory, category: str) -> frozenset[str]:
        raise MemoryNotSavedError("the disk is full")

    monkeypatch.setattr(EvidenceMemory, "forget", fail)
    agent = _agent(saved)
    reply = agent.forget()
    assert (reply.error.code, reply.error.text) == (ErrorCode.MEMORY_NOT_KEPT, "the disk is full")
    agent.close()


def test_other_components_are_closed_if_one_cannot_be(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: SpatialMemory) -> None:
        raise MemoryNotSavedError("the disk is full")

    agent = _agent(saved)
    monkeypatch.setattr(SpatialMemory, "close", fail)
    with pytest.raises(MemoryNotSavedError, match="the disk is full"):
        agent.close()
    EvidenceMemory(10, str(saved)).close()  # its folder is free again
    agent.close()
