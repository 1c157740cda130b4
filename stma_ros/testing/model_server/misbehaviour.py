"""Faults that the server can inject into its responses, and the choice of the requests that get them."""

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
from stma_ros.roles.policy import PolicyReply
from stma_ros.roles.reflector import ReflectionReply
from stma_ros.roles.relation_aggregator import DescriptionReply
from stma_ros.roles.relation_retriever import DatedFact, FactsReply
from stma_ros.roles.reply import reply_json
from stma_ros.roles.scene_graph_form import SceneGraphReply, SeenObject
from stma_ros.roles.summariser import Note, SummaryReply
from stma_ros.roles.thinker import ThoughtReply
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

UNSEEN = "marble fountain"
"""Name of an object that was never observed, for replies with invented content."""

_ALL = "all"
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_SKILL = re.compile(r"(\w+)\(.*\)")


class MisbehaviourKind(str, enum.Enum):
    """A fault of a reply or of its delivery."""

    SLOW = "slow"  # the response is delayed
    CUT_OFF = "cut_off"  # the reply ends half way, with the finish reason "length"
    HANG_UP = "hang_up"  # the connection is closed half way
    TOO_MANY = "too_many"  # status 429
    FAILING = "failing"  # status 500
    INVALID_JSON = "invalid_json"  # the JSON object ends half way, with the finish reason "stop"
    WRONG_SCHEMA = "wrong_schema"  # the JSON object does not follow the schema
    PROSE = "prose"  # the JSON object is in a code block with prose around it
    DISALLOWED = "disallowed"  # a disallowed action, a critique that accepts everything, or an unseen object


@dataclass(frozen=True)
class Misbehaviour:
    """The rate of each kind of fault, from 0 to 1.

    The faults of a request are drawn from the seed, its content and the number of earlier requests with the same
    content. Runs are therefore the same in any order of threads, and a repeated request may succeed.

    Attributes:
        seconds: Delay of a slow response [s].
        seed: Seed of the draws.
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
        """Checks the rates.

        Raises:
            ConfigurationError: A rate is not from 0 to 1.
        """
        for kind in MisbehaviourKind:
            if not 0.0 <= self.rate(kind) <= 1.0:
                raise ConfigurationError(
                    f"the model cannot misbehave at {kind.value}={self.rate(kind):g}; a rate is from 0 to 1"
                )

    def rate(self, kind: MisbehaviourKind) -> float:
        """Returns the rate of a kind of fault."""
        rate: float = getattr(self, kind.value)
        return rate

    def drawn_for(self, content: bytes, before: int) -> frozenset[MisbehaviourKind]:
        """Draws the faults of a request: at most one kind, and possibly a delay.

        Args:
            content: Body of the request.
            before: Number of earlier requests with the same body.
        """
        rng = random.Random(f"{self.seed}:{hashlib.sha256(content).hexdigest()}:{before}")
        drawn = [kind for kind in MisbehaviourKind if rng.random() < self.rate(kind)]
        others = [kind for kind in drawn if kind is not MisbehaviourKind.SLOW]
        one = {rng.choice(others)} if others else set[MisbehaviourKind]()
        return frozenset(one | ({MisbehaviourKind.SLOW} & set(drawn)))


def read_misbehaviour(texts: Iterable[str], seed: int = 0) -> Misbehaviour:
    """Parses the options of the command line.

    Args:
        texts: Options such as "too_many=0.1", "all=0.05" for all kinds, or "seconds=5"; later ones take precedence.
        seed: Seed of the draws.

    Raises:
        ConfigurationError: An option is invalid.
    """
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
    """Returns the text of a reply with faults.

    Args:
        reply: The reply without faults.
        kinds: The faults.
    """
    text = reply_json(invented(reply) if MisbehaviourKind.DISALLOWED in kinds else reply)
    if MisbehaviourKind.WRONG_SCHEMA in kinds:
        return f'{{"answer":{text}}}'
    if MisbehaviourKind.PROSE in kinds:
        return f"Let me think about that step by step.\n\n```json\n{text}\n```\n\nTell me if you need anything else!"
    if kinds & {MisbehaviourKind.INVALID_JSON, MisbehaviourKind.CUT_OFF}:
        return text[: len(text) // 2]
    return text


def invented(reply: Any) -> Any:
    """Returns a reply of the right form with wrong content: disallowed actions, or objects that were never observed."""
    match reply:
        case PlanReply(actions=[first, *rest]):
            return replace(reply, actions=[_disallowed(first), *rest])
        case PolicyReply() | ThoughtReply():
            return replace(reply, action=_disallowed(reply.action))
        case CritiqueReply():
            return CritiqueReply(reason="That looks fine to me.", criterion="none", verdict="accept")
        case SummaryReply():
            notes = [_with_unseen(note) for note in reply.notes]
            return replace(reply, notes=notes, progress=f"{reply.progress}; the {UNSEEN} is found")
        case FactsReply():
            step = max((fact.step for fact in reply.facts), default=0)
            fact = DatedFact(subject=UNSEEN, predicate="in", object="secret garden", step=step)
            return replace(reply, facts=[*reply.facts, fact])
        case DescriptionReply():
            added = Fact(subject=UNSEEN, predicate="in", object="secret garden")
            description = f"{reply.description}\nThe secret garden holds {UNSEEN}."
            return replace(reply, description=description, facts=[*reply.facts, added])
        case SceneGraphReply():
            unseen = SeenObject(label=UNSEEN, name=UNSEEN, box=[400, 400, 600, 600], states=[])
            return replace(reply, objects=[*reply.objects, unseen])
        case ReflectionReply():
            return ReflectionReply(lesson=f"{reply.lesson}\nI must look for the {UNSEEN}.")
    return reply


def _disallowed(action: str) -> str:
    """Returns the action with an object that does not exist."""
    skill = _SKILL.fullmatch(action)
    return f"{skill[1]}({UNSEEN.replace(' ', '_')}_9)" if skill else f"{action.split(' ')[0]} {UNSEEN}"


def _with_unseen(note: Note) -> Note:
    """Adds an invented object to a note that lists objects."""
    return replace(note, note=note.note.replace(" There: ", f" There: {UNSEEN}; "))
