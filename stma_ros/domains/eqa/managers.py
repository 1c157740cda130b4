"""Rules for the snapshot manager and the frontier manager."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.eqa.aims import Aim, read_aim
from stma_ros.domains.eqa.frontier_values import frontier_values
from stma_ros.domains.eqa.merged_pictures import MergedPictures
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.seen_scene import SeenScene, SeenThing
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.covering_pictures import covering_pictures
from stma_ros.roles.exploration import ExplorationQuery, FrontierQuery
from stma_ros.roles.frontier_manager import KeptFrontiers
from stma_ros.roles.snapshot_manager import RECORD_PURPOSE, KeptSnapshots

VIEWS_OF_A_THING = 3
"""Pictures of a thing that are kept, those that show it largest."""

NEWEST = 3
"""The newest pictures, which are kept in any case: they show where the robot is."""

WORTHLESS = 0.03
"""Share of the best frontier's promise below which a frontier is not considered."""


class SymbolicSnapshotManager:
    """Keeps the pictures of things that the question is about, or that tell the kind of room which it names."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)
        self._merged = MergedPictures(knowledge)

    def answer(self, query: ExplorationQuery) -> KeptSnapshots:
        aim = read_aim(self._parser, query.question, self._knowledge)
        scene = SeenScene(query.snapshots, self._knowledge, merged=self._merged)
        relevant = [thing for thing in scene.things if self._is_relevant(thing, aim)]
        newest = range(max(len(query.snapshots) - NEWEST, 0), len(query.snapshots))
        kept = {*newest, *(number for thing in relevant for number in thing.shown_in[:VIEWS_OF_A_THING])}
        if query.mode == RECORD_PURPOSE:
            kept |= set(_showing_everything(scene.things, len(query.snapshots)))
        seen = list(dict.fromkeys(thing.category for thing in scene.things))
        text = f"The pictures show {', '.join(f'a {kind}' for kind in seen)}." if seen else ""
        return KeptSnapshots(tuple(sorted(kept)), text)

    def _is_relevant(self, thing: SeenThing, aim: Aim) -> bool:
        knows, kinds, room = self._knowledge, aim.kinds, aim.room
        if knows.is_door(thing.category):
            return True  # behind it may be what is asked for
        if any(knows.are_related(thing.category, kind) for kind in kinds):
            return True
        if any(self._may_hold(thing.category, kind) for kind in kinds[:1]):
            return True
        return bool(room) and knows.is_furniture(thing.category) and thing.room_kind == room

    def _may_hold(self, category: str, kind: str) -> bool:
        """Whether small things of a kind may be on or in furniture of a category."""
        knows = self._knowledge
        return knows.is_portable(kind) and (knows.is_container(category) or knows.lists(kind, category))


def _showing_everything(things: Sequence[SeenThing], pictures: int) -> tuple[int, ...]:
    """Returns the positions of pictures that together show all things. pictures: their number."""
    shown: list[dict[str, float]] = [{} for _ in range(pictures)]
    for thing in things:
        for rank, number in enumerate(thing.shown_in, start=1):  # the largest view first
            shown[number][thing.track.id] = 1 / rank
    middles = {thing.track.id: thing.track.box.middle for thing in things}
    places = {name: (float(middle[0]), float(middle[1])) for name, middle in middles.items()}
    return covering_pictures(shown, places)


class SymbolicFrontierManager:
    """Drops frontiers that are hardly worth going to."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)

    def answer(self, query: FrontierQuery) -> KeptFrontiers:
        aim = read_aim(self._parser, query.question, self._knowledge)
        values = frontier_values(query.frontiers, aim, self._knowledge)
        best = max(value.promise for value in values)
        kept = tuple(value.number for value in values if value.promise >= WORTHLESS * best)
        return KeptFrontiers(kept, "The others hardly lead to what is asked for.")
