"""Judge: marks an answer to a question by the answer that is right. A role that no component asks, but a scorer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import RoleSpec, UnusableReplyError, Wait

WORST, BEST = 1, 5


@dataclass(frozen=True)
class JudgeQuery:
    question: str
    right: str
    given: str


@dataclass(frozen=True)
class Mark:
    """mark: from WORST to BEST."""

    mark: int
    reason: str = ""


@dataclass(frozen=True)
class MarkReply:
    reason: str
    mark: int


def _text(query: JudgeQuery) -> str:
    return sections(f"Question: {query.question}", headed("Right", query.right), headed("Given", query.given))


def _known_answer(query: JudgeQuery) -> Mark | None:
    return None if query.given else Mark(WORST, "there is no answer")


def _read(reply: MarkReply, query: JudgeQuery) -> Mark:
    if not WORST <= reply.mark <= BEST:
        raise UnusableReplyError(f"the mark is {reply.mark}; give one from {WORST} to {BEST}")
    return Mark(reply.mark, reply.reason.strip())


def _corrupt(target: CorruptionInput[JudgeQuery, Mark]) -> Corrupted[Mark]:
    turned = replace(target.answer, mark=WORST + BEST - target.answer.mark)
    return Corrupted(turned, FaultKind.FLIPPED, str(turned.mark))


JUDGE = RoleSpec(
    name="judge",
    question=JudgeQuery,
    answer=Mark,
    reply=MarkReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    known_answer=_known_answer,
    faults=(FaultKind.FLIPPED,),
    corrupt=_corrupt,
)
