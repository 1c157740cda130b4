"""Plans with full knowledge: the shortest path to the evidence, or a short tour that sees all of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.eqa.generation.episode import PlanKind, Sight
from stma_ros.evaluation.eqa.generation.grounding import FRONT, FRONT_RANGE, Recognition
from stma_ros.evaluation.eqa.generation.home import QuestionHome, Thing
from stma_ros.evaluation.eqa.generation.sight_scene import SightScene
from stma_ros.evaluation.eqa.generation.survey import Survey, places_seen
from stma_ros.evaluation.eqa.generation.tour import shortest_tour
from stma_ros.evaluation.eqa.generation.walking import WalkingDistances
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.detector.sight import seen_from
from stma_ros.worlds.robot.geometry import FloatArray, Placement

_EVERY, _SURVEY_EVERY = 4, 8  # raster cells between viewpoints
_NEAR, _FAR = 0.5, 5.0  # from a viewpoint to the middle of what is looked at [m]
_WHOLE = 0.5  # least visible share of a thing, of that from the best viewpoint
_TRIES = 12  # viewpoints at which an estimate is checked with a whole image


@dataclass(frozen=True)
class Plan:
    """A plan: its kind, its length [m], and the pose at its end."""

    kind: PlanKind
    length: float
    goal: Placement


class Oracle:
    """Plans in one flat. Everything that does not depend on the start is computed once."""

    def __init__(self, home: QuestionHome, camera: Camera = Camera()) -> None:
        self.home = home
        self.scene = SightScene(home.flat, home.state, camera)
        self.recognition = Recognition(home.flat, camera)
        self._ground = home.flat.ground(home.state)

    def start_from(self, start: Placement) -> PlanFinder:
        return PlanFinder(self, WalkingDistances(self._ground, start), start)

    def views(self, names: Sequence[str], places: FloatArray, from_front: bool) -> NDArray[np.bool_]:
        """Returns from which places (V, 2) an image shows all the things well, by an estimate."""
        good = np.ones(len(places), bool)
        middle = self.middle(names)
        towards = middle[:2] - places
        away, yaws = np.hypot(*towards.T), np.arctan2(towards[:, 1], towards[:, 0])
        good &= (away >= _NEAR) & (away <= _FAR)
        for name in names:
            thing = self.home.flat.furniture_by_name.get(name) or self.home.flat.items_by_name.get(name)
            if from_front and thing is not None:
                good &= self._is_in_front(thing, places)
            chosen = np.flatnonzero(good)
            if not len(chosen):
                return good
            pixels, share = self.scene.estimates(places[chosen], yaws[chosen], name)
            best = float(share.max())
            good[chosen] = (pixels >= self.recognition.least_pixels(name)) & (share >= _WHOLE * best)
        return good

    def shows(self, names: Sequence[str], place: FloatArray) -> bool:
        """Returns whether the things have enough pixels from a place (1, 2), by an estimate."""
        towards = self.middle(names)[:2] - place
        yaws = np.arctan2(towards[:, 1], towards[:, 0])
        return all(
            float(self.scene.estimates(place, yaws, name)[0][0]) >= self.recognition.least_pixels(name)
            for name in names
        )

    def middle(self, names: Sequence[str]) -> FloatArray:
        """Returns the middle (3,) of the things [m]."""
        middle: FloatArray = np.mean([self.scene.centre(name) for name in names], axis=0)
        return middle

    def _is_in_front(self, thing: Thing, places: FloatArray) -> NDArray[np.bool_]:
        spot = Placement(thing.x, thing.y, thing.yaw) if thing.portable else thing.placement
        bearings, distances = zip(
            *(seen_from(spot, Placement(float(x), float(y), 0.0)) for x, y in places), strict=True
        )
        front: NDArray[np.bool_] = (np.abs(bearings) <= FRONT) & (np.array(distances) <= FRONT_RANGE)
        return front


class PlanFinder:
    """Plans from one start."""

    def __init__(self, oracle: Oracle, walking: WalkingDistances, start: Placement) -> None:
        self._oracle, self._walking, self._start = oracle, walking, start

    @cached_property
    def _from_start(self) -> FloatArray:
        return self._walking.from_start()

    def sees(self, sights: Sequence[Sight]) -> bool:
        """Returns whether the camera sees all the sights from the start when it turns round, by an estimate that also
        counts partly hidden things."""
        place = np.array([[self._start.x, self._start.y]])
        return bool(sights) and all(
            any(self._oracle.shows(names, place) for names in sight.alternatives) for sight in sights
        )

    def plan(self, sights: Sequence[Sight], survey: Survey | None) -> Plan | None:
        """Returns the plan that sees all the sights and every place of the survey; None when that is impossible."""
        if survey is None and len(sights) == 1:
            return self._pose_plan(sights[0])
        return self._tour_plan(sights, survey)

    def _pose_plan(self, sight: Sight) -> Plan | None:
        walking = self._walking
        nodes = walking.lattice(_EVERY)
        places = walking.points[nodes]
        options: list[tuple[float, int, int]] = []
        for k, names in enumerate(sight.alternatives):
            seen = self._oracle.views(names, places, sight.from_front)
            options += [(float(self._from_start[node]), int(node), k) for node in nodes[seen]]
        for _, node, k in sorted(options)[:_TRIES]:
            names = sight.alternatives[k]
            pose = self._pose_at(node, names)
            if self._oracle.recognition.shows_all(self._oracle.scene.pixels(pose), names):
                return Plan(PlanKind.POSE, walking.route_length([node]), pose)
        return None

    def _tour_plan(self, sights: Sequence[Sight], survey: Survey | None) -> Plan | None:
        walking, oracle = self._walking, self._oracle
        nodes = walking.lattice(_SURVEY_EVERY)
        places = walking.points[nodes]
        columns = []
        for sight in sights:
            seen = [oracle.views(names, places, sight.from_front) for names in sight.alternatives]
            columns.append(np.any(seen, axis=0))
        seen_from_nodes = np.stack(columns, axis=1) if columns else np.zeros((len(nodes), 0), bool)
        if survey is not None:
            seen_from_nodes = np.concatenate(
                [seen_from_nodes, places_seen(oracle.home, oracle.scene, survey, places)], axis=1
            )
        if not seen_from_nodes.any(axis=0).all():
            return None
        stops = shortest_tour(walking, nodes, seen_from_nodes)
        goal = walking.points[stops[-1] if stops else walking.start_node]
        return Plan(
            PlanKind.TOUR,
            walking.route_length(stops),
            Placement(float(goal[0]), float(goal[1]), self._start.yaw),
        )

    def _pose_at(self, node: int, names: Sequence[str]) -> Placement:
        x, y = self._walking.points[node].tolist()
        middle = self._oracle.middle(names)
        return Placement(x, y, math.atan2(middle[1] - y, middle[0] - x))
