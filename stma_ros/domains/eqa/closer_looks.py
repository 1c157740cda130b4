"""Which things have to be seen from nearer for an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.domains.eqa.finding import Finding
from stma_ros.domains.eqa.meant_things import MeantThings, best, is_sure, state_fact
from stma_ros.domains.eqa.question import QuestionKind, TypedQuestion
from stma_ros.domains.eqa.scene import KnownThing
from stma_ros.domains.eqa.seen_scene import SeenScene, SeenThing
from stma_ros.types import vocabulary as words

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
    ) -> None:
        self._question = question
        self._scene = scene
        self._meant = meant

    def find(self, finding: Finding) -> Sequence[SeenThing]:
        """Returns the things that were seen from afar only, or not from the side that shows their state; the most
        telling first, and none for a complete finding."""
        if finding.is_complete:
            return ()
        hidden = [thing.id for thing in self._of_hidden_state()]
        names = dict.fromkeys((*(thing.id for thing in self._doubtful(finding)), *hidden))
        seen = (self._scene.find(name) for name in names)
        doubtful = [
            thing for thing in seen if thing is not None and (thing.id in hidden or thing.gap > NEAR_ENOUGH)
        ]
        return (*doubtful, *self._not_looked_over(finding))

    def _doubtful(self, finding: Finding) -> Iterator[KnownThing]:
        """Yields the things of which more has to be known."""
        kind, meant = self._question.kind, self._meant
        if kind in _OF_THINGS and not finding.is_absence:
            yield from finding.things
        if kind is QuestionKind.ATTRIBUTE:
            yield from (thing for thing in finding.things if not (finding.answer and is_sure(thing)))
        if kind in _OF_PLACES:
            yield from best([mark for mark in meant.marks() if not mark.is_surveyed])
        if kind is QuestionKind.COUNT:
            yield from (thing for thing in meant.targets() if not meant.is_surely_there(thing))
        if kind is QuestionKind.FUNCTION:
            yield from meant.serving()[:1]
        yield from (thing for thing in meant.targets() if not is_sure(thing))

    def _not_looked_over(self, finding: Finding) -> Sequence[SeenThing]:
        """Returns the furniture where what is nowhere in sight is usually kept, nearest first, once no way leads on."""
        if (finding.things and not finding.is_absence) or not self._meant.is_explored:
            return ()
        may_hold = filter(self._meant.is_usual_place, filter(_may_be_open, self._meant.hiding()))
        places = (*self._meant.not_looked_over(), *may_hold)
        seen = [self._scene.find(thing.id) for thing in places]
        return sorted(filter(None, seen), key=self._scene.distance_from_here)

    def _of_hidden_state(self) -> Sequence[KnownThing]:
        """Returns the things whose state the question asks for, or that may be in the state by which it describes them:
        "What is switched on in the bathroom?"."""
        if self._question.kind is not QuestionKind.STATE:
            return self._meant.of_unknown_state()
        return [thing for thing in self._meant.targets() if state_fact(thing, self._question.state) is None]


def _may_be_open(container: KnownThing) -> bool:
    return not any(fact.object == words.STATE_CLOSED for fact in container.states)
