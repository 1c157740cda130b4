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
    """position (3,): of the goal, or of the object. view_points (N, 3): places on the floor from which an object can be
    seen, all near it; N = 0 where the data set has none. In the map frame [m]."""

    position: FloatArray
    view_points: FloatArray


@dataclass(frozen=True, eq=False)
class LabEpisode:
    """One episode. Any of the goals will do.

    id: its own in the data set. scene: without the folder that scenes are kept in. dataset: its scene data set's file;
    empty = none. category: of the object that is sought; empty for point goals. geodesic: of the shortest way from the
    start to a goal, as the data set says [m]; None: it does not.
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
    """A thing that an episode adds to its scene.

    template: the name of its configuration. transform (4, 4): takes its own frame to where it is, in Habitat's frame.
    """

    template: str
    transform: FloatArray


@dataclass(frozen=True, eq=False)
class Target:
    """What is to be done with a thing.

    thing, start, goal: the thing, what it lies on at first, and what it is to lie on, by habitat-sim's names for them
    in the scene; empty: the episode does not say it. transform (4, 4): where the thing is to be, as in AddedObject.
    """

    thing: str
    start: str
    goal: str
    transform: FloatArray


@dataclass(frozen=True, eq=False)
class RearrangeEpisode:
    """id, scene, dataset: as in LabEpisode. The episode draws where the robot starts.

    templates: folders of configurations for its objects, besides those of the data set. joints: the position of joints
    [rad, m] by the name of an articulated object, and the index of the link that moves. targets: at least one.
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
