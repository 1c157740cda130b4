"""The kinds of misbehaviour that can be requested of the server, and the choice of the requests that they affect."""

from __future__ import annotations

import enum
import hashlib
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from stma_ros.roles.critic import CritiqueReply
from stma_ros.roles.facts import Fact
from stma_ros.roles.planner import PlanReply
from stma_ros.roles.reflector import ReflectionReply
from stma_ros.roles.relation_aggregator import DescriptionReply
from stma_ros.roles.relation_retriever import DatedFact, FactsReply
from stma_ros.roles.reply import reply_json
from stma_ros.roles.scene_graph import SceneGraphReply, SeenObject
from stma_ros.roles.summariser import Note, SummaryReply
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

UNSEEN = "marble fountain"
"""Names of objects that were never seen, for invented replies."""

_ALL = "all"
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_SKILL = re.compile(r"(\w+)\(.*\)")


class MisbehaviourKind(str, enum.Enum):
    """A fault of a reply or of its delivery."""

    SLOW = "slow"  # it takes seconds longer
    CUT_OFF = "cut_off"  # the reply ends half way, as if it were too long
    HANG_UP = "hang_up"  # the connection breaks off half way
    TOO_MANY = "too_many"  # 429
    FAILING = "failing"  # 500
    INVALID_JSON = "invalid_json"  # the object ends half way, and the model thinks that it is complete
    WRONG_SCHEMA = "wrong_schema"  # an object, but not of the form that was asked for
    PROSE = "prose"  # the object stands between fences, and prose around it
    DISALLOWED = "disallowed"  # an action that is not allowed, a critic that accepts all, an unseen name


@dataclass(frozen=True)
class Misbehaviour:
    """The share of the requests that each kind strikes, 0 to 1. seconds: that a slow answer takes longer.

    Which ones is drawn from the seed, the content of the request and how often this very content was asked: runs are
    the same whatever the order of threads, and a request that is repeated may go well.
    """

    slow: float = 0.0
    cut_off: float = 0.0
    hang_up: float = 0.0
    too_many: float = 0.0
    failing: float = 0.0
    invalid_json: float = 0.0
    wrong_schema: float = 0.0
    prose: float = 0.0
    disallowed: float = 0.0
    seconds: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ConfigurationError for a share that is none."""
        for kind in MisbehaviourKind:
            if not 0.0 <= self.rate(kind) <= 1.0:
                raise ConfigurationError(
                    f"the model cannot misbehave at {kind.value}={self.rate(kind):g}; a rate is from 0 to 1"
                )

    def rate(self, kind: MisbehaviourKind) -> float:
        rate: float = getattr(self, kind.value)
        return rate

    def drawn_for(self, content: bytes, before: int) -> frozenset[MisbehaviourKind]:
        """What strikes a request that was asked so often before: being slow, and one other kind at most."""
        drawn = random.Random(f"{self.seed}:{hashlib.sha256(content).hexdigest()}:{before}")
        struck = [kind for kind in MisbehaviourKind if drawn.random() < self.rate(kind)]
        others = [kind for kind in struck if kind is not MisbehaviourKind.SLOW]
        one = {drawn.choice(others)} if others else set[MisbehaviourKind]()
        return frozenset(one | ({MisbehaviourKind.SLOW} & set(struck)))


def read_misbehaviour(texts: Iterable[str], seed: int = 0) -> Misbehaviour:
    """Of "too_many=0.1", of "all=0.05" for every kind at this rate, and of "seconds=5"; what comes later counts. Raises
    ConfigurationError."""
    values: dict[str, float] = {}
    known = (_ALL, *(item.name for item in fields(Misbehaviour) if item.name != "seed"))
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise ConfigurationError(f"there is no way to misbehave {name!r}. {suggest(name, known)}")
        if not _NUMBER.fullmatch(value):
            raise ConfigurationError(
                f"{text!r} is no way to misbehave; say KIND=RATE, as in too_many=0.1; there are: {', '.join(known)}"
            )
        values.update(
            dict.fromkeys([kind.value for kind in MisbehaviourKind] if name == _ALL else [name], float(value))
        )
    return Misbehaviour(**values, seed=seed)


def spoiled_reply(reply: Any, kinds: frozenset[MisbehaviourKind]) -> str:
    """What the model writes in place of a reply."""
    text = reply_json(invented(reply) if MisbehaviourKind.DISALLOWED in kinds else reply)
    if MisbehaviourKind.WRONG_SCHEMA in kinds:
        return f'{{"answer":{text}}}'
    if MisbehaviourKind.PROSE in kinds:
        return f"Let me think about that step by step.\n\n```json\n{text}\n```\n\nTell me if you need anything else!"
    if kinds & {MisbehaviourKind.INVALID_JSON, MisbehaviourKind.CUT_OFF}:
        return text[: len(text) // 2]
    return text


def invented(reply: Any) -> Any:
    """A reply of the right form with wrong content: disallowed actions, or objects that were never seen."""
    match reply:
        case PlanReply(actions=[first, *rest]):
            return replace(reply, actions=[_disallowed(first), *rest])
        case CritiqueReply():
            return CritiqueReply(reason="That looks fine to me.", criterion="none", verdict="accept")
        case SummaryReply():
            seen = [_seen(note) for note in reply.notes]
            return replace(reply, notes=seen, progress=f"{reply.progress}; the {UNSEEN} is found")
        case FactsReply():
            step = max((fact.step for fact in reply.facts), default=0)
            fact = DatedFact(subject=UNSEEN, predicate="in", object="secret garden", step=step)
            return replace(reply, facts=[*reply.facts, fact])
        case DescriptionReply():
            added = Fact(subject=UNSEEN, predicate="in", object="secret garden")
            told = f"{reply.description}\nThe secret garden holds {UNSEEN}."
            return replace(reply, description=told, facts=[*reply.facts, added])
        case SceneGraphReply():
            seen_too = SeenObject(label=UNSEEN, name=UNSEEN, box=[400, 400, 600, 600], states=[])
            return replace(reply, objects=[*reply.objects, seen_too])
        case ReflectionReply():
            return ReflectionReply(lesson=f"{reply.lesson}\nI must look for the {UNSEEN}.")
    return reply


def _disallowed(action: str) -> str:
    """The same verb, done to something that is nowhere."""
    skill = _SKILL.fullmatch(action)
    return f"{skill[1]}({UNSEEN.replace(' ', '_')}_9)" if skill else f"{action.split(' ')[0]} {UNSEEN}"


def _seen(note: Note) -> Note:
    """Adds an invented object to notes that list objects."""
    return replace(note, note=note.note.replace(" There: ", f" There: {UNSEEN}; "))
