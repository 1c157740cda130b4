"""Generates household tasks of a given length: subtasks in a flat, phrased in English and solved by the
oracle planner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.evaluation.household_tasks.oracle_planner import Reference, Sketch, reference_run, sketch
from stma_ros.evaluation.household_tasks.phrasing import say
from stma_ros.evaluation.household_tasks.subtasks import Fetch, Find, Put, SpatialRelation, Subtask
from stma_ros.evaluation.household_tasks.task_generator import Group, TaskGenerator
from stma_ros.evaluation.household_tasks.visibility import SEEN, seen_after_opening, seen_in_the_open
from stma_ros.types.errors import SkillError
from stma_ros.worlds.house.flat import Flat, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.place import scene_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.places import DOCK_DISTANCE
from stma_ros.worlds.robot.placing import free_spot
from stma_ros.worlds.robot.scene import is_hidden

_ATTEMPTS = 12  # attempts to reach the requested length
_SHOWN_ALIKE, _SHOWN_COMMANDS = 3, 22  # objects of a kind and commands of a demonstration of a few minutes
_SPREAD = 10  # largest excess over the shortest task of the class [commands]


@dataclass(frozen=True)
class HouseholdTask:
    """One episode: `World.reset(scene, seed)` puts the robot at `start`, then `text` is the task."""

    scene: str
    seed: int
    flat: Flat
    start: Placement
    text: str
    subtasks: tuple[Subtask, ...]
    reference: Reference

    @property
    def rooms(self) -> int:
        return len(self.flat.layout.rooms)

    @property
    def closed_containers(self) -> int:
        return sum(piece.name not in self.flat.initial.open_names for piece in self.flat.containers)


class RobotView:
    """Whether the robot can see an object of a flat once its containers are open; cached by object."""

    def __init__(self, flat: Flat, start: Placement) -> None:
        self._flat, self._start = flat, start
        self._renderer: Renderer | None = None  # made when it is first needed
        self._seen: dict[str, bool] = {}

    def __call__(self, item: Item) -> bool:
        if item.name not in self._seen:
            self._renderer = self._renderer or Renderer(self._flat, Camera())
            hidden = is_hidden(self._flat, item, self._flat.initial)
            look = seen_after_opening if hidden else seen_in_the_open
            self._seen[item.name] = look(self._flat, self._renderer, self._start, item) >= SEEN
        return self._seen[item.name]


class _Episode:
    """A flat, a start, and the generators of its tasks."""

    def __init__(self, seed: int, flat_seed: int, rooms: int | None = None, items_seed: int = 0) -> None:
        self.flat = make_flat(flat_seed, rooms, items_seed)
        self._seed, self._scene = seed, scene_of(flat_seed, items_seed)
        self._start = start_pose(self.flat, np.random.default_rng(seed))
        self.rng = np.random.default_rng((seed, flat_seed))
        self.generator = TaskGenerator(self.flat, self.rng, RobotView(self.flat, self._start))

    def draw(self) -> tuple[Group, int] | None:
        """Returns possible subtasks and the number of commands for all of them; None when the generator found none."""
        while group := self.generator.draw():
            try:
                return group, self.sketch(group).commands
            except SkillError:
                self.generator.release(group)
        return None

    def sketch(self, subtasks: Sequence[Subtask]) -> Sketch:
        """Plans subtasks. Raises SkillError when they cannot be done, or only with objects too close to one another."""
        plan = sketch(self.flat, self._start, subtasks)
        for name in dict.fromkeys(
            name for subtask in subtasks if isinstance(subtask, Put) for name in subtask.things.names
        ):
            item, spot = self.flat.items_by_name[name], plan.state.spots[name]
            if spot != item.spot:
                piece = self.flat.furniture_by_name[spot.support]
                before = Placement(*piece.ahead(DOCK_DISTANCE), 0.0)
                free_spot(self.flat, plan.state, piece, item, before, inside=spot.inside, name=piece.name)
        return plan

    def task(self, subtasks: tuple[Subtask, ...], plan: Sketch) -> HouseholdTask:
        """Executes a plan. Raises SkillError when it fails after all."""
        reference = reference_run(self.flat, self._start, plan)
        text = say(self.rng, subtasks)
        return HouseholdTask(self._scene, self._seed, self.flat, self._start, text, subtasks, reference)

    def is_in_view(self, subtask: Subtask) -> bool:
        return subtask.things.is_definite and not self._hidden(subtask)

    def is_brought_out(self, subtask: Subtask) -> bool:
        open_place = isinstance(subtask, Put) and subtask.relation in (SpatialRelation.ON, SpatialRelation.TO)
        return open_place and subtask.things.is_definite and bool(self._hidden(subtask))

    def is_gathered(self, subtask: Subtask) -> bool:
        return subtask.things.is_all and subtask.things.number <= _SHOWN_ALIKE

    def _hidden(self, subtask: Subtask) -> list[str]:
        items = [self.flat.items_by_name[name] for name in subtask.things.names]
        return [item.name for item in items if is_hidden(self.flat, item, self.flat.initial)]


def household_task(
    seed: int, flat_seed: int, least: int, most: int, items_seed: int = 0
) -> HouseholdTask | None:
    """Returns a task whose reference takes from `least` to `most` commands; None when the flat offers none.

    Args:
        seed: of the task.
        flat_seed: of the flat.
        least: fewest commands.
        most: most commands.
        items_seed: of the flat's small things, as in make_flat.
    """
    episode = _Episode(seed, flat_seed, items_seed=items_seed)
    wanted = int(episode.rng.integers(least, min(most, least + _SPREAD) + 1))
    parts: list[tuple[Group, int]] = []
    for _ in range(_ATTEMPTS):
        while (length := sum(commands for _, commands in parts)) < wanted:
            part = episode.draw()
            if part is None:
                return None
            if length >= least and length + part[1] > most:
                episode.generator.release(part[0])
                break
            parts.append(part)
        subtasks = _in_order(episode.rng, [group for group, _ in parts])
        try:
            plan = episode.sketch(subtasks)
            if least <= plan.commands <= most:
                task = episode.task(subtasks, plan)
                return task if least <= task.reference.commands <= most else None
            missing = least - plan.commands
        except SkillError:  # each part can be done, but not all of them
            missing = 0
        if missing > 0:
            wanted += missing
        else:
            episode.generator.release(parts.pop()[0])
    return None


def demonstration(seed: int, flat_seed: int, rooms: int) -> tuple[HouseholdTask, ...]:
    """Returns three tasks in one flat of `rooms` rooms: find an object in view, bring an object from a closed container
    to an open place, and gather all objects of one kind.

    Empty when the flat is unsuitable. The reference of each assumes that it is the first task.
    """
    episode = _Episode(seed, flat_seed, rooms)
    makers = (episode.generator.find, episode.generator.put_one, episode.generator.put_alike)
    suits = (episode.is_in_view, episode.is_brought_out, episode.is_gathered)
    tasks = []
    for make, is_suitable in zip(makers, suits, strict=True):
        drawn = (make() for _ in range(_ATTEMPTS))
        group = next((group for group in drawn if group is not None and is_suitable(group[0])), None)
        if group is None:
            return ()
        try:
            subtasks = episode.generator.reserve(group)
            tasks.append(episode.task(subtasks, episode.sketch(subtasks)))
        except SkillError:
            return ()
    return tuple(tasks) if sum(task.reference.commands for task in tasks) <= _SHOWN_COMMANDS else ()


def _in_order(rng: np.random.Generator, groups: list[Group]) -> tuple[Subtask, ...]:
    """Orders the subtasks; reports and handovers come last."""
    mixed = [groups[k] for k in rng.permutation(len(groups))]
    mixed.sort(key=lambda group: isinstance(group[0], Find | Fetch))
    return tuple(subtask for group in mixed for subtask in group)
