"""A small recorded household task, and its bag rewritten with changed messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.storage.bag.reader import Bag, RawMessage
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.run_folder import RunFolder

TASK = "put a mug in the sink"
SCENE, SEED = "flat_1004", 1004


def record_home(
    folder: Path, task: str = TASK, seed: int = SEED, memory: Path | None = None, **world: object
) -> Path:
    """Records a run and returns its folder.

    Args:
        memory: folder of the memory over several runs.
        world: settings of the house.
    """
    options = {"width": 96, "height": 72, **world}
    overrides = {"spatial_memory": {"memory_dir": str(memory)}} if memory else {}
    spec = SessionSpec(LOCAL, overrides=overrides, world_options=options)
    run = RunFolder.create(folder)
    with open_local(spec, run, record=True) as session:
        session.start_episode(f"flat_{seed}", seed, folder=run)
        session.run_task(task)
    return folder


def rewritten(bag: Path, to: Path, change: Callable[[list[RawMessage]], Iterable[RawMessage]]) -> Path:
    """Writes the bag with changed messages into another folder."""
    with BagWriter(to) as writer:
        for raw in change(list(Bag(bag).messages())):
            writer.add_topic(raw.topic, raw.ros_type)
            writer.write(raw.topic, raw.data, raw.stamp_ns)
    return to
