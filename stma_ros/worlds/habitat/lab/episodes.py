"""The episodes of habitat-lab's data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.habitat.lab.start import Start

POINT_GOALS, OBJECT_GOALS, REARRANGEMENT = "PointNav-v1", "ObjectNav-v1", "RearrangeDataset-v0"
"""The kinds of data sets, as habitat-lab calls them."""

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabGoal:
    """A goal, in the frame of the data set [m].

    Attributes:
        position: (3,), of the goal or of the object.
        view_points: (N, 3), places on the floor near the object from which it can be seen; N = 0 where the data set has
            none.
    """

    position: FloatArray
    view_points: FloatArray


@dataclass(frozen=True, eq=False)
class LabEpisode:
    """An episode, which succeeds at any of its goals.

    Attributes:
        id: id in the data set.
        scene: scene without the folder of the scenes.
        dataset: file of its scene data set; empty = none.
        start: start of the robot.
        goals: the goals of the task.
        category: category of the object to find; empty for point goals.
        geodesic: length of the shortest path from the start to a goal, by the data set [m]; None = not given.
    """

    id: str
    scene: str
    dataset: str
    start: Start
    goals: tuple[LabGoal, ...]
    category: str
    geodesic: float | None


@dataclass(frozen=True)
class EpisodeSet:
    """kind: POINT_GOALS or OBJECT_GOALS. episodes: at least one, in the order of the data set."""

    kind: str
    episodes: tuple[LabEpisode, ...]


@dataclass(frozen=True, eq=False)
class AddedObject:
    """An object that an episode adds to its scene.

    Attributes:
        template: name of its configuration.
        transform: (4, 4), from its own frame to Habitat's.
    """

    template: str
    transform: FloatArray


@dataclass(frozen=True, eq=False)
class Target:
    """The rearrangement of one object. Names are habitat-sim's names in the scene; empty = the episode does not state
    it.

    Attributes:
        thing: the object.
        start: the object that it lies on at first.
        goal: the object that it is to be placed on.
        transform: (4, 4), goal pose of the object, as in AddedObject.
    """

    thing: str
    start: str
    goal: str
    transform: FloatArray


@dataclass(frozen=True, eq=False)
class RearrangeEpisode:
    """A rearrangement episode; `id`, `scene` and `dataset` as in LabEpisode. The start of the robot is drawn from the
    seed.

    Attributes:
        templates: folders of configurations for its objects, in addition to those of the data set.
        objects: the objects that it adds.
        joints: joint positions [rad, m] by the name of an articulated object and the index of the moved link.
        targets: at least one.
    """

    id: str
    scene: str
    dataset: str
    templates: tuple[str, ...]
    objects: tuple[AddedObject, ...]
    joints: Mapping[str, Mapping[int, float]]
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class RearrangeSet:
    """episodes: in the order of the data set."""

    kind: ClassVar[str] = REARRANGEMENT
    episodes: tuple[RearrangeEpisode, ...]


LabSet: TypeAlias = EpisodeSet | RearrangeSet
