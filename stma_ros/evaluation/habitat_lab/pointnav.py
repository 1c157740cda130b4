"""The measurement `pointnav`: PointNav episodes of habitat-lab, driven by the body of the world `habitat` alone.

The agent takes no part: a point goal is a place in numbers, while the agent's tasks are in words, about objects. No
sentence that it understands denotes a point, and a form invented for a benchmark would be used nowhere else. Without
perception and memory, PointNav tests whether the world's floor, motion and frames agree with habitat-lab: an episode is
one `navigate` to the goal, with full knowledge of the floor.

Success, SPL and soft SPL are those of habitat-lab: the robot reports its arrival, and the shortest remaining path is
shorter than `success_distance`. That path is on the floor of this package's base; a straight line where no path exists.
The shortest path from the start is the data set's. The base is wider than the ones that data sets were made for, so
that some starts and goals are out of its reach: these episodes fail. So do those with a goal on another storey.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from stma_ros.evaluation.habitat_lab.navigation import (
    DISTANCE_TO_GOAL,
    PATH_LENGTH,
    SHORTEST_PATH,
    SOFT_SPL,
    SPL,
    soft_spl,
    spl,
)
from stma_ros.evaluation.metrics import ALL, wilson_interval
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest, SkillTarget
from stma_ros.types.settings import setting
from stma_ros.types.standard import Pose
from stma_ros.worlds.habitat.config import HabitatConfig
from stma_ros.worlds.habitat.habitat import Habitat
from stma_ros.worlds.habitat.lab.episodes import POINT_GOALS, EpisodeSet, LabEpisode
from stma_ros.worlds.habitat.lab.reading import read_episodes
from stma_ros.worlds.habitat.lab.scenes import SCENES, dataset_file, scene_name
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.motion import Ground, way_length
from stma_ros.worlds.robot.simulated_world import SimulatedWorld

_STOREY = 0.5  # largest difference between the heights of goal and start [m]


@dataclass(frozen=True)
class PointNavSettings(HabitatConfig):
    """The settings of the measurement, in addition to those of the world `habitat`."""

    episodes: str = setting("", "the episodes: a PointNav *.json.gz of habitat-lab")
    scenes: str = setting(SCENES, "the folder of the scenes of the episodes")
    lab_python: str = setting(
        "", "the interpreter that has habitat-lab; empty = the one that has habitat-sim"
    )
    success_distance: float = setting(
        0.2, "how near to the goal the robot must be", unit="m", low=0.0, high=10.0
    )
    count: int = setting(0, "how many episodes, from the first; 0 = all", low=0)


@dataclass(frozen=True)
class Drive:
    """The result of one episode: whether the robot reported its arrival, and path lengths [m]."""

    arrived: bool
    shortest: float
    driven: float
    left: float

    def success(self, distance: float) -> bool:
        return self.arrived and self.left < distance


class PointNav:
    """The Measurement of PointNav episodes."""

    name = "pointnav"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "driven by",
        "group": "scene",
        "episodes": "episodes",
        "success_rate": "success [%]",
        SPL: "SPL [%]",
        SOFT_SPL: "soft SPL [%]",
        DISTANCE_TO_GOAL: "left [m]",
        PATH_LENGTH: "driven [m]",
        SHORTEST_PATH: "shortest [m]",
    }

    def __init__(self, settings: PointNavSettings) -> None:
        """Reads the data set. Raises the errors of read_episodes, and ConfigurationError for a data set without point
        goals."""
        self._settings = settings
        self._scenes = Path(settings.scenes)
        python = settings.lab_python or settings.python
        read = read_episodes(Path(settings.episodes), python)
        if not isinstance(read, EpisodeSet) or read.kind != POINT_GOALS:
            raise ConfigurationError(
                f"{settings.episodes} is a data set of the kind {read.kind}: run it with `stma bench habitat_lab`"
            )
        self._by_scene: dict[tuple[str, str], list[LabEpisode]] = {}
        for episode in read.episodes[: settings.count or None]:
            self._by_scene.setdefault((episode.dataset, episode.scene), []).append(episode)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**asdict(self._settings), **self._settings.map_frame("").settings}

    @property
    def total(self) -> int:
        return len(self._by_scene) + 1

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields rows for each scene and for all. seed: of the noise."""
        everything: list[Drive] = []
        for (_, scene), episodes in self._by_scene.items():
            drives = list(self._driven(episodes, seed))
            everything += drives
            yield self._row(scene, drives)
        yield self._row(ALL, everything)

    def _driven(self, episodes: Sequence[LabEpisode], seed: int) -> Iterator[Drive]:
        """Drives the episodes of one scene."""
        dataset = self._settings.dataset or dataset_file(episodes[0], self._scenes)
        with closing(Habitat(replace(self._settings, dataset=dataset))) as world:
            for episode in episodes:
                world.reset(scene_name(episode, self._scenes), seed)
                yield drive(world, episode)

    def _row(self, group: str, drives: Sequence[Drive]) -> dict[str, Any]:
        good = [each.success(self._settings.success_distance) for each in drives]
        low, high = wilson_interval(sum(good), len(good))
        values = {
            SPL: [spl(ok, each.shortest, each.driven) for ok, each in zip(good, drives, strict=True)],
            SOFT_SPL: [soft_spl(each.shortest, each.driven, each.left) for each in drives],
            DISTANCE_TO_GOAL: [each.left for each in drives],
            PATH_LENGTH: [each.driven for each in drives],
            SHORTEST_PATH: [each.shortest for each in drives],
        }
        return {
            "preset": words.SKILL_NAVIGATE,
            "group": group,
            "episodes": len(drives),
            "success_rate": 100 * sum(good) / len(good),
            "success_rate_interval": [100 * low, 100 * high],
            **{name: sum(those) / len(those) for name, those in values.items()},
        }


def drive(world: SimulatedWorld[Any], episode: LabEpisode) -> Drive:
    """Drives from the world's present pose, the start of the episode, to the nearest goal."""
    start = episode.start
    goal = min((g.position for g in episode.goals), key=lambda p: math.dist(p, (start.x, start.y, start.z)))
    x, y, z = goal.tolist()
    shortest = episode.geodesic
    if shortest is None:
        shortest = shortest_way(world.ground, start.placement, x, y)
    if abs(z - start.z) > _STOREY:
        return Drive(False, shortest, 0.0, max(shortest, math.dist((x, y), (start.x, start.y))))
    heading = math.atan2(y - start.y, x - start.x)
    target, base_goal = (world.map_frame.pose(Pose.planar(x, y, yaw)) for yaw in (0.0, heading))
    request = SkillRequest(
        request_id=episode.id,
        action=Action(words.SKILL_NAVIGATE, ("goal",)),
        targets=(SkillTarget(id="goal", pose=target),),
        base_goal=base_goal,
    )
    *_, (_, outcome) = world.execute(request, CancelToken())
    assert isinstance(outcome, Outcome)
    left = shortest_way(world.ground, world.robot, x, y)
    return Drive(outcome.result == Result.SUCCEEDED, shortest, outcome.distance, left)


def shortest_way(ground: Ground, start: Placement, x: float, y: float) -> float:
    """Returns the length of the shortest path of the base to the reachable place nearest to a point, with a straight
    line from there to the point; a straight line alone where the base reaches nothing [m]."""
    way = ground.way(start, x, y) or ()
    end = way[-1] if way else (start.x, start.y)
    return way_length(start, way) + math.dist(end, (x, y))
