"""Thinker: reasons step by step over the scene graph and similar experiences, and chooses the next action (MCoT-Memory,
equation 3)."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.actions import not_allowed, read_action
from stma_ros.roles.exploration import Shown, rendering_of, text_of
from stma_ros.roles.planner import FAILURES, PLANNER, FailureName, PlanAnswer, PlanQuery, check_failure
from stma_ros.roles.rendering import action_lines, bounded_line, fact_text, headed, sections
from stma_ros.roles.spec import Rendering, Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types.experience import Experience, RetrievedExperience, RuleOfThumb
from stma_ros.types.exploration import Snapshot
from stma_ros.types.planning import Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.task_text import LONGEST_TASK

_MAX_STEPS = 30  # of an experience that are shown, the last ones
_MAX_REASON = 120  # [characters] of a reason in an experience
_MAX_TEXT = 300  # [characters] of an action or an error in an experience, or of a rule of thumb


class Reasoning(str, enum.Enum):
    """How the thinker is asked to reason, in the order of the paper's tables 1 and 3."""

    GRAPH = "graph"
    DIRECT = "direct"
    STEPS = "steps"
    COMPOSITION = "composition"
    DUTIES = "duties"


WAYS: Mapping[Reasoning, str] = {
    Reasoning.GRAPH: "",
    Reasoning.DIRECT: "none; the action alone",
    Reasoning.STEPS: "step by step, from what is in the picture",
    Reasoning.COMPOSITION: "first describe the picture as objects, their attributes and their relations, then reason "
    "over that description",
    Reasoning.DUTIES: "first divide the problem into questions; answer those that need the picture from the picture, "
    "the others by what you know, say of each what is uncertain, then put the answers together",
}
"""What a question says of each way of reasoning; nothing of the published one. STEPS is CoT (Wei et al. 2022),
COMPOSITION CCoT (Mitra et al. 2024), DUTIES DDCoT (Zheng et al. 2023), in our own words."""


@dataclass(frozen=True)
class ThinkQuery(PlanQuery):
    """The question to the thinker.

    Attributes:
        graph: the scene graph, as far as it matters for the task.
        experiences: similar tasks, the most similar first.
        rules: what all experiences together tell about the things of the task.
        picture: of the observation, which rules do not read; None = none is shown.
        reasoning: how to reason. Rules read it as little as the rest of a prompt's instructions.
    """

    graph: tuple[Relation, ...] = ()
    experiences: tuple[RetrievedExperience, ...] = ()
    rules: tuple[RuleOfThumb, ...] = ()
    picture: Snapshot | None = None
    reasoning: Reasoning = Reasoning.GRAPH


ThinkerRole: TypeAlias = Role[ThinkQuery, PlanAnswer]
"""Returns one action, with the reasoning that led to it."""


def _shown(query: ThinkQuery) -> Iterator[Shown]:
    before = sections(f"Task: {query.task}", headed("Reasoning", WAYS[query.reasoning]))
    after = sections(
        headed("What happened", query.temporal.text),
        headed("Where things are", query.spatial.text),
        headed("Scene graph", "\n".join(map(fact_text, query.graph))),
        headed("Experiences", "\n".join(_experience_lines(query))),
        headed("Rules of thumb", "\n".join(bounded_line(str(rule), _MAX_TEXT) for rule in query.rules)),
        headed("Now", query.observation),
        headed("Allowed", action_lines(query.allowed_actions)),
        headed("The last action was dropped", query.feedback),
        headed("Rejected", action_lines(query.rejected)),
    )
    if query.picture is None:
        yield sections(before, after)
        return
    yield f"{before}\n\nPicture:"
    yield query.picture
    yield f"\n{after}"


def _text(query: ThinkQuery) -> str:
    return text_of(_shown(query))


def _render(query: ThinkQuery) -> Rendering:
    return rendering_of(_shown(query))


def _experience_lines(query: ThinkQuery) -> Iterator[str]:
    for number, each in enumerate(query.experiences, start=1):
        known = each.experience
        task = bounded_line(known.task, LONGEST_TASK)
        yield (
            f"{number}. {task} [{known.status.name.lower()}, score {known.score:.2f}, "
            f"{each.similarity:.2f} similar]"
        )
        yield from _step_lines(known)


def _step_lines(experience: Experience) -> Iterator[str]:
    for step in experience.steps[-_MAX_STEPS:]:
        action, reason = bounded_line(str(step.action), _MAX_TEXT), bounded_line(step.rationale, _MAX_REASON)
        failed = (
            f" Failed: {bounded_line(step.error.text, _MAX_TEXT)}" if step.result == Result.FAILED else ""
        )
        yield f"   {action}: {reason}{failed}"


@dataclass(frozen=True)
class ThoughtReply:
    """failure: with giving up, why; otherwise none."""

    rationale: str
    justification: str
    subgoal: str
    action: str
    failure: FailureName


def _read(reply: ThoughtReply, query: ThinkQuery) -> PlanAnswer:
    action = read_action(reply.action, query.allowed_actions)
    if action not in query.allowed_actions:
        raise UnusableReplyError(f"the action {not_allowed(action, query.allowed_actions)}")
    check_failure(reply.failure, (action,))
    reasoning = " ".join(filter(None, (reply.rationale.strip(), reply.justification.strip())))
    return PlanAnswer(reply.subgoal.strip(), (action,), reasoning, FAILURES[reply.failure])


THINKER = RoleSpec(
    name="thinker",
    question=ThinkQuery,
    answer=PlanAnswer,
    reply=ThoughtReply,
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.PLAN,
    has_images=True,
    follows_default=False,
    faults=PLANNER.faults,
    corrupt=PLANNER.corrupt,
)
