"""A bag that grows until its disk is full."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.planning import Task
from stma_ros.types.standard import Header, Image, Time


def noise(second: int) -> Image:
    """Returns an image of 0.3 MB that cannot be compressed."""
    pixels = np.random.default_rng(second).integers(0, 256, (250, 400, 3), np.uint8)
    return Image.from_array(Header(Time(second), "camera"), pixels, "rgb8")


def fill(folder: Path, config: RecordingConfig) -> tuple[int, str]:
    """Records until the disk is full; returns the number of recorded messages and the text of the error."""
    writer = BagWriter(folder, config=config)
    tap = MessageRecorder(writer)
    for second in range(1, 1000):
        try:
            tap(topics.COLOR, noise(second))
        except StorageError as error:
            assert writer.closed
            with pytest.raises(StorageError, match="closed; nothing can be added"):
                tap(topics.TASK, Task())
            writer.flush()
            writer.close()
            return second, str(error)
    raise AssertionError("the disk was never full")
