"""The things that pictures show together, merged one picture after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.keyframe_observation import KeyframeObservation
from stma_ros.memory.scene_graph import ObjectMemory, SavedObjects
from stma_ros.types.exploration import Snapshot

_Key: TypeAlias = tuple[str, tuple[tuple[str, float, float, int], ...]]


class MergedPictures:
    """Merges pictures, and remembers what the first ones showed together: most of those of a question are the same as
    of the one before."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._keys: list[_Key] = []  # of the pictures that were merged last
        self._states: list[SavedObjects] = []  # after each of them

    def merge(self, snapshots: Sequence[Snapshot]) -> ObjectMemory:
        """Returns the memory of what the snapshots show. It is the same as if all were merged into an empty one."""
        keys = list(map(_key, snapshots))
        same = next(
            (number for number, pair in enumerate(zip(keys, self._keys, strict=False)) if pair[0] != pair[1]),
            min(len(keys), len(self._keys)),
        )
        del self._keys[same:], self._states[same:]
        memory = (
            ObjectMemory.restored(self._states[-1], self._knowledge)
            if same
            else ObjectMemory(self._knowledge)
        )
        for key, snapshot in zip(keys[same:], snapshots[same:], strict=True):
            at = snapshot.camera.position
            memory.merge(
                KeyframeObservation(snapshot.stamp, snapshot.detections, np.array([at.x, at.y, at.z]))
            )
            self._keys.append(key)
            self._states.append(memory.saved())
        return memory


def _key(snapshot: Snapshot) -> _Key:
    """Returns what tells whether two snapshots are the same; those of one id may have lost some of their detections."""
    return snapshot.id, tuple(
        (found.category, found.center.x, found.center.y, found.pixels) for found in snapshot.detections
    )
