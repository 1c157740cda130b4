"""The suite `perception`: the robot inspects an unknown flat; its scene graph is compared with the ground truth.

The inspection is a search for an object that no home has, so that the robot sees every room and opens every container.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, ClassVar

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.flats import FLAT_WORLDS, PERCEPTION
from stma_ros.evaluation.near_objects import score_near
from stma_ros.evaluation.scene_graphs import identity_switches, score_graph
from stma_ros.evaluation.state_score import score_states
from stma_ros.evaluation.suite import Defaults, Failure, Score
from stma_ros.evaluation.visible_things import confusions_text, score_visible
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting
from stma_ros.worlds.house.place import scene_of

TASK = "find the crocodile"

_BAR = 0.95  # recall and precision from which an episode counts as solved


@dataclass(frozen=True)
class PerceptionSettings:
    noise: bool = setting(False, "noise of sensors and motion")


@dataclass(frozen=True)
class PerceptionEpisode:
    """An Episode of the suite, without a best or a largest number of commands."""

    index: int
    scene: str
    seed: int
    group: str = "flat"
    text: str = TASK
    optimal_steps: int = 0
    max_commands: int = 0

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: recall and precision of the objects both reach the bar. `result` is not used."""
        if not trace.graphs:
            return Score(Failure.ERROR, "there is no scene graph")
        score = score_graph(trace.graphs[-1], trace.ending)
        objects, relations, states = score.objects, score.relations, score.states
        told = score_states(score.found, trace.truths)
        seen = score_visible(trace.graphs[-1], trace.ending, score)
        solved = min(objects.recall, objects.precision) >= _BAR
        detail = (
            f"objects: recall {objects.recall:.3f}, precision {objects.precision:.3f} of {objects.true}; "
            f"relations: F1 {relations.f1:.3f}; states: {states.right} of {states.said} right"
            f"{confusions_text(seen.confused)}"
        )
        measures = {
            "object_recall": 100 * objects.recall,
            "object_precision": 100 * objects.precision,
            "near_precision": 100 * score_near(trace.graphs[-1], trace.truths, score).precision,
            **{f"seen_recall_{size}": 100 * tally.recall for size, tally in seen.sizes.items() if tally.true},
            "seen_recall": 100 * seen.all.recall,
            "relation_f1": relations.f1,
            "relation_precision": 100 * relations.precision,
            "relation_recall": 100 * relations.recall,
            "state_accuracy": 100 * states.precision,
            "states_wrong": 100 * told.wrong,
            "states_unknown": 100 * told.unknown,
            "openness_told": 100 * told.openness.recall,
            "median_position_error": median(score.position_errors) if score.position_errors else 0.0,
            "median_yaw_error": math.degrees(median(score.yaw_errors)) if score.yaw_errors else 0.0,
            "identity_switches": float(identity_switches(trace.graphs, trace.truths)),
        }
        return Score(Failure.NONE if solved else Failure.NOT_FOUND, detail, measures)


class Perception:
    """The Suite of inspections."""

    name = "perception"
    worlds = FLAT_WORLDS
    defaults = Defaults()
    scene_options: tuple[str, ...] = ()
    columns: ClassVar[Mapping[str, str]] = {
        "object_recall": "recall [%]",
        "object_precision": "precision [%]",
        "near_precision": "near [%]",
        "seen_recall": "seen [%]",
        "seen_recall_small": "small [%]",
        "seen_recall_large": "large [%]",
        "median_position_error": "error [m]",
        "median_yaw_error": "yaw [deg]",
        "relation_f1": "F1",
        "state_accuracy": "states [%]",
        "states_wrong": "wrong [%]",
        "openness_told": "open [%]",
    }

    def __init__(self, settings: PerceptionSettings = PerceptionSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {}

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {"noise": True} if self._settings.noise else {}

    def check(self, seed: int | None, episodes: int) -> None:
        PERCEPTION.of(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> PerceptionEpisode:
        (flat,) = PERCEPTION.of(seed, index)
        return PerceptionEpisode(index, scene_of(flat), flat)
