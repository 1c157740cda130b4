"""Which things have to be seen from nearer for an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.domains.eqa.finding import Finding
from stma_ros.domains.eqa.meant_things import MeantThings, best, is_sure
from stma_ros.domains.eqa.question import QuestionKind, TypedQuestion
from stma_ros.domains.eqa.scene import KnownThing
from stma_ros.domains.eqa.seen_scene import SeenScene, SeenThing
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.states import dimension

NEAR_ENOUGH = 1.2
"""Gap between the camera and a thing [m] at which a nearer look shows hardly more."""

_OF_PLACES = (QuestionKind.WHAT_IS, QuestionKind.COUNT, QuestionKind.SPACE)
_OF_THINGS = (QuestionKind.EXISTENCE, QuestionKind.WHERE, QuestionKind.ROOM_OF, QuestionKind.STATE)


class CloserLooks:
    """The things of a scene that have to be seen from nearer for the answer to one question."""

    def __init__(
        self,
        question: TypedQuestion,
        scene: SeenScene,
        meant: MeantThings,
        knowledge: CategoryKnowledge,
    ) -> None:
        self._question = question
        self._scene = scene
        self._meant = meant
        self._knowledge = knowledge

    def find(self, finding: Finding) -> Sequence[SeenThing]:
        """Returns the things that were seen from afar only, or not from the side that shows their state; the most
        telling first, and none for a complete finding."""
        if finding.is_complete:
            return ()
        hidden = [thing.id for thing in self._of_unknown_state()]
        names = dict.fromkeys((*(thing.id for thing in self._doubtful(finding)), *hidden))
        seen = (self._scene.find(name) for name in names)
        return tuple(
            thing for thing in seen if thing is not None and (thing.id in hidden or thing.gap > NEAR_ENOUGH)
        )

    def _doubtful(self, finding: Finding) -> Iterator[KnownThing]:
        """Yields the things of which more has to be known."""
        kind, meant = self._question.kind, self._meant
        if kind in _OF_THINGS and not finding.is_absence:
            yield from finding.things
        if kind is QuestionKind.ATTRIBUTE:
            yield from (thing for thing in finding.things if not (finding.answer and is_sure(thing)))
        if kind in _OF_PLACES:
            yield from best([mark for mark in meant.marks() if not mark.is_surveyed])
        if kind is QuestionKind.FUNCTION:
            yield from meant.serving()[:1]
        yield from (thing for thing in meant.targets() if not is_sure(thing))

    def _of_unknown_state(self) -> Iterator[KnownThing]:
        """Yields the things that may be in the state that is asked for, or by which they are described: "What is
        switched on in the bathroom?"."""
        question, target = self._question, self._question.target
        if not question.state:
            return
        is_named = question.kind is QuestionKind.STATE or bool(target is not None and target.category)
        for thing in self._meant.like(target) if is_named else self._scene.things:
            known = any(dimension(fact.object) == dimension(question.state) for fact in thing.states)
            if not known and self._can_be(thing) and self._meant.is_in_room(thing):
                yield thing

    def _can_be(self, thing: KnownThing) -> bool:
        return self._knowledge.can_be(thing.category, self._question.state)
