"""Answers questions for rooms themselves: "Is there a second bathroom?", "Which rooms are there?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from stma_ros.domains.eqa.finding import NO, YES, Finding
from stma_ros.domains.eqa.meant_things import MeantThings, clearest, is_sure
from stma_ros.domains.eqa.question import Amount, Quantifier, QuestionKind, TypedQuestion
from stma_ros.domains.eqa.scene import KnownThing, Scene
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import listed, plural, with_article

ANY_ROOM = "room"
"""What people call rooms of all kinds."""

_ORDINALS = {"second": 2, "another": 2, "other": 2, "third": 3}  # so many there are if there is one called so


def asks_for_rooms(question: TypedQuestion, knowledge: CategoryKnowledge) -> bool:
    """Whether a question asks for rooms themselves, without naming those to choose from."""
    asked = question.target
    if asked is None or question.options or question.kind not in _RULES:
        return False
    return asked.category == ANY_ROOM or knowledge.is_room(asked.category)


class RoomRules:
    """The rules for one question and one scene."""

    def __init__(
        self,
        question: TypedQuestion,
        scene: Scene[KnownThing],
        knowledge: CategoryKnowledge,
        meant: MeantThings,
    ) -> None:
        """Takes a question that asks for rooms, and what it means."""
        assert question.target is not None
        self._kind = question.kind
        self._is_placed = bool(question.places)
        self._asked = question.target
        self._scene = scene
        self._knowledge = knowledge
        self._meant = meant
        kind = knowledge.canonical(self._asked.category)
        self._rooms = {name: count for name, count in scene.rooms.items() if kind in (ANY_ROOM, name)}

    def find(self) -> Finding:
        """Returns the answer as far as it is known; none to what tells some rooms of a kind from others of it."""
        if self._is_about_some:
            return Finding("", missing=f"which {plural(self._asked.category)} are meant")
        return _RULES[self._kind](self)

    @property
    def _is_about_some(self) -> bool:
        """Whether rooms are described further: "a room with a piano", "an empty room"."""
        noun = " ".join(word for word in self._asked.text.split() if word not in _ORDINALS)
        kind = self._asked.category
        return self._is_placed or self._knowledge.canonical(noun) not in (kind, plural(kind))

    def existence(self) -> Finding:
        finding = self._is_there()
        return finding.denied if self._asked.quantifier is Quantifier.NO else finding

    def _is_there(self) -> Finding:
        wanted = self._asked.amount or Amount(_ORDINALS.get(self._asked.text.partition(" ")[0], 1))
        number = sum(self._rooms.values())
        answer = YES if wanted.includes(number) else NO
        if number < wanted.least or (wanted.most is not None and number <= wanted.most):
            return self._if_there_are_no_more(answer)
        shown = self._showing()
        is_complete = bool(shown) and all(map(self._meant.is_room_known, shown))
        return Finding(answer, shown, is_complete, "" if is_complete else "more of the room")

    def count(self) -> Finding:
        return self._if_there_are_no_more(str(sum(self._rooms.values())))

    def names(self) -> Finding:
        names = (
            with_article(kind) if count == 1 else f"{count} {plural(kind)}"
            for kind, count in self._rooms.items()
            if kind
        )
        return self._if_there_are_no_more(listed(names))

    def where(self) -> Finding:
        shown = self._showing()
        if not shown:
            return self._if_there_are_no_more(f"there is no {self._asked.text}")
        names = [f"the {thing.category}" for thing in shown]
        answer = f"where {listed(names)} {'is' if len(names) == 1 else 'are'}"
        return Finding(answer, shown, all(map(self._meant.is_room_known, shown)))

    def _showing(self) -> tuple[KnownThing, ...]:
        """Returns a few pieces of furniture by which the rooms were told: one of each kind of room, or of a single kind
        several."""
        shown: dict[str, KnownThing] = {}
        for thing in sorted(filter(is_sure, self._scene.things), key=lambda each: -each.clearness):
            if thing.room_kind in self._rooms and self._knowledge.is_furniture(thing.category):
                shown.setdefault(thing.room_kind if len(self._rooms) > 1 else thing.category, thing)
        return clearest(tuple(shown.values()))

    def _if_there_are_no_more(self, answer: str) -> Finding:
        is_complete = self._meant.is_all_seen
        missing = "" if is_complete else "whether there are more"
        return Finding(answer, self._showing(), is_complete, missing, is_absence=True)


_RULES: Mapping[QuestionKind, Callable[[RoomRules], Finding]] = {
    QuestionKind.EXISTENCE: RoomRules.existence,
    QuestionKind.COUNT: RoomRules.count,
    QuestionKind.WHAT_IS: RoomRules.names,
    QuestionKind.WHICH: RoomRules.names,
    QuestionKind.WHERE: RoomRules.where,
}
