"""Generates episodes of "find X": a flat, a start, a request in English, and its solution."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.evaluation.household_tasks.oracle_planner import reference_run, sketch
from stma_ros.evaluation.household_tasks.subtasks import Find, Things
from stma_ros.evaluation.household_tasks.visibility import SEEN, seen_after_opening, seen_in_the_open
from stma_ros.types.errors import SkillError
from stma_ros.worlds.house.flat import Flat, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.place import scene_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.scene import is_hidden

_PHRASES = (
    "find the {}",
    "find {a} {}",
    "where is the {}?",
    "look for {a} {}",
    "look for the {}",
    "search for the {}",
    "locate the {}",
    "can you find the {}?",
    "please find {a} {}",
    "go and find the {}",
    "tell me where the {} is",
    "I am looking for the {}",
)


class Presence(enum.Enum):
    """The place of the target."""

    IN_VIEW = "in_view"  # on a surface
    IN_CONTAINER = "in_container"  # in a closed container
    ABSENT = "absent"  # nowhere in the flat


@dataclass(frozen=True)
class FindTask:
    """One episode: `World.reset(scene, seed)`, then `text`.

    Attributes:
        scene: scene of the world.
        seed: seed of the episode.
        text: the request.
        category: category of the target; any object of it is a right answer.
        presence: place of the target.
        instances: number of objects of the category.
        rooms: number of rooms.
        containers: number of closed containers.
        oracle_commands: commands with which a robot that knows where everything is gets to the nearest object of the
            category, at least one; 0 = there is none.
    """

    scene: str
    seed: int
    text: str
    category: str
    presence: Presence
    instances: int
    rooms: int
    containers: int
    oracle_commands: int

    @property
    def inspection_commands(self) -> int:
        return self.rooms + 2 * self.containers

    @property
    def reference_commands(self) -> int:
        return self.oracle_commands or self.inspection_commands


def find_task(seed: int, presence: Presence, flat_seed: int) -> FindTask:
    """Returns the find task of a seed in the flat of `flat_seed`.

    The target has been seen and reached by a robot with perfect knowledge. A flat without a suitable target (no object
    in a container, say) gives a target of the next kind.
    """
    flat = make_flat(flat_seed)
    rng = np.random.default_rng((seed, flat_seed))
    start = start_pose(flat, np.random.default_rng(seed))
    renderer = Renderer(flat, Camera())
    for kind in (presence, Presence.IN_VIEW, Presence.ABSENT):
        for category in _candidates(rng, flat, kind):
            if not _solvable(flat, renderer, start, category):
                continue
            commands = _oracle_commands(flat, start, category)
            if commands or kind is Presence.ABSENT:
                return FindTask(
                    scene_of(flat_seed),
                    seed,
                    _phrase(rng, category),
                    category,
                    kind,
                    len(_of(flat, category)),
                    len(flat.layout.rooms),
                    len(flat.containers),
                    commands,
                )
    raise AssertionError(
        "every flat lacks some category"
    )  # there are more kinds of objects than objects in a flat


def _of(flat: Flat, category: str) -> list[Item]:
    return sorted(
        (item for item in flat.items if item.category == category), key=lambda item: (item.x, item.y, item.z)
    )


def _candidates(rng: np.random.Generator, flat: Flat, presence: Presence) -> list[str]:
    """Returns the categories with that presence, in random order."""
    fitting = [category for category in ITEMS if _presence(flat, _of(flat, category)) is presence]
    return [fitting[k] for k in rng.permutation(len(fitting))]


def _presence(flat: Flat, items: Sequence[Item]) -> Presence | None:
    """Returns the presence that all the objects of a category have; None if they have none in common, or are in a basin
    or in an open container."""
    if not items:
        return Presence.ABSENT
    if all(is_hidden(flat, item, flat.initial) for item in items):
        return Presence.IN_CONTAINER
    return None if any(item.inside for item in items) else Presence.IN_VIEW


def _solvable(flat: Flat, renderer: Renderer, start: Placement, category: str) -> bool:
    """Whether every object of the category is visible from a reachable pose; true without objects."""
    return all(
        (seen_after_opening if item.inside else seen_in_the_open)(flat, renderer, start, item) >= SEEN
        for item in _of(flat, category)
    )


def _oracle_commands(flat: Flat, start: Placement, category: str) -> int:
    """Returns the commands to the nearest object of a category, with those that open doors and its container; 0 when
    there is none that can be reached."""
    found: list[int] = []
    for item in _of(flat, category):
        try:
            plan = sketch(flat, start, (Find(Things(category, (item.name,))),))
            found.append(max(1, reference_run(flat, start, plan).commands))
        except SkillError:
            continue
    return min(found, default=0)


def _phrase(rng: np.random.Generator, category: str) -> str:
    phrase = _PHRASES[int(rng.integers(len(_PHRASES)))]
    return phrase.format(category, a="an" if category[0] in "aeiou" else "a")
